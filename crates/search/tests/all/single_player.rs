//! Games of one role: a solution that was found once is played to its end.

use crate::support::{game_of, mcts};
use gamegrove_game::{Game, Goal, Role};
use gamegrove_search::{Budget, Part, Search, Stop};

/// Twelve steps with two moves each; the word `abbabaababba` is worth 100, others what they share
/// with it at their beginning, less than 20 in all.
fn combination_lock() -> Vec<u8> {
    let word = "abbabaababba";
    let mut rules = String::from(
        "(role robot) (init (step 0)) (init (good 0))
         (<= (legal robot a) (true (step ?s)) (next_step ?s ?t))
         (<= (legal robot b) (true (step ?s)) (next_step ?s ?t))
         (<= (next (step ?t)) (true (step ?s)) (next_step ?s ?t))
         (<= (next (good ?t)) (true (step ?s)) (true (good ?s)) (next_step ?s ?t)
             (right ?s ?m) (does robot ?m))
         (<= (next (good ?g)) (true (step ?s)) (true (good ?g)) (distinct ?s ?g))
         (<= (next (good ?s)) (true (step ?s)) (true (good ?s)) (right ?s ?m)
             (does robot ?n) (distinct ?m ?n))
         (<= terminal (true (step 12)))
         (<= (goal robot 100) (true (good 12)))
         (<= (goal robot ?g) (true (good ?g)) (distinct ?g 12))\n",
    );
    for (at, letter) in word.chars().enumerate() {
        rules += &format!("(next_step {at} {}) (right {at} {letter})\n", at + 1);
    }
    rules.into_bytes()
}

fn play(settings: &Part, seed: u64) -> (Goal, Vec<Stop>) {
    let mut game = game_of(&combination_lock());
    let mut search = Search::new(game.clone(), settings, seed).expect("good settings");
    let mut state = game.initial_state();
    let mut stops = Vec::new();
    while !game.is_terminal(&state) {
        search.set_root(&state);
        stops.push(search.run(&Budget::simulations(if stops.is_empty() { 6000 } else { 20 })));
        let mov = search.best_move(Role(0)).expect("play goes on");
        let mut next = state.clone();
        game.apply(&state, &[mov], &mut next);
        state = next;
    }
    let mut goals = [Goal::default()];
    game.goals(&state, &mut goals);
    (goals[0], stops)
}

#[test]
fn a_solution_is_never_forgotten() {
    // cadiaplayer, section 17, check 12. Chance finds the word once in 4096 games.
    for reuse in ["graph", "tree"] {
        let settings = mcts("uct", "random")
            .with("best_line", true)
            .with("final", "maximum")
            .with("reuse", reuse);
        for seed in 0..3 {
            let (goal, stops) = play(&settings, seed);
            assert_eq!(stops[0], Stop::Solved, "{reuse} {seed}");
            assert_eq!(goal, Goal(100.0), "{reuse} {seed}");
        }
    }
}

#[test]
fn the_greatest_return_decides_and_not_the_mean() {
    // Without the line in the tree the search may know that 100 was seen below a move, and
    // nothing more: the move with the greatest return is played all the same.
    let mut game = game_of(&combination_lock());
    let settings = mcts("random", "random").with("final", "maximum").with("tree_depth", 1.0);
    let mut search = Search::new(game.clone(), &settings, 5).expect("good settings");
    search.set_root(&game.initial_state());
    search.run(&Budget::simulations(20_000));
    let root = search.tree().ids().next().expect("a root");
    let best = search.tree().best(root, Role(0)).to_vec();
    assert_eq!(best.iter().copied().fold(0.0, f32::max), 100.0);
    let place = best.iter().position(|&value| value == 100.0).expect("found");
    assert!(best.iter().filter(|&&value| value == 100.0).count() == 1);
    let played = search.best_move(Role(0));
    assert_eq!(played, Some(search.tree().moves(root, Role(0))[place]));
}
