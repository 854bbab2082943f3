//! A game that was set up for play, and how one is set up.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use gamegrove_agents::Agent;
use gamegrove_game::Move;
use gamegrove_gdl::{Limits as RuleLimits, ProverLimits, Rulesheet};
use gamegrove_play::library::{Header, Kind};
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::notice::Notice;
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::text::SourceText;
use gamegrove_play::{Board, Setup, StopFlag, native, video};
use serde::Serialize;

use crate::findings::Finding;
use crate::limits::Limits;
use crate::matches::too_large;
use crate::refusal::{Answer, Refusal};

/// Where a game's rules come from.
#[derive(Clone, Debug)]
pub enum Sheet {
    /// The game is shipped under this name, which may have settings in parentheses.
    Shipped(String),
    /// A visitor pasted it.
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

impl OwnGame {
    fn source(&self) -> Answer<Source> {
        let levels = vec![self.level.clone()];
        Ok(Source::pasted(&self.name, self.rules.clone(), levels, Some(self.kind))?)
    }
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
    /// Whether agents remember a match between moves. A prover's tables may take as much memory as the tree
    /// of a search, so that its agents do not.
    pub remembers: bool,
    /// The game. All its matches ask the one worker of this board; searches have workers of their own.
    pub board: Arc<dyn Board>,
}

impl std::fmt::Debug for Room {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Room").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Room {
    /// Sets a game up. Takes a while; ends soon after `stop` is set.
    pub fn open(sheet: &Sheet, level: usize, limits: &Limits, stop: &StopFlag) -> Answer<Room> {
        let stopped = || Refusal::late("setting the game up took too long", "simplify the rules");
        let (source, level, own) = match sheet {
            Sheet::Shipped(name) => {
                let source = Source::open(name)?;
                if !source.is_shipped() {
                    let missing = format!("no game is called {name}");
                    return Err(Refusal::missing(missing, "look in the gallery"));
                }
                (source, level, None)
            }
            Sheet::Own(game) => (game.source()?, 0, Some(Arc::clone(game))),
        };
        let kind = source.kind;
        let board = gamegrove_play::open(
            &source,
            &LevelChoice::Number(level),
            &setup(kind, own.is_some(), limits, stop),
        )?;
        if stop.load(Ordering::Relaxed) {
            return Err(stopped());
        }
        if own.is_some() {
            can_begin(&*board)?;
        }
        // The first drawing takes random games.
        board.draw(&board.start(1), None);
        if stop.load(Ordering::Relaxed) {
            return Err(stopped());
        }
        let about = board.about();
        let reasoner = match kind {
            Kind::Vgdl => "the engine".to_owned(),
            Kind::Native => "its own program".to_owned(),
            Kind::Gdl => {
                let named = format!("{}: ", source.name);
                let remark = about.remarks.first().map(|remark| remark.trim_start_matches(&named));
                remark.unwrap_or(&about.reasoner).to_owned()
            }
        };
        let title = if own.is_some() { "Your game" } else { &source.name };
        Ok(Room {
            title: title_of(&String::from_utf8_lossy(&source.text), kind, title),
            kind,
            level: (kind == Kind::Vgdl && own.is_none()).then_some(level),
            reasoner,
            own,
            remembers: about.reasoner != Reasoner::Prover.name(),
            name: source.name,
            board,
        })
    }

    /// The names of the roles.
    pub fn roles(&self) -> &[String] {
        &self.board.about().roles
    }

    /// The move that does nothing, in a video game.
    pub fn waiting(&self) -> Move {
        self.board.about().real_time.as_ref().map_or(Move(0), |game| game.waiting)
    }

    /// Whether it is a video game.
    pub fn is_video(&self) -> bool {
        self.kind == Kind::Vgdl
    }

    /// The agent that plays it unless the visitor chooses another.
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

/// The agent that plays games of a kind unless the visitor chooses another.
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

/// How a game is set up: with the best reasoner that is ready in time.
fn setup(kind: Kind, own: bool, limits: &Limits, stop: &StopFlag) -> Setup {
    let of = |both: (usize, usize)| if own { both.1 } else { both.0 };
    let patience = if own { limits.network_patience.1 } else { limits.network_patience.0 };
    let prover = ProverLimits {
        work: limits.prover_work,
        memory: limits.prover_bytes,
        static_steps: 1_000_000,
        samples: 24,
    };
    Setup {
        patience,
        by_the_clock: kind == Kind::Gdl,
        network: RuleLimits {
            time: Some(patience),
            memory: of(limits.network_bytes),
            cancel: Some(Arc::clone(stop)),
            ..RuleLimits::default()
        },
        prover: if own { prover } else { ProverLimits::default() },
        ..Setup::default()
    }
}

/// Refuses a game that cannot even be begun: it is not worth its memory.
fn can_begin(board: &dyn Board) -> Answer<()> {
    let start = board.start(1);
    let problem = match board.view(&start) {
        Ok(view) => too_large(&view, board.facts(&start).len()),
        Err(fault) => Some(fault.to_string()),
    };
    problem.map_or(Ok(()), |problem| {
        let message = format!("this game cannot be played here: {problem}");
        Err(Refusal::wrong(message, "simplify the rules, or play it with `grove play`"))
    })
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
        return check_video(rules, level);
    }
    let text = SourceText::new("your rules", rules.as_bytes());
    let (playable, found) = match Rulesheet::load(rules.as_bytes()) {
        Ok(sheet) => (true, sheet.warnings),
        Err(found) => (false, found),
    };
    let findings = Finding::all(&text, &Notice::all(found));
    Checked { kind: Kind::Gdl, playable, findings, level_findings: Vec::new(), missing: None }
}

fn check_video(rules: &str, level: &str) -> Checked {
    let checked = |playable, findings, level_findings| Checked {
        kind: Kind::Vgdl,
        playable,
        findings,
        level_findings,
        missing: None,
    };
    let game = OwnGame {
        name: "your rules".to_owned(),
        kind: Kind::Vgdl,
        rules: rules.to_owned(),
        level: level.to_owned(),
    };
    let Ok(source) = game.source() else { return checked(false, Vec::new(), Vec::new()) };
    let read = video::read_rules(&source);
    let findings = Finding::all(&read.text, &read.found);
    if read.found.iter().any(video::is_fatal) {
        return checked(false, findings, Vec::new());
    }
    if level.trim().is_empty() {
        let missing = Some("a video game needs a level: paste one too".to_owned());
        return Checked { missing, ..checked(false, findings, Vec::new()) };
    }
    match source.level(&LevelChoice::Number(0)) {
        Ok(level) => {
            let level = video::read_level(&read.value, &level);
            let level_findings = Finding::all(&level.text, &level.found);
            checked(level.value.is_some(), findings, level_findings)
        }
        Err(_) => checked(false, findings, Vec::new()),
    }
}
