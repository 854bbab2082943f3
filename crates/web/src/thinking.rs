//! Agents that think about a match, and what they remember between two decisions.
//!
//! A [`Mind`] is the player of one role of one match. It lies in a [`Memory`]; before it thinks again it is told
//! the steps that were made meanwhile. One that was stopped, or that missed too much, is replaced by a new one.
//! [`Minds`] bounds how many are remembered by all matches together.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};
use std::time::{Duration, Instant};

use gamegrove_agents::{Agent, Kind, NoEffect, Outline, OutlineNode, Part, Report, Value};
use gamegrove_game::{Move, Rng, Role};
use gamegrove_play::matches::SearchRecord;
use gamegrove_play::{Board, Budget, Hooks, Player, State, StopFlag, choose_in_slices};
use gamegrove_settings::set_over;
use serde::Serialize;

use crate::limits::Limits;

/// A question to an agent.
#[derive(Clone, Debug)]
pub struct Task {
    /// The agent, within the limits of the page.
    pub agent: Agent,
    /// The role it thinks for.
    pub role: Role,
    /// The time for all moves that are wanted.
    pub time: Duration,
    /// The time before the first move of a match in real time.
    pub prepare: Duration,
    /// How many moves are wanted, one after another.
    pub ahead: usize,
}

/// The answer of an agent.
#[derive(Clone, Debug, Default)]
pub struct Thought {
    /// The move; none if the work was stopped or there is none.
    pub mov: Option<Move>,
    /// The moves after it, if more were wanted.
    pub after: Vec<Move>,
    /// What a search found.
    pub insight: Option<Insight>,
    /// The same for the record.
    pub search: Option<SearchRecord>,
    /// The top of its tree.
    pub tree: Vec<OutlineNode>,
    /// How long it took.
    pub taken: Duration,
}

/// The time between two looks at a search.
const SLICE: Duration = Duration::from_millis(250);
/// A player that has not thought for more steps than this begins anew.
const MAX_MISSED: usize = 8;

/// The player of one role of one match.
pub struct Mind {
    player: Box<dyn Player>,
    /// Ends its work; what it answers afterwards is worth nothing.
    stop: StopFlag,
    /// Steps of the match that it was told.
    told: usize,
    /// Whether it was asked about the state after them.
    asked: bool,
}

impl Mind {
    /// A player made elsewhere.
    #[cfg(test)]
    pub fn of(player: Box<dyn Player>) -> Mind {
        Mind { player, stop: StopFlag::default(), told: 0, asked: false }
    }

    /// A player that knows nothing of the match.
    pub fn new(board: &dyn Board, task: &Task, seed: u64) -> Result<Mind, String> {
        let stop = StopFlag::default();
        let board = board.stoppable(&stop);
        let player = board.player(&task.agent, task.role, seed, &Hooks::default());
        let player = player.map_err(|error| error.to_string())?;
        Ok(Mind { player, stop, told: 0, asked: false })
    }

    /// The flag that ends its work. One whose flag was set stays stopped.
    pub fn stop(&self) -> StopFlag {
        Arc::clone(&self.stop)
    }

    /// The first step to tell before it thinks about the state after `plies`. One that missed too much is
    /// dropped. In real time a player has to see every tick, and a new one begins where the match is.
    pub fn first_missed(mind: &mut Option<Mind>, plies: usize, real_time: bool) -> usize {
        let most = if real_time { 1 } else { MAX_MISSED };
        mind.take_if(|mind| !(mind.told..=mind.told + most).contains(&plies));
        match mind {
            Some(mind) => mind.told,
            None if real_time || plies > MAX_MISSED => plies,
            None => 0,
        }
    }

    /// Tells it steps, the first of which is number `first`, each with the state before it. Where it was not
    /// asked it is asked now and answers at once: a player is asked in every step.
    pub fn follow(&mut self, first: usize, missed: &[(State, Vec<Move>)]) {
        self.told = first;
        for (state, joint) in missed {
            if !std::mem::replace(&mut self.asked, false) {
                self.player.choose(state, &Budget::nothing());
            }
            self.player.played(joint);
            self.told += 1;
        }
    }

    /// Thinks about the state after the steps it was told, in which chance has been drawn anew. `tell` hears
    /// now and then what a search has found so far.
    pub fn think(
        &mut self,
        board: &dyn Board,
        state: &State,
        task: &Task,
        nodes: usize,
        tell: &mut dyn FnMut(Insight),
    ) -> Thought {
        let (player, at) = (self.player.as_mut(), (self.told, state));
        if self.told == 0 && !self.asked && !task.prepare.is_zero() {
            player.prepare(state, &Budget::time(task.prepare).with_stop(&self.stop));
        }
        self.asked = true;
        let idle = player.without_effect().into_iter();
        let idle: Vec<String> =
            idle.map(|NoEffect { setting, reason }| format!("{setting}: {reason}")).collect();
        let start = Instant::now();
        let share = task.time / u32::try_from(task.ahead.max(1)).unwrap_or(u32::MAX);
        let budget = Budget::time(share).with_stop(&self.stop);
        let mov = choose_in_slices(player, state, &budget, SLICE, &mut |player| {
            if let Some(report) = player.report() {
                let insight = Insight::new(board, at, task, &report, start.elapsed(), false);
                tell(Insight { without_effect: idle.clone(), ..insight });
            }
            ControlFlow::Continue(())
        });
        let taken = start.elapsed();
        if self.stop.load(Ordering::Relaxed) {
            // The answers of a stopped game are worth nothing.
            return Thought::default();
        }
        let report = player.report().filter(|report| !report.moves.is_empty());
        let record = |(report, mov)| SearchRecord::new(report, mov, taken.as_secs_f64());
        let search = report.as_ref().zip(mov).map(record);
        let insight = report.map(|report| Insight {
            without_effect: idle,
            ..Insight::new(board, at, task, &report, taken, true)
        });
        let tree = player.outline(Outline::Top(nodes));
        let after = mov.map_or_else(Vec::new, |mov| {
            let wanted = task.ahead.saturating_sub(1);
            ahead(player, board, state, (task.role, mov), wanted, &budget)
        });
        Thought { mov, after, insight, search, tree, taken }
    }
}

/// The moves that a player would make after its first, if all others do the first thing they can and chance
/// goes any way.
fn ahead(
    player: &mut dyn Player,
    board: &dyn Board,
    state: &State,
    (role, mut mov): (Role, Move),
    wanted: usize,
    budget: &Budget,
) -> Vec<Move> {
    let (mut state, mut found) = (state.clone(), Vec::new());
    let mut rng = Rng::new(0);
    while found.len() < wanted {
        let Ok(view) = board.view(&state) else { break };
        let joint = Role::all(view.roles()).map(|each| match each == role {
            true => Some(mov),
            false => view.legal(each).first().copied(),
        });
        let Some(joint) = joint.collect::<Option<Vec<Move>>>() else { break };
        let Ok(next) = board.next(&state, &joint) else { break };
        player.played(&joint);
        state = board.shown(&next, &mut rng);
        let Some(next) = player.choose(&state, budget) else { break };
        found.push(next);
        mov = next;
    }
    found
}

/// The agent with one thread and bounded memory; in games of chance its tree is open.
pub fn within_limits(agent: &Agent, chance: bool, limits: &Limits) -> Agent {
    let limited = |part: &Part| within_megabytes(part, chance, limits.tree_megabytes);
    Agent { part: limited(&agent.part), video: agent.video.as_ref().map(limited), ..agent.clone() }
}

fn within_megabytes(part: &Part, chance: bool, megabytes: f64) -> Part {
    let mut part = part.clone();
    if !matches!(part.name.as_str(), "mcts" | "plan") {
        return part;
    }
    let asked = match part.get("memory") {
        Some(Value::Number(megabytes)) => *megabytes,
        _ => f64::INFINITY,
    };
    part.options.retain(|(key, _)| key != "memory" && key != "threads" && key != "parallel");
    if part.name == "mcts" && chance && part.get("tree").is_none() {
        set_over(&mut part, "tree", "open".into(), Kind::parameters_of("mcts"));
    }
    part.with("memory", asked.min(megabytes))
}

/// The place of a mind between two decisions; locked while it thinks.
#[derive(Default)]
pub struct Memory(Mutex<Option<Mind>>);

impl Memory {
    /// The mind, for a thread that thinks with it; `None` if another one does.
    pub fn hold(&self) -> Option<MutexGuard<'_, Option<Mind>>> {
        match self.0.try_lock() {
            Ok(held) => Some(held),
            Err(TryLockError::Poisoned(held)) => Some(held.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    fn forget(&self) {
        if let Some(mut held) = self.hold() {
            *held = None;
        }
    }

    fn is_empty(&self) -> bool {
        self.hold().is_some_and(|held| held.is_none())
    }
}

/// The minds that are remembered, longest unused first. They belong to their matches and go with them.
pub struct Minds {
    most: usize,
    used: Mutex<VecDeque<Weak<Memory>>>,
}

impl std::fmt::Debug for Minds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Minds").field("most", &self.most).finish_non_exhaustive()
    }
}

impl Minds {
    /// Remembers at most so many.
    pub fn new(most: usize) -> Minds {
        Minds { most, used: Mutex::default() }
    }

    fn used_last(&self) -> MutexGuard<'_, VecDeque<Weak<Memory>>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many are remembered.
    pub fn len(&self) -> usize {
        let used = self.used_last();
        used.iter().filter_map(Weak::upgrade).filter(|memory| !memory.is_empty()).count()
    }

    /// Notes that a mind was used. If there are too many now, the longest unused are forgotten; one that is
    /// thinking comes back here when it is done.
    pub fn used(&self, memory: &Arc<Memory>) {
        let mut used = self.used_last();
        used.retain(|known| {
            let known = known.upgrade();
            known.is_some_and(|known| !Arc::ptr_eq(&known, memory) && !known.is_empty())
        });
        used.push_back(Arc::downgrade(memory));
        while used.len() > self.most {
            if let Some(oldest) = used.pop_front().and_then(|oldest| oldest.upgrade()) {
                oldest.forget();
            }
        }
    }
}

/// What a search has found so far, for the page.
#[derive(Clone, Debug, Serialize)]
pub struct Insight {
    /// Steps before the position.
    pub ply: usize,
    /// The role it thinks for.
    pub role: usize,
    /// The agent.
    pub agent: String,
    /// How long it has thought.
    pub seconds: f64,
    /// Simulations.
    pub simulations: u64,
    /// Simulations per second.
    pub simulations_per_second: f64,
    /// States that these went through, per second.
    pub states_per_second: f64,
    /// Nodes in the tree.
    pub nodes: usize,
    /// How deep simulations went in the tree.
    pub depth: usize,
    /// The moves, the most visited first.
    pub moves: Vec<Candidate>,
    /// How many more there are.
    pub more: usize,
    /// Whether the search is over.
    pub done: bool,
    /// Settings of the agent that have no effect in this game, and why.
    pub without_effect: Vec<String>,
}

/// A move that a search looks at.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// Its name.
    #[serde(rename = "move")]
    pub name: String,
    /// The name that people read.
    pub short: String,
    /// Simulations that began with it, those of earlier searches included that are remembered.
    pub visits: u32,
    /// Their mean goal.
    pub mean: Option<f64>,
    /// Half the width of the 95 % interval of the mean.
    pub interval: Option<f64>,
    /// The moves that are expected to follow.
    pub line: Vec<String>,
}

/// The moves of a search that are told, and those of them with what is expected to follow.
const TOLD: usize = 15;
const LINES: usize = 12;
/// The length of what is expected to follow.
const LINE: usize = 4;

impl Insight {
    /// What a report says about a state.
    pub fn new(
        board: &dyn Board,
        (ply, state): (usize, &State),
        task: &Task,
        report: &Report,
        taken: Duration,
        done: bool,
    ) -> Insight {
        let role = task.role;
        let seconds = taken.as_secs_f64();
        let told = &report.moves[..report.moves.len().min(TOLD)];
        let moves: Vec<(Role, Move)> = told.iter().map(|found| (role, found.mov)).collect();
        let names = board.short_names(state, &moves);
        let candidates = told.iter().zip(names).enumerate().map(|(number, (found, short))| {
            let length = if number < LINES { found.line.len().min(LINE + 1) } else { 0 };
            let line = board.line_names(state, &found.line[..length]).into_iter().skip(1);
            Candidate {
                name: board.move_name(role, found.mov),
                short,
                visits: found.visits,
                mean: found.mean,
                interval: found.half_width,
                line: line.filter(|step| !step.is_empty()).collect(),
            }
        });
        Insight {
            ply,
            role: role.index(),
            agent: task.agent.name.clone(),
            seconds,
            simulations: report.simulations,
            simulations_per_second: report.simulations as f64 / seconds.max(1e-9),
            states_per_second: report.steps as f64 / seconds.max(1e-9),
            nodes: report.nodes,
            depth: report.depth,
            moves: candidates.collect(),
            more: report.moves.len() - told.len(),
            done,
            without_effect: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_play::load::{LevelChoice, Source};
    use gamegrove_play::reasoner::Reasoner;
    use gamegrove_play::{Setup, open};

    use super::*;

    fn board(name: &str) -> Arc<dyn Board> {
        let source = Source::open(name).expect("it ships");
        open(&source, &LevelChoice::Number(0), &Setup::default()).expect("it is sound")
    }

    fn task(agent: &str) -> Task {
        Task {
            agent: Agent::find(agent).expect("an agent"),
            role: Role(0),
            time: Duration::from_millis(30),
            prepare: Duration::ZERO,
            ahead: 1,
        }
    }

    fn think(mind: &mut Mind, board: &dyn Board, state: &State, task: &Task) -> Thought {
        mind.think(board, state, task, 10, &mut |_| {})
    }

    #[test]
    fn agents_get_one_thread_and_bounded_memory() {
        let limited = |agent: &str, chance, megabytes| {
            let limits = Limits { tree_megabytes: megabytes, ..Limits::default() };
            let agent = Agent::find(agent).expect("an agent");
            within_limits(&agent, chance, &limits).part.to_string()
        };
        let large = limited("mcts(threads=8, memory=9000)", true, 32.0);
        assert_eq!(large, "mcts(tree=open, memory=32)");
        assert_eq!(limited("mcts(memory=5)", false, 32.0), "mcts(memory=5)");
        assert_eq!(limited("plan(solve=true)", true, 8.0), "plan(solve=true, memory=8)");
        assert_eq!(limited("random", true, 32.0), "random");
        let grove =
            within_limits(&Agent::find("grove").expect("it ships"), true, &Limits::default());
        let video = grove.video.expect("a part for video games").to_string();
        assert!(video.contains("memory=48"), "{video}");
    }

    /// Visits of all moves that are told, and simulations of the last search.
    fn visits(thought: &Thought) -> (u64, u64) {
        let told = thought.insight.as_ref().expect("it searched");
        let visits = told.moves.iter().map(|candidate| u64::from(candidate.visits)).sum();
        (visits, told.simulations)
    }

    #[test]
    fn what_was_searched_is_remembered_after_steps_that_were_missed() {
        let source = Source::open("connect_four").expect("it ships");
        let setup = Setup::new(Reasoner::Propnet);
        let board = open(&source, &LevelChoice::Number(0), &setup).expect("it is sound");
        let mut task = task("mcts(reuse=tree)");
        let start = board.start(1);
        let mut mind = Mind::new(&*board, &task, 1).expect("it plays");
        let mut first = think(&mut mind, &*board, &start, &task);
        // As long as it takes on this machine to try every move a few times.
        while visits(&first).0 < 500 {
            task.time *= 2;
            mind = Mind::new(&*board, &task, 1).expect("it plays");
            first = think(&mut mind, &*board, &start, &task);
        }
        assert_eq!(visits(&first).0, visits(&first).1, "nothing was known");
        let view = board.view(&start).expect("no limit");
        let joint = view.complete(Role(0), first.mov.expect("a move")).expect("one role moves");
        let second = board.next(&start, &joint).expect("no limit");
        let view = board.view(&second).expect("no limit");
        let reply = view.complete(Role(1), view.legal(Role(1))[3]).expect("one role moves");
        let third = board.next(&second, &reply).expect("no limit");
        let mut kept = Some(mind);
        assert_eq!(Mind::first_missed(&mut kept, 2, false), 0);
        let mut mind = kept.expect("it can follow");
        mind.follow(0, &[(start, joint), (second, reply)]);
        let later = think(&mut mind, &*board, &third, &task);
        assert!(visits(&later).0 > visits(&later).1, "some was known");
    }

    #[test]
    fn a_player_that_missed_too_much_begins_anew() {
        let told = |told| Some(Mind { told, ..Mind::of(Box::new(Nothing)) });
        for (mind, plies, real_time, first, stays) in [
            (told(3), 4, true, 3, true),
            (told(3), 5, true, 5, false),
            (told(3), 11, false, 3, true),
            (told(3), 12, false, 12, false),
            // Moves were taken back.
            (told(3), 2, false, 0, false),
            (None, 8, false, 0, false),
            (None, 9, false, 9, false),
            (None, 1, true, 1, false),
        ] {
            let mut mind = mind;
            assert_eq!(Mind::first_missed(&mut mind, plies, real_time), first, "{plies}");
            assert_eq!(mind.is_some(), stays, "{plies}");
        }
    }

    /// A player without moves.
    struct Nothing;

    impl Player for Nothing {
        fn choose(&mut self, _: &State, _: &Budget) -> Option<Move> {
            None
        }
    }

    #[test]
    fn a_stopped_player_says_nothing() {
        let board = board("aliens");
        let task = task("grove");
        let mut mind = Mind::new(&*board, &task, 1).expect("it plays");
        mind.stop().store(true, Ordering::Relaxed);
        let thought = think(&mut mind, &*board, &board.start(1), &task);
        assert!(thought.mov.is_none() && thought.insight.is_none());
    }

    #[test]
    fn several_moves_are_chosen_one_after_another() {
        let board = board("zelda");
        let task = Task { ahead: 6, time: Duration::from_millis(120), ..task("grove") };
        let mut mind = Mind::new(&*board, &task, 1).expect("it plays");
        let thought = think(&mut mind, &*board, &board.start(1), &task);
        assert!(thought.mov.is_some());
        assert_eq!(thought.after.len(), 5, "{:?}", thought.after);
    }

    #[test]
    fn the_longest_unused_are_forgotten_first_and_what_is_gone_takes_no_place() {
        let minds = Minds::new(2);
        let memories: Vec<Arc<Memory>> = (0..4).map(|_| Arc::default()).collect();
        let think = |at: usize| {
            let mut held = memories[at].hold().expect("no other thread");
            *held = Some(Mind::of(Box::new(Nothing)));
            drop(held);
            minds.used(&memories[at]);
        };
        [0, 1, 0, 2].into_iter().for_each(think);
        let forgotten = || memories.iter().map(|memory| memory.is_empty()).collect::<Vec<_>>();
        assert_eq!(forgotten(), [false, true, false, true]);
        memories[2].forget();
        think(3);
        assert_eq!(forgotten(), [false, true, true, false], "2 took no place any more");
        assert_eq!(minds.len(), 2);
        let thinking = memories[0].hold();
        assert_eq!(minds.len(), 2, "one that is thinking counts");
        drop(thinking);
    }
}
