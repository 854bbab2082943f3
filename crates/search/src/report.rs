//! What a search found out, as data.

use gamegrove_game::{Account, Move, Role};

use crate::budget::Stop;
use crate::core::Core;
use crate::endgame::Answer;
use crate::solver::{Bounds, Solver};
use crate::tree::{MoveMap, Shape};

/// What a search found out for one role.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The role's moves at the root, best first by visits.
    pub moves: Vec<MoveReport>,
    /// Simulations since the root was set.
    pub simulations: u64,
    /// Joint moves in these simulations.
    pub steps: u64,
    /// Nodes in the tree.
    pub nodes: usize,
    /// Nodes dropped because memory was used up.
    pub dropped: u64,
    /// Simulations that met a node on a new path.
    pub merged: u64,
    /// The most choices a simulation made within the tree.
    pub depth: usize,
    /// Memory of tree and statistics, in bytes.
    pub bytes: usize,
    /// How deep and wide the tree below the root is; of open-loop trees nothing is said.
    pub shape: Shape,
    /// Proved bounds of the role's score at the root; `None` if nothing looks for proofs.
    pub proved: Option<Bounds>,
    /// Nodes about which the solver has proved anything.
    pub solver_nodes: usize,
    /// The values a tuner would recommend to the role now, if parameters are tuned.
    pub tuned: Option<String>,
    /// What the game did since the root was set, if it keeps an account.
    pub account: Option<Account>,
    /// Why the search ended, where a player tells of its last one.
    pub stop: Option<Stop>,
}

/// What a search found out about one move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReport {
    /// The move.
    pub mov: Move,
    /// Simulations that began with it, those of earlier searches included.
    pub visits: u32,
    /// Their mean goal, from 0 to 100; `None` if there were none.
    pub mean: Option<f64>,
    /// Half the width of the 95 % interval of the mean of this search's simulations.
    pub half_width: Option<f64>,
    /// Proved bounds of the role's score after this move; `None` if nothing is.
    pub bounds: Option<Bounds>,
    /// The moves expected to follow, beginning with this one: the most visited everywhere. Only
    /// those of roles that have a choice.
    pub line: Vec<Vec<(Role, Move)>>,
}

impl Report {
    /// Adds what a look at all that can follow found. It comes first: it is exact.
    pub(crate) fn add_answer(&mut self, answer: &Answer) {
        let bounds = answer.bounds();
        self.proved = Some(self.proved.map_or(bounds, |own| own.and(bounds)));
        for (mov, bounds) in &answer.moves {
            if let Some(found) = self.moves.iter_mut().find(|found| found.mov == *mov) {
                found.bounds = Some(*bounds);
            }
        }
        self.moves.sort_by_key(|found| found.mov != answer.mov);
    }

    /// Adds what another search of the same position has proved.
    pub(crate) fn add_proofs(&mut self, other: &Report) {
        let both = |one: Option<Bounds>, other: Option<Bounds>| match (one, other) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        };
        self.proved = both(self.proved, other.proved);
        self.solver_nodes += other.solver_nodes;
        for found in &mut self.moves {
            if let Some(same) = other.moves.iter().find(|same| same.mov == found.mov) {
                found.bounds = both(found.bounds, same.bounds);
            }
        }
    }
}

/// What a search found out; its nodes have states that take so many `bytes`.
pub(crate) fn report(core: &Core, role: Role, bytes: usize) -> Report {
    let mut moves = Vec::new();
    if let Some(root) = core.run.root {
        let statistics = core.tree.statistics(root, role);
        let bounds =
            core.learned.solver.as_ref().map(|solver| solver.move_bounds(&core.tree, root, role));
        for (place, (&mov, statistic)) in
            core.tree.moves(root, role).iter().zip(statistics).enumerate()
        {
            moves.push(MoveReport {
                mov,
                visits: statistic.visits,
                mean: (statistic.visits > 0).then(|| statistic.sum / f64::from(statistic.visits)),
                half_width: core.run.root_samples.half_width(role, place),
                bounds: bounds
                    .as_ref()
                    .map(|bounds| bounds[place])
                    .filter(|bounds| !bounds.is_unknown()),
                line: line(core, role, place),
            });
        }
    }
    moves.sort_by_key(|report| std::cmp::Reverse(report.visits));
    Report {
        moves,
        simulations: core.run.counts.simulations,
        steps: core.run.counts.steps,
        nodes: core.tree.len(),
        dropped: core.run.counts.dropped,
        merged: core.run.counts.merged,
        depth: core.run.counts.deepest,
        bytes: core.bytes() + bytes,
        shape: match core.run.root {
            Some(root) if !core.settings.open_loop => core.tree.shape(root),
            _ => Shape::default(),
        },
        proved: core.proved(role),
        solver_nodes: core.learned.solver.as_ref().map_or(0, Solver::known_nodes),
        tuned: core.learned.tuner.as_ref().and_then(|tuner| tuner.recommended(role)),
        account: None,
        stop: None,
    }
}

/// How many moves have statistics of all that was played below a node (AMAF), in the mean of all nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AmafEntries {
    /// Entries of all moves. GRAVE needs these.
    pub all: f64,
    /// Entries of moves that are legal in the node. RAVE needs no others [Sironi 2019, Table 5.8].
    pub legal: f64,
}

pub(crate) fn amaf_entries(core: &Core) -> Option<AmafEntries> {
    if !core.strategies.needs.amaf || core.tree.is_empty() {
        return None;
    }
    let (mut all, mut legal) = (0, 0);
    for id in core.tree.ids() {
        all += core.tree.count_amaf(id, None);
        if core.tree.node(id).is_terminal() {
            continue;
        }
        let keys: Vec<u32> = Role::all(core.run.roles)
            .flat_map(|role| core.tree.moves(id, role).iter().map(move |&mov| (mov, role)))
            .map(|(mov, role)| MoveMap::key(mov, role, core.run.roles))
            .collect();
        legal += core.tree.count_amaf(id, Some(&keys));
    }
    let nodes = core.tree.len() as f64;
    Some(AmafEntries { all: all as f64 / nodes, legal: legal as f64 / nodes })
}

/// The longest line worth showing.
const LINE: usize = 12;

/// The most visited joint moves that follow when `role` begins with the move at `place`.
fn line(core: &Core, role: Role, place: usize) -> Vec<Vec<(Role, Move)>> {
    let mut line = Vec::new();
    let mut at = core.run.root;
    while let Some(node) = at {
        let unseen = Role::all(core.run.roles).any(|each| core.tree.moves(node, each).is_empty());
        if line.len() == LINE || unseen {
            break;
        }
        let choice: Vec<u32> = Role::all(core.run.roles)
            .map(|each| match (line.is_empty(), each == role) {
                (true, true) => place as u32,
                _ => most_visited(core.tree.statistics(node, each)),
            })
            .collect();
        let visited = Role::all(core.run.roles)
            .all(|each| core.tree.statistics(node, each)[choice[each.index()] as usize].visits > 0);
        if !visited {
            break;
        }
        let chosen = Role::all(core.run.roles).filter_map(|each| {
            let moves = core.tree.moves(node, each);
            (moves.len() > 1).then(|| (each, moves[choice[each.index()] as usize]))
        });
        line.push(chosen.collect());
        at = if core.settings.open_loop {
            let joint = Role::all(core.run.roles)
                .map(|each| core.tree.moves(node, each)[choice[each.index()] as usize]);
            core.tree.open_child(node, &joint.collect::<Vec<_>>())
        } else {
            core.tree.child(node, &choice)
        };
    }
    line
}

fn most_visited(statistics: &[crate::tree::Statistic]) -> u32 {
    let best =
        statistics.iter().enumerate().max_by_key(|(at, s)| (s.visits, std::cmp::Reverse(*at)));
    best.map_or(0, |(at, _)| at as u32)
}
