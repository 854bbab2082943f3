//! `grove referee`: a GGP game manager for any GGP players.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gamegrove_game::Role;
use gamegrove_play::library::Kind;
use gamegrove_play::load::Source;
use gamegrove_play::matches::{Clocks, Ending, MatchRecord, MatchRules};
use gamegrove_play::units::plural;
use gamegrove_play::{Board, Hooks, Rules, Setup, open_rules, video};
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
    let setup = Setup { by_the_clock: true, ..Setup::new(args.reasoner) };
    let board = open_rules(&source, Rules::Sheet(Box::new(sheet)), &setup)?;
    board.about().remarks.iter().for_each(|remark| out.note(remark));
    let record = play(args, &source, &board, out)?;
    show(&record, out)?;
    if out.is_json() {
        out.value(&record)?;
    }
    recorder.map_or(Ok(()), |mut recorder| recorder.add(0, record))?;
    Ok(Outcome::Fine)
}

/// Plays the match.
fn play(
    args: &RefereeArgs,
    source: &Source,
    board: &Arc<dyn Board>,
    out: &mut Output,
) -> Result<MatchRecord> {
    check_players(board, args)?;
    let clocks = Clocks { grace: args.grace, ..Clocks::time(args.start_clock, args.play_clock) };
    let id = args.id.clone().unwrap_or_else(|| new_id(&source.name));
    let scramble = args.scramble.then_some(args.seed);
    let mut wires = Wires::new(id, &source.text, contenders(args), clocks, scramble)
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
    let step_limit = args.step_limit as usize;
    let rules = MatchRules { clocks, step_limit, seed: args.seed, facts: true };
    Ok(wires.play(board, &rules, args.players.iter().map(PlayerChoice::name).collect()))
}

/// One player for each role, and agents that can play the game: others would play any move.
fn check_players(board: &Arc<dyn Board>, args: &RefereeArgs) -> Result<()> {
    let roles = &board.about().roles;
    if args.players.len() != roles.len() {
        return Err(Failure::usage(
            format!("{} for {}", plural(args.players.len(), "player"), plural(roles.len(), "role")),
            format!("give one --player for each of {}", roles.join(", ")),
        ));
    }
    for (role, player) in Role::all(roles.len()).zip(&args.players) {
        if let PlayerChoice::Local(agent) = player {
            board.player(agent, role, args.seed, &Hooks::default()).map_err(|error| {
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
        Ending::Disqualified => format!("stopped after {steps}: no player is left"),
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
