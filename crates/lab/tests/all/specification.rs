//! What is wrong with a file is said with the key, the place and what was probably meant.

use crate::common;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;

use common::{Casino, DUELS, plan};
use gamegrove_agents::Agent;
use gamegrove_lab::{Boards, Bout, Facts, Plan, Played, Spec, Venue, named_agent, shipped};

/// The message about the sound file with `old` replaced by `new`.
fn mistake(old: &str, new: &str) -> String {
    assert!(DUELS.contains(old), "{old}");
    Spec::read(&DUELS.replacen(old, new, 1)).expect_err(new).to_string()
}

#[test]
fn unknown_keys_name_the_nearest() {
    assert_eq!(
        mistake("sentence = ", "sentense = "),
        "line 3, column 1: unknown key `sentense`; did you mean `sentence`?"
    );
    assert_eq!(
        mistake("table = \"1.1\"", "tabel = \"1.1\""),
        "line 4, column 36: unknown key `source.tabel`; did you mean `table`?"
    );
    assert_eq!(
        mistake("[profiles.smoke]\nruns", "[profiles.smoke]\nrun"),
        "line 33, column 1: unknown key `profiles.smoke.run`; did you mean `runs`?"
    );
    assert_eq!(
        mistake("simulations = 10", "simulation = 10"),
        "line 7, column 12: unknown key `budget.simulation`; did you mean `simulations`?"
    );
}

#[test]
fn numbers_out_of_range_name_the_nearest() {
    assert_eq!(
        mistake("runs = 50", "runs = 0"),
        "line 6, column 8: `runs`: it is 0, but must be from 1 to 10000000; the nearest valid value \
         is 1"
    );
    assert!(
        mistake("simulations = 10", "simulations = -4").contains("`budget.simulations`: it is -4")
    );
    assert!(
        mistake("simulations = 10", "clock = \"0s\"").contains("the nearest valid value is 1ms")
    );
    assert!(mistake("simulations = 10", "clock = \"soon\"").contains("try \"1s\""));
    let message = mistake("label = \"Dice\"", "label = \"Dice\"\nsimulations_per_second = -1");
    assert!(message.contains("`games[0].simulations_per_second`: it is -1"), "{message}");
    let message = mistake("\"66.0 ±4.16\"", "\"66.0 +4.16\"");
    assert!(message.contains("`games[0].published[0]`: it is \"66.0 +4.16\""), "{message}");
}

#[test]
fn names_that_fit_nothing_name_the_nearest() {
    assert_eq!(
        mistake("of = \"hrave\"", "of = \"hrav\""),
        "line 14, column 29: no agent of this file is called \"hrav\"; did you mean `hrave`?"
    );
    assert!(
        mistake("games = [\"dice\"]", "games = [\"dic\"]")
            .ends_with("no game of this file is called \"dic\"; did you mean `dice`?")
    );
    assert!(
        mistake("title =", "reasoner = \"propnt\"\ntitle =").contains("did you mean `propnet`?")
    );
    assert!(
        mistake("title =", "layout = \"duel\"\ntitle =")
            .contains("`layout` is \"duel\", which is none of \"duels\"")
    );
    assert!(mistake("against = [\"uct\"]", "against = [\"hrave\"]").contains("against itself"));
    assert!(mistake("name = \"three_dice\"", "name = \"dice\"").contains("two games are called"));
}

#[test]
fn what_does_not_fit_together_is_said() {
    let message = mistake("[\"66.0 ±4.16\", \"12.0 ±2.85\"]", "[\"66.0 ±4.16\"]");
    assert!(message.contains("`published` has 1 values for 2 columns"), "{message}");
    let message = mistake("{ simulations = 10 }", "{ simulations = 10, clock = \"1s\" }");
    assert!(message.contains("exactly one of"), "{message}");
    let message = mistake("{ simulations = 10 }", "{ published_seconds = 1 }");
    assert!(message.contains("needs `simulations_per_second`"), "{message}");
    assert!(mistake("title = \"Luck against less of it\"", "").contains("title"));
    assert!(mistake("runs = 50", "runs = ").starts_with("line 6"));
}

#[test]
fn profiles_agents_and_games_that_are_not_there_are_said() {
    let spec = || Spec::read(DUELS).unwrap();
    let plan = |spec, profile| Plan::new("test", spec, profile, &named_agent, &Casino);
    let message = plan(spec(), "smok").unwrap_err().to_string();
    assert_eq!(
        message,
        "no profile is called `smok`; there is mixed, smoke, full; did you mean `smoke`?"
    );
    let text = DUELS.replacen("name = \"uct\"", "name = \"uct\", agent = \"uctt\"", 1);
    let message = plan(Spec::read(&text).unwrap(), "full").unwrap_err().to_string();
    assert!(message.contains("agent `uct`: no agent is called `uctt`; did you mean"), "{message}");
    let text = DUELS.replacen("name = \"dice\"", "name = \"closed\"", 1);
    let text = text.replacen("games = [\"dice\"]", "games = [\"closed\"]", 1);
    let message = plan(Spec::read(&text).unwrap(), "full").unwrap_err().to_string();
    assert_eq!(message, "game `closed`: there is no such game");
}

#[test]
fn every_assignment_comes_up_equally_often() {
    let plan = plan(DUELS, "full");
    // [Sironi 2019, 5.3.2]: 2 x 25 for two roles, 6 x 9 for three.
    let runs: Vec<u32> = plan.cells.iter().map(|cell| cell.runs).collect();
    assert_eq!(runs, [50, 50, 54, 54]);
    let mut order = plan.order();
    assert_eq!(order.len() as u64, plan.total());
    // The whole table gets its share first.
    let cells: Vec<usize> = order[..16].iter().map(|game| game.0).collect();
    assert_eq!(cells, [0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3]);
    order.sort_unstable();
    order.dedup();
    assert_eq!(order.len() as u64, plan.total());
}

#[test]
fn a_cell_is_what_its_games_depend_on() {
    let ids = |text: &str, profile| -> Vec<String> {
        plan(text, profile).cells.iter().map(|cell| cell.id.clone()).collect()
    };
    let all = ids(DUELS, "full");
    // More games of the same kind, other words, a smaller profile: the same cells.
    assert_eq!(ids(&DUELS.replace("runs = 50", "runs = 90"), "full"), all);
    assert_eq!(ids(&DUELS.replace("Longer names", "Names"), "full"), all);
    assert_eq!(ids(DUELS, "smoke"), all[..2]);
    // Other budget, seed or agent: other cells.
    for (old, new) in [
        ("simulations = 10", "simulations = 11"),
        ("title =", "seed = 2\ntitle ="),
        ("title =", "reasoner = \"prover\"\ntitle ="),
        ("title =", "step_limit = 9\ntitle ="),
    ] {
        let other = ids(&DUELS.replacen(old, new, 1), "full");
        assert!(other.iter().all(|id| !all.contains(id)), "{new}");
    }
    let text = DUELS.replacen("name = \"hrave\",", "name = \"hrave\", agent = \"rave\",", 1);
    let other = ids(&text, "full");
    assert_ne!(other[0], all[0]);
    assert_eq!(other[1], all[1]);
}

#[test]
fn a_profile_can_treat_games_differently() {
    let plan = plan(DUELS, "mixed");
    let runs: Vec<u32> = plan.cells.iter().map(|cell| cell.runs).collect();
    assert_eq!(runs, [20, 20, 6, 6]);
    let budgets: Vec<String> =
        plan.games.iter().map(|game| gamegrove_lab::budget_in_words(&game.clocks)).collect();
    assert_eq!(budgets, ["10 simulations", "5 simulations"]);
    let message = mistake("by_game = { three_dice", "by_game = { thre_dice");
    assert!(message.contains("no game of this file is called \"thre_dice\""), "{message}");
}

#[test]
fn published_speed_makes_a_budget() {
    let text = DUELS
        .replace("{ simulations = 10 }", "{ published_seconds = 2, at_most = 500 }")
        .replacen("label = \"Dice\"", "label = \"Dice\"\nsimulations_per_second = 39", 1)
        .replacen("label = \"Dice |", "simulations_per_second = 3093\nlabel = \"Dice |", 1);
    let plan = plan(&text, "full");
    let budgets: Vec<String> =
        plan.games.iter().map(|game| gamegrove_lab::budget_in_words(&game.clocks)).collect();
    assert_eq!(budgets, ["78 simulations", "500 simulations"]);
}

/// The real games, each looked at once.
#[derive(Default)]
struct Remembering(Mutex<HashMap<String, Facts>>);

impl Venue for Remembering {
    fn look(&self, game: &str) -> Result<Facts, String> {
        let mut known = self.0.lock().unwrap();
        if let Some(facts) = known.get(game) {
            return Ok(facts.clone());
        }
        let facts = Boards::default().look(game)?;
        known.insert(game.to_owned(), facts.clone());
        Ok(facts)
    }

    fn admit(&self, _: &str, _: &str, _: &[&Agent]) -> Result<(), String> {
        Ok(())
    }

    fn play(&self, _: &str, _: &Bout<'_>) -> Result<Played, String> {
        Err("these games are only looked at".to_owned())
    }
}

#[test]
fn every_shipped_experiment_is_sound_in_every_profile() {
    assert!(shipped().len() >= 8);
    let boards = Remembering::default();
    let mut identities = String::new();
    for experiment in shipped() {
        let spec =
            Spec::read(experiment.text).unwrap_or_else(|e| panic!("{}: {e}", experiment.name));
        // Experiments of our own belong to no table.
        assert!(spec.source.work == "Gamegrove" || !spec.source.table.is_empty());
        for profile in ["smoke", "quick", "full"] {
            assert!(spec.profile_names().contains(&profile), "{}: {profile}", experiment.name);
        }
        for profile in spec.profile_names() {
            let plan = Plan::new(experiment.name, spec.clone(), profile, &named_agent, &boards);
            let plan = plan.unwrap_or_else(|e| panic!("{}: {e}", experiment.name));
            assert!(plan.total() > 0);
            writeln!(identities, "{} {} {profile}", plan.hash, experiment.name).expect("a string");
        }
    }
    // A plan's hash covers the identities of all its cells. Where one changes, games that were
    // finished before no longer count; `GROVE_FREEZE=yes` writes the record anew.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen_identities.txt");
    if std::env::var_os("GROVE_FREEZE").is_some() {
        std::fs::write(&path, &identities).expect("the record can be written");
    }
    let recorded = std::fs::read_to_string(&path).expect("the record can be read");
    for (now, before) in identities.lines().zip(recorded.lines()) {
        assert_eq!(now, before, "cells of a shipped experiment have another identity");
    }
    assert_eq!(identities.lines().count(), recorded.lines().count());
}

#[test]
fn patience_multiplies_an_agents_budget_and_makes_another_game_of_it() {
    let patient =
        DUELS.replace(r#"{ name = "uct", label"#, r#"{ name = "uct", patience = 10, label"#);
    let (even, uneven) = (plan(DUELS, "full"), plan(&patient, "full"));
    assert_eq!(even.bout(0, 0).patience, [1, 1]);
    let patience: Vec<Vec<u32>> = (0..2).map(|run| uneven.bout(0, run).patience).collect();
    assert!(patience.contains(&vec![1, 10]) && patience.contains(&vec![10, 1]), "{patience:?}");
    assert_ne!(even.cells[0].id, uneven.cells[0].id);
    let wrong = patient.replace("patience = 10", "patience = 0");
    let error = Spec::read(&wrong).unwrap_err().to_string();
    assert!(error.contains("must be from 1 to 1000"), "{error}");
}
