//! A game that was set up for play, and how one is set up.

use std::sync::Arc;
use std::time::Duration;

use gamegrove_agents::Agent;
use gamegrove_gdl::{Limits as RuleLimits, Prover, ProverLimits, Reading, Rulesheet};
use gamegrove_play::library::{Header, Kind};
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::native;
use gamegrove_play::notice::Notice;
use gamegrove_play::text::SourceText;
use gamegrove_play::{Rules, picture, video};
use gamegrove_propnet::{Auto, Best, PropnetLanes};
use gamegrove_vgdl::level::World;
use gamegrove_view::{Evidence, Layout};
use serde::Serialize;

use crate::drawing::{FactArtist, OctagonArtist};
use crate::findings::Finding;
use crate::limits::Limits;
use crate::line::{Fixed, Level, Line, Setup, Stage};
use crate::refusal::{Answer, Refusal};

/// Where a game's rules come from.
#[derive(Clone, Debug)]
pub enum Sheet {
    /// The game is shipped under this name, which may have settings in parentheses.
    Shipped(String),
    /// Somebody pasted it.
    Own(Arc<OwnGame>),
}

/// A pasted game.
#[derive(Debug)]
pub struct OwnGame {
    /// What it is called in addresses.
    pub name: String,
    /// Its language.
    pub kind: Kind,
    /// Its rules.
    pub rules: String,
    /// The level of a video game.
    pub level: String,
}

impl Sheet {
    /// What it is called in addresses.
    pub fn name(&self) -> &str {
        match self {
            Sheet::Shipped(name) => name,
            Sheet::Own(game) => &game.name,
        }
    }
}

/// A game that was set up for play.
pub struct Room {
    /// What it is called in addresses.
    pub name: String,
    /// For people.
    pub title: String,
    /// Its language.
    pub kind: Kind,
    /// The level of a video game.
    pub level: Option<usize>,
    /// What answers questions about its rules.
    pub reasoner: String,
    /// The pasted texts, if it was pasted.
    pub own: Option<Arc<OwnGame>>,
    stage: Box<dyn Stage>,
}

impl std::fmt::Debug for Room {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Room").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Room {
    /// Sets a game up. Takes a while.
    pub fn open(sheet: &Sheet, level: usize, limits: &Limits) -> Answer<Room> {
        match sheet {
            Sheet::Shipped(name) => open_shipped(name, level, limits),
            Sheet::Own(game) => open_own(game, limits),
        }
    }

    /// The names of the roles.
    pub fn roles(&self) -> &[String] {
        self.stage.roles()
    }

    /// A new course of play.
    pub fn line(&self, seed: u64) -> Box<dyn Line> {
        self.stage.line(seed)
    }

    /// Whether it is a video game.
    pub fn is_video(&self) -> bool {
        self.kind == Kind::Vgdl
    }

    /// The agent that plays it unless somebody chooses.
    pub fn default_agent(&self) -> &'static str {
        default_agent(self.kind)
    }

    /// The agent called `name`, if this game can be played by it.
    pub fn agent(&self, name: &str) -> Answer<Agent> {
        let agent = Agent::all().iter().find(|agent| agent.name == name).cloned();
        let agent = agent.ok_or_else(|| {
            Refusal::wrong(format!("no agent is called {name}"), "choose one of the list")
        })?;
        match suits(&agent, self.kind) {
            true => Ok(agent),
            false => Err(Refusal::wrong(
                format!("{name} does not play {}", self.title),
                "choose another agent",
            )),
        }
    }
}

/// The agent that plays games of a kind unless somebody chooses.
pub fn default_agent(kind: Kind) -> &'static str {
    match kind {
        Kind::Gdl | Kind::Vgdl => "grove",
        Kind::Native => native::GAMES[0].agent,
    }
}

/// Whether an agent can play games of a kind: some know the moves of one native game.
pub fn suits(agent: &Agent, kind: Kind) -> bool {
    kind == Kind::Native || !native::is_for_one(&agent.name)
}

fn title_of(text: &str, kind: Kind, name: &str) -> String {
    Header::read(text, kind).title().unwrap_or(name).to_owned()
}

fn open_shipped(name: &str, level: usize, limits: &Limits) -> Answer<Room> {
    let source = Source::open(name)?;
    if !source.is_shipped() {
        return Err(Refusal::missing(format!("no game is called {name}"), "look in the gallery"));
    }
    let title = title_of(&String::from_utf8_lossy(&source.text), source.kind, &source.name);
    let room = |reasoner: String, level, stage| Room {
        name: source.name.clone(),
        title,
        kind: source.kind,
        level,
        reasoner,
        own: None,
        stage,
    };
    match source.kind {
        Kind::Vgdl => {
            let loaded = video::load(&source, &LevelChoice::Number(level))?;
            let stage = Box::new(Level::new(loaded.world));
            Ok(room("the engine".to_owned(), Some(level), stage))
        }
        Kind::Gdl | Kind::Native => match source.rules(Reading::Logical)? {
            Rules::Native(game) => {
                let stage = Box::new(Fixed(Setup::new(*game, None, OctagonArtist, true)));
                Ok(room("its own program".to_owned(), None, stage))
            }
            Rules::Sheet(sheet) => {
                let layout = picture::layout(&source, &sheet)?;
                let bounds = (limits.network_patience.0, limits.network_bytes.0);
                let (reasoner, stage) = reason(&sheet, layout, bounds, ProverLimits::default())?;
                Ok(room(reasoner, None, stage))
            }
        },
    }
}

fn open_own(game: &Arc<OwnGame>, limits: &Limits) -> Answer<Room> {
    let room = |reasoner, stage| Room {
        name: game.name.clone(),
        title: title_of(&game.rules, game.kind, "Your game"),
        kind: game.kind,
        level: None,
        reasoner,
        own: Some(Arc::clone(game)),
        stage,
    };
    if game.kind == Kind::Vgdl {
        let checked = check_video(&game.rules, &game.level);
        let world = checked.world.ok_or_else(|| {
            Refusal::wrong("this video game cannot be played", "mend the errors")
                .with(checked.checked.findings)
        })?;
        return Ok(room("the engine".to_owned(), Box::new(Level::new(world))));
    }
    let sheet = Rulesheet::load(game.rules.as_bytes()).map_err(|found| {
        let text = SourceText::new("your rules", game.rules.as_bytes());
        Refusal::wrong("these rules cannot be played", "mend the errors")
            .with(Finding::all(&text, &Notice::all(found)))
    })?;
    let bounds = own_limits(limits);
    let mut prover = Prover::with_limits(&sheet.program, bounds).map_err(unplayable)?;
    let mut evidence = Evidence::of_game(&mut prover, 1);
    // Finding all facts that could ever be is bounded in steps.
    evidence.add_rules(&sheet.program);
    let network = (limits.network_patience.1, limits.network_bytes.1);
    let (reasoner, stage) = reason(&sheet, Layout::find(&evidence), network, bounds)?;
    // What cannot even be begun is not worth its memory.
    if let Some(fault) = stage.line(1).look(0).fault {
        let message = format!("this game cannot be played here: {fault}");
        return Err(Refusal::wrong(message, "simplify the rules, or play it with `grove play`"));
    }
    Ok(room(reasoner, stage))
}

fn own_limits(limits: &Limits) -> ProverLimits {
    ProverLimits {
        work: limits.prover_work,
        memory: limits.prover_bytes,
        static_steps: 1_000_000,
        samples: 24,
    }
}

fn unplayable(error: gamegrove_gdl::ProverError) -> Refusal {
    Refusal::wrong(format!("this game cannot be played: {error}"), "simplify the rules")
}

/// The best reasoner that is ready in time.
fn reason(
    sheet: &Rulesheet,
    layout: Option<Layout>,
    (patience, memory): (Duration, usize),
    prover: ProverLimits,
) -> Answer<(String, Box<dyn Stage>)> {
    let bounds = RuleLimits { time: Some(patience), memory, ..RuleLimits::default() };
    let mut auto = Auto::with_prover(&sheet.program, &bounds, prover, true).map_err(unplayable)?;
    let stage: Box<dyn Stage> = match auto.best_within(patience) {
        Best::Prover(game, _) => {
            // A prover's tables may take as much as the tree of a search.
            Box::new(Fixed(Setup::new(game.clone(), None, FactArtist(layout), false)))
        }
        Best::Network(game, _) => {
            let lanes = PropnetLanes::new(game.network()).ok().map(PropnetLanes::boxed);
            Box::new(Fixed(Setup::new(game.clone(), lanes, FactArtist(layout), true)))
        }
    };
    Ok((auto.status().to_string(), stage))
}

/// What was found in pasted texts.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// The language: `gdl` or `vgdl`.
    pub kind: Kind,
    /// Whether it can be played.
    pub playable: bool,
    /// Findings about the rules.
    pub findings: Vec<Finding>,
    /// Findings about the level of a video game.
    pub level_findings: Vec<Finding>,
    /// What is missing besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// Checks pasted texts.
pub fn check(kind: Kind, rules: &str, level: &str) -> Checked {
    if kind == Kind::Vgdl {
        return check_video(rules, level).checked;
    }
    let text = SourceText::new("your rules", rules.as_bytes());
    let (playable, found) = match Rulesheet::load(rules.as_bytes()) {
        Ok(sheet) => (true, sheet.warnings),
        Err(found) => (false, found),
    };
    let findings = Finding::all(&text, &Notice::all(found));
    Checked { kind: Kind::Gdl, playable, findings, level_findings: Vec::new(), missing: None }
}

struct CheckedVideo {
    checked: Checked,
    world: Option<Arc<World>>,
}

fn check_video(rules: &str, level: &str) -> CheckedVideo {
    let compiled = gamegrove_vgdl::rules::compile(rules);
    let found = Notice::all(compiled.findings);
    let text = SourceText::new("your rules", rules.as_bytes());
    let fatal = found.iter().any(|notice| matches!(notice.code, "no-sprites" | "too-long"));
    let findings = Finding::all(&text, &found);
    let empty = level.trim().is_empty();
    let loaded = (!fatal && !empty).then(|| World::load(&compiled.rules, level));
    let (world, level_found) =
        loaded.map_or((None, Vec::new()), |loaded| (loaded.world, Notice::all(loaded.findings)));
    let level_text = SourceText::new("your level", level.as_bytes());
    let checked = Checked {
        kind: Kind::Vgdl,
        playable: world.is_some(),
        findings,
        level_findings: Finding::all(&level_text, &level_found),
        missing: (!fatal && empty).then(|| "a video game needs a level: paste one too".to_owned()),
    };
    CheckedVideo { checked, world }
}
