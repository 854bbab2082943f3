//! The interface to a game whose type is not known.
//!
//! ```text
//! Source ─ open ─ Arc<dyn Board> ─ start ─ State ─ view, next, goals, facts, text, play_outs, ...
//!                        ├── player (an Agent) ─ Box<dyn Player>
//!                        ├── Match::new ─ submit, step, undo, record
//!                        └── play_matches (fixtures) ─ records
//! ```
//!
//! A board answers short questions with one worker behind a lock; [`Board::another`] is the same game with
//! a worker of its own, for another thread. Long work takes a clone of the worker. States are values: they
//! are understood by every board that was made with `another`. Hot loops (searches, play-outs) are compiled
//! for the type of the game and lie below this interface: it costs one virtual call for each question.

use std::sync::Arc;

use gamegrove_agents::{Agent, AgentError, NoEffect};
use gamegrove_game::walk::Distinct;
use gamegrove_game::{Batch, BatchError, BatchSetup, Fault, Move, Perft, Rng, Role};
use gamegrove_view::{MoveNames, TextStyle, Theme};

use crate::budget::StopFlag;
use crate::drawing::{Drawing, Spot};
use crate::fixture::{Fixture, Played};
use crate::library::Kind;
use crate::play_outs::{PlayOuts, PlayOutsWanted};
use crate::player::{Hooks, Player};
use crate::speed::{Heard, Speed, SpeedWanted};
use crate::state::State;
use crate::view::View;

/// Facts about a game that hold from its set-up on.
#[derive(Clone, Debug)]
pub struct About {
    /// The shipped game's name, or the path as given.
    pub game: String,
    /// The language of its rules.
    pub kind: Kind,
    /// The names of the roles.
    pub roles: Vec<String>,
    /// The reasoner that answers questions about the rules, in a word.
    pub reasoner: String,
    /// The choices of the set-up with their reasons, and findings about the texts, in sentences.
    pub remarks: Vec<String>,
    /// Whether chance takes part, so that a state shown to a player is drawn anew.
    pub chance: bool,
    /// How many random games can be under way at once; 0 if they are played one after another.
    pub lanes: usize,
    /// The sizes of the array that [`Board::observe`] fills; `None` if the facts that may ever hold are
    /// not known.
    pub shape: Option<Vec<usize>>,
    /// Games in real time: the move that does nothing, and which level this is.
    pub real_time: Option<RealTime>,
}

/// Facts about a game in which a tick goes by whether a role has decided or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RealTime {
    /// The move that does nothing.
    pub waiting: Move,
    /// The level's number, if it has one.
    pub level: Option<usize>,
    /// The level's name for people.
    pub level_name: String,
}

/// The step that led to a state: the state before it and its joint move.
pub type Last<'a> = (&'a State, &'a [Move]);

/// A game that was set up. States given to it must be its own.
pub trait Board: Send + Sync {
    /// Facts about the game.
    fn about(&self) -> &About;

    /// The same game with a worker of its own, for another thread.
    fn another(&self) -> Arc<dyn Board>;

    /// As [`another`](Board::another), where questions end soon after `stop` is set, those of players made
    /// by it too.
    fn stoppable(&self, stop: &StopFlag) -> Arc<dyn Board>;

    /// Whether a state belongs to this game: asking about another is a panic.
    fn knows(&self, state: &State) -> bool;

    /// The state in which play starts. Equal seeds have equal chance.
    fn start(&self, seed: u64) -> State;

    /// The state in which these facts hold and no others, as [`facts`](Board::facts) writes them; `None` if
    /// the reasoner cannot name it, or cannot tell.
    fn state_of(&self, facts: &[String]) -> Option<State>;

    /// Whether play is over, and what each role may do or has reached.
    fn view(&self, state: &State) -> Result<View, Fault>;

    /// The legal moves of one role. Where the reasoner hits a limit, the moves it found before, with the
    /// limit.
    fn legal_moves(&self, state: &State, role: Role) -> (Vec<Move>, Option<Fault>);

    /// A legal move of a role, found without looking for all where the reasoner can; `None` if there is none
    /// or a limit was hit before one was found.
    fn any_move(&self, state: &State, role: Role) -> Option<Move>;

    /// The worth of a state to each role, from 0 to 100. Only states in which play is over are sure to
    /// have goals.
    fn goals(&self, state: &State) -> Result<Vec<f32>, Fault>;

    /// The state that follows when each role plays its entry of `joint`, which must be legal.
    fn next(&self, state: &State, joint: &[Move]) -> Result<State, Fault>;

    /// The same state with another future, in games of chance.
    fn resample(&self, state: &State, rng: &mut Rng) -> State;

    /// A state as a player may see it: in games of chance with a future drawn anew from `rng`, so that no
    /// player knows an outcome that is not drawn yet.
    fn shown(&self, state: &State, rng: &mut Rng) -> State {
        if !self.about().chance || state.is_shown() {
            return state.clone();
        }
        self.resample(state, rng).shown()
    }

    /// The points of each role, in games that have points besides goals.
    fn scores(&self, state: &State) -> Option<Vec<f64>>;

    /// Whether each role has won or lost, once that is decided, in games that say so besides goals.
    fn verdicts(&self, state: &State) -> Option<Vec<Option<bool>>>;

    /// The facts of a state, one sentence per fact, sorted.
    fn facts(&self, state: &State) -> Vec<String>;

    /// Every move of a role seen so far is below this number.
    fn move_bound(&self, role: Role) -> usize;

    /// The name of a move.
    fn move_name(&self, role: Role, mov: Move) -> String;

    /// The move of a role with this name, if the game has met one.
    fn find_move(&self, role: Role, name: &str) -> Option<Move>;

    /// The names that people read for legal moves of a role, each told apart from the others.
    fn names(&self, state: &State, role: Role, moves: &[Move]) -> MoveNames;

    /// These names for moves of any roles, each told apart from all legal moves of its role.
    fn short_names(&self, state: &State, moves: &[(Role, Move)]) -> Vec<String>;

    /// The names of moves that are expected one after another, step by step, as far as the rules allow
    /// them; the moves of roles without a choice may be left out.
    fn line_names(&self, state: &State, line: &[Vec<(Role, Move)>]) -> Vec<String>;

    /// The legal move that people mean by `text`: its term, its name for people, or another way to write it.
    fn interpret(&self, state: &State, role: Role, text: &str) -> Option<Move>;

    /// The effect of a move in words, if the game can tell.
    fn outcome(&self, state: &State, role: Role, mov: Move) -> Option<String>;

    /// How moves are written, line by line, if the game explains it.
    fn notation(&self) -> Option<&'static str>;

    /// A drawing in characters, with the cells marked that the last step is about.
    fn text(&self, state: &State, last: Option<Last<'_>>, style: TextStyle) -> String;

    /// A drawing that stands alone; `None` if no board can be seen in the facts.
    fn svg(
        &self,
        state: &State,
        last: Option<Last<'_>>,
        title: &str,
        theme: Theme,
    ) -> Option<String>;

    /// A drawing for a page, which brings its own colours and acts on cells.
    fn draw(&self, state: &State, last: Option<Last<'_>>) -> Drawing;

    /// The cells of the drawing that each of the legal `moves` of a role means: those it names, or those it
    /// changes.
    fn spots(&self, state: &State, role: Role, moves: &[Move]) -> Vec<Vec<Spot>>;

    /// Writes what a learner sees, in row-major order; `false` if the game has no
    /// [`shape`](About::shape).
    fn observe(&self, state: &State, seen: &mut Vec<u8>) -> bool;

    /// The meanings of the entries along the last axis of the shape.
    fn shape_names(&self) -> Vec<String>;

    /// Walks all sequences of `depth` joint moves, on `threads` threads. When it is stopped it ends with
    /// [`Fault::Stopped`].
    fn perft(
        &self,
        state: &State,
        depth: u32,
        threads: usize,
        stop: &StopFlag,
        heard: Heard<'_>,
    ) -> Result<Perft, Fault>;

    /// The different states within `depth` joint moves of the start, up to `limit` of them. `heard` is told
    /// now and then the depth and the number of states found.
    fn distinct(
        &self,
        depth: u32,
        limit: u64,
        heard: &mut dyn FnMut(u32, u64),
    ) -> Result<Distinct, Fault>;

    /// Plays random games from the start against the clock.
    fn speed(&self, wanted: SpeedWanted, heard: Heard<'_>) -> Speed;

    /// Plays random games, as many as `into` has room for. What is not played when it is stopped stays as
    /// it was.
    fn play_outs(
        &self,
        state: &State,
        wanted: &PlayOutsWanted,
        into: PlayOuts<'_>,
        stop: &StopFlag,
    ) -> Result<(), Fault>;

    /// Many games from the start that are stepped together with moves from outside, where the game has
    /// lanes.
    fn batch(&self, setup: BatchSetup) -> Result<Box<dyn Batch>, BatchError>;

    /// Makes a player of `role`; equal seeds make equal players.
    fn player(
        &self,
        agent: &Agent,
        role: Role,
        seed: u64,
        hooks: &Hooks,
    ) -> Result<Box<dyn Player>, AgentError>;

    /// Whether an agent can play here; its settings may ask for what the game does not have. Returns the
    /// given settings that have no effect here.
    fn admit(&self, agent: &Agent) -> Result<Vec<NoEffect>, AgentError> {
        Ok(self.player(agent, Role(0), 0, &Hooks::default())?.without_effect())
    }

    /// Plays whole matches and hands each over when it is done, by its place in `fixtures`. The call lies
    /// below the erasure so that many matches may share one pass of the reasoner; each depends on its own
    /// fixture alone, whatever is played beside it. When `stop` is set, an unfinished match
    /// ends where it is, with [`Ending::Stopped`](crate::matches::Ending::Stopped), and no further one begins.
    fn play_matches(
        self: Arc<Self>,
        fixtures: &[Fixture],
        stop: &StopFlag,
        done: &mut dyn FnMut(usize, Result<Played, AgentError>),
    );
}
