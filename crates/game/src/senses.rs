//! What a player perceives of the world of things in which it acts [Sironi 2019, 3.2.4]: where it
//! stands, what is around, what it touched, how many points it has.
//!
//! Kinds of things are numbers that mean the same in every state; what a thing is good for is for
//! the player to find out. Places are in fields of the board, fractions included.

use crate::Role;

/// The class of a kind of thing, as far as it can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// The thing that a player steers.
    Avatar,
    /// Something to collect.
    Resource,
    /// A door or a portal.
    Portal,
    /// Something that moves by itself.
    Character,
    /// Something that stays where it is.
    Static,
    /// Anything else.
    Movable,
}

/// The thing that a player steers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Avatar {
    /// Its kind.
    pub kind: usize,
    /// Where it is.
    pub place: (f64, f64),
    /// Where it looks.
    pub facing: (f64, f64),
    /// Fields it moves in a step.
    pub speed: f64,
    /// Its health, in games that have such a thing; 0 in others.
    pub health: i32,
}

/// Perceives states of a game for a player.
pub trait Senses<S>: Send {
    /// How many kinds of things there are.
    fn kinds(&self) -> usize;

    /// The class of a kind.
    fn category(&self, kind: usize) -> Category;

    /// Whether things of this kind are walls, which nothing walks through.
    fn is_wall(&self, kind: usize) -> bool;

    /// Columns and rows of the board.
    fn board(&self) -> (usize, usize);

    /// Steps played so far.
    fn tick(&self, state: &S) -> u32;

    /// The points of `role`.
    fn score(&self, state: &S, role: Role) -> f64;

    /// Whether `role` has won or lost, once that is decided.
    fn verdict(&self, state: &S, role: Role) -> Option<bool>;

    /// The thing that `role` steers, while it lives.
    fn avatar(&self, state: &S, role: Role) -> Option<Avatar>;

    /// How many things of a kind `role` sees.
    fn count(&self, state: &S, role: Role, kind: usize) -> usize;

    /// Writes the places of the things of a kind that `role` sees to `places`, replacing what it
    /// held. What avatars made does not count as a thing to be found, and is left out.
    fn places(&self, state: &S, role: Role, kind: usize, places: &mut Vec<(f64, f64)>);

    /// Writes the kinds that the avatar of `role`, or something it made, met in the last step to
    /// `kinds`, one entry per meeting, replacing what it held.
    fn touched(&self, state: &S, role: Role, kinds: &mut Vec<usize>);

    /// Writes what the avatar of `role` has collected to `resources`: kinds and amounts.
    fn resources(&self, state: &S, role: Role, resources: &mut Vec<(usize, i32)>);

    /// The direction in which a move goes, if it is one that goes somewhere.
    fn direction(&self, mov: crate::Move) -> Option<(f64, f64)>;

    /// The move that does nothing.
    fn waiting(&self) -> crate::Move;

    /// A number that is equal for states that look equal to `role`, whatever the time and whatever
    /// chance will bring; different states have different numbers almost surely.
    fn likeness(&self, state: &S, role: Role) -> u64;

    /// The memory that a copy of `state` takes, in bytes, about.
    fn bytes(&self, state: &S) -> usize;
}
