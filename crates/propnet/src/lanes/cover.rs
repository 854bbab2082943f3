//! Which instructions compute the gates.
//!
//! An instruction computes any function of three lines, so one stands for a gate and whatever lies
//! between it and three lines below it (a *cut*). As when a circuit is mapped to look-up tables, cuts
//! are found bottom-up, a few good ones per gate, and chosen so that few instructions are needed:
//! first by an estimate that shares the cost of a gate among its readers, then by counting exactly
//! what would be freed. Cuts end at the borders of segments.

use super::function::{A, B, C, Function};
use super::logic::Logic;
use crate::watch::Watch;

/// Cuts kept per gate.
const KEPT: usize = 8;

/// Rounds of choosing by exact counts.
const ROUNDS: usize = 3;

#[derive(Clone, Copy, Debug)]
struct Cut {
    /// Lines, ascending; those beyond `count` mean nothing.
    leaves: [u32; 3],
    count: u8,
    /// The gate as a function of the leaves.
    table: u8,
    cost: f32,
}

impl Cut {
    fn leaves(&self) -> &[u32] {
        &self.leaves[..usize::from(self.count)]
    }

    fn of_line(line: u32) -> Cut {
        Cut { leaves: [line, 0, 0], count: 1, table: A, cost: 0.0 }
    }
}

/// An instruction: a function of lines as they are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// The gate it computes.
    pub gate: u32,
    /// Whether it gives the gate's opposite, which is then what is kept.
    pub negated: bool,
    /// The function, in its normal form.
    pub function: Function,
    lines: [u32; 3],
}

impl Cell {
    /// The lines it reads.
    pub fn lines(&self) -> &[u32] {
        let read = (0..3).take_while(|&place| self.function.reads(place)).count();
        &self.lines[..read]
    }
}

/// The instructions for all gates that are needed; each comes after what it reads.
pub(super) fn cover<E>(logic: &Logic, watch: Watch<'_, E>) -> Result<Vec<Cell>, E> {
    let mut cover = Cover::new(logic);
    cover.choose_by_estimate(watch)?;
    for _ in 0..ROUNDS {
        cover.choose_by_count(watch)?;
    }
    Ok(cover.cells())
}

struct Cover<'a> {
    logic: &'a Logic,
    /// The cuts of each gate, the chosen one first.
    cuts: Vec<Vec<Cut>>,
    /// How many chosen cuts and answers read each gate.
    uses: Vec<u32>,
}

impl<'a> Cover<'a> {
    fn new(logic: &'a Logic) -> Self {
        let mut uses = vec![0; logic.gates.len()];
        for signal in logic.gates.iter().flatten() {
            if let Some(gate) = logic.gate(signal.line()) {
                uses[gate] += 1;
            }
        }
        for gate in logic.roots().filter_map(|signal| logic.gate(signal.line())) {
            uses[gate] += 1;
        }
        Cover { logic, cuts: Vec::with_capacity(logic.gates.len()), uses }
    }

    /// Finds cuts, keeps the cheapest.
    fn choose_by_estimate<E>(&mut self, watch: Watch<'_, E>) -> Result<(), E> {
        let logic = self.logic;
        let mut costs: Vec<f32> = Vec::with_capacity(logic.gates.len());
        let mut found: Vec<Cut> = Vec::new();
        for (at, &[a, b]) in logic.gates.iter().enumerate() {
            watch(at * KEPT * size_of::<Cut>())?;
            found.clear();
            let sides = [a, b].map(|signal| self.cuts_below(at, signal.line()));
            for left in sides[0].0.iter().chain([&sides[0].1]) {
                for right in sides[1].0.iter().chain([&sides[1].1]) {
                    let Some(mut cut) = join(left, a.negated(), right, b.negated()) else {
                        continue;
                    };
                    let cost = |&line: &u32| logic.gate(line).map_or(0.0, |gate| costs[gate]);
                    cut.cost = 1.0 + cut.leaves().iter().map(cost).sum::<f32>();
                    if !found.iter().any(|known| known.leaves() == cut.leaves()) {
                        found.push(cut);
                    }
                }
            }
            found.sort_by(|x, y| x.cost.total_cmp(&y.cost).then(x.count.cmp(&y.count)));
            found.truncate(KEPT);
            costs.push(found[0].cost / self.uses[at].max(1) as f32);
            self.cuts.push(found.clone());
        }
        self.count_uses();
        Ok(())
    }

    /// The cuts a reader may look through, and the line itself.
    fn cuts_below(&self, reader: usize, line: u32) -> (&[Cut], Cut) {
        let cuts = match self.logic.gate(line) {
            Some(gate) if self.logic.segments[gate] == self.logic.segments[reader] => {
                self.cuts[gate].as_slice()
            }
            _ => &[],
        };
        (cuts, Cut::of_line(line))
    }

    /// Counts the uses of each gate if the chosen cuts are taken, from the answers down.
    fn count_uses(&mut self) {
        self.uses.fill(0);
        for gate in self.logic.roots().filter_map(|signal| self.logic.gate(signal.line())) {
            self.uses[gate] += 1;
        }
        for at in (0..self.cuts.len()).rev() {
            if self.uses[at] > 0 {
                for &line in self.cuts[at][0].leaves() {
                    if let Some(gate) = self.logic.gate(line) {
                        self.uses[gate] += 1;
                    }
                }
            }
        }
    }

    /// For each gate in turn takes the cut that needs the fewest instructions beside those that are
    /// needed anyway.
    fn choose_by_count<E>(&mut self, watch: Watch<'_, E>) -> Result<(), E> {
        for at in 0..self.cuts.len() {
            watch(self.cuts.len() * KEPT * size_of::<Cut>())?;
            if self.uses[at] == 0 || self.cuts[at].len() < 2 {
                continue;
            }
            self.release(at, 0);
            let added = |cover: &mut Self, cut| {
                let added = cover.take(at, cut);
                cover.release(at, cut);
                added
            };
            let costs: Vec<u32> = (0..self.cuts[at].len()).map(|cut| added(self, cut)).collect();
            let best = (0..costs.len()).min_by_key(|&cut| (costs[cut], cut)).unwrap_or(0);
            self.cuts[at].swap(0, best);
            self.take(at, 0);
        }
        Ok(())
    }

    /// Counts a cut of a gate as used; how many instructions that adds.
    fn take(&mut self, gate: usize, cut: usize) -> u32 {
        let mut added = 1;
        let mut open = vec![self.cuts[gate][cut]];
        while let Some(cut) = open.pop() {
            for &line in cut.leaves() {
                let Some(gate) = self.logic.gate(line) else { continue };
                self.uses[gate] += 1;
                if self.uses[gate] == 1 {
                    added += 1;
                    open.push(self.cuts[gate][0]);
                }
            }
        }
        added
    }

    /// Undoes [`take`](Cover::take).
    fn release(&mut self, gate: usize, cut: usize) {
        let mut open = vec![self.cuts[gate][cut]];
        while let Some(cut) = open.pop() {
            for &line in cut.leaves() {
                let Some(gate) = self.logic.gate(line) else { continue };
                self.uses[gate] -= 1;
                if self.uses[gate] == 0 {
                    open.push(self.cuts[gate][0]);
                }
            }
        }
    }

    /// The chosen cuts as instructions. A value may be kept negated: its readers' functions take
    /// that into account.
    fn cells(&self) -> Vec<Cell> {
        let mut kept_negated = vec![false; self.cuts.len()];
        let mut cells = Vec::new();
        for (at, cuts) in self.cuts.iter().enumerate() {
            if self.uses[at] == 0 {
                continue;
            }
            let cut = &cuts[0];
            let opposite = |&line: &u32| self.logic.gate(line).is_some_and(|g| kept_negated[g]);
            let mut flips = [false; 3];
            for (flip, line) in flips.iter_mut().zip(cut.leaves()) {
                *flip = opposite(line);
            }
            let (function, order, negated) = Function(cut.table).flipped(flips).normal();
            kept_negated[at] = negated;
            let lines = order.map(|from| cut.leaves[from]);
            cells.push(Cell { gate: at as u32, negated, function, lines });
        }
        cells
    }
}

/// The AND of two cuts, if it has few enough leaves.
fn join(left: &Cut, left_negated: bool, right: &Cut, right_negated: bool) -> Option<Cut> {
    let (mut leaves, mut count) = ([0; 3], 0);
    let (mut l, mut r) = (left.leaves(), right.leaves());
    loop {
        let next = match (l.first(), r.first()) {
            (Some(&a), Some(&b)) => a.min(b),
            (Some(&a), None) | (None, Some(&a)) => a,
            (None, None) => break,
        };
        l = l.strip_prefix(&[next]).unwrap_or(l);
        r = r.strip_prefix(&[next]).unwrap_or(r);
        *leaves.get_mut(count)? = next;
        count += 1;
    }
    let table = |cut: &Cut, negated: bool| {
        let table = widened(cut, &leaves[..count]);
        if negated { !table } else { table }
    };
    let table = table(left, left_negated) & table(right, right_negated);
    Some(Cut { leaves, count: count as u8, table, cost: 0.0 })
}

/// A cut's table over more leaves.
fn widened(cut: &Cut, leaves: &[u32]) -> u8 {
    if cut.leaves() == leaves {
        return cut.table;
    }
    // The table of each of the cut's inputs, over the new leaves.
    let input = |place: usize| {
        let line = cut.leaves().get(place)?;
        leaves.iter().position(|leaf| leaf == line).map(|at| [A, B, C][at])
    };
    let inputs = [input(0), input(1), input(2)];
    let mut table = 0;
    for row in 0..8 {
        let holds = |place: usize| inputs[place].is_some_and(|t| t >> row & 1 == 1);
        if Function(cut.table).value(holds(0), holds(1), holds(2)) {
            table |= 1 << row;
        }
    }
    table
}
