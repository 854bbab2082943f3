//! One action space for all roles, as batches have it: a move's name has the same number for every role.

use gamegrove_game::{BatchSetup, Move, Restart, Role};
use gamegrove_play::{Board, View};

/// The action space of a game.
#[derive(Debug)]
pub struct Actions {
    pub names: Vec<String>,
    /// For each role the move of each action.
    moves: Vec<Vec<Option<Move>>>,
    /// For each role the action of each move.
    numbers: Vec<Vec<Option<u32>>>,
}

impl Actions {
    /// The actions of a game whose moves are all known. Where roles take turns, the move that the others
    /// make meanwhile has no number.
    pub fn of(board: &dyn Board) -> Actions {
        let setup = BatchSetup { games: 1, limit: 1, restart: Restart::AtOnce, threads: 1 };
        let roles = Role::all(board.about().roles.len());
        if let Ok(batch) = board.batch(setup) {
            let names = batch.actions().to_vec();
            let of = |role| (0..names.len()).map(|action| batch.move_of(role, action)).collect();
            return Actions::new(board, roles.map(of).collect(), names);
        }
        let mut names = Vec::new();
        let mut moves: Vec<Vec<Option<Move>>> = vec![Vec::new(); board.about().roles.len()];
        for role in roles {
            for mov in 0..board.move_bound(role) as u32 {
                let name = board.move_name(role, Move(mov));
                let action = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                });
                let own = &mut moves[role.index()];
                own.resize(own.len().max(action + 1), None);
                own[action] = Some(Move(mov));
            }
        }
        moves.iter_mut().for_each(|own| own.resize(names.len(), None));
        Actions::new(board, moves, names)
    }

    fn new(board: &dyn Board, moves: Vec<Vec<Option<Move>>>, names: Vec<String>) -> Actions {
        let turned = |(role, moves): (usize, &Vec<Option<Move>>)| {
            let mut numbers = vec![None; board.move_bound(Role(role as u8))];
            for (action, mov) in moves.iter().enumerate() {
                if let Some(number) = mov.and_then(|mov| numbers.get_mut(mov.index())) {
                    *number = Some(action as u32);
                }
            }
            numbers
        };
        let numbers = moves.iter().enumerate().map(turned).collect();
        Actions { names, moves, numbers }
    }

    /// The number of a role's move, if it has one.
    pub fn number(&self, role: Role, mov: Move) -> Option<u32> {
        *self.numbers.get(role.index())?.get(mov.index())?
    }

    /// The move that an action of a role means among the legal ones. A role without a choice makes its one
    /// move, whatever the action.
    pub fn meant(&self, role: Role, action: i64, legal: &[Move]) -> Option<Move> {
        if let [only] = legal {
            return Some(*only);
        }
        let action = usize::try_from(action).ok()?;
        let mov = (*self.moves.get(role.index())?.get(action)?)?;
        legal.contains(&mov).then_some(mov)
    }

    /// The numbers of a role's legal moves, in order.
    pub fn legal(&self, role: Role, view: &View) -> Vec<u32> {
        let moves = view.legal(role).iter();
        let mut numbers: Vec<u32> = moves.filter_map(|&mov| self.number(role, mov)).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The role whose action is asked for; `None` if several are. Where no role has a choice, it is the
    /// first whose move has a number.
    pub fn mover(&self, view: &View) -> Option<Role> {
        let turn = view.turn()?;
        if view.legal(turn).len() > 1 {
            return Some(turn);
        }
        let mut roles = Role::all(view.roles());
        let numbered = |&role: &Role| {
            view.legal(role).first().is_some_and(|&mov| self.number(role, mov).is_some())
        };
        Some(roles.find(numbered).unwrap_or(turn))
    }
}
