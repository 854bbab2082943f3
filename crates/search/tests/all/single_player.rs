//! Games of one role: a solution that was found once is played to its end.

use crate::support::{game, game_of, mcts};
use gamegrove_game::{Game, Goal, Move, Rng, Role};
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
    // [Finnsson 2012, 4]. Chance finds the word once in 4096 games.
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

/// A maze without a clock: squares with walls between some of them, ends worth 100 and less.
#[derive(Clone)]
struct Maze {
    ways: Vec<Vec<u32>>,
    goals: Vec<Option<f32>>,
}

impl Maze {
    fn random(seed: u64, best: f32) -> Maze {
        let mut rng = Rng::new(seed);
        let squares = 40;
        let ways = |_| (0..2 + rng.below(3)).map(|_| rng.below(squares) as u32).collect();
        let ways: Vec<Vec<u32>> = (0..squares).map(ways).collect();
        let mut goals = vec![None; squares];
        (0..6).for_each(|_| goals[1 + rng.below(squares - 1)] = Some(rng.below(60) as f32));
        goals[1 + rng.below(squares - 1)] = Some(best);
        Maze { ways, goals }
    }

    /// The best goal that can be reached and the fewest steps to it, level by level.
    fn best(&self) -> Option<(f32, usize)> {
        let mut level = vec![0u32];
        let mut known = vec![false; self.ways.len()];
        let mut best: Option<(f32, usize)> = None;
        for steps in 0.. {
            level.retain(|&at| !std::mem::replace(&mut known[at as usize], true));
            for &at in &level {
                if let Some(goal) = self.goals[at as usize]
                    && best.is_none_or(|(top, _)| goal > top)
                {
                    best = Some((goal, steps));
                }
            }
            let open = level.iter().filter(|&&at| self.goals[at as usize].is_none());
            let next: Vec<u32> = open.flat_map(|&at| self.ways[at as usize].clone()).collect();
            if next.is_empty() {
                break;
            }
            level = next;
        }
        best
    }
}

impl Game for Maze {
    type State = u32;

    fn role_count(&self) -> usize {
        1
    }

    fn move_bound(&self, _: Role) -> usize {
        self.ways.len()
    }

    fn initial_state(&mut self) -> u32 {
        0
    }

    fn is_terminal(&mut self, state: &u32) -> bool {
        self.goals[*state as usize].is_some()
    }

    fn legal_moves(&mut self, state: &u32, _: Role, moves: &mut Vec<Move>) {
        moves.clear();
        moves.extend(self.ways[*state as usize].iter().map(|&to| Move(to)));
        moves.sort_unstable();
        moves.dedup();
    }

    fn apply(&mut self, _: &u32, joint: &[Move], next: &mut u32) {
        *next = joint[0].0;
    }

    fn goals(&mut self, state: &u32, goals: &mut [Goal]) {
        goals[0] = Goal(self.goals[*state as usize].unwrap_or(0.0));
    }
}

#[test]
fn ever_longer_lines_find_a_shortest_solution() {
    a_shortest_solution_is_played("ida_star");
}

#[test]
fn positions_met_by_their_distance_lead_to_a_shortest_solution() {
    a_shortest_solution_is_played("proof");
}

fn a_shortest_solution_is_played(endgame: &str) {
    let settings = mcts("uct", "random").with("endgame", endgame);
    let (mut solved, mut longest) = (0, 0);
    for seed in 0..60 {
        let mut maze = Maze::random(seed, 100.0);
        let Some((100.0, fewest)) = maze.best() else { continue };
        let mut search = Search::new(maze.clone(), &settings, seed).expect("good settings");
        let (mut state, mut steps) = (0, 0);
        while !maze.is_terminal(&state) {
            search.set_root(&state);
            // A single way needs no search; otherwise nothing is sampled.
            let stop = search.run(&Budget::simulations(100_000));
            let choices =
                maze.ways[state as usize].iter().collect::<std::collections::HashSet<_>>();
            if choices.len() > 1 {
                assert_eq!((stop, search.simulations()), (Stop::Solved, 0), "{seed}");
                let bounds = search.proved(Role(0)).expect("it was proved");
                assert_eq!((bounds.low, bounds.high), (100.0, 100.0));
            }
            state = search.best_move(Role(0)).expect("play goes on").0;
            steps += 1;
        }
        assert_eq!((maze.goals[state as usize], steps), (Some(100.0), fewest), "{seed}");
        (solved, longest) = (solved + 1, longest.max(fewest));
    }
    assert!(solved > 20 && longest >= 4, "{solved} {longest}");
}

#[test]
fn where_nothing_is_left_to_look_at_the_best_goal_is_proved() {
    let mut proved = 0;
    for seed in 0..80 {
        let endgame = if seed % 2 == 0 { "ida_star" } else { "proof" };
        let settings = mcts("uct", "random").with("endgame", endgame);
        let mut maze = Maze::random(seed, 80.0);
        let Some((best, _)) = maze.best() else { continue };
        let mut search = Search::new(maze.clone(), &settings, seed).expect("good settings");
        search.set_root(&maze.initial_state());
        if search.run(&Budget::simulations(100_000)) == Stop::Solved {
            let bounds = search.proved(Role(0)).expect("it was proved");
            assert_eq!((bounds.low, bounds.high), (f64::from(best), f64::from(best)), "{seed}");
            proved += 1;
        }
    }
    assert!(proved > 40, "{proved}");
}

#[test]
fn where_all_lines_end_the_best_goal_is_proved() {
    // Every word of the lock ends after twelve steps; from here 100 cannot be reached any more.
    let mut game = game_of(&combination_lock());
    let settings = mcts("uct", "random").with("endgame", "ida_star");
    let mut search = Search::new(game.clone(), &settings, 5).expect("good settings");
    let start = game.initial_state();
    search.set_root(&start);
    assert_eq!(search.run(&Budget::simulations(50_000)), Stop::Solved);
    assert_eq!(search.proved(Role(0)).map(|bounds| bounds.low), Some(100.0));
    let right = search.best_move(Role(0)).expect("play goes on");
    let mut legal = Vec::new();
    game.legal_moves(&start, Role(0), &mut legal);
    let wrong = legal.into_iter().find(|&mov| mov != right).expect("there are two");
    let mut state = start.clone();
    game.apply(&start, &[wrong], &mut state);
    search.set_root(&state);
    assert_eq!(search.run(&Budget::simulations(50_000)), Stop::Solved);
    let bounds = search.proved(Role(0)).expect("it was proved");
    assert!(bounds.is_exact() && bounds.low < 100.0, "{bounds:?}");
    // With few positions it is sampled.
    search.set_root(&start);
    search.run(&Budget::simulations(30));
    assert_eq!(search.simulations(), 30);
}

/// Plays a shipped game of one role; the first move may take so many positions, all others hardly any.
/// The points and the moves.
fn play_shipped(name: &str, positions: u64) -> (f32, u32) {
    let mut game = game(name);
    let settings = mcts("uct", "random").with("endgame", "proof");
    let mut search = Search::new(game.clone(), &settings, 1).expect("good settings");
    let (mut state, mut steps) = (game.initial_state(), 0);
    while !game.is_terminal(&state) {
        search.set_root(&state);
        let budget = if steps == 0 { positions } else { 10 };
        assert_eq!(search.run(&Budget::simulations(budget)), Stop::Solved, "{name}, step {steps}");
        let mov = search.best_move(Role(0)).expect("play goes on");
        let mut next = state.clone();
        game.apply(&state, &[mov], &mut next);
        (state, steps) = (next, steps + 1);
    }
    // A search of a position in which play is over comes to an end, too.
    search.set_root(&state);
    search.run(&Budget::simulations(10));
    assert_eq!(search.best_move(Role(0)), None);
    let mut goals = [Goal(0.0)];
    game.goals(&state, &mut goals);
    (goals[0].0, steps)
}

#[test]
fn a_line_that_was_found_is_played_to_its_end() {
    assert_eq!(play_shipped("hanoi", 50_000), (100.0, 31));
    // There are too many positions to meet all: lines are followed.
    assert_eq!(play_shipped("knights_tour", 20_000), (100.0, 63));
}
