//! `grove match`: agents against each other, with intervals.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use gamegrove_agents::Agent;
use gamegrove_game::Rng;
use gamegrove_play::matches::{
    Clocks, Ending, MatchRules, Standing, Tally, add_match, assignments, group,
};
use serde::Serialize;

use super::{any_rules, match_video};
use crate::cli::MatchArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::idle::IdleSetting;
use crate::output::{self, Output};
use crate::progress::Progress;
use crate::recorder::Recorder;
use gamegrove_game::parallel::{cores, spread};
use gamegrove_inspect::trees::{MeanTree, Trees};
use gamegrove_play::library::Kind;
use gamegrove_play::load::Source;
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::units::plural;
use gamegrove_play::{Board, Entrant, Setup, StopFlag, open_rules, referee, seats};

/// What is reported to tools.
#[derive(Debug, Serialize)]
struct Report {
    game: String,
    reasoner: Reasoner,
    runs: usize,
    agents: Vec<Standing>,
    seed: u64,
    threads: usize,
    seconds: f64,
    /// Moves that were late, missing or illegal.
    offences: usize,
    /// Matches that reached the limit of steps.
    unfinished: usize,
    /// The mean tree of every turn, for each agent, if asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trees: Vec<Vec<MeanTree>>,
    /// Settings that have no effect in this game, by agent.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    without_effect: BTreeMap<String, Vec<IdleSetting>>,
}

/// Runs the command.
pub fn run(args: &MatchArgs, out: &mut Output) -> Result {
    out.only_json();
    let source = Source::open(&args.game)?;
    if source.kind == Kind::Vgdl {
        return match_video::run(args, &source, out);
    }
    if let Some(option) = args.realtime.given() {
        let message = format!("{option} is for video games, and {} is none", source.name);
        return Err(Failure::usage(message, "leave it out; `grove games` says which games are"));
    }
    let rules = any_rules(&source, args.rules, out)?;
    let reasoner = rules.reasoner(args.reasoner);
    let by_the_clock = args.budget.simulations.is_none();
    let setup = Setup { by_the_clock, ..Setup::new(args.reasoner) };
    let board = open_rules(&source, rules, &setup)?;
    board.about().remarks.iter().for_each(|remark| out.note(remark));
    play(args, reasoner, &board, out)
}

fn play(args: &MatchArgs, reasoner: Reasoner, board: &Arc<dyn Board>, out: &mut Output) -> Result {
    let since = Instant::now();
    let agents = args.agents.as_slice();
    let assignments = assignments(agents.len(), board.about().roles.len());
    // Every assignment equally often, rounded up [Sironi 2019, 5.3.2].
    let runs = (args.runs as usize).div_ceil(assignments.len()) * assignments.len();
    if runs != args.runs as usize {
        let ways = plural(assignments.len(), "way");
        out.note(format!(
            "{runs} matches, so that all {ways} to share the roles come up equally often"
        ));
    }
    // Settings that this game cannot serve show before the first match, not in a thread.
    let mut without_effect = BTreeMap::new();
    for agent in agents {
        let idle = board
            .admit(agent)
            .map_err(|error| Failure::usage(error.to_string(), "`grove agents --parts` helps"))?;
        let idle = IdleSetting::all(idle);
        idle.iter().for_each(|idle| out.note(format!("{}: {idle}", agent.name)));
        if !idle.is_empty() {
            without_effect.insert(agent.name.clone(), idle);
        }
    }
    let threads = args.threads.map_or_else(cores, |threads| threads as usize);
    // A match depends on its number alone, not on what is played beside it.
    let play = |board: &mut Arc<dyn Board>, run: usize| {
        let entrants = assignments[run % assignments.len()].iter();
        let entrants: Vec<Entrant> =
            entrants.map(|&agent| Entrant::new(agents[agent].clone())).collect();
        let rules = MatchRules {
            clocks: Clocks {
                start: args.start_allowance(),
                ponder: !args.no_ponder,
                ..args.budget.clocks()
            },
            step_limit: args.step_limit as usize,
            seed: Rng::stream(args.seed, run as u64).next_u64(),
            facts: false,
        };
        let mut seats = seats(board, &entrants, rules.seed).expect("the agents were admitted");
        referee(board, &mut seats, &rules, &StopFlag::default())
    };
    let mut records = args.record.as_deref().map(Recorder::create).transpose()?;
    if let Some(folder) = &args.trees {
        // Before anything is played: a folder that cannot be written is said at once.
        std::fs::create_dir_all(folder).map_err(unwritable(folder))?;
    }
    let mut trees = args.trees.as_ref().map(|_| Trees::new(agents.len()));
    let mut tallies = vec![Tally::default(); agents.len()];
    let (mut done, mut offences, mut unfinished) = (0, 0, 0);
    let mut failure = None;
    let mut progress = Progress::new(since);
    let workers = (0..threads).map(|_| board.another()).collect();
    spread(workers, runs, play, |heard| {
        if let Some((run, record)) = heard {
            let assignment = &assignments[run % assignments.len()];
            add_match(&mut tallies, group(&assignments, run), assignment, &record.goals);
            if let Some(trees) = &mut trees {
                trees.add(assignment, &record);
            }
            offences += record.offences.len();
            unfinished += usize::from(record.ending == Ending::StepLimit);
            done += 1;
            if let Some(records) = &mut records
                && let Err(error) = records.add(run, record)
            {
                failure = Some(error);
                return ControlFlow::Break(());
            }
        }
        progress.show(done, runs as u64, &running(agents, &tallies));
        ControlFlow::Continue(())
    });
    drop(progress);
    if let Some(failure) = failure {
        return Err(failure);
    }
    if let (Some(trees), Some(folder)) = (&trees, &args.trees) {
        let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
        trees.write(folder, &names).map_err(unwritable(folder))?;
        out.note(format!("{folder}: trees.csv, depth.svg, branching.svg"));
    }
    let standings = tallies.iter().zip(agents).map(|(tally, agent)| tally.standing(&agent.name));
    let report = Report {
        game: board.about().game.clone(),
        reasoner,
        runs,
        agents: standings.collect(),
        seed: args.seed,
        threads,
        seconds: since.elapsed().as_secs_f64(),
        offences,
        unfinished,
        trees: trees.iter().flat_map(|t| (0..agents.len()).map(|agent| t.means(agent))).collect(),
        without_effect,
    };
    show(&report, out)?;
    if out.is_json() {
        out.value(&report)?;
    }
    Ok(Outcome::Fine)
}

/// The result so far, in a few words.
fn running(agents: &[Agent], tallies: &[Tally]) -> String {
    let mut text = String::new();
    for (agent, tally) in agents.iter().zip(tallies) {
        let standing = tally.standing(&agent.name);
        let short: String = agent.name.chars().take(16).collect();
        let _ = write!(text, "{short} {:.1} % ", standing.win_percent);
    }
    text.trim_end().to_owned()
}

fn show(report: &Report, out: &mut Output) -> Result<()> {
    let mut table = output::Table::new(&[
        "agent",
        ">matches",
        ">won",
        ">drawn",
        ">lost",
        ">points %",
        ">95 % interval",
        ">mean goal",
    ]);
    for agent in &report.agents {
        table.row(vec![
            agent.name.clone(),
            agent.runs.to_string(),
            agent.wins.to_string(),
            agent.draws.to_string(),
            agent.losses.to_string(),
            format!("{:.1}", agent.win_percent),
            format!("{:.1} to {:.1}", agent.low, agent.high),
            format!("{:.1}", agent.mean_goal),
        ]);
    }
    out.line(table)?;
    if !report.trees.is_empty() {
        out.line("")?;
        out.line(mean_trees(report))?;
    }
    if report.offences > 0 {
        out.line(format!(
            "{} were replaced: late, missing or illegal",
            plural(report.offences, "move")
        ))?;
    }
    if report.unfinished > 0 {
        let matches = plural(report.unfinished, "match");
        out.line(format!("{matches} reached the limit of steps; --step-limit raises it"))?;
    }
    Ok(())
}

/// The trees of each agent on average over all turns.
fn mean_trees(report: &Report) -> output::Table {
    let mut table = output::Table::new(&[
        "agent",
        ">trees",
        ">depth",
        ">moves tried in a node",
        ">simulations",
    ]);
    for (agent, turns) in report.agents.iter().zip(&report.trees) {
        let trees: u32 = turns.iter().map(|turn| turn.trees).sum();
        let mean = |figure: &dyn Fn(&MeanTree) -> f64| {
            let sum: f64 = turns.iter().map(|turn| f64::from(turn.trees) * figure(turn)).sum();
            if trees == 0 { "–".to_owned() } else { format!("{:.2}", sum / f64::from(trees)) }
        };
        table.row(vec![
            agent.name.clone(),
            trees.to_string(),
            mean(&|turn| turn.depth),
            mean(&|turn| turn.branching),
            mean(&|turn| turn.simulations),
        ]);
    }
    table
}

fn unwritable(folder: &str) -> impl Fn(io::Error) -> Failure {
    move |error| Failure::usage(format!("{folder}: {error}"), "choose another folder with --trees")
}
