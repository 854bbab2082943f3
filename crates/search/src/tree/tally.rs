//! How often each move was played in a part of a simulation.

/// Counts keys. Roles that wait repeat one move over and over, so counting first saves much where
/// the same moves go to many tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    counted: Vec<Counted>,
    /// By key: the round in which it was last met, and its place among the counted.
    places: Vec<(u32, u32)>,
    round: u32,
}

/// A key, whose move it is, and how often it was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) key: u32,
    pub(crate) role: u32,
    pub(crate) times: u32,
}

impl Tally {
    /// Counts the keys of a sequence in which `roles` take turns; what was counted before is
    /// forgotten. They stand in the order in which they were first met.
    pub(crate) fn count(&mut self, keys: &[u32], roles: usize) -> &[Counted] {
        self.counted.clear();
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            // Rounds of four billion simulations ago must not look like this one.
            self.places.clear();
            self.round = 1;
        }
        let in_turn = (0..roles as u32).cycle();
        for (&key, role) in keys.iter().zip(in_turn) {
            let at = key as usize;
            if self.places.len() <= at {
                self.places.resize(at + 1, (0, 0));
            }
            let (round, place) = &mut self.places[at];
            if *round == self.round {
                self.counted[*place as usize].times += 1;
            } else {
                (*round, *place) = (self.round, self.counted.len() as u32);
                self.counted.push(Counted { key, role, times: 1 });
            }
        }
        &self.counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_counted_afresh_each_time() {
        let mut tally = Tally::default();
        let of = |key, role, times| Counted { key, role, times };
        let found = [of(4, 0, 3), of(1, 1, 2), of(7, 1, 1)];
        assert_eq!(tally.count(&[4, 1, 4, 7, 4, 1], 2), found);
        assert_eq!(tally.count(&[7, 7], 1), [of(7, 0, 2)]);
        assert_eq!(tally.count(&[], 2), []);
        tally.round = u32::MAX;
        assert_eq!(tally.count(&[5], 1), [of(5, 0, 1)]);
    }
}
