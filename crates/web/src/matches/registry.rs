//! All matches, with the limits on their number and the end of those that nobody is at.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Match;
use crate::limits::Limits;
use crate::refusal::{Answer, Refusal};
use crate::rooms::short;

/// All matches.
#[derive(Debug)]
pub struct Registry {
    limits: Arc<Limits>,
    matches: Mutex<HashMap<String, Arc<Match>>>,
}

impl Registry {
    /// No matches yet.
    pub fn new(limits: &Arc<Limits>) -> Registry {
        Registry { limits: Arc::clone(limits), matches: Mutex::default() }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Arc<Match>>> {
        self.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all().len()
    }

    /// A match by its name.
    pub fn find(&self, id: &str) -> Answer<Arc<Match>> {
        let found = self.all().get(id).cloned();
        let found = found.ok_or_else(|| {
            Refusal::missing(
                format!("there is no match {}", short(id)),
                "matches are forgotten some time after everybody has left: start a new one",
            )
        })?;
        found.touch();
        Ok(found)
    }

    /// Adds a match. A visitor's oldest match that nobody is at makes room for it, then anybody's.
    pub fn add(&self, added: &Arc<Match>) -> Answer<()> {
        let mut all = self.all();
        let (each, total) = self.limits.matches;
        let own = |found: &Match| found.visitor == added.visitor;
        if all.values().filter(|found| own(found)).count() >= each {
            let evicted = oldest(&all, self.limits.match_evictable.0, own).ok_or_else(|| {
                Refusal::enough(
                    format!("you have {each} matches under way"),
                    "close one of their pages first",
                )
            })?;
            all.remove(&evicted).iter().for_each(|gone| gone.close());
        }
        if all.len() >= total {
            let evicted = oldest(&all, self.limits.match_evictable.1, |_| true);
            let evicted = evicted.ok_or_else(|| Refusal::busy("too many matches are under way"))?;
            all.remove(&evicted).iter().for_each(|gone| gone.close());
        }
        all.insert(added.id.clone(), Arc::clone(added));
        Ok(())
    }

    /// Drops matches that nobody has been at for long.
    pub fn sweep(&self) {
        let idle = self.limits.match_idle;
        self.all().retain(|_, found| {
            let stays = found.idle() < idle;
            if !stays {
                found.close();
            }
            stays
        });
    }
}

/// The match that nobody has been at for the longest time, and at least for so long.
fn oldest(
    all: &HashMap<String, Arc<Match>>,
    least: Duration,
    of: impl Fn(&Match) -> bool,
) -> Option<String> {
    let idle = all.values().filter(|found| of(found) && found.idle() >= least);
    idle.max_by_key(|found| found.idle()).map(|found| found.id.clone())
}
