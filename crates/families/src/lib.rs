//! Families of games: parameters to a rulesheet, readable and commented like those that ship.
//!
//! A [`Family`] says what its parameters are, so that commands, pages and experiments can offer them
//! without knowing the family. [`Family::make`] checks the arguments and writes the rulesheet. The
//! games of the game-tree study follow [Finnsson 2012, 7.2], Goofspiel 14.2, Chinese checkers
//! [Sironi 2019, B.1].
//!
//! [`family`] says what a family is, `sheet` writes rulesheets, and every other module is one family.

mod breakthrough;
mod chinese_checkers;
mod connect;
mod family;
mod goofspiel;
mod optimistic;
mod progression;
mod puzzle;
mod runners;
mod sheet;

pub use family::{Family, FamilyError};

/// All families, sorted by name.
pub const FAMILIES: [&Family; 10] = [
    &breakthrough::FAMILY,
    &chinese_checkers::FAMILY,
    &connect::FAMILY,
    &goofspiel::FAMILY,
    &optimistic::FAMILY,
    &runners::PENALTIES,
    &progression::FAMILY,
    &runners::PUNISHMENT,
    &puzzle::FAMILY,
    &runners::SHOCK_STEP,
];

/// The family called `name`, if there is one.
pub fn find(name: &str) -> Option<&'static Family> {
    FAMILIES.into_iter().find(|family| family.name == name)
}
