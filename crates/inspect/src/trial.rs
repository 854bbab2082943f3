//! Random games as a trial of the rules.
//!
//! A sound game needs, and its text alone does not show, that every role has a move
//! in every state that is not terminal, that every role has exactly one goal at the end, and that
//! play ends.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use gamegrove_game::{Describe, Ending, Fault, Game, Move, Player, Rng, Role};
use gamegrove_gdl::{Prover, Rulesheet};
use gamegrove_octagon::Octagon;
use gamegrove_propnet::Propnet;
use gamegrove_vgdl::game::VideoGame;
use gamegrove_vgdl::level::World;
use serde::Serialize;

use crate::{Heard, Result};
use gamegrove_game::parallel::spread;
use gamegrove_play::Problem;
use gamegrove_play::notice::Severity;
use gamegrove_play::reasoner::{Ready, Reasoner, ready};
use gamegrove_play::units::plural;
use gamegrove_play::{Budget, StopFlag};

/// How the trial is held.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// How many games are played.
    pub games: usize,
    /// Joint moves after which a game is given up.
    pub step_limit: u32,
    /// The seed of the random choices.
    pub seed: u64,
    /// How many games are played at a time; the report does not depend on it unless the time is over.
    pub threads: usize,
    /// Processor time of each thread. A game under way is then given up, and no other is begun.
    pub time: Duration,
}

/// The findings of the trial.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Games played.
    pub games: usize,
    /// The roles, in the order in which `moves` of a finding names their moves.
    pub roles: Vec<String>,
    /// Games that reached a terminal state.
    pub finished: usize,
    /// Joint moves of the finished games, on average; none if no game finished.
    pub mean_length: Option<f64>,
    /// Joint moves of the longest game.
    pub longest: u32,
    /// The random choices came from this seed.
    pub seed: u64,
    /// Games were given up after so many joint moves.
    pub step_limit: u32,
    /// Problems, the first game of each kind as an example.
    pub findings: Vec<Finding>,
}

/// Something wrong with the rules that play showed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// An error if the game is broken.
    pub severity: Severity,
    /// A stable name for the kind of finding.
    pub code: &'static str,
    /// The role it is about.
    pub role: Option<String>,
    /// The problem, in one sentence.
    pub message: String,
    /// How to correct it.
    pub help: String,
    /// In how many games it was seen.
    pub games: usize,
    /// The first of them, from 0: its choices come from this stream of the seed.
    pub game: usize,
    /// The joint moves that led there, one name per role.
    pub moves: Vec<Vec<String>>,
    /// The facts of that state.
    pub facts: Vec<String>,
}

impl Finding {
    /// The game could not even be set up.
    pub fn unplayable(message: String, help: &str) -> Finding {
        problem(Severity::Error, "unplayable", None, message, help)
    }
}

/// Something that random games can be played of.
pub enum Subject {
    /// Rules that a prover evaluates.
    Prover(Box<Prover>),
    /// The network of rules.
    Network(Box<Propnet>),
    /// A program.
    Native(Octagon),
    /// The levels of a video game, played by turns.
    Levels(Vec<Arc<World>>),
}

impl Subject {
    /// Rules with a reasoner; also what was chosen and why, if there was a choice.
    pub fn of_rules(
        name: &str,
        sheet: &Rulesheet,
        reasoner: Reasoner,
        patience: Duration,
    ) -> Result<(Subject, Option<String>)> {
        let (ready, told) = ready(name, sheet, reasoner, patience)?;
        let subject = match ready {
            Ready::Prover(game) => Subject::Prover(game),
            Ready::CachedProver(cached) => Subject::Prover(Box::new(cached.game)),
            Ready::Network(game) => Subject::Network(game),
            Ready::CachedNetwork(cached) => Subject::Network(Box::new(cached.game)),
            Ready::Hardware(_) => {
                return Err(Problem::usage(
                    "hardware gives each role one goal, so it cannot check goals",
                    "use --reasoner propnet or prover",
                ));
            }
        };
        Ok((subject, told))
    }

    /// Plays the games.
    pub fn try_out(&self, setup: Setup, heard: Heard<'_>) -> Report {
        match self {
            Subject::Prover(game) => run(&**game, setup, heard),
            Subject::Network(game) => run(&**game, setup, heard),
            Subject::Native(game) => run(game, setup, heard),
            Subject::Levels(levels) => run(levels, setup, heard),
        }
    }
}

/// A type of games that random games can be played of.
trait Playable: Clone + Send {
    /// A game of it.
    type Game: Describe;

    /// The game with this number: what happens in it depends on nothing but the number.
    fn game(&self, number: usize) -> Self::Game;

    /// Problems of the terminal state that a game ended in.
    fn faults_of_end(player: &mut Player<Self::Game>) -> Vec<Finding>;
}

impl Playable for Prover {
    type Game = Prover;

    fn game(&self, _: usize) -> Prover {
        self.detached()
    }

    fn faults_of_end(player: &mut Player<Prover>) -> Vec<Finding> {
        faults_of_goals(player, Prover::goal_values)
    }
}

impl Playable for Propnet {
    type Game = Propnet;

    fn game(&self, _: usize) -> Propnet {
        self.clone()
    }

    fn faults_of_end(player: &mut Player<Propnet>) -> Vec<Finding> {
        faults_of_goals(player, Propnet::goal_values)
    }
}

impl Playable for Octagon {
    type Game = Octagon;

    fn game(&self, _: usize) -> Octagon {
        self.clone()
    }

    /// More pieces win, so every end has goals.
    fn faults_of_end(_: &mut Player<Octagon>) -> Vec<Finding> {
        Vec::new()
    }
}

/// Each game has a chance of its own.
impl Playable for Vec<Arc<World>> {
    type Game = VideoGame;

    fn game(&self, number: usize) -> VideoGame {
        VideoGame::new(self[number % self.len()].clone(), number as u64)
    }

    /// A video game that ends has winners and losers whatever its rules say.
    fn faults_of_end(_: &mut Player<VideoGame>) -> Vec<Finding> {
        Vec::new()
    }
}

/// One game.
struct Course {
    length: u32,
    finished: bool,
    problems: Vec<Finding>,
}

/// Plays the games.
fn run<S: Playable>(subject: &S, setup: Setup, heard: Heard<'_>) -> Report {
    let first = subject.game(0);
    let mut report = Report {
        games: setup.games,
        roles: Role::all(first.role_count()).map(|role| first.role_name(role)).collect(),
        seed: setup.seed,
        step_limit: setup.step_limit,
        ..Report::default()
    };
    let workers: Vec<(S, Duration)> =
        (0..setup.threads).map(|_| (subject.clone(), setup.time)).collect();
    let mut courses: BTreeMap<usize, Course> = BTreeMap::new();
    let total = setup.games as u64;
    spread(
        workers,
        setup.games,
        |(subject, left), game| {
            (!left.is_zero()).then(|| play::<S>(subject.game(game), game, setup, left))
        },
        |finished| {
            let late = matches!(finished, Some((_, None)));
            courses.extend(finished.and_then(|(game, course)| Some((game, course?))));
            heard(courses.len() as u64, total);
            if late { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    report.games = courses.len();
    let mut steps = 0;
    for course in courses.into_values() {
        report.longest = report.longest.max(course.length);
        if course.finished {
            report.finished += 1;
            steps += u64::from(course.length);
        }
        for problem in course.problems {
            let same = |f: &&mut Finding| f.code == problem.code && f.role == problem.role;
            match report.findings.iter_mut().find(same) {
                Some(known) => known.games += 1,
                None => report.findings.push(problem),
            }
        }
    }
    if report.finished > 0 {
        report.mean_length = Some(steps as f64 / report.finished as f64);
    }
    report
}

/// Plays one game, in the time that is left. Until that is over its course depends on the seed and its
/// number only, not on the thread.
fn play<S: Playable>(
    mut worker: S::Game,
    game: usize,
    setup: Setup,
    left: &mut Duration,
) -> Course {
    let stop = StopFlag::default();
    worker.stop_when(&stop);
    let budget = Budget::processor(*left);
    let running = budget.begin();
    let mut rng = Rng::stream(setup.seed, game as u64);
    let mut player = Player::new(worker);
    let start = player.state.clone();
    let mut joints: Vec<Vec<Move>> = Vec::new();
    let playout = player.random_game_with(&start, setup.step_limit, &mut rng, |_, _, joint| {
        joints.push(joint.to_vec());
        stop.store(running.is_late(), Ordering::Relaxed);
    });
    *left = running.remaining().unwrap_or_default();
    let mut problems = match player.game.take_fault() {
        Some(Fault::Stopped) => vec![problem(
            Severity::Warning,
            "limit",
            None,
            format!(
                "given up after {} and {} s of processor time",
                plural(playout.steps as usize, "step"),
                setup.time.as_secs_f64(),
            ),
            "simplify the rules that multiply possibilities, or play fewer games; games that were \
             not begun are not counted",
        )],
        Some(fault) => vec![problem(
            Severity::Warning,
            "limit",
            None,
            format!("the game could not be worked out to its end: {fault}"),
            "simplify the rules that multiply possibilities; other systems may fail here too",
        )],
        None => match playout.ending {
            Ending::Terminal => ending::<S>(&mut player, playout.steps),
            Ending::TooLong => vec![problem(
                Severity::Warning,
                "too-long",
                None,
                format!("not over after {}", plural(setup.step_limit as usize, "step")),
                "if games may be that long, raise --step-limit; if not, count the steps in the \
                 rules and make the last one terminal",
            )],
            Ending::Stuck(role) => {
                let name = player.game.role_name(role);
                let message = format!("{name} has no legal move although the game is not over");
                vec![problem(
                    Severity::Error,
                    "no-legal-move",
                    Some(name),
                    message,
                    "add a rule for `legal`, such as a `noop` for the role that waits, or make \
                     such states terminal",
                )]
            }
        },
    };
    let finished =
        playout.ending == Ending::Terminal && !problems.iter().any(|found| found.code == "limit");
    for found in &mut problems {
        found.game = game;
        found.facts = player.game.facts(&player.state);
        found.moves = joints.iter().map(|joint| joint_names(&player.game, joint)).collect();
    }
    Course { length: playout.steps, finished, problems }
}

/// The names of a joint move, one per role.
fn joint_names<G: Describe>(game: &G, joint: &[Move]) -> Vec<String> {
    let roles = Role::all(joint.len());
    roles.zip(joint).map(|(role, &mov)| game.move_name(role, mov)).collect()
}

/// Problems of a terminal state.
fn ending<S: Playable>(player: &mut Player<S::Game>, steps: u32) -> Vec<Finding> {
    let mut found = S::faults_of_end(player);
    if steps == 0 {
        found.push(problem(
            Severity::Warning,
            "over-at-start",
            None,
            "the game is over before the first move".to_owned(),
            "check the rules that end it and those of the start",
        ));
    }
    found
}

/// Problems of the goals of a terminal state.
fn faults_of_goals<G: Describe>(
    player: &mut Player<G>,
    goal_values: impl Fn(&mut G, &G::State, Role) -> Vec<String>,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for role in Role::all(player.game.role_count()) {
        let values = goal_values(&mut player.game, &player.state, role);
        let name = player.game.role_name(role);
        let in_range = |value: &String| value.parse::<u8>().is_ok_and(|goal| goal <= 100);
        if values.is_empty() {
            let message = format!("{name} has no goal at the end of the game");
            let help = "add a rule for `goal` that covers this state";
            found.push(problem(Severity::Error, "no-goal", Some(name), message, help));
        } else if values.len() > 1 {
            let message =
                format!("{name} has several goals at the end of the game: {}", values.join(", "));
            let help = "make the conditions of the rules for `goal` exclude each other";
            found.push(problem(Severity::Error, "several-goals", Some(name), message, help));
        } else if let Some(value) = values.iter().find(|value| !in_range(value)) {
            let message = format!("{name} has the goal {value} at the end of the game");
            let help = "a goal is a whole number from 0 (worst) to 100 (best)";
            found.push(problem(Severity::Error, "goal-value", Some(name), message, help));
        }
    }
    found
}

fn problem(
    severity: Severity,
    code: &'static str,
    role: Option<String>,
    message: String,
    help: &str,
) -> Finding {
    let (help, moves, facts) = (help.to_owned(), Vec::new(), Vec::new());
    Finding { severity, code, role, message, help, games: 1, game: 0, moves, facts }
}

#[cfg(test)]
mod tests {
    use gamegrove_gdl::{ProverLimits, Rulesheet};

    use super::*;

    fn trial(text: &str, threads: usize) -> Report {
        let sheet = Rulesheet::load(text.as_bytes()).expect("a rulesheet without errors");
        let prover = Prover::new(&sheet.program).expect("a playable game");
        let time = Duration::from_secs(60);
        run(&prover, Setup { games: 20, step_limit: 30, seed: 7, threads, time }, &mut |_, _| ())
    }

    #[test]
    fn rules_that_take_long_are_given_up_when_the_time_is_over() {
        let digits: String = (0..8).map(|n| format!("(d {n}) ")).collect();
        let rules = format!(
            "(role r) (legal r a) (init (n 0)) (<= terminal (true never)) (goal r 0) {digits}
             (<= (next (n 0)) (true (n 0)))
             (<= (next never) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (distinct ?a ?a))
             (<= (next never) (true (n 0)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (is ?a ?b ?c ?d ?e ?f))
             (<= (is ?a ?b ?c ?d ?e ?f) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (true never))"
        );
        let sheet = Rulesheet::load(rules.as_bytes()).expect("a rulesheet without errors");
        let prover = Prover::new(&sheet.program).expect("a playable game");
        let time = Duration::from_millis(100);
        let setup = Setup { games: 1_000, step_limit: u32::MAX, seed: 1, threads: 2, time };
        // Without the limit these games have no end.
        let report = run(&prover, setup, &mut |_, _| ());
        assert!((1..=2).contains(&report.games), "{} games", report.games);
        let codes: Vec<&str> = report.findings.iter().map(|found| found.code).collect();
        assert_eq!(codes, ["limit"]);
        assert!(report.findings[0].message.contains("s of processor time"));
    }

    /// The kinds of findings, with their roles.
    fn kinds(text: &str) -> Vec<(Severity, &'static str, Option<String>)> {
        let found = trial(text, 2).findings;
        found.into_iter().map(|found| (found.severity, found.code, found.role)).collect()
    }

    /// Two steps, then the end; the parts that vary are left out.
    const FRAME: &str = "(role x) (role o) (init (step 1))
        (<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
        (<= terminal (true (step 3)))";

    #[test]
    fn sound_games_have_no_findings() {
        let text = format!("{FRAME} (<= (legal ?r a) (role ?r)) (<= (goal ?r 50) (role ?r))");
        let report = trial(&text, 2);
        assert_eq!(report.findings, []);
        assert_eq!((report.games, report.finished, report.longest), (20, 20, 2));
        assert_eq!(report.mean_length, Some(2.0));
    }

    #[test]
    fn a_role_without_a_move_is_found() {
        let text = format!(
            "{FRAME} (<= (legal ?r a) (role ?r) (true (step 1))) (legal x b) (goal x 1) (goal o 1)"
        );
        let report = trial(&text, 2);
        let [found] = &report.findings[..] else { panic!("{report:?}") };
        assert_eq!((found.severity, found.code), (Severity::Error, "no-legal-move"));
        assert_eq!(found.role.as_deref(), Some("o"));
        assert_eq!((found.games, found.game), (20, 0));
        assert_eq!(found.facts, ["(step 2)"]);
        assert_eq!(found.moves.len(), 1);
        assert_eq!(report.finished, 0);
    }

    #[test]
    fn missing_and_ambiguous_goals_are_found() {
        let moves = "(<= (legal ?r a) (role ?r))";
        let text = format!("{FRAME} {moves} (goal x 0) (goal x 100)");
        let expected = [
            (Severity::Error, "several-goals", Some("x".to_owned())),
            (Severity::Error, "no-goal", Some("o".to_owned())),
        ];
        assert_eq!(kinds(&text), expected);
        let text =
            format!("{FRAME} {moves} (worth x 120) (worth o 0) (<= (goal ?r ?v) (worth ?r ?v))");
        assert_eq!(kinds(&text), [(Severity::Error, "goal-value", Some("x".to_owned()))]);
    }

    #[test]
    fn endless_games_and_games_without_a_step_are_found() {
        let endless = "(role x) (init a) (<= (next a) (true a)) (legal x a) (goal x 0)
            (<= terminal (true b))";
        assert_eq!(kinds(endless), [(Severity::Warning, "too-long", None)]);
        let over = "(role x) (init a) (legal x a) (goal x 0) (<= terminal (true a))";
        assert_eq!(kinds(over), [(Severity::Warning, "over-at-start", None)]);
    }

    #[test]
    fn the_report_does_not_depend_on_the_threads() {
        // Stops early or late by chance, and without `input`: moves are numbered as they are met.
        let text = "(role x) (init (at 0)) (digit 0) (digit 1) (digit 2) (digit 3)
            (<= (legal x (go ?d)) (digit ?d)) (<= (next (at ?d)) (does x (go ?d)))
            (<= terminal (true (at 3))) (<= (goal x 0) (true (at 0)))";
        let report = trial(text, 1);
        assert_eq!(trial(text, 3), report);
        assert!(report.mean_length.is_some_and(|length| length > 1.0));
        assert_eq!(report.findings.len(), 1);
    }

    /// Eight birds in seven holes, no two in one: finding out that it cannot be takes long.
    fn laborious() -> Prover {
        let birds: Vec<String> = (0..8).map(|bird| format!("?b{bird}")).collect();
        let mut holes: String = birds.iter().map(|bird| format!("(hole {bird}) ")).collect();
        for (index, bird) in birds.iter().enumerate() {
            birds[..index].iter().for_each(|other| holes += &format!("(distinct {bird} {other})"));
        }
        let text = format!(
            "(role r) (hole 1) (hole 2) (hole 3) (hole 4) (hole 5) (hole 6) (hole 7) (init a)
             (legal r go) (goal r 0) (<= (next a) (true a)) (<= terminal (true a) {holes})"
        );
        let sheet = Rulesheet::load(text.as_bytes()).expect("a sound rulesheet");
        let limits = ProverLimits { work: 1000, ..ProverLimits::default() };
        Prover::with_limits(&sheet.program, limits).expect("a playable game")
    }

    #[test]
    fn limits_are_warnings() {
        let time = Duration::from_secs(60);
        let setup = Setup { games: 2, step_limit: 5, seed: 1, threads: 1, time };
        let report = run(&laborious(), setup, &mut |_, _| ());
        let [found] = &report.findings[..] else { panic!("{report:?}") };
        assert_eq!((found.severity, found.code), (Severity::Warning, "limit"));
        assert_eq!((found.games, report.finished), (2, 0));
    }
}
