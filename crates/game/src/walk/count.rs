//! A walk over all sequences of joint moves.
//!
//! The counts of [`perft`](super::perft), for hostile and large games: no recursion, joint moves one
//! at a time instead of all of them in a list, work spread over threads. The children of a state are made in batches, because a reasoner answers
//! several questions about one state faster than questions about alternating states.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Joints, Perft};
use crate::parallel::spread;
use crate::{Fault, Game};

/// Counts the sequences of joint moves of length `depth` from `start`, on `threads` threads. `heard` is
/// told, a few times a second, how many parts of the work are done and how many there are. When `stop` is
/// set the count ends with [`Fault::Stopped`].
pub fn count<G: Game>(
    game: &mut G,
    start: &G::State,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
    heard: &mut dyn FnMut(u64, u64),
) -> Result<Perft, Fault> {
    let mut total = Perft::default();
    let tasks = split(game, start, depth, 32 * threads, stop, &mut total);
    check(game, stop)?;
    let workers: Vec<G> = (0..threads).map(|_| game.clone()).collect();
    let (mut done, mut fault) = (0, None);
    spread(
        workers,
        tasks.len(),
        |game, task| {
            let (state, rest) = &tasks[task];
            let counts = count_below(game, state, *rest, stop);
            check(game, stop).map(|()| counts)
        },
        |finished| {
            match finished {
                None => {}
                Some((_, Ok(counts))) => {
                    total += counts;
                    done += 1;
                }
                Some((_, Err(hit))) => {
                    fault = Some(hit);
                    return ControlFlow::Break(());
                }
            }
            heard(done, tasks.len() as u64);
            ControlFlow::Continue(())
        },
    );
    fault.map_or(Ok(total), Err)
}

fn check<G: Game>(game: &mut G, stop: &AtomicBool) -> Result<(), Fault> {
    let stopped = || stop.load(Ordering::Relaxed).then_some(Fault::Stopped);
    game.take_fault().or_else(stopped).map_or(Ok(()), Err)
}

/// Goes down from the start until there are `wanted` states to start from, and counts what ends on
/// the way. Returns the states with the depth that is left below each.
fn split<G: Game>(
    game: &mut G,
    start: &G::State,
    depth: u32,
    wanted: usize,
    stop: &AtomicBool,
    total: &mut Perft,
) -> Vec<(G::State, u32)> {
    let mut states = vec![start.clone()];
    let mut rest = depth;
    while rest > 1 && states.len() < wanted && !states.is_empty() {
        let mut next = Vec::new();
        for (index, state) in states.iter().enumerate() {
            if stop.load(Ordering::Relaxed) {
                return Vec::new();
            }
            let Some(mut joints) = open(game, state, total) else { continue };
            let before = next.len();
            while joints.step() {
                let mut child = state.clone();
                game.apply(state, &joints.joint, &mut child);
                next.push(child);
                // A state with that many joint moves stays in one piece, and so do those after it.
                if next.len() > 1000 * wanted {
                    next.truncate(before);
                    let below = next.into_iter().map(|state| (state, rest - 1));
                    let here = states[index..].iter().map(|state| (state.clone(), rest));
                    return below.chain(here).collect();
                }
            }
        }
        states = next;
        rest -= 1;
    }
    states.into_iter().map(|state| (state, rest)).collect()
}

/// The joint moves of a state that the walk goes on from; otherwise counts its end.
fn open<G: Game>(game: &mut G, state: &G::State, total: &mut Perft) -> Option<Joints> {
    if game.is_terminal(state) {
        total.terminals += 1;
        return None;
    }
    let mut joints = Joints::default();
    if !joints.load(game, state) {
        total.stuck += 1;
        return None;
    }
    Some(joints)
}

/// How many children of a state are made at a time.
const BATCH: usize = 64;

/// A state whose children are being visited.
#[derive(Debug)]
struct Frame<S> {
    state: S,
    joints: Joints,
    /// The children made last; those from `taken` to `made` are still to be visited.
    children: Vec<S>,
    made: usize,
    taken: usize,
}

impl<S: Clone> Frame<S> {
    fn new(state: &S) -> Self {
        let state = state.clone();
        Frame { state, joints: Joints::default(), children: Vec::new(), made: 0, taken: 0 }
    }

    /// The next child to visit.
    fn child<G: Game<State = S>>(&mut self, game: &mut G) -> Option<&mut S> {
        if self.taken == self.made {
            (self.made, self.taken) = (0, 0);
            while self.made < BATCH && self.joints.step() {
                if self.made == self.children.len() {
                    self.children.push(self.state.clone());
                }
                game.apply(&self.state, &self.joints.joint, &mut self.children[self.made]);
                self.made += 1;
            }
        }
        let child = self.children[..self.made].get_mut(self.taken);
        self.taken += 1;
        child
    }
}

fn count_below<G: Game>(game: &mut G, start: &G::State, depth: u32, stop: &AtomicBool) -> Perft {
    let mut total = Perft::default();
    if game.is_terminal(start) {
        return Perft { nodes: u64::from(depth == 0), terminals: 1, stuck: 0 };
    }
    if depth == 0 {
        return Perft { nodes: 1, ..total };
    }
    let mut frames = vec![Frame::new(start)];
    if !frames[0].joints.load(game, start) {
        total.stuck += 1;
        return total;
    }
    let mut level = 0;
    loop {
        let (upper, lower) = frames.split_at_mut(level + 1);
        let Some(child) = upper[level].child(game) else {
            if level == 0 {
                return total;
            }
            level -= 1;
            continue;
        };
        if stop.load(Ordering::Relaxed) {
            return total;
        }
        let last = level as u64 + 1 == u64::from(depth);
        if game.is_terminal(child) {
            total.terminals += 1;
            total.nodes += u64::from(last);
            continue;
        }
        if last {
            total.nodes += 1;
            continue;
        }
        match lower.first_mut() {
            Some(frame) => std::mem::swap(&mut frame.state, child),
            None => {
                let frame = Frame::new(child);
                frames.push(frame);
            }
        }
        let frame = &mut frames[level + 1];
        (frame.made, frame.taken) = (0, 0);
        if frame.joints.load(game, &frame.state) {
            level += 1;
        } else {
            total.stuck += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{perft, toy::Chorus};
    use super::*;

    static GO: AtomicBool = AtomicBool::new(false);

    #[test]
    fn a_count_that_is_stopped_says_so() {
        let stop = AtomicBool::new(true);
        let found = count(&mut Chorus::new(&[9; 6], 9), &0, 9, 2, &stop, &mut |_, _| ());
        assert_eq!(found, Err(Fault::Stopped));
    }

    #[test]
    fn the_counts_equal_those_of_the_plain_walk() {
        let mut game = Chorus::new(&[2, 3, 1], 4);
        for silent in [None, Some(2), Some(0)] {
            game.silent = silent;
            for depth in 0..6 {
                let plain = perft(&mut game, &0, depth);
                for threads in [1, 3] {
                    let found = count(&mut game, &0, depth, threads, &GO, &mut |_, _| ());
                    assert_eq!(found, Ok(plain), "{silent:?}, depth {depth}");
                }
            }
        }
        // From the second state on there are six joint moves a step.
        assert_eq!(
            count(&mut game, &1, 2, 1, &GO, &mut |_, _| ()).map(|found| found.nodes),
            Ok(36)
        );
    }

    #[test]
    fn depth_does_not_use_the_call_stack() {
        let found = count(&mut Chorus::new(&[1], u32::MAX), &0, 50_000, 1, &GO, &mut |_, _| ());
        assert_eq!(found, Ok(Perft { nodes: 1, terminals: 0, stuck: 0 }));
    }

    #[test]
    fn states_with_too_many_joint_moves_stay_in_one_piece() {
        let mut game = Chorus::new(&[10; 4], 2);
        let mut total = Perft::default();
        let tasks = split(&mut game, &0, 2, 2, &GO, &mut total);
        assert_eq!((tasks.len(), tasks[0].1), (1, 2));
        let tasks = split(&mut game, &0, 2, 32, &GO, &mut total);
        assert_eq!((tasks.len(), tasks[0].1), (10_000, 1));
        assert_eq!(total, Perft::default());
    }
}
