//! Tuning before play, on games that take no time and whose best values are known.

use crate::common;

use std::ops::ControlFlow;

use common::{fresh, provenance, session};
use gamegrove_agents::{Agent, Part, Value};
use gamegrove_game::Rng;
use gamegrove_lab::tune::{Order, Progress, Task, TuneReport, run};
use gamegrove_lab::{Bout, Cost, Facts, Outcome, Played, Store, Venue};
use gamegrove_play::matches::{Clocks, Ending};

/// Games that the better values win more often: C = 0.5 and epsilon = 0.2 are best. Names say how
/// many roles there are.
struct Range;

impl Venue for Range {
    fn look(&self, game: &str) -> Result<Facts, String> {
        let roles = match game {
            "solo" => 1,
            "duel" => 2,
            "three" => 3,
            _ => return Err("there is no such game".to_owned()),
        };
        Ok(Facts { roles, fingerprint: game.to_owned() })
    }

    fn admit(&self, _: &str, _: &str, _: &[&Agent]) -> Result<(), String> {
        Ok(())
    }

    fn play(&self, _: &str, bout: &Bout<'_>) -> Result<Played, String> {
        let mut rng = Rng::new(bout.seed);
        let luck: Vec<f64> = bout.agents.iter().map(|a| strength(a) + rng.unit()).collect();
        let best = luck.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let goals = match luck.as_slice() {
            [alone] => vec![if *alone > 1.0 { 100.0 } else { 0.0 }],
            _ => luck.iter().map(|&l| if l == best { 100.0 } else { 0.0 }).collect(),
        };
        Ok(Played {
            outcome: Outcome {
                seed: bout.seed,
                seats: bout.seats.to_vec(),
                goals,
                scores: Vec::new(),
                steps: 1,
                ending: Ending::Terminal,
                offences: 0,
            },
            cost: Cost { seconds: 0.5, speeds: Vec::new() },
        })
    }
}

/// From 0 to 1, by the values of C and epsilon.
fn strength(agent: &Agent) -> f64 {
    let number = |part: &str, key: &str| match agent.part.get(part) {
        Some(Value::Part(part)) => match part.get(key) {
            Some(Value::Number(number)) => *number,
            _ => panic!("{key} of {part}"),
        },
        _ => panic!("{part}"),
    };
    let (c, epsilon) = (number("select", "c"), number("playout", "epsilon"));
    (1.0 - (c - 0.5).abs() * 2.0) * (1.0 - (epsilon - 0.2).abs())
}

fn order(games: &[&str]) -> Order {
    Order {
        agent: Agent::find("sp").expect("sp is shipped"),
        parameters: vec!["c".to_owned(), "epsilon".to_owned()],
        opponent: None,
        games: games.iter().map(ToString::to_string).collect(),
        clocks: Clocks::simulations(10),
        reasoner: "propnet".to_owned(),
        strategy: Part::named("ntbea"),
        matches: 600,
        checks: 200,
        ahead: 8,
        step_limit: 100,
        seed: 1,
    }
}

fn go_on(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn report(order: &Order, name: &str, threads: usize) -> TuneReport {
    let task = Task::new(order.clone(), &Range).unwrap_or_else(|error| panic!("{error}"));
    let mut store = Store::open(&fresh(name)).unwrap();
    let tuned = run(&task, &mut store, &Range, &session(threads), go_on).unwrap();
    assert!(tuned.complete);
    assert_eq!(store.claimed().unwrap(), 0);
    TuneReport::new(&task, &tuned, provenance())
}

#[test]
fn good_values_are_found_and_the_check_says_so() {
    for (strategy, name) in [("ntbea", "good_ntbea"), ("halving", "good_halving")] {
        let mut better = 0;
        for seed in 1..=5 {
            let order =
                Order { strategy: Part::named(strategy), seed, ..order(&["duel", "three"]) };
            let report = report(&order, name, 2);
            assert_eq!((report.matches, report.played), ((600, 600), 800));
            let tuned = Agent::find(report.tuned.as_ref().unwrap()).unwrap();
            better += u32::from(strength(&tuned) > 0.75);
            let check = report.check.as_ref().unwrap();
            assert_eq!(check.matches, 200);
            assert_eq!(report.check_by_game.iter().map(|game| game.matches).sum::<u64>(), 200);
            assert!(check.points.mean > 60.0, "{strategy}, seed {seed}: {check:?}");
            assert!(report.verdict().ends_with("better than it."), "{}", report.verdict());
            assert_eq!(report.candidates.iter().map(|one| one.matches).sum::<u64>(), 600);
        }
        // The default values are worth 0.32, random ones 0.31 on average.
        assert!(better >= 4, "{strategy}: {better} of 5");
    }
}

#[test]
fn threads_and_pieces_make_no_difference() {
    let order = order(&["duel", "three"]);
    let whole = report(&order, "tuned_whole", 1);
    let threads = report(&order, "tuned_threads", 6);
    assert_eq!(TuneReport { played: 0, ..threads }, TuneReport { played: 0, ..whole.clone() });

    let path = fresh("tuned_pieces");
    let (mut played, mut rounds) = (0, 0);
    let last = loop {
        let task = Task::new(order.clone(), &Range).unwrap();
        let mut store = Store::open(&path).unwrap();
        let stop_at = played + 1;
        let tuned = run(&task, &mut store, &Range, &session(3), |progress| {
            if progress.done > stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
        played += tuned.played;
        rounds += 1;
        if tuned.complete {
            break TuneReport::new(&task, &tuned, provenance());
        }
    };
    assert_eq!(played, 800, "nothing is repeated, in {rounds} rounds");
    assert_eq!(TuneReport { played: 0, ..last }, TuneReport { played: 0, ..whole });
}

#[test]
fn more_matches_go_on_from_those_that_are_there() {
    let path = fresh("tuned_more");
    let mut order = order(&["duel"]);
    let play = |order: &Order| {
        let task = Task::new(order.clone(), &Range).unwrap();
        let mut store = Store::open(&path).unwrap();
        run(&task, &mut store, &Range, &session(2), go_on).unwrap().played
    };
    order.checks = 0;
    order.matches = 100;
    assert_eq!(play(&order), 100);
    assert_eq!(play(&order), 0);
    order.matches = 150;
    assert_eq!(play(&order), 50);
    order.seed = 2;
    assert_eq!(play(&order), 150);
    order.opponent = Some(Agent::find("sp(select=uct(c=0.5))").unwrap());
    assert_eq!(play(&order), 150);
}

#[test]
fn games_of_one_role_are_played_by_each_alone() {
    let report = report(&Order { matches: 300, ..order(&["solo"]) }, "tuned_solo", 2);
    assert!(report.check.unwrap().points.mean > 50.0);
}

#[test]
fn an_agent_that_stays_as_it_is_needs_no_check() {
    let agent = Agent::find("sp(select=uct(c=0.5), playout=mast(epsilon=0.2))").unwrap();
    let mut best = 0;
    for seed in 1..=6 {
        let order = Order { agent: agent.clone(), matches: 1000, seed, ..order(&["duel"]) };
        let report = report(&order, "tuned_same", 2);
        if report.check.is_none() {
            best += 1;
            assert_eq!(report.verdict(), "No check was played.");
            assert_eq!(report.parameters[0].tuned.as_deref(), Some("0.5"));
        }
    }
    assert!(best >= 1, "{best}");
}

#[test]
fn the_tuned_agent_is_an_agent() {
    let order = Order { matches: 50, checks: 4, ..order(&["duel"]) };
    let task = Task::new(order, &Range).unwrap();
    let mut store = Store::open(&fresh("tuned_agent")).unwrap();
    let tuned = run(&task, &mut store, &Range, &session(1), go_on).unwrap();
    let agent = task.tuned_agent(&tuned).unwrap();
    let back = Agent::from_toml("x", &agent.to_toml()).unwrap();
    assert_eq!(strength(&back), strength(&agent));
    assert_eq!(agent.title, "SP, tuned");
    assert!(agent.source.contains("c, epsilon tuned by ntbea in 50 matches of duel, seed 1"));
    let report = TuneReport::new(&task, &tuned, provenance()).markdown();
    for wanted in ["# sp, tuned", "| c | 0.2 |", "## Candidates", "95 % interval", "- seed: 1"] {
        assert!(report.contains(wanted), "{wanted} in\n{report}");
    }
}

#[test]
fn orders_that_make_no_sense_are_refused_with_the_remedy() {
    let wrong = |change: &dyn Fn(&mut Order)| {
        let mut order = order(&["duel"]);
        change(&mut order);
        Task::new(order, &Range).expect_err("it makes no sense").to_string()
    };
    let told = wrong(&|order| order.parameters = vec!["epsilom".to_owned()]);
    assert!(told.contains("did you mean `epsilon`?"), "{told}");
    let told = wrong(&|order| order.parameters = vec!["c".to_owned(), "c".to_owned()]);
    assert!(told.contains('c'), "{told}");
    let told = wrong(&|order| order.parameters = vec!["fpu".to_owned()]);
    assert!(told.contains("domain"), "{told}");
    let told = wrong(&|order| order.strategy = Part::named("ntbae"));
    assert!(told.contains("did you mean `ntbea`?"), "{told}");
    let told = wrong(&|order| order.strategy = Part::named("ntbea").with("neighbors", 3.0));
    assert!(told.contains("did you mean `neighbours`?"), "{told}");
    let told = wrong(&|order| order.games = vec!["chess".to_owned()]);
    assert_eq!(told, "game `chess`: there is no such game");
    let told = wrong(&|order| order.games = vec!["duel".to_owned(), "duel".to_owned()]);
    assert!(told.contains("twice"), "{told}");
    let told = wrong(&|order| order.agent = Agent::find("random").unwrap());
    assert!(told.contains("mcts"), "{told}");
}
