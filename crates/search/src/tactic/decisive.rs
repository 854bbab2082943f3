//! Decisive moves are played, and moves that allow the opponent one are not.
//!
//! A *decisive* move ends the game with a goal of at least `win`. An *anti-decisive* move is one
//! after which no opponent has a decisive move (Teytaud and Teytaud, "On the huge benefit of
//! decisive moves in Monte-Carlo tree search algorithms", 2010). Both are only asked for where one
//! role alone has a choice: with simultaneous choices no move decides by itself.
//!
//! Cost: one step of the game for every legal move, and with `anti` one more for every reply.

use gamegrove_game::{Goal, Move, Role};

use super::Tactic;
use crate::ahead::Position;
use crate::parameter::Parameter;
use crate::registry::Entry;
use crate::tree::Facts;

const WIN: Parameter =
    Parameter::real("win", 100.0, (0.0, 100.0), "the goal from which on an end is a win");
const ANTI: Parameter = Parameter::flag(
    "anti",
    true,
    "whether moves that allow the opponent a decisive move are avoided",
);

pub(super) const ENTRY: Entry<dyn Tactic> = Entry {
    name: "decisive",
    sentence: "winning moves are played at once, and moves that let an opponent win at once are not",
    source: "Teytaud and Teytaud (2010)",
    parameters: &[WIN, ANTI],
    build: |options| {
        let (win, anti) = (Goal(options.number(&WIN)? as f32), options.flag(&ANTI)?);
        Ok(Box::new(Decisive { win, anti, own: Vec::new(), reply: Vec::new() }))
    },
};

struct Decisive {
    win: Goal,
    anti: bool,
    own: Vec<Move>,
    reply: Vec<Move>,
}

impl Tactic for Decisive {
    fn narrow(&mut self, position: &mut dyn Position, role: Role, moves: &mut Vec<Move>) {
        self.own.clear();
        for other in Role::all(position.roles()) {
            match position.legal(other) {
                [only] => self.own.push(*only),
                [first, ..] if other == role => self.own.push(*first),
                _ => return,
            }
        }
        let count = position.legal(role).len();
        for at in 0..count {
            self.own[role.index()] = position.legal(role)[at];
            if wins(&position.after(&[&self.own]), role, self.win) {
                moves.push(self.own[role.index()]);
                return;
            }
        }
        if !self.anti {
            return;
        }
        for at in 0..count {
            self.own[role.index()] = position.legal(role)[at];
            if !self.is_answered(position, role) {
                moves.push(self.own[role.index()]);
            }
        }
    }
}

impl Decisive {
    /// Whether an opponent has a decisive move after `own`.
    fn is_answered(&mut self, position: &mut dyn Position, role: Role) -> bool {
        let facts = position.after(&[&self.own]);
        if facts.ended.is_some() {
            return false;
        }
        let mut from = 0;
        let mut chooser = None;
        self.reply.clear();
        for (other, &end) in facts.ends.iter().enumerate() {
            let (first, end) = (from, end as usize);
            self.reply.push(facts.moves[first]);
            if end - first > 1 {
                match chooser {
                    None => chooser = Some((Role(other as u8), facts.moves[first..end].to_vec())),
                    Some(_) => return false,
                }
            }
            from = end;
        }
        let Some((opponent, replies)) = chooser else {
            // All moves are forced: play may end all the same.
            let forced = position.after(&[&self.own, &self.reply]);
            return forced.ended.is_some_and(|goals| {
                goals.iter().enumerate().any(|(r, &goal)| r != role.index() && goal >= self.win)
            });
        };
        opponent != role
            && replies.into_iter().any(|mov| {
                self.reply[opponent.index()] = mov;
                wins(&position.after(&[&self.own, &self.reply]), opponent, self.win)
            })
    }
}

fn wins(facts: &Facts<'_>, role: Role, win: Goal) -> bool {
    facts.ended.is_some_and(|goals| goals[role.index()] >= win)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::{Composition, Options, Part};

    /// Role 0 chooses among three moves. Move 2 ends the game with `end`; after the others role 1
    /// chooses between two replies, and reply 1 to move 0 wins for it.
    struct Position3 {
        end: [Goal; 2],
    }

    const LOST: [Goal; 2] = [Goal(0.0), Goal(100.0)];

    impl Position for Position3 {
        fn roles(&self) -> usize {
            2
        }

        fn legal(&self, role: Role) -> &[Move] {
            if role == Role(0) { &[Move(0), Move(1), Move(2)] } else { &[Move(9)] }
        }

        fn after(&mut self, line: &[&[Move]]) -> Facts<'_> {
            let open = Facts { ended: None, moves: &[Move(9), Move(0), Move(1)], ends: &[1, 3] };
            match line {
                [[Move(2), Move(9)]] => Facts { ended: Some(&self.end), moves: &[], ends: &[] },
                [[Move(0), Move(9)], [Move(9), Move(1)]] => {
                    Facts { ended: Some(&LOST), moves: &[], ends: &[] }
                }
                _ => open,
            }
        }
    }

    fn narrowed(part: &Part, end: [f32; 2]) -> Vec<u32> {
        let mut composition = Composition::default();
        let mut tactic =
            (ENTRY.build)(&mut Options::new(part, &mut composition)).expect("good options");
        let mut moves = Vec::new();
        tactic.narrow(&mut Position3 { end: end.map(Goal) }, Role(0), &mut moves);
        moves.into_iter().map(|mov| mov.0).collect()
    }

    #[test]
    fn a_win_is_taken_and_a_loss_avoided() {
        let decisive = Part::named("decisive");
        assert_eq!(narrowed(&decisive, [100.0, 0.0]), [2]);
        assert_eq!(narrowed(&decisive, [50.0, 50.0]), [1, 2]);
        assert_eq!(narrowed(&decisive.clone().with("win", 50.0), [50.0, 50.0]), [2]);
        assert_eq!(narrowed(&decisive.with("anti", false), [50.0, 50.0]), [0u32; 0]);
    }
}
