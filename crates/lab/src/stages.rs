//! Games made ready once and shared by threads: the first to ask makes a game ready, the others get
//! copies.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use gamegrove_agents::Agent;

use crate::venue::{Stage, Venue};

/// A stage, or why there is none.
type Prepared = OnceLock<Result<Mutex<Box<dyn Stage>>, String>>;

/// The games of one run.
pub(crate) struct Stages<'a> {
    venue: &'a dyn Venue,
    reasoner: &'a str,
    prepared: Vec<Prepared>,
}

/// The stages that one thread has.
pub(crate) type Own = HashMap<usize, Box<dyn Stage>>;

impl<'a> Stages<'a> {
    /// Room for `games` games.
    pub(crate) fn new(venue: &'a dyn Venue, reasoner: &'a str, games: usize) -> Stages<'a> {
        Stages { venue, reasoner, prepared: (0..games).map(|_| OnceLock::new()).collect() }
    }

    /// The stage of game number `game`, called `name`, for the thread that has `own`. Before the first
    /// use the agents that will play there have to be admitted.
    pub(crate) fn get<'o>(
        &self,
        own: &'o mut Own,
        game: usize,
        name: &str,
        agents: impl IntoIterator<Item = &'a Agent>,
    ) -> Result<&'o mut Box<dyn Stage>, String> {
        match own.entry(game) {
            std::collections::hash_map::Entry::Occupied(entry) => Ok(entry.into_mut()),
            std::collections::hash_map::Entry::Vacant(entry) => {
                let prepared = self.prepared[game].get_or_init(|| {
                    let stage = self.venue.open(name, self.reasoner)?;
                    agents.into_iter().try_for_each(|agent| stage.admit(agent))?;
                    Ok(Mutex::new(stage))
                });
                let stage = match prepared {
                    Ok(stage) => stage.lock().unwrap_or_else(PoisonError::into_inner).another(),
                    Err(problem) => return Err(problem.clone()),
                };
                Ok(entry.insert(stage))
            }
        }
    }
}
