//! What an agent thinks with, and remembers from one move to the next.
//!
//! A [`Brain`] is a search with its tree or a player of another kind, for one role of one match. Between
//! two moves it lies in a [`Memory`]; the steps made meanwhile are told to it before it thinks again. One
//! that was stopped, or has missed what it needs to know, is replaced by a new one.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use gamegrove_agents::{Agent, Budget, Maker, Part, Player, Report, Stop};
use gamegrove_game::{BoxedLanes, Describe, Game, Guarded, Move, Rng, Role};
use gamegrove_search::{MoveReport, OutlineNode, Team, Value};

use crate::minds::Forget;
use crate::think::{Candidate, Insight, Order, Thought};

/// What is remembered, if anything is.
type Remembered<G> = Option<Brain<Guarded<G>>>;

/// What is kept of an agent between two moves.
pub struct Memory<G: Describe> {
    held: Mutex<Remembered<G>>,
    card: Mutex<Card>,
}

/// What can be known of a memory while somebody thinks with it.
#[derive(Default)]
struct Card {
    /// Steps before the position that was thought about last.
    ply: Option<usize>,
    stop: Arc<AtomicBool>,
}

impl<G: Describe> Default for Memory<G> {
    fn default() -> Self {
        Memory { held: Mutex::default(), card: Mutex::default() }
    }
}

impl<G: Describe> Memory<G> {
    fn card(&self) -> MutexGuard<'_, Card> {
        self.card.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Steps before the position that was thought about last, if something is remembered.
    pub fn ply(&self) -> Option<usize> {
        self.card().ply
    }

    /// What ends the work of who thinks with it. Once that was used there is a new one.
    pub fn stop(&self) -> Arc<AtomicBool> {
        let mut card = self.card();
        if card.stop.load(std::sync::atomic::Ordering::Relaxed) {
            *card = Card::default();
        }
        Arc::clone(&card.stop)
    }

    /// Takes note of what was thought about.
    pub(crate) fn note(&self, ply: usize) {
        self.card().ply = Some(ply);
    }

    /// The memory for who wants to think; none if somebody does already.
    pub(crate) fn hold(&self) -> Option<MutexGuard<'_, Remembered<G>>> {
        match self.held.try_lock() {
            Ok(held) => Some(held),
            Err(TryLockError::Poisoned(held)) => Some(held.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

impl<G: Describe> Forget for Memory<G> {
    fn forget(&self) {
        if let Some(mut held) = self.hold() {
            *held = None;
            self.card().ply = None;
        }
    }

    fn is_empty(&self) -> bool {
        self.card().ply.is_none()
    }
}

/// What an agent thinks with.
pub struct Brain<G: Describe> {
    game: G,
    role: Role,
    stop: Arc<AtomicBool>,
    /// Steps before the position it thought about last.
    pub(crate) ply: usize,
    kind: Kind<G>,
}

enum Kind<G: Game> {
    Search(Box<Team<G>>, Vec<BoxedLanes<G::State>>),
    Other(Box<dyn Player<G>>),
}

/// The moves that are told.
const TOLD: usize = 15;
/// The time between two tellings.
const SLICE: Duration = Duration::from_millis(250);

impl<G> Brain<G>
where
    G: Describe + 'static,
{
    /// A new one, that knows nothing but the position.
    pub(crate) fn new(
        game: G,
        lanes: Option<BoxedLanes<G::State>>,
        maker: Maker<G>,
        stop: &Arc<AtomicBool>,
        state: &G::State,
        order: &Order,
    ) -> Result<Self, String> {
        let role = Role(u8::try_from(order.role).unwrap_or(0));
        let part = within_limits(order.agent.part_for(&game), order);
        let kind = if part.name == "mcts" {
            let team = Team::new(&game, &part, order.seed).map_err(|error| error.to_string())?;
            let mut team = team.for_role(role);
            let lanes = lanes.filter(|_| team.suits_lanes());
            team.set_root(state);
            let lanes = lanes.map_or_else(Vec::new, |lanes| vec![lanes; team.len()]);
            Kind::Search(Box::new(team), lanes)
        } else {
            let agent = Agent { part, video: None, ..order.agent.clone() };
            let player = maker(&agent, game.clone(), lanes, role, order.seed);
            let mut player = player.map_err(|error| error.to_string())?;
            if !order.prepare.is_zero() {
                let end = Instant::now() + order.prepare;
                player.prepare(state, &Budget::until(end).and_unless(stop));
            }
            Kind::Other(player)
        };
        Ok(Brain { game, role, stop: Arc::clone(stop), ply: 0, kind })
    }

    /// Whether it can go on at a position after what it has missed. Players that plan from tick to tick
    /// have to see every one.
    pub(crate) fn follows(
        &self,
        ply: usize,
        missed: &[(Vec<Move>, G::State)],
        stop: &Arc<AtomicBool>,
    ) -> bool {
        let every = matches!(self.kind, Kind::Search(..)) || missed.len() == 1;
        every && Arc::ptr_eq(&self.stop, stop) && self.ply + missed.len() == ply
    }

    /// Hears what was played since it thought last.
    pub(crate) fn follow(&mut self, missed: &[(Vec<Move>, G::State)], state: &G::State) {
        match &mut self.kind {
            Kind::Search(team, _) => {
                for (joint, state) in missed {
                    team.played(joint);
                    team.set_root(state);
                }
                if missed.is_empty() {
                    team.set_root(state);
                }
            }
            Kind::Other(player) => missed.iter().for_each(|(joint, _)| player.played(joint)),
        }
    }

    /// Thinks about the position it was told last.
    pub(crate) fn think(
        &mut self,
        state: &G::State,
        order: &Order,
        tell: &mut dyn FnMut(Insight),
    ) -> Thought {
        let (game, role, start) = (&mut self.game, self.role, Instant::now());
        match &mut self.kind {
            Kind::Search(team, lanes) => {
                let deadline = start + order.time;
                loop {
                    let until = deadline.min(Instant::now() + SLICE);
                    let stop = team.run(lanes, &Budget::until(until).and_unless(&self.stop));
                    if stop != Stop::Time || Instant::now() >= deadline {
                        break;
                    }
                    tell(insight(game, &team.report(role), role, order, start.elapsed(), false));
                }
                let mov = team.best_move(role).map(|mov| game.move_name(role, mov));
                let found = insight(game, &team.report(role), role, order, start.elapsed(), true);
                let top = team.first().most_visited(role, order.nodes);
                let tree = with_all_first_moves(top, team.first().outline(role, 1, order.nodes));
                Thought { mov, insight: Some(found), tree, ..Thought::default() }
            }
            Kind::Other(player) => {
                let share = order.time / u32::try_from(order.ahead.max(1)).unwrap_or(u32::MAX);
                let budget = Budget::until(start + share).and_unless(&self.stop);
                let chosen = player.choose(state, &budget);
                let report = player.report().filter(|report| !report.moves.is_empty());
                let told =
                    report.map(|report| insight(game, &report, role, order, start.elapsed(), true));
                let Some(mov) = chosen else { return Thought::default() };
                let mut ahead = Ahead { game, role, share, stop: &self.stop };
                let after = ahead.go_on(player.as_mut(), state.clone(), mov, order);
                let mov = Some(ahead.game.move_name(role, mov));
                Thought { mov, after, insight: told, ..Thought::default() }
            }
        }
    }
}

/// Looks at what a player would do after a move.
struct Ahead<'a, G> {
    game: &'a mut G,
    role: Role,
    /// The time for each move.
    share: Duration,
    stop: &'a AtomicBool,
}

impl<G: Describe> Ahead<'_, G> {
    /// The moves that the player would make after `mov`, if others do the first thing they can and chance
    /// goes any way.
    fn go_on(
        &mut self,
        player: &mut dyn Player<G>,
        mut state: G::State,
        mut mov: Move,
        order: &Order,
    ) -> Vec<String> {
        let mut names = Vec::new();
        let mut rng = Rng::new(order.seed);
        while names.len() + 1 < order.ahead {
            let Some(joint) = self.joint(&state, mov) else { break };
            self.game.resample(&mut state, &mut rng);
            self.game.advance(&mut state, &joint);
            player.played(&joint);
            if self.game.is_terminal(&state) {
                break;
            }
            let budget = Budget::until(Instant::now() + self.share);
            let Some(next) = player.choose(&state, &budget.and_unless(self.stop)) else { break };
            names.push(self.game.move_name(self.role, next));
            mov = next;
        }
        names
    }

    fn joint(&mut self, state: &G::State, mov: Move) -> Option<Vec<Move>> {
        let mut legal = Vec::new();
        let joint = Role::all(self.game.role_count()).map(|each| {
            self.game.legal_moves(state, each, &mut legal);
            if each == self.role { Some(mov) } else { legal.first().copied() }
        });
        joint.collect()
    }
}

/// Adds to the top of a tree what is missing of its first moves: those that were hardly tried are of
/// interest too.
fn with_all_first_moves(mut top: Vec<OutlineNode>, first: Vec<OutlineNode>) -> Vec<OutlineNode> {
    for child in first.into_iter().skip(1) {
        let root = &top[0].children;
        if !root.iter().any(|&known| top[known].moves == child.moves) {
            let number = top.len();
            top[0].children.push(number);
            top.push(child);
        }
    }
    top
}

/// The settings of an agent with one thread and bounded memory; for games of chance an open tree.
fn within_limits(part: &Part, order: &Order) -> Part {
    let mut part = part.clone();
    if !matches!(part.name.as_str(), "mcts" | "plan") {
        return part;
    }
    let asked = match part.get("memory") {
        Some(Value::Number(megabytes)) => *megabytes,
        _ => f64::INFINITY,
    };
    part.options.retain(|(key, _)| key != "memory" && key != "threads" && key != "parallel");
    if part.name == "mcts" && order.chance && part.get("tree").is_none() {
        // What follows one outcome of chance is no proof and no plan.
        part.options.retain(|(key, _)| key != "endgame" && key != "best_line");
        part = part.with("tree", "open");
    }
    part.with("memory", asked.min(order.megabytes))
}

fn insight<G: Describe>(
    game: &G,
    report: &Report,
    role: Role,
    order: &Order,
    taken: Duration,
    done: bool,
) -> Insight {
    let seconds = taken.as_secs_f64();
    let candidate = |found: &MoveReport| Candidate {
        name: game.move_name(role, found.mov),
        short: String::new(),
        visits: found.visits,
        mean: found.mean,
        interval: found.half_width,
        line: found
            .line
            .iter()
            .skip(1)
            .take(4)
            .map(|step| {
                let names: Vec<String> =
                    step.iter().map(|&(role, mov)| game.move_name(role, mov)).collect();
                names.join(" ")
            })
            .filter(|step| !step.is_empty())
            .collect(),
    };
    Insight {
        ply: 0,
        role: order.role,
        agent: order.agent.name.clone(),
        seconds,
        simulations: report.simulations,
        simulations_per_second: report.simulations as f64 / seconds.max(1e-9),
        states_per_second: report.steps as f64 / seconds.max(1e-9),
        nodes: report.nodes,
        depth: report.depth,
        moves: report.moves.iter().take(TOLD).map(candidate).collect(),
        more: report.moves.len().saturating_sub(TOLD),
        done,
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_game::Cached;
    use gamegrove_gdl::{Prover, ProverLimits, Reading};
    use gamegrove_play::load::{LevelChoice, Source};
    use gamegrove_play::{Rules, video};
    use gamegrove_vgdl::game::VideoGame;
    use gamegrove_vgdl::state::State as VideoState;
    use std::sync::atomic::Ordering;

    use super::*;
    use crate::think::{Mind, Thinker};

    fn order(agent: &str) -> Order {
        Order {
            agent: Agent::find(agent).expect("an agent"),
            role: 0,
            time: Duration::from_millis(30),
            seed: 1,
            megabytes: 32.0,
            nodes: 10,
            chance: true,
            prepare: Duration::ZERO,
            ahead: 1,
        }
    }

    fn video_game(name: &str) -> VideoGame {
        let source = Source::open(name).expect("it ships");
        let level = video::load(&source, &LevelChoice::Number(0)).expect("a level");
        VideoGame::new(level.world, 1)
    }

    fn prover(name: &str) -> Prover {
        let sheet = Source::open(name).expect("it ships").rulesheet(Reading::Logical);
        let sheet = sheet.expect("it is sound");
        Prover::with_limits(&sheet.program, ProverLimits::default()).expect("it is small")
    }

    #[test]
    fn agents_get_one_thread_and_bounded_memory() {
        let limited = |order: &Order| within_limits(&order.agent.part, order).to_string();
        let large = order("mcts(threads=8, memory=9000)");
        assert_eq!(limited(&large), "mcts(tree=open, memory=32)");
        let small = Order { chance: false, ..order("mcts(memory=5)") };
        assert_eq!(limited(&small), "mcts(memory=5)");
        let planner = Order { megabytes: 8.0, ..order("plan(solve=true)") };
        assert_eq!(limited(&planner), "plan(solve=true, memory=8)");
        assert_eq!(limited(&order("random")), "random");
    }

    /// What a game offers besides its rules: features, types of moves, an evaluation, senses.
    fn abilities<G: Game>(game: &G) -> [bool; 4] {
        [
            game.features().is_some(),
            game.move_types().is_some(),
            game.evaluation().is_some(),
            game.senses().is_some(),
        ]
    }

    #[test]
    fn games_that_are_guarded_or_cached_can_do_what_they_could() {
        fn check<G: Game>(game: G, expected: [bool; 4]) {
            assert_eq!(abilities(&game), expected);
            assert_eq!(abilities(&Guarded::new(game.clone(), &Arc::default())), expected);
            assert_eq!(abilities(&Cached::new(game, 100)), expected);
        }
        check(prover("tic_tac_toe"), [true, false, false, false]);
        check(video_game("zelda"), [false, false, false, true]);
        let octagon = Source::open("octagon").expect("it ships").rules(Reading::Logical);
        let Ok(Rules::Native(octagon)) = octagon else { panic!("it is The Octagon Theory") };
        check(*octagon, [false, true, true, false]);
    }

    #[test]
    fn chance_is_drawn_anew_behind_a_guard() {
        let mut game = Guarded::new(video_game("zelda"), &Arc::default());
        let mut state = game.initial_state();
        let (before, mut rng) = (state.clone(), Rng::new(5));
        game.resample(&mut state, &mut rng);
        assert_ne!(state, before, "another future");
    }

    #[test]
    fn the_default_agent_plays_video_games_with_its_part_for_them() {
        let mut game = Guarded::new(video_game("zelda"), &Arc::default());
        let state = game.initial_state();
        let order = order("grove");
        let brain = Brain::new(game, None, Agent::video_player_on, &Arc::default(), &state, &order)
            .expect("it plays");
        assert!(matches!(brain.kind, Kind::Other(_)), "it plans");
        let mut board = Guarded::new(prover("tic_tac_toe"), &Arc::default());
        let state = board.initial_state();
        let brain = Brain::new(board, None, Agent::player_on, &Arc::default(), &state, &order)
            .expect("it plays");
        assert!(matches!(brain.kind, Kind::Search(..)), "it searches");
    }

    type Kept = Arc<Memory<VideoGame>>;

    fn mind(game: &VideoGame, states: &[VideoState], memory: &Kept) -> Mind<VideoGame> {
        let known = memory.ply().unwrap_or(states.len() - 1);
        Mind {
            game: game.clone(),
            lanes: None,
            maker: Agent::video_player_on,
            state: states[states.len() - 1].clone(),
            ply: states.len() - 1,
            missed: states[known + 1..]
                .iter()
                .map(|state| (vec![Move(0)], state.clone()))
                .collect(),
            stop: memory.stop(),
            memory: Some(Arc::clone(memory)),
        }
    }

    /// Visits of all moves that are told.
    fn visits(thought: &Thought) -> u32 {
        let told = thought.insight.as_ref().expect("it searched");
        told.moves.iter().map(|candidate| candidate.visits).sum()
    }

    #[test]
    fn what_was_searched_is_remembered_until_it_is_stopped_or_forgotten() {
        let mut game = video_game("aliens");
        let mut states = vec![game.initial_state()];
        let memory = Kept::default();
        let mut order = order("mcts(reuse=tree)");
        let worker = game.clone();
        let think = |order: &Order, states: &[VideoState]| {
            let mind = Box::new(mind(&worker, states, &memory));
            mind.think(order, &mut |_| {}).expect("it thinks")
        };
        let simulations =
            |thought: &Thought| thought.insight.as_ref().map_or(0, |insight| insight.simulations);
        // As long as it takes on this machine to try every move a few times.
        let mut first = think(&order, &states);
        while visits(&first) < 100 {
            memory.forget();
            order.time *= 2;
            first = think(&order, &states);
        }
        assert_eq!(u64::from(visits(&first)), simulations(&first), "nothing was known");
        let mut next = states[0].clone();
        Game::advance(&mut game, &mut next, &[Move(0)]);
        states.push(next);
        assert_eq!(memory.ply(), Some(0));
        let second = think(&order, &states);
        assert!(u64::from(visits(&second)) > simulations(&second), "some was known");
        memory.forget();
        assert!(memory.is_empty());
        let third = think(&order, &states);
        assert_eq!(u64::from(visits(&third)), simulations(&third), "it was forgotten");
        memory.stop().store(true, Ordering::Relaxed);
        assert!(!memory.stop().load(Ordering::Relaxed), "stopped once, not for ever");
        let fourth = think(&order, &states);
        assert_eq!(u64::from(visits(&fourth)), simulations(&fourth), "the stopped one is gone");
    }

    #[test]
    fn who_is_stopped_says_nothing_and_remembers_nothing() {
        let mut game = video_game("aliens");
        let states = [game.initial_state()];
        let memory = Kept::default();
        let mind = mind(&game, &states, &memory);
        mind.stop().store(true, Ordering::Relaxed);
        let thought = Box::new(mind).think(&order("grove"), &mut |_| {}).expect("no trouble");
        assert!(thought.mov.is_none() && thought.insight.is_none());
        assert!(memory.is_empty());
    }

    #[test]
    fn several_moves_are_chosen_one_after_another() {
        let mut game = video_game("zelda");
        let states = [game.initial_state()];
        let mut mind = mind(&game, &states, &Kept::default());
        mind.memory = None;
        let order = Order { ahead: 6, time: Duration::from_millis(120), ..order("grove") };
        let thought = Box::new(mind).think(&order, &mut |_| {}).expect("it thinks");
        assert!(thought.mov.is_some());
        assert_eq!(thought.after.len(), 5, "{:?}", thought.after);
    }
}
