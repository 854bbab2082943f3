//! The rows of a relation, with indexes that grow along.

use crate::keymap::KeyMap;
use crate::pattern::{Path, Shape};
use crate::term::{TermId, Terms};

/// A set of rows. Each row remembers when it was added; rows in a bucket of an index are in that
/// order.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    rows: KeyMap,
    stamps: Vec<u32>,
    indexes: Vec<Index>,
    distinct: Vec<(Path, f64)>,
}

#[derive(Clone, Debug)]
struct Index {
    shape: Shape,
    keys: KeyMap,
    buckets: Vec<Vec<u32>>,
}

/// The rows of a complete relation by key, close together.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    keys: KeyMap,
    starts: Vec<u32>,
    rows: Vec<TermId>,
}

impl Layout {
    /// All rows with the given key, one after another.
    #[inline(always)]
    pub fn rows(&self, key: impl Iterator<Item = TermId>) -> &[TermId] {
        match self.keys.find_each(key) {
            Some(bucket) => {
                let bucket = bucket as usize;
                &self.rows[self.starts[bucket] as usize..self.starts[bucket + 1] as usize]
            }
            None => &[],
        }
    }
}

impl Index {
    fn add(&mut self, terms: &Terms, number: u32, row: &[TermId], key: &mut Vec<TermId>) {
        if self.shape.key(terms, row, key) {
            let (bucket, new) = self.keys.insert(key);
            if new {
                self.buckets.push(Vec::new());
            }
            self.buckets[bucket as usize].push(number);
        }
    }
}

impl Relation {
    pub fn new(width: usize) -> Relation {
        Relation {
            rows: KeyMap::new(width),
            stamps: Vec::new(),
            indexes: Vec::new(),
            distinct: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn width(&self) -> usize {
        self.rows.width()
    }

    #[inline]
    pub fn row(&self, number: u32) -> &[TermId] {
        self.rows.key(number)
    }

    #[inline]
    pub fn stamp(&self, number: u32) -> u32 {
        self.stamps[number as usize]
    }

    #[inline]
    pub fn find(&self, row: &[TermId]) -> Option<u32> {
        self.rows.find(row)
    }

    /// Adds a row; its number if it is new.
    pub fn insert(&mut self, terms: &Terms, row: &[TermId], stamp: u32) -> Option<u32> {
        let (number, new) = self.rows.insert(row);
        if !new {
            return None;
        }
        self.stamps.push(stamp);
        let mut key = Vec::new();
        for index in &mut self.indexes {
            index.add(terms, number, row, &mut key);
        }
        Some(number)
    }

    /// The index of the given shape, made if there is none yet.
    pub fn index(&mut self, shape: &Shape, terms: &Terms) -> usize {
        if let Some(known) = self.indexes.iter().position(|index| index.shape == *shape) {
            return known;
        }
        let keys = KeyMap::new(shape.keys.len());
        let mut index = Index { shape: shape.clone(), keys, buckets: Vec::new() };
        let mut key = Vec::new();
        for number in 0..self.len() as u32 {
            index.add(terms, number, self.rows.key(number), &mut key);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// The rows of an index that have the given key, in the order they were added.
    #[inline]
    pub fn bucket(&self, index: usize, key: &[TermId]) -> &[u32] {
        let index = &self.indexes[index];
        index.keys.find(key).map_or(&[], |bucket| &index.buckets[bucket as usize])
    }

    /// The index of the given shape with its rows laid out one bucket after another, for a
    /// relation that is complete.
    pub fn layout(&self, index: usize) -> Layout {
        let Index { keys, buckets, .. } = &self.indexes[index];
        let mut layout = Layout { keys: keys.clone(), starts: vec![0], rows: Vec::new() };
        for bucket in buckets {
            bucket.iter().for_each(|&row| layout.rows.extend_from_slice(self.row(row)));
            layout.starts.push(layout.rows.len() as u32);
        }
        layout
    }

    /// How many rows of a complete relation match a pattern of this shape on average, supposing
    /// that columns are independent.
    pub fn expected_matches(&mut self, shape: &Shape, terms: &Terms) -> f64 {
        let mut rows = self.len() as f64;
        for path in &shape.keys {
            rows /= self.distinct_values(path, &shape.guards, terms).max(1.0);
        }
        rows
    }

    fn distinct_values(
        &mut self,
        path: &Path,
        guards: &[(Path, crate::term::Functor)],
        terms: &Terms,
    ) -> f64 {
        if let Some((_, known)) = self.distinct.iter().find(|(p, _)| p == path) {
            return *known;
        }
        let shape = Shape { guards: guards.to_vec(), keys: vec![path.clone()] };
        let mut seen = KeyMap::new(1);
        let mut key = Vec::new();
        for number in 0..self.len() as u32 {
            if shape.key(terms, self.rows.key(number), &mut key) {
                seen.insert(&key);
            }
        }
        let count = seen.len() as f64;
        self.distinct.push((path.clone(), count));
        count
    }

    pub fn bytes(&self) -> usize {
        let indexes: usize = self
            .indexes
            .iter()
            .map(|index| index.keys.bytes() + index.buckets.len() * 32 + self.len() * 6)
            .sum();
        self.rows.bytes() + self.stamps.capacity() * 4 + indexes
    }
}
