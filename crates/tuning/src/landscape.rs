//! The n-tuple landscape model of NTBEA (specification, section 3.7).
//!
//! For every tuple of parameters whose length was chosen, a table from the tuple's values to the
//! mean reward seen with them. Short tuples generalise, the longest remembers. Every sample goes
//! into one entry of every table, so all tables have seen the same number of samples.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::bandit::reach;
use crate::rewards::cautious;
use crate::{Index, Indices, Space};

/// Tables with more possible entries than this are hashed.
const DENSE: usize = 1 << 14;

/// The most tables a model may have.
pub(crate) const MAX_TUPLES: usize = 4096;

/// The tables.
#[derive(Clone, Debug)]
pub(crate) struct Landscape {
    /// The tables of the chosen lengths; the last is that of all parameters, chosen or not.
    tables: Vec<Table>,
    /// Whether the last table counts.
    whole_counts: bool,
    /// Every combination seen, once.
    seen: Vec<Indices>,
    samples: u64,
}

#[derive(Clone, Debug)]
struct Table {
    parameters: SmallVec<[Index; 8]>,
    /// The factor of each parameter in the number of an entry.
    strides: SmallVec<[u32; 8]>,
    entries: Entries,
}

#[derive(Clone, Debug)]
enum Entries {
    Dense(Vec<Entry>),
    Hashed(FxHashMap<Indices, Entry>),
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    sum: f64,
    mean: f64,
    /// `1 / sqrt(n)`.
    width: f64,
    samples: u32,
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
        let mut tables = Vec::new();
        for &length in lengths.iter().filter(|&&length| length < dimension) {
            let mut tuple: SmallVec<[Index; 8]> = (0..length as Index).collect();
            loop {
                tables.push(Table::new(space, tuple.clone()));
                if !next_tuple(&mut tuple, dimension) {
                    break;
                }
            }
        }
        tables.push(Table::new(space, (0..dimension as Index).collect()));
        let whole_counts = lengths.contains(&dimension);
        Some(Landscape { tables, whole_counts, seen: Vec::new(), samples: 0 })
    }

    /// Learns one sample.
    pub fn learn(&mut self, indices: &[Index], reward: f64) {
        self.samples += 1;
        let mut first = false;
        for table in &mut self.tables {
            let entry = table.entry(indices);
            entry.sum += reward;
            entry.samples = entry.samples.saturating_add(1);
            let samples = f64::from(entry.samples);
            entry.mean = entry.sum / samples;
            entry.width = samples.sqrt().recip();
            first = entry.samples == 1;
        }
        if first {
            self.seen.push(Indices::from_slice(indices));
        }
    }

    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The tables that count.
    fn counting(&self) -> &[Table] {
        &self.tables[..self.tables.len() - usize::from(!self.whole_counts)]
    }

    /// What all upper confidence bounds share, for [`Landscape::bound`].
    pub fn scaled(&self, c: f64) -> f64 {
        c * reach(self.samples)
    }

    /// The mean of the upper confidence bounds of those tuples that were seen; 0 if none was.
    pub fn bound(&self, indices: &[Index], scaled: f64) -> f64 {
        self.average(indices, |entry| entry.mean + scaled * entry.width)
    }

    fn average(&self, indices: &[Index], value: impl Fn(&Entry) -> f64) -> f64 {
        let (mut sum, mut known) = (0.0, 0u32);
        for table in self.counting() {
            if let Some(entry) = table.seen(indices) {
                sum += value(entry);
                known += 1;
            }
        }
        sum / f64::from(known.max(1))
    }

    /// The combination seen that the model is surest about: the mean over the tuples of their
    /// means, each less its standard error.
    pub fn best(&self) -> Option<&Indices> {
        let worth = |indices: &Indices| {
            self.average(indices, |entry| cautious(entry.mean, f64::from(entry.samples)))
        };
        let rated = self.seen.iter().map(|indices| (worth(indices), indices));
        rated.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, indices)| indices)
    }

    #[cfg(test)]
    pub fn table_count(&self) -> usize {
        self.counting().len()
    }
}

impl Table {
    fn new(space: &Space, parameters: SmallVec<[Index; 8]>) -> Self {
        let size = |parameter: Index| space.choices(usize::from(parameter)).len();
        let count = parameters.iter().try_fold(1usize, |n, &p| n.checked_mul(size(p)));
        let (strides, entries) = match count.filter(|&count| count <= DENSE) {
            Some(count) => {
                let strides = parameters.iter().scan(1, |next, &parameter| {
                    let stride = *next;
                    *next *= size(parameter) as u32;
                    Some(stride)
                });
                (strides.collect(), Entries::Dense(vec![Entry::default(); count]))
            }
            None => (SmallVec::new(), Entries::Hashed(FxHashMap::default())),
        };
        Table { parameters, strides, entries }
    }

    fn number(&self, indices: &[Index]) -> usize {
        if let [only] = self.parameters.as_slice() {
            return usize::from(indices[usize::from(*only)]);
        }
        let pairs = self.parameters.iter().zip(&self.strides);
        pairs.map(|(&p, &stride)| u32::from(indices[usize::from(p)]) * stride).sum::<u32>() as usize
    }

    fn key(&self, indices: &[Index]) -> Indices {
        self.parameters.iter().map(|&parameter| indices[usize::from(parameter)]).collect()
    }

    fn entry(&mut self, indices: &[Index]) -> &mut Entry {
        let number = self.number(indices);
        let key = matches!(self.entries, Entries::Hashed(_)).then(|| self.key(indices));
        match &mut self.entries {
            Entries::Dense(entries) => &mut entries[number],
            Entries::Hashed(entries) => entries.entry(key.unwrap_or_default()).or_default(),
        }
    }

    fn seen(&self, indices: &[Index]) -> Option<&Entry> {
        match &self.entries {
            Entries::Dense(entries) => {
                Some(&entries[self.number(indices)]).filter(|entry| entry.samples > 0)
            }
            // The table of all parameters needs no key of its own.
            Entries::Hashed(entries) if self.parameters.len() == indices.len() => {
                entries.get(indices)
            }
            Entries::Hashed(entries) => entries.get(&self.key(indices)),
        }
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
        // Specification, section 3.7: d + 1 tables with L = {1, d}, 2^d - 1 with all lengths.
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
        let hashed =
            model.tables.iter().filter(|t| matches!(t.entries, Entries::Hashed(_))).count();
        assert!(hashed > 0 && hashed < model.tables.len());
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
