//! Rules that are ready to be played by: a rulesheet, or a game that is a program.

use gamegrove_gdl::{Reading, Rulesheet};

use crate::library::Kind;
use crate::load::Source;
use crate::native::{self, Program};
use crate::problem::Result;
use crate::reasoner::Reasoner;
use crate::video;

/// Rules that are ready to be played by.
#[derive(Debug)]
pub enum Rules {
    /// A rulesheet in the Game Description Language.
    Sheet(Box<Rulesheet>),
    /// A program.
    Native(Box<Program>),
}

impl Source {
    /// The rules, if they have no errors; video games have levels instead.
    pub fn rules(&self, reading: Reading) -> Result<Rules> {
        match self.kind {
            Kind::Native => Ok(Rules::Native(Box::new(native::load(self)?))),
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
            Rules::Native(_) => Reasoner::Native,
        }
    }
}
