//! The oracle on small rulesheets for which it is known what a reasoner must answer.

use std::collections::BTreeSet;
use std::fs;

use gamegrove_prolog::{Prolog, Settings, installed};
use gamegrove_testdata::shared;

/// A process on one of the rulesheets, or `None` where data or Prolog are missing.
fn start(name: &str) -> Option<Prolog> {
    let folder = shared("conformance/gdl/ggp-base")?;
    let rulesheet = fs::read_to_string(folder.join(format!("{name}.kif"))).unwrap();
    installed().then(|| Prolog::start(&rulesheet, Settings::default()).unwrap())
}

/// One role, `moves` at the start; after `made` the game is over and worth 100.
fn one_step(name: &str, moves: &[&str], made: &str) {
    let Some(mut prolog) = start(name) else { return };
    let init = prolog.init().to_vec();
    let first = prolog.state(&init).unwrap();
    assert!(!first.terminal, "{name}");
    assert_eq!(first.legal, [moves], "{name}");
    let next = prolog.next(&init, &[made.into()]).unwrap();
    let last = prolog.state(&next).unwrap();
    assert!(last.terminal, "{name}");
    assert_eq!(last.goals, [["100"]], "{name}");
}

#[test]
fn rules_with_one_step() {
    one_step("test_case_1a", &["proceed"], "proceed");
    one_step("test_case_3c", &["win"], "win");
    one_step("test_case_5a", &["proceed"], "proceed");
    one_step("test_case_5b", &["(draw 1 1 1 2)"], "(draw 1 1 1 2)");
    one_step("test_case_5c", &["proceed"], "proceed");
    one_step("test_case_5d", &["proceed"], "proceed");
    let reductions = ["a 0", "a 1", "c 0", "c 1", "c 2", "c 3", "c 4"];
    let reductions = reductions.map(|what| format!("(reduce {what})"));
    one_step("test_case_5e", &reductions.each_ref().map(String::as_str), "(reduce c 4)");
    one_step("test_distinct_beginning_rule", &["(do a b)", "(do b a)"], "(do a b)");
    one_step("test_clean_not_distinct", &["proceed"], "proceed");
}

#[test]
fn a_goal_before_the_end() {
    let Some(mut prolog) = start("test_case_1a") else { return };
    let init = prolog.init().to_vec();
    assert_eq!(prolog.state(&init).unwrap().goals, [["100"]]);
}

#[test]
fn tic_tac_toe() {
    let Some(mut prolog) = start("ticTacToe") else { return };
    assert_eq!(prolog.roles(), ["xplayer", "oplayer"]);
    let mut state = prolog.init().to_vec();
    assert_eq!(state.len(), 10);
    assert_eq!(prolog.state(&state).unwrap().legal[0].len(), 9);
    for (mover, made) in [
        (0, "(mark 1 1)"),
        (1, "(mark 1 3)"),
        (0, "(mark 3 1)"),
        (1, "(mark 2 2)"),
        (0, "(mark 2 1)"),
    ] {
        let answers = prolog.state(&state).unwrap();
        assert!(!answers.terminal);
        assert!(answers.legal[mover].iter().any(|legal| legal == made), "{made}");
        assert_eq!(answers.legal[1 - mover], ["noop"]);
        let mut joint = ["noop".to_string(), "noop".to_string()];
        joint[mover] = made.into();
        state = prolog.next(&state, &joint).unwrap();
    }
    let answers = prolog.state(&state).unwrap();
    assert!(answers.terminal);
    assert_eq!(answers.goals, [["100"], ["0"]]);
}

/// 5,478 is known from many sources; it takes every query of the oracle thousands of times.
#[test]
fn tic_tac_toe_has_5478_states() {
    let Some(mut prolog) = start("ticTacToe") else { return };
    let init = prolog.init().to_vec();
    let mut seen = BTreeSet::from([init.clone()]);
    let mut open = vec![init];
    while let Some(state) = open.pop() {
        let answers = prolog.state(&state).unwrap();
        if answers.terminal {
            continue;
        }
        for x in &answers.legal[0] {
            for o in &answers.legal[1] {
                let next = prolog.next(&state, &[x.clone(), o.clone()]).unwrap();
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    assert_eq!(seen.len(), 5478);
}
