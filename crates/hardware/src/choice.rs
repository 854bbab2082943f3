//! How the hardware draws a move for each role: which random bits go where.
//!
//! Every clock cycle of drawing has a fresh row of random bits. It is cut into `tries` groups, each
//! with one slice per role. A role with `c` legal moves looks at the lowest bits of its slices, as
//! many as are needed to write `c` - 1, and takes the first number below `c`. If there is none it
//! draws again in the next cycle. So each legal move is equally likely: nothing is scaled or
//! rounded.

use gamegrove_game::Rng;

use crate::netlist::Netlist;

/// More tries a cycle hardly save time.
const MOST_TRIES: usize = 4;

/// The slices of all roles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoicePlan {
    /// The bits in which the number of a move of each role fits: the levels of its tree.
    pub levels: Vec<usize>,
    /// Where each role's slice lies in a group.
    pub offsets: Vec<usize>,
    /// Bits of a group.
    pub group: usize,
    /// Groups in a row.
    pub tries: usize,
}

impl ChoicePlan {
    /// The slices for a netlist.
    pub fn new(netlist: &Netlist) -> ChoicePlan {
        let roles = 0..netlist.roles.len();
        let levels: Vec<usize> = roles.map(|role| levels(netlist.move_width(role))).collect();
        let mut group = 0;
        let mut offsets = Vec::new();
        for &bits in &levels {
            offsets.push(group);
            group += bits;
        }
        let tries = (64 / group.max(1)).clamp(1, MOST_TRIES);
        ChoicePlan { levels, offsets, group, tries }
    }

    /// How many generators of 64 bits a row needs.
    pub fn generators(&self) -> usize {
        (self.group * self.tries).div_ceil(64).max(1)
    }

    /// Where a role's slice of a try starts in the row.
    pub fn start(&self, role: usize, attempt: usize) -> usize {
        attempt * self.group + self.offsets[role]
    }

    /// A number below `count` for a role, if a slice of this row gives one.
    pub fn draw(&self, role: usize, count: usize, row: &[u64]) -> Option<usize> {
        let mask = count.next_power_of_two() - 1;
        (0..self.tries).map(|attempt| self.slice(role, attempt, row) & mask).find(|&r| r < count)
    }

    fn slice(&self, role: usize, attempt: usize, row: &[u64]) -> usize {
        let bits = self.start(role, attempt)..self.start(role, attempt) + self.levels[role];
        bits.rev().fold(0, |value, bit| value << 1 | (row[bit / 64] >> (bit % 64) & 1) as usize)
    }
}

/// The levels of a tree with so many leaves, at least one.
fn levels(leaves: usize) -> usize {
    (leaves.next_power_of_two().trailing_zeros() as usize).max(1)
}

/// The generators of a seed, one after another in a row.
#[derive(Clone, Debug)]
pub struct Generators(Vec<Rng>);

impl Generators {
    /// The generators that belong to a seed.
    pub fn new(seed: u64, count: usize) -> Generators {
        Generators((0..count as u64).map(|stream| Rng::stream(seed, stream)).collect())
    }

    /// The words in which the generators of a seed start, four each.
    pub fn words(seed: u64, count: usize) -> Vec<[u64; 4]> {
        (0..count as u64).map(|stream| Rng::stream_start(seed, stream)).collect()
    }

    /// Generators that go on from these words.
    pub fn from_words(words: &[[u64; 4]]) -> Generators {
        Generators(words.iter().map(|&words| Rng::from_words(words)).collect())
    }

    /// The next row.
    pub fn row(&mut self, row: &mut Vec<u64>) {
        row.clear();
        row.extend(self.0.iter_mut().map(Rng::next_u64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_from_equally_many_rows() {
        for count in 1..=8usize {
            let plan = ChoicePlan { levels: vec![3], offsets: vec![0], group: 3, tries: 2 };
            let mut found = vec![0; count];
            for row in 0..64u64 {
                if let Some(rank) = plan.draw(0, count, &[row]) {
                    found[rank] += 1;
                }
            }
            assert!(
                found.iter().all(|&times| times == found[0] && times > 0),
                "{count}: {found:?}"
            );
        }
    }

    #[test]
    fn slices_may_lie_across_words() {
        let plan = ChoicePlan { levels: vec![62, 4], offsets: vec![0, 62], group: 66, tries: 1 };
        assert_eq!(plan.generators(), 2);
        assert_eq!(plan.draw(1, 16, &[0b11 << 62, 0b10]), Some(0b1011));
    }

    #[test]
    fn words_are_where_generators_start() {
        let (mut a, mut b) =
            (Generators::new(9, 3), Generators::from_words(&Generators::words(9, 3)));
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for _ in 0..5 {
            a.row(&mut left);
            b.row(&mut right);
            assert_eq!(left, right);
        }
    }
}
