//! `grove match`: agents against each other, with intervals.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Instant;

use gamegrove_agents::Agent;
use gamegrove_game::parallel::{cores, spread};
use gamegrove_inspect::trees::{MeanTree, Trees};
use gamegrove_lab::stats::{Decision, EloEstimate, Pairs, Sprt};
use gamegrove_play::library::Kind;
use gamegrove_play::load::Source;
use gamegrove_play::matches::{Ending, MatchRecord, Standing, Tally};
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::units::plural;
use gamegrove_play::{Setup, StopFlag, open_rules};
use serde::Serialize;

use super::contest::{Contest, Game, Left, Score};
use super::experiment::listen_for_interrupts;
use super::{any_rules, match_video};
use crate::cli::MatchArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::idle::IdleSetting;
use crate::output::{self, Output};
use crate::progress::Progress;
use crate::recorder::{Recorder, recover};

/// What is reported to tools.
#[derive(Debug, Serialize)]
struct Report {
    game: String,
    reasoner: Reasoner,
    runs: usize,
    agents: Vec<Standing>,
    /// Of a suite: the standings in each game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    games: Vec<OfGame>,
    /// Of two agents that meet: by how much the first is stronger.
    #[serde(skip_serializing_if = "Option::is_none")]
    elo: Option<EloEstimate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtReport>,
    /// Whether it was stopped before its end.
    interrupted: bool,
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
    without_effect: Idle,
}

/// Settings that have no effect, by agent.
type Idle = BTreeMap<String, Vec<IdleSetting>>;

/// A game of a suite.
#[derive(Debug, Serialize)]
struct OfGame {
    game: String,
    reasoner: Reasoner,
    agents: Vec<Standing>,
}

/// The sequential test.
#[derive(Debug, Serialize)]
struct SprtReport {
    elo0: f64,
    elo1: f64,
    /// Pairs of matches with swapped roles in which the first agent got 0, ½, 1, 1½ and 2 points.
    pairs: Pairs,
    /// The log-likelihood ratio, and the bounds at which the test ends.
    llr: f64,
    lower: f64,
    upper: f64,
    decision: Option<Decision>,
}

/// No command plays more matches of a game.
const MOST_RUNS: u32 = 10_000_000;

/// Runs the command.
pub fn run(args: &MatchArgs, out: &mut Output) -> Result {
    out.only_json();
    let names = games(&args.game);
    let mut games = Vec::new();
    let mut without_effect = Idle::new();
    for name in &names {
        let source = Source::open(name)?;
        if source.kind == Kind::Vgdl {
            let alone = [
                (names.len() > 1, "a suite"),
                (args.sprt.is_some(), "--sprt"),
                (args.resume, "--resume"),
            ];
            if let Some((_, what)) = alone.into_iter().find(|(given, _)| *given) {
                let message = format!("{what} is for board games, and {name} is a video game");
                return Err(Failure::usage(message, "play it by itself, without these options"));
            }
            return match_video::run(args, &source, out);
        }
        if let Some(option) = args.realtime.given() {
            let message = format!("{option} is for video games, and {} is none", source.name);
            return Err(Failure::usage(
                message,
                "leave it out; `grove games` says which games are",
            ));
        }
        let rules = any_rules(&source, args.rules, out)?;
        let reasoner = rules.reasoner(args.reasoner);
        let by_the_clock = args.budget.simulations.is_none();
        let setup = Setup { by_the_clock, ..Setup::new(args.reasoner) };
        let board = open_rules(&source, rules, &setup)?;
        board.about().remarks.iter().for_each(|remark| out.note(remark));
        let game = Game::new(board, reasoner, args.agents.len());
        for (agent, idle) in suits(args, &game, out)? {
            without_effect.entry(agent).or_default().extend(idle);
        }
        games.push(game);
    }
    play(args, games, without_effect, out)
}

/// The games of a suite: names with commas between them, outside of parentheses.
fn games(text: &str) -> Vec<&str> {
    if std::path::Path::new(text).exists() {
        return vec![text];
    }
    let mut depth = 0_usize;
    let between = |letter: char| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    };
    text.split(between).map(str::trim).collect()
}

/// Whether the agents can play a match of the game, and which of their settings have no effect in it: what
/// is wrong shows before the first match, not in a thread.
fn suits(args: &MatchArgs, game: &Game, out: &mut Output) -> Result<Idle> {
    let about = game.board.about();
    let meet = about.roles.len() > 1;
    if args.agents.len() == 1 && meet {
        let message = format!(
            "{} has {} roles, and one agent has no opponent",
            about.game,
            about.roles.len()
        );
        return Err(Failure::usage(message, "name a second agent, such as uct"));
    }
    if args.sprt.is_some() && (args.agents.len() != 2 || !meet) {
        let message = "--sprt tells which of two agents is stronger in games in which they meet";
        return Err(Failure::usage(message, "name two agents, and a game with two roles or more"));
    }
    let mut without_effect = Idle::new();
    for agent in &args.agents {
        let idle = game
            .board
            .admit(agent)
            .map_err(|error| Failure::usage(error.to_string(), "`grove agents --parts` helps"))?;
        let idle = IdleSetting::all(idle);
        idle.iter().for_each(|idle| out.note(format!("{}: {idle}", agent.name)));
        if !idle.is_empty() {
            without_effect.insert(agent.name.clone(), idle);
        }
    }
    Ok(without_effect)
}

fn play(args: &MatchArgs, games: Vec<Game>, without_effect: Idle, out: &mut Output) -> Result {
    let since = Instant::now();
    let agents = args.agents.as_slice();
    if args.trees.is_some() && games.len() > 1 {
        return Err(Failure::usage("--trees is for one game", "play the games one by one"));
    }
    let unlimited = if args.sprt.is_some() { MOST_RUNS } else { 100 };
    let asked = args.runs.unwrap_or(unlimited) as usize;
    let contest = Contest::new(args, games, asked);
    if contest.runs != asked && asked != MOST_RUNS as usize {
        let ways = contest.games.iter().map(Game::ways).max().unwrap_or_default();
        let ways = plural(ways, "way");
        let each = if contest.games.len() > 1 { " of each game" } else { "" };
        out.note(format!(
            "{} matches{each}, so that all {ways} to share the roles come up equally often",
            contest.runs
        ));
    }
    if let Some(folder) = &args.trees {
        // Before anything is played: a folder that cannot be written is said at once.
        std::fs::create_dir_all(folder).map_err(unwritable(folder))?;
    }
    let mut trees = args.trees.as_ref().map(|_| Trees::new(agents.len()));
    let mut score = Score::new(&contest);
    let mut there = BTreeSet::new();
    if let Some(path) = args.record.as_deref().filter(|_| args.resume) {
        let records = recover::<MatchRecord>(path)?;
        let numbers = contest.recognise(&records)?;
        for (number, (_, record)) in numbers.into_iter().zip(records) {
            if there.insert(number) {
                score.add(number, &record);
                if let Some(trees) = &mut trees {
                    trees.add(contest.assignment(number), &record);
                }
            }
        }
        out.note(format!("{} of {path} count", plural(there.len(), "match")));
    }
    let mut records = match args.record.as_deref() {
        Some(path) if args.resume => Some(Recorder::append(path, there.clone())?),
        Some(path) => Some(Recorder::create(path)?),
        None => None,
    };
    let left = Left::new(&there);
    let parts = if score.decided() { 0 } else { left.count(contest.total()) };
    let threads = args.threads.map_or_else(cores, |threads| threads as usize);
    let workers = (0..threads).map(|_| contest.worker()).collect();
    let stop = StopFlag::default();
    let interrupts = listen_for_interrupts(3);
    let mut interrupted = 0;
    let mut failure = None;
    let mut progress = Progress::new(since);
    let one = |worker: &mut Vec<_>, at: usize| contest.play(worker, left.number(at), &stop);
    spread(workers, parts, one, |heard| {
        // A match that was stopped counts for nothing.
        if let Some((at, record)) = heard.filter(|(_, record)| record.ending != Ending::Stopped) {
            let number = left.number(at);
            score.add(number, &record);
            if let Some(trees) = &mut trees {
                trees.add(contest.assignment(number), &record);
            }
            if let Some(records) = &mut records
                && let Err(error) = records.add(number, record)
            {
                failure = Some(error);
                return ControlFlow::Break(());
            }
        }
        let told = std::mem::replace(&mut interrupted, interrupts.load(Ordering::Relaxed));
        match interrupted {
            0 => {}
            1 if told == 0 => out.note("finishing the matches under way; once more to drop them"),
            1 => {}
            _ => stop.store(true, Ordering::Relaxed),
        }
        if interrupted > 0 || score.decided() {
            return ControlFlow::Break(());
        }
        progress.show(score.done as u64, progress_total(args, &contest), &running(agents, &score));
        ControlFlow::Continue(())
    });
    drop(progress);
    if let Some(failure) = failure {
        return Err(failure);
    }
    if let Some(records) = records {
        records.finish()?;
    }
    if let (Some(trees), Some(folder)) = (&trees, &args.trees) {
        let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
        trees.write(folder, &names).map_err(unwritable(folder))?;
        out.note(format!("{folder}: trees.csv, depth.svg, branching.svg"));
    }
    let interrupted = interrupted > 0 && !score.decided() && score.done < contest.total();
    let meet = contest.games.iter().all(|game| game.board.about().roles.len() > 1);
    let standings = |tallies: &[Tally]| -> Vec<Standing> {
        tallies.iter().zip(labels(agents)).map(|(tally, name)| tally.standing(&name)).collect()
    };
    let report = Report {
        game: contest
            .games
            .iter()
            .map(|game| &*game.board.about().game)
            .collect::<Vec<_>>()
            .join(", "),
        reasoner: contest.games[0].reasoner,
        runs: score.done,
        agents: standings(&score.all),
        games: match contest.games.as_slice() {
            [_] => Vec::new(),
            games => games
                .iter()
                .zip(&score.games)
                .map(|(game, tallies)| OfGame {
                    game: game.board.about().game.clone(),
                    reasoner: game.reasoner,
                    agents: standings(tallies),
                })
                .collect(),
        },
        elo: match agents {
            [_, _] if meet => EloEstimate::new(&score.all[0].score()),
            _ => None,
        },
        sprt: score.sequence.as_ref().map(|sequence| {
            let (lower, upper) = Sprt::bounds();
            SprtReport {
                elo0: sequence.test.elo0,
                elo1: sequence.test.elo1,
                pairs: sequence.pairs,
                llr: sequence.test.log_likelihood_ratio(&sequence.pairs),
                lower,
                upper,
                decision: sequence.decision,
            }
        }),
        interrupted,
        seed: args.seed,
        threads,
        seconds: since.elapsed().as_secs_f64(),
        offences: score.offences,
        unfinished: score.unfinished,
        trees: trees.iter().flat_map(|t| (0..agents.len()).map(|agent| t.means(agent))).collect(),
        without_effect,
    };
    show(&report, out)?;
    if interrupted {
        let how = match args.record {
            Some(_) => "the same command with --resume goes on from the record",
            None => "with --record and --resume such a command can be continued",
        };
        let played = plural(score.done, "match");
        out.note(format!("interrupted after {played}; {how}"));
    }
    if out.is_json() {
        out.value(&report)?;
    }
    Ok(if interrupted { Outcome::Interrupted } else { Outcome::Fine })
}

/// How many matches there will be; 0 where nobody knows.
fn progress_total(args: &MatchArgs, contest: &Contest<'_>) -> u64 {
    if args.sprt.is_some() && args.runs.is_none() { 0 } else { contest.total() as u64 }
}

/// The names of the agents, told apart where they are equal.
fn labels(agents: &[Agent]) -> Vec<String> {
    let label = |at: usize| {
        let name = &agents[at].name;
        let before = agents[..at].iter().filter(|other| other.name == *name).count();
        if before == 0 { name.clone() } else { format!("{name} ({})", before + 1) }
    };
    (0..agents.len()).map(label).collect()
}

/// The result so far, in a few words.
fn running(agents: &[Agent], score: &Score<'_>) -> String {
    let mut text = String::new();
    for (agent, tally) in agents.iter().zip(&score.all) {
        let standing = tally.standing(&agent.name);
        let short: String = agent.name.chars().take(16).collect();
        let _ = write!(text, "{short} {:.1} % ", standing.win_percent);
    }
    if let Some(sequence) = &score.sequence {
        let ratio = sequence.test.log_likelihood_ratio(&sequence.pairs);
        let _ = write!(text, "{} matches, LLR {ratio:.2}", score.done);
    }
    text.trim_end().to_owned()
}

fn show(report: &Report, out: &mut Output) -> Result<()> {
    for game in &report.games {
        out.line(&game.game)?;
        out.line(standings(&game.agents))?;
        out.line("")?;
    }
    if !report.games.is_empty() {
        out.line("all games")?;
    }
    out.line(standings(&report.agents))?;
    if let Some(elo) = &report.elo {
        let number = |elo: Option<f64>, endless: &str| {
            elo.map_or_else(|| endless.to_owned(), |elo| format!("{elo:+.1}"))
        };
        let none = if report.agents[0].win_percent > 50.0 { "+inf" } else { "-inf" };
        out.line(format!(
            "Elo {} [{}, {}], likelihood of superiority {:.1} %",
            number(elo.elo, none),
            number(elo.low, "-inf"),
            number(elo.high, "+inf"),
            100.0 * elo.superiority
        ))?;
    }
    if let Some(sprt) = &report.sprt {
        let [zero, half, one, more, two] = sprt.pairs.counts;
        out.line(format!(
            "SPRT [{}, {}] in logistic Elo, errors of 5 %: LLR {:.2} ({:.2}, {:.2})",
            sprt.elo0, sprt.elo1, sprt.llr, sprt.lower, sprt.upper
        ))?;
        out.line(format!(
            "{} with swapped roles: {zero} with 0 points, {half} with ½, {one} with 1, {more} with 1½, {two} with 2",
            plural(sprt.pairs.total() as usize, "pair")
        ))?;
        let names = [&report.agents[0].name, &report.agents[1].name];
        out.line(match sprt.decision {
            Some(Decision::Elo1) => format!(
                "{} is stronger than {}: {} Elo is accepted against {}",
                names[0], names[1], sprt.elo1, sprt.elo0
            ),
            Some(Decision::Elo0) => format!(
                "{} is not stronger than {} by {} Elo: {} is accepted",
                names[0], names[1], sprt.elo1, sprt.elo0
            ),
            None => "undecided".to_owned(),
        })?;
    }
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

fn standings(agents: &[Standing]) -> output::Table {
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
    for agent in agents {
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
    table
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

#[cfg(test)]
mod tests {
    use super::games;

    #[test]
    fn games_of_a_suite_have_commas_between_them() {
        assert_eq!(games("tron, chess"), ["tron", "chess"]);
        assert_eq!(
            games("octagon(turn=5, start=(a b)),tron"),
            ["octagon(turn=5, start=(a b))", "tron"]
        );
        assert_eq!(games("-"), ["-"]);
    }
}
