//! The driver of a match whose players listen elsewhere: all are asked at the same time, over HTTP or in
//! this process, each in words of its own if symbols are scrambled.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gamegrove_game::{Rng, Role};
use gamegrove_gdl::Diagnostic;
use gamegrove_play::matches::{
    Allowance, Answer, Clocks, Ending, MatchRecord, MatchRules, SearchRecord, Wrong,
};
use gamegrove_play::{Board, Match};
use hyper::body::Bytes;
use thiserror::Error;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::client::{Address, Heard, post, quote};
use crate::message::Message;
use crate::player::{Seat, SeatConfig};
use crate::scramble::Scrambler;
use crate::wording::flatten;

/// A player of a match.
#[derive(Clone, Debug)]
pub enum Contender {
    /// A player that listens somewhere.
    Remote(Address),
    /// A player in this process.
    Local(Box<SeatConfig>),
}

/// Why a match cannot be prepared.
#[derive(Debug, Error)]
pub enum WiresError {
    /// The rules cannot be sent.
    #[error("the rules cannot be sent: {}", .0.message)]
    Rules(Box<Diagnostic>),
    /// No threads or sockets.
    #[error("no network: {0}")]
    Runtime(#[from] io::Error),
}

/// The players of one match.
#[derive(Debug)]
pub struct Wires {
    runtime: Runtime,
    id: String,
    clocks: Clocks,
    players: Vec<Wire>,
    /// What the players are sent, without scrambling.
    rules: String,
}

#[derive(Debug)]
struct Wire {
    end: End,
    scrambler: Option<Scrambler>,
}

#[derive(Clone, Debug)]
enum End {
    Remote(Address),
    Local(Arc<Seat>),
}

/// How long the last message of a match may take: nothing depends on the answer.
const FAREWELL: Duration = Duration::from_secs(3);

impl Wires {
    /// Players for a match called `id`, in the order of the roles. With `scramble` each gets words of
    /// its own, which depend on that number.
    pub fn new(
        id: String,
        rules: &[u8],
        contenders: Vec<Contender>,
        clocks: Clocks,
        scramble: Option<u64>,
    ) -> Result<Wires, WiresError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(4)
            .enable_all()
            .build()?;
        let flat = flatten(rules).map_err(WiresError::Rules)?;
        let mut players = Vec::with_capacity(contenders.len());
        for (number, contender) in (0..).zip(contenders) {
            let scrambler = scramble
                .map(|seed| Scrambler::new(rules, &mut Rng::stream(seed, number)))
                .transpose()
                .map_err(WiresError::Rules)?;
            let end = match contender {
                Contender::Remote(address) => End::Remote(address),
                Contender::Local(config) => End::Local(Arc::new(Seat::new(*config))),
            };
            players.push(Wire { end, scrambler });
        }
        Ok(Wires { runtime, id, clocks, players, rules: flat })
    }

    /// What every player says about itself: whether it is there, and free.
    pub fn greet(&self, within: Duration) -> Vec<Result<String, (Wrong, String)>> {
        let messages = self.players.iter().map(|_| Message::Info).collect();
        let replies = self.send(messages, within);
        replies.into_iter().map(|(reply, _)| reply.map(|bytes| quote(&bytes))).collect()
    }

    /// Sends a message to each player and waits for all replies, or until time is up.
    fn send(&self, messages: Vec<Message>, within: Duration) -> Vec<(Heard, Duration)> {
        let count = messages.len();
        let mut replies = vec![(Err((Wrong::Connection, "lost".to_owned())), within); count];
        self.runtime.block_on(async {
            let mut waiting = JoinSet::new();
            for (number, (message, wire)) in messages.into_iter().zip(&self.players).enumerate() {
                let end = wire.end.clone();
                let text = message.to_string();
                waiting.spawn(async move {
                    let start = Instant::now();
                    let reply = timeout(within, end.ask(text)).await.unwrap_or_else(|_| {
                        let waited = within.as_secs_f64();
                        Err((Wrong::Late, format!("no answer within {waited:.3} s")))
                    });
                    (number, reply, start.elapsed())
                });
            }
            while let Some(done) = waiting.join_next().await {
                if let Ok((number, reply, taken)) = done {
                    replies[number] = (reply, taken);
                }
            }
        });
        replies
    }

    /// Plays one match as its game manager. `players` are their names, for the record.
    ///
    /// # Panics
    /// If there is not one player per role.
    pub fn play(
        &mut self,
        board: &Arc<dyn Board>,
        rules: &MatchRules,
        players: Vec<String>,
    ) -> MatchRecord {
        let roles = &board.about().roles;
        assert_eq!(self.players.len(), roles.len(), "every role has a player");
        let mut course = Match::new(Arc::clone(board), *rules);
        self.start(&mut course);
        while course.ending().is_none() {
            self.ask(&mut course);
            course.step();
        }
        self.finish(&course);
        MatchRecord { id: Some(self.id.clone()), ..course.record(players) }
    }

    /// Tells all players that the match starts, and records what was wrong with their answers.
    fn start(&self, course: &mut Match) {
        let roles: Vec<Role> = Role::all(self.players.len()).collect();
        let names = course.board().about().roles.clone();
        let message = |(role, wire): (&Role, &Wire)| Message::Start {
            id: self.id.clone(),
            role: wire.hide(names[role.index()].clone()),
            rules: wire.scrambler.as_ref().map_or(&*self.rules, Scrambler::rules).to_owned(),
            start_clock: seconds(self.clocks.start),
            play_clock: seconds(self.clocks.play),
        };
        let messages = roles.iter().zip(&self.players).map(message).collect();
        let replies = self.send(messages, self.with_grace(self.clocks.start));
        for (role, (reply, _)) in roles.into_iter().zip(replies) {
            let reply = reply.and_then(|bytes| match Message::read_reply(&bytes) {
                Ok(text) => Ok(text),
                Err(error) => Err((Wrong::Unreadable, error.to_string())),
            });
            match reply {
                Ok(text) if text == "ready" => {}
                Ok(text) => {
                    let said = quote(text.as_bytes());
                    course.offend(role, Wrong::Unreadable, format!("`{said}` in place of ready"));
                }
                Err((kind, what)) => course.offend(role, kind, format!("at the start: {what}")),
            }
        }
    }

    /// Asks all players for their moves.
    fn ask(&self, course: &mut Match) {
        let message =
            |wire: &Wire| Message::Play { id: self.id.clone(), joint: wire.last_joint(course) };
        let messages = self.players.iter().map(message).collect();
        let replies = self.send(messages, self.with_grace(self.clocks.play));
        let roles = Role::all(self.players.len());
        for ((role, wire), (reply, taken)) in roles.zip(&self.players).zip(replies) {
            let choice = reply.and_then(|bytes| {
                let text = Message::read_reply(&bytes).map_err(|error| {
                    (Wrong::Unreadable, format!("`{}`: {error}", quote(&bytes)))
                })?;
                course.legal_by_name(role, &wire.reveal(text)).map_err(|_| {
                    (Wrong::Illegal, format!("`{}` is not a legal move", quote(&bytes)))
                })
            });
            let search = wire.end.last_search();
            course.answer(role, Answer { choice, taken, search });
        }
    }

    /// Tells all players that the match is over.
    fn finish(&self, course: &Match) {
        let message = |wire: &Wire| match course.ending() {
            Some(Ending::Terminal) => {
                Message::Stop { id: self.id.clone(), joint: wire.last_joint(course) }
            }
            _ => Message::Abort { id: self.id.clone() },
        };
        let messages = self.players.iter().map(message).collect();
        // The match is over, whatever they answer.
        self.send(messages, FAREWELL);
    }

    fn with_grace(&self, allowance: Allowance) -> Duration {
        seconds(allowance).saturating_add(self.clocks.grace)
    }
}

impl End {
    async fn ask(self, text: String) -> Heard {
        match self {
            End::Remote(address) => post(&address, text).await,
            End::Local(seat) => {
                let reply = seat.answer(Instant::now(), text.into_bytes()).await;
                match reply.is_ok {
                    true => Ok(Bytes::from(reply.text)),
                    false => Err((Wrong::Unreadable, format!("refused: {}", reply.text))),
                }
            }
        }
    }

    /// What the search before the last move found; players elsewhere do not tell.
    fn last_search(&self) -> Option<SearchRecord> {
        match self {
            End::Remote(_) => None,
            End::Local(seat) => seat.last_search(),
        }
    }
}

impl Wire {
    /// The last joint move of a match in the words of this player; `None` at the start.
    fn last_joint(&self, course: &Match) -> Option<Vec<String>> {
        let joint = course.joint(course.plies().checked_sub(1)?)?;
        Some(course.names(joint).into_iter().map(|name| self.hide(name)).collect())
    }

    fn hide(&self, text: String) -> String {
        self.scrambler.as_ref().map_or_else(|| text.clone(), |scrambler| scrambler.hide(&text))
    }

    fn reveal(&self, text: String) -> String {
        self.scrambler.as_ref().map_or_else(|| text.clone(), |scrambler| scrambler.reveal(&text))
    }
}

/// A clock as the message carries it.
fn seconds(allowance: Allowance) -> Duration {
    match allowance {
        Allowance::Time(time) | Allowance::Processor(time) => time,
        Allowance::Nothing | Allowance::Simulations(_) => Duration::ZERO,
    }
}
