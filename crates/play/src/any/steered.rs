//! A game whose random moves are somebody's choice.
//!
//! Play-outs in which all moves are equally likely take their moves from [`Game::random_move`]. Here that
//! is a policy from outside, which sees the whole position; a search needs to know nothing of it. The
//! game is one of any type, so that searches for it are compiled once: next to what a policy from outside
//! costs, that is not slow. What a game offers besides its rules (features, types of moves) is not there.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use gamegrove_game::{Fault, Game, Goal, Move, Rng, Role};

use super::guest::Taste;
use super::look::Look;
use super::{AnyGame, AnyPosition};

/// A position as a state.
#[derive(Clone)]
pub(super) struct Place(pub(super) Arc<dyn AnyPosition>);

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.equals(&*other.0)
    }
}

impl Eq for Place {}

impl Hash for Place {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0.digest());
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.facts()).finish()
    }
}

/// A game of any type, with play-outs by a policy.
#[derive(Clone)]
pub(super) struct Steered {
    game: Arc<dyn AnyGame>,
    taste: Taste,
    /// The place that was looked at last, and what was seen.
    seen: Option<(Place, Look)>,
    fault: Option<Fault>,
}

impl Steered {
    /// The same game with play-outs by `taste`.
    pub(super) fn new(game: Arc<dyn AnyGame>, taste: Taste) -> Steered {
        Steered { game, taste, seen: None, fault: None }
    }

    fn look(&mut self, place: &Place) -> &Look {
        let known = self.seen.take().filter(|(seen, _)| Arc::ptr_eq(&seen.0, &place.0));
        let seen = known.unwrap_or_else(|| {
            let look = place.0.look().unwrap_or_else(|fault| {
                self.fault = Some(fault);
                Look::over(self.game.roles().len())
            });
            (place.clone(), look)
        });
        &self.seen.insert(seen).1
    }
}

impl Game for Steered {
    type State = Place;

    fn role_count(&self) -> usize {
        self.game.roles().len()
    }

    fn move_bound(&self, role: Role) -> usize {
        self.game.move_bound(role)
    }

    fn initial_state(&mut self) -> Place {
        Place(self.game.start(0))
    }

    fn is_terminal(&mut self, place: &Place) -> bool {
        self.look(place).terminal
    }

    fn legal_moves(&mut self, place: &Place, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        moves.extend_from_slice(self.look(place).legal(role));
    }

    fn random_move(
        &mut self,
        place: &Place,
        role: Role,
        moves: &mut Vec<Move>,
        rng: &mut Rng,
    ) -> Option<Move> {
        self.legal_moves(place, role, moves);
        match moves[..] {
            [] => None,
            [only] => Some(only),
            _ => {
                let chosen = (self.taste)(Arc::clone(&place.0), role, moves, rng);
                Some(moves[chosen.min(moves.len() - 1)])
            }
        }
    }

    fn apply(&mut self, place: &Place, joint: &[Move], next: &mut Place) {
        *next = match place.0.after(joint) {
            Ok(after) => Place(after),
            Err(fault) => {
                self.fault = Some(fault);
                place.clone()
            }
        };
    }

    fn goals(&mut self, place: &Place, goals: &mut [Goal]) {
        match place.0.goals() {
            Ok(found) => goals.iter_mut().zip(found).for_each(|(goal, worth)| *goal = Goal(worth)),
            Err(fault) => {
                goals.fill(Goal::WORST);
                self.fault = Some(fault);
            }
        }
    }

    fn resample(&mut self, place: &mut Place, rng: &mut Rng) {
        *place = Place(place.0.with_chance(rng));
    }

    fn take_fault(&mut self) -> Option<Fault> {
        self.fault.take()
    }
}
