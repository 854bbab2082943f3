//! From a game's text to a game that is ready.

use gamegrove_gdl::Reading;
use gamegrove_propnet::PropnetLanes;
use std::sync::Arc;
use std::time::Duration;

use super::AnyGame;
use super::setup::{Held, Setup};
use super::show::{FactShow, OctagonShow};
use super::video::Level;
use crate::library::Kind;
use crate::load::{LevelChoice, Source};
use crate::problem::{Problem, Result};
use crate::reasoner::{Ready, Reasoner, ready};
use crate::rules::Rules;
use crate::video;

/// A game that was opened.
pub struct Opened {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// What answers questions about its rules, in a word.
    pub reasoner: &'static str,
    /// What was chosen and why, and what was found in the texts, in sentences.
    pub remarks: Vec<String>,
}

/// Opens a game; `level` is for video games. `patience` is how long to wait for a network where the
/// prover would do.
pub fn open(
    source: &Source,
    level: &LevelChoice,
    reasoner: Reasoner,
    patience: Duration,
) -> Result<Opened> {
    if source.kind == Kind::Vgdl {
        if !matches!(reasoner, Reasoner::Auto | Reasoner::Native) {
            return Err(Problem::usage(
                format!("{} is a video game, which plays itself", source.name),
                "choose no reasoner",
            ));
        }
        let mut loaded = video::load(source, level)?;
        let remarks = std::mem::take(&mut loaded.remarks);
        return Ok(Opened { game: Arc::new(Level::new(loaded)), reasoner: "native", remarks });
    }
    let sheet = match source.rules(Reading::Logical)? {
        Rules::Octagon(game) => {
            crate::reasoner::native(&source.name, reasoner)?;
            let show = OctagonShow::new(&game);
            let game = Arc::new(Held(Setup::new(&source.name, *game, None, show)));
            return Ok(Opened { game, reasoner: "native", remarks: Vec::new() });
        }
        Rules::Sheet(sheet) => Arc::new(*sheet),
    };
    let (ready, told) = ready(&source.name, &sheet, reasoner, patience)?;
    let show = |facts| FactShow::new(source.clone(), Arc::clone(&sheet), facts);
    let (game, reasoner): (Arc<dyn AnyGame>, _) = match ready {
        Ready::Prover(game) => {
            (Arc::new(Held(Setup::new(&source.name, *game, None, show(None)))), "prover")
        }
        Ready::CachedProver(game) => {
            let name = reasoner.name();
            (Arc::new(Held(Setup::new(&source.name, *game, None, show(None)))), name)
        }
        Ready::CachedNetwork(game) => {
            let show = show(Some(game.game.network().bases().len()));
            (Arc::new(Held(Setup::new(&source.name, *game, None, show))), reasoner.name())
        }
        Ready::Hardware(game) => {
            let show = show(Some(game.fact_count()));
            (Arc::new(Held(Setup::new(&source.name, *game, None, show))), reasoner.name())
        }
        Ready::Network(game) => {
            let wanted = !reasoner.is_one_state_network();
            let lanes = if wanted {
                PropnetLanes::new(game.network()).ok().map(PropnetLanes::boxed)
            } else {
                None
            };
            let name = if lanes.is_some() { "lanes" } else { "propnet" };
            let show = show(Some(game.network().bases().len()));
            (Arc::new(Held(Setup::new(&source.name, *game, lanes, show))), name)
        }
    };
    Ok(Opened { game, reasoner, remarks: told.into_iter().collect() })
}
