//! A small game with typed moves that has nothing to do with boards.
//!
//! Two players take turns to take one of twelve tokens, three of gold worth 3, four of silver worth 2
//! and five of copper worth 1. After `plies` turns the player with more worth wins. Types are metals;
//! tokens of one metal are alike.

use gamegrove_game::{Evaluation, Game, Goal, Move, Role, TypedMoves};

#[derive(Clone, Debug)]
pub struct Tokens {
    pub plies: u8,
    /// Whether the game has types of moves and an evaluation.
    pub typed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub taken: u16,
    pub ply: u8,
    pub worth: [u8; 2],
}

pub const TOKENS: u32 = 12;
const WAIT: Move = Move(TOKENS);

/// Numbered so that the order of thought (gold, silver, copper) is not the order of numbers.
const COPPER: u8 = 0;
const GOLD: u8 = 1;
const SILVER: u8 = 2;

pub fn metal(token: Move) -> u8 {
    match token.0 {
        0..3 => GOLD,
        3..7 => SILVER,
        _ => COPPER,
    }
}

impl Game for Tokens {
    type State = State;

    fn role_count(&self) -> usize {
        2
    }

    fn move_bound(&self, _: Role) -> usize {
        TOKENS as usize + 1
    }

    fn initial_state(&mut self) -> State {
        State { taken: 0, ply: 0, worth: [0; 2] }
    }

    fn is_terminal(&mut self, state: &State) -> bool {
        state.ply >= self.plies
    }

    fn legal_moves(&mut self, state: &State, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        if role.0 != state.ply % 2 {
            moves.push(WAIT);
        } else {
            moves.extend((0..TOKENS).filter(|token| state.taken >> token & 1 == 0).map(Move));
        }
    }

    fn apply(&mut self, state: &State, joint: &[Move], next: &mut State) {
        let mover = usize::from(state.ply % 2);
        *next = *state;
        next.taken |= 1 << joint[mover].0;
        next.worth[mover] += [1, 3, 2][usize::from(metal(joint[mover]))];
        next.ply += 1;
    }

    fn goals(&mut self, state: &State, goals: &mut [Goal]) {
        let first = match state.worth[0].cmp(&state.worth[1]) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 50.0,
            std::cmp::Ordering::Greater => 100.0,
        };
        goals.copy_from_slice(&[Goal(first), Goal(100.0 - first)]);
    }

    fn evaluation(&self) -> Option<Box<dyn Evaluation<State>>> {
        self.typed.then(|| Box::new(self.clone()) as Box<dyn Evaluation<State>>)
    }

    fn move_types(&self) -> Option<Box<dyn TypedMoves<State>>> {
        self.typed.then(|| Box::new(self.clone()) as Box<dyn TypedMoves<State>>)
    }
}

/// The worth of what each player has, by the player's own weight.
impl Evaluation<State> for Tokens {
    fn weight_names(&self) -> Vec<String> {
        vec!["own".to_owned(), "other".to_owned()]
    }

    fn value(&mut self, state: &State, role: Role, weights: &[f64]) -> f64 {
        let [own, other] = [role.index(), 1 - role.index()].map(|at| f64::from(state.worth[at]));
        weights[0] * own - weights[1] * other
    }
}

impl TypedMoves<State> for Tokens {
    fn type_names(&self) -> &'static [&'static str] {
        &["copper", "gold", "silver"]
    }

    fn thought_order(&self) -> &'static [u8] {
        &[GOLD, SILVER, COPPER]
    }

    fn typed_moves(
        &mut self,
        state: &State,
        role: Role,
        moves: &mut Vec<Move>,
        types: &mut Vec<u8>,
    ) {
        self.legal_moves(state, role, moves);
        types.clear();
        types.extend(moves.iter().filter(|mov| **mov != WAIT).map(|mov| metal(*mov)));
    }

    fn type_of(&mut self, _: &State, _: Role, mov: Move) -> Option<u8> {
        (mov != WAIT).then(|| metal(mov))
    }

    fn groups(&mut self, _: &State, _: Role, moves: &[Move], groups: &mut Vec<u64>) {
        groups.clear();
        groups.extend(moves.iter().map(|mov| u64::from(metal(*mov))));
    }
}
