//! The n-tuple landscape model of NTBEA [Sironi 2019, 6.3.1].
//!
//! For every tuple of parameters whose length was chosen, a table from the tuple's values to the
//! mean reward seen with them. Short tuples generalise, the longest remembers. Every sample goes
//! into one entry of every table, so all tables have seen the same number of samples.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::bandit::{reach, width};
use crate::{Index, Indices, Space};

/// Tables with more possible entries than this are hashed.
const DENSE: usize = 1 << 14;

/// The most tables a model may have.
pub(crate) const MAX_TUPLES: usize = 4096;

/// The tables.
#[derive(Clone, Debug)]
pub(crate) struct Landscape {
    /// The tables of single parameters: the parameter, and where the table begins.
    single: Vec<(Index, u32)>,
    dense: Vec<Dense>,
    /// Where the entries of dense tables are, one table after the other; 0 for tuples never seen.
    /// Few tuples are ever seen, so their entries stay close together.
    slots: Vec<u32>,
    /// The entries of single parameters and of tuples seen, after one of which nothing is known. What
    /// rating a combination reads lies apart from what only learning needs.
    entries: Vec<Entry>,
    totals: Vec<Total>,
    hashed: Vec<Hashed>,
    /// The combinations that were seen, if there is no table of whole combinations to say so.
    met: Option<FxHashSet<Indices>>,
    /// Every combination seen, once.
    seen: Vec<Indices>,
    samples: u64,
}

/// A table with an entry for every tuple of values.
#[derive(Clone, Debug)]
struct Dense {
    /// The place of its first slot.
    start: usize,
    /// Its parameters and their factors in the number of an entry.
    factors: Vec<(Index, u32)>,
    is_whole: bool,
}

/// A table with an entry for every tuple of values that was seen.
#[derive(Clone, Debug)]
struct Hashed {
    parameters: SmallVec<[Index; 8]>,
    entries: FxHashMap<Indices, (Entry, Total)>,
    is_whole: bool,
}

/// What is known of a tuple of values; all 0 if nothing is, so that entries can be added up without
/// asking.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    mean: f64,
    /// `1 / sqrt(n)`.
    width: f64,
    /// 1 if the tuple was seen.
    known: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Total {
    sum: f64,
    samples: u32,
}

impl Entry {
    /// Learns one sample; says whether it was the first.
    #[inline]
    fn learn(&mut self, total: &mut Total, reward: f64) -> bool {
        total.sum += reward;
        total.samples = total.samples.saturating_add(1);
        self.mean = total.sum / f64::from(total.samples);
        self.width = width(total.samples);
        self.known = 1.0;
        total.samples == 1
    }
}

impl Landscape {
    /// A model with all tuples of these lengths, each from 1 to the number of parameters; `None` if
    /// these are more than [`MAX_TUPLES`].
    pub fn new(space: &Space, lengths: &[usize]) -> Option<Self> {
        let dimension = space.dimension();
        let mut lengths = lengths.to_vec();
        lengths.sort_unstable();
        lengths.dedup();
        let count = lengths.iter().map(|&length| binomial(dimension, length)).sum::<f64>();
        if count > MAX_TUPLES as f64 {
            return None;
        }
        let met = (!lengths.contains(&dimension)).then(FxHashSet::default);
        let mut model = Landscape {
            single: Vec::new(),
            dense: Vec::new(),
            slots: Vec::new(),
            entries: vec![Entry::default()],
            totals: vec![Total::default()],
            hashed: Vec::new(),
            met,
            seen: Vec::new(),
            samples: 0,
        };
        for &length in &lengths {
            let mut tuple: SmallVec<[Index; 8]> = (0..length as Index).collect();
            loop {
                model.add_table(space, &tuple);
                if !next_tuple(&mut tuple, dimension) {
                    break;
                }
            }
        }
        Some(model)
    }

    fn add_table(&mut self, space: &Space, parameters: &[Index]) {
        let size = |parameter: Index| space.choices(usize::from(parameter)).len();
        let count = parameters.iter().try_fold(1usize, |n, &p| n.checked_mul(size(p)));
        let is_whole = parameters.len() == space.dimension();
        let Some(count) = count.filter(|&count| count <= DENSE) else {
            let (parameters, entries) = (SmallVec::from_slice(parameters), FxHashMap::default());
            self.hashed.push(Hashed { parameters, entries, is_whole });
            return;
        };
        let factors = parameters.iter().scan(1, |next, &parameter| {
            let factor = *next;
            *next *= size(parameter) as u32;
            Some((parameter, factor))
        });
        match parameters {
            &[only] if !is_whole => {
                self.single.push((only, self.entries.len() as u32));
                self.entries.resize(self.entries.len() + count, Entry::default());
                self.totals.resize(self.entries.len(), Total::default());
            }
            _ => {
                let (start, factors) = (self.slots.len(), factors.collect());
                self.dense.push(Dense { start, factors, is_whole });
                self.slots.resize(start + count, 0);
            }
        }
    }

    /// Learns one sample.
    pub fn learn(&mut self, indices: &[Index], reward: f64) {
        self.samples += 1;
        let mut first = false;
        for &(parameter, start) in &self.single {
            let place = start as usize + usize::from(indices[usize::from(parameter)]);
            self.entries[place].learn(&mut self.totals[place], reward);
        }
        for table in &self.dense {
            let slot = &mut self.slots[table.place(indices)];
            if *slot == 0 {
                *slot = self.entries.len() as u32;
                self.entries.push(Entry::default());
                self.totals.push(Total::default());
            }
            let place = *slot as usize;
            let is_first = self.entries[place].learn(&mut self.totals[place], reward);
            first |= is_first && table.is_whole;
        }
        for table in &mut self.hashed {
            let key = table.key(indices);
            let (entry, total) = table.entries.entry(key).or_default();
            let is_first = entry.learn(total, reward);
            first |= is_first && table.is_whole;
        }
        if let Some(met) = &mut self.met {
            first = met.insert(Indices::from_slice(indices));
        }
        if first {
            self.seen.push(Indices::from_slice(indices));
        }
    }

    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The common part of all upper confidence bounds, for [`Landscape::bound`].
    pub fn scaled(&self, c: f64) -> f64 {
        c * reach(self.samples)
    }

    /// The mean of the upper confidence bounds of those tuples that were seen; 0 if none was.
    #[inline]
    pub fn bound(&self, indices: &[Index], scaled: f64) -> f64 {
        let (mut sum, mut known) = (0.0, 0.0);
        let mut add = |entry: &Entry| {
            sum += entry.mean + scaled * entry.width;
            known += entry.known;
        };
        for &(parameter, start) in &self.single {
            add(&self.entries[start as usize + usize::from(indices[usize::from(parameter)])]);
        }
        for table in &self.dense {
            add(&self.entries[self.slots[table.place(indices)] as usize]);
        }
        for table in &self.hashed {
            if let Some((entry, _)) = table.seen(indices) {
                add(entry);
            }
        }
        sum / f64::max(known, 1.0)
    }

    /// The combination seen that the model is surest about: the mean over the tuples of their
    /// means, each less its standard error, which is at most half its width.
    pub fn best(&self) -> Option<&Indices> {
        let rated = self.seen.iter().map(|indices| (self.bound(indices, -0.5), indices));
        rated.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, indices)| indices)
    }

    #[cfg(test)]
    pub fn table_count(&self) -> usize {
        self.single.len() + self.dense.len() + self.hashed.len()
    }
}

impl Dense {
    /// The place of a combination's tuple among the slots.
    #[inline]
    fn place(&self, indices: &[Index]) -> usize {
        let terms = self.factors.iter();
        let number: u32 = terms
            .map(|&(parameter, factor)| u32::from(indices[usize::from(parameter)]) * factor)
            .sum();
        self.start + number as usize
    }
}

impl Hashed {
    fn key(&self, indices: &[Index]) -> Indices {
        self.parameters.iter().map(|&parameter| indices[usize::from(parameter)]).collect()
    }

    fn seen(&self, indices: &[Index]) -> Option<&(Entry, Total)> {
        // The table of all parameters needs no key of its own.
        if self.is_whole { self.entries.get(indices) } else { self.entries.get(&self.key(indices)) }
    }
}

/// The next ascending tuple of numbers below `bound`; false after the last.
fn next_tuple(tuple: &mut [Index], bound: usize) -> bool {
    let length = tuple.len();
    let movable = |i: &usize| usize::from(tuple[*i]) < bound - length + *i;
    let Some(place) = (0..length).rev().find(movable) else { return false };
    tuple[place] += 1;
    for i in place + 1..length {
        tuple[i] = tuple[i - 1] + 1;
    }
    true
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k.min(n - k.min(n))).fold(1.0, |value, i| value * (n - i) as f64 / (i + 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published;

    #[test]
    fn counts_of_tables() {
        // [Sironi 2019, 6.3.1]: d + 1 tables with L = {1, d}, 2^d - 1 with all lengths.
        for set in [published::AP_2, published::AP_4, published::AP_6] {
            let space = set.space();
            let d = space.dimension();
            assert_eq!(Landscape::new(&space, &[1, d]).unwrap().table_count(), d + 1);
            let all: Vec<usize> = (1..=d).collect();
            assert_eq!(Landscape::new(&space, &all).unwrap().table_count(), (1 << d) - 1);
            assert_eq!(Landscape::new(&space, &[1]).unwrap().table_count(), d);
        }
    }

    #[test]
    fn the_bound_by_hand() {
        let space = published::SP_2.space();
        let mut model = Landscape::new(&space, &[1, 2]).unwrap();
        assert_eq!(model.bound(&[0, 0], model.scaled(0.2)), 0.0);
        model.learn(&[0, 0], 1.0);
        model.learn(&[0, 1], 0.5);
        model.learn(&[0, 1], 0.0);
        let scaled = 0.2 * 3f64.ln().sqrt();
        assert!((model.scaled(0.2) - scaled).abs() < 1e-15);
        // (0, 1): first value seen 3 times, mean 0.5; second and the pair twice, mean 0.25.
        let expected = (0.5 + scaled / 3f64.sqrt() + 2.0 * (0.25 + scaled / 2f64.sqrt())) / 3.0;
        assert!((model.bound(&[0, 1], scaled) - expected).abs() < 1e-15);
        // (0, 5): only the first value is known.
        assert!((model.bound(&[0, 5], scaled) - (0.5 + scaled / 3f64.sqrt())).abs() < 1e-15);
        assert_eq!(model.bound(&[3, 5], scaled), 0.0);
    }

    #[test]
    fn hashed_and_dense_tables_agree() {
        let space = published::AP_6.space();
        let lengths: Vec<usize> = (1..=6).collect();
        let mut model = Landscape::new(&space, &lengths).unwrap();
        assert!(!model.hashed.is_empty() && !model.dense.is_empty());
        let mut plain = std::collections::HashMap::new();
        let mut rng = gamegrove_game::Rng::new(1);
        for _ in 0..3_000 {
            let indices = space.draw(&mut rng);
            let reward = rng.unit();
            model.learn(&indices, reward);
            for tuple in 1u32..64 {
                let key: Vec<Option<Index>> =
                    (0..6).map(|i| (tuple >> i & 1 == 1).then(|| indices[i])).collect();
                let entry = plain.entry(key).or_insert((0.0, 0u32));
                *entry = (entry.0 + reward, entry.1 + 1);
            }
        }
        for _ in 0..500 {
            let indices = space.draw(&mut rng);
            let scaled = model.scaled(0.2);
            let (mut sum, mut known) = (0.0, 0);
            for tuple in 1u32..64 {
                let key: Vec<Option<Index>> =
                    (0..6).map(|i| (tuple >> i & 1 == 1).then(|| indices[i])).collect();
                if let Some(&(total, n)) = plain.get(&key) {
                    sum += total / f64::from(n) + scaled / f64::from(n).sqrt();
                    known += 1;
                }
            }
            let expected = sum / f64::from(known.max(1));
            assert!((model.bound(&indices, scaled) - expected).abs() < 1e-12);
        }
    }
}
