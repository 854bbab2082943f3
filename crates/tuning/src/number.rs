//! Legal combinations as numbers: counting them, numbering them, drawing one uniformly.

use gamegrove_game::Rng;

use crate::space::Block;
use crate::{Index, Indices, Space};

impl Space {
    /// The number of legal combinations; `None` if it is above 2^64.
    pub fn count(&self) -> Option<u64> {
        self.blocks.iter().try_fold(1u64, |count, block| count.checked_mul(block.count()))
    }

    /// The number of a legal combination, below [`Space::count`]; `None` if the combination is not
    /// legal or the space cannot be counted.
    pub fn number(&self, indices: &[Index]) -> Option<u64> {
        (self.count().is_some() && self.is_legal(indices)).then(|| self.number_of_legal(indices))
    }

    /// The same, without the checks.
    pub(crate) fn number_of_legal(&self, indices: &[Index]) -> u64 {
        self.blocks.iter().fold(0, |number, block| number * block.count() + block.number(indices))
    }

    /// The combination that has this number, taken modulo the count.
    pub fn numbered(&self, mut number: u64) -> Indices {
        let mut indices = Indices::from_elem(0, self.dimension());
        for block in self.blocks.iter().rev() {
            block.write(number % block.count(), &mut indices);
            number /= block.count();
        }
        indices
    }

    /// Fills `indices` with a legal combination, each equally likely [Sironi 2019, 7.2].
    pub fn draw_into(&self, indices: &mut Indices, rng: &mut Rng) {
        indices.resize(self.dimension(), 0);
        for block in &self.blocks {
            block.write(rng.below(block.count() as usize) as u64, indices);
        }
    }

    /// A legal combination, each equally likely.
    pub fn draw(&self, rng: &mut Rng) -> Indices {
        let mut indices = Indices::new();
        self.draw_into(&mut indices, rng);
        indices
    }
}

impl Block {
    /// The number of legal combinations of this block.
    fn count(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    /// The number of the block's part of a combination.
    fn number(&self, indices: &[Index]) -> u64 {
        let switch = indices[self.switch];
        let on = self.members.iter().filter(|member| member.off >> switch & 1 == 0);
        let within = on.fold(0, |number, member| {
            number * u64::from(member.values) + u64::from(indices[member.parameter])
        });
        self.starts[usize::from(switch)] + within
    }

    /// Writes the block's part that has this number.
    fn write(&self, number: u64, indices: &mut [Index]) {
        if self.members.is_empty() {
            indices[self.switch] = number as Index;
            return;
        }
        // The last value that starts at or before the number: starts grow strictly, because each value
        // of the switch has at least one combination.
        let switch = self.starts.partition_point(|&start| start <= number) - 1;
        indices[self.switch] = switch as Index;
        let mut within = number - self.starts[switch];
        for member in self.members.iter().rev() {
            indices[member.parameter] = if member.off >> switch & 1 == 1 {
                member.values
            } else {
                let index = within % u64::from(member.values);
                within /= u64::from(member.values);
                index as Index
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published;

    #[test]
    fn numbers_are_all_legal_combinations_once() {
        for set in [published::SP_2, published::AP_2, published::AP_4, published::MP_5] {
            let space = set.space();
            let count = space.count().unwrap();
            let mut seen = std::collections::HashSet::new();
            for number in 0..count {
                let indices = space.numbered(number);
                assert!(space.is_legal(&indices));
                assert_eq!(space.number(&indices), Some(number));
                seen.insert(indices);
            }
            assert_eq!(seen.len() as u64, count);
        }
    }

    #[test]
    fn drawing_is_uniform_over_legal_combinations() {
        // [Sironi 2019, 7.2]: K = 0 has probability 1/73 in the pair {K, ref}.
        let space = published::AP_2.space();
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 73];
        let draws = 73_000;
        for _ in 0..draws {
            counts[space.number(&space.draw(&mut rng)).unwrap() as usize] += 1;
        }
        // Chi-squared with 72 degrees of freedom; 125 is above its 99.99 % quantile.
        let squares: f64 = counts.iter().map(|&c| (f64::from(c) - 1000.0).powi(2) / 1000.0).sum();
        assert!(squares < 125.0, "{squares}");
        assert!((f64::from(counts[0]) - 1000.0).abs() < 6.0 * 1000f64.sqrt());
    }
}
