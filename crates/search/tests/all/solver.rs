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
        let bounds = search.proved(Role(0)).expect("there is a solver");
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
        let bounds = search.proved(Role(0)).expect("there is a solver");
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
/// discard it [Finnsson 2012, 6.6]. The state is the history, so no states are equal.
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
        let bounds = search.proved(Role(0)).expect("there is a solver");
        assert!(bounds.low <= 50.0 + 1e-6 && bounds.high >= 50.0 - 1e-6, "{cards}: {bounds:?}");
        assert!(bounds.is_exact(), "{cards}: {bounds:?}");
        assert!(search.tree().len() <= 1_313);
    }
}

/// A tree of random shape: some roles choose in each node, and the goals of ends are random, but those
/// of two never add up to 100.
#[derive(Clone)]
struct RandomTree {
    roles: usize,
    depth: u32,
    seed: u64,
    /// Whether several roles may choose at once.
    joint: bool,
}

impl RandomTree {
    fn draws(&self, path: &[u32]) -> Rng {
        path.iter().fold(Rng::new(self.seed), |mut rng, &step| {
            Rng::stream(rng.next_u64(), u64::from(step))
        })
    }

    fn counts(&self, path: &[u32]) -> Vec<usize> {
        let mut rng = self.draws(path);
        let chooser = rng.below(self.roles);
        let choices =
            |role: usize| if self.joint || role == chooser { 1 + rng.below(3) } else { 1 };
        (0..self.roles).map(choices).collect()
    }

    /// What a role can be sure of, and what it can hope for, by definition.
    fn bounds(&mut self, path: &Vec<u32>, role: usize) -> (f64, f64) {
        if self.is_terminal(path) {
            let mut goals = vec![Goal::default(); self.roles];
            self.goals(path, &mut goals);
            return (f64::from(goals[role].0), f64::from(goals[role].0));
        }
        let counts = self.counts(path);
        let mut rows = vec![(f64::INFINITY, 0.0f64); counts[role]];
        for number in 0..counts.iter().product() {
            let mut rest = number;
            let joint: Vec<Move> = counts
                .iter()
                .map(|count| {
                    let mov = Move((rest % count) as u32);
                    rest /= count;
                    mov
                })
                .collect();
            let mut next = Vec::new();
            self.apply(path, &joint, &mut next);
            let (low, high) = self.bounds(&next, role);
            let row = &mut rows[joint[role].index()];
            *row = (row.0.min(low), row.1.max(high));
        }
        let low = rows.iter().map(|row| row.0).fold(0.0, f64::max);
        (low, rows.iter().map(|row| row.1).fold(0.0, f64::max))
    }
}

impl Game for RandomTree {
    type State = Vec<u32>;

    fn role_count(&self) -> usize {
        self.roles
    }

    fn move_bound(&self, _: Role) -> usize {
        3
    }

    fn initial_state(&mut self) -> Self::State {
        Vec::new()
    }

    fn is_terminal(&mut self, state: &Self::State) -> bool {
        state.len() as u32 == self.depth
    }

    fn legal_moves(&mut self, state: &Self::State, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        moves.extend((0..self.counts(state)[role.index()] as u32).map(Move));
    }

    fn apply(&mut self, state: &Self::State, joint: &[Move], next: &mut Self::State) {
        next.clone_from(state);
        next.push(joint.iter().fold(0, |number, mov| number * 3 + mov.0));
    }

    fn goals(&mut self, state: &Self::State, goals: &mut [Goal]) {
        let mut rng = self.draws(state);
        goals.iter_mut().for_each(|goal| *goal = Goal([0.0, 30.0, 60.0, 90.0][rng.below(4)]));
    }
}

#[test]
fn roles_with_aims_of_their_own_have_bounds_of_their_own() {
    let mut exact = 0;
    for seed in 0..120 {
        let roles = 2 + seed as usize % 3;
        let mut tree = RandomTree { roles, depth: 4, seed, joint: seed % 2 == 0 };
        let settings = mcts("random", "random").with("solver", ["select", "explore"][roles % 2]);
        for role in Role::all(roles) {
            let search = Search::new(tree.clone(), &settings, seed).expect("good settings");
            let mut search = search.for_role(role);
            search.set_root(&Vec::new());
            let stop = search.run(&Budget::simulations(3_000));
            let found = search.proved(role).expect("there is a solver");
            let (low, high) = tree.bounds(&Vec::new(), role.index());
            assert!(
                found.low <= low && found.high >= high,
                "{seed} {role:?}: {found:?} {low} {high}"
            );
            assert_eq!(stop == Stop::Solved, found.is_exact(), "{seed} {role:?}");
            if found.is_exact() {
                exact += 1;
                let best = search.best_move(role).expect("a move");
                let counts = tree.counts(&[]);
                assert!(best.index() < counts[role.index()]);
            }
        }
    }
    assert!(exact >= 20, "{exact} of 360 roots were proved");
}

#[test]
fn a_win_among_three_is_proved_and_played() {
    /// The first role may win at once or let the others decide.
    #[derive(Clone)]
    struct Three;
    impl Game for Three {
        type State = Vec<u32>;
        fn role_count(&self) -> usize {
            3
        }
        fn move_bound(&self, _: Role) -> usize {
            3
        }
        fn initial_state(&mut self) -> Vec<u32> {
            Vec::new()
        }
        fn is_terminal(&mut self, state: &Vec<u32>) -> bool {
            state.first() == Some(&2) || state.len() == 4
        }
        fn legal_moves(&mut self, state: &Vec<u32>, role: Role, moves: &mut Vec<Move>) {
            moves.clear();
            let count = if state.len() % 3 == role.index() { 3 } else { 1 };
            moves.extend((0..count).map(Move));
        }
        fn apply(&mut self, state: &Vec<u32>, joint: &[Move], next: &mut Vec<u32>) {
            next.clone_from(state);
            next.push(joint[state.len() % 3].0);
        }
        fn goals(&mut self, state: &Vec<u32>, goals: &mut [Goal]) {
            let winner = if state.len() == 1 { 0 } else { 1 + state[3] as usize % 2 };
            goals.fill(Goal(0.0));
            goals[winner] = Goal(100.0);
        }
    }
    let mut search = Search::new(Three, &solving("select"), 1).expect("good settings");
    search.set_root(&Vec::new());
    assert_eq!(search.run(&Budget::simulations(1_000)), Stop::Solved);
    assert_eq!(search.best_move(Role(0)), Some(Move(2)));
    let report = search.report(Role(0));
    let proved = report.proved.expect("there is a solver");
    assert_eq!((proved.low, proved.high), (100.0, 100.0));
    let won = report.moves.iter().find(|found| found.mov == Move(2)).expect("it is legal");
    assert!(won.bounds.is_some_and(|bounds| bounds.low == 100.0) && report.solver_nodes > 0);
}

/// The first role has lost: by its first move after one answer, by its second after three more moves.
#[derive(Clone)]
struct Lost;

impl Game for Lost {
    type State = Vec<u32>;

    fn role_count(&self) -> usize {
        2
    }

    fn move_bound(&self, _: Role) -> usize {
        2
    }

    fn initial_state(&mut self) -> Vec<u32> {
        Vec::new()
    }

    fn is_terminal(&mut self, state: &Vec<u32>) -> bool {
        match state[..] {
            [0, answer, ..] => answer == 0 || state.len() >= 4,
            [1, first, _, second, ..] => first == 0 && second == 0 || state.len() >= 6,
            _ => false,
        }
    }

    fn legal_moves(&mut self, state: &Vec<u32>, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        let count = if state.len() % 2 == role.index() { 2 } else { 1 };
        moves.extend((0..count).map(Move));
    }

    fn apply(&mut self, state: &Vec<u32>, joint: &[Move], next: &mut Vec<u32>) {
        next.clone_from(state);
        next.push(joint[state.len() % 2].0);
    }

    fn goals(&mut self, state: &Vec<u32>, goals: &mut [Goal]) {
        let first_wins = match state[..] {
            [0, answer, ..] => answer != 0,
            _ => state.len() >= 6,
        };
        goals[usize::from(!first_wins)] = Goal(100.0);
        goals[usize::from(first_wins)] = Goal(0.0);
    }
}

#[test]
fn a_lost_position_is_defended_as_long_as_possible() {
    let proof = mcts("uct", "random").with("endgame", Part::named("proof"));
    for settings in [solving("select"), solving("explore"), proof] {
        for seed in 0..20 {
            let mut search = Search::new(Lost, &settings, seed).expect("good settings");
            search.set_root(&Vec::new());
            assert_eq!(search.run(&Budget::simulations(10_000)), Stop::Solved);
            let bounds = search.proved(Role(0)).expect("there are proofs");
            assert_eq!((bounds.low, bounds.high), (0.0, 0.0));
            assert_eq!(search.best_move(Role(0)), Some(Move(1)), "{settings}, seed {seed}");
        }
    }
}

/// The first role has lost. After its move 0 one of eight answers wins at once, and the others do after
/// seven more steps; after its move 1 one answer leads to the same seven steps, the other to three.
#[derive(Clone)]
struct Trap;

impl Game for Trap {
    /// The place of the token, and the steps so far.
    type State = (u32, u32);

    fn role_count(&self) -> usize {
        2
    }

    fn move_bound(&self, _: Role) -> usize {
        8
    }

    fn initial_state(&mut self) -> (u32, u32) {
        (0, 0)
    }

    fn is_terminal(&mut self, &(place, step): &(u32, u32)) -> bool {
        place == 3 || (place == 4 && step == 5) || step == 9
    }

    fn legal_moves(&mut self, &(place, step): &(u32, u32), role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        let count = match (place, role.index()) {
            (0, 0) => 2,
            (1, 1) => 8,
            (2, 1) => 2,
            (5, _) if step as usize % 2 == role.index() => 2,
            _ => 1,
        };
        moves.extend((0..count).map(Move));
    }

    fn apply(&mut self, &(place, step): &(u32, u32), joint: &[Move], next: &mut (u32, u32)) {
        let place = match (place, joint[0].0, joint[1].0) {
            (0, first, _) => 1 + first,
            (1, _, 7) => 3,
            (2, _, 1) => 4,
            (1 | 2, ..) => 5,
            (place, ..) => place,
        };
        *next = (place, step + 1);
    }

    fn goals(&mut self, _: &(u32, u32), goals: &mut [Goal]) {
        (goals[0], goals[1]) = (Goal(0.0), Goal(100.0));
    }
}

#[test]
fn a_move_that_loses_at_once_is_not_taken_for_one_that_resists() {
    for seed in 0..40 {
        let mut search = Search::new(Trap, &solving("select"), seed).expect("good settings");
        search.set_root(&(0, 0));
        assert_eq!(search.run(&Budget::simulations(10_000)), Stop::Solved);
        assert_eq!(search.best_move(Role(0)), Some(Move(1)), "seed {seed}");
    }
}

/// The first role draws by its move 0. By its move 1 it gets everything if any later move is the last of
/// eight, and nothing otherwise: in four lines of ten.
#[derive(Clone)]
struct Hope;

impl Game for Hope {
    type State = Vec<u32>;

    fn role_count(&self) -> usize {
        2
    }

    fn move_bound(&self, _: Role) -> usize {
        8
    }

    fn initial_state(&mut self) -> Vec<u32> {
        Vec::new()
    }

    fn is_terminal(&mut self, state: &Vec<u32>) -> bool {
        matches!(state[..], [0] | [_, _, _, _, _, ..])
    }

    fn legal_moves(&mut self, state: &Vec<u32>, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        let count = match state.len() {
            0 => 2,
            _ => 8,
        };
        let count = if state.len() % 2 == role.index() { count } else { 1 };
        moves.extend((0..count).map(Move));
    }

    fn apply(&mut self, state: &Vec<u32>, joint: &[Move], next: &mut Vec<u32>) {
        next.clone_from(state);
        next.push(joint[state.len() % 2].0);
    }

    fn goals(&mut self, state: &Vec<u32>, goals: &mut [Goal]) {
        let first = match state[..] {
            [0] => 50.0,
            _ if state.contains(&7) => 100.0,
            _ => 0.0,
        };
        (goals[0], goals[1]) = (Goal(first), Goal(100.0 - first));
    }
}

#[test]
fn a_proved_draw_is_played_before_a_move_that_brought_less_so_far() {
    let settings = mcts("random", "random").with("solver", "select").with("final", "visits");
    for seed in 0..20 {
        let mut search = Search::new(Hope, &settings, seed).expect("good settings");
        search.set_root(&Vec::new());
        assert_eq!(search.run(&Budget::simulations(400)), Stop::Simulations);
        assert_eq!(search.best_move(Role(0)), Some(Move(0)), "seed {seed}");
    }
}

#[test]
fn positions_near_the_end_are_solved_and_not_sampled() {
    let mut game = game("tic_tac_toe");
    let mut known = HashMap::new();
    let mut rng = Rng::new(9);
    let settings = mcts("uct", "random").with("endgame", "proof");
    let mut looked = 0;
    for round in 0..60 {
        let mut state = game.initial_state();
        let legal = |game: &mut _, state: &_, role| {
            let mut moves = Vec::new();
            Game::legal_moves(game, state, role, &mut moves);
            moves
        };
        let plies = 3 + round % 4;
        for _ in 0..plies {
            if game.is_terminal(&state) {
                break;
            }
            let joint: Vec<Move> = Role::all(2)
                .map(|role| rng.pick(&legal(&mut game, &state, role)).expect("a move"))
                .collect();
            let mut next = state.clone();
            game.apply(&state, &joint, &mut next);
            state = next;
        }
        if game.is_terminal(&state) {
            continue;
        }
        let mover = Role((plies % 2) as u8);
        let search = Search::new(game.clone(), &settings, round as u64).expect("good settings");
        let mut search = search.for_role(mover);
        search.set_root(&state);
        let stop = search.run(&Budget::simulations(7_000_000));
        assert_eq!((stop, search.simulations()), (Stop::Solved, 0));
        let report = search.report(mover);
        let side = |first: f64| if mover.0 == 0 { first } else { 100.0 - first };
        let bounds = report.proved.expect("it was proved");
        assert!(bounds.is_exact());
        assert_eq!(bounds.low, side(minimax(&mut game, &state, &mut known)));
        assert_eq!(Some(report.moves[0].mov), search.best_move(mover));
        for found in &report.moves {
            let mut joint: Vec<Move> =
                Role::all(2).map(|role| legal(&mut game, &state, role)[0]).collect();
            joint[mover.index()] = found.mov;
            let mut next = state.clone();
            game.apply(&state, &joint, &mut next);
            let bounds = found.bounds.expect("every move was looked at");
            assert!(bounds.is_exact());
            assert_eq!(bounds.low, side(minimax(&mut game, &next, &mut known)));
            looked += 1;
        }
        // With fewer simulations than positions nothing is looked at.
        let mut search = Search::new(game.clone(), &settings, 1).expect("settings").for_role(mover);
        search.set_root(&state);
        search.run(&Budget::simulations(2));
        assert_eq!(search.simulations(), 2);
    }
    assert!(looked > 100, "{looked}");
}
