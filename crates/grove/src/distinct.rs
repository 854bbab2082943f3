//! The different states that play can reach: `grove perft --distinct`.

use std::collections::HashSet;
use std::time::Instant;

use gamegrove_game::{Fault, Game};

use crate::joints::Joints;
use crate::progress::Progress;
use gamegrove_play::units::grouped;

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

/// Finds the different states within `depth` joint moves of the start, up to `limit` of them.
pub fn distinct<G: Game>(
    game: &mut G,
    depth: u32,
    limit: u64,
    since: Instant,
) -> Result<Distinct, Fault> {
    let mut progress = Progress::new(since);
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
                let states = grouped(seen.len() as u64);
                progress.show(0, 0, &format!("depth {depth_now}, {states} states"));
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

#[cfg(test)]
mod tests {
    use gamegrove_game::reachable_states;
    use gamegrove_gdl::{Prover, Rulesheet};

    use super::*;
    use gamegrove_play::library;

    fn rules(text: &str) -> Prover {
        let sheet = Rulesheet::load(text.as_bytes()).expect("a sound rulesheet");
        Prover::new(&sheet.program).expect("a playable game")
    }

    #[test]
    fn the_states_equal_those_of_the_plain_walk() {
        let mut game = rules(library::find("tic_tac_toe").expect("a shipped game").text);
        let found = distinct(&mut game, u32::MAX, 10_000, Instant::now()).expect("no limit");
        assert_eq!(reachable_states(&mut game, 10_000), Some(found.states() as usize));
        assert_eq!((found.states(), found.terminals(), found.limited), (5478, 958, false));
        let few = distinct(&mut game, u32::MAX, 1000, Instant::now()).expect("no limit");
        assert_eq!((few.states(), few.limited), (1000, true));
        let near = distinct(&mut game, 1, 10_000, Instant::now()).expect("no limit");
        assert_eq!((near.states(), near.limited), (10, false));
    }

    #[test]
    fn circles_end() {
        let circle = "(role r) (init (at 0)) (legal r go) (goal r 100) (<= terminal (true (at 9)))
            (after 0 1) (after 1 2) (after 2 0) (<= (next (at ?b)) (true (at ?a)) (after ?a ?b))";
        let found = distinct(&mut rules(circle), u32::MAX, 1000, Instant::now()).expect("no limit");
        assert_eq!((found.states(), found.terminals(), found.limited), (3, 0, false));
    }
}
