//! What can be done in a state.

use gamegrove_game::{Game, Goal, Move, Role};

/// Whether play is over in a state, and what follows from that.
#[derive(Clone, Debug, PartialEq)]
pub enum View {
    /// Play goes on: the legal moves of each role.
    Open(Legal),
    /// Play is over: the goal of each role, from 0 to 100.
    Over(Vec<f32>),
}

/// The legal moves of all roles in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Legal {
    moves: Vec<Move>,
    /// Where the moves of each role end among all.
    ends: Vec<u32>,
}

impl View {
    /// Looks at a state.
    pub(crate) fn of<G: Game>(game: &mut G, state: &G::State) -> View {
        if game.is_terminal(state) {
            return View::Over(goals(game, state));
        }
        let roles = game.role_count();
        let mut legal = Legal { moves: Vec::new(), ends: Vec::with_capacity(roles) };
        // The first role's moves are listed where all are kept: most often they are nearly all.
        let mut buffer = Vec::new();
        for role in Role::all(roles) {
            if role.0 == 0 {
                game.legal_moves(state, role, &mut legal.moves);
            } else {
                game.legal_moves(state, role, &mut buffer);
                legal.moves.extend_from_slice(&buffer);
            }
            legal.ends.push(legal.moves.len() as u32);
        }
        View::Open(legal)
    }

    /// Whether play is over.
    pub fn is_over(&self) -> bool {
        matches!(self, View::Over(_))
    }

    /// The number of roles.
    pub fn roles(&self) -> usize {
        match self {
            View::Open(legal) => legal.ends.len(),
            View::Over(goals) => goals.len(),
        }
    }

    /// The legal moves of a role; none where play is over, and none for a role that does not exist.
    pub fn legal(&self, role: Role) -> &[Move] {
        match self {
            View::Open(legal) => legal.of(role),
            View::Over(_) => &[],
        }
    }

    /// The role whose turn it is: the only one with a choice. The first role if no role has a choice;
    /// `None` if several have one or play is over.
    pub fn turn(&self) -> Option<Role> {
        let mut choosing = Role::all(self.roles()).filter(|&role| self.legal(role).len() > 1);
        match (self.is_over(), choosing.next(), choosing.next()) {
            (true, ..) | (_, Some(_), Some(_)) => None,
            (_, Some(role), None) => Some(role),
            (_, None, _) => Some(Role(0)),
        }
    }

    /// Whether a role has no move although play is not over: then it cannot go on.
    pub fn is_stuck(&self) -> bool {
        !self.is_over() && Role::all(self.roles()).any(|role| self.legal(role).is_empty())
    }

    /// Completes the move of a role to a joint move, where all others have no choice.
    pub fn complete(&self, role: Role, mov: Move) -> Option<Vec<Move>> {
        self.join(&[(role, mov)])
    }

    /// Completes the moves of some roles to a joint move, where all others have no choice.
    pub fn join(&self, moves: &[(Role, Move)]) -> Option<Vec<Move>> {
        if self.is_over() {
            return None;
        }
        let of = |role: Role| match moves.iter().find(|(each, _)| *each == role) {
            Some(&(_, mov)) => Some(mov),
            None => match self.legal(role) {
                [only] => Some(*only),
                _ => None,
            },
        };
        Role::all(self.roles()).map(of).collect()
    }
}

impl Legal {
    /// The moves of a role.
    pub fn of(&self, role: Role) -> &[Move] {
        let at = role.index();
        let Some(&end) = self.ends.get(at) else { return &[] };
        let from = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.moves[from as usize..end as usize]
    }
}

/// The worth of a state to each role.
pub(crate) fn goals<G: Game>(game: &mut G, state: &G::State) -> Vec<f32> {
    let mut goals = vec![Goal::default(); game.role_count()];
    game.goals(state, &mut goals);
    goals.iter().map(|goal| goal.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(moves: &[&[u32]]) -> View {
        let mut legal = Legal { moves: Vec::new(), ends: Vec::new() };
        for own in moves {
            legal.moves.extend(own.iter().map(|&mov| Move(mov)));
            legal.ends.push(legal.moves.len() as u32);
        }
        View::Open(legal)
    }

    #[test]
    fn turns_belong_to_the_role_that_chooses() {
        assert_eq!(view(&[&[1], &[4, 5]]).turn(), Some(Role(1)));
        assert_eq!(view(&[&[1], &[4]]).turn(), Some(Role(0)));
        assert_eq!(view(&[&[1, 2], &[4, 5]]).turn(), None);
        assert_eq!(View::Over(vec![100.0]).turn(), None);
        let second = view(&[&[1], &[4, 5]]);
        assert_eq!(second.legal(Role(1)), [Move(4), Move(5)]);
        assert_eq!(second.legal(Role(7)), []);
        assert_eq!(second.complete(Role(1), Move(5)), Some(vec![Move(1), Move(5)]));
        let both = view(&[&[1, 2], &[4, 5]]);
        assert_eq!(both.complete(Role(0), Move(1)), None);
        let chosen = [(Role(1), Move(4)), (Role(0), Move(2))];
        assert_eq!(both.join(&chosen), Some(vec![Move(2), Move(4)]));
        assert_eq!(View::Over(vec![100.0]).join(&[(Role(0), Move(1))]), None);
        assert!(view(&[&[1], &[]]).is_stuck());
    }
}
