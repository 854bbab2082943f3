//! The messages of a manager: one S-expression each [Sironi 2019, 3.1.2].
//!
//! Keywords are read in any case. The reader of rulesheets reads messages too, so its limits on length
//! and depth hold here; rules are cut out of the message as they stand.

use std::fmt;
use std::time::Duration;

use gamegrove_gdl::sexpr::NodeId;
use thiserror::Error;

use crate::wording::{Expressions, spaced};

/// What a manager sends.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Are you there, and free?
    Info,
    /// Rules of a match that may follow.
    Preview {
        /// The rulesheet.
        rules: String,
        /// Time to look at it.
        clock: Duration,
    },
    /// A match starts.
    Start {
        /// What it is called from now on.
        id: String,
        /// The player's role.
        role: String,
        /// The rulesheet.
        rules: String,
        /// Time before the first move.
        start_clock: Duration,
        /// Time for each move.
        play_clock: Duration,
    },
    /// Your move, please.
    Play {
        /// The match.
        id: String,
        /// The joint move of the last step, in the order of the roles; nothing at first.
        joint: Option<Vec<String>>,
    },
    /// The match is over.
    Stop {
        /// The match.
        id: String,
        /// The joint move of the last step.
        joint: Option<Vec<String>>,
    },
    /// The match is given up.
    Abort {
        /// The match.
        id: String,
    },
}

/// Why a text is no message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MessageError {
    /// It is no S-expression.
    #[error("not an expression: {0}")]
    Unreadable(String),
    /// It is not one list.
    #[error("a message is one list, such as ( INFO )")]
    NotOneList,
    /// The first word is none of the protocol.
    #[error("`{0}` is not a message; messages are INFO, PREVIEW, START, PLAY, STOP and ABORT")]
    Unknown(String),
    /// Something is missing or wrong.
    #[error("{0}")]
    Malformed(&'static str),
}

/// Longer clocks than this are read as this: ten years.
const LONGEST_CLOCK: f64 = 3e8;

impl Message {
    /// Reads a message.
    pub fn read(text: &[u8]) -> Result<Message, MessageError> {
        let read = Expressions::read(text)
            .map_err(|problem| MessageError::Unreadable(problem.message.clone()))?;
        let top: Vec<NodeId> = read.tree.top_level().collect();
        let parts = match top[..] {
            [only] => read.list(only),
            _ => None,
        };
        let parts = parts.ok_or(MessageError::NotOneList)?;
        let keyword = parts.first().and_then(|&first| read.word(first));
        let reader = Parts { text, read: &read, parts: &parts };
        match keyword.ok_or(MessageError::NotOneList)? {
            "info" => Ok(Message::Info),
            "preview" => Ok(Message::Preview { rules: reader.rules(1)?, clock: reader.clock(2)? }),
            "start" => Ok(Message::Start {
                id: reader.id()?,
                role: reader.term(2).ok_or(MessageError::Malformed("START names no role"))?,
                rules: reader.rules(3)?,
                start_clock: reader.clock(4)?,
                play_clock: reader.clock(5)?,
            }),
            "play" => Ok(Message::Play { id: reader.id()?, joint: reader.joint() }),
            "stop" => Ok(Message::Stop { id: reader.id()?, joint: reader.joint() }),
            "abort" => Ok(Message::Abort { id: reader.id()? }),
            other => Err(MessageError::Unknown(other.chars().take(40).collect())),
        }
    }

    /// Reads a player's reply: one expression, in the spelling of [`Message::Play`]'s moves.
    pub fn read_reply(text: &[u8]) -> Result<String, MessageError> {
        let read = Expressions::read(text)
            .map_err(|problem| MessageError::Unreadable(problem.message.clone()))?;
        let mut top = read.tree.top_level();
        match (top.next(), top.next()) {
            (Some(only), None) => Ok(read.term(only)),
            (Some(_), Some(_)) => Err(MessageError::Malformed("more than one expression")),
            (None, _) => Err(MessageError::Malformed("an empty reply")),
        }
    }
}

struct Parts<'a> {
    text: &'a [u8],
    read: &'a Expressions,
    parts: &'a [NodeId],
}

impl Parts<'_> {
    fn written(&self, node: NodeId) -> String {
        let span = self.read.tree.node(node).span;
        String::from_utf8_lossy(&self.text[span.start as usize..span.end as usize]).into_owned()
    }

    fn id(&self) -> Result<String, MessageError> {
        let id = self.parts.get(1).filter(|&&node| self.read.word(node).is_some());
        id.map(|&node| self.written(node)).ok_or(MessageError::Malformed("no match is named"))
    }

    fn term(&self, place: usize) -> Option<String> {
        self.parts.get(place).map(|&node| self.read.term(node))
    }

    /// What stands in the list at `place`, as it was written.
    fn rules(&self, place: usize) -> Result<String, MessageError> {
        let list = self.parts.get(place).filter(|&&node| self.read.word(node).is_none());
        let written = list.map(|&node| self.written(node));
        let inner = written
            .as_deref()
            .and_then(|text| text.strip_prefix('(')?.strip_suffix(')'))
            .map(str::to_owned);
        inner.ok_or(MessageError::Malformed("the rules are not a list"))
    }

    fn clock(&self, place: usize) -> Result<Duration, MessageError> {
        let word = self.parts.get(place).and_then(|&node| self.read.word(node));
        let seconds = word.and_then(|word| word.parse::<f64>().ok());
        seconds
            .filter(|seconds| *seconds >= 0.0)
            .map(|seconds| Duration::from_secs_f64(seconds.min(LONGEST_CLOCK)))
            .ok_or(MessageError::Malformed("a clock is a number of seconds"))
    }

    /// NIL, nothing and an empty list all mean that there was no step.
    fn joint(&self) -> Option<Vec<String>> {
        let moves = self.read.list(*self.parts.get(2)?)?;
        (!moves.is_empty()).then(|| moves.iter().map(|&node| self.read.term(node)).collect())
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Info => write!(f, "( INFO )"),
            Message::Preview { rules, clock } => {
                write!(f, "( PREVIEW ( {rules} ) {} )", clock.as_secs_f64())
            }
            Message::Start { id, role, rules, start_clock, play_clock } => {
                let (start, play) = (start_clock.as_secs_f64(), play_clock.as_secs_f64());
                write!(f, "( START {id} {} ( {rules} ) {start} {play} )", spaced(role))
            }
            Message::Play { id, joint } => write!(f, "( PLAY {id} {} )", Joint(joint)),
            Message::Stop { id, joint } => write!(f, "( STOP {id} {} )", Joint(joint)),
            Message::Abort { id } => write!(f, "( ABORT {id} )"),
        }
    }
}

struct Joint<'a>(&'a Option<Vec<String>>);

impl fmt::Display for Joint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(moves) = self.0 else { return write!(f, "NIL") };
        write!(f, "(")?;
        moves.iter().try_for_each(|mov| write!(f, " {}", spaced(mov)))?;
        write!(f, " )")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    fn read(text: &str) -> Message {
        Message::read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn every_message_is_read_as_the_specification_writes_it() {
        assert_eq!(read("( INFO )"), Message::Info);
        assert_eq!(read("(info)"), Message::Info);
        assert_eq!(
            read("( START Match.7 White ( (role White) (init (cell 1 1 b)) ) 30 10 )"),
            Message::Start {
                id: "Match.7".to_owned(),
                role: "white".to_owned(),
                rules: " (role White) (init (cell 1 1 b)) ".to_owned(),
                start_clock: seconds(30),
                play_clock: seconds(10),
            }
        );
        let play = |joint: Option<&[&str]>| Message::Play {
            id: "m".to_owned(),
            joint: joint.map(|moves| moves.iter().map(|&mov| mov.to_owned()).collect()),
        };
        assert_eq!(read("( PLAY m NIL )"), play(None));
        assert_eq!(read("( play m nil)"), play(None));
        assert_eq!(read("( PLAY m ( ) )"), play(None));
        assert_eq!(read("( PLAY m ((MARK 1 1) noop))"), play(Some(&["(mark 1 1)", "noop"])));
        assert_eq!(read("( PLAY m ( noop ) )"), play(Some(&["noop"])));
        let stop = Message::Stop { id: "m".to_owned(), joint: Some(vec!["a".into(), "b".into()]) };
        assert_eq!(read("( Stop m ( a ( b ) ) )"), stop);
        assert_eq!(read("( ABORT m )"), Message::Abort { id: "m".to_owned() });
        assert_eq!(
            read("( PREVIEW ((role x)) 0.5 )"),
            Message::Preview { rules: "(role x)".to_owned(), clock: Duration::from_millis(500) }
        );
    }

    #[test]
    fn what_is_no_message_is_said() {
        let wrong = |text: &str| Message::read(text.as_bytes()).unwrap_err().to_string();
        assert!(wrong("").contains("one list"));
        assert!(wrong("info").contains("one list"));
        assert!(wrong("()").contains("one list"));
        assert!(wrong("(info) (info)").contains("one list"));
        assert!(wrong("(info").contains("never closed"));
        assert!(wrong("( MOVE m )").contains("`move` is not a message"));
        assert!(wrong("( PLAY )").contains("no match"));
        assert!(wrong("( PLAY (m) NIL )").contains("no match"));
        assert!(wrong("( START m )").contains("no role"));
        assert!(wrong("( START m x y 1 1 )").contains("not a list"));
        assert!(wrong("( START m x ((role x)) 1 )").contains("clock"));
        assert!(wrong("( START m x ((role x)) -1 1 )").contains("clock"));
        assert!(wrong("( START m x ((role x)) nan 1 )").contains("clock"));
        assert!(wrong(&"(".repeat(10_000)).contains("deep"));
        assert!(Message::read(b"( PLAY m \xff )").is_err());
    }

    #[test]
    fn clocks_without_bound_are_bounded() {
        let message = read("( START m x ((role x)) 1e300 99999999999999999999 )");
        let Message::Start { start_clock, play_clock, .. } = message else { panic!("a start") };
        assert_eq!((start_clock, play_clock), (seconds(300_000_000), seconds(300_000_000)));
    }

    #[test]
    fn replies_are_one_expression() {
        assert_eq!(Message::read_reply(b" ( MARK 1 2 )\n").as_deref(), Ok("(mark 1 2)"));
        assert_eq!(Message::read_reply(b"Ready").as_deref(), Ok("ready"));
        assert!(Message::read_reply(b"").is_err());
        assert!(Message::read_reply(b"a b").is_err());
        assert!(Message::read_reply(b"(a").is_err());
    }

    fn a_move() -> impl Strategy<Value = String> {
        let word = "[a-z0-9_+-]{1,6}".prop_filter("no NIL", |word| word != "nil");
        word.prop_recursive(3, 12, 3, |inner| {
            ("[a-z]{1,4}", prop::collection::vec(inner, 1..3))
                .prop_map(|(name, args)| format!("({name} {})", args.join(" ")))
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            id in "[A-Za-z0-9._-]{1,20}",
            moves in prop::collection::vec(a_move(), 1..4),
            clock in 0u32..100_000,
        ) {
            let clock = Duration::from_millis(u64::from(clock));
            let joint = Some(moves.clone());
            let all = [
                Message::Play { id: id.clone(), joint: joint.clone() },
                Message::Stop { id: id.clone(), joint },
                Message::Play { id: id.clone(), joint: None },
                Message::Abort { id: id.clone() },
                Message::Preview { rules: " (role x) ".to_owned(), clock },
                Message::Start {
                    id,
                    role: moves[0].clone(),
                    rules: " (role x) (init y) ".to_owned(),
                    start_clock: clock,
                    play_clock: clock * 2,
                },
            ];
            for message in all {
                prop_assert_eq!(Message::read(message.to_string().as_bytes()).map(trimmed), Ok(trimmed(message)));
            }
        }

        #[test]
        fn no_bytes_break_the_reader(text in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Message::read(&text);
            let _ = Message::read_reply(&text);
        }
    }

    /// Blanks around rules mean nothing.
    fn trimmed(message: Message) -> Message {
        match message {
            Message::Preview { rules, clock } => {
                Message::Preview { rules: rules.trim().to_owned(), clock }
            }
            Message::Start { id, role, rules, start_clock, play_clock } => {
                Message::Start { id, role, rules: rules.trim().to_owned(), start_clock, play_clock }
            }
            other => other,
        }
    }
}
