//! How positions of games in the Game Description Language are drawn.

use std::sync::atomic::Ordering;

use gamegrove_gdl::{Prover, ProverLimits, Rulesheet};
use gamegrove_view::{BoardHints, Evidence, Layout};

use crate::budget::StopFlag;
use crate::load::Source;
use crate::problem::{Problem, Result};
use crate::reasoner::unplayable;

/// What the random games depend on that a board is looked for in. Always the same, so that a game
/// always looks the same.
const SEED: u64 = 1;

/// How the states of a game are drawn; nothing if no board can be seen in them.
pub fn layout(source: &Source, sheet: &Rulesheet) -> Result<Option<Layout>> {
    layout_within(source, sheet, ProverLimits::default(), &StopFlag::default())
}

/// As [`layout`], with limits for rules that are not trusted. Ends without a board soon after `stop` is
/// set.
pub fn layout_within(
    source: &Source,
    sheet: &Rulesheet,
    limits: ProverLimits,
    stop: &StopFlag,
) -> Result<Option<Layout>> {
    let hints = hints(source)?;
    // A prover of its own: what it meets must not change how the game's moves are numbered.
    let mut game = Prover::stoppable(&sheet.program, limits, stop)
        .map_err(|error| unplayable(&source.name, &error))?;
    let mut evidence = Evidence::of_game(&mut game, SEED);
    evidence.add_rules(&sheet.program, stop);
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    Layout::with_hints(&evidence, &hints).map_err(|error| {
        let help = "the table [board] of the file beside the rules says so";
        Problem::usage(format!("{}: {error}", source.name), help)
    })
}

/// The table `[board]` of a game's metadata.
fn hints(source: &Source) -> Result<BoardHints> {
    #[derive(serde::Deserialize)]
    struct Metadata {
        #[serde(default)]
        board: BoardHints,
    }
    let Some(text) = source.metadata_text()? else { return Ok(BoardHints::default()) };
    let read: std::result::Result<Metadata, toml::de::Error> = toml::from_str(&text);
    read.map(|metadata| metadata.board).map_err(|error| {
        let message = format!("the metadata of {} cannot be read: {error}", source.name);
        Problem::usage(
            message.trim_end().to_owned(),
            "correct the file that ends in .toml beside the rules",
        )
    })
}

#[cfg(test)]
mod tests {
    use gamegrove_gdl::Reading;

    use super::*;
    use crate::library::{self, Kind};

    #[test]
    fn every_shipped_game_has_a_board_and_hints_that_fit() {
        for game in library::games().into_iter().filter(|game| game.kind == Kind::Gdl) {
            let source = Source::open(game.name).expect("a shipped game");
            let sheet = source.rulesheet(Reading::Logical).expect("a sound rulesheet");
            let layout = layout(&source, &sheet).unwrap_or_else(|wrong| panic!("{wrong}"));
            assert!(layout.is_some(), "{}", game.name);
        }
    }
}
