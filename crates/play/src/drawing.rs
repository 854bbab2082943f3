//! States as a page draws them, and which cells a move means.

use std::sync::Arc;

use gamegrove_view::Panel;
use serde::Serialize;

/// A state, ready for a page.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Drawing {
    /// A drawing in which each cell has `data-board` and `data-cell`.
    Svg {
        /// The drawing. Its colours are the page's variables; it has no style of its own.
        svg: String,
        /// Facts that are on no board.
        rest: Vec<String>,
        /// What these facts say, as labelled lines.
        panels: Vec<Panel>,
    },
    /// The blocks of a video game.
    Video(Frame),
}

/// A level of a video game.
#[derive(Clone, Debug, Serialize)]
pub struct Frame {
    /// Blocks across.
    pub cols: usize,
    /// Blocks down.
    pub rows: usize,
    /// The sprites of each block, bottom first: numbers of `looks`. Row by row.
    pub blocks: Vec<Vec<u16>>,
    /// The directions of the uppermost sprites of some blocks: the block, and quarters of a turn from up.
    pub facing: Vec<(usize, u8)>,
    /// The sprites by number.
    #[serde(serialize_with = "shared")]
    pub looks: Arc<Vec<SpriteLook>>,
    /// Ticks so far.
    pub tick: i32,
    /// The players' points.
    pub scores: Vec<f64>,
    /// The resources of the first player.
    pub carries: Vec<(String, i32)>,
}

fn shared<S: serde::Serializer>(looks: &Arc<Vec<SpriteLook>>, to: S) -> Result<S::Ok, S::Error> {
    looks.as_slice().serialize(to)
}

/// How sprites of one type look.
#[derive(Clone, Debug, Serialize)]
pub struct SpriteLook {
    /// Its name.
    pub name: String,
    /// Its colour.
    pub colour: String,
    /// Its sign: what levels write for it.
    pub sign: char,
    /// The shape to draw for it.
    pub shape: &'static str,
    /// Whether it fills its block.
    pub solid: bool,
    /// Whether a player steers it.
    pub avatar: bool,
}

/// A cell that a move means: board, cell, and the part it has in the move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Spot(pub usize, pub usize, pub &'static str);

/// Larger drawings are left out, and so are facts beyond these: they are sent with every step.
pub(crate) const MAX_SVG: usize = 1 << 20;
pub(crate) const MAX_FACTS: usize = 2000;

/// A drawing without its style sheet: the page has the colours, and lets no style in but its own.
pub fn without_style(svg: &str) -> String {
    match (svg.find("<style>"), svg.find("</style>")) {
        (Some(start), Some(end)) if start < end => {
            format!("{}{}", &svg[..start], &svg[end + "</style>".len()..])
        }
        _ => svg.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_taken_off_and_nothing_else() {
        assert_eq!(without_style("<svg><style>.a{}</style><g/></svg>"), "<svg><g/></svg>");
        assert_eq!(without_style("<svg/>"), "<svg/>");
        assert_eq!(without_style("</style><style>"), "</style><style>");
    }
}
