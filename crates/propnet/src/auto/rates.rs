//! How fast reasoners are: each plays at random for some tens of milliseconds of processor time.
//!
//! Time is given in short slices, to the reasoners in turn, so that what else the machine does weighs
//! on all of them alike. The trial ends early where one is far ahead.

use std::fmt;
use std::time::Duration;

use cpu_time::ThreadTime;
use gamegrove_game::{Driver, Finish, Game, Goal, Lanes, Move, Rng, Role, Start};
use gamegrove_gdl::Prover;

use crate::game::Propnet;
use crate::lanes::PropnetLanes;
use crate::state::Bits;

/// States of random play per second of processor time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rates {
    /// The prover's.
    pub prover: u64,
    /// The network's, one state at a time.
    pub network: u64,
    /// The network's on lanes; measured only where the prover is faster than one state at a time.
    pub lanes: Option<u64>,
}

impl Rates {
    /// The rates of a prover, a network and its lanes.
    pub fn of(prover: &mut Prover, network: &mut Propnet, lanes: Option<PropnetLanes>) -> Rates {
        let rates = compare_rates(prover, network, &|| false);
        Rates { lanes: lanes.map(rate_of_lanes), ..rates }
    }

    /// Whether the prover is faster than the network in all its forms.
    pub fn prover_is_fastest(&self) -> bool {
        self.prover > self.network && self.lanes.is_none_or(|lanes| self.prover > lanes)
    }
}

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "states per processor second: prover {}", rounded(self.prover))?;
        write!(f, ", network {}", rounded(self.network))?;
        self.lanes.iter().try_for_each(|&lanes| write!(f, ", lanes {}", rounded(lanes)))
    }
}

/// A rate with two digits: more were not measured.
fn rounded(rate: u64) -> String {
    let digits = rate.checked_ilog10().unwrap_or(0);
    let unit = 10u64.pow(digits.saturating_sub(1));
    let rate = (rate + unit / 2) / unit * unit;
    match rate {
        1_000_000.. => format!("{} M", rate as f64 / 1e6),
        1000.. => format!("{} k", rate as f64 / 1e3),
        _ => rate.to_string(),
    }
}

/// A reasoner's share of time before another has its turn.
const SLICE: Duration = Duration::from_millis(4);
/// The most slices for each.
const SLICES: u32 = 6;
/// A reasoner that is this many times faster after a slice is the faster one.
const FAR_AHEAD: f64 = 3.0;
/// The time for lanes: they need time until all of them are in different states.
const LANES_TIME: Duration = Duration::from_millis(20);
/// Longer games are begun anew.
const LONGEST: u32 = 1000;
/// States between looks at the clock.
const STATES_PER_LOOK: u32 = 8;

/// The rates of a prover and a network; not those of lanes. `stop` ends the trial.
pub(super) fn compare_rates<A: Game, B: Game>(
    prover: &mut A,
    network: &mut B,
    stop: &dyn Fn() -> bool,
) -> Rates {
    let (mut one, mut other) = (Play::new(prover), Play::new(network));
    // The first answers of a reasoner fill its tables.
    one.go_on();
    other.go_on();
    one.forget();
    other.forget();
    for _ in 0..SLICES {
        if stop() {
            break;
        }
        one.go_on();
        other.go_on();
        let (a, b) = (one.rate(), other.rate());
        if a > b * FAR_AHEAD || b > a * FAR_AHEAD {
            break;
        }
    }
    Rates { prover: one.rate() as u64, network: other.rate() as u64, lanes: None }
}

/// A game that is played at random.
struct Play<'a, G: Game> {
    game: &'a mut G,
    state: G::State,
    next: G::State,
    steps: u32,
    rng: Rng,
    moves: Vec<Move>,
    joint: Vec<Move>,
    goals: Vec<Goal>,
    states: u64,
    spent: Duration,
}

impl<'a, G: Game> Play<'a, G> {
    fn new(game: &'a mut G) -> Self {
        let state = game.initial_state();
        Play {
            next: state.clone(),
            state,
            steps: 0,
            rng: Rng::new(1),
            moves: Vec::new(),
            joint: Vec::new(),
            goals: vec![Goal::default(); game.role_count()],
            states: 0,
            spent: Duration::ZERO,
            game,
        }
    }

    fn go_on(&mut self) {
        let start = ThreadTime::now();
        while start.elapsed() < SLICE {
            self.step();
            // Where a state takes long the clock is looked at after each.
            if start.elapsed() < SLICE / 2 {
                (1..STATES_PER_LOOK).for_each(|_| self.step());
            }
        }
        self.spent += start.elapsed();
    }

    /// Starts counting anew.
    fn forget(&mut self) {
        (self.states, self.spent) = (0, Duration::ZERO);
    }

    /// Makes a step, or begins a new game.
    fn step(&mut self) {
        self.states += 1;
        self.joint.clear();
        if self.game.is_terminal(&self.state) {
            self.game.goals(&self.state, &mut self.goals);
        } else if self.steps < LONGEST {
            for role in Role::all(self.game.role_count()) {
                self.game.legal_moves(&self.state, role, &mut self.moves);
                self.joint.extend(self.rng.pick(&self.moves));
            }
        }
        if self.joint.len() == self.game.role_count() {
            self.game.apply(&self.state, &self.joint, &mut self.next);
            std::mem::swap(&mut self.state, &mut self.next);
            self.steps += 1;
        } else {
            self.steps = 0;
        }
        if self.steps == 0 || self.game.take_fault().is_some() {
            self.state = self.game.initial_state();
            self.steps = 0;
        }
    }

    fn rate(&self) -> f64 {
        self.states as f64 / self.spent.as_secs_f64().max(1e-9)
    }
}

/// How many states per second lanes make.
pub(super) fn rate_of_lanes(mut lanes: PropnetLanes) -> u64 {
    let start = ThreadTime::now();
    let tally = lanes.run(1, &mut UntilLate { start });
    // Games that are not over count, too: each step is made by all lanes.
    let states = tally.sweeps * lanes.width() as u64;
    (states as f64 / start.elapsed().as_secs_f64().max(1e-9)) as u64
}

struct UntilLate {
    start: ThreadTime,
}

impl Driver<Bits> for UntilLate {
    fn start(&mut self, _lane: usize, start: &mut Start<Bits>) -> bool {
        start.limit = LONGEST;
        true
    }

    fn finished(&mut self, _lane: usize, _finish: &Finish<'_>) {}

    fn give_up(&mut self) -> bool {
        self.start.elapsed() >= LANES_TIME
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_told_with_two_digits() {
        let rates = Rates { prover: 862_345, network: 9_849, lanes: Some(51_499_000) };
        let expected = "states per processor second: prover 860 k, network 9.8 k, lanes 51 M";
        assert_eq!(rates.to_string(), expected);
        assert_eq!(rounded(0), "0");
        assert_eq!(rounded(7), "7");
        assert_eq!(rounded(996), "1 k");
    }

    #[test]
    fn the_prover_must_beat_lanes_too() {
        let rates = |prover, network, lanes| Rates { prover, network, lanes }.prover_is_fastest();
        assert!(rates(2, 1, None));
        assert!(rates(2, 1, Some(1)));
        assert!(!rates(2, 1, Some(3)));
        assert!(!rates(1, 2, None));
    }
}
