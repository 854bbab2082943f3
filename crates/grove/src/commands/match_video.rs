//! `grove match` for video games: every agent plays the levels by itself, in real time.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use gamegrove_agents::AgentError;
use gamegrove_game::Rng;
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::matches::realtime::{RealTimeStanding, RealTimeTally, Spending, Timer};
use gamegrove_play::matches::{assignments, formula_one};
use gamegrove_play::units::plural;
use gamegrove_play::video::Video;
use gamegrove_play::{Board, Entrant, open_level, real_time, seats};
use serde::Serialize;

use super::open_video;
use crate::cli::MatchArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::output::{Output, Table};
use crate::progress::Progress;
use crate::recorder::Recorder;
use gamegrove_game::parallel::{cores, spread};

/// What is reported to tools.
#[derive(Debug, Serialize)]
struct Report {
    game: String,
    levels: Vec<String>,
    runs: usize,
    agents: Vec<RealTimeStanding>,
    /// Points as in the competition: 25, 18, 15 and so on by wins, score and ticks.
    formula_one: Vec<f64>,
    seed: u64,
    threads: usize,
    seconds: f64,
}

/// Runs the command.
pub fn run(args: &MatchArgs, source: &Source, out: &mut Output) -> Result {
    if args.trees.is_some() {
        return Err(Failure::usage(
            "--trees is for games without a clock of their own",
            "leave it out: agents of video games keep no tree from which moves could be counted",
        ));
    }
    let since = Instant::now();
    let videos = levels(args, source, out)?;
    let names = videos.iter().map(Video::level_words).collect();
    let levels: Vec<Arc<dyn Board>> = videos.into_iter().map(open_level).collect();
    let agents = args.agents.as_slice();
    args.realtime.suit(agents)?;
    for agent in agents {
        levels[0]
            .admit(agent)
            .map_err(|error| Failure::usage(error.to_string(), "`grove agents` lists who can"))?;
    }
    let roles = levels[0].about().roles.len();
    let assignments = assignments(agents.len(), roles);
    // Every agent plays every level equally often, rounded up.
    let unit = assignments.len() * levels.len();
    let wanted = args.runs.unwrap_or(100) as usize * if roles == 1 { agents.len() } else { 1 };
    let runs = wanted.div_ceil(unit) * unit;
    let mut rules = args.realtime.rules(&args.budget, args.start_clock);
    rules.tick_limit = rules.tick_limit.min(args.step_limit);
    let threads = args.threads.map_or_else(cores, |threads| threads as usize);
    if rules.timer == Timer::Wall && matches!(rules.tick, Spending::Time(_)) && threads > 1 {
        out.note("games side by side share the machine; --threads 1 gives each all of it");
    }
    let play = |_: &mut (), run: usize| -> std::result::Result<_, AgentError> {
        let entrants = assignments[run % assignments.len()].iter();
        let entrants: Vec<Entrant> =
            entrants.map(|&agent| Entrant::new(agents[agent].clone())).collect();
        let level = &levels[run / assignments.len() % levels.len()];
        // Agents meet the same chance: seeds go by level and repetition.
        let seed = Rng::stream(args.seed, (run / assignments.len()) as u64).next_u64() >> 16;
        // A worker of its own: games side by side do not wait for each other.
        let level = level.another();
        let mut seats = seats(&level, &entrants, seed)?;
        Ok(real_time(&level, &mut seats, &rules, seed, &mut |_, _| true))
    };
    let mut records = args.record.as_deref().map(Recorder::create).transpose()?;
    let mut tallies = vec![RealTimeTally::default(); agents.len()];
    let mut failure = None;
    let (mut done, mut progress) = (0, Progress::new(since));
    spread(vec![(); threads], runs, play, |heard| {
        match heard {
            Some((_, Err(error))) => {
                failure = Some(Failure::usage(error.to_string(), ""));
                return ControlFlow::Break(());
            }
            Some((run, Ok(record))) => {
                for (role, &agent) in assignments[run % assignments.len()].iter().enumerate() {
                    tallies[agent].add(&record, role);
                }
                done += 1;
                if let Some(records) = &mut records
                    && let Err(error) = records.add(run, record)
                {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
            }
            None => {}
        }
        progress.show(done, runs as u64, "games");
        ControlFlow::Continue(())
    });
    drop(progress);
    if let Some(failure) = failure {
        return Err(failure);
    }
    let performances: Vec<_> = tallies.iter().map(RealTimeTally::performance).collect();
    let report = Report {
        game: source.name.clone(),
        levels: names,
        runs,
        agents: tallies.iter().zip(agents).map(|(t, agent)| t.standing(&agent.name)).collect(),
        formula_one: formula_one(&performances),
        seed: args.seed,
        threads,
        seconds: since.elapsed().as_secs_f64(),
    };
    show(&report, out)?;
    if out.is_json() {
        out.value(&report)?;
    }
    Ok(Outcome::Fine)
}

/// The levels that are played.
fn levels(args: &MatchArgs, source: &Source, out: &mut Output) -> Result<Vec<Video>> {
    if let Some(choice) = &args.realtime.level {
        return Ok(vec![open_video(source, choice, out)?]);
    }
    let numbers = source.level_numbers();
    if numbers.is_empty() {
        return Err(Failure::usage(
            format!("{} comes without levels", source.name),
            "name one with --level FILE",
        ));
    }
    numbers.into_iter().map(|at| open_video(source, &LevelChoice::Number(at), out)).collect()
}

fn show(report: &Report, out: &mut Output) -> Result<()> {
    let mut table = Table::new(&[
        "agent",
        ">games",
        ">won",
        ">won %",
        ">95 % interval",
        ">score",
        ">ticks",
        ">iterations",
        ">late",
        ">out",
        ">points",
    ]);
    for (agent, points) in report.agents.iter().zip(&report.formula_one) {
        table.row(vec![
            agent.name.clone(),
            agent.runs.to_string(),
            agent.wins.to_string(),
            format!("{:.1}", agent.win_percent),
            format!("{:.1} to {:.1}", agent.low, agent.high),
            format!("{:.2}", agent.mean_score),
            format!("{:.0}", agent.mean_ticks),
            agent.iterations.map_or_else(|| "-".to_owned(), |count| format!("{count:.1}")),
            agent.late.to_string(),
            agent.disqualified.to_string(),
            format!("{points}"),
        ]);
    }
    out.line(table)?;
    let levels = plural(report.levels.len(), "level");
    out.line(format!("{}, {levels}; iterations are the median of a tick.", report.game))
}
