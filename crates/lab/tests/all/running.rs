//! Running, stopping, sharing and merging, on games that take no time.

use crate::common;

use std::ops::ControlFlow;

use common::{Casino, DUELS, fresh, outcomes, plan, session};
use gamegrove_game::Rng;
use gamegrove_lab::chunk::{self, ChunkError};
use gamegrove_lab::{Agenda, Plan, Row, RunError, Status, Store, run};

fn go_on(_: &Status) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn undisturbed(plan: &Plan, name: &str) -> Store {
    let mut store = Store::open(&fresh(name)).unwrap();
    let done = run(plan, &mut store, &Casino, &session(1), Agenda::All, go_on).unwrap();
    assert_eq!((done.played, done.status.done), (plan.total(), plan.total()));
    store
}

#[test]
fn threads_and_pieces_make_no_difference() {
    let plan = plan(DUELS, "full");
    let wanted = outcomes(&plan, &undisturbed(&plan, "whole"));
    assert_eq!(wanted.len() as u64, plan.total());

    let path = fresh("pieces");
    let mut played = 0;
    let mut rounds = 0;
    while played < plan.total() {
        let mut store = Store::open(&path).unwrap();
        let before = played;
        let done = run(&plan, &mut store, &Casino, &session(4), Agenda::All, |status| {
            if status.done > before { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
        played += done.played;
        rounds += 1;
        assert_eq!(done.status.done, played);
        assert!(rounds < 1000);
    }
    let store = Store::open(&path).unwrap();
    assert_eq!(outcomes(&plan, &store), wanted);
    assert_eq!(store.claimed().unwrap(), 0);
    assert_eq!(store.sessions().unwrap().len(), rounds);
}

#[test]
fn a_smaller_profile_is_a_part_of_the_larger() {
    let path = fresh("profiles");
    let mut store = Store::open(&path).unwrap();
    let (small, large) = (plan(DUELS, "smoke"), plan(DUELS, "full"));
    let first = run(&small, &mut store, &Casino, &session(1), Agenda::All, go_on).unwrap();
    assert_eq!(first.played, small.total());
    let then = run(&large, &mut store, &Casino, &session(1), Agenda::All, go_on).unwrap();
    assert_eq!(then.played, large.total() - small.total());
}

#[test]
fn several_at_once_play_every_game_once() {
    let plan = plan(DUELS, "full");
    let wanted = outcomes(&plan, &undisturbed(&plan, "alone"));
    let path = fresh("together");
    let played: u64 = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut store = Store::open(&path).unwrap();
                    run(&plan, &mut store, &Casino, &session(2), Agenda::All, go_on).unwrap().played
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    assert_eq!(played, plan.total(), "no game is played twice");
    assert_eq!(outcomes(&plan, &Store::open(&path).unwrap()), wanted);
}

#[test]
fn claims_hold_while_their_owner_lives() {
    let path = fresh("claims");
    let mut one = Store::open(&path).unwrap();
    let mut other = Store::open(&path).unwrap();
    assert!(!one.claim("cell", 0).unwrap(), "who is not at work claims nothing");
    one.work(&session(1)).unwrap();
    other.work(&session(1)).unwrap();
    assert!(one.claim("cell", 0).unwrap());
    assert!(!one.claim("cell", 0).unwrap());
    assert!(!other.claim("cell", 0).unwrap());
    assert!(other.claim("cell", 1).unwrap());
    other.drop_dead_claims().unwrap();
    assert!(!other.claim("cell", 0).unwrap(), "the owner lives");
    drop(one);
    assert!(other.claim("cell", 0).unwrap());
    assert_eq!(other.claimed().unwrap(), 2);
}

#[test]
fn a_game_that_cannot_be_opened_stops_the_run_and_keeps_the_rest() {
    let text = DUELS.replace("three_dice", "broken");
    let plan = plan(&text, "full");
    let mut store = Store::open(&fresh("broken")).unwrap();
    let error = run(&plan, &mut store, &Casino, &session(1), Agenda::All, go_on).unwrap_err();
    assert!(matches!(error, RunError::Game { .. }));
    assert_eq!(error.to_string(), "Dice | for <three>: HRAVE - UCT: it broke");
    assert!(Status::read(&plan, &store).unwrap().done > 0);
}

#[test]
fn other_files_are_not_taken_for_stores() {
    let path = fresh("other");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, "this is no database, but it is long enough to look at").unwrap();
    assert!(Store::open(&path).unwrap_err().to_string().contains("not a database"));
    let path = fresh("foreign");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let foreign = rusqlite::Connection::open(&path).unwrap();
    foreign.execute_batch("CREATE TABLE x (y); PRAGMA user_version = 7").unwrap();
    assert!(Store::open(&path).unwrap_err().to_string().contains("(it says 7)"));
}

#[test]
fn chunks_give_the_same_rows_and_count_once() {
    let plan = plan(DUELS, "full");
    let wanted = outcomes(&plan, &undisturbed(&plan, "unchunked"));
    let chunks = chunk::chunks(&plan, 30);
    let counts: Vec<u32> =
        chunks.iter().map(|chunk| chunk.games.iter().map(|games| games.count).sum()).collect();
    assert_eq!(counts, [30, 30, 30, 30, 30, 30, 28]);
    let mut store = Store::open(&fresh("chunked")).unwrap();
    let mut all = Vec::new();
    for chunk in chunks.iter().rev() {
        // As it travels.
        let text = serde_json::to_string(chunk).unwrap();
        let chunk: chunk::Chunk = serde_json::from_str(&text).unwrap();
        let mut rows: Vec<Row> = Vec::new();
        chunk::play(&plan, &chunk, &Casino, |row| -> Result<(), ChunkError> {
            rows.push(row);
            Ok(())
        })
        .unwrap();
        let text = serde_json::to_string(&rows).unwrap();
        let rows: Vec<Row> = serde_json::from_str(&text).unwrap();
        assert_eq!(chunk::merge(&plan, &mut store, &rows).unwrap(), rows.len());
        assert_eq!(chunk::merge(&plan, &mut store, &rows).unwrap(), 0);
        all.extend(rows);
    }
    assert_eq!(outcomes(&plan, &store), wanted);
    // Rows of another game are refused, all of them.
    let mut empty = Store::open(&fresh("refused")).unwrap();
    all[7].outcome.seed += 1;
    assert!(chunk::merge(&plan, &mut empty, &all).is_err());
    assert_eq!(Status::read(&plan, &empty).unwrap().done, 0);
}

#[test]
fn chunks_of_another_plan_are_refused() {
    let plan = plan(DUELS, "full");
    let other = common::plan(&DUELS.replace("simulations = 10", "simulations = 11"), "full");
    let chunk = &chunk::chunks(&other, 10)[0];
    let keep = |_| -> Result<(), ChunkError> { Ok(()) };
    let error = chunk::play(&plan, chunk, &Casino, keep).unwrap_err();
    assert!(matches!(error, ChunkError::OtherPlan { .. }));
    let mut forged = chunk.clone();
    forged.plan = plan.hash.clone();
    let error = chunk::play(&plan, &forged, &Casino, keep).unwrap_err();
    assert!(matches!(error, ChunkError::NoSuchGame { .. }));
}

#[test]
fn damaged_stores_are_refused_or_run_to_their_end() {
    let plan = plan(DUELS, "full");
    let whole = fresh("to_damage");
    {
        let mut store = Store::open(&whole).unwrap();
        run(&plan, &mut store, &Casino, &session(1), Agenda::All, go_on).unwrap();
    }
    let bytes = std::fs::read(&whole).unwrap();
    let cell = plan.cells[0].id.as_bytes();
    // One letter in the name of a cell: the row is out of order, under a name that the plan does not have.
    let rows: Vec<usize> =
        (0..bytes.len() - cell.len()).filter(|&at| bytes[at..].starts_with(cell)).collect();
    let middle = rows[rows.len() / 2] + 16;
    let mut rng = Rng::new(1);
    let others = (0..40).map(|_| 100 + rng.below(bytes.len() - 100));
    let places: Vec<usize> = std::iter::once(middle).chain(others).collect();
    let mut refused = 0;
    for (number, place) in places.into_iter().enumerate() {
        let path = fresh(&format!("damaged_{number}"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut damaged = bytes.clone();
        damaged[place] ^= if number == 0 { 0x40 } else { 1 << rng.below(8) };
        std::fs::write(&path, damaged).unwrap();
        // Without a look at the file some of these would wait for ever.
        let result = Store::open(&path)
            .map_err(RunError::from)
            .and_then(|mut store| run(&plan, &mut store, &Casino, &session(2), Agenda::All, go_on));
        if let Err(error) = result {
            refused += 1;
            let error = error.to_string();
            assert!(error.contains("damaged"), "{error}");
        } else {
            assert_ne!(number, 0);
        }
    }
    assert!(refused > 0);
}
