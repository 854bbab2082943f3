//! Rules that are ready to be played by: a rulesheet, or a game that is a program.

use gamegrove_gdl::{Reading, Rulesheet};
use gamegrove_octagon::Octagon;

use crate::library::Kind;
use crate::load::Source;
use crate::octagon;
use crate::problem::Result;
use crate::reasoner::Reasoner;
use crate::video;

/// Rules that are ready to be played by.
#[derive(Debug)]
pub enum Rules {
    /// A rulesheet in the Game Description Language.
    Sheet(Box<Rulesheet>),
    /// The Octagon Theory.
    Octagon(Box<Octagon>),
}

/// The same, borrowed; what functions that play any game take.
#[derive(Clone, Copy, Debug)]
pub enum Playable<'a> {
    /// A rulesheet in the Game Description Language.
    Sheet(&'a Rulesheet),
    /// The Octagon Theory.
    Octagon(&'a Octagon),
}

impl Source {
    /// The rules, if they have no errors; video games have levels instead.
    pub fn rules(&self, reading: Reading) -> Result<Rules> {
        match self.kind {
            Kind::Octagon => Ok(Rules::Octagon(Box::new(octagon::load(self)?))),
            Kind::Gdl | Kind::Vgdl => {
                video::require(self, Kind::Gdl)?;
                Ok(Rules::Sheet(Box::new(self.rulesheet(reading)?)))
            }
        }
    }
}

impl Rules {
    /// What answers questions about these rules if this reasoner is asked for.
    pub fn reasoner(&self, asked: Reasoner) -> Reasoner {
        match self {
            Rules::Sheet(_) => asked,
            Rules::Octagon(_) => Reasoner::Native,
        }
    }
}

impl<'a> From<&'a Rules> for Playable<'a> {
    fn from(rules: &'a Rules) -> Self {
        match rules {
            Rules::Sheet(sheet) => Playable::Sheet(sheet),
            Rules::Octagon(game) => Playable::Octagon(game),
        }
    }
}

impl<'a> From<&'a Rulesheet> for Playable<'a> {
    fn from(sheet: &'a Rulesheet) -> Self {
        Playable::Sheet(sheet)
    }
}
