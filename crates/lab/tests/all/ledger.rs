//! Ledgers: compact, merged once, cut off anywhere.

use crate::common;

use std::ops::ControlFlow;

use common::{Casino, DUELS, fresh, outcomes, plan, session};
use gamegrove_lab::{Agenda, Ledger, Outcome, Plan, Played, Row, Store, Venue, run};

/// A store in which the first games were played.
fn played(plan: &Plan, name: &str, games: usize) -> Store {
    let mut store = Store::open(&fresh(name)).unwrap();
    store.add_sessions(&[session(2)]).unwrap();
    let row = |(cell, run): (usize, u32)| {
        let Played { outcome, cost } = Casino.play("auto", &plan.bout(cell, run)).unwrap();
        Row { cell: plan.cells[cell].id.clone(), run, outcome, cost, finished: 1 }
    };
    let rows: Vec<Row> = plan.order().into_iter().take(games).map(row).collect();
    store.merge(&rows).unwrap();
    store
}

#[test]
fn another_machine_goes_on_from_a_ledger() {
    let plan = plan(DUELS, "full");
    let whole = played(&plan, "ledger_whole", usize::MAX);
    let here = played(&plan, "ledger_here", 60);
    let text = Ledger::of(&plan, &here).unwrap().text();
    let ledger = Ledger::read(&text).unwrap();
    assert_eq!(ledger.text(), text, "reading and writing change nothing");

    let mut there = Store::open(&fresh("ledger_there")).unwrap();
    let count = here.count().unwrap() as usize;
    assert_eq!(ledger.keep(&plan, &mut there).unwrap(), count);
    assert_eq!(ledger.keep(&plan, &mut there).unwrap(), 0, "each game counts once");
    assert_eq!(outcomes(&plan, &there), outcomes(&plan, &here));
    assert_eq!(there.sessions().unwrap(), here.sessions().unwrap());
    let done =
        run(&plan, &mut there, &Casino, &session(1), Agenda::All, |_| ControlFlow::Continue(()))
            .unwrap();
    assert_eq!(done.played, plan.total() - count as u64);
    assert_eq!(outcomes(&plan, &there), outcomes(&plan, &whole));
}

#[test]
fn ledgers_of_two_machines_make_one() {
    let plan = plan(DUELS, "full");
    let of = |name: &str, games: usize| Ledger::of(&plan, &played(&plan, name, games)).unwrap();
    // Both start with the same games.
    let (mut one, other) = (of("ledger_one", 30), of("ledger_other", 90));
    let (few, many) = (one.games(), other.games());
    assert_eq!(one.merge(other.clone()), many - few);
    assert_eq!(one.merge(other), 0);
    assert_eq!(one.games(), many);
    // Cells of another plan stay.
    let elsewhere = common::plan(&DUELS.replacen("runs = 50", "runs = 50\nseed = 9", 1), "full");
    let strange = Ledger::of(&elsewhere, &played(&elsewhere, "ledger_seed", 20)).unwrap();
    let more = one.merge(strange);
    assert_eq!(more, 20);
    let mut store = Store::open(&fresh("ledger_both")).unwrap();
    assert_eq!(one.keep(&plan, &mut store).unwrap(), many);
    assert_eq!(Ledger::read(&one.text()).unwrap().games(), many + more);
}

#[test]
fn a_ledger_that_is_cut_off_anywhere_loses_only_what_is_cut_off() {
    let plan = plan(DUELS, "full");
    let store = played(&plan, "ledger_cut", 40);
    let text = Ledger::of(&plan, &store).unwrap().text();
    let whole = Ledger::read(&text).unwrap();
    let first = text.find("\ncell ").unwrap();
    for end in first..text.len() {
        let found = Ledger::read(&text[..end]).unwrap();
        let complete = &text[..text[..end].rfind('\n').unwrap() + 1];
        let games = complete.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        assert_eq!(found.games(), games.count(), "{end}");
        assert_eq!(whole.clone().merge(found), 0, "what is left is as it was");
    }
    for (wrong, said) in [
        ("gamegrove ledger 2\n", "begins with"),
        ("gamegrove ledger 1\n0 100,0 3 0.1\n", "line 2: a game before any cell"),
        ("gamegrove ledger 1\ncell a 1\n0 100,x 3 0.1\n", "line 3: `x` is no number"),
        ("gamegrove ledger 1\ncell a 1\n0 100,0 3 0.1 z=1\n", "`z=1` is nothing"),
    ] {
        let error = Ledger::read(wrong).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn results_that_cannot_be_are_refused() {
    let plan = plan(DUELS, "full");
    let text = Ledger::of(&plan, &played(&plan, "ledger_wrong", 20)).unwrap().text();
    let mut store = Store::open(&fresh("ledger_refused")).unwrap();
    let cell = text.lines().find(|line| line.starts_with("cell ")).unwrap();
    let other_seed = format!("{} 7", cell.rsplit_once(' ').unwrap().0);
    for (from, to, said) in [
        (cell, &*other_seed, "another seed"),
        (" 100,0 ", " 100 ", "every role needs a goal"),
        (" 100,0 ", " 101,0 ", "from 0 to 100"),
    ] {
        let wrong = text.replacen(from, to, 1);
        assert_ne!(wrong, text, "{from}");
        let error = Ledger::read(&wrong).unwrap().keep(&plan, &mut store).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
    }
    assert_eq!(store.count().unwrap(), 0, "all or nothing");
}

#[test]
fn twenty_thousand_games_take_less_than_a_megabyte() {
    let plan = plan(&DUELS.replacen("runs = 50", "runs = 5000", 1), "full");
    assert!(plan.total() >= 20_000);
    let mut store = Store::open(&fresh("ledger_large")).unwrap();
    let row = |(cell, run): (usize, u32)| {
        let Played { outcome, mut cost } = Casino.play("auto", &plan.bout(cell, run)).unwrap();
        // Numbers as long as those of real games.
        cost.seconds = 1.0 / f64::from(run + 3);
        cost.speeds.iter_mut().flatten().for_each(|speed| *speed += f64::from(run) / 7.0);
        let outcome = Outcome { scores: Vec::new(), ..outcome };
        Row { cell: plan.cells[cell].id.clone(), run, outcome, cost, finished: 1 }
    };
    let rows: Vec<Row> = plan.order().into_iter().map(row).collect();
    store.merge(&rows).unwrap();
    let ledger = Ledger::of(&plan, &store).unwrap();
    let text = ledger.text();
    assert_eq!(ledger.games() as u64, plan.total());
    assert!(text.len() < 1_000_000 * ledger.games() / 20_000, "{} bytes", text.len());
    assert_eq!(Ledger::read(&text).unwrap().games(), ledger.games());
}
