//! One node.

use std::ops::Range;

use gamegrove_game::Role;
use smallvec::SmallVec;

/// The place of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The place in arrays with one entry per node.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node through which no simulation has gone has moves, but no numbers yet. Most nodes are such.
pub(crate) const NO_NUMBERS: u32 = u32::MAX;

fn shifted(range: Range<usize>, by: u32) -> Range<usize> {
    range.start + by as usize..range.end + by as usize
}

/// One node, without its state: on its way down a simulation reads this and the node's actions, and
/// in a large tree each line of memory it has to wait for counts.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Node {
    /// Simulations that chose a joint move here.
    pub visits: u32,
    /// Simulations on their way through here that have not come back.
    pub pending: u32,
    /// The step of the match in which it was last met.
    pub stamp: u32,
    /// Where its moves start.
    pub(crate) start: u32,
    /// Where the numbers of its actions start, or [`NO_NUMBERS`].
    pub(crate) numbers: u32,
    /// Where each role's actions end, counted from the start.
    pub(crate) ends: SmallVec<[u32; 4]>,
    /// Where its goals are, if play is over.
    pub(crate) ended: Option<u32>,
}

impl Node {
    /// Whether play is over here.
    pub fn is_terminal(&self) -> bool {
        self.ended.is_some()
    }

    /// How many moves a role has.
    #[inline]
    pub fn move_count(&self, role: Role) -> usize {
        self.range(role).len()
    }

    /// The places of a role's actions among all of the node.
    #[inline]
    pub(crate) fn range(&self, role: Role) -> Range<usize> {
        let at = role.index();
        let from = if at == 0 { 0 } else { self.ends[at - 1] };
        from as usize..self.ends[at] as usize
    }

    /// How many actions it has, of all roles.
    pub(crate) fn action_count(&self) -> usize {
        self.ends.last().copied().unwrap_or(0) as usize
    }

    /// Where the moves of a role are.
    #[inline]
    pub(crate) fn moves(&self, role: Role) -> Range<usize> {
        shifted(self.range(role), self.start)
    }

    /// Where the numbers of a role's actions are, if there are any yet.
    #[inline]
    pub(crate) fn numbers(&self, role: Role) -> Option<Range<usize>> {
        (self.numbers != NO_NUMBERS).then(|| shifted(self.range(role), self.numbers))
    }

    /// Where the numbers of all its actions are; nowhere if there are none.
    pub(crate) fn all_numbers(&self) -> Range<usize> {
        let count = if self.numbers == NO_NUMBERS { 0 } else { self.action_count() };
        shifted(0..count, self.numbers)
    }

    /// The place of the one action that decides, if at most one role has a choice.
    #[inline]
    pub(crate) fn only_chooser(&self, choice: &[u32]) -> Option<usize> {
        let mut from = 0;
        let mut only = 0;
        let mut choosers = 0;
        for (&end, &chosen) in self.ends.iter().zip(choice) {
            if end - from > 1 {
                choosers += 1;
                only = from + chosen;
            }
            from = end;
        }
        (choosers <= 1).then_some(only as usize)
    }

    /// The joint move as one number: mixed radix, first role fastest.
    pub(crate) fn joint_number(&self, choice: &[u32]) -> u64 {
        let (mut number, mut weight, mut from) = (0u64, 1u64, 0);
        for (&end, &chosen) in self.ends.iter().zip(choice) {
            number = number.wrapping_add(weight.wrapping_mul(u64::from(chosen)));
            weight = weight.wrapping_mul(u64::from(end - from));
            from = end;
        }
        number
    }

    /// How many joint moves there are; `u64::MAX` if they cannot be counted.
    pub(crate) fn joint_count(&self) -> u64 {
        let mut from = 0;
        self.ends
            .iter()
            .map(|&end| u64::from(end - std::mem::replace(&mut from, end)))
            .try_fold(1u64, u64::checked_mul)
            .unwrap_or(u64::MAX)
    }

    /// The choice of each role in the joint move with this number.
    pub(crate) fn choice(&self, mut number: u64) -> Vec<u32> {
        let mut from = 0;
        self.ends
            .iter()
            .map(|&end| {
                let count = u64::from(end - std::mem::replace(&mut from, end)).max(1);
                let chosen = number % count;
                number /= count;
                chosen as u32
            })
            .collect()
    }
}
