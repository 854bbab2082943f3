//! Playing games of any kind: opening a game by name or path, players, matches, records.
//!
//! ```text
//! name or path ─ Source::open ─ Source ─ open ─ Arc<dyn Board> ─┬─ player (an Agent) ─ Box<dyn Player>
//!                (load, library)                                ├─ Match ◄─ referee, real_time
//!                                                               └─ play_matches, play_outs
//! ```
//!
//! This is the one place where the type of a game is erased: see [`Board`]. Everything that offers games to
//! people (commands, experiments, pages) opens them here, so that a game has one name and a mistake one
//! message.
//!
//! ```
//! use gamegrove_agents::Agent;
//! use gamegrove_play::load::{LevelChoice, Source};
//! use gamegrove_play::matches::{Clocks, MatchRules};
//! use gamegrove_play::{Entrant, Setup, StopFlag, open, referee, seats};
//!
//! let source = Source::open("tic_tac_toe")?;
//! let board = open(&source, &LevelChoice::Number(0), &Setup::default())?;
//! let entrants = [Agent::find("mcts")?, Agent::find("random")?].map(Entrant::new);
//! let clocks = Clocks::simulations(100);
//! let rules = MatchRules { clocks, step_limit: 100, seed: 1, facts: false };
//! let mut players = seats(&board, &entrants, rules.seed)?;
//! let record = referee(&board, &mut players, &rules, &StopFlag::default());
//! assert_eq!(record.goals.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! - [`board`] is the interface to a game that was set up; [`state`] and [`view`] are what it returns,
//!   [`typed`] is a game of a known type behind it, [`show`] and [`drawing`] how it is drawn and
//!   observed, [`places`] the cells that moves mean. [`mod@open`] makes one; [`reasoner`] is where a
//!   reasoner's name becomes a game of known type.
//! - [`player`] is the interface to players. [`steered`] lets a function choose the moves of play-outs,
//!   [`bridge`] lets a player use another reasoner than its match. [`budget`] is what one decision may
//!   cost.
//! - [`course`] is [`Match`]. [`mod@referee`] and [`mod@real_time`] drive matches, [`fixture`] is a
//!   whole match as data, [`play_outs`] are random games in bulk, [`speed`] random games against
//!   the clock. [`mod@matches`] has clocks, records,
//!   assignments, points and tallies.
//! - Games: [`library`] (those that ship), [`load`] (by name or path), [`video`] (levels), [`native`]
//!   and [`octagon`] (programs), [`rules`], [`metadata`], [`hardware`].
//! - For people: [`agent`], [`names`], [`units`], [`notice`], [`problem`], [`text`], [`picture`],
//!   [`sprites`], [`shapes`], [`stock`].
//!
//! # Invariants
//!
//! A player sees no outcome of chance before it is drawn: the driver draws the state anew, or the player
//! that [`Board::player`] made does. A move that is late, missing or illegal is replaced and recorded.
//! With budgets that are counted, a match depends on its fixture alone.

pub mod agent;
mod board;
mod bridge;
mod budget;
mod course;
mod drawing;
mod fixture;
pub mod hardware;
pub mod library;
pub mod load;
pub mod matches;
pub mod metadata;
pub mod names;
pub mod native;
pub mod notice;
mod octagon;
mod open;
pub mod picture;
mod places;
mod play_outs;
mod player;
mod problem;
mod real_time;
pub mod reasoner;
mod referee;
mod rules;
mod shapes;
mod show;
mod speed;
pub mod sprites;
mod state;
mod steered;
mod stock;
pub mod text;
mod typed;
pub mod units;
pub mod video;
mod view;

pub use board::{About, Board, Last, RealTime};
pub use budget::{Budget, StopFlag};
pub use course::{Broken, Match, Refused};
pub use drawing::{Drawing, Frame, Spot, SpriteLook, without_style};
pub use fixture::{Entrant, Fixture, Played, play, player_seeds, seats};
pub use open::{Setup, open, open_level, open_network, open_prover, open_rules};
pub use play_outs::{PlayOuts, PlayOutsWanted};
pub use player::{Hooks, Player, PlayoutFn, choose_in_slices};
pub use problem::{Problem, Result};
pub use real_time::{real_time, seat_seed, tick_budget};
pub use referee::{Seat, referee};
pub use rules::Rules;
pub use speed::{Heard, Speed, SpeedWanted};
pub use state::State;
pub use view::{Legal, View};
