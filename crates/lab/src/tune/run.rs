//! Plays what is left of a task, on as many threads as wished.
//!
//! Threads ask the driver for matches and look into the store before they play one. Processes that
//! work on the same task with the same store share the matches by claims, as experiments do.

use std::ops::ControlFlow;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use gamegrove_tuning::Combination;

use super::driver::{Driver, Next};
use super::schedule::{Fixture, Purpose, points};
use super::{Task, TuneError, Tuned};
use crate::run::now;
use crate::store::{Session, Store};
use crate::venue::{Row, Venue};

/// How far it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Matches in all.
    pub total: u64,
    /// Matches finished.
    pub done: u64,
    /// How long the rest takes at the present pace; nothing before the first match.
    pub seconds_left: Option<f64>,
    /// What the strategy would recommend now.
    pub best: Option<String>,
}

/// How often the caller hears how far it is.
const BEAT: Duration = Duration::from_millis(200);
/// How long a thread without work waits before it looks again.
const NAP: Duration = Duration::from_millis(50);

/// Plays all matches that are not in the store, `session.threads` at a time.
///
/// `watch` runs on the caller's thread a few times a second. When it breaks, no further match is
/// started; those under way are finished and kept.
pub fn run(
    task: &Task,
    store: &mut Store,
    venue: &dyn Venue,
    session: &Session,
    mut watch: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Tuned, TuneError> {
    store.work(session)?;
    let driver = Driver::new(task).map_err(|error| TuneError::Order(error.to_string()))?;
    let threads = session.threads.max(1);
    let desk = Desk {
        task,
        block: task.block(),
        store,
        driver,
        best: None,
        asked: 0,
        checks: vec![None; task.order.checks as usize],
        elsewhere: Vec::new(),
        spent: (0, 0.0),
        played: 0,
        stop: false,
        failure: None,
    };
    let hall = Hall {
        task,
        venue,
        admitted: (0..task.games.len()).map(|_| OnceLock::new()).collect(),
        desk: Mutex::new(desk),
        news: Condvar::new(),
    };
    let (sender, receiver) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (hall, sender) = (&hall, sender.clone());
            scope.spawn(move || {
                hall.work();
                drop(sender);
            });
        }
        drop(sender);
        while receiver.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
            let progress = hall.desk().progress(threads);
            if watch(&progress).is_break() {
                hall.desk().stop = true;
            }
        }
    });
    let Hall { desk, .. } = hall;
    let mut desk = desk.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(failure) = desk.failure.take() {
        return Err(failure);
    }
    let complete = desk.best.is_some() && desk.checks.iter().all(Option::is_some);
    let tuned = Tuned {
        trials: std::mem::take(&mut desk.driver.trials),
        best: desk.best.take(),
        checks: desk.checks.iter().flatten().copied().collect(),
        complete,
        played: desk.played,
    };
    desk.store.rest()?;
    Ok(tuned)
}

/// What the threads share.
struct Hall<'a> {
    task: &'a Task,
    venue: &'a dyn Venue,
    /// Whether both agents can play each game, once that was tried.
    admitted: Vec<OnceLock<Result<(), String>>>,
    desk: Mutex<Desk<'a>>,
    news: Condvar,
}

/// Where threads get their matches.
struct Desk<'a> {
    task: &'a Task,
    block: Vec<(usize, Vec<usize>)>,
    store: &'a mut Store,
    driver: Driver,
    /// The best values, once all matches that tune are over.
    best: Option<Combination>,
    /// How many matches of the check were given out.
    asked: u32,
    /// Their games and points.
    checks: Vec<Option<(usize, f64)>>,
    /// Matches that other processes play.
    elsewhere: Vec<Fixture>,
    /// Matches whose time is known, and that time in seconds.
    spent: (u64, f64),
    played: u64,
    stop: bool,
    failure: Option<TuneError>,
}

/// What a thread gets.
enum Job {
    Play(Box<Fixture>),
    Wait,
    Over,
}

impl<'a> Hall<'a> {
    fn desk(&self) -> MutexGuard<'_, Desk<'a>> {
        // A panic elsewhere leaves results that are all true.
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does all day.
    fn work(&self) {
        loop {
            let mut desk = self.desk();
            if desk.stop || desk.failure.is_some() {
                return;
            }
            match desk.next() {
                Ok(Job::Over) => return,
                Ok(Job::Wait) => {
                    let waited = self.news.wait_timeout(desk, NAP);
                    drop(waited.unwrap_or_else(PoisonError::into_inner));
                }
                Ok(Job::Play(fixture)) => {
                    drop(desk);
                    if let Err(error) = self.play(&fixture) {
                        self.desk().failure.get_or_insert(error);
                    }
                    self.news.notify_all();
                }
                Err(error) => {
                    desk.failure.get_or_insert(error);
                    return;
                }
            }
        }
    }

    fn play(&self, fixture: &Fixture) -> Result<(), TuneError> {
        let name = &self.task.games[fixture.game].name;
        let problem = |problem| TuneError::Game { name: name.clone(), problem };
        let admitted = self.admitted[fixture.game].get_or_init(|| {
            let agents = [&self.task.order.agent, self.task.opponent()];
            self.venue.admit(name, &self.task.order.reasoner, &agents)
        });
        admitted.clone().map_err(problem)?;
        let played = self.task.play(fixture, self.venue).map_err(problem)?;
        let row = Row {
            cell: fixture.cell.clone(),
            run: fixture.number,
            outcome: played.outcome,
            cost: played.cost,
            finished: now(),
        };
        let mut desk = self.desk();
        desk.store.finish(&row)?;
        desk.played += 1;
        desk.learn(fixture, &row);
        Ok(())
    }
}

impl Desk<'_> {
    fn next(&mut self) -> Result<Job, TuneError> {
        if let Some(fixture) = self.take_over()? {
            return Ok(Job::Play(Box::new(fixture)));
        }
        loop {
            let fixture = match self.best {
                None => match self.driver.next() {
                    Next::Match(number, combination) => {
                        let candidate = self.task.candidate(&combination);
                        self.task.fixture(&self.block, Purpose::Tuning, number, candidate)
                    }
                    Next::Wait => return Ok(Job::Wait),
                    Next::Over => {
                        self.decide();
                        continue;
                    }
                },
                Some(ref best) if (self.asked as usize) < self.checks.len() => {
                    let candidate = self.task.candidate(best);
                    self.asked += 1;
                    self.task.fixture(&self.block, Purpose::Check, self.asked - 1, candidate)
                }
                Some(_) if self.checks.iter().all(Option::is_some) => return Ok(Job::Over),
                Some(_) => return Ok(Job::Wait),
            };
            if self.store.claim(&fixture.cell, fixture.number)? {
                return Ok(Job::Play(Box::new(fixture)));
            }
            match self.store.row(&fixture.cell, fixture.number)? {
                Some(row) => self.learn(&fixture, &row),
                None => self.elsewhere.push(fixture),
            }
        }
    }

    /// All matches that tune are over.
    fn decide(&mut self) {
        let last = || self.driver.trials.last().map(|(combination, _)| combination.clone());
        self.best = self.driver.best().or_else(last);
        let tunables = &self.task.tunables;
        if self.best.as_ref().is_none_or(|best| tunables.values(best) == tunables.present()) {
            // The agent need not play against itself.
            self.checks.clear();
        }
    }

    /// Looks what became of matches that other processes play. What one left behind is played here.
    fn take_over(&mut self) -> Result<Option<Fixture>, TuneError> {
        if self.elsewhere.is_empty() {
            return Ok(None);
        }
        self.store.drop_dead_claims()?;
        let mut left = None;
        for fixture in std::mem::take(&mut self.elsewhere) {
            match self.store.row(&fixture.cell, fixture.number)? {
                Some(row) => self.learn(&fixture, &row),
                None if left.is_none() && self.store.claim(&fixture.cell, fixture.number)? => {
                    left = Some(fixture);
                }
                None => self.elsewhere.push(fixture),
            }
        }
        Ok(left)
    }

    fn learn(&mut self, fixture: &Fixture, row: &Row) {
        let points = points(&row.outcome);
        self.spent = (self.spent.0 + 1, self.spent.1 + row.cost.seconds);
        match fixture.purpose {
            Purpose::Tuning => self.driver.finished(fixture.number, points),
            Purpose::Check => self.checks[fixture.number as usize] = Some((fixture.game, points)),
        }
    }

    fn progress(&self, threads: usize) -> Progress {
        let order = &self.task.order;
        let total = u64::from(order.matches) + u64::from(order.checks);
        let (done, seconds) = self.spent;
        let left = total.saturating_sub(done) as f64;
        let best = self.best.clone().or_else(|| self.driver.best());
        Progress {
            total,
            done,
            seconds_left: (done > 0).then(|| seconds / done as f64 * left / threads as f64),
            best: best.map(|best| self.task.tunables.space().describe(&best)),
        }
    }
}
