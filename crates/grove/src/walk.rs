//! Walks over all sequences of joint moves: `grove perft`.
//!
//! The same counts as `gamegrove_game::perft`, which the tests compare with, but for hostile and
//! large games: no recursion, joint moves one at a time instead of all of them in a list, work
//! spread over threads. The children of a state are made in batches, because a reasoner answers
//! several questions about one state faster than questions about alternating states.

use std::ops::{AddAssign, ControlFlow};

use gamegrove_game::{Fault, Game};

use crate::joints::Joints;
use crate::parallel::spread;
use crate::progress::Progress;

/// What a walk over all sequences of joint moves found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sequences of exactly the depth asked for.
    pub nodes: u64,
    /// Sequences of at most that depth that end in a terminal state.
    pub terminals: u64,
    /// Sequences below that depth that end in a state that is not terminal and leaves a role
    /// without a move: sound games have none.
    pub stuck: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.nodes += other.nodes;
        self.terminals += other.terminals;
        self.stuck += other.stuck;
    }
}

/// Counts the sequences of joint moves of length `depth` from the start, on `threads` threads.
pub fn count<G: Game>(
    game: &mut G,
    depth: u32,
    threads: usize,
    progress: &mut Progress,
) -> Result<Counts, Fault> {
    let mut total = Counts::default();
    let tasks = split(game, depth, 32 * threads, &mut total);
    check(game)?;
    let workers: Vec<G> = (0..threads).map(|_| game.clone()).collect();
    let what = format!("depth {depth}");
    let (mut done, mut fault) = (0, None);
    spread(
        workers,
        tasks.len(),
        |game, task| {
            let (state, rest) = &tasks[task];
            let counts = count_below(game, state, *rest);
            check(game).map(|()| counts)
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
            progress.show(done, tasks.len() as u64, &what);
            ControlFlow::Continue(())
        },
    );
    fault.map_or(Ok(total), Err)
}

fn check<G: Game>(game: &mut G) -> Result<(), Fault> {
    game.take_fault().map_or(Ok(()), Err)
}

/// Goes down from the start until there are `wanted` states to start from, and counts what ends on
/// the way. Returns the states with the depth that is left below each.
fn split<G: Game>(
    game: &mut G,
    depth: u32,
    wanted: usize,
    total: &mut Counts,
) -> Vec<(G::State, u32)> {
    let mut states = vec![game.initial_state()];
    let mut rest = depth;
    while rest > 1 && states.len() < wanted && !states.is_empty() {
        let mut next = Vec::new();
        for (index, state) in states.iter().enumerate() {
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
fn open<G: Game>(game: &mut G, state: &G::State, total: &mut Counts) -> Option<Joints> {
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

fn count_below<G: Game>(game: &mut G, start: &G::State, depth: u32) -> Counts {
    let mut total = Counts::default();
    if game.is_terminal(start) {
        return Counts { nodes: u64::from(depth == 0), terminals: 1, stuck: 0 };
    }
    if depth == 0 {
        return Counts { nodes: 1, ..total };
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
    use std::time::Instant;

    use gamegrove_game::perft;
    use gamegrove_gdl::{Prover, Rulesheet};

    use super::*;
    use gamegrove_play::library;

    fn game(name: &str) -> Prover {
        let text = library::find(name).expect("a shipped game").text;
        rules(text)
    }

    fn rules(text: &str) -> Prover {
        let sheet = Rulesheet::load(text.as_bytes()).expect("a sound rulesheet");
        Prover::new(&sheet.program).expect("a playable game")
    }

    fn counts(game: &mut Prover, depth: u32, threads: usize) -> Counts {
        count(game, depth, threads, &mut Progress::new(Instant::now())).expect("no limit is hit")
    }

    #[test]
    fn the_counts_equal_those_of_the_plain_walk() {
        let depths =
            [("tic_tac_toe", 7), ("tron", 3), ("eight_puzzle", 9), ("checkers", 4), ("chess", 2)];
        for (name, deepest) in depths {
            let mut game = game(name);
            let start = game.initial_state();
            for depth in 0..=deepest {
                let plain = perft(&mut game, &start, depth);
                for threads in [1, 3] {
                    let found = counts(&mut game, depth, threads);
                    assert_eq!((found.nodes, found.terminals), (plain.nodes, plain.terminals));
                    assert_eq!(found.stuck, 0);
                }
            }
        }
    }

    /// A game of one long line: one move, `length` steps.
    const LINE: &str = "
        (role r) (init (at 0 0)) (legal r go) (goal r 100)
        (digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8)
        (digit 9)
        (up 0 1) (up 1 2) (up 2 3) (up 3 4) (up 4 5) (up 5 6) (up 6 7) (up 7 8) (up 8 9)
        (<= (next (at ?a ?c)) (true (at ?a ?b)) (up ?b ?c))
        (<= (next (at ?b 0)) (true (at ?a 9)) (up ?a ?b))
        (<= (next (at 0 0)) (true (at 9 9)))
        (<= terminal (true (at never never)))";

    #[test]
    fn depth_does_not_use_the_call_stack() {
        let found = counts(&mut rules(LINE), 50_000, 1);
        assert_eq!(found, Counts { nodes: 1, terminals: 0, stuck: 0 });
    }

    #[test]
    fn states_without_a_move_are_counted() {
        let stuck = "(role r) (init a) (<= (legal r go) (true a)) (<= (next b) (does r go))
            (<= terminal (true c)) (goal r 0)";
        assert_eq!(counts(&mut rules(stuck), 5, 2), Counts { nodes: 0, terminals: 0, stuck: 1 });
        assert_eq!(counts(&mut rules(stuck), 1, 2), Counts { nodes: 1, terminals: 0, stuck: 0 });
    }

    /// All of `roles` roles say one of ten digits, twice.
    fn chorus(roles: usize) -> Prover {
        let digits: String = (0..10).map(|digit| format!("(digit {digit})")).collect();
        let roles: String = (0..roles).map(|role| format!("(role r{role})")).collect();
        rules(&format!(
            "{roles} {digits} (init a) (<= (legal ?r (say ?d)) (role ?r) (digit ?d))
             (<= terminal (true c)) (<= (next b) (true a)) (<= (next c) (true b))
             (<= (goal ?r 0) (role ?r))"
        ))
    }

    #[test]
    fn states_with_too_many_joint_moves_stay_in_one_piece() {
        let mut game = chorus(4);
        let mut total = Counts::default();
        let tasks = split(&mut game, 2, 2, &mut total);
        assert_eq!((tasks.len(), tasks[0].1), (1, 2));
        let tasks = split(&mut game, 2, 32, &mut total);
        assert_eq!((tasks.len(), tasks[0].1), (10_000, 1));
        assert_eq!(total, Counts::default());
    }
}
