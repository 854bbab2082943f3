//! All games that can be played: the shipped ones, the pasted ones, and those that are set up now.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use gamegrove_play::library::{self, Kind};
use gamegrove_play::{StopFlag, native};
use tokio::runtime::Handle;
use tokio::sync::OnceCell;

use crate::limits::Limits;
use crate::matches::Registry;
use crate::pool::Pool;
use crate::refusal::{Answer, Refusal};
use crate::room::{OwnGame, Room, Sheet};
use crate::visitor::Visitor;

/// A game being set up or ready.
type Slot = Arc<OnceCell<Answer<Arc<Room>>>>;

/// All games that can be played.
#[derive(Debug)]
pub struct Rooms {
    limits: Arc<Limits>,
    /// Threads that set games up: shipped ones, and pasted ones.
    setup: (Pool, Pool),
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    open: HashMap<(String, usize), Held>,
    own: HashMap<String, (Arc<OwnGame>, Visitor, Instant)>,
}

/// The place of a game.
#[derive(Debug)]
struct Held {
    slot: Slot,
    /// When it was last asked for.
    used: Instant,
    /// The visitor who asked for it first.
    visitor: Visitor,
}

impl Held {
    /// Whether nothing but this table holds the game: nobody plays it, waits for it or sets it up.
    fn is_idle(&self) -> bool {
        Arc::strong_count(&self.slot) == 1
            && self
                .slot
                .get()
                .is_none_or(|room| room.as_ref().map_or(true, |room| Arc::strong_count(room) == 1))
    }
}

/// Ends work when it is dropped, unless the work is done.
struct StopOnDrop(Option<StopFlag>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        if let Some(stop) = &self.0 {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Rooms {
    /// No game is set up yet.
    pub fn new(limits: &Arc<Limits>, setup: (Pool, Pool)) -> Rooms {
        Rooms { limits: Arc::clone(limits), setup, inner: Mutex::default() }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many games are set up.
    pub fn len(&self) -> usize {
        self.inner().open.len()
    }

    /// Keeps a pasted game; the visitor's oldest makes room for it.
    pub fn keep(&self, visitor: &Visitor, game: OwnGame) -> Arc<OwnGame> {
        let game = Arc::new(game);
        let mut inner = self.inner();
        let (each, all) = self.limits.own_games;
        let oldest = |own: &HashMap<String, (Arc<OwnGame>, Visitor, Instant)>,
                      whose: Option<&Visitor>| {
            let of = own.iter().filter(|(_, (_, who, _))| whose.is_none_or(|whose| who == whose));
            of.min_by_key(|(_, (_, _, when))| *when).map(|(name, _)| name.clone())
        };
        let mine = inner.own.values().filter(|(_, who, _)| who == visitor).count();
        if mine >= each
            && let Some(name) = oldest(&inner.own, Some(visitor))
        {
            inner.own.remove(&name);
        }
        if inner.own.len() >= all
            && let Some(name) = oldest(&inner.own, None)
        {
            inner.own.remove(&name);
        }
        let entry = (Arc::clone(&game), visitor.clone(), Instant::now());
        inner.own.insert(game.name.clone(), entry);
        game
    }

    /// The rules that a name stands for.
    pub fn sheet(&self, name: &str) -> Answer<Sheet> {
        if let Some((game, _, when)) = self.inner().own.get_mut(name) {
            *when = Instant::now();
            return Ok(Sheet::Own(Arc::clone(game)));
        }
        let known = native::find(name).is_some() || library::find(name).is_some();
        if known && name.len() <= 200 {
            return Ok(Sheet::Shipped(name.to_owned()));
        }
        let help = match name.starts_with("own-") {
            true => "pasted games are forgotten after a while: paste it again",
            false => "the gallery has all games",
        };
        Err(Refusal::missing(format!("no game is called {}", short(name)), help))
    }

    /// The game called `name`, set up; waits until it is. If too many games are set up, matches without
    /// viewers make room.
    pub async fn open(
        &self,
        matches: &Registry,
        visitor: &Visitor,
        name: &str,
        level: usize,
    ) -> Answer<Arc<Room>> {
        let sheet = self.sheet(name)?;
        let key = (sheet.name().to_owned(), level);
        let own = matches!(sheet, Sheet::Own(_));
        let slot = match self.slot(key.clone(), visitor) {
            Err(_) if matches.leave_a_room(visitor, own) => self.slot(key.clone(), visitor)?,
            other => other?,
        };
        let limits = Arc::clone(&self.limits);
        let (setup, most) = match own {
            false => (&self.setup.0, limits.setup_time.0),
            true => (&self.setup.1, limits.setup_time.1),
        };
        let runtime = Handle::current();
        let set_up = || async move {
            // Where no request waits for it any more, this is dropped and the work ends.
            let mut asked = StopOnDrop(Some(StopFlag::default()));
            let stop = asked.0.clone().unwrap_or_default();
            let work = setup.run(move || {
                let late = Arc::clone(&stop);
                let timer = runtime.spawn(async move {
                    tokio::time::sleep(most).await;
                    late.store(true, Ordering::Relaxed);
                });
                let room = Room::open(&sheet, level, &limits, &stop);
                timer.abort();
                room
            });
            let opened = work.await.and_then(|room| room).map(Arc::new);
            asked.0 = None;
            opened
        };
        let opened = slot.get_or_init(set_up).await.clone();
        if opened.is_err() {
            // Another try may go better: it may just have been busy.
            self.inner().open.remove(&key);
        }
        opened
    }

    /// The place for a game, with room made for it.
    fn slot(&self, key: (String, usize), visitor: &Visitor) -> Answer<Slot> {
        let mut inner = self.inner();
        if let Some(held) = inner.open.get_mut(&key) {
            held.used = Instant::now();
            return Ok(Arc::clone(&held.slot));
        }
        let is_own = |key: &(String, usize)| key.0.starts_with("own-");
        let own = is_own(&key);
        // Of all games, and of the pasted ones if this is one: so many of all visitors, and of this one.
        let (all, each) = (self.limits.rooms, self.limits.rooms_each);
        let of_all = [(false, true, each.0), (false, false, all.0)];
        let of_pasted = [(true, true, each.1), (true, false, all.1)];
        let of_pasted = of_pasted.into_iter().filter(|_| own);
        for (pasted, mine, most) in of_pasted.chain(of_all) {
            let counts = |(known, held): &(&(String, usize), &Held)| {
                (!pasted || is_own(known)) && (!mine || held.visitor == *visitor)
            };
            if inner.open.iter().filter(counts).count() < most {
                continue;
            }
            let idle = inner.open.iter().filter(counts).filter(|(_, held)| held.is_idle());
            let oldest = idle.min_by_key(|(_, held)| held.used).map(|(key, _)| key.clone());
            let Some(oldest) = oldest else {
                return Err(match mine {
                    true => Refusal::enough(
                        format!("you have {most} different games open"),
                        "close the pages of some first",
                    ),
                    false => Refusal::busy("too many different games are being played"),
                });
            };
            inner.open.remove(&oldest);
        }
        let (slot, visitor) = (Slot::default(), visitor.clone());
        let held = Held { slot: Arc::clone(&slot), used: Instant::now(), visitor };
        inner.open.insert(key, held);
        Ok(slot)
    }
}

/// A name from a request, short enough to be repeated.
pub fn short(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(60).collect()
}

/// The language that pasted rules are in.
pub fn language(rules: &str) -> Kind {
    gamegrove_play::load::language_of(rules.as_bytes())
}
