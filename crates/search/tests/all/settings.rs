//! Settings that exclude each other, and settings that have no effect.

use crate::support::game;
use gamegrove_propnet::Propnet;
use gamegrove_search::{NoEffect, Search, SettingsError};
use gamegrove_settings::spec::parse;

fn search(options: &str) -> Result<Search<Propnet>, SettingsError> {
    Search::new(game("tic_tac_toe"), &parse(&format!("mcts({options})")).expect("a spec"), 1)
}

#[test]
fn given_settings_that_exclude_each_other_are_refused_by_name() {
    for (first, second) in [
        ("solver=select", "tree=open"),
        ("solver=explore", "simultaneous=sequential"),
        ("solver=select", "expand=groups"),
        ("transpositions=uct3", "tree=open"),
        ("transpositions=uct2", "simultaneous=sequential"),
        ("table=true", "tree=open"),
        ("lanes=true", "tree=open"),
        ("lanes=true", "parallel=tree"),
        ("lanes=true", "expansions=100"),
        ("lanes=true", "cutoff=early"),
        ("lanes=true", "tactic=decisive"),
        ("lanes=true", "best_line=true"),
        ("parallel=tree", "tree=open"),
        ("best_line=true", "tree=open"),
        ("endgame=proof", "tree=open"),
        ("expand=groups", "tree=open"),
    ] {
        for (one, other) in [(first, second), (second, first)] {
            let error = search(&format!("{one}, {other}")).err().expect("they exclude each other");
            let message = error.to_string();
            let both = format!("`{first}` and `{second}` of `mcts` exclude each other: ");
            assert!(message.starts_with(&both), "{message}");
        }
    }
    for sound in [
        "tree=open",
        "tree=open, solver=off, lanes=false, table=false",
        "tree=closed, solver=select, endgame=proof",
        "simultaneous=sequential",
        "expansions=100",
    ] {
        assert!(search(sound).is_ok(), "{sound}");
    }
}

#[test]
fn settings_without_effect_are_named_with_the_reason() {
    let idle = |options: &str, lanes: bool| -> Vec<(String, &str)> {
        let found = search(options).expect("sound settings").without_effect(lanes);
        found.into_iter().map(|NoEffect { setting, reason }| (setting, reason)).collect()
    };
    let one = |setting: &str, reason: &'static str| vec![(setting.to_owned(), reason)];
    assert_eq!(idle("solver=select, keep_steps=3, lanes=true", true), []);
    assert_eq!(idle("", false), []);
    assert_eq!(idle("lanes=false", false), []);
    assert_eq!(idle("lanes=true", false), one("lanes=true", "this reasoner has no lanes"));
    assert_eq!(
        idle("leaf_playouts=4", false),
        one("leaf_playouts=4", "this reasoner has no lanes")
    );
    let found = idle("best_line=true, lanes=false", false);
    assert_eq!(found, one("best_line=true", "it is for games of one role"));
    assert_eq!(idle("parallel=tree", true), one("parallel=tree", "there is one thread"));
    assert_eq!(
        idle("reuse=tree, keep_steps=3", true),
        one("keep_steps=3", "it is for `reuse=graph`")
    );
    let reason = "a strategy looks at the facts of states, which lanes do not list";
    assert_eq!(idle("playout=past", false), one("lanes=true", reason), "the default too");
    assert_eq!(idle("playout=past, lanes=true", false), one("lanes=true", reason));
    assert_eq!(idle("playout=past, lanes=false", false), []);
}
