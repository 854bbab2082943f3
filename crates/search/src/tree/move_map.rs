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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveMap {
    slots: Vec<Slot>,
    used: u32,
}

impl MoveMap {
    /// The key of a move of a role in a game with `roles`.
    #[inline]
    pub fn key(mov: Move, role: Role, roles: usize) -> u32 {
        mov.0 * roles as u32 + u32::from(role.0)
    }

    /// An empty map with room for so many moves.
    pub(super) fn with_room(moves: usize) -> MoveMap {
        let slots = (moves * 8 / 7 + 1).next_power_of_two().max(LEAST_SLOTS);
        MoveMap { slots: vec![EMPTY; slots], used: 0 }
    }

    /// Adds a return.
    #[inline]
    pub fn add(&mut self, key: u32, value: f64) {
        self.add_times(key, value, 1);
    }

    /// Adds a return so many times.
    #[inline]
    pub fn add_times(&mut self, key: u32, value: f64, times: u32) {
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

    /// The number of returns of a move and their mean, on the scale 0 to 100.
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

    /// The keys of the moves it knows.
    pub(super) fn keys(&self) -> impl Iterator<Item = u32> {
        self.slots.iter().map(|slot| slot.key).filter(|&key| key != FREE)
    }

    /// Whether it knows no move.
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// The memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.slots.capacity() * size_of::<Slot>()
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
}
