//! Choices: each legal move as likely as the policy says, made with the lane's own numbers.

use std::collections::BTreeMap;

use gamegrove_game::{
    Driver, Finish, Game, Lanes, Move, MoveSet, Preference, Preferred, Rng, Role, Start,
};
use gamegrove_propnet::{Bits, Propnet, PropnetLanes, Width};

use super::{play, shipped};

/// Counts the first moves of play-outs, chosen uniformly or by weights.
struct Counter<const CHOOSES: bool> {
    left: u32,
    weights: Vec<f32>,
    counts: Vec<BTreeMap<Move, u32>>,
}

impl<const CHOOSES: bool> Counter<CHOOSES> {
    fn new(roles: usize, left: u32, weights: &[f32]) -> Self {
        Counter { left, weights: weights.to_vec(), counts: vec![BTreeMap::new(); roles] }
    }
}

impl<const CHOOSES: bool> Driver<Bits> for Counter<CHOOSES> {
    fn chooses(&self) -> bool {
        CHOOSES
    }

    fn watches(&self) -> bool {
        true
    }

    fn start(&mut self, _lane: usize, start: &mut Start<Bits>) -> bool {
        start.limit = 1;
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    fn choose(&mut self, _lane: usize, _role: Role, legal: MoveSet<'_>, rng: &mut Rng) -> Move {
        legal.pick_weighted(&self.weights, rng).expect("a legal move")
    }

    fn moved(&mut self, _lane: usize, joint: &[Move]) {
        for (counts, &mov) in self.counts.iter_mut().zip(joint) {
            *counts.entry(mov).or_default() += 1;
        }
    }

    fn finished(&mut self, lane: usize, finish: &Finish<'_>) {
        if !CHOOSES {
            self.moved(lane, finish.moves);
        }
    }
}

/// Counts against chances: six standard deviations each.
fn check(counts: &BTreeMap<Move, u32>, chances: &BTreeMap<Move, f64>, what: &str) {
    let draws = f64::from(counts.values().sum::<u32>());
    assert!(counts.keys().all(|mov| chances.contains_key(mov)), "{what}: {counts:?}");
    for (mov, chance) in chances {
        let seen = f64::from(counts.get(mov).copied().unwrap_or(0));
        let tolerance = 6.0 * (draws * chance * (1.0 - chance)).sqrt();
        let expected = draws * chance;
        assert!((seen - expected).abs() <= tolerance, "{what}: {mov:?} {seen} for {expected}");
    }
}

#[test]
fn all_moves_are_equally_likely() {
    for name in ["tic_tac_toe", "connect_four", "breakthrough", "chess", "tron"] {
        let network = shipped(name);
        let mut game: Propnet = Propnet::new(&network).expect("a sound network");
        let state = game.initial_state();
        let lanes = PropnetLanes::new(&network).expect("a sound network");
        for width in Width::all() {
            let mut counter = Counter::<false>::new(game.role_count(), 40_000, &[]);
            lanes.with_width(width).run(3, &mut counter);
            for role in Role::all(game.role_count()) {
                let mut legal = Vec::new();
                game.legal_moves(&state, role, &mut legal);
                let chance = 1.0 / legal.len() as f64;
                let chances = legal.into_iter().map(|mov| (mov, chance)).collect();
                check(&counter.counts[role.index()], &chances, &format!("{name}, {width}"));
            }
        }
    }
}

#[test]
fn a_table_of_weights_is_followed() {
    let network = shipped("breakthrough");
    let mut game: Propnet = Propnet::new(&network).expect("a sound network");
    let state = game.initial_state();
    let bound = game.move_bound(Role(0));
    let weights: Vec<f32> = (0..bound).map(|mov| (mov % 5) as f32).collect();
    let mut counter = Counter::<true>::new(game.role_count(), 40_000, &weights);
    PropnetLanes::new(&network).expect("a sound network").run(3, &mut counter);
    for role in Role::all(game.role_count()) {
        let mut legal = Vec::new();
        game.legal_moves(&state, role, &mut legal);
        let weight = |mov: Move| f64::from(weights[mov.index()]);
        let total: f64 = legal.iter().map(|&mov| weight(mov)).sum();
        let share = |mov| if total > 0.0 { weight(mov) / total } else { 1.0 };
        let chances = legal.iter().map(|&mov| (mov, share(mov))).collect();
        check(&counter.counts[role.index()], &chances, "weighted");
    }
}

/// Plays greedily by a table, and keeps what came of it.
struct Greedy<'a> {
    left: u32,
    values: &'a [f32],
    numbers: BTreeMap<usize, u64>,
    steps: BTreeMap<u64, u32>,
}

impl Driver<Bits> for Greedy<'_> {
    fn chooses(&self) -> bool {
        true
    }

    fn start(&mut self, lane: usize, start: &mut Start<Bits>) -> bool {
        self.numbers.insert(lane, start.number);
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    fn choose(&mut self, _lane: usize, _role: Role, legal: MoveSet<'_>, rng: &mut Rng) -> Move {
        legal.pick_greedy(self.values, 0.0, 0.4, rng).expect("a legal move")
    }

    fn finished(&mut self, lane: usize, finish: &Finish<'_>) {
        self.steps.insert(self.numbers[&lane], finish.steps);
    }
}

#[test]
fn a_drivers_choices_use_the_playouts_own_numbers() {
    for name in ["connect_four", "breakthrough", "tron"] {
        let network = shipped(name);
        let mut game: Propnet = Propnet::new(&network).expect("a sound network");
        let start = game.initial_state();
        let values: Vec<f32> = (0..game.move_bound(Role(0))).map(|m| (m % 7) as f32).collect();
        let choose = |_: Role, legal: MoveSet<'_>, rng: &mut Rng| {
            legal.pick_greedy(&values, 0.0, 0.4, rng).expect("a legal move")
        };
        let lanes = PropnetLanes::new(&network).expect("a sound network");
        for width in Width::all() {
            let (numbers, steps) = (BTreeMap::new(), BTreeMap::new());
            let mut greedy = Greedy { left: 200, values: &values, numbers, steps };
            lanes.with_width(width).run(6, &mut greedy);
            assert_eq!(greedy.steps.len(), 199);
            for (&number, &steps) in &greedy.steps {
                let mut rng = Rng::stream(6, number);
                let record = play(&mut game, &start, u32::MAX, &mut rng, choose);
                assert_eq!(steps, record.steps, "{name}, {width}, play-out {number}");
            }
        }
    }
}

/// Has the lanes play by preferences, and counts the first moves of play-outs.
struct Preferring<'a> {
    left: u32,
    preferences: &'a [Preference],
    counts: Vec<BTreeMap<Move, u32>>,
}

impl Driver<Bits> for Preferring<'_> {
    fn preferences(&mut self) -> Option<&[Preference]> {
        Some(self.preferences)
    }

    fn watches(&self) -> bool {
        true
    }

    fn start(&mut self, _lane: usize, start: &mut Start<Bits>) -> bool {
        start.limit = 1;
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    fn finished(&mut self, _lane: usize, finish: &Finish<'_>) {
        for (counts, &mov) in self.counts.iter_mut().zip(finish.moves) {
            *counts.entry(mov).or_default() += 1;
        }
    }
}

#[test]
fn preferences_are_followed_but_for_a_share_of_random_moves() {
    // Roles on seats of their own and on one seat; choices on rows and, in chess, on turned blocks.
    for name in ["tic_tac_toe", "connect_four", "breakthrough", "tron", "chess"] {
        let network = shipped(name);
        let mut game: Propnet = Propnet::new(&network).expect("a sound network");
        let state = game.initial_state();
        let roles: Vec<Role> = Role::all(game.role_count()).collect();
        let lanes = PropnetLanes::new(&network).expect("a sound network");
        for (random, worth) in [(0.0, 1), (0.3, 5), (0.7, 3), (1.0, 2)] {
            // Each group has the moves of one worth; groups of different roles are not the same.
            let worth_of = |role: Role, mov: Move| (mov.index() + role.index()) % worth;
            let preference = |&role: &Role| {
                let mut moves: Vec<Move> = (0..game.move_bound(role) as u32).map(Move).collect();
                moves.sort_by_key(|&mov| std::cmp::Reverse(worth_of(role, mov)));
                let worth = |at: usize| moves.get(at).map(|&mov| worth_of(role, mov));
                let last = |at: usize| worth(at) != worth(at + 1);
                let order = (0..).zip(&moves).map(|(at, &mov)| Preferred { mov, last: last(at) });
                Preference { random, order: order.collect() }
            };
            let preferences: Vec<Preference> = roles.iter().map(preference).collect();
            for width in Width::all() {
                let counts = vec![BTreeMap::new(); roles.len()];
                let mut driver = Preferring { left: 20_000, preferences: &preferences, counts };
                lanes.with_width(width).run(3, &mut driver);
                for &role in &roles {
                    let mut legal = Vec::new();
                    game.legal_moves(&state, role, &mut legal);
                    let best = legal.iter().map(|&mov| worth_of(role, mov)).max();
                    let is_best = |mov| Some(worth_of(role, mov)) == best;
                    let equals = legal.iter().filter(|&&mov| is_best(mov)).count() as f64;
                    let chance = |mov| {
                        let greedy = if is_best(mov) { (1.0 - random) / equals } else { 0.0 };
                        greedy + random / legal.len() as f64
                    };
                    let chances = legal.iter().map(|&mov| (mov, chance(mov)));
                    let chances = chances.filter(|&(_, chance)| chance > 0.0).collect();
                    check(&driver.counts[role.index()], &chances, &format!("{name}, {width}"));
                }
            }
        }
    }
}
