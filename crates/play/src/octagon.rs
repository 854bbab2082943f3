//! The Octagon Theory by its name, as any game is called; what it is made of is `games/octagon.toml`.
//!
//! `octagon` is the game as that file has it; settings in parentheses choose another board, stock or
//! reading of the rules: `octagon(small)`, `octagon(board=medium, cannon=line_shift)`.

use gamegrove_octagon::{Config, Octagon};
use gamegrove_settings::TextError;

use crate::load::Source;
use crate::native::Native;
use crate::notice::{Notice, Severity};
use crate::problem::{Problem, Result};
use crate::text::SourceText;

/// What the other crates must know of it.
pub(crate) static GAME: Native = Native {
    name: "octagon",
    text: include_str!("../../../games/octagon.toml"),
    tags: &["octagons"],
    agent: "octagon_grove",
    load,
};

/// The game of a data file with the settings of its name.
fn load(source: &Source) -> Result<Octagon> {
    let text = String::from_utf8_lossy(&source.text);
    let config = Config::parse(&text).map_err(|error| Problem::Rules {
        game: source.name.clone(),
        found: vec![notice(&text, &error)],
        text: Box::new(SourceText::new(&source.name, text.as_bytes())),
    })?;
    let rules = config.rules(source.settings()).map_err(|problem| {
        let help = "settings are board, stock, cannon, two_piece, moves and images, as in \
                    octagon(board=small, cannon=line_shift), which games/octagon.toml explains; start \
                    and turn, as in octagon(start=f3 g4 f5 g6, turn=2), begin in a position of a game";
        Problem::usage(format!("{}: {problem}", source.name), help)
    })?;
    Octagon::new(rules)
        .map_err(|error| Problem::broken(format!("{}: {error}", source.name), "mend the board"))
}

/// What is wrong with a data file, as it is shown to people.
fn notice(text: &str, error: &TextError) -> Notice {
    let end = text[error.at..].find('\n').map_or(text.len(), |length| error.at + length);
    Notice {
        severity: Severity::Error,
        code: "octagon",
        message: error.problem.clone(),
        span: error.at..end,
        label: "here".to_owned(),
        help: "games/octagon.toml has every key, with what it may be".to_owned(),
        related: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_in_settings_are_named() {
        let source = Source::open("octagon(borad=small)").expect("the game is known");
        let problem = load(&source).expect_err("no such setting");
        assert!(problem.to_string().contains("did you mean `board`?"), "{problem}");
        assert!(load(&Source::open("octagon(medium)").expect("known")).is_ok());
    }

    #[test]
    fn mistakes_in_files_have_their_place() {
        let text = GAME.text.replace("cannon = \"last_piece\"", "cannon = \"lost_piece\"");
        let error = Config::parse(&text).expect_err("a wrong word");
        let notice = notice(&text, &error);
        assert_eq!(&text[notice.span.clone()], "\"lost_piece\"");
        assert!(notice.message.contains("last_piece"), "{}", notice.message);
    }
}
