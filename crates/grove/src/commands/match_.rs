//! `grove match`: agents against each other, with intervals.

use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::time::Instant;

use gamegrove_agents::{Agent, NoLanes, Player};
use gamegrove_arena::{
    Clocks, MatchRecord, Standing, Tally, Terms, assignments, play_match, points,
};
use gamegrove_game::{Describe, Lanes, Rng, Role};
use serde::Serialize;

use super::rules;
use crate::cli::MatchArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::library::Kind;
use crate::load::Source;
use crate::output::{Output, Table};
use crate::parallel::{cores, spread};
use crate::progress::Progress;
use crate::reasoner::{Reasoner, Work, with_game};
use crate::units::plural;
use crate::video;

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
}

/// Runs the command.
pub fn run(args: &MatchArgs, out: &mut Output) -> Result {
    out.only_json();
    let source = Source::open(&args.game)?;
    video::require(&source, Kind::Gdl)?;
    let sheet = rules(&source, args.rules, out)?;
    let work = Matches { args, source: &source, out };
    with_game(&source.name, &sheet, args.reasoner, work)?
}

struct Matches<'a> {
    args: &'a MatchArgs,
    source: &'a Source,
    out: &'a mut Output,
}

impl Work for Matches<'_> {
    type Output = Result;
    const LANES: bool = true;

    fn chosen(&mut self, what: &str) {
        self.out.note(what);
    }

    fn run<G: Describe + 'static>(self, game: G) -> Result {
        self.play(game, None::<NoLanes<G::State>>)
    }

    fn run_on_lanes<G, L>(self, game: G, lanes: L) -> Result
    where
        G: Describe + 'static,
        L: Lanes<State = G::State> + 'static,
    {
        self.play(game, Some(lanes))
    }
}

impl Matches<'_> {
    fn play<G: Describe + 'static, L: Lanes<State = G::State> + 'static>(
        self,
        game: G,
        lanes: Option<L>,
    ) -> Result {
        let Matches { args, source, out } = self;
        let since = Instant::now();
        let agents = args.agents.as_slice();
        let assignments = assignments(agents.len(), game.role_count());
        // Every assignment equally often, rounded up (search-and-ggp, section 11.1).
        let runs = (args.runs as usize).div_ceil(assignments.len()) * assignments.len();
        if runs != args.runs as usize {
            let ways = plural(assignments.len(), "way");
            out.note(format!(
                "{runs} matches, so that all {ways} to share the roles come up equally often"
            ));
        }
        let threads = args.threads.map_or_else(cores, |threads| threads as usize);
        let play = |worker: &mut (G, Option<L>), run: usize| {
            let assignment = &assignments[run % assignments.len()];
            one_match(worker, &source.name, agents, assignment, args, run)
        };
        // Settings that this game cannot serve show before the first match, not in a thread.
        for agent in agents {
            agent.player(game.clone(), Role(0), 0).map_err(|error| {
                Failure::usage(error.to_string(), "`grove agents --parts` helps")
            })?;
        }
        let mut records = args.record.as_deref().map(Recorder::create).transpose()?;
        let mut tallies = vec![Tally::default(); agents.len()];
        let (mut done, mut offences, mut unfinished) = (0, 0, 0);
        let mut failure = None;
        let mut progress = Progress::new(since);
        let workers = vec![(game.clone(), lanes); threads];
        spread(workers, runs, play, |heard| {
            if let Some((run, record)) = heard {
                let assignment = &assignments[run % assignments.len()];
                add(&mut tallies, assignment, &record);
                offences += record.offences.len();
                unfinished += usize::from(record.ending == gamegrove_arena::Ending::StepLimit);
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
        let report = Report {
            game: source.name.clone(),
            reasoner: args.reasoner,
            runs,
            agents: tallies
                .iter()
                .zip(agents)
                .map(|(tally, agent)| tally.standing(&agent.name))
                .collect(),
            seed: args.seed,
            threads,
            seconds: since.elapsed().as_secs_f64(),
            offences,
            unfinished,
        };
        show(&report, out)?;
        if out.is_json() {
            out.value(&report)?;
        }
        Ok(Outcome::Fine)
    }
}

/// Plays the match number `run`. It depends on that number alone, not on what is played beside it.
fn one_match<G: Describe + 'static, L: Lanes<State = G::State> + 'static>(
    (game, lanes): &mut (G, Option<L>),
    name: &str,
    agents: &[Agent],
    assignment: &[usize],
    args: &MatchArgs,
    run: usize,
) -> MatchRecord {
    let mut seeds = Rng::stream(args.seed, run as u64);
    let terms = Terms {
        game: name.to_owned(),
        players: assignment.iter().map(|&agent| agents[agent].name.clone()).collect(),
        clocks: Clocks { start: args.start_allowance(), ..args.budget.clocks() },
        step_limit: args.step_limit as usize,
        seed: seeds.next_u64(),
        facts: false,
    };
    let mut players: Vec<Box<dyn Player<G>>> = Role::all(assignment.len())
        .zip(assignment)
        .map(|(role, &agent)| {
            let agent = &agents[agent];
            let player = agent.player_on(game.clone(), lanes.clone(), role, seeds.next_u64());
            player.expect("the settings were tried before")
        })
        .collect();
    play_match(game, &mut players, &terms)
}

fn add(tallies: &mut [Tally], assignment: &[usize], record: &MatchRecord) {
    for (agent, points) in points(assignment, &record.goals, tallies.len()).into_iter().enumerate()
    {
        let Some(points) = points else { continue };
        let goals = assignment.iter().zip(&record.goals);
        let own = goals.filter(|&(&other, _)| other == agent).map(|(_, &goal)| goal);
        tallies[agent].add(points, own);
    }
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
    let mut table = Table::new(&[
        "agent",
        ">matches",
        ">won",
        ">drawn",
        ">lost",
        ">points %",
        ">± 95 %",
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
            format!("{:.1}", agent.interval),
            format!("{:.1}", agent.mean_goal),
        ]);
    }
    out.line(table)?;
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

/// Writes match records, one JSON object a line, in the order of the matches.
struct Recorder {
    file: std::io::BufWriter<std::fs::File>,
    path: String,
    next: usize,
    waiting: std::collections::BTreeMap<usize, MatchRecord>,
}

impl Recorder {
    fn create(path: &str) -> Result<Recorder> {
        let file = std::fs::File::create(path)
            .map_err(|error| Failure::usage(format!("{path}: {error}"), "choose another file"))?;
        let file = std::io::BufWriter::new(file);
        Ok(Recorder { file, path: path.to_owned(), next: 0, waiting: Default::default() })
    }

    fn add(&mut self, run: usize, record: MatchRecord) -> Result<()> {
        self.waiting.insert(run, record);
        while let Some(record) = self.waiting.remove(&self.next) {
            let written = serde_json::to_writer(&mut self.file, &record)
                .map_err(std::io::Error::from)
                .and_then(|()| writeln!(self.file))
                .and_then(|()| self.file.flush());
            written.map_err(|error| {
                Failure::usage(format!("{}: {error}", self.path), "choose another file")
            })?;
            self.next += 1;
        }
        Ok(())
    }
}
