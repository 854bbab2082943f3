//! A game by its name, ready for matches.
use crate::matches::{Seating, Table};
use gamegrove_game::{BoxedLanes, Describe};

use crate::problem::Result;
use crate::reasoner::{Reasoner, Work, with_game};
use crate::rules::Playable;

/// Sets `reasoner` up for the game called `name` and makes it a table to play matches at. Also says
/// what was chosen and why, where there was a choice.
pub fn table<'a>(
    name: &str,
    rules: impl Into<Playable<'a>>,
    reasoner: Reasoner,
) -> Result<(Box<dyn Table>, Option<String>)> {
    let mut told = None;
    let table = with_game(name, rules, reasoner, Laid { name, told: &mut told })?;
    Ok((table, told))
}

struct Laid<'a> {
    name: &'a str,
    told: &'a mut Option<String>,
}

impl Work for Laid<'_> {
    type Output = Box<dyn Table>;
    const LANES: bool = true;

    fn chosen(&mut self, what: &str) {
        *self.told = Some(what.to_owned());
    }

    fn run<G: Describe + 'static>(self, game: G) -> Box<dyn Table> {
        Box::new(Seating::new(self.name, game, None))
    }

    fn run_on_lanes<G>(self, game: G, lanes: BoxedLanes<G::State>) -> Box<dyn Table>
    where
        G: Describe + 'static,
    {
        Box::new(Seating::new(self.name, game, Some(lanes)))
    }
}
