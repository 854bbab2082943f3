//! `grove games show octagon`: a game that is a program, with the settings of its name.

use gamegrove_octagon as octagon;
use gamegrove_view::{TextStyle, paragraph};
use serde::Serialize;

use super::games::{Entry, Moves, Start, entry, prover_board, start};
use crate::failure::Result;
use crate::output::Output;
use gamegrove_play::library::Header;
use gamegrove_play::load::Source;
use gamegrove_play::{Rules, native};

/// The game in detail.
#[derive(Debug, Serialize)]
struct Details<'a> {
    #[serde(flatten)]
    entry: Entry,
    /// What the comment at the top says.
    description: &'a [String],
    /// Board, stock and every reading of the rules.
    settings: octagon::Rules,
    #[serde(flatten)]
    start: Start,
    /// The data file.
    rules: String,
}

/// Shows the game.
pub fn show(source: &Source, header: &Header, out: &mut Output) -> Result<()> {
    let game = native::load(source)?;
    let settings = game.rules().clone();
    let board = prover_board(source, Rules::Native(Box::new(game)))?;
    let start = start(&*board)?;
    let entry = entry(source, header, start.roles.clone())?;
    if out.is_json() {
        return out.value(&Details {
            entry,
            description: &header.lines,
            settings,
            start,
            rules: String::from_utf8_lossy(&source.text).into_owned(),
        });
    }
    let width = out.style.width;
    entry.introduce(header, out)?;
    out.text(&paragraph("Settings ", &[settings.to_string()], ", ", width))?;
    out.line("\nThe first state")?;
    let style = TextStyle { unicode: out.style.unicode, width };
    out.text(&board.text(&board.start(0), None, style))?;
    for Moves { role, moves } in &start.initial_moves {
        out.line(format!("\nFirst moves of {role}: {}", moves.len()))?;
        out.text(&paragraph("  ", moves, ", ", width))?;
    }
    out.line("\nMoves are written like this:")?;
    out.text(board.notation().unwrap_or_default())
}
