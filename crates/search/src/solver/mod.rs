//! The solver: bounds on what positions are worth, proved while the search goes on.
//!
//! Every node has a pessimistic and an optimistic bound of what a role gets; ends have both equal, and
//! bounds move up the paths of simulations.
//!
//! With one role, or two whose goals add up to 100, the bounds of the first role say all. Where one
//! role chooses this is score-bounded Monte-Carlo tree search; where both do, the bounds are values of
//! matrix games, and moves that can be no better than a mixture of others are pruned
//! [Finnsson 2012, 6.3 to 6.5].
//!
//! In all other games each role has bounds of its own ([`free`]; source: Gamegrove): what it can be
//! sure of whatever the others do, and what it can get at most. The first end whose goals do not add up
//! to 100 makes a game of two roles one of these.

mod free;
mod matrix;

use gamegrove_game::{Rng, Role};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use self::matrix::{Matrix, TOLERANCE, is_dominated};
use crate::core::Hook;
use crate::simulation::Simulation;
use crate::tree::{Moved, NodeId, Statistic, Tree};

/// What is done with positions that are solved [Finnsson 2012, 6.4].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// They may be chosen; a simulation ends there with the proved value.
    Select,
    /// They are avoided while anything else is left to prove.
    Explore,
}

/// Proved bounds of a role's score, from 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// It gets at least this.
    pub low: f64,
    /// It gets at most this.
    pub high: f64,
}

/// Bounds of all moves of a role in a node.
type MoveBounds = SmallVec<[Bounds; 8]>;

impl Bounds {
    pub(crate) const UNKNOWN: Bounds = Bounds { low: 0.0, high: 100.0 };

    /// Whether nothing is left to find out.
    pub fn is_exact(self) -> bool {
        self.high - self.low <= TOLERANCE
    }

    /// The intersection of two bounds of the same score.
    pub(crate) fn and(self, other: Bounds) -> Bounds {
        let low = self.low.max(other.low);
        Bounds { low, high: self.high.min(other.high).max(low) }
    }

    /// Whether nothing is known.
    pub fn is_unknown(self) -> bool {
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

/// Whose bounds are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// Those of the first role: what one of two gets the other lacks.
    First,
    /// Those of each of so many roles.
    Each(usize),
}

/// Bounds of all nodes.
#[derive(Clone, Debug)]
pub(crate) struct Solver {
    mode: Mode,
    kept: Kept,
    roles: usize,
    /// By node, and by role if each has its own; missing ones are unknown.
    bounds: Vec<Bounds>,
    /// By node that is solved: the steps to the end along the proof, as far as it was found.
    steps_left: Vec<u16>,
    /// By node, whether something is known of a successor; of most nothing is, and then there is
    /// nothing to look for. A successor that was proved on another way is found when a simulation
    /// next goes there.
    known_below: Vec<bool>,
    /// Moves of both roles that are dominated, in nodes in which both choose.
    pruned: FxHashMap<NodeId, [Vec<bool>; 2]>,
}

impl Solver {
    pub(crate) fn new(mode: Mode, roles: usize) -> Solver {
        Solver {
            mode,
            kept: if roles > 2 { Kept::Each(roles) } else { Kept::First },
            roles,
            bounds: Vec::new(),
            steps_left: Vec::new(),
            known_below: Vec::new(),
            pruned: FxHashMap::default(),
        }
    }

    /// The proved bounds of a role's score.
    pub(crate) fn bounds(&self, id: NodeId, role: Role) -> Bounds {
        let at = |place: usize| self.bounds.get(place).copied().unwrap_or(Bounds::UNKNOWN);
        match self.kept {
            Kept::First => at(id.index()).of(role),
            Kept::Each(roles) => at(id.index() * roles + role.index()),
        }
    }

    /// Whether the scores of all roles are proved.
    pub(crate) fn is_solved(&self, id: NodeId) -> bool {
        match self.kept {
            Kept::First => self.bounds(id, Role(0)).is_exact(),
            Kept::Each(roles) => Role::all(roles).all(|role| self.bounds(id, role).is_exact()),
        }
    }

    /// Whether anything is proved.
    fn is_known(&self, id: NodeId) -> bool {
        match self.kept {
            Kept::First => !self.bounds(id, Role(0)).is_unknown(),
            Kept::Each(roles) => Role::all(roles).any(|role| !self.bounds(id, role).is_unknown()),
        }
    }

    /// How many nodes there are of which anything is proved.
    pub(crate) fn known_nodes(&self) -> usize {
        let stride = match self.kept {
            Kept::First => 1,
            Kept::Each(roles) => roles,
        };
        let known = |bounds: &[Bounds]| bounds.iter().any(|bounds| !bounds.is_unknown());
        self.bounds.chunks(stride).filter(|bounds| known(bounds)).count()
    }

    /// The proved scores of all roles in a node, if they are known.
    pub(crate) fn scores(&self, id: NodeId) -> Option<impl Iterator<Item = f64> + '_> {
        let low = move |role| self.bounds(id, role).low;
        self.is_solved(id).then(|| Role::all(self.roles).map(low))
    }

    fn set(&mut self, id: NodeId, role: Role, bounds: Bounds) {
        let at = match self.kept {
            Kept::First => id.index(),
            Kept::Each(roles) => id.index() * roles + role.index(),
        };
        if self.bounds.len() <= at {
            self.bounds.resize(at + 1, Bounds::UNKNOWN);
        }
        // What was proved stays proved, also when successors were dropped since.
        self.bounds[at] = self.bounds[at].and(bounds);
    }

    /// Notes how many steps a solved node is from the end.
    fn set_steps_left(&mut self, id: NodeId, steps: u16) {
        if self.steps_left.len() <= id.index() {
            self.steps_left.resize(id.index() + 1, 0);
        }
        self.steps_left[id.index()] = steps;
    }

    fn steps_left(&self, id: NodeId) -> u16 {
        self.steps_left.get(id.index()).copied().unwrap_or(0)
    }

    /// Carries what is known of the last node of a simulation up its path.
    fn update(&mut self, tree: &Tree, path: &[NodeId], leaf: Option<NodeId>) {
        if let Some(leaf) = leaf
            && let Some(goals) = tree.goals(leaf)
        {
            let sum: f64 = goals.iter().map(|goal| f64::from(goal.0)).sum();
            if self.kept == Kept::First && goals.len() == 2 && (sum - 100.0).abs() > TOLERANCE {
                let kept = Kept::Each(self.roles);
                *self = Solver { kept, ..Solver::new(self.mode, self.roles) };
            }
            let kept = if self.kept == Kept::First { 1 } else { self.roles };
            for (role, goal) in Role::all(kept).zip(goals) {
                let score = f64::from(goal.0);
                self.set(leaf, role, Bounds { low: score, high: score });
            }
        }
        // A simulation that stopped beyond the tree says nothing about its last node.
        let mut below = leaf;
        for &at in path.iter().rev() {
            match below {
                Some(below) if self.is_known(below) => self.refresh(tree, at),
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
        if self.is_solved(id) {
            return;
        }
        self.note_known_below(id);
        if self.kept != Kept::First {
            self.refresh_each(tree, id);
        } else {
            self.refresh_first(tree, id);
        }
        if self.is_solved(id) {
            let steps = self.count_steps(tree, id);
            self.set_steps_left(id, steps);
        }
    }

    /// How many steps a node that has just been solved is from the end. A role that can reach more than
    /// half of the points takes the shortest way to them, any other resists as long as it can.
    fn count_steps(&self, tree: &Tree, id: NodeId) -> u16 {
        let Some(role) = only_chooser(tree, id, self.roles) else {
            let steps = tree.children(id).into_iter().map(|(_, child)| self.steps_left(child));
            return steps.max().unwrap_or(0).saturating_add(1);
        };
        let worth = self.bounds(id, role).low;
        let steps = (0..tree.node(id).move_count(role))
            .filter_map(|place| self.after(tree, id, role, place))
            .filter(|&child| self.is_solved(child))
            .filter(|&child| (self.bounds(child, role).low - worth).abs() <= TOLERANCE)
            .map(|child| self.steps_left(child).saturating_add(1));
        let found = if worth > 50.0 { steps.min() } else { steps.max() };
        found.unwrap_or(1)
    }

    /// The successor by a move of the only role that chooses.
    fn after(&self, tree: &Tree, id: NodeId, role: Role, place: usize) -> Option<NodeId> {
        let mut choice: SmallVec<[u32; 8]> = SmallVec::from_elem(0, self.roles);
        choice[role.index()] = place as u32;
        tree.child(id, &choice)
    }

    fn refresh_first(&mut self, tree: &Tree, id: NodeId) {
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
        self.set(id, Role(0), bounds);
    }

    /// The bounds of the successor by a joint move.
    fn below(&self, tree: &Tree, id: NodeId, row: usize, column: usize) -> Bounds {
        let choice = [row as u32, column as u32];
        let roles = tree.node(id).ends.len();
        tree.child(id, &choice[..roles])
            .map_or(Bounds::UNKNOWN, |child| self.bounds(child, Role(0)))
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
        let count = tree.node(id).move_count(role);
        open.clear();
        if count == 1 {
            return false;
        }
        if self.kept == Kept::First && only_chooser(tree, id, self.roles).is_none() {
            let Some(pruned) = self.pruned.get(&id) else { return false };
            open.extend((0..count as u32).filter(|&at| !pruned[role.index()][at as usize]));
        } else {
            if !self.known_below.get(id.index()).is_some_and(|&known| known) {
                return false;
            }
            let of = self.move_bounds(tree, id, role);
            let (best, low) = of
                .iter()
                .enumerate()
                .map(|(at, bounds)| (at, bounds.low))
                .fold((0, -1.0), |best, each| if each.1 > best.1 { each } else { best });
            let is_open = |&at: &usize| {
                let better = at == best || of[at].high > low + TOLERANCE;
                better && (self.mode == Mode::Select || !of[at].is_exact())
            };
            open.extend((0..count).filter(is_open).map(|at| at as u32));
        }
        !open.is_empty() && open.len() < count
    }

    /// The proved bounds of each move of a role in a node. Where others choose too, a move is sure of
    /// what its worst answer leaves and can hope for what its best answer gives.
    pub(crate) fn move_bounds(&self, tree: &Tree, id: NodeId, role: Role) -> MoveBounds {
        let count = tree.node(id).move_count(role);
        let chooser = only_chooser(tree, id, self.roles);
        if chooser == Some(role) {
            // No other role chooses, so the action itself knows where it leads.
            let children = tree.statistics(id, role).iter().map(Statistic::child);
            let of = |child| self.bounds(child, role);
            return children.map(|child| child.map_or(Bounds::UNKNOWN, of)).collect();
        }
        if chooser.is_some() {
            return SmallVec::from_elem(self.bounds(id, role), count);
        }
        self.rows(tree, id, role)
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
        if self.mode != Mode::Explore || self.kept != Kept::First {
            return None;
        }
        let (rows, columns) = counts(tree, id);
        if rows == 1 || columns == 1 {
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
    /// from the best mixture where both of two opposed roles choose. `None` if what the role gets is not
    /// proved.
    ///
    /// Several moves may be proved equal. If they get the role more than half of the points, one that ends
    /// play soonest is taken. If they get it less, one that resists longest is taken, by `lost_after` where
    /// that is known of a move and by its proof otherwise. Of equal ones the most visited is taken, because
    /// the opponent need not know the proof.
    pub(crate) fn proved_move(
        &self,
        tree: &Tree,
        id: NodeId,
        role: Role,
        lost_after: &[Option<u16>],
        rng: &mut Rng,
    ) -> Option<usize> {
        let bounds = self.bounds(id, role);
        if !bounds.is_exact() {
            return None;
        }
        let count = tree.node(id).move_count(role);
        let chooser = only_chooser(tree, id, self.roles);
        if count == 1 {
            return Some(0);
        }
        if chooser.is_none() && self.kept == Kept::First {
            return self.draw_from_mixture(tree, id, role, rng);
        }
        let of = self.move_bounds(tree, id, role);
        let statistics = tree.statistics(id, role);
        let rank = |place: usize| {
            let steps = match chooser {
                Some(_) => self.after(tree, id, role, place).map_or(0, |at| self.steps_left(at)),
                None => 0,
            };
            let seen_to_lose = lost_after.get(place).copied().flatten();
            let steps = i32::from(seen_to_lose.unwrap_or(steps));
            let steps = match bounds.low {
                low if low > 50.0 => -steps,
                low if low < 50.0 => steps,
                _ => 0,
            };
            (seen_to_lose.is_none(), steps, statistics[place].visits)
        };
        let good = (0..count).filter(|&place| of[place].low >= bounds.low - TOLERANCE);
        let good: Vec<usize> = good.collect();
        let top = good.iter().map(|&place| rank(place)).max()?;
        let tops: Vec<usize> = good.into_iter().filter(|&place| rank(place) == top).collect();
        rng.pick(&tops)
    }

    /// A move drawn from the best mixture of a role in a solved node in which both roles choose.
    fn draw_from_mixture(
        &self,
        tree: &Tree,
        id: NodeId,
        role: Role,
        rng: &mut Rng,
    ) -> Option<usize> {
        let (rows, columns) = counts(tree, id);
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
            + self.steps_left.capacity() * size_of::<u16>()
            + self.pruned.values().map(|[a, b]| 64 + a.len() + b.len()).sum::<usize>()
    }
}

impl Hook for Solver {
    fn backed_up(&mut self, tree: &mut Tree, simulation: &Simulation) {
        self.update(tree, &simulation.path, simulation.leaf);
    }

    fn nodes_moved(&mut self, moved: &Moved, _: usize) {
        let stride = if self.kept == Kept::First { 1 } else { self.roles };
        let old = std::mem::take(&mut self.bounds);
        for (at, bounds) in old.into_iter().enumerate() {
            if !bounds.is_unknown()
                && let Some(to) = moved.get(NodeId((at / stride) as u32))
            {
                self.set(to, Role((at % stride) as u8), bounds);
            }
        }
        let old = std::mem::take(&mut self.steps_left);
        for (at, steps) in old.into_iter().enumerate().filter(|&(_, steps)| steps > 0) {
            if let Some(to) = moved.get(NodeId(at as u32)) {
                self.set_steps_left(to, steps);
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

/// The only role that has a choice in a node; `None` if several have, and the first if none has.
fn only_chooser(tree: &Tree, id: NodeId, roles: usize) -> Option<Role> {
    let node = tree.node(id);
    let mut choosers = Role::all(roles).filter(|&role| node.move_count(role) > 1);
    match (choosers.next(), choosers.next()) {
        (None, _) => Some(Role(0)),
        (only, None) => only,
        _ => None,
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
