//! Walks over everything play can reach: `grove perft`.
//!
//! The same counts as `gamegrove_game::perft`, which the tests compare with, but for hostile and
//! large games: no recursion, joint moves one at a time instead of all of them in a list, work
//! spread over threads. The children of a state are made in batches, because a reasoner answers
//! several questions about one state faster than questions about alternating states.

use std::collections::HashSet;
use std::ops::{AddAssign, ControlFlow};
use std::time::Instant;

use gamegrove_game::{Fault, Game, Move, Role};

use crate::parallel::spread;
use crate::progress::Progress;
use crate::units::grouped;

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

/// The joint moves of one state, one after another: the last role's move changes fastest.
#[derive(Debug, Default)]
pub struct Joints {
    legal: Vec<Vec<Move>>,
    choice: Vec<usize>,
    started: bool,
    finished: bool,
    joint: Vec<Move>,
}

impl Joints {
    /// Starts over with the joint moves of `state`; whether there are any.
    fn load<G: Game>(&mut self, game: &mut G, state: &G::State) -> bool {
        let roles = game.role_count();
        self.legal.resize(roles, Vec::new());
        for (role, moves) in Role::all(roles).zip(&mut self.legal) {
            game.legal_moves(state, role, moves);
        }
        self.choice.clear();
        self.choice.resize(roles, 0);
        self.joint.clear();
        self.started = false;
        self.finished = self.legal.iter().any(Vec::is_empty);
        !self.finished
    }

    /// Writes the next joint move to `joint`; whether there was one.
    fn step(&mut self) -> bool {
        if self.finished {
            return false;
        }
        if !self.started {
            self.started = true;
            self.joint.extend(self.legal.iter().filter_map(|moves| moves.first()));
            return true;
        }
        for role in (0..self.legal.len()).rev() {
            self.choice[role] += 1;
            if let Some(&mov) = self.legal[role].get(self.choice[role]) {
                self.joint[role] = mov;
                return true;
            }
            self.choice[role] = 0;
            self.joint[role] = self.legal[role][0];
        }
        self.finished = true;
        false
    }
}

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
            check(game)?;
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
    use gamegrove_game::{perft, reachable_states};
    use gamegrove_gdl::{Prover, Rulesheet};

    use super::*;
    use crate::library;

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

    #[test]
    fn the_states_equal_those_of_the_plain_walk() {
        let mut game = game("tic_tac_toe");
        let found = distinct(&mut game, u32::MAX, 10_000, Instant::now()).expect("no limit");
        assert_eq!(reachable_states(&mut game, 10_000), Some(found.states() as usize));
        assert_eq!((found.states(), found.terminals(), found.limited), (5478, 958, false));
        let few = distinct(&mut game, u32::MAX, 1000, Instant::now()).expect("no limit");
        assert_eq!((few.states(), few.limited), (1000, true));
        let near = distinct(&mut game, 1, 10_000, Instant::now()).expect("no limit");
        assert_eq!((near.states(), near.limited), (10, false));
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
        let all = distinct(&mut rules(LINE), u32::MAX, 1000, Instant::now()).expect("no limit");
        assert_eq!((all.states(), all.terminals()), (100, 0));
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
    fn many_joint_moves_need_no_list() {
        // 10^20 joint moves: whoever made a list of them would not come back.
        let mut game = chorus(20);
        let mut joints = Joints::default();
        let start = game.initial_state();
        assert!(joints.load(&mut game, &start));
        assert!((0..1_000_000).all(|_| joints.step()));
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
