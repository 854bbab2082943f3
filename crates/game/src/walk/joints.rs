//! The joint moves of a state, without a list of them: eight roles with ten moves each have a
//! hundred million.

use crate::{Game, Move, Role};

/// The joint moves of one state, one after another: the last role's move changes fastest.
#[derive(Debug, Default)]
pub struct Joints {
    legal: Vec<Vec<Move>>,
    choice: Vec<usize>,
    started: bool,
    finished: bool,
    /// The joint move that the last step wrote.
    pub joint: Vec<Move>,
}

impl Joints {
    /// Starts over with the joint moves of `state`; whether there are any.
    pub fn load<G: Game>(&mut self, game: &mut G, state: &G::State) -> bool {
        let roles = game.role_count();
        self.legal.resize(roles, Vec::new());
        for (role, moves) in Role::all(roles).zip(&mut self.legal) {
            game.legal_moves(state, role, moves);
        }
        self.choice.clear();
        self.choice.resize(roles, 0);
        self.joint.clear();
        self.started = false;
        self.finished = self.legal.iter().any(Vec::is_empty);
        !self.finished
    }

    /// Writes the next joint move to `joint`; whether there was one.
    pub fn step(&mut self) -> bool {
        if self.finished {
            return false;
        }
        if !self.started {
            self.started = true;
            self.joint.extend(self.legal.iter().filter_map(|moves| moves.first()));
            return true;
        }
        for role in (0..self.legal.len()).rev() {
            self.choice[role] += 1;
            if let Some(&mov) = self.legal[role].get(self.choice[role]) {
                self.joint[role] = mov;
                return true;
            }
            self.choice[role] = 0;
            self.joint[role] = self.legal[role][0];
        }
        self.finished = true;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::{joint_moves, toy::Chorus};
    use super::*;

    #[test]
    fn they_are_those_of_the_list_in_its_order() {
        let mut game = Chorus::new(&[1, 2, 3, 4, 5], 1);
        let mut joints = Joints::default();
        // A second round must not remember the first.
        for _ in 0..2 {
            assert!(joints.load(&mut game, &0));
            let mut found = Vec::new();
            while joints.step() {
                found.push(joints.joint.clone());
            }
            assert_eq!(found, joint_moves(&mut game, &0));
            assert_eq!(found.len(), 120);
            assert!(!joints.step(), "the end stays the end");
        }
    }

    #[test]
    fn many_of_them_need_no_list() {
        // 25! joint moves, too many for a list.
        let words: Vec<u32> = (1..=25).collect();
        let mut game = Chorus::new(&words, 1);
        let mut joints = Joints::default();
        assert!(joints.load(&mut game, &0));
        assert!((0..1_000_000).all(|_| joints.step()));
    }
}
