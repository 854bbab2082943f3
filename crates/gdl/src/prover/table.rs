//! Answers that are remembered: for each way a relation is called, what it gave.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::keymap::KeyMap;
use crate::term::TermId;

/// The answers to all calls of one procedure.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub keys: KeyMap,
    pub entries: Vec<Entry>,
    /// For procedures that only say yes or no: twice the epoch of the answer, plus the answer.
    pub flags: Vec<u64>,
}

/// How far the evaluation of a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Running,
    Complete,
}

/// The answers to one call.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The epoch the answers belong to; 0 for none.
    pub epoch: u64,
    pub status: Status,
    pub answers: Answers,
    /// While it is unfinished: its place among the unfinished calls.
    pub place: usize,
    /// Rules that wait for further answers.
    pub consumers: Vec<u32>,
}

/// A set of rows of equal width.
#[derive(Clone, Debug)]
pub(super) struct Answers {
    width: usize,
    count: usize,
    rows: Vec<TermId>,
    /// Used once there are more rows than one would compare one by one.
    index: HashTable<u32>,
}

const FEW: usize = 8;

fn hash(row: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    row.iter().for_each(|term| hasher.write_u32(term.0));
    hasher.finish()
}

impl Table {
    pub fn new(inputs: usize) -> Table {
        Table { keys: KeyMap::new(inputs), entries: Vec::new(), flags: Vec::new() }
    }

    /// The entry of a call, made if there is none; and the memory that took.
    #[inline]
    pub fn entry(&mut self, key: &[TermId], outputs: usize) -> (u32, usize) {
        let (number, new) = self.keys.insert(key);
        if new {
            self.entries.push(Entry {
                epoch: 0,
                status: Status::Complete,
                place: 0,
                answers: Answers::new(outputs),
                consumers: Vec::new(),
            });
        }
        (number, if new { size_of::<Entry>() + 16 * (1 + key.len()) } else { 0 })
    }

    /// The place of a yes-or-no answer, made if there is none; and the memory that took.
    #[inline]
    pub fn flag(&mut self, key: &[TermId]) -> (usize, usize) {
        let (number, new) = self.keys.insert(key);
        if new {
            self.flags.push(0);
        }
        (number as usize, if new { 16 * (1 + key.len()) } else { 0 })
    }

    /// Forgets everything, to give memory back.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.entries = Vec::new();
        self.flags = Vec::new();
    }
}

impl Answers {
    pub fn new(width: usize) -> Answers {
        Answers { width, count: 0, rows: Vec::new(), index: HashTable::new() }
    }

    /// Empties the set for rows of another width.
    pub fn reset(&mut self, width: usize) {
        self.clear();
        self.width = width;
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    #[inline]
    pub fn row(&self, number: usize) -> &[TermId] {
        &self.rows[number * self.width..(number + 1) * self.width]
    }

    pub fn clear(&mut self) {
        if self.count > FEW {
            self.index.clear();
        }
        self.count = 0;
        self.rows.clear();
    }

    /// Memory in use.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.rows.capacity() * 4 + self.index.capacity() * 5
    }

    /// Adds a row; false if it is there already.
    #[inline]
    pub fn insert(&mut self, row: &[TermId]) -> bool {
        if self.width == 0 {
            return std::mem::replace(&mut self.count, 1) == 0;
        }
        if self.count < FEW {
            if self.rows.chunks_exact(self.width).any(|known| known == row) {
                return false;
            }
        } else {
            if self.count == FEW {
                self.index_all();
            }
            let (rows, width) = (&self.rows, self.width);
            let at = |number: u32| &rows[number as usize * width..][..width];
            let hashed = hash(row);
            if self.index.find(hashed, |&number| at(number) == row).is_some() {
                return false;
            }
            self.index.insert_unique(hashed, self.count as u32, |&number| hash(at(number)));
        }
        self.rows.extend_from_slice(row);
        self.count += 1;
        true
    }

    fn index_all(&mut self) {
        self.index.clear();
        let (rows, width) = (&self.rows, self.width);
        let at = |number: u32| &rows[number as usize * width..][..width];
        for number in 0..self.count as u32 {
            self.index.insert_unique(hash(at(number)), number, |&number| hash(at(number)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_a_set() {
        for width in 1..3 {
            let mut table = Table::new(0);
            table.entry(&[], width);
            let answers = &mut table.entries[0].answers;
            for round in 0..3 {
                for n in 0..40u32 {
                    let row = vec![TermId(n / 2 + round); width];
                    assert_eq!(answers.insert(&row), n % 2 == 0, "{n}");
                }
                assert_eq!(answers.len(), 20);
                answers.clear();
            }
        }
    }
}
