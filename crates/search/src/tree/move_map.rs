//! A table from moves to averages that stays small for few moves and becomes an array for many.

use gamegrove_game::{Move, Role};

/// Sum and number of the returns of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Slot {
    sum: f64,
    visits: u32,
    key: u32,
}

/// How many simulations a log holds at most. A slot takes as much memory as four keys.
const MOST_LOGGED: u32 = 6;
const LEAST_SLOTS: usize = 16;
const FREE: u32 = u32::MAX;
const EMPTY: Slot = Slot { sum: 0.0, visits: 0, key: FREE };

/// A map from moves of roles to averages: open addressing with the key itself as hash. Moves are
/// dense numbers, so once the table has as many slots as the game has moves, every move has a slot
/// of its own.
///
/// Most nodes are met by a few simulations and never again, so what the first ones bring is kept as
/// a log until somebody reads it or it gets longer than a table would be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveMap {
    slots: Vec<Slot>,
    used: u32,
    /// How many simulations the log holds.
    logged: u32,
    /// What the first simulations brought: the number of keys, for each role the bits of its return,
    /// low and high, then the keys. Empty once there are slots.
    log: Vec<u32>,
}

impl MoveMap {
    /// The key of a move of a role in a game with `roles`.
    #[inline]
    pub fn key(mov: Move, role: Role, roles: usize) -> u32 {
        mov.0 * roles as u32 + u32::from(role.0)
    }

    /// Takes all that one simulation brings: the return of each role, and the keys of all moves.
    /// Whether it could; if not, the keys must be added one by one.
    pub fn note(&mut self, values: &[f64], keys: &[u32]) -> bool {
        if !self.slots.is_empty() || self.logged >= MOST_LOGGED {
            return false;
        }
        // Mostly there will be no other.
        self.log.reserve_exact(1 + 2 * values.len() + keys.len());
        self.log.push(keys.len() as u32);
        for bits in values.iter().map(|value| value.to_bits()) {
            self.log.extend([bits as u32, (bits >> 32) as u32]);
        }
        self.log.extend_from_slice(keys);
        self.logged += 1;
        true
    }

    /// Calls `visit` with every key of the log and its return, in a game with `roles`.
    fn each_logged(&self, roles: usize, mut visit: impl FnMut(u32, f64)) {
        let mut rest = &self.log[..];
        while let [count, more @ ..] = rest {
            let (values, more) = more.split_at(2 * roles);
            let (keys, more) = more.split_at(*count as usize);
            for &key in keys {
                let at = key as usize % roles * 2;
                let bits = u64::from(values[at]) | u64::from(values[at + 1]) << 32;
                visit(key, f64::from_bits(bits));
            }
            rest = more;
        }
    }

    /// Makes it a table if it is none yet, so that it can be read and added to.
    #[inline]
    pub fn settle(&mut self, roles: usize) {
        if self.slots.is_empty() {
            self.leave_log(roles);
        }
    }

    #[cold]
    fn leave_log(&mut self, roles: usize) {
        let log = std::mem::take(self);
        // As if all simulations had brought the same moves; it grows if they did not.
        let keys = log.log.len() / log.logged.max(1) as usize;
        self.slots = vec![EMPTY; (keys * 8 / 7).next_power_of_two().max(LEAST_SLOTS)];
        log.each_logged(roles, |key, value| self.add(key, value));
    }

    /// Adds a return.
    #[inline]
    pub fn add(&mut self, key: u32, value: f64) {
        self.add_times(key, value, 1);
    }

    /// Adds a return so many times. There must be no log any more.
    #[inline]
    pub fn add_times(&mut self, key: u32, value: f64, times: u32) {
        debug_assert!(self.log.is_empty());
        if self.used as usize * 8 >= self.slots.len() * 7 {
            self.grow();
        }
        let slot = self.slot(key);
        if slot.key == FREE {
            slot.key = key;
            slot.sum = value * f64::from(times);
            slot.visits = times;
            self.used += 1;
        } else {
            slot.sum += value * f64::from(times);
            slot.visits += times;
        }
    }

    /// The number of returns of a move and their mean, on the scale 0 to 100. There must be no log.
    #[inline]
    pub fn get(&self, key: u32) -> Option<(u32, f64)> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        loop {
            let slot = &self.slots[at];
            if slot.key == key {
                return Some((slot.visits, slot.sum / f64::from(slot.visits)));
            }
            if slot.key == FREE {
                return None;
            }
            at = (at + 1) & mask;
        }
    }

    /// How many of the moves with these keys it knows, in a game with `roles`; of all moves without
    /// keys.
    pub fn count(&self, roles: usize, of: Option<&[u32]>) -> usize {
        let mut known: Vec<u32> =
            self.slots.iter().map(|slot| slot.key).filter(|&key| key != FREE).collect();
        self.each_logged(roles, |key, _| known.push(key));
        known.sort_unstable();
        known.dedup();
        match of {
            None => known.len(),
            Some(keys) => keys.iter().filter(|key| known.binary_search(key).is_ok()).count(),
        }
    }

    /// Whether it knows no move.
    pub fn is_empty(&self) -> bool {
        self.used == 0 && self.log.is_empty()
    }

    /// The memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.slots.capacity() * size_of::<Slot>()
            + self.log.capacity() * size_of::<u32>()
    }

    #[inline]
    fn slot(&mut self, key: u32) -> &mut Slot {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        while self.slots[at].key != key && self.slots[at].key != FREE {
            at = (at + 1) & mask;
        }
        &mut self.slots[at]
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(LEAST_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; size]);
        for entry in old.into_iter().filter(|slot| slot.key != FREE) {
            *self.slot(entry.key) = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn agrees_with_a_plain_map() {
        let mut rng = gamegrove_game::Rng::new(3);
        let mut map = MoveMap::default();
        let mut plain: HashMap<u32, (u32, f64)> = HashMap::new();
        for _ in 0..5_000 {
            let key = MoveMap::key(Move(rng.below(700) as u32), Role(rng.below(3) as u8), 3);
            let value = rng.below(101) as f64;
            map.add(key, value);
            let entry = plain.entry(key).or_default();
            *entry = (entry.0 + 1, entry.1 + value);
        }
        for key in 0..3_000 {
            let expected = plain.get(&key).map(|&(n, sum)| (n, sum / f64::from(n)));
            assert_eq!(map.get(key), expected);
        }
    }

    #[test]
    fn simulations_read_the_same_from_a_log_and_one_by_one() {
        let mut rng = gamegrove_game::Rng::new(4);
        for (roles, simulations) in (1..=3).zip([1, 3, MOST_LOGGED + 4]) {
            let (mut logged, mut table) = (MoveMap::default(), MoveMap::default());
            for simulation in 0..simulations {
                let keys: Vec<u32> = (0..60).map(|_| rng.below(40) as u32).collect();
                let values: Vec<f64> = (0..roles).map(|_| rng.below(101) as f64).collect();
                let noted = logged.note(&values, &keys);
                assert_eq!(noted, simulation < MOST_LOGGED);
                for &key in &keys {
                    let value = values[key as usize % roles];
                    if !noted {
                        logged.settle(roles);
                        logged.add(key, value);
                    }
                    table.add(key, value);
                }
            }
            let known = (0..50).filter(|&key| table.get(key).is_some()).count();
            assert_eq!((logged.count(roles, None), table.count(roles, None)), (known, known));
            let some = (0..50).filter(|&key| key % 3 == 0).collect::<Vec<_>>();
            let of_some = some.iter().filter(|&&key| table.get(key).is_some()).count();
            assert_eq!(logged.count(roles, Some(&some)), of_some);
            logged.settle(roles);
            for key in 0..50 {
                assert_eq!(logged.get(key), table.get(key));
            }
        }
    }
}
