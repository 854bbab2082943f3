//! `grove games show octagon`: The Octagon Theory, with the settings of its name.

use gamegrove_game::{Describe, Game};
use gamegrove_octagon::Rules;
use gamegrove_view::paragraph;
use serde::Serialize;

use super::games::{Entry, Moves, Start, entry, start};
use crate::failure::Result;
use crate::output::Output;
use gamegrove_play::library::Header;
use gamegrove_play::load::Source;
use gamegrove_play::{Playable, octagon};

/// The game in detail.
#[derive(Debug, Serialize)]
struct Details<'a> {
    #[serde(flatten)]
    entry: Entry,
    /// What the comment at the top says.
    description: &'a [String],
    /// Board, stock and every reading of the rules.
    settings: &'a Rules,
    #[serde(flatten)]
    start: Start,
    /// The data file.
    rules: String,
}

/// Shows the game.
pub fn show(source: &Source, header: &Header, out: &mut Output) -> Result<()> {
    let mut game = octagon::load(source)?;
    let start = start(source, Playable::Octagon(&game))?;
    let entry = entry(source, header, start.roles.clone())?;
    if out.is_json() {
        return out.value(&Details {
            entry,
            description: &header.lines,
            settings: game.rules(),
            start,
            rules: String::from_utf8_lossy(&source.text).into_owned(),
        });
    }
    let width = out.style.width;
    entry.introduce(header, out)?;
    out.text(&paragraph("Settings ", &[game.rules().to_string()], ", ", width))?;
    out.line("\nThe first state")?;
    let state = game.initial_state();
    out.text(&game.draw(&state))?;
    for Moves { role, moves } in &start.initial_moves {
        out.line(format!("\nFirst moves of {role}: {}", moves.len()))?;
        out.text(&paragraph("  ", moves, ", ", width))?;
    }
    out.line("\nMoves are written like this:")?;
    out.text(game.notation().unwrap_or_default())
}
