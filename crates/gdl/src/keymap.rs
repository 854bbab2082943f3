//! Tuples of terms as small numbers.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use smallvec::SmallVec;

use crate::term::TermId;

const NONE: u32 = u32::MAX;

/// Numbers tuples of a fixed width densely, in the order they are added.
#[derive(Clone, Debug)]
pub(crate) struct KeyMap {
    width: usize,
    len: usize,
    /// All tuples, one after another.
    keys: Vec<TermId>,
    lookup: Lookup,
}

/// How tuples are looked up. Small domains, which most games have, need no hashing.
#[derive(Clone, Debug)]
enum Lookup {
    Grid(Grid),
    Hash(HashTable<u32>),
}

/// An array with one dimension per column.
#[derive(Clone, Debug)]
struct Grid {
    columns: Vec<Column>,
    cells: Vec<u32>,
}

/// A dimension: the terms that occur in a column, numbered.
#[derive(Clone, Debug)]
struct Column {
    /// The number of each term.
    numbers: Vec<u16>,
    count: u16,
    /// Log2 of the room in this dimension.
    bits: u32,
}

const NO_NUMBER: u16 = u16::MAX;
/// A grid may have this many cells at least, and more the more tuples there are.
const SMALL_GRID: usize = 1 << 12;
const LARGE_GRID: usize = 1 << 22;
const CELLS_PER_TUPLE: usize = 64;

impl Grid {
    fn new(width: usize) -> Grid {
        let column = Column { numbers: Vec::new(), count: 0, bits: 0 };
        Grid { columns: vec![column; width], cells: vec![NONE; 1] }
    }

    #[inline(always)]
    fn cell(&self, key: impl Iterator<Item = TermId>) -> Option<usize> {
        let mut cell = 0;
        for (column, term) in self.columns.iter().zip(key) {
            let number = *column.numbers.get(term.index())?;
            if number == NO_NUMBER {
                return None;
            }
            cell = cell << column.bits | usize::from(number);
        }
        Some(cell)
    }

    #[inline(always)]
    fn find(&self, mut key: impl Iterator<Item = TermId>) -> Option<u32> {
        // In a single column terms are numbered as tuples are.
        if let [column] = &self.columns[..] {
            let number = *column.numbers.get(key.next()?.index())?;
            return (number != NO_NUMBER).then(|| u32::from(number));
        }
        self.cells.get(self.cell(key)?).copied().filter(|&number| number != NONE)
    }

    /// Adds a tuple; false if the grid would become too large.
    fn insert(&mut self, key: &[TermId], keys: &[TermId], number: u32) -> bool {
        // A column takes room for every term up to its last.
        let room = SMALL_GRID.max(CELLS_PER_TUPLE * (number as usize + 1));
        if key.iter().any(|term| term.index() > room) {
            return false;
        }
        let mut grown = false;
        for (column, term) in self.columns.iter_mut().zip(key) {
            grown |= column.add(*term);
        }
        if grown && !self.rebuild(keys, number as usize) {
            return false;
        }
        match self.cell(key.iter().copied()) {
            Some(cell) => {
                self.cells[cell] = number;
                true
            }
            None => false,
        }
    }

    fn rebuild(&mut self, keys: &[TermId], tuples: usize) -> bool {
        if self.columns.iter().any(|column| column.count == NO_NUMBER) {
            return false;
        }
        let bits: u32 = self.columns.iter().map(|column| column.bits).sum();
        let room = SMALL_GRID.max(tuples.saturating_mul(CELLS_PER_TUPLE)).min(LARGE_GRID);
        if bits > 30 || 1usize << bits > room {
            return false;
        }
        self.cells.clear();
        self.cells.resize(1 << bits, NONE);
        for (number, key) in keys.chunks_exact(self.columns.len()).take(tuples).enumerate() {
            if let Some(cell) = self.cell(key.iter().copied()) {
                self.cells[cell] = number as u32;
            }
        }
        true
    }

    fn bytes(&self) -> usize {
        let columns: usize = self.columns.iter().map(|column| column.numbers.capacity() * 2).sum();
        self.cells.capacity() * 4 + columns
    }
}

impl Column {
    /// Numbers a term; true if the dimension must grow.
    fn add(&mut self, term: TermId) -> bool {
        if self.numbers.len() <= term.index() {
            self.numbers.resize((term.index() + 1).next_power_of_two(), NO_NUMBER);
        }
        let number = &mut self.numbers[term.index()];
        if *number != NO_NUMBER || self.count == NO_NUMBER {
            return *number == NO_NUMBER;
        }
        *number = self.count;
        self.count += 1;
        let grows = usize::from(self.count) > 1 << self.bits;
        self.bits += u32::from(grows);
        grows
    }
}

#[inline]
fn hash(key: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    key.iter().for_each(|term| hasher.write_u32(term.0));
    hasher.finish()
}

impl KeyMap {
    pub fn new(width: usize) -> KeyMap {
        // Wide tuples fill a tiny part of their grid.
        let lookup = if width <= 6 {
            Lookup::Grid(Grid::new(width))
        } else {
            Lookup::Hash(HashTable::new())
        };
        KeyMap { width, len: 0, keys: Vec::new(), lookup }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn bytes(&self) -> usize {
        let lookup = match &self.lookup {
            Lookup::Grid(grid) => grid.bytes(),
            Lookup::Hash(table) => table.capacity() * 5,
        };
        self.keys.capacity() * 4 + lookup
    }

    #[inline]
    pub fn key(&self, number: u32) -> &[TermId] {
        let start = number as usize * self.width;
        &self.keys[start..start + self.width]
    }

    #[inline]
    pub fn find(&self, key: &[TermId]) -> Option<u32> {
        match &self.lookup {
            Lookup::Grid(grid) => grid.find(key.iter().copied()),
            Lookup::Hash(table) => {
                table.find(hash(key), |&number| self.key(number) == key).copied()
            }
        }
    }

    /// As [`find`](KeyMap::find), for a tuple given term by term.
    #[inline(always)]
    pub fn find_each(&self, key: impl Iterator<Item = TermId>) -> Option<u32> {
        match &self.lookup {
            Lookup::Grid(grid) => grid.find(key),
            Lookup::Hash(_) => self.find(&key.collect::<SmallVec<[TermId; 8]>>()),
        }
    }

    /// The number of `key`, and whether it is new.
    #[inline]
    pub fn insert(&mut self, key: &[TermId]) -> (u32, bool) {
        match self.find(key) {
            Some(known) => (known, false),
            None => (self.add(key), true),
        }
    }

    fn add(&mut self, key: &[TermId]) -> u32 {
        let number = self.len as u32;
        self.len += 1;
        self.keys.extend_from_slice(key);
        let (keys, width) = (&self.keys, self.width);
        let at = |number: u32| &keys[number as usize * width..][..width];
        match &mut self.lookup {
            Lookup::Grid(grid) => {
                if !grid.insert(key, keys, number) {
                    let mut table = HashTable::with_capacity(2 * self.len);
                    for number in 0..self.len as u32 {
                        table.insert_unique(hash(at(number)), number, |&n| hash(at(n)));
                    }
                    self.lookup = Lookup::Hash(table);
                }
            }
            Lookup::Hash(table) => {
                table.insert_unique(hash(key), number, |&n| hash(at(n)));
            }
        }
        number
    }

    pub fn clear(&mut self) {
        *self = KeyMap::new(self.width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_stable() {
        for width in 0..9 {
            for spread in [1, 7, 1000] {
                let mut map = KeyMap::new(width);
                let key = |n: u32| vec![TermId(n * spread); width];
                let numbers: Vec<_> = (0..500).map(|n| map.insert(&key(n)).0).collect();
                let expected: Vec<u32> = if width == 0 { vec![0; 500] } else { (0..500).collect() };
                assert_eq!(numbers, expected);
                assert_eq!(map.find(&key(14)), Some(if width == 0 { 0 } else { 14 }));
                assert_eq!(map.find(&key(501)), if width == 0 { Some(0) } else { None });
                assert_eq!(map.key(map.len() as u32 - 1), key(map.len() as u32 - 1));
                map.clear();
                assert_eq!(map.find(&key(14)), None);
            }
        }
    }

    #[test]
    fn a_full_square_is_found() {
        let mut map = KeyMap::new(2);
        let keys: Vec<[TermId; 2]> =
            (0..40).flat_map(|a| (0..40).map(move |b| [TermId(a), TermId(b * 3)])).collect();
        for key in &keys {
            map.insert(key);
        }
        for (number, key) in keys.iter().enumerate() {
            assert_eq!(map.find(key), Some(number as u32));
        }
        assert!(matches!(map.lookup, Lookup::Grid(_)));
    }
}
