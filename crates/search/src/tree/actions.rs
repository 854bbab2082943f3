//! The actions of all nodes, as columns: a node's moves are one range, and so are their numbers.

use std::ops::Range;

use gamegrove_game::Move;

use super::NodeId;
use crate::trace::Needs;

/// What is known of one action of one role in one node. Where it leads and what it is called stand
/// beside the numbers, so that a simulation on its way down finds all it needs in one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistic {
    /// The sum of all returns, on the scale 0 to 100.
    pub sum: f64,
    /// How many there were.
    pub visits: u32,
    /// Simulations under way through this action. Each counts as a visit, so that simulations
    /// started before it comes back look elsewhere.
    pub pending: u32,
    /// The node it leads to, or [`NO_CHILD`].
    pub(super) child: NodeId,
    pub(super) mov: Move,
}

impl Default for Statistic {
    fn default() -> Self {
        Statistic::new(0.0, 0)
    }
}

impl Statistic {
    /// The statistic of an action that was tried so often with these returns in sum.
    pub fn new(sum: f64, visits: u32) -> Statistic {
        Statistic { sum, visits, pending: 0, child: NO_CHILD, mov: Move(0) }
    }

    /// Visits, with those under way.
    #[inline]
    pub fn count(&self) -> f64 {
        f64::from(self.visits + self.pending)
    }

    /// The node it leads to, if that is known and no other role has a choice.
    #[inline]
    pub(crate) fn child(&self) -> Option<NodeId> {
        Some(self.child).filter(|&child| child != NO_CHILD)
    }

    /// Whether it was never tried.
    #[inline]
    pub fn is_untried(&self) -> bool {
        self.visits + self.pending == 0
    }

    /// The mean return as a share of the best goal, between 0 and 1. A simulation under way counts as
    /// `loss` visits that gained nothing.
    #[inline]
    pub fn mean(&self, loss: f64) -> f64 {
        self.mean_and_inverse(loss).0
    }

    /// The mean and one over the visits, for one division: this is done for every action of every
    /// node on every path.
    #[inline]
    pub fn mean_and_inverse(&self, loss: f64) -> (f64, f64) {
        let inverse = inverse(self.visits + self.pending);
        let sum = self.sum * 0.01;
        // By default those under way are visits like all others.
        if loss == 1.0 || self.pending == 0 {
            return (sum * inverse, inverse);
        }
        let mean = match self.visits {
            0 => 0.0,
            visits => sum / (f64::from(visits) + loss * f64::from(self.pending)),
        };
        (mean, inverse)
    }
}

/// One over the first whole numbers: most actions were tried a few times, and nothing else in the rating
/// of an action takes as long as a division.
static INVERSES: [f64; 256] = {
    let mut inverses = [f64::INFINITY; 256];
    let mut at = 1;
    while at < inverses.len() {
        inverses[at] = 1.0 / at as f64;
        at += 1;
    }
    inverses
};

#[inline]
fn inverse(count: u32) -> f64 {
    match INVERSES.get(count as usize) {
        Some(&known) => known,
        None => 1.0 / f64::from(count),
    }
}

const NO_CHILD: NodeId = NodeId(u32::MAX);

/// The columns: moves of all nodes, and numbers of those nodes that simulations have gone through.
#[derive(Clone, Debug)]
pub(crate) struct Actions {
    pub(crate) moves: Vec<Move>,
    pub(crate) statistics: Vec<Statistic>,
    /// One number per action for the selection; empty if it asked for none.
    pub(crate) extra: Vec<f64>,
    /// The greatest return of each action; empty if no strategy needs it.
    pub(crate) best: Vec<f32>,
    keeps_extra: bool,
    keeps_best: bool,
    /// What is read where there are no numbers yet; as long as any node has actions.
    blank: Blank,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Blank {
    pub(super) statistics: Vec<Statistic>,
    pub(super) extra: Vec<f64>,
    pub(super) best: Vec<f32>,
}

impl Actions {
    pub(crate) fn new(needs: Needs) -> Actions {
        Actions {
            moves: Vec::new(),
            statistics: Vec::new(),
            extra: Vec::new(),
            best: Vec::new(),
            keeps_extra: needs.extra,
            keeps_best: needs.best,
            blank: Blank::default(),
        }
    }

    /// Adds the moves of a node; says where they start.
    pub(crate) fn add_moves(&mut self, moves: &[Move]) -> u32 {
        let start = self.moves.len();
        self.moves.extend_from_slice(moves);
        self.make_blank(moves.len());
        start as u32
    }

    /// Makes sure that what is read for a node without numbers is long enough.
    pub(super) fn make_blank(&mut self, count: usize) {
        if self.blank.statistics.len() < count {
            self.blank.statistics.resize(count, Statistic::default());
            self.blank.extra.resize(if self.keeps_extra { count } else { 0 }, 0.0);
            self.blank.best.resize(if self.keeps_best { count } else { 0 }, 0.0);
        }
    }

    pub(super) fn blank(&self) -> &Blank {
        &self.blank
    }

    /// Adds numbers for the actions whose moves are in `moves`; says where they start.
    pub(crate) fn add_numbers(&mut self, moves: Range<usize>) -> u32 {
        let (start, count) = (self.statistics.len(), moves.len());
        let fresh = |&mov: &Move| Statistic { mov, ..Statistic::default() };
        self.statistics.extend(self.moves[moves].iter().map(fresh));
        if self.keeps_extra {
            self.extra.resize(start + count, 0.0);
        }
        if self.keeps_best {
            self.best.resize(start + count, 0.0);
        }
        start as u32
    }

    pub(crate) fn child(&self, at: usize) -> Option<NodeId> {
        self.statistics[at].child()
    }

    pub(crate) fn set_child(&mut self, at: usize, child: NodeId) {
        self.statistics[at].child = child;
    }

    /// Copies the numbers at `at` of `from` to the end, with the child renumbered.
    pub(crate) fn copy_numbers(&mut self, from: &Actions, at: usize, child: Option<NodeId>) {
        let child = child.unwrap_or(NO_CHILD);
        self.statistics.push(Statistic { child, ..from.statistics[at] });
        if self.keeps_extra {
            self.extra.push(from.extra[at]);
        }
        if self.keeps_best {
            self.best.push(from.best[at]);
        }
    }

    /// Copies the numbers in a range to the end.
    pub(crate) fn copy_own_numbers(&mut self, range: Range<usize>) {
        self.statistics.extend_from_within(range.clone());
        if self.keeps_extra {
            self.extra.extend_from_within(range.clone());
        }
        if self.keeps_best {
            self.best.extend_from_within(range);
        }
    }

    /// Empty columns that keep what these keep.
    pub(crate) fn fresh(&self) -> Actions {
        let needs = Needs { extra: self.keeps_extra, best: self.keeps_best, ..Needs::default() };
        Actions { blank: self.blank.clone(), ..Actions::new(needs) }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.moves.capacity() * size_of::<Move>()
            + self.statistics.capacity() * size_of::<Statistic>()
            + self.extra.capacity() * size_of::<f64>()
            + self.best.capacity() * size_of::<f32>()
    }
}
