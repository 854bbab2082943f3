//! What a person types while playing.

use std::io::{self, BufRead, IsTerminal, Read, StdinLock};

use gamegrove_play::names::nearest;

/// The longest line that is read; nobody types more.
const LONGEST: u64 = 1 << 16;

/// Lines from a person, or from a file that stands in for one.
#[derive(Debug)]
pub struct Input<R> {
    from: R,
    /// Whether what is typed shows on the screen by itself.
    pub echoes: bool,
}

impl Input<StdinLock<'static>> {
    /// Standard input.
    pub fn stdin() -> Self {
        Input { echoes: io::stdin().is_terminal(), from: io::stdin().lock() }
    }
}

impl<R: BufRead> Input<R> {
    /// The next line without its end; nothing at the end of input.
    pub fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let read = self.from.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
        // A line without an end is no line of a person: better to stop than to read on for ever.
        if read == 0 || read as u64 == LONGEST {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()))
    }
}

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// To play the legal move at this place of the list.
    Play(usize),
    /// To say what can be typed.
    Help,
    /// To list the legal moves that contain this text.
    Moves(String),
    /// To say what the legal move at this place of the list would do.
    Look(usize),
    /// The same for something that is no name of a legal move.
    LookAt(String),
    /// To show all facts of the state.
    Facts,
    /// To take the last move back.
    Undo,
    /// To leave the game.
    Quit,
    /// Nothing.
    Nothing,
    /// Something that is not understood; what to say about it.
    Unclear(String),
}

/// Understands a line, given the names of the legal moves in the order they are listed.
pub fn understand(line: &str, legal: &[String]) -> Request {
    let plain = plain(line);
    if plain.is_empty() {
        return Request::Nothing;
    }
    if let Ok(number) = line.trim().parse::<usize>() {
        return match number.checked_sub(1).filter(|&index| index < legal.len()) {
            Some(index) => Request::Play(index),
            None => Request::Unclear(format!("the moves are numbered 1 to {}", legal.len())),
        };
    }
    if let Some(index) = legal.iter().position(|name| self::plain(name) == plain) {
        return Request::Play(index);
    }
    let (word, rest) = plain.split_once(' ').unwrap_or((&plain, ""));
    match (word, rest) {
        ("help" | "h" | "?", "") => Request::Help,
        ("moves" | "m", filter) => Request::Moves(filter.to_owned()),
        ("look" | "l", wanted) if !wanted.is_empty() => match understand(wanted, legal) {
            Request::Play(index) => Request::Look(index),
            _ => Request::LookAt(wanted.to_owned()),
        },
        ("facts" | "f", "") => Request::Facts,
        ("undo" | "u", "") => Request::Undo,
        ("quit" | "q" | "exit", "") => Request::Quit,
        _ => Request::Unclear(match nearest(&plain, legal.iter().map(String::as_str))[..] {
            [only] => format!("that is no legal move; did you mean {only}?"),
            _ => "that is no legal move; type moves to see them, or help".to_owned(),
        }),
    }
}

/// A move without what can be left out: outer parentheses, capitals, extra spaces.
fn plain(text: &str) -> String {
    let text = text.trim().to_lowercase();
    let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(&text);
    let spaced = inside.replace('(', " ( ").replace(')', " ) ");
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What can be typed.
pub const HELP: &str = "  a number       play that move of the list
  a move         play it; the outer parentheses can be left out: mark 1 2
  moves          list the legal moves again
  moves TEXT     list those that contain TEXT
  look MOVE      show what a move would do
  facts          show everything that holds in this state
  undo           take your last move back
  quit           leave the game
";

#[cfg(test)]
mod tests {
    use super::*;

    fn input(text: &[u8]) -> Input<&[u8]> {
        Input { from: text, echoes: false }
    }

    #[test]
    fn lines_are_read_until_the_end() {
        let mut lines = input(b"1\r\n  (mark 1 1) \n\n\xff\nlast");
        let mut next = || lines.line().expect("memory can be read");
        assert_eq!(next().as_deref(), Some("1"));
        assert_eq!(next().as_deref(), Some("(mark 1 1)"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next().as_deref(), Some("\u{fffd}"));
        assert_eq!(next().as_deref(), Some("last"));
        assert_eq!(next(), None);
    }

    #[test]
    fn endless_lines_end() {
        let mut endless = Input { from: io::BufReader::new(io::repeat(0)), echoes: false };
        assert_eq!(endless.line().expect("memory can be read"), None);
    }

    #[test]
    fn moves_are_understood_however_they_are_written() {
        let legal = ["(mark 1 1)", "(mark 1 (cell 2))", "help", "7"].map(str::to_owned);
        let understand = |line: &str| understand(line, &legal);
        for line in ["1", " 1 ", "(mark 1 1)", "mark 1 1", "MARK  1 1", "( mark 1 1 )"] {
            assert_eq!(understand(line), Request::Play(0), "{line}");
        }
        for line in ["mark 1 (cell 2)", "(mark 1( cell 2))"] {
            assert_eq!(understand(line), Request::Play(1), "{line}");
        }
        // A move's name goes before a command's; a number is a place in the list.
        assert_eq!(understand("help"), Request::Play(2));
        assert_eq!(understand("?"), Request::Help);
        assert_eq!(understand("(7)"), Request::Play(3));
        assert!(matches!(understand("7"), Request::Unclear(_)));
        assert!(matches!(understand("0"), Request::Unclear(_)));
        assert!(matches!(understand("99999999999999999999999"), Request::Unclear(_)));
    }

    #[test]
    fn commands_are_understood() {
        let understand = |line: &str| understand(line, &["(mark 1 1)".to_owned()]);
        assert_eq!(understand("moves"), Request::Moves(String::new()));
        assert_eq!(understand("moves mark 1"), Request::Moves("mark 1".to_owned()));
        assert_eq!(understand("look mark 1 1"), Request::Look(0));
        assert_eq!(understand("look 1"), Request::Look(0));
        assert_eq!(understand("look it up"), Request::LookAt("it up".to_owned()));
        assert!(matches!(understand("look"), Request::Unclear(_)));
        assert_eq!(understand("FACTS"), Request::Facts);
        assert_eq!(understand("u"), Request::Undo);
        assert_eq!(understand("exit"), Request::Quit);
        assert_eq!(understand("   "), Request::Nothing);
        assert_eq!(
            understand("mark 1 11"),
            Request::Unclear("that is no legal move; did you mean (mark 1 1)?".to_owned())
        );
        assert!(matches!(understand("undo it"), Request::Unclear(_)));
        assert!(matches!(understand(")("), Request::Unclear(_)));
    }
}
