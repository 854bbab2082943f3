//! `grove referee`: a GGP game manager for any GGP players.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gamegrove_game::{Describe, Role};
use gamegrove_play::library::Kind;
use gamegrove_play::load::Source;
use gamegrove_play::matches::{Clocks, Ending, MatchRecord, Terms, referee};
use gamegrove_play::reasoner::{Work, with_game};
use gamegrove_play::units::plural;
use gamegrove_play::video;
use gamegrove_protocol::{Contender, SeatConfig, Wires};

use super::rules;
use crate::cli::{PlayerChoice, RefereeArgs};
use crate::failure::{Failure, Outcome, Result};
use crate::output::{Output, Table};
use crate::recorder::Recorder;

/// How long a player may take to say whether it is there.
const GREETING: Duration = Duration::from_secs(2);

/// Runs the command.
pub fn run(args: &RefereeArgs, out: &mut Output) -> Result {
    out.only_json();
    let source = Source::open(&args.game)?;
    video::require(&source, Kind::Gdl)?;
    let sheet = rules(&source, args.rules, out)?;
    let recorder = args.record.as_deref().map(Recorder::create).transpose()?;
    let work = OneMatch { args, source: &source, out };
    let record = with_game(&source.name, &sheet, args.reasoner, work)??;
    show(&record, out)?;
    if out.is_json() {
        out.value(&record)?;
    }
    recorder.map_or(Ok(()), |mut recorder| recorder.add(0, record))?;
    Ok(Outcome::Fine)
}

struct OneMatch<'a> {
    args: &'a RefereeArgs,
    source: &'a Source,
    out: &'a mut Output,
}

impl Work for OneMatch<'_> {
    type Output = Result<MatchRecord>;

    fn chosen(&mut self, what: &str) {
        self.out.note(what);
    }

    fn run<G: Describe + 'static>(self, mut game: G) -> Result<MatchRecord> {
        let OneMatch { args, source, out } = self;
        check_count(&game, args)?;
        check_agents(&game, args)?;
        let clocks =
            Clocks { grace: args.grace, ..Clocks::time(args.start_clock, args.play_clock) };
        let id = args.id.clone().unwrap_or_else(|| new_id(&source.name));
        let scramble = args.scramble.then_some(args.seed);
        let mut wires = Wires::new(id.clone(), &source.text, contenders(args), clocks, scramble)
            .map_err(|error| Failure::broken(error.to_string(), ""))?;
        for (player, greeting) in args.players.iter().zip(wires.greet(GREETING)) {
            match greeting {
                Ok(said) if said.to_ascii_lowercase().contains("busy") => {
                    out.note(format!("{} is busy with another match", player.name()));
                }
                Ok(_) => {}
                Err((_, what)) => out.note(format!("{}: {what}", player.name())),
            }
        }
        let terms = Terms {
            game: source.name.clone(),
            players: args.players.iter().map(PlayerChoice::name).collect(),
            clocks,
            step_limit: args.step_limit as usize,
            seed: args.seed,
            facts: true,
        };
        let record = referee(&mut game, &mut wires, &terms);
        Ok(MatchRecord { id: Some(id), ..record })
    }
}

fn check_count<G: Describe>(game: &G, args: &RefereeArgs) -> Result<()> {
    let roles: Vec<String> =
        Role::all(game.role_count()).map(|role| game.role_name(role)).collect();
    match args.players.len() == roles.len() {
        true => Ok(()),
        false => Err(Failure::usage(
            format!("{} for {}", plural(args.players.len(), "player"), plural(roles.len(), "role")),
            format!("give one --player for each of {}", roles.join(", ")),
        )),
    }
}

/// An agent that cannot play the game would play any move.
fn check_agents<G: Describe + 'static>(game: &G, args: &RefereeArgs) -> Result<()> {
    for (role, player) in Role::all(game.role_count()).zip(&args.players) {
        if let PlayerChoice::Local(agent) = player {
            agent.player(game.clone(), role, args.seed).map_err(|error| {
                Failure::usage(error.to_string(), "`grove agents` lists who can play")
            })?;
        }
    }
    Ok(())
}

fn contenders(args: &RefereeArgs) -> Vec<Contender> {
    let contender = |(number, player): (u64, &PlayerChoice)| match player {
        PlayerChoice::Remote(address) => Contender::Remote(address.clone()),
        PlayerChoice::Local(agent) => Contender::Local(Box::new(SeatConfig {
            seed: args.seed.wrapping_add(number),
            // Players of one process share its processors: nobody thinks in another's time.
            ponder: false,
            reports: true,
            ..SeatConfig::new((**agent).clone())
        })),
    };
    (0..).zip(&args.players).map(contender).collect()
}

/// A name that no other match has: players tell matches apart by it.
fn new_id(game: &str) -> String {
    let tame = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let name: String = game.chars().map(tame).take(40).collect();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{name}.{}", now.as_millis())
}

fn show(record: &MatchRecord, out: &mut Output) -> Result<()> {
    let mut table = Table::new(&["role", "player", ">goal", ">replaced"]);
    for ((role, player), goal) in record.roles.iter().zip(&record.players).zip(&record.goals) {
        let replaced = record.offences.iter().filter(|offence| offence.role == *role).count();
        table.row(vec![role.clone(), player.clone(), goal.to_string(), replaced.to_string()]);
    }
    out.line(table)?;
    let steps = plural(record.steps.len(), "step");
    out.line(match record.ending {
        Ending::Terminal => format!("over after {steps}"),
        Ending::NoLegalMove => format!("stopped after {steps}: somebody has no legal move"),
        Ending::StepLimit => format!("given up after {steps}; --step-limit raises it"),
        Ending::Fault => format!("given up after {steps}: the rules could not be worked out"),
        Ending::Stopped => format!("called off after {steps}"),
        Ending::Resigned => format!("resigned after {steps}"),
    })?;
    /// `--json` and `--record` have all.
    const MOST: usize = 20;
    for offence in record.offences.iter().take(MOST) {
        out.line(format!("step {}, {}: {}", offence.step, offence.role, offence.what))?;
    }
    if record.offences.len() > MOST {
        out.line(format!("and {} more", record.offences.len() - MOST))?;
    }
    Ok(())
}
