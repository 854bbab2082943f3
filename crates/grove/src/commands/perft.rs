//! `grove perft`: the counts that prove a reasoner right.

use std::time::{Duration, Instant};

use gamegrove_game::{Describe, Fault, Perft, walk};
use serde::Serialize;

use super::any_rules;
use crate::cli::PerftArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::output::Output;
use crate::progress::Progress;
use gamegrove_game::parallel::cores;
use gamegrove_play::load::Source;
use gamegrove_play::reasoner::{Reasoner, Work, with_game};
use gamegrove_play::units::{grouped, plural, rate, time};

/// What is reported to tools.
#[derive(Debug, Serialize)]
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
    let work = Count { args, source: &source, reasoner, out, since };
    with_game(&source.name, &rules, args.reasoner, work)?
}

/// Counts with whatever reasoner.
struct Count<'a> {
    args: &'a PerftArgs,
    source: &'a Source,
    /// What answers.
    reasoner: Reasoner,
    out: &'a mut Output,
    since: Instant,
}

impl Work for Count<'_> {
    type Output = Result;

    fn chosen(&mut self, what: &str) {
        self.out.note(what);
    }

    fn run<G: Describe + 'static>(mut self, mut game: G) -> Result {
        let setup = self.since.elapsed();
        let report = if self.args.distinct {
            self.distinct(&mut game, setup)?
        } else {
            self.paths(&mut game, setup)?
        };
        if self.out.is_json() {
            self.out.value(&report)?;
        }
        Ok(Outcome::Fine)
    }
}

impl Count<'_> {
    fn report(&self, setup: Duration, depth: u32, threads: usize, depths: Vec<Row>) -> Report {
        Report {
            game: self.source.name.clone(),
            depth,
            nodes: 0,
            terminals: 0,
            reasoner: self.reasoner,
            distinct: None,
            limited: None,
            stuck: None,
            threads,
            setup_seconds: setup.as_secs_f64(),
            seconds: (self.since.elapsed() - setup).as_secs_f64(),
            depths,
        }
    }

    fn paths<G: Describe>(&mut self, game: &mut G, setup: Duration) -> Result<Report> {
        let depth = self.args.depth.unwrap_or(0);
        let threads = self.args.threads.map_or_else(cores, |threads| threads as usize);
        let line = |cells: [&str; 5]| {
            let [depth, nodes, terminals, time, rate] = cells;
            format!("{depth:>5}  {nodes:>18}  {terminals:>18}  {time:>10}  {rate:>14}")
        };
        self.out.line(line(["depth", "nodes", "terminals", "time", "nodes/s"]))?;
        let mut rows: Vec<Row> = Vec::new();
        let mut last = Perft::default();
        // Shallow depths cost little beside the deepest and tell the reader how it goes.
        for depth in depth.min(1)..=depth {
            self.out.flush()?;
            let start = Instant::now();
            let mut progress = Progress::new(self.since);
            let (first, what) = (game.initial_state(), format!("depth {depth}"));
            let mut heard = |done, parts| progress.show(done, parts, &what);
            last = walk::count(game, &first, depth, threads, &mut heard).map_err(stopped)?;
            drop(progress);
            let taken = start.elapsed();
            let speed = last.nodes as f64 / taken.as_secs_f64().max(1e-9);
            self.out.line(line([
                &depth.to_string(),
                &grouped(last.nodes),
                &grouped(last.terminals),
                &time(taken),
                &rate(speed),
            ]))?;
            let (nodes, terminals) = (last.nodes, last.terminals);
            rows.push(Row { depth, nodes, terminals, seconds: taken.as_secs_f64() });
            // Every path has ended: deeper there is nothing.
            if last.nodes == 0 {
                break;
            }
        }
        if last.stuck > 0 {
            let paths = plural(last.stuck as usize, "path");
            self.out.note(format!(
                "warning: {paths} end in a state that is not terminal and leaves a role without a \
                 move; `grove check --play` shows one"
            ));
        }
        let mut report = self.report(setup, depth, threads, rows);
        report.nodes = last.nodes;
        report.terminals = last.terminals;
        report.stuck = Some(last.stuck);
        Ok(report)
    }

    fn distinct<G: Describe>(&mut self, game: &mut G, setup: Duration) -> Result<Report> {
        let depth = self.args.depth.unwrap_or(u32::MAX);
        let mut progress = Progress::new(self.since);
        let mut heard = |depth, states| {
            progress.show(0, 0, &format!("depth {depth}, {} states", grouped(states)));
        };
        let found = walk::distinct(game, depth, self.args.limit, &mut heard).map_err(stopped)?;
        drop(progress);
        let deepest = found.levels.last().map_or(0, |level| level.depth);
        self.out.line(format!("{:>5}  {:>18}  {:>18}", "depth", "new states", "terminals"))?;
        let mut rows = Vec::new();
        for level in &found.levels {
            let (new, terminals) = (grouped(level.new), grouped(level.terminals));
            self.out.line(format!("{:>5}  {new:>18}  {terminals:>18}", level.depth))?;
            let (depth, nodes) = (level.depth, level.new);
            rows.push(Row { depth, nodes, terminals: level.terminals, seconds: 0.0 });
        }
        let states = grouped(found.states());
        self.out.line(if found.limited {
            format!("more than {states} different states; --limit allows no more")
        } else {
            format!("{states} different states, {} terminal", grouped(found.terminals()))
        })?;
        let mut report = self.report(setup, self.args.depth.unwrap_or(deepest), 1, rows);
        report.nodes = found.states();
        report.terminals = found.terminals();
        report.distinct = Some(found.states());
        report.limited = Some(found.limited);
        Ok(report)
    }
}

fn stopped(fault: Fault) -> Failure {
    Failure::broken(
        format!("the count stopped: {fault}"),
        "the rules ask for more work in one state than the limit allows",
    )
}
