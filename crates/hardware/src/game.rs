//! The game of a piece of hardware: every answer comes from a [`Driver`].
//!
//! All that follows a state is asked for in one call and kept, so that a search
//! which looks at each of its nodes makes one such call per node; play-outs are asked for by the batch
//! [Sironi 2019, 4.4.1].

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use gamegrove_game::{Account, Batches, Describe, Fault, Features, Game, Goal, Move, Rng, Role};
use gamegrove_propnet::{Bits, Forward, Propnet};
use rustc_hash::FxHashMap;

use crate::account::{Terms, Used};
use crate::driver::{Driver, DriverError, Successors};
use crate::emulate::Emulation;

/// How many successors are kept at a time; beyond that all are forgotten and asked for again.
const MOST_KEPT: usize = 4_000_000;

/// Hardware that plays a game.
#[derive(Clone)]
pub struct HardwareGame {
    /// The names of facts and moves; it answers nothing else.
    names: Propnet<Forward>,
    device: Device,
    initial: Bits,
    seen: FxHashMap<Bits, Arc<Successors>>,
    /// Successors in `seen`.
    kept: usize,
    /// The state that was asked about last, which is mostly asked about again.
    last: Option<(Bits, Arc<Successors>)>,
    /// The work of the device since the account was opened.
    used: Used,
    terms: Terms,
    fault: Option<Fault>,
}

/// The device.
#[derive(Clone)]
enum Device {
    /// An emulation for each worker.
    Emulation(Box<Emulation>),
    /// One device for all workers.
    Shared(Arc<Mutex<dyn Driver + Send>>),
}

impl Device {
    fn ask<T>(
        &mut self,
        what: impl FnOnce(&mut dyn Driver) -> Result<T, DriverError>,
    ) -> Result<T, DriverError> {
        match self {
            Device::Emulation(emulation) => what(&mut **emulation),
            // Every question starts anew, so one that was broken off does not matter.
            Device::Shared(device) => {
                what(&mut *device.lock().unwrap_or_else(PoisonError::into_inner))
            }
        }
    }
}

impl HardwareGame {
    /// The game of a network whose hardware is emulated.
    pub fn emulated(names: Propnet<Forward>, emulation: Emulation) -> HardwareGame {
        HardwareGame::new(names, Device::Emulation(Box::new(emulation)))
    }

    /// The game of a network whose hardware is behind `driver`.
    pub fn driven(names: Propnet<Forward>, driver: impl Driver + Send + 'static) -> HardwareGame {
        HardwareGame::new(names, Device::Shared(Arc::new(Mutex::new(driver))))
    }

    fn new(mut names: Propnet<Forward>, mut device: Device) -> HardwareGame {
        let asked = device.ask(|driver| driver.initial_state());
        let (initial, fault) = match asked {
            Ok(initial) => (initial, None),
            Err(problem) => (names.initial_state(), Some(fault(&problem))),
        };
        HardwareGame {
            names,
            device,
            initial,
            seen: FxHashMap::default(),
            kept: 0,
            last: None,
            used: Used { calls: 1, cycles: 0 },
            terms: Terms::default(),
            fault,
        }
    }

    /// How many facts a state is made of.
    pub fn fact_count(&self) -> usize {
        self.names.network().bases().len()
    }

    /// All that follows a state; the end of play if the device does not answer.
    fn look(&mut self, state: &Bits) -> Arc<Successors> {
        if let Some((known, found)) = &self.last
            && known == state
        {
            return Arc::clone(found);
        }
        let found = match self.seen.get(state) {
            Some(found) => Arc::clone(found),
            None => self.ask_about(state),
        };
        self.last = Some((state.clone(), Arc::clone(&found)));
        found
    }

    fn ask_about(&mut self, state: &Bits) -> Arc<Successors> {
        self.used.calls += 1;
        match self.device.ask(|driver| driver.next_states(state)) {
            Ok(found) => {
                // A load and a look, and for each joint move a load and a step.
                self.used.cycles += 2 + 2 * found.next.len() as u64;
                if self.kept > MOST_KEPT {
                    self.seen.clear();
                    self.kept = 0;
                }
                self.kept += 1 + found.next.len();
                let found = Arc::new(found);
                self.seen.insert(state.clone(), Arc::clone(&found));
                found
            }
            Err(problem) => {
                self.fault = Some(fault(&problem));
                let roles = self.role_count();
                Arc::new(Successors {
                    terminal: true,
                    goals: vec![0; roles],
                    legal: vec![Vec::new(); roles],
                    next: Vec::new(),
                })
            }
        }
    }
}

fn fault(problem: &DriverError) -> Fault {
    Fault::Unanswered { problem: problem.to_string() }
}

impl fmt::Debug for HardwareGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HardwareGame").field("used", &self.used).finish_non_exhaustive()
    }
}

impl Game for HardwareGame {
    type State = Bits;

    fn role_count(&self) -> usize {
        self.names.role_count()
    }

    fn move_bound(&self, role: Role) -> usize {
        self.names.move_bound(role)
    }

    fn initial_state(&mut self) -> Bits {
        self.initial.clone()
    }

    fn is_terminal(&mut self, state: &Bits) -> bool {
        self.look(state).terminal
    }

    fn legal_moves(&mut self, state: &Bits, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        moves.extend(self.look(state).legal[role.index()].iter().map(|&mov| Move(mov)));
    }

    fn apply(&mut self, state: &Bits, joint: &[Move], next: &mut Bits) {
        let found = self.look(state);
        // Joint moves are listed in the order of a number with one digit per role.
        let place = found.legal.iter().zip(joint).try_fold(0, |place, (legal, mov)| {
            Some(place * legal.len() + legal.binary_search(&mov.0).ok()?)
        });
        let successor = place.and_then(|place| found.next.get(place));
        next.clone_from(successor.map_or(state, |(_, successor)| successor));
    }

    fn goals(&mut self, state: &Bits, goals: &mut [Goal]) {
        let found = self.look(state);
        for (goal, &value) in goals.iter_mut().zip(&found.goals) {
            *goal = Goal(f32::from(value));
        }
    }

    fn batches(&mut self) -> Option<&mut dyn Batches<Bits>> {
        Some(self)
    }

    fn features(&self) -> Option<Box<dyn Features<Bits>>> {
        self.names.features()
    }

    fn take_fault(&mut self) -> Option<Fault> {
        self.fault.take()
    }
}

impl Batches<Bits> for HardwareGame {
    fn play_outs(&mut self, state: &Bits, count: u32, rng: &mut Rng, goals: &mut [Goal]) -> u64 {
        self.used.calls += 1;
        let seed = rng.next_u64();
        let played = self.device.ask(|driver| {
            driver.seed(seed)?;
            driver.scores(state, count)
        });
        match played {
            Ok(scores) => {
                self.used.cycles += scores.totals.cycles;
                for (role, goal) in goals.iter_mut().enumerate() {
                    *goal = Goal(scores.mean(role) as f32);
                }
                scores.totals.steps
            }
            Err(problem) => {
                self.fault = Some(fault(&problem));
                goals.fill(Goal::WORST);
                0
            }
        }
    }

    fn open_account(&mut self, terms: &[(&'static str, f64)]) {
        self.used = Used::default();
        self.terms = Terms::new(terms);
    }

    fn is_spent(&self) -> bool {
        self.terms.are_spent(self.used)
    }

    fn account(&self) -> Account {
        self.terms.account(self.used)
    }
}

impl Describe for HardwareGame {
    fn role_name(&self, role: Role) -> String {
        self.names.role_name(role)
    }

    fn move_name(&self, role: Role, mov: Move) -> String {
        self.names.move_name(role, mov)
    }

    fn find_move(&mut self, role: Role, name: &str) -> Option<Move> {
        self.names.find_move(role, name)
    }

    fn facts(&self, state: &Bits) -> Vec<String> {
        self.names.facts(state)
    }
}
