//! Exhaustive walks: the counts that prove a reasoner right.
//!
//! [`count`] and [`distinct`] are for users: hostile and large games, many threads, no recursion.
//! [`perft`] is the slow twin of the first: short enough to be seen to be right.

mod count;
mod distinct;
mod joints;
mod plain;

pub use count::count;
pub use distinct::{Distinct, Level, distinct};
pub use joints::Joints;
pub use plain::{Perft, count_paths, joint_moves, perft};

#[cfg(test)]
mod toy {
    //! A game without rules to read: a fixed number of moves for each role in each step.

    use crate::{Game, Goal, Move, Role};

    /// In each of so many steps each role says one of its words.
    #[derive(Clone, Debug)]
    pub struct Chorus {
        pub words: Vec<u32>,
        pub steps: u32,
        /// In this step no role has a word.
        pub silent: Option<u32>,
    }

    impl Chorus {
        pub fn new(words: &[u32], steps: u32) -> Chorus {
            Chorus { words: words.to_vec(), steps, silent: None }
        }
    }

    impl Game for Chorus {
        type State = u32;

        fn role_count(&self) -> usize {
            self.words.len()
        }

        fn move_bound(&self, role: Role) -> usize {
            self.words[role.index()] as usize
        }

        fn initial_state(&mut self) -> u32 {
            0
        }

        fn is_terminal(&mut self, state: &u32) -> bool {
            *state >= self.steps
        }

        fn legal_moves(&mut self, state: &u32, role: Role, moves: &mut Vec<Move>) {
            moves.clear();
            if self.silent != Some(*state) {
                moves.extend((0..self.words[role.index()]).map(Move));
            }
        }

        fn apply(&mut self, state: &u32, _: &[Move], next: &mut u32) {
            *next = state + 1;
        }

        fn goals(&mut self, _: &u32, goals: &mut [Goal]) {
            goals.fill(Goal::WORST);
        }
    }
}
