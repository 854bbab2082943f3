//! A table from small numbers to entries that stays small for few of them.

/// A map by open addressing with the key itself as hash. Keys are dense numbers (moves, features),
/// so neighbours do not collide and a full table is nearly an array.
#[derive(Clone, Debug)]
pub(crate) struct Sparse<E> {
    keys: Vec<u32>,
    entries: Vec<E>,
    used: usize,
}

const FREE: u32 = u32::MAX;

impl<E> Default for Sparse<E> {
    fn default() -> Self {
        Sparse { keys: Vec::new(), entries: Vec::new(), used: 0 }
    }
}

impl<E: Copy + Default> Sparse<E> {
    /// How many keys it has.
    pub(crate) fn len(&self) -> usize {
        self.used
    }

    /// The entry of a key.
    #[inline]
    pub(crate) fn get(&self, key: u32) -> Option<&E> {
        if self.keys.is_empty() {
            return None;
        }
        let at = self.place(key);
        (self.keys[at] == key).then(|| &self.entries[at])
    }

    /// The entry of a key, a fresh one if it has none.
    #[inline]
    pub(crate) fn entry(&mut self, key: u32) -> &mut E {
        // One place must stay free, or a search for a missing key would never end.
        if (self.used + 1) * 8 > self.keys.len() * 7 {
            self.rebuild((self.keys.len() * 2).max(4), |_| true);
        }
        let at = self.place(key);
        if self.keys[at] == FREE {
            self.keys[at] = key;
            self.used += 1;
        }
        &mut self.entries[at]
    }

    /// All entries.
    pub(crate) fn entries_mut(&mut self) -> impl Iterator<Item = &mut E> {
        let used = self.keys.iter().map(|&key| key != FREE);
        self.entries.iter_mut().zip(used).filter_map(|(entry, used)| used.then_some(entry))
    }

    /// All entries.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &E> {
        let used = self.keys.iter().map(|&key| key != FREE);
        self.entries.iter().zip(used).filter_map(|(entry, used)| used.then_some(entry))
    }

    /// Keeps the entries for which `keep` says so, in as little memory as they need.
    pub(crate) fn retain(&mut self, keep: impl Fn(&E) -> bool) {
        let kept = self.entries().filter(|entry| keep(entry)).count();
        if kept < self.used {
            let size = if kept == 0 { 0 } else { (kept * 8 / 7 + 1).next_power_of_two().max(4) };
            self.rebuild(size, keep);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.keys.capacity() * (size_of::<u32>() + size_of::<E>())
    }

    #[inline]
    fn place(&self, key: u32) -> usize {
        let mask = self.keys.len() - 1;
        let mut at = key as usize & mask;
        while self.keys[at] != key && self.keys[at] != FREE {
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn rebuild(&mut self, size: usize, keep: impl Fn(&E) -> bool) {
        let keys = std::mem::replace(&mut self.keys, vec![FREE; size]);
        let entries = std::mem::replace(&mut self.entries, vec![E::default(); size]);
        self.used = 0;
        for (key, entry) in keys.into_iter().zip(entries) {
            if key != FREE && keep(&entry) {
                let at = self.place(key);
                self.keys[at] = key;
                self.entries[at] = entry;
                self.used += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_missing_key_is_missed_at_every_size() {
        let mut sparse = Sparse::<u8>::default();
        for key in 0..40 {
            *sparse.entry(key) = 1;
            assert_eq!(sparse.get(key + 1), None);
            let mut smaller = sparse.clone();
            *smaller.entry(1000) = 2;
            smaller.retain(|&value| value == 1);
            assert_eq!((smaller.get(1000), smaller.len()), (None, key as usize + 1));
        }
    }

    #[test]
    fn agrees_with_a_plain_map() {
        let mut rng = gamegrove_game::Rng::new(4);
        let mut sparse = Sparse::<u64>::default();
        let mut plain: BTreeMap<u32, u64> = BTreeMap::new();
        for round in 0..3_000 {
            let key = rng.below(500) as u32 * 7;
            let value = rng.next_u64();
            *sparse.entry(key) = value;
            plain.insert(key, value);
            if round % 400 == 399 {
                sparse.retain(|value| value % 3 != 0);
                plain.retain(|_, value| *value % 3 != 0);
            }
            assert_eq!(sparse.len(), plain.len());
        }
        for key in 0..4_000 {
            assert_eq!(sparse.get(key), plain.get(&key));
        }
        sparse.retain(|_| false);
        assert_eq!((sparse.len(), sparse.get(7)), (0, None));
    }
}
