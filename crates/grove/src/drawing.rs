//! The one place that decides how a state of a board game is drawn.

use gamegrove_gdl::{Grounding, Limits, Pred, Rulesheet};

use crate::board::Board;

/// All facts that could ever hold, where finding them is quick: they show how large a board is.
pub fn possible_facts(sheet: &Rulesheet) -> Option<Vec<String>> {
    let limits = Limits { steps: Some(1_000_000), memory: 256 << 20, ..Limits::default() };
    let ground = Grounding::new(&sheet.program, &limits).ok()?;
    let fact = |text: String| Some(text.strip_prefix("(true ")?.strip_suffix(')')?.to_owned());
    ground.atoms_of(Pred::TRUE).iter().map(|&atom| fact(ground.atom_text(atom))).collect()
}

/// A state with these facts as text, where a board is found in them, and the facts that are not on it.
pub fn draw<'a>(
    sheet: &Rulesheet,
    roles: &[String],
    facts: &'a [String],
) -> Option<(String, Vec<&'a str>)> {
    let possible = possible_facts(sheet);
    Board::find(possible.as_deref().unwrap_or(facts), roles)?.draw(facts)
}
