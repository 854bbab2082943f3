//! All matches. Their number is limited, and those without visitors end.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Match;
use crate::limits::Limits;
use crate::refusal::{Answer, Refusal};
use crate::room::Room;
use crate::rooms::short;
use crate::visitor::Visitor;

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
                "matches are forgotten some time after their last visitor left: start a new one",
            )
        })?;
        found.touch();
        Ok(found)
    }

    /// Adds a match. The visitor's oldest match without viewers makes room for it, then the oldest of all
    /// visitors.
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

    /// Drops the matches of one game if none of them had a viewer for a while, so that another game can be set
    /// up in its place; returns whether there was one. A visitor's own matches are dropped sooner, and a
    /// stream of events does not hold a place without other requests.
    /// Pasted games have places of their own.
    pub fn leave_a_room(&self, visitor: &Visitor, pasted: bool) -> bool {
        let mut all = self.all();
        let (own, any) = self.limits.match_evictable;
        // For each game whether all of its matches may be dropped, and the time since the last request.
        let mut games: HashMap<*const Room, (bool, Duration)> = HashMap::new();
        for found in all.values().filter(|found| found.room.own.is_some() || !pasted) {
            let least = if found.visitor == *visitor { own } else { any };
            let is_left = found.idle() >= least || found.quiet() >= self.limits.match_quiet;
            let (left, since) =
                games.entry(Arc::as_ptr(&found.room)).or_insert((true, Duration::MAX));
            *left &= is_left;
            *since = found.quiet().min(*since);
        }
        let left = games.into_iter().filter(|&(_, (left, _))| left);
        let Some((room, _)) = left.max_by_key(|&(_, (_, since))| since) else { return false };
        all.retain(|_, found| {
            let stays = Arc::as_ptr(&found.room) != room;
            if !stays {
                found.close();
            }
            stays
        });
        true
    }

    /// Drops matches that were not used for long.
    pub fn sweep(&self) {
        let idle = self.limits.match_idle;
        let mut quiet = Vec::new();
        self.all().retain(|_, found| {
            let since = found.idle();
            if since >= self.limits.mind_idle {
                quiet.push(Arc::clone(found));
            }
            let stays = since < idle;
            if !stays {
                found.close();
            }
            stays
        });
        quiet.iter().for_each(|found| found.forget());
    }
}

/// The match that was not used for the longest time, and at least for so long.
fn oldest(
    all: &HashMap<String, Arc<Match>>,
    least: Duration,
    of: impl Fn(&Match) -> bool,
) -> Option<String> {
    let idle = all.values().filter(|found| of(found) && found.idle() >= least);
    idle.max_by_key(|found| found.idle()).map(|found| found.id.clone())
}
