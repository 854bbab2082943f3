//! A game of a known type behind the interface of any game.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamegrove_agents::{Agent, AgentError, Maker, Value};
use gamegrove_game::walk::{self, Distinct};
use gamegrove_game::{
    Batch, BatchError, BatchSetup, BoxedLanes, Describe, Fault, Game, Move, Perft, Rng, Role,
};
use gamegrove_view::{MoveNames, TextStyle, Theme};

use crate::board::{About, Board, Last, RealTime};
use crate::budget::StopFlag;
use crate::drawing::{Drawing, Spot};
use crate::fixture::{Fixture, Played, play_in_turn};
use crate::library::Kind;
use crate::play_outs::{PlayOuts, PlayOutsWanted, play_outs};
use crate::player::{Hooks, Player, Seated};
use crate::show::Show;
use crate::speed::{self, Heard, Speed, SpeedWanted};
use crate::state::State;
use crate::steered::Steered;
use crate::view::{View, goals};

/// A game of a known type.
pub(crate) struct Typed<G: Game> {
    shared: Arc<Shared<G>>,
    /// Answers short questions; long work gets a clone.
    worker: Mutex<G>,
}

/// The part of a game that all its workers share.
struct Shared<G: Game> {
    /// Tells the states of this game from those of others.
    number: u64,
    about: About,
    abilities: Abilities<G>,
    lanes: Mutex<Option<BoxedLanes<G::State>>>,
}

/// How a type of game does what is not part of [`Describe`].
pub(crate) struct Abilities<G: Game> {
    /// How its states are shown.
    pub(crate) show: Box<dyn Show<G>>,
    /// Finds the state in which some facts hold, if the reasoner can.
    pub(crate) state_of: Option<StateOf<G>>,
    /// Gives the first state the chance of a seed, in games of chance.
    pub(crate) seed: Option<fn(&mut <G as Game>::State, u64)>,
    /// The level, in games in real time.
    pub(crate) level: Option<(Option<usize>, String)>,
    /// Makes its players.
    pub(crate) maker: Maker<G>,
}

impl<G: Game + 'static> Abilities<G> {
    /// Those of a game without chance whose players are those of any game.
    pub(crate) fn new(show: impl Show<G> + 'static) -> Abilities<G> {
        let (state_of, seed, level) = (None, None, None);
        Abilities { show: Box::new(show), state_of, seed, level, maker: Agent::player_on }
    }
}

/// Finds the state in which some facts hold.
pub(crate) type StateOf<G> =
    Box<dyn Fn(&mut G, &[String]) -> Option<<G as Game>::State> + Send + Sync>;

impl<G: Describe + 'static> Typed<G> {
    pub(crate) fn board(
        (game_name, kind): (&str, Kind),
        reasoner: &str,
        remarks: Vec<String>,
        game: G,
        lanes: Option<BoxedLanes<G::State>>,
        abilities: Abilities<G>,
    ) -> Arc<dyn Board> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let senses = game.senses();
        let real_time = senses.zip(abilities.level.clone());
        let about = About {
            game: game_name.to_owned(),
            kind,
            roles: Role::all(game.role_count()).map(|role| game.role_name(role)).collect(),
            reasoner: reasoner.to_owned(),
            remarks,
            chance: abilities.seed.is_some(),
            lanes: lanes.as_ref().map_or(0, |lanes| lanes.width()),
            shape: abilities.show.shape(),
            real_time: real_time.map(|(senses, (level, level_name))| RealTime {
                waiting: senses.waiting(),
                level,
                level_name,
            }),
        };
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Arc::new(Typed {
            shared: Arc::new(Shared { number, about, abilities, lanes: Mutex::new(lanes) }),
            worker: Mutex::new(game),
        })
    }

    fn worker(&self) -> MutexGuard<'_, G> {
        self.worker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker for long work.
    fn clone_worker(&self) -> G {
        self.worker().clone()
    }

    fn fork(&self) -> Typed<G> {
        Typed { shared: Arc::clone(&self.shared), worker: Mutex::new(self.clone_worker()) }
    }

    fn wrap(&self, state: G::State) -> State {
        State::new(self.shared.number, state)
    }

    fn read<'s>(&self, state: &'s State) -> &'s G::State {
        assert!(self.knows(state), "the state of another game");
        state.get()
    }

    fn show(&self) -> &dyn Show<G> {
        &*self.shared.abilities.show
    }
}

impl<G: Describe + 'static> Board for Typed<G> {
    fn about(&self) -> &About {
        &self.shared.about
    }

    fn another(&self) -> Arc<dyn Board> {
        Arc::new(self.fork())
    }

    fn stoppable(&self, stop: &StopFlag) -> Arc<dyn Board> {
        let fork = self.fork();
        fork.worker().stop_when(stop);
        Arc::new(fork)
    }

    fn knows(&self, state: &State) -> bool {
        state.game() == self.shared.number
    }

    fn start(&self, seed: u64) -> State {
        let mut state = self.worker().initial_state();
        if let Some(set) = self.shared.abilities.seed {
            set(&mut state, seed);
        }
        self.wrap(state)
    }

    fn state_of(&self, facts: &[String]) -> Option<State> {
        let find = self.shared.abilities.state_of.as_ref()?;
        find(&mut self.worker(), facts).map(|state| self.wrap(state))
    }

    fn view(&self, state: &State) -> Result<View, Fault> {
        let mut game = self.worker();
        let view = View::of(&mut *game, self.read(state));
        sound(&mut *game, view)
    }

    fn legal_moves(&self, state: &State, role: Role) -> (Vec<Move>, Option<Fault>) {
        let (mut game, mut moves) = (self.worker(), Vec::new());
        game.legal_moves(self.read(state), role, &mut moves);
        (moves, game.take_fault())
    }

    fn any_move(&self, state: &State, role: Role) -> Option<Move> {
        let mut game = self.worker();
        let found = game.any_move(self.read(state), role);
        game.take_fault();
        found
    }

    fn goals(&self, state: &State) -> Result<Vec<f32>, Fault> {
        let mut game = self.worker();
        let found = goals(&mut *game, self.read(state));
        sound(&mut *game, found)
    }

    fn next(&self, state: &State, joint: &[Move]) -> Result<State, Fault> {
        let state = self.read(state);
        let mut game = self.worker();
        let mut next = state.clone();
        game.apply(state, joint, &mut next);
        sound(&mut *game, next).map(|next| self.wrap(next))
    }

    fn resample(&self, state: &State, rng: &mut Rng) -> State {
        let mut state = self.read(state).clone();
        self.worker().resample(&mut state, rng);
        self.wrap(state)
    }

    fn scores(&self, state: &State) -> Option<Vec<f64>> {
        let senses = self.worker().senses()?;
        let roles = Role::all(self.about().roles.len());
        Some(roles.map(|role| senses.score(self.read(state), role)).collect())
    }

    fn verdicts(&self, state: &State) -> Option<Vec<Option<bool>>> {
        let senses = self.worker().senses()?;
        let roles = Role::all(self.about().roles.len());
        Some(roles.map(|role| senses.verdict(self.read(state), role)).collect())
    }

    fn facts(&self, state: &State) -> Vec<String> {
        self.worker().facts(self.read(state))
    }

    fn move_bound(&self, role: Role) -> usize {
        self.worker().move_bound(role)
    }

    fn move_name(&self, role: Role, mov: Move) -> String {
        self.worker().move_name(role, mov)
    }

    fn find_move(&self, role: Role, name: &str) -> Option<Move> {
        self.worker().find_move(role, name)
    }

    fn names(&self, state: &State, role: Role, moves: &[Move]) -> MoveNames {
        let game = self.worker();
        let terms: Vec<String> = moves.iter().map(|&mov| game.move_name(role, mov)).collect();
        self.show().names(&game, self.read(state), &terms)
    }

    fn short_names(&self, state: &State, moves: &[(Role, Move)]) -> Vec<String> {
        short_names(&mut *self.worker(), self.show(), self.read(state), moves)
    }

    fn line_names(&self, state: &State, line: &[Vec<(Role, Move)>]) -> Vec<String> {
        let (mut game, show) = (self.worker(), self.show());
        let (mut state, mut names) = (self.read(state).clone(), Vec::new());
        let mut next = state.clone();
        for step in line {
            names.push(short_names(&mut *game, show, &state, step).join(" and "));
            if show.names_by_state() {
                let Some(joint) = View::of(&mut *game, &state).join(step) else { break };
                game.apply(&state, &joint, &mut next);
                std::mem::swap(&mut state, &mut next);
                if game.take_fault().is_some() {
                    break;
                }
            }
        }
        names
    }

    fn interpret(&self, state: &State, role: Role, text: &str) -> Option<Move> {
        let (mut game, state) = (self.worker(), self.read(state));
        let found = game.interpret(state, role, text).or_else(|| {
            let mut legal = Vec::new();
            game.legal_moves(state, role, &mut legal);
            legal.truncate(MAX_NAMED);
            let terms: Vec<String> = legal.iter().map(|&mov| game.move_name(role, mov)).collect();
            let named = self.show().names(&game, state, &terms).find(text)?;
            Some(legal[named])
        });
        game.take_fault();
        found
    }

    fn outcome(&self, state: &State, role: Role, mov: Move) -> Option<String> {
        self.worker().outcome_in_words(self.read(state), role, mov)
    }

    fn notation(&self) -> Option<&'static str> {
        self.worker().notation()
    }

    fn text(&self, state: &State, last: Option<Last<'_>>, style: TextStyle) -> String {
        let last = last.map(|(before, joint)| (self.read(before), joint));
        self.show().text(&self.clone_worker(), self.read(state), last, style)
    }

    fn svg(
        &self,
        state: &State,
        last: Option<Last<'_>>,
        title: &str,
        theme: Theme,
    ) -> Option<String> {
        let last = last.map(|(before, joint)| (self.read(before), joint));
        self.show().svg(&self.clone_worker(), self.read(state), last, title, theme)
    }

    fn draw(&self, state: &State, last: Option<Last<'_>>) -> Drawing {
        let last = last.map(|(before, joint)| (self.read(before), joint));
        self.show().draw(&self.worker(), self.read(state), last)
    }

    fn spots(&self, state: &State, role: Role, moves: &[Move]) -> Vec<Vec<Spot>> {
        let mut game = self.worker();
        let spots = self.show().spots(&mut game, self.read(state), role, moves);
        game.take_fault();
        spots
    }

    fn observe(&self, state: &State, seen: &mut Vec<u8>) -> bool {
        let Some(shape) = &self.about().shape else { return false };
        seen.clear();
        seen.resize(shape.iter().product(), 0);
        self.show().observe(&self.worker(), self.read(state), seen);
        true
    }

    fn shape_names(&self) -> Vec<String> {
        self.show().shape_names(&self.worker())
    }

    fn perft(
        &self,
        state: &State,
        depth: u32,
        threads: usize,
        stop: &StopFlag,
        heard: Heard<'_>,
    ) -> Result<Perft, Fault> {
        walk::count(&mut self.clone_worker(), self.read(state), depth, threads, stop, heard)
    }

    fn distinct(
        &self,
        depth: u32,
        limit: u64,
        heard: &mut dyn FnMut(u32, u64),
    ) -> Result<Distinct, Fault> {
        walk::distinct(&mut self.clone_worker(), depth, limit, heard)
    }

    fn speed(&self, wanted: SpeedWanted, heard: Heard<'_>) -> Speed {
        let mut game = self.clone_worker();
        match self.shared.lanes().filter(|_| wanted.lanes) {
            Some(lanes) => speed::on_lanes(&lanes, &game.initial_state(), wanted, heard),
            None => speed::one_by_one(&game, wanted, heard),
        }
    }

    fn play_outs(
        &self,
        state: &State,
        wanted: &PlayOutsWanted,
        into: PlayOuts<'_>,
        stop: &StopFlag,
    ) -> Result<(), Fault> {
        let lanes = self.shared.lanes();
        play_outs(&self.clone_worker(), lanes.as_ref(), self.read(state), wanted, into, stop)
    }

    fn batch(&self, setup: BatchSetup) -> Result<Box<dyn Batch>, BatchError> {
        self.shared.lanes().ok_or(BatchError::Unsupported)?.batch(setup)
    }

    fn player(
        &self,
        agent: &Agent,
        role: Role,
        seed: u64,
        hooks: &Hooks,
    ) -> Result<Box<dyn Player>, AgentError> {
        // A stream of its own: what a player is shown does not depend on its choices.
        let chance = self.about().chance.then(|| Rng::stream(seed, 1));
        if let Some(playout) = &hooks.playout {
            let game = Steered::new(self.another(), Arc::clone(playout));
            let maker = Agent::player_on;
            let making = Making { maker, agent: plain(agent), role, seed };
            return seated(making, game, || None, chance, itself);
        }
        let shared = Arc::clone(&self.shared);
        let maker = self.shared.abilities.maker;
        let making = Making { maker, agent: agent.clone(), role, seed };
        seated(making, self.clone_worker(), move || shared.lanes(), chance, State::get)
    }

    fn play_matches(
        self: Arc<Self>,
        fixtures: &[Fixture],
        stop: &StopFlag,
        done: &mut dyn FnMut(usize, Result<Played, AgentError>),
    ) {
        let own: Arc<dyn Board> = self;
        play_in_turn(&own, fixtures, stop, done);
    }
}

impl<G: Game> Shared<G> {
    /// A worker for play-outs on lanes, if there are lanes.
    fn lanes(&self) -> Option<BoxedLanes<G::State>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// How a player is made.
struct Making<G: Game> {
    maker: Maker<G>,
    agent: Agent,
    role: Role,
    seed: u64,
}

/// A player of a game of known type, which can be made anew once it has forgotten everything.
fn seated<G: Game + 'static>(
    making: Making<G>,
    game: G,
    lanes: impl Fn() -> Option<BoxedLanes<G::State>> + Send + 'static,
    chance: Option<Rng>,
    read: fn(&State) -> &G::State,
) -> Result<Box<dyn Player>, AgentError> {
    let make = move |game: &G| {
        (making.maker)(&making.agent, game.clone(), lanes(), making.role, making.seed)
    };
    let player = Some(make(&game)?);
    let make = Box::new(move |game: &G| make(game).expect("the same player was made before"));
    Ok(Box::new(Seated { game, chance, make, player, read }))
}

/// States of steered games are states of any game.
fn itself(state: &State) -> &State {
    state
}

/// The agent with play-outs in which all moves are equally likely: those ask the game for their moves.
fn plain(agent: &Agent) -> Agent {
    let mut plain = agent.clone();
    let parts = std::iter::once(&mut plain.part).chain(&mut plain.video);
    for part in parts.filter(|part| part.name == "mcts") {
        part.options.retain(|(key, _)| key != "playout");
        part.options.push(("playout".to_owned(), Value::from("random")));
    }
    plain
}

/// The most legal moves among which a move is looked for by its name for people.
const MAX_NAMED: usize = 20_000;
/// The most legal moves that are told apart by their names for people.
const MAX_TOLD_APART: usize = 300;

/// The names of moves for people.
fn short_names<G: Describe>(
    game: &mut G,
    show: &dyn Show<G>,
    state: &G::State,
    moves: &[(Role, Move)],
) -> Vec<String> {
    let mut known: Vec<Option<MoveNames>> = vec![None; game.role_count()];
    let mut legal = Vec::new();
    let name = |&(role, mov): &(Role, Move)| {
        let term = game.move_name(role, mov);
        let all = known[role.index()].get_or_insert_with(|| {
            legal.clear();
            if show.names_by_state() {
                game.legal_moves(state, role, &mut legal);
                game.take_fault();
            }
            let told_apart = if legal.len() > MAX_TOLD_APART { &[][..] } else { &legal };
            let terms: Vec<String> =
                told_apart.iter().map(|&mov| game.move_name(role, mov)).collect();
            show.names(game, state, &terms)
        });
        if let Some(name) = all.of(&term) {
            return name.to_owned();
        }
        let alone = show.names(game, state, std::slice::from_ref(&term));
        alone.of(&term).map(str::to_owned).unwrap_or(term)
    };
    moves.iter().map(name).collect()
}

/// An answer, unless the game hit a limit while it was worked out.
fn sound<G: Game, T>(game: &mut G, answer: T) -> Result<T, Fault> {
    game.take_fault().map_or(Ok(answer), Err)
}
