//! The different states that play can reach.

use std::collections::HashSet;

use super::Joints;
use crate::{Fault, Game};

/// The different states at one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Joint moves from the start.
    pub depth: u32,
    /// States that no shorter way leads to.
    pub new: u64,
    /// How many of them are terminal.
    pub terminals: u64,
}

/// The different states that play can reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distinct {
    /// By depth, from 0.
    pub levels: Vec<Level>,
    /// Whether the walk stopped because there were more states than it may keep.
    pub limited: bool,
}

impl Distinct {
    /// How many states were found.
    pub fn states(&self) -> u64 {
        self.levels.iter().map(|level| level.new).sum()
    }

    /// How many of them are terminal.
    pub fn terminals(&self) -> u64 {
        self.levels.iter().map(|level| level.terminals).sum()
    }
}

/// Finds the different states within `depth` joint moves of the start, up to `limit` of them. `heard` is
/// told now and then the depth and how many states were found.
pub fn distinct<G: Game>(
    game: &mut G,
    depth: u32,
    limit: u64,
    heard: &mut dyn FnMut(u32, u64),
) -> Result<Distinct, Fault> {
    let start = game.initial_state();
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start.clone()];
    let (mut child, mut joints) = (start, Joints::default());
    let mut found = Distinct { levels: Vec::new(), limited: false };
    for depth_now in 0..=depth {
        let mut level = Level { depth: depth_now, new: open.len() as u64, terminals: 0 };
        let mut next = Vec::new();
        for (index, state) in open.iter().enumerate() {
            if index % 1024 == 0 {
                heard(depth_now, seen.len() as u64);
            }
            let terminal = game.is_terminal(state);
            level.terminals += u64::from(terminal);
            if !terminal && !found.limited && depth_now < depth && joints.load(game, state) {
                while joints.step() {
                    game.apply(state, &joints.joint, &mut child);
                    if seen.contains(&child) {
                        continue;
                    }
                    if seen.len() as u64 >= limit {
                        found.limited = true;
                        break;
                    }
                    seen.insert(child.clone());
                    next.push(child.clone());
                }
            }
            game.take_fault().map_or(Ok(()), Err)?;
        }
        if level.new > 0 {
            found.levels.push(level);
        }
        if next.is_empty() {
            break;
        }
        open = next;
    }
    Ok(found)
}
