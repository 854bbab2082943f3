//! A table from moves to averages that stays small for few moves and becomes an array for many.

use gamegrove_game::{Move, Role};

/// Sum and number of the returns of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Slot {
    sum: f64,
    visits: u32,
    key: u32,
}

const LEAST_SLOTS: usize = 16;
const FREE: u32 = u32::MAX;
const EMPTY: Slot = Slot { sum: 0.0, visits: 0, key: FREE };

/// A map from moves of roles to averages: open addressing with the key itself as hash. Moves are
/// dense numbers, so once the table has as many slots as the game has moves, every move has a slot
/// of its own.
///
/// Most nodes are met by one simulation and never again, so what the first one brings is kept as a
/// list until somebody needs more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveMap {
    slots: Vec<Slot>,
    used: u32,
    /// How many roles the list is about.
    roles: u32,
    /// What the first simulation brought: for each role the bits of its return, low and high, then
    /// the keys. Empty once there are slots.
    first: Box<[u32]>,
}

impl MoveMap {
    /// The key of a move of a role in a game with `roles`.
    #[inline]
    pub fn key(mov: Move, role: Role, roles: usize) -> u32 {
        mov.0 * roles as u32 + u32::from(role.0)
    }

    /// Takes all that a first simulation brings: the return of each role, and the keys of all moves.
    /// The map must be empty.
    pub fn add_first(
        &mut self,
        values: impl Iterator<Item = f64>,
        keys: impl Iterator<Item = u32>,
    ) {
        debug_assert!(self.is_empty());
        let most = |hint: (usize, Option<usize>)| hint.1.unwrap_or(hint.0);
        let room = 2 * most(values.size_hint()) + most(keys.size_hint());
        let mut first: Vec<u32> = Vec::with_capacity(room);
        for bits in values.map(f64::to_bits) {
            first.extend([bits as u32, (bits >> 32) as u32]);
        }
        self.roles = first.len() as u32 / 2;
        first.extend(keys);
        self.first = first.into_boxed_slice();
    }

    /// The list's keys, each with its return.
    fn listed(&self) -> impl Iterator<Item = (u32, f64)> {
        let roles = self.roles as usize;
        let (values, keys) = self.first.split_at(2 * roles.min(self.first.len() / 2));
        keys.iter().map(move |&key| {
            let at = key as usize % roles * 2;
            let bits = u64::from(values[at]) | u64::from(values[at + 1]) << 32;
            (key, f64::from_bits(bits))
        })
    }

    /// Makes a table of the list, if it is one, so that reading is fast.
    #[inline]
    pub fn settle(&mut self) {
        if !self.first.is_empty() {
            self.leave_list();
        }
    }

    #[cold]
    fn leave_list(&mut self) {
        let list = std::mem::take(self);
        // Few keys occur twice, so there will be about this many slots anyway.
        let room = (list.first.len() * 8 / 7).next_power_of_two().max(LEAST_SLOTS);
        self.slots = vec![EMPTY; room];
        for (key, value) in list.listed() {
            self.add(key, value);
        }
    }

    /// Adds a return.
    #[inline]
    pub fn add(&mut self, key: u32, value: f64) {
        self.settle();
        if self.used as usize * 8 >= self.slots.len() * 7 {
            self.grow();
        }
        let slot = self.slot(key);
        if slot.key == FREE {
            slot.key = key;
            slot.sum = value;
            slot.visits = 1;
            self.used += 1;
        } else {
            slot.sum += value;
            slot.visits += 1;
        }
    }

    /// The number of returns of a move and their mean, on the scale 0 to 100.
    #[inline]
    pub fn get(&self, key: u32) -> Option<(u32, f64)> {
        if self.slots.is_empty() {
            let (visits, sum) = self
                .listed()
                .filter(|&(other, _)| other == key)
                .fold((0, 0.0), |(visits, sum), (_, value)| (visits + 1, sum + value));
            return (visits > 0).then(|| (visits, sum / f64::from(visits)));
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

    /// Whether it knows no move.
    pub fn is_empty(&self) -> bool {
        self.used == 0 && self.first.is_empty()
    }

    /// The memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.slots.capacity() * size_of::<Slot>()
            + self.first.len() * size_of::<u32>()
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
    fn a_first_simulation_reads_the_same_from_list_and_table() {
        let mut rng = gamegrove_game::Rng::new(4);
        for roles in 1..=3u32 {
            let keys: Vec<u32> = (0..60).map(|_| rng.below(40) as u32).collect();
            let values: Vec<f64> = (0..roles).map(|role| 100.0 / f64::from(role + 1)).collect();
            let mut list = MoveMap::default();
            list.add_first(values.iter().copied(), keys.iter().copied());
            let mut table = MoveMap::default();
            for &key in &keys {
                table.add(key, values[(key % roles) as usize]);
            }
            let mut settled = list.clone();
            settled.settle();
            let mut grown = list.clone();
            grown.add(7, 50.0);
            for key in 0..50 {
                assert_eq!(list.get(key), table.get(key));
                assert_eq!(settled.get(key), table.get(key));
            }
            assert_eq!(grown.get(7).unwrap().0, table.get(7).map_or(0, |(n, _)| n) + 1);
        }
    }
}
