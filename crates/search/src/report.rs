//! What a search found out, as data.

use gamegrove_game::{Move, Role};

use crate::core::Core;
use crate::device::DeviceReport;
use crate::tree::Shape;

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
    /// The values a tuner would recommend to the role now, if parameters are tuned.
    pub tuned: Option<String>,
    /// What the device did that answers for the game, if there is one, since the root was set.
    pub device: Option<DeviceReport>,
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
    /// The moves expected to follow, beginning with this one: the most visited everywhere. Only
    /// those of roles that have a choice.
    pub line: Vec<Vec<(Role, Move)>>,
}

/// What a search found out; its nodes have states that take so many `bytes`.
pub(crate) fn report(core: &Core, role: Role, bytes: usize) -> Report {
    let mut moves = Vec::new();
    if let Some(root) = core.run.root {
        let statistics = core.tree.statistics(root, role);
        for (place, (&mov, statistic)) in
            core.tree.moves(root, role).iter().zip(statistics).enumerate()
        {
            moves.push(MoveReport {
                mov,
                visits: statistic.visits,
                mean: (statistic.visits > 0).then(|| statistic.sum / f64::from(statistic.visits)),
                half_width: core.run.root_samples.half_width(role, place),
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
        tuned: core.learned.tuner.as_ref().and_then(|tuner| tuner.recommended(role)),
        device: core.run.counts.device.map(|(before, now)| {
            let used = now - before;
            DeviceReport { used, time: core.settings.device.time_of(used) }
        }),
    }
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
