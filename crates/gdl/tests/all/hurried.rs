//! Provers that were set up in a hurry, and provers that are told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gamegrove_game::{Describe, Fault, Game, Goal, Move, Rng, Role};
use gamegrove_gdl::{Prover, ProverError, ProverLimits, Rulesheet};

fn shipped(name: &str) -> Rulesheet {
    let path = format!("{}/../../games/gdl/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    Rulesheet::load(&std::fs::read(path).expect("the game ships")).expect("sound rules")
}

fn legal(game: &mut Prover, facts: &[String], role: Role) -> Vec<String> {
    let state = game.state_of(facts).expect("facts of the game");
    let mut moves: Vec<Move> = Vec::new();
    game.legal_moves(&state, role, &mut moves);
    let mut names: Vec<String> = moves.iter().map(|&mov| game.move_name(role, mov)).collect();
    names.sort_unstable();
    names
}

#[test]
fn haste_changes_speed_and_no_answer() {
    for name in ["tic_tac_toe", "breakthrough", "chess", "tron", "connect_four"] {
        let program = shipped(name).program;
        let mut slow = Prover::new(&program).expect("a game");
        let hurried = ProverLimits { samples: 1, static_steps: 200_000, ..ProverLimits::default() };
        let none = ProverLimits { samples: 0, static_steps: 1_000, ..hurried };
        for limits in [hurried, none] {
            let mut fast = Prover::with_limits(&program, limits).expect("a game");
            let (mut rng, mut state) = (Rng::new(3), slow.initial_state());
            let mut next = state.clone();
            for step in 0..12 {
                let facts = slow.facts(&state);
                let twin = fast.state_of(&facts).expect("the same facts");
                assert_eq!(fast.is_terminal(&twin), slow.is_terminal(&state), "{name} {step}");
                let roles = slow.role_count();
                let mut goals = [vec![Goal::default(); roles], vec![Goal::default(); roles]];
                fast.goals(&twin, &mut goals[0]);
                slow.goals(&state, &mut goals[1]);
                assert_eq!(goals[0], goals[1], "{name} {step}");
                if slow.is_terminal(&state) {
                    break;
                }
                let mut joint: Vec<Move> = Vec::new();
                for role in Role::all(roles) {
                    let names = legal(&mut slow, &facts, role);
                    assert_eq!(legal(&mut fast, &facts, role), names, "{name} {step}");
                    let name = &names[rng.below(names.len())];
                    joint.push(slow.find_move(role, name).expect("a move"));
                }
                slow.apply(&state, &joint, &mut next);
                std::mem::swap(&mut state, &mut next);
            }
        }
    }
}

/// A question with 60 to the power of 7 cases.
const RIDDLE: &str = "(role a) (init x) (legal a go) (<= (next x) (true x)) (goal a 50) \
    (<= terminal (not (true x))) (<= (fine ?a ?b ?c ?d ?e ?f ?g) (true x) (value ?a) (value ?b) \
    (value ?c) (value ?d) (value ?e) (value ?f) (value ?g)) (<= (next y) (value ?a) (value ?b) (value ?c) \
    (value ?d) (value ?e) (value ?f) (value ?g) (not (fine ?a ?b ?c ?d ?e ?f ?g))) ";

#[test]
fn a_stopped_prover_gives_up_its_question() {
    let values: String = (0..60).map(|value| format!("(value {value}) ")).collect();
    let rules = format!("{RIDDLE}{values}");
    let program = Rulesheet::load(rules.as_bytes()).expect("sound rules").program;
    let limits = ProverLimits { samples: 0, work: u64::MAX, ..ProverLimits::default() };
    let stop = Arc::new(AtomicBool::new(false));
    let mut game = match Prover::stoppable(&program, limits, &stop) {
        Ok(game) => game,
        Err(error) => panic!("{error}"),
    };
    let state = game.initial_state();
    let setter = Arc::clone(&stop);
    let thread = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        setter.store(true, Ordering::Relaxed);
    });
    // Without the flag this would not come back.
    let mut next = state.clone();
    game.apply(&state, &[Move(0)], &mut next);
    thread.join().expect("it sleeps and ends");
    assert_eq!(game.take_fault(), Some(Fault::Stopped));
    // A prover that is told to stop while it is set up says so, or stops at its first question.
    match Prover::stoppable(&program, limits, &stop) {
        Err(error) => assert_eq!(error, ProverError::Limit(Fault::Stopped)),
        Ok(mut game) => {
            game.apply(&state, &[Move(0)], &mut next);
            assert_eq!(game.take_fault(), Some(Fault::Stopped));
        }
    }
}
