//! Walks as plain as can be, which the others are tested against.

use std::ops::AddAssign;

use crate::{Game, Move, Role};

/// The counts of a walk over all sequences of joint moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// Sequences of exactly the depth asked for.
    pub nodes: u64,
    /// Sequences of at most that depth that end in a terminal state.
    pub terminals: u64,
    /// Sequences below that depth that end in a state that is not terminal and leaves a role
    /// without a move: sound games have none.
    pub stuck: u64,
}

impl AddAssign for Perft {
    fn add_assign(&mut self, other: Perft) {
        self.nodes += other.nodes;
        self.terminals += other.terminals;
        self.stuck += other.stuck;
    }
}

/// All joint moves of `state`, in a fixed order: the last role's move changes fastest.
pub fn joint_moves<G: Game>(game: &mut G, state: &G::State) -> Vec<Vec<Move>> {
    let mut moves = Vec::new();
    let mut joints = vec![Vec::new()];
    for role in Role::all(game.role_count()) {
        game.legal_moves(state, role, &mut moves);
        joints = joints
            .iter()
            .flat_map(|joint| {
                moves.iter().map(|&mov| {
                    let mut longer: Vec<Move> = joint.clone();
                    longer.push(mov);
                    longer
                })
            })
            .collect();
    }
    joints
}

/// Walks every sequence of joint moves of length `depth` from `state`.
pub fn perft<G: Game>(game: &mut G, state: &G::State, depth: u32) -> Perft {
    if game.is_terminal(state) {
        return Perft { nodes: u64::from(depth == 0), terminals: 1, stuck: 0 };
    }
    if depth == 0 {
        return Perft { nodes: 1, ..Perft::default() };
    }
    let joints = joint_moves(game, state);
    let mut total = Perft { stuck: u64::from(joints.is_empty()), ..Perft::default() };
    let mut next = state.clone();
    for joint in joints {
        game.apply(state, &joint, &mut next);
        total += perft(game, &next, depth - 1);
    }
    total
}

/// The number of sequences of joint moves of length `depth` from `state`, without visiting the
/// states at their ends: faster than [`perft`] where only the number matters.
pub fn count_paths<G: Game>(game: &mut G, state: &G::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.is_terminal(state) {
        return 0;
    }
    if depth == 1 {
        let mut moves = Vec::new();
        return Role::all(game.role_count())
            .map(|role| {
                game.legal_moves(state, role, &mut moves);
                moves.len() as u64
            })
            .product();
    }
    let mut next = state.clone();
    let mut total = 0;
    for joint in joint_moves(game, state) {
        game.apply(state, &joint, &mut next);
        total += count_paths(game, &next, depth - 1);
    }
    total
}
