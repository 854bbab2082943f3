//! How long a board takes: a model.
//!
//! Every call waits a while, and every clock cycle takes its time at the board's clock. Calls and cycles
//! are counted, not estimated; the host's own work is not in the model.

use std::time::Duration;

use gamegrove_game::Account;

/// The questions to a device, and its clock cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Used {
    pub(crate) calls: u64,
    pub(crate) cycles: u64,
}

/// How fast a board is, and how much of its time there is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Terms {
    /// Seconds of the board's time.
    time: f64,
    /// Its clock, in megahertz.
    clock: f64,
    /// How long a call waits, in microseconds.
    latency: f64,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms { time: f64::INFINITY, clock: 100.0, latency: 50.0 }
    }
}

impl Terms {
    /// Terms with these values, by name; others keep their defaults.
    pub(crate) fn new(values: &[(&'static str, f64)]) -> Terms {
        let value = |name, default| {
            let found = values.iter().find(|(known, _)| *known == name);
            found.map_or(default, |&(_, value)| value)
        };
        let Terms { time, clock, latency } = Terms::default();
        Terms {
            time: value("time", time),
            clock: value("clock", clock),
            latency: value("latency", latency),
        }
    }

    fn time_of(&self, used: Used) -> Duration {
        let micros = used.calls as f64 * self.latency + used.cycles as f64 / self.clock;
        Duration::try_from_secs_f64(micros / 1e6).unwrap_or(Duration::MAX)
    }

    /// Whether the time is used up.
    pub(crate) fn are_spent(&self, used: Used) -> bool {
        self.time.is_finite() && self.time_of(used).as_secs_f64() >= self.time
    }

    /// The account of what was used.
    pub(crate) fn account(&self, used: Used) -> Account {
        let counts = vec![("calls", used.calls), ("cycles", used.cycles)];
        Account { time: self.time_of(used), counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_wait_and_cycles_take_their_time() {
        let terms = Terms::new(&[("clock", 50.0), ("latency", 20.0), ("time", 0.000_1)]);
        let used = Used { calls: 3, cycles: 1000 };
        let account = terms.account(used);
        assert_eq!(account.time, Duration::from_micros(3 * 20 + 20));
        assert_eq!((account.count("calls"), account.count("cycles")), (3, 1000));
        assert!(!terms.are_spent(used) && terms.are_spent(Used { calls: 4, ..used }));
        assert!(!Terms::default().are_spent(Used { calls: u64::MAX, cycles: u64::MAX }));
    }
}
