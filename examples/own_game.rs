//! A game of your own without a rulesheet: Nim with one heap. Two players take one to three stones in turn; the last
//! stone wins. The search finds that it is best to leave a multiple of four.
//!
//! ```sh
//! cargo run --release -p gamegrove-examples --example own_game
//! ```

#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;

use gamegrove_game::{Game, Goal, Move, Role};
use gamegrove_search::{Budget, Part, Search};

#[derive(Clone)]
pub(crate) struct Nim {
    pub(crate) stones: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Heap {
    stones: u8,
    turn: usize,
}

/// Move 0 waits; move n takes n stones.
impl Game for Nim {
    type State = Heap;

    fn role_count(&self) -> usize {
        2
    }

    fn move_bound(&self, _: Role) -> usize {
        4
    }

    fn initial_state(&mut self) -> Heap {
        Heap { stones: self.stones, turn: 0 }
    }

    fn is_terminal(&mut self, state: &Heap) -> bool {
        state.stones == 0
    }

    fn legal_moves(&mut self, state: &Heap, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        match role.index() == state.turn {
            true => moves.extend((1..=state.stones.min(3)).map(|stones| Move(stones.into()))),
            false => moves.push(Move(0)),
        }
    }

    fn apply(&mut self, state: &Heap, joint: &[Move], next: &mut Heap) {
        let taken = joint[state.turn].0 as u8;
        *next = Heap { stones: state.stones - taken, turn: 1 - state.turn };
    }

    fn goals(&mut self, state: &Heap, goals: &mut [Goal]) {
        // The player to move at the end did not take the last stone.
        goals[state.turn] = Goal::WORST;
        goals[1 - state.turn] = Goal::BEST;
    }
}

/// How many stones the first player should take.
pub(crate) fn best(stones: u8) -> Result<u32, Box<dyn Error>> {
    let mut game = Nim { stones };
    let start = game.initial_state();
    let mut search = Search::new(game, &Part::named("mcts"), 1)?;
    search.set_root(&start);
    search.run(&Budget::simulations(5000));
    Ok(search.best_move(Role(0)).ok_or("a heap without stones has no moves")?.0)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    for stones in [5, 6, 7, 9, 10, 11] {
        println!("{stones} stones: take {}", best(stones)?);
    }
    Ok(())
}
