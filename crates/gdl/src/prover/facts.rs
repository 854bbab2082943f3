//! The facts of the state under evaluation, with indexes filled on demand.

use crate::keymap::KeyMap;
use crate::pattern::Shape;
use crate::term::{TermId, Terms};

const UNKNOWN: u32 = u32::MAX;
const GUARDED: u32 = u32::MAX - 1;

/// The current state's facts.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    list: Vec<TermId>,
    epoch: u32,
    /// The epoch in which each term was last a fact.
    seen: Vec<u32>,
    indexes: Vec<FactIndex>,
}

/// Facts by key. Which bucket a fact belongs to never changes and is worked out once.
#[derive(Clone, Debug)]
struct FactIndex {
    shape: Shape,
    keys: KeyMap,
    bucket_of: Vec<u32>,
    buckets: Vec<Bucket>,
    /// The epoch the buckets were last filled in.
    filled: u32,
}

#[derive(Clone, Debug, Default)]
struct Bucket {
    epoch: u32,
    facts: Vec<TermId>,
}

impl Facts {
    pub fn new(shapes: &[Shape]) -> Facts {
        let indexes = shapes
            .iter()
            .map(|shape| FactIndex {
                shape: shape.clone(),
                keys: KeyMap::new(shape.keys.len()),
                bucket_of: Vec::new(),
                buckets: Vec::new(),
                filled: 0,
            })
            .collect();
        Facts { list: Vec::new(), epoch: 0, seen: Vec::new(), indexes }
    }

    /// Whether `facts` is the current state.
    pub fn is(&self, facts: &[TermId]) -> bool {
        self.epoch > 0 && self.list == facts
    }

    /// Makes `facts` the current state.
    pub fn set(&mut self, facts: &[TermId]) {
        self.list.clear();
        self.list.extend_from_slice(facts);
        if self.epoch == u32::MAX {
            // After four billion states the old stamps could be mistaken for new ones.
            self.seen.fill(0);
            for index in &mut self.indexes {
                index.filled = 0;
                index.buckets.iter_mut().for_each(|bucket| bucket.epoch = 0);
            }
            self.epoch = 0;
        }
        self.epoch += 1;
        for &fact in facts {
            if self.seen.len() <= fact.index() {
                self.seen.resize((fact.index() + 1).next_power_of_two(), 0);
            }
            self.seen[fact.index()] = self.epoch;
        }
    }

    #[inline]
    pub fn contains(&self, fact: TermId) -> bool {
        self.seen.get(fact.index()) == Some(&self.epoch)
    }

    /// Fills an index if that has not happened in this state; then gives the bucket of a key.
    #[inline]
    pub fn bucket(
        &mut self,
        index: usize,
        key: impl Iterator<Item = TermId>,
        terms: &Terms,
    ) -> Option<u32> {
        let found = &mut self.indexes[index];
        if found.filled != self.epoch {
            found.fill(&self.list, self.epoch, terms);
        }
        let bucket = found.keys.find_each(key)?;
        (found.buckets[bucket as usize].epoch == self.epoch).then_some(bucket)
    }

    /// The facts of a bucket that [`bucket`](Facts::bucket) gave.
    #[inline]
    pub fn in_bucket(&self, index: usize, bucket: u32) -> &[TermId] {
        &self.indexes[index].buckets[bucket as usize].facts
    }
}

impl FactIndex {
    fn fill(&mut self, facts: &[TermId], epoch: u32, terms: &Terms) {
        self.filled = epoch;
        if self.bucket_of.len() < terms.len() {
            self.bucket_of.resize(terms.len().next_power_of_two(), UNKNOWN);
        }
        for &fact in facts {
            let mut number = self.bucket_of[fact.index()];
            if number == UNKNOWN {
                number = self.place(fact, terms);
            }
            if number == GUARDED {
                continue;
            }
            let bucket = &mut self.buckets[number as usize];
            if bucket.epoch != epoch {
                bucket.epoch = epoch;
                bucket.facts.clear();
            }
            bucket.facts.push(fact);
        }
    }

    fn place(&mut self, fact: TermId, terms: &Terms) -> u32 {
        let mut key = Vec::new();
        let number = if self.shape.key(terms, &[fact], &mut key) {
            let (number, new) = self.keys.insert(&key);
            if new {
                self.buckets.push(Bucket::default());
            }
            number
        } else {
            GUARDED
        };
        self.bucket_of[fact.index()] = number;
        number
    }
}
