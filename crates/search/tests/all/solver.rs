//! Proofs of the solver against separate full searches.

use std::collections::HashMap;

use crate::support::{game, mcts};
use gamegrove_game::{Game, Goal, Move, Rng, Role};
use gamegrove_search::{Budget, Part, Search, Stop};

/// The worth of a state for the first role by full search; one role chooses at a time.
fn minimax<G: Game>(game: &mut G, state: &G::State, known: &mut HashMap<G::State, f64>) -> f64 {
    if let Some(&worth) = known.get(state) {
        return worth;
    }
    let mut goals = vec![Goal::default(); game.role_count()];
    let worth = if game.is_terminal(state) {
        game.goals(state, &mut goals);
        f64::from(goals[0].0)
    } else {
        let legal: Vec<Vec<Move>> = Role::all(game.role_count())
            .map(|role| {
                let mut moves = Vec::new();
                game.legal_moves(state, role, &mut moves);
                moves
            })
            .collect();
        let chooser = legal.iter().position(|moves| moves.len() > 1).unwrap_or(0);
        let mut joint: Vec<Move> = legal.iter().map(|moves| moves[0]).collect();
        let mut best = f64::NAN;
        for &mov in &legal[chooser] {
            joint[chooser] = mov;
            let mut next = state.clone();
            game.apply(state, &joint, &mut next);
            let worth = minimax(game, &next, known);
            best = if chooser == 0 { best.max(worth) } else { best.min(worth) };
        }
        best
    };
    known.insert(state.clone(), worth);
    worth
}

fn solving(mode: &str) -> Part {
    mcts("uct", "random").with("solver", mode)
}

#[test]
fn tic_tac_toe_is_a_draw() {
    for mode in ["select", "explore"] {
        let mut game = game("tic_tac_toe");
        let mut search = Search::new(game.clone(), &solving(mode), 1).expect("good settings");
        search.set_root(&game.initial_state());
        let stop = search.run(&Budget::simulations(300_000));
        let bounds = search.proved().expect("there is a solver");
        assert_eq!(stop, Stop::Solved, "{mode}: {bounds:?}");
        assert_eq!((bounds.low, bounds.high), (50.0, 50.0));
    }
}

#[test]
fn proofs_equal_full_search_from_random_positions() {
    let mut game = game("tic_tac_toe");
    let mut known = HashMap::new();
    let mut rng = Rng::new(2);
    for round in 0..40 {
        let mut state = game.initial_state();
        for _ in 0..1 + round % 4 {
            let joint: Vec<Move> = Role::all(2)
                .map(|role| {
                    let mut moves = Vec::new();
                    game.legal_moves(&state, role, &mut moves);
                    rng.pick(&moves).expect("a move")
                })
                .collect();
            let mut next = state.clone();
            game.apply(&state, &joint, &mut next);
            state = next;
        }
        if game.is_terminal(&state) {
            continue;
        }
        let mut search = Search::new(game.clone(), &solving("explore"), round).expect("settings");
        search.set_root(&state);
        let stop = search.run(&Budget::simulations(100_000));
        let bounds = search.proved().expect("there is a solver");
        let worth = minimax(&mut game, &state, &mut known);
        assert!(bounds.low <= worth && worth <= bounds.high, "{bounds:?} {worth}");
        assert_eq!(stop, Stop::Solved);
        // The move played keeps what was proved.
        let joint: Vec<Move> =
            Role::all(2).map(|role| search.best_move(role).expect("a move")).collect();
        let mut next = state.clone();
        game.apply(&state, &joint, &mut next);
        assert_eq!(minimax(&mut game, &next, &mut known), worth);
    }
}

/// Goofspiel with prizes in ascending order: both reveal a card, the higher takes the prize, equals
/// discard it (cadiaplayer, section 14.2). The state is the history, so no states are equal.
#[derive(Clone)]
struct Goofspiel(u32);

impl Goofspiel {
    fn value(&self, history: &[(u32, u32)]) -> f64 {
        let points = history.iter().zip(1..).map(|(&(a, b), prize)| match a.cmp(&b) {
            std::cmp::Ordering::Greater => prize,
            std::cmp::Ordering::Less => -prize,
            std::cmp::Ordering::Equal => 0,
        });
        [0.0, 50.0, 100.0][(points.sum::<i32>().signum() + 1) as usize]
    }
}

impl Game for Goofspiel {
    type State = Vec<(u32, u32)>;

    fn role_count(&self) -> usize {
        2
    }

    fn move_bound(&self, _: Role) -> usize {
        self.0 as usize
    }

    fn initial_state(&mut self) -> Self::State {
        Vec::new()
    }

    fn is_terminal(&mut self, state: &Self::State) -> bool {
        state.len() == self.0 as usize
    }

    fn legal_moves(&mut self, state: &Self::State, role: Role, moves: &mut Vec<Move>) {
        let used = |card: u32| state.iter().any(|&(a, b)| [a, b][role.index()] == card);
        moves.clear();
        moves.extend((0..self.0).filter(|&card| !used(card)).map(Move));
    }

    fn apply(&mut self, state: &Self::State, joint: &[Move], next: &mut Self::State) {
        next.clone_from(state);
        next.push((joint[0].0, joint[1].0));
    }

    fn goals(&mut self, state: &Self::State, goals: &mut [Goal]) {
        let value = self.value(state);
        goals[0] = Goal(value as f32);
        goals[1] = Goal(100.0 - value as f32);
    }
}

#[test]
fn goofspiel_is_proved_even() {
    // The game is symmetric, so its value is 50; full trees have 1,313 states for four cards.
    for cards in [2, 3, 4] {
        let settings = solving("explore").with("table", false);
        let mut search = Search::new(Goofspiel(cards), &settings, 5).expect("good settings");
        search.set_root(&Vec::new());
        search.run(&Budget::simulations(20_000));
        let bounds = search.proved().expect("there is a solver");
        assert!(bounds.low <= 50.0 + 1e-6 && bounds.high >= 50.0 - 1e-6, "{cards}: {bounds:?}");
        assert!(bounds.is_exact(), "{cards}: {bounds:?}");
        assert!(search.tree().len() <= 1_313);
    }
}

#[test]
fn games_whose_goals_do_not_add_up_are_left_alone() {
    let mut game = game("tron");
    let mut search = Search::new(game.clone(), &solving("select"), 1).expect("good settings");
    search.set_root(&game.initial_state());
    search.run(&Budget::simulations(2_000));
    let bounds = search.proved().expect("there is a solver");
    assert_eq!((bounds.low, bounds.high), (0.0, 100.0));
}
