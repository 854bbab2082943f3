//! What can be done in a position.

use gamegrove_game::{Game, Move, Role};

/// Whether play is over in a position, and what each role may do if not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether play is over.
    pub terminal: bool,
    moves: Vec<Move>,
    /// Where the moves of each role end among all.
    ends: Vec<u32>,
}

impl Look {
    /// Looks at a state.
    pub(crate) fn at<G: Game>(game: &mut G, state: &G::State) -> Look {
        let roles = game.role_count();
        let terminal = game.is_terminal(state);
        let mut look = Look { terminal, moves: Vec::new(), ends: Vec::with_capacity(roles) };
        // The first role's moves are listed where all are kept: most often they are nearly all.
        let mut buffer = Vec::new();
        for role in Role::all(roles) {
            if !terminal {
                if role.0 == 0 {
                    game.legal_moves(state, role, &mut look.moves);
                } else {
                    game.legal_moves(state, role, &mut buffer);
                    look.moves.extend_from_slice(&buffer);
                }
            }
            look.ends.push(look.moves.len() as u32);
        }
        look
    }

    /// Play is over, for so many roles.
    pub(super) fn over(roles: usize) -> Look {
        Look { terminal: true, moves: Vec::new(), ends: vec![0; roles] }
    }

    /// How many roles there are.
    pub fn roles(&self) -> usize {
        self.ends.len()
    }

    /// The legal moves of a role; none where play is over, and none for a role that does not exist.
    pub fn legal(&self, role: Role) -> &[Move] {
        let at = role.index();
        let Some(&end) = self.ends.get(at) else { return &[] };
        let from = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.moves[from as usize..end as usize]
    }

    /// Whose turn it is: the one role with a choice. The first role if nobody has a choice, and nobody
    /// if several have one or play is over.
    pub fn turn(&self) -> Option<Role> {
        let mut choosing = Role::all(self.roles()).filter(|&role| self.legal(role).len() > 1);
        match (self.terminal, choosing.next(), choosing.next()) {
            (true, ..) | (_, Some(_), Some(_)) => None,
            (_, Some(role), None) => Some(role),
            (_, None, _) => Some(Role(0)),
        }
    }

    /// Whether somebody has no move although play is not over: then it cannot go on.
    pub fn is_stuck(&self) -> bool {
        !self.terminal && Role::all(self.roles()).any(|role| self.legal(role).is_empty())
    }

    /// Completes the move of a role to a joint move, where all others have no choice.
    pub fn complete(&self, role: Role, mov: Move) -> Option<Vec<Move>> {
        let of = |other: Role| match self.legal(other) {
            _ if other == role => Some(mov),
            [only] => Some(*only),
            _ => None,
        };
        Role::all(self.roles()).map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(moves: &[&[u32]]) -> Look {
        let mut look = Look { terminal: false, moves: Vec::new(), ends: Vec::new() };
        for own in moves {
            look.moves.extend(own.iter().map(|&mov| Move(mov)));
            look.ends.push(look.moves.len() as u32);
        }
        look
    }

    #[test]
    fn turns_belong_to_the_one_who_chooses() {
        assert_eq!(look(&[&[1], &[4, 5]]).turn(), Some(Role(1)));
        assert_eq!(look(&[&[1], &[4]]).turn(), Some(Role(0)));
        assert_eq!(look(&[&[1, 2], &[4, 5]]).turn(), None);
        let second = look(&[&[1], &[4, 5]]);
        assert_eq!(second.legal(Role(1)), [Move(4), Move(5)]);
        assert_eq!(second.legal(Role(7)), []);
        assert_eq!(second.complete(Role(1), Move(5)), Some(vec![Move(1), Move(5)]));
        assert_eq!(look(&[&[1, 2], &[4, 5]]).complete(Role(0), Move(1)), None);
        assert!(look(&[&[1], &[]]).is_stuck());
    }
}
