//! The process around the answers: limits, recovery, tabling, speed.

use std::time::Duration;

use gamegrove_prolog::{Error, Prolog, Settings, Tabling, fastest, installed};

/// A walk along five places in either direction; `far` is recursive over the state.
const WALK: &str = "
    (role Walker)
    (init (at 1)) (init (step 0))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
    (<= (near ?x ?y) (succ ?x ?y))
    (<= (near ?x ?y) (near ?y ?x))
    (<= (legal walker (go ?y)) (true (at ?x)) (near ?x ?y))
    (<= (far ?x) (true (at ?x)))
    (<= (far ?y) (far ?x) (succ ?x ?y))
    (<= (next (at ?y)) (does ?r (go ?y)))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= terminal (true (step 5)))
    (<= (goal walker 100) (not (far 4)))
    (<= (goal walker 0) (far 4))";

fn settings(tabling: Tabling, seconds: u64) -> Settings {
    Settings { tabling, timeout: Duration::from_secs(seconds), memory: 256 }
}

fn facts(list: &[&str]) -> Vec<String> {
    list.iter().map(|fact| (*fact).into()).collect()
}

#[test]
fn tables_follow_the_state() {
    if !installed() {
        return;
    }
    for tabling in [Tabling::Recursive, Tabling::Everything] {
        let mut prolog = Prolog::start(WALK, settings(tabling, 60)).unwrap();
        assert_eq!(prolog.roles(), ["walker"]);
        let init = facts(&["(at 1)", "(step 0)"]);
        assert_eq!(prolog.init(), init);
        for _ in 0..2 {
            let first = prolog.state(&init).unwrap();
            assert!(!first.terminal);
            assert_eq!(first.legal, [["(go 0)", "(go 2)"]]);
            assert_eq!(first.goals, [["0"]]);
            for (made, place) in [("(go 2)", "(at 2)"), ("(go 0)", "(at 0)")] {
                let next = prolog.next(&init, &facts(&[made])).unwrap();
                assert_eq!(next, facts(&[place, "(step 1)"]));
            }
            let last = prolog.state(&facts(&["(at 5)", "(step 5)"])).unwrap();
            assert!(last.terminal);
            assert_eq!(last.legal, [["(go 4)"]]);
            assert_eq!(last.goals, [["100"]]);
        }
    }
}

#[test]
fn whole_facts_answer_like_split_ones() {
    if !installed() {
        return;
    }
    let rulesheet = "(role r) (init (a 1)) (init b) (kept b) (legal r wait)
        (<= (next ?f) (true ?f) (kept ?f)) (<= terminal (not (true (a 1))))";
    let mut prolog = Prolog::start(rulesheet, settings(Tabling::Recursive, 60)).unwrap();
    let init = prolog.init().to_vec();
    assert_eq!(init, ["(a 1)", "b"]);
    assert!(!prolog.state(&init).unwrap().terminal);
    let next = prolog.next(&init, &facts(&["wait"])).unwrap();
    assert_eq!(next, ["b"]);
    assert!(prolog.state(&next).unwrap().terminal);
}

/// Without tables the walk's `near` never ends; the process survives its own time limit.
#[test]
fn an_endless_answer_is_given_up() {
    if !installed() {
        return;
    }
    let endless = "(role r) (init a) (<= p p) (<= terminal (true b) p)";
    let mut prolog = Prolog::start(endless, settings(Tabling::Nothing, 1)).unwrap();
    let error = prolog.state(&facts(&["a", "b"])).unwrap_err();
    assert!(matches!(error, Error::Timeout(_)), "{error}");
    assert!(!prolog.state(&facts(&["a"])).unwrap().terminal);
    let deep = prolog_error(WALK, settings(Tabling::Nothing, 60));
    assert!(matches!(deep, Error::Raised(_)), "{deep}");
}

fn prolog_error(rulesheet: &str, settings: Settings) -> Error {
    let mut prolog = Prolog::start(rulesheet, settings).unwrap();
    let init = prolog.init().to_vec();
    prolog.state(&init).unwrap_err()
}

#[test]
fn unsafe_answers_and_wrong_questions_are_errors() {
    if !installed() {
        return;
    }
    let error = prolog_error("(role r) (legal r (go ?x))", settings(Tabling::Recursive, 60));
    assert_eq!(error.to_string(), "Prolog: unbound_variable_in_an_answer");
    let mut prolog = Prolog::start(WALK, settings(Tabling::Recursive, 60)).unwrap();
    for wrong in ["(at", "(at ?x)", "a b", ""] {
        let error = prolog.state(&facts(&[wrong])).unwrap_err();
        assert!(matches!(error, Error::Syntax { .. }), "{wrong}: {error}");
    }
}

#[test]
fn random_games_are_timed_and_counted() {
    if !installed() {
        return;
    }
    let speed = fastest(WALK, 0.2, 7, 256).unwrap();
    assert!(speed.games > 0 && speed.states >= 5 * speed.games, "{speed:?}");
    assert_eq!(speed.mean_length, 5.0);
    assert!(speed.seconds >= 0.2, "{speed:?}");
    let stuck = "(role r) (init a) (<= (legal r b) (true c))";
    let error = fastest(stuck, 0.2, 7, 256).unwrap_err();
    assert_eq!(error.to_string(), "Prolog: no_legal_move_for(r)");
}
