//! The solver: bounds on what positions are worth, proved while the search goes on.
//!
//! For one role, or two whose goals add up to 100. Every node has a pessimistic and an optimistic
//! bound of the first role's score; ends have both equal, and bounds move up the paths of
//! simulations. Where one role chooses this is score-bounded Monte-Carlo tree search; where both do,
//! the bounds are values of matrix games, and moves that can be no better than a mixture of others
//! are pruned (cadiaplayer, section 8). A game whose ends do not add up to 100 switches it off.

mod matrix;

use gamegrove_game::{Rng, Role};
use rustc_hash::FxHashMap;

use self::matrix::{Matrix, TOLERANCE, is_dominated};
use crate::core::Hook;
use crate::simulation::Simulation;
use crate::tree::{Moved, NodeId, Tree};

/// What is done with positions that are solved (cadiaplayer, section 8.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// They may be chosen; a simulation ends there with the proved value.
    Select,
    /// They are avoided while anything else is left to prove.
    Explore,
}

/// Proved bounds of the first role's score, from 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// It gets at least this.
    pub low: f64,
    /// It gets at most this.
    pub high: f64,
}

impl Bounds {
    const UNKNOWN: Bounds = Bounds { low: 0.0, high: 100.0 };

    /// Whether nothing is left to find out.
    pub fn is_exact(self) -> bool {
        self.high - self.low <= TOLERANCE
    }

    fn is_unknown(self) -> bool {
        self == Bounds::UNKNOWN
    }

    /// The same from the view of a role.
    fn of(self, role: Role) -> Bounds {
        match role.0 {
            0 => self,
            _ => Bounds { low: 100.0 - self.high, high: 100.0 - self.low },
        }
    }
}

/// Bounds of all nodes.
#[derive(Clone, Debug)]
pub(crate) struct Solver {
    mode: Mode,
    /// By node; missing ones are unknown.
    bounds: Vec<Bounds>,
    /// By node, whether something is known of a successor; of most nothing is, and then there is
    /// nothing to look for. A successor that was proved on another way is found when a simulation
    /// next goes there.
    known_below: Vec<bool>,
    /// Moves of both roles that are dominated, in nodes in which both choose.
    pruned: FxHashMap<NodeId, [Vec<bool>; 2]>,
    /// An end whose goals do not add up was met: nothing can be proved this way.
    off: bool,
}

impl Solver {
    pub(crate) fn new(mode: Mode) -> Solver {
        Solver {
            mode,
            bounds: Vec::new(),
            known_below: Vec::new(),
            pruned: FxHashMap::default(),
            off: false,
        }
    }

    pub(crate) fn bounds(&self, id: NodeId) -> Bounds {
        self.bounds.get(id.index()).copied().unwrap_or(Bounds::UNKNOWN)
    }

    /// The proved scores of all roles in a node, if they are known.
    pub(crate) fn scores(&self, id: NodeId, roles: usize) -> Option<impl Iterator<Item = f64>> {
        let bounds = self.bounds(id);
        let both = [bounds.low, 100.0 - bounds.low];
        bounds.is_exact().then(|| both.into_iter().take(roles))
    }

    fn set(&mut self, id: NodeId, bounds: Bounds) {
        if self.bounds.len() <= id.index() {
            self.bounds.resize(id.index() + 1, Bounds::UNKNOWN);
        }
        // What was proved stays proved, also when successors were dropped since.
        let known = &mut self.bounds[id.index()];
        known.low = known.low.max(bounds.low);
        known.high = known.high.min(bounds.high).max(known.low);
    }

    /// Carries what is known of the last node of a simulation up its path.
    fn update(&mut self, tree: &Tree, path: &[NodeId], leaf: Option<NodeId>) {
        if self.off {
            return;
        }
        if let Some(leaf) = leaf
            && let Some(goals) = tree.goals(leaf)
        {
            let sum: f64 = goals.iter().map(|goal| f64::from(goal.0)).sum();
            if goals.len() > 2 || (goals.len() == 2 && (sum - 100.0).abs() > TOLERANCE) {
                *self = Solver { off: true, ..Solver::new(self.mode) };
                return;
            }
            let score = f64::from(goals[0].0);
            self.set(leaf, Bounds { low: score, high: score });
        }
        // A simulation that stopped beyond the tree says nothing about its last node.
        let mut below = leaf;
        for &at in path.iter().rev() {
            match below {
                Some(below) if !self.bounds(below).is_unknown() => self.refresh(tree, at),
                _ => return,
            }
            below = Some(at);
        }
    }

    fn note_known_below(&mut self, id: NodeId) {
        if self.known_below.len() <= id.index() {
            self.known_below.resize(id.index() + 1, false);
        }
        self.known_below[id.index()] = true;
    }

    /// Works out the bounds of a node anew from its successors'.
    fn refresh(&mut self, tree: &Tree, id: NodeId) {
        if self.bounds(id).is_exact() {
            return;
        }
        self.note_known_below(id);
        let (rows, columns) = counts(tree, id);
        let bounds = if rows == 1 || columns == 1 {
            let mut found = Bounds { low: f64::NAN, high: f64::NAN };
            for place in 0..rows.max(columns) {
                let below = self.below(tree, id, place % rows, place % columns);
                // f64::max and min take the other number where one is none.
                found = if columns == 1 {
                    Bounds { low: found.low.max(below.low), high: found.high.max(below.high) }
                } else {
                    Bounds { low: found.low.min(below.low), high: found.high.min(below.high) }
                };
            }
            found
        } else {
            match self.solve_matrix(tree, id, rows, columns) {
                Some(bounds) => bounds,
                None => return,
            }
        };
        self.set(id, bounds);
    }

    /// The bounds of the successor by a joint move.
    fn below(&self, tree: &Tree, id: NodeId, row: usize, column: usize) -> Bounds {
        let choice = [row as u32, column as u32];
        let roles = tree.node(id).ends.len();
        tree.child(id, &choice[..roles]).map_or(Bounds::UNKNOWN, |child| self.bounds(child))
    }

    /// The bounds of a node in which both roles choose, and the moves pruned there.
    fn solve_matrix(
        &mut self,
        tree: &Tree,
        id: NodeId,
        rows: usize,
        columns: usize,
    ) -> Option<Bounds> {
        let cells: Vec<Bounds> = (0..rows * columns)
            .map(|at| self.below(tree, id, at / columns, at % columns))
            .collect();
        // With fewer cells known than that, neither bound can have moved.
        if cells.iter().filter(|cell| !cell.is_unknown()).count() < rows.min(columns) {
            return None;
        }
        let fresh = || [vec![false; rows], vec![false; columns]];
        let mut pruned = self.pruned.remove(&id).unwrap_or_else(fresh);
        prune(&cells, columns, &mut pruned);
        let live = |of: &[bool]| (0..of.len()).filter(|&at| !of[at]).collect::<Vec<_>>();
        let (live_rows, live_columns) = (live(&pruned[0]), live(&pruned[1]));
        let part = |of: fn(&Bounds) -> f64| {
            Matrix::new(live_rows.len(), live_columns.len(), |row, column| {
                of(&cells[live_rows[row] * columns + live_columns[column]])
            })
        };
        let (low, _) = part(|cell| cell.low).solve();
        let (high, _) = part(|cell| cell.high).solve();
        self.pruned.insert(id, pruned);
        Some(Bounds { low, high })
    }

    /// Writes the places of the moves a role should still consider; `false` if that is all of them.
    pub(crate) fn open_moves(
        &self,
        tree: &Tree,
        id: NodeId,
        role: Role,
        open: &mut Vec<u32>,
    ) -> bool {
        let (rows, columns) = counts(tree, id);
        let count = tree.node(id).move_count(role);
        open.clear();
        if count == 1 {
            return false;
        }
        if rows > 1 && columns > 1 {
            let Some(pruned) = self.pruned.get(&id) else { return false };
            open.extend((0..count as u32).filter(|&at| !pruned[role.index()][at as usize]));
        } else {
            if !self.known_below.get(id.index()).is_some_and(|&known| known) {
                return false;
            }
            let actions = tree.statistics(id, role);
            let of = |at: usize| match actions[at].child() {
                Some(child) => self.bounds(child).of(role),
                None => Bounds::UNKNOWN,
            };
            let (best, low) = (0..count)
                .map(|at| (at, of(at).low))
                .fold((0, -1.0), |best, each| if each.1 > best.1 { each } else { best });
            let is_open = |&at: &usize| {
                let here = of(at);
                let better = at == best || here.high > low + TOLERANCE;
                better && (self.mode == Mode::Select || !here.is_exact())
            };
            open.extend((0..count).filter(is_open).map(|at| at as u32));
        }
        !open.is_empty() && open.len() < count
    }

    /// Where both roles choose, neither alone can avoid solved positions: a joint move that leads to
    /// an open one, instead of `choice` that does not. `None` if `choice` is as good as any.
    pub(crate) fn redirect(
        &self,
        tree: &Tree,
        id: NodeId,
        choice: &[u32],
        rng: &mut Rng,
    ) -> Option<[u32; 2]> {
        let (rows, columns) = counts(tree, id);
        if self.mode != Mode::Explore || rows == 1 || columns == 1 {
            return None;
        }
        let is_solved = |row: usize, column: usize| self.below(tree, id, row, column).is_exact();
        if !is_solved(choice[0] as usize, choice[1] as usize) {
            return None;
        }
        let pruned = self.pruned.get(&id);
        let is_live = |role: usize, place: usize| pruned.is_none_or(|pruned| !pruned[role][place]);
        let open: Vec<[u32; 2]> = (0..rows * columns)
            .map(|at| (at / columns, at % columns))
            .filter(|&(row, column)| {
                is_live(0, row) && is_live(1, column) && !is_solved(row, column)
            })
            .map(|(row, column)| [row as u32, column as u32])
            .collect();
        rng.pick(&open)
    }

    /// The place of a move that is proved to be best for a role in a node: a pure one, or one drawn
    /// from the best mixture where both roles choose. `None` if the node is not solved.
    pub(crate) fn proved_move(
        &self,
        tree: &Tree,
        id: NodeId,
        role: Role,
        rng: &mut Rng,
    ) -> Option<usize> {
        let bounds = self.bounds(id);
        if !bounds.is_exact() {
            return None;
        }
        let (rows, columns) = counts(tree, id);
        let count = tree.node(id).move_count(role);
        if rows == 1 || columns == 1 {
            let worth = bounds.of(role).low;
            let below = |place: usize| self.below(tree, id, place % rows, place % columns).of(role);
            let good: Vec<usize> =
                (0..count).filter(|&place| below(place).low >= worth - TOLERANCE).collect();
            return rng.pick(&good);
        }
        let cell = |row: usize, column: usize| self.below(tree, id, row, column).low;
        let matrix = Matrix::new(rows, columns, cell);
        let (_, strategy) = if role.0 == 0 { matrix.solve() } else { matrix.exchanged().solve() };
        let mut rest = rng.unit();
        let drawn = strategy.iter().position(|&share| {
            rest -= share;
            rest < 0.0
        });
        drawn.or_else(|| strategy.iter().rposition(|&share| share > 0.0))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bounds.capacity() * size_of::<Bounds>()
            + self.known_below.capacity()
            + self.pruned.values().map(|[a, b]| 64 + a.len() + b.len()).sum::<usize>()
    }
}

impl Hook for Solver {
    fn backed_up(&mut self, tree: &mut Tree, simulation: &Simulation) {
        self.update(tree, &simulation.path, simulation.leaf);
    }

    fn nodes_moved(&mut self, moved: &Moved, _: usize) {
        let old = std::mem::take(&mut self.bounds);
        for (at, bounds) in old.into_iter().enumerate() {
            if !bounds.is_unknown()
                && let Some(to) = moved.get(NodeId(at as u32))
            {
                self.set(to, bounds);
            }
        }
        let old = std::mem::take(&mut self.known_below);
        for (at, _) in old.into_iter().enumerate().filter(|&(_, known)| known) {
            if let Some(to) = moved.get(NodeId(at as u32)) {
                self.note_known_below(to);
            }
        }
        let old = std::mem::take(&mut self.pruned);
        self.pruned =
            old.into_iter().filter_map(|(id, pruned)| Some((moved.get(id)?, pruned))).collect();
    }
}

/// How many moves the first role has in a node, and the second; 1 if there is no second.
fn counts(tree: &Tree, id: NodeId) -> (usize, usize) {
    let node = tree.node(id);
    let second = if node.ends.len() > 1 { node.move_count(Role(1)) } else { 1 };
    (node.move_count(Role(0)), second)
}

/// Prunes dominated rows and columns, one at a time, until there is none.
fn prune(cells: &[Bounds], columns: usize, pruned: &mut [Vec<bool>; 2]) {
    loop {
        let row = (0..pruned[0].len()).find(|&row| {
            let low = |r: usize, c: usize| cells[r * columns + c].low;
            let high = |r: usize, c: usize| cells[r * columns + c].high;
            is_prunable(row, &pruned[0], &pruned[1], low, high)
        });
        if let Some(row) = row {
            pruned[0][row] = true;
        }
        let column = (0..pruned[1].len()).find(|&column| {
            // From the second role's view: its worst is what the first gets at most.
            let low = |c: usize, r: usize| 100.0 - cells[r * columns + c].high;
            let high = |c: usize, r: usize| 100.0 - cells[r * columns + c].low;
            is_prunable(column, &pruned[1], &pruned[0], low, high)
        });
        if let Some(column) = column {
            pruned[1][column] = true;
        }
        if row.is_none() && column.is_none() {
            return;
        }
    }
}

/// Whether a mixture of the other live moves guarantees at least what `mov` can hope for.
fn is_prunable(
    mov: usize,
    own: &[bool],
    other: &[bool],
    low: impl Fn(usize, usize) -> f64,
    high: impl Fn(usize, usize) -> f64,
) -> bool {
    if own[mov] {
        return false;
    }
    let live: Vec<usize> = (0..other.len()).filter(|&at| !other[at]).collect();
    let best: Vec<f64> = live.iter().map(|&at| high(mov, at)).collect();
    let others: Vec<Vec<f64>> = (0..own.len())
        .filter(|&at| at != mov && !own[at])
        .map(|at| live.iter().map(|&column| low(at, column)).collect())
        .collect();
    is_dominated(&best, &others)
}
