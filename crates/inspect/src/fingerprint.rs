//! Numbers that two rulesheets of one game share whatever they call their facts and moves.
//!
//! The fingerprint of a state to some depth is a hash of whether play is over there, of the goals if
//! it is, of how many moves each role has, and of the fingerprints of the states that follow, sorted.
//! So two games have equal fingerprints to a depth exactly if their trees to that depth are equal up
//! to the names and the order of moves (but for collisions of 64 bits). The number of joint-move
//! paths comes along.

use std::collections::HashMap;
use std::time::Instant;

use gamegrove_game::{Game, Goal, Move, Perft, Role, joint_moves};
use rustc_hash::FxBuildHasher;

/// The deepest tree that is looked at.
pub const DEEPEST: u32 = 200;

/// States remembered at most, for the sake of memory.
const REMEMBERED: usize = 1_000_000;

/// A digest of a tree of some depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// The tree, with the goals of terminal states.
    pub tree: u64,
    /// The tree, with the goals of all its states.
    pub goals: u64,
    /// Its paths, or the largest number there is if there are more.
    pub paths: Perft,
}

/// How much may be looked at.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Joint moves made.
    pub steps: u64,
    /// When to stop.
    pub until: Option<Instant>,
}

/// Takes fingerprints of one game.
#[derive(Debug)]
pub struct Prints<G: Game> {
    game: G,
    known: HashMap<(u32, G::State), Fingerprint, FxBuildHasher>,
    left: u64,
    until: Option<Instant>,
}

impl<G: Game> Prints<G> {
    /// Fingerprints of `game`.
    pub fn new(game: G) -> Self {
        Prints { game, known: HashMap::default(), left: 0, until: None }
    }

    /// The fingerprint of the whole game to `depth`, or nothing if that is beyond the budget.
    pub fn take(&mut self, depth: u32, budget: Budget) -> Option<Fingerprint> {
        (self.left, self.until) = (budget.steps, budget.until);
        self.known.clear();
        let start = self.game.initial_state();
        let found = self.look(&start, depth.min(DEEPEST));
        self.game.take_fault().is_none().then_some(found).flatten()
    }

    /// Recursion is bounded by [`DEEPEST`].
    fn look(&mut self, state: &G::State, depth: u32) -> Option<Fingerprint> {
        let mut goals = vec![Goal::default(); self.game.role_count()];
        self.game.goals(state, &mut goals);
        let worth = hash(goals.iter().map(|goal| u64::from(goal.0.to_bits())));
        if self.game.is_terminal(state) {
            let print = hash([1, worth]);
            let paths = Perft { nodes: u64::from(depth == 0), terminals: 1, stuck: 0 };
            return Some(Fingerprint { tree: print, goals: print, paths });
        }
        if depth == 0 {
            let paths = Perft { nodes: 1, ..Perft::default() };
            return Some(Fingerprint { tree: hash([2]), goals: hash([2, worth]), paths });
        }
        let key = (depth, state.clone());
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        let mut moves: Vec<Move> = Vec::new();
        let counts = hash(Role::all(self.game.role_count()).map(|role| {
            self.game.legal_moves(state, role, &mut moves);
            moves.len() as u64
        }));
        let joints = joint_moves(&mut self.game, state);
        self.left = self.left.checked_sub(joints.len() as u64)?;
        if self.until.is_some_and(|until| Instant::now() >= until) {
            return None;
        }
        let mut next = state.clone();
        let mut below = Vec::with_capacity(joints.len());
        for joint in joints {
            self.game.apply(state, &joint, &mut next);
            below.push(self.look(&next, depth - 1)?);
        }
        let mut paths = Perft { stuck: u64::from(below.is_empty()), ..Perft::default() };
        for Fingerprint { paths: more, .. } in &below {
            // States met again make depths possible at which no number holds the paths.
            paths.nodes = paths.nodes.saturating_add(more.nodes);
            paths.terminals = paths.terminals.saturating_add(more.terminals);
            paths.stuck = paths.stuck.saturating_add(more.stuck);
        }
        let sorted = |part: fn(&Fingerprint) -> u64| {
            let mut prints: Vec<u64> = below.iter().map(part).collect();
            prints.sort_unstable();
            hash(prints)
        };
        let found = Fingerprint {
            tree: hash([3, counts, sorted(|print| print.tree)]),
            goals: hash([3, worth, counts, sorted(|print| print.goals)]),
            paths,
        };
        if self.known.len() < REMEMBERED {
            self.known.insert(key, found);
        }
        Some(found)
    }
}

/// A hash of numbers that depends on their order: the finaliser of splitmix64 after each.
pub fn hash(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0x9e37_79b9_7f4a_7c15, |hash, number| {
        let mut z = (hash ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

#[cfg(test)]
mod tests {
    use gamegrove_game::perft;
    use gamegrove_gdl::{Prover, Rulesheet};

    use super::*;
    use gamegrove_play::library;

    const PLENTY: Budget = Budget { steps: 1_000_000, until: None };

    fn rules(text: &str) -> Prover {
        let sheet = Rulesheet::load(text.as_bytes()).expect("a sound rulesheet");
        Prover::new(&sheet.program).expect("a playable game")
    }

    fn print(text: &str, depth: u32) -> Fingerprint {
        Prints::new(rules(text)).take(depth, PLENTY).expect("a small tree")
    }

    /// One player makes two choices; what it is worth before the end is left open.
    fn choices(names: [&str; 4], goals: [u8; 3]) -> String {
        let [first, left, right, done] = names;
        let [running, low, high] = goals;
        format!(
            "(role r) (init ({first} now)) (legal r {left}) (legal r {right})
             (<= (next ({first} then)) (true ({first} now)))
             (<= (next ({done} ?m)) (true ({first} then)) (does r ?m))
             (<= terminal (true ({done} ?m)))
             (<= (goal r {low}) (true ({done} {left}))) (<= (goal r {high}) (true ({done} {right})))
             (<= (goal r {running}) (not terminal))"
        )
    }

    #[test]
    fn names_do_not_count_and_goals_do() {
        let game = choices(["a", "b", "c", "d"], [0, 10, 20]);
        let other_names = choices(["d", "x", "b", "a"], [0, 20, 10]);
        let other_running = choices(["a", "b", "c", "d"], [5, 10, 20]);
        let other_ending = choices(["a", "b", "c", "d"], [0, 10, 30]);
        assert_eq!(print(&game, 3), print(&other_names, 3));
        assert_eq!(print(&game, 3).tree, print(&other_running, 3).tree);
        assert_ne!(print(&game, 3).goals, print(&other_running, 3).goals);
        assert_ne!(print(&game, 3).tree, print(&other_ending, 3).tree);
        // The difference is at depth 2.
        assert_eq!(print(&game, 1).tree, print(&other_ending, 1).tree);
    }

    #[test]
    fn paths_are_those_of_the_plain_walk() {
        for (name, depth) in [("tic_tac_toe", 6), ("tron", 3), ("eight_puzzle", 8)] {
            let text = library::find(name).expect("a shipped game").text;
            let mut game = rules(text);
            let start = game.initial_state();
            assert_eq!(print(text, depth).paths, perft(&mut game, &start, depth), "{name}");
        }
    }

    #[test]
    fn more_paths_than_any_number_are_no_trouble() {
        let after: String = (0..80).map(|n| format!("(after {n} {}) ", n + 1)).collect();
        let rules = format!(
            "(role r) (init (step 0)) (legal r a) (legal r b) {after}
             (<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
             (<= terminal (true (step 80))) (goal r 0)"
        );
        assert_eq!(print(&rules, 63).paths.nodes, 1 << 63);
        assert_eq!(print(&rules, 80).paths.nodes, u64::MAX);
    }

    #[test]
    fn what_is_beyond_the_budget_is_not_answered() {
        let text = library::find("tic_tac_toe").expect("a shipped game").text;
        let mut prints = Prints::new(rules(text));
        assert!(prints.take(3, Budget { steps: 50, until: None }).is_none());
        assert!(prints.take(3, Budget { until: Some(Instant::now()), ..PLENTY }).is_none());
        assert!(prints.take(3, PLENTY).is_some());
    }
}
