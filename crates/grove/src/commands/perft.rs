//! `grove perft`: the counts that prove a reasoner right.

use std::time::Instant;

use gamegrove_game::{Fault, Perft};
use serde::Serialize;

use super::{any_rules, board, no_lanes};
use crate::cli::PerftArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::output::Output;
use crate::progress::Progress;
use gamegrove_game::parallel::cores;
use gamegrove_play::load::Source;
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::units::{grouped, plural, rate, time};
use gamegrove_play::{Board, Setup, StopFlag};

/// What is reported to tools.
#[derive(Debug, Default, Serialize)]
struct Report {
    game: String,
    /// With `--distinct` and without `--depth`: the depth of the last new state.
    depth: u32,
    /// Paths of exactly that depth; with `--distinct` all different states up to it.
    nodes: u64,
    /// Paths of at most that depth, or different states, that end the game.
    terminals: u64,
    reasoner: Reasoner,
    /// With `--distinct`: the number of different states.
    #[serde(skip_serializing_if = "Option::is_none")]
    distinct: Option<u64>,
    /// With `--distinct`: whether there are more states than the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    limited: Option<bool>,
    /// States that are not terminal and leave a role without a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    stuck: Option<u64>,
    threads: usize,
    setup_seconds: f64,
    seconds: f64,
    depths: Vec<Row>,
}

/// One depth.
#[derive(Clone, Copy, Debug, Serialize)]
struct Row {
    depth: u32,
    nodes: u64,
    terminals: u64,
    seconds: f64,
}

/// Runs the command.
pub fn run(args: &PerftArgs, out: &mut Output) -> Result {
    let since = Instant::now();
    out.only_json();
    let source = Source::open(&args.game)?;
    let rules = any_rules(&source, args.rules, out)?;
    let reasoner = rules.reasoner(args.reasoner);
    no_lanes(reasoner)?;
    let board = board(&source, rules, &Setup::new(args.reasoner), out)?;
    let (setup, set_up) = (since.elapsed(), Instant::now());
    let found = match args.distinct {
        true => distinct(&*board, args, since, out)?,
        false => paths(&*board, args, since, out)?,
    };
    let report = Report {
        game: source.name,
        reasoner,
        setup_seconds: setup.as_secs_f64(),
        seconds: set_up.elapsed().as_secs_f64(),
        ..found
    };
    if out.is_json() {
        out.value(&report)?;
    }
    Ok(Outcome::Fine)
}

fn paths(board: &dyn Board, args: &PerftArgs, since: Instant, out: &mut Output) -> Result<Report> {
    let depth = args.depth.unwrap_or(0);
    let threads = args.threads.map_or_else(cores, |threads| threads as usize);
    let line = |cells: [&str; 5]| {
        let [depth, nodes, terminals, time, rate] = cells;
        format!("{depth:>5}  {nodes:>18}  {terminals:>18}  {time:>10}  {rate:>14}")
    };
    out.line(line(["depth", "nodes", "terminals", "time", "nodes/s"]))?;
    let mut depths: Vec<Row> = Vec::new();
    let mut last = Perft::default();
    let first = board.start(0);
    // Shallow depths cost little beside the deepest and tell the reader how it goes.
    for depth in depth.min(1)..=depth {
        out.flush()?;
        let start = Instant::now();
        let mut progress = Progress::new(since);
        let what = format!("depth {depth}");
        let mut heard = |done, parts| progress.show(done, parts, &what);
        let go = StopFlag::default();
        last = board.perft(&first, depth, threads, &go, &mut heard).map_err(stopped)?;
        drop(progress);
        let taken = start.elapsed();
        let speed = last.nodes as f64 / taken.as_secs_f64().max(1e-9);
        out.line(line([
            &depth.to_string(),
            &grouped(last.nodes),
            &grouped(last.terminals),
            &time(taken),
            &rate(speed),
        ]))?;
        let (nodes, terminals) = (last.nodes, last.terminals);
        depths.push(Row { depth, nodes, terminals, seconds: taken.as_secs_f64() });
        // Every path has ended: deeper there is nothing.
        if last.nodes == 0 {
            break;
        }
    }
    if last.stuck > 0 {
        let paths = plural(last.stuck as usize, "path");
        out.note(format!(
            "warning: {paths} end in a state that is not terminal and leaves a role without a \
             move; `grove check --play` shows one"
        ));
    }
    let (nodes, terminals, stuck) = (last.nodes, last.terminals, Some(last.stuck));
    Ok(Report { depth, nodes, terminals, stuck, threads, depths, ..Report::default() })
}

fn distinct(
    board: &dyn Board,
    args: &PerftArgs,
    since: Instant,
    out: &mut Output,
) -> Result<Report> {
    let mut progress = Progress::new(since);
    let mut heard = |depth, states| {
        progress.show(0, 0, &format!("depth {depth}, {} states", grouped(states)));
    };
    let most = args.depth.unwrap_or(u32::MAX);
    let found = board.distinct(most, args.limit, &mut heard).map_err(stopped)?;
    drop(progress);
    out.line(format!("{:>5}  {:>18}  {:>18}", "depth", "new states", "terminals"))?;
    let mut depths = Vec::new();
    for level in &found.levels {
        let (new, terminals) = (grouped(level.new), grouped(level.terminals));
        out.line(format!("{:>5}  {new:>18}  {terminals:>18}", level.depth))?;
        let (depth, nodes) = (level.depth, level.new);
        depths.push(Row { depth, nodes, terminals: level.terminals, seconds: 0.0 });
    }
    let states = grouped(found.states());
    out.line(if found.limited {
        format!("more than {states} different states; --limit allows no more")
    } else {
        format!("{states} different states, {} terminal", grouped(found.terminals()))
    })?;
    let deepest = depths.last().map_or(0, |row| row.depth);
    Ok(Report {
        depth: args.depth.unwrap_or(deepest),
        nodes: found.states(),
        terminals: found.terminals(),
        distinct: Some(found.states()),
        limited: Some(found.limited),
        threads: 1,
        depths,
        ..Report::default()
    })
}

fn stopped(fault: Fault) -> Failure {
    Failure::broken(
        format!("the count stopped: {fault}"),
        "the rules ask for more work in one state than the limit allows",
    )
}
