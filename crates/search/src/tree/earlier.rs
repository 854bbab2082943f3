//! Which moves of a simulation are repetitions.

use rustc_hash::FxHashMap;

/// For every place in a sequence of keys, where the same key stood before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Earlier {
    last: FxHashMap<u32, u32>,
    before: Vec<u32>,
}

const NEVER: u32 = u32::MAX;

impl Earlier {
    /// Looks at a sequence.
    pub(crate) fn find(&mut self, keys: &[u32]) {
        self.last.clear();
        self.before.clear();
        for (at, &key) in keys.iter().enumerate() {
            self.before.push(self.last.insert(key, at as u32).unwrap_or(NEVER));
        }
    }

    /// Whether the key at `at` does not stand anywhere in `from..at`.
    #[inline]
    pub(crate) fn is_first_since(&self, at: usize, from: usize) -> bool {
        self.before[at] == NEVER || (self.before[at] as usize) < from
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_are_seen_from_every_start() {
        let keys = [5, 7, 5, 5, 7];
        let mut earlier = Earlier::default();
        earlier.find(&keys);
        for from in 0..keys.len() {
            for at in from..keys.len() {
                let expected = !keys[from..at].contains(&keys[at]);
                assert_eq!(earlier.is_first_since(at, from), expected, "{from} {at}");
            }
        }
    }
}
