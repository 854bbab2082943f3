//! Changing combinations: completion, mutation, crossover. What goes in legal comes out legal.
//!
//! [Sironi 2019, 6.2.2]. A filter that only lets a single value change legally could never
//! switch a parameter on or off, because the switch and what it switches lock each other. So a
//! mutated parameter takes any of its choices, and what no longer fits it is drawn anew.

use gamegrove_game::{Rng, nth_bit};

use crate::space::{Legal, OPEN};
use crate::{Index, Indices, Space};

impl Space {
    /// Gives every open parameter of `partial`, in the order of the space, one of the values that
    /// are still possible, each equally likely.
    pub(crate) fn complete(&self, partial: &mut [Index], rng: &mut Rng) {
        for parameter in 0..self.dimension() {
            if partial[parameter] == OPEN {
                partial[parameter] = self.draw_allowed(partial, parameter, rng);
            }
        }
    }

    /// One of the choices of `parameter` that `partial` still allows, each equally likely.
    fn draw_allowed(&self, partial: &[Index], parameter: usize, rng: &mut Rng) -> Index {
        match self.legal(partial, parameter) {
            Legal::All => rng.below(self.choices(parameter).len()) as Index,
            Legal::Listed(bits) => {
                debug_assert!(bits != 0, "a partial combination can always be completed");
                let bits = bits.max(1);
                nth_bit(bits, rng.below(bits.count_ones() as usize)) as Index
            }
            Legal::Only(only) => only,
            Legal::Below(bound) => rng.below(usize::from(bound).max(1)) as Index,
        }
    }

    /// Gives one parameter another value: the parameter and its new value are drawn uniformly, and
    /// values that do not fit the new one are drawn anew among those that do.
    pub fn mutate(&self, indices: &mut [Index], rng: &mut Rng) {
        let Some(parameter) = rng.pick(&self.movable) else { return };
        let others = self.choices(parameter).len() - 1;
        let drawn = rng.below(others) as Index;
        indices[parameter] = drawn + Index::from(drawn >= indices[parameter]);
        if self.is_alone(parameter) {
            return;
        }
        let block = &self.blocks[self.block_of[parameter]];
        if parameter != block.switch && !self.fits(indices, parameter, block.switch) {
            // Only the mutated parameter binds the switch; the others follow it below.
            let fitting = |value: &Index| {
                let member = block.members.iter().find(|member| member.parameter == parameter);
                member.is_some_and(|member| {
                    (member.off >> value & 1 == 1) == (indices[parameter] == member.values)
                })
            };
            let count = self.indices(block.switch).filter(fitting).count();
            let wanted = rng.below(count.max(1));
            let switch = self.indices(block.switch).filter(fitting).nth(wanted);
            indices[block.switch] = switch.unwrap_or_default();
        }
        for member in &block.members {
            let off = member.off >> indices[block.switch] & 1 == 1;
            if off {
                indices[member.parameter] = member.values;
            } else if indices[member.parameter] == member.values {
                indices[member.parameter] = rng.below(usize::from(member.values)) as Index;
            }
        }
    }

    /// Whether a switched parameter and its switch agree.
    fn fits(&self, indices: &[Index], parameter: usize, switch: usize) -> bool {
        let block = &self.blocks[self.block_of[switch]];
        block.members.iter().filter(|member| member.parameter == parameter).all(|member| {
            (member.off >> indices[switch] & 1 == 1) == (indices[parameter] == member.values)
        })
    }

    /// Uniform crossover: parameters in random order, each from either parent with the same
    /// probability; from the other one where that would be illegal, and drawn where both would be.
    pub fn cross(&self, mother: &[Index], father: &[Index], child: &mut [Index], rng: &mut Rng) {
        let coins = rng.next_u64();
        // Independent parameters cannot clash, so their order does not matter.
        for parameter in 0..self.dimension() {
            let heads = coins.rotate_right(parameter as u32) & 1 == 1;
            child[parameter] = if heads { mother[parameter] } else { father[parameter] };
        }
        for block in self.blocks.iter().filter(|block| !block.members.is_empty()) {
            let mut order: Indices = block.members.iter().map(|m| m.parameter as Index).collect();
            order.push(block.switch as Index);
            for &parameter in &order {
                child[usize::from(parameter)] = OPEN;
            }
            for left in (1..=order.len()).rev() {
                order.swap(left - 1, rng.below(left));
                let parameter = usize::from(order[left - 1]);
                let (first, second) = match coins.rotate_right(parameter as u32) & 1 == 1 {
                    true => (mother[parameter], father[parameter]),
                    false => (father[parameter], mother[parameter]),
                };
                child[parameter] = if self.allows(child, parameter, first) {
                    first
                } else if self.allows(child, parameter, second) {
                    second
                } else {
                    self.draw_allowed(child, parameter, rng)
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published;

    #[test]
    fn mutation_changes_one_parameter_and_what_must_follow() {
        let space = published::AP_4.space();
        let mut rng = Rng::new(3);
        let (mut switched_off, mut switched_on) = (0, 0);
        let mut current = space.draw(&mut rng);
        for _ in 0..20_000 {
            let before = current.clone();
            space.mutate(&mut current, &mut rng);
            assert!(space.is_legal(&current));
            let changed: Vec<usize> = (0..4).filter(|&i| before[i] != current[i]).collect();
            match changed.as_slice() {
                [_] => assert!(before[2] != 0 || changed[0] < 2),
                // K and `ref` change together exactly where GRAVE is switched.
                [2, 3] => {
                    assert_ne!(before[2] == 0, current[2] == 0);
                    switched_off += u32::from(current[2] == 0);
                    switched_on += u32::from(before[2] == 0);
                }
                _ => panic!("{before:?} became {current:?}"),
            }
        }
        assert!(switched_off > 100 && switched_on > 100, "{switched_off} {switched_on}");
    }

    #[test]
    fn mutation_is_uniform_where_nothing_is_switched() {
        let space = published::SP_2.space();
        let mut rng = Rng::new(4);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..36_000 {
            let mut indices = [4, 4];
            space.mutate(&mut indices, &mut rng);
            *counts.entry(indices).or_insert(0u32) += 1;
        }
        // Eight other values of C and ten of epsilon, each parameter with probability one half.
        assert_eq!(counts.len(), 18);
        for (indices, count) in counts {
            let expected = if indices[1] == 4 { 36_000.0 / 16.0 } else { 36_000.0 / 20.0 };
            assert!((f64::from(count) - expected).abs() < 6.0 * f64::sqrt(expected), "{indices:?}");
        }
    }

    #[test]
    fn crossover_takes_from_both_parents() {
        let space = published::AP_4.space();
        let mut rng = Rng::new(5);
        let mother = space.parse("c=0.1 epsilon=0 k=0").unwrap();
        let father = space.parse("c=0.9 epsilon=1 k=250 ref=50").unwrap();
        let (mother, father) = (mother.indices().unwrap(), father.indices().unwrap());
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..8_000 {
            let mut child = [0; 4];
            space.cross(mother, father, &mut child, &mut rng);
            assert!(space.is_legal(&child));
            *seen.entry(child).or_insert(0u32) += 1;
        }
        // K and `ref` come from the same parent: 2 * 2 * 2 children.
        assert_eq!(seen.len(), 8);
        assert!(seen.values().all(|&count| count.abs_diff(1000) < 200), "{seen:?}");
    }

    #[test]
    fn a_space_of_one_combination_stays_as_it_is() {
        let one = crate::Parameter::new("x", 1.0.into(), crate::Domain::reals(&[1.0]));
        let space = Space::new(vec![one], &[]).unwrap();
        let mut indices = [0];
        space.mutate(&mut indices, &mut Rng::new(1));
        assert_eq!(indices, [0]);
    }
}
