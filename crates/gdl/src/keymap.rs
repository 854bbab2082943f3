//! Tuples of terms as small numbers.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::term::TermId;

const NONE: u32 = u32::MAX;

/// Numbers tuples of a fixed width densely, in the order they are added.
#[derive(Clone, Debug)]
pub(crate) struct KeyMap {
    width: usize,
    len: usize,
    /// All tuples, one after another.
    keys: Vec<TermId>,
    /// Tuples of one term are looked up by that term.
    direct: Vec<u32>,
    /// Wider ones are hashed.
    table: HashTable<u32>,
}

#[inline]
fn hash(key: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    key.iter().for_each(|term| hasher.write_u32(term.0));
    hasher.finish()
}

impl KeyMap {
    pub fn new(width: usize) -> KeyMap {
        KeyMap { width, len: 0, keys: Vec::new(), direct: Vec::new(), table: HashTable::new() }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn bytes(&self) -> usize {
        self.keys.capacity() * 4 + self.direct.capacity() * 4 + self.table.capacity() * 5
    }

    #[inline]
    pub fn key(&self, number: u32) -> &[TermId] {
        let start = number as usize * self.width;
        &self.keys[start..start + self.width]
    }

    #[inline]
    pub fn find(&self, key: &[TermId]) -> Option<u32> {
        match self.width {
            0 => (self.len > 0).then_some(0),
            1 => self.direct.get(key[0].index()).copied().filter(|&number| number != NONE),
            _ => self.table.find(hash(key), |&number| self.key(number) == key).copied(),
        }
    }

    /// The number of `key`, and whether it is new.
    #[inline]
    pub fn insert(&mut self, key: &[TermId]) -> (u32, bool) {
        if let Some(known) = self.find(key) {
            return (known, false);
        }
        let number = self.len as u32;
        self.len += 1;
        self.keys.extend_from_slice(key);
        match self.width {
            0 => {}
            1 => {
                let at = key[0].index();
                if self.direct.len() <= at {
                    self.direct.resize((at + 1).next_power_of_two(), NONE);
                }
                self.direct[at] = number;
            }
            width => {
                let keys = &self.keys;
                self.table.insert_unique(hash(key), number, |&number| {
                    hash(&keys[number as usize * width..][..width])
                });
            }
        }
        (number, true)
    }

    pub fn clear(&mut self) {
        self.len = 0;
        self.keys.clear();
        self.direct.fill(NONE);
        self.table.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_stable() {
        for width in 0..4 {
            let mut map = KeyMap::new(width);
            let key = |n: u32| vec![TermId(n); width];
            let numbers: Vec<_> = (0..50).map(|n| map.insert(&key(n * 7)).0).collect();
            let expected: Vec<u32> = if width == 0 { vec![0; 50] } else { (0..50).collect() };
            assert_eq!(numbers, expected);
            assert_eq!(map.find(&key(14)), Some(if width == 0 { 0 } else { 2 }));
            assert_eq!(map.find(&key(15)), if width == 0 { Some(0) } else { None });
            map.clear();
            assert_eq!(map.find(&key(14)), None);
        }
    }
}
