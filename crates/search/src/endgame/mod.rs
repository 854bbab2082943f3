//! Positions so near the end that all that can follow is looked at, instead of a search.
//!
//! One rule per file, one line each in [`ENDGAMES`].

mod ida_star;
mod line;
mod minimax;
mod proof;
mod resistance;

pub(crate) use self::resistance::steps_to_loss;
use gamegrove_game::{Game, Goal, Move, Rng, Role};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

use crate::budget::Budget;
use crate::part::{Options, SettingsError};
use crate::registry::Entry;
use crate::solver::Bounds;
use crate::worker::Look;

/// All rules. Without one every position is searched.
pub static ENDGAMES: &[Entry<dyn Endgame>] = &[minimax::ENTRY, proof::ENTRY, ida_star::ENTRY];

/// Plays a position out in full, if that can be done.
pub trait Endgame: Send {
    /// The move that `role` should play, if all that matters was looked at.
    fn solve(
        &self,
        walk: &mut dyn Walk,
        role: Role,
        budget: &Budget<'_>,
        rng: &mut Rng,
    ) -> Option<Answer>;
}

/// What a rule has found out about a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The move to play.
    pub mov: Move,
    /// What is proved of the player's moves; empty if the rule does not say.
    pub moves: Vec<(Move, Bounds)>,
    /// In games of one role, the moves after it that lead to what is proved, if the rule tells.
    pub line: Vec<Move>,
}

impl Answer {
    /// What is proved about the score of the player.
    pub(crate) fn bounds(&self) -> Bounds {
        let most = |of: fn(&Bounds) -> f64| self.moves.iter().map(|(_, b)| of(b)).reduce(f64::max);
        let unknown = Bounds::UNKNOWN;
        Bounds {
            low: most(|bounds| bounds.low).unwrap_or(unknown.low),
            high: most(|bounds| bounds.high).unwrap_or(unknown.high),
        }
    }
}

/// A position from which one can go on and come back.
pub trait Walk {
    /// The number of roles.
    fn roles(&self) -> usize;

    /// The goals of all roles if play is over.
    fn ended(&self) -> Option<&[Goal]>;

    /// The legal moves of a role.
    fn legal(&self, role: Role) -> &[Move];

    /// Plays a joint move.
    fn play(&mut self, joint: &[Move]);

    /// Takes the last joint move back.
    fn take_back(&mut self);

    /// The number of this position among those that were asked about. Equal states have equal numbers.
    fn number(&mut self) -> u32;

    /// Goes to the position of a number; the line that led here cannot be taken back any more.
    fn go_to(&mut self, number: u32);
}

/// The answer of a line that was found earlier in a game of one role, if what is left of it still leads to
/// 100 points from here. Moves of it that were played since are skipped.
pub(crate) fn go_on(walk: &mut dyn Walk, line: &[Move]) -> Option<Answer> {
    (0..line.len()).find_map(|played| {
        let left = &line[played..];
        let mut steps = 0;
        for &mov in left {
            if walk.ended().is_some() || !walk.legal(Role(0)).contains(&mov) {
                break;
            }
            walk.play(&[mov]);
            steps += 1;
        }
        let goal = walk.ended().map_or(0.0, |goals| f64::from(goals[0].0));
        (0..steps).for_each(|_| walk.take_back());
        let bounds = Bounds { low: goal, high: goal };
        let answer =
            || Answer { mov: left[0], moves: vec![(left[0], bounds)], line: left[1..].to_vec() };
        (steps == left.len() && goal >= 100.0).then(answer)
    })
}

/// The role that has a choice, if any has, with the first move of all in `joint`; `None` if several
/// have.
fn chooser(walk: &dyn Walk, joint: &mut Vec<Move>) -> Option<Option<Role>> {
    joint.clear();
    let mut chooser = None;
    for role in Role::all(walk.roles()) {
        let legal = walk.legal(role);
        joint.push(legal[0]);
        if legal.len() > 1 && chooser.replace(role).is_some() {
            return None;
        }
    }
    Some(chooser)
}

/// Makes the rule called `name`.
pub(crate) fn build(
    name: &str,
    options: &mut Options<'_>,
) -> Result<Box<dyn Endgame>, SettingsError> {
    crate::registry::build("endgame", ENDGAMES, name, options)
}

/// A [`Walk`] from a state of a game.
pub(crate) struct Line<'g, G: Game> {
    game: &'g mut G,
    /// The states so far with what was seen there; those beyond `depth` are spare.
    levels: Vec<(G::State, Look)>,
    depth: usize,
    /// The states that have numbers, and these by the states' hashes.
    numbered: Vec<G::State>,
    numbers: HashTable<u32>,
}

impl<'g, G: Game> Line<'g, G> {
    pub(crate) fn new(game: &'g mut G, state: &G::State) -> Self {
        let mut look = Look::default();
        look.at(game, state);
        let levels = vec![(state.clone(), look)];
        Line { game, levels, depth: 0, numbered: Vec::new(), numbers: HashTable::new() }
    }
}

impl<G: Game> Walk for Line<'_, G> {
    fn roles(&self) -> usize {
        self.game.role_count()
    }

    fn ended(&self) -> Option<&[Goal]> {
        let look = &self.levels[self.depth].1;
        look.ended.then_some(&look.goals)
    }

    fn legal(&self, role: Role) -> &[Move] {
        self.levels[self.depth].1.of_role(role)
    }

    fn play(&mut self, joint: &[Move]) {
        if self.levels.len() == self.depth + 1 {
            self.levels.push((self.levels[self.depth].0.clone(), Look::default()));
        }
        let (before, after) = self.levels.split_at_mut(self.depth + 1);
        let (state, look) = &mut after[0];
        self.game.apply(&before[self.depth].0, joint, state);
        look.at(self.game, state);
        self.depth += 1;
    }

    fn take_back(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn number(&mut self) -> u32 {
        let Line { levels, depth, numbered, numbers, .. } = self;
        let state = &levels[*depth].0;
        let hash = FxBuildHasher.hash_one(state);
        if let Some(&number) = numbers.find(hash, |&number| numbered[number as usize] == *state) {
            return number;
        }
        let number = numbered.len() as u32;
        numbered.push(state.clone());
        numbers.insert_unique(hash, number, |&at| FxBuildHasher.hash_one(&numbered[at as usize]));
        number
    }

    fn go_to(&mut self, number: u32) {
        let (state, look) = &mut self.levels[0];
        state.clone_from(&self.numbered[number as usize]);
        look.at(self.game, state);
        self.depth = 0;
    }
}
