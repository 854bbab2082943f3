//! A level made of blocks, several things in each: video games as a drawing.

use crate::xml::{Xml, number};

/// How one kind of thing looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Its name.
    pub name: String,
    /// Its colour, as style sheets write it.
    pub colour: String,
    /// A letter for it.
    pub sign: char,
    /// Whether it fills its block.
    pub solid: bool,
}

/// The side of a block.
const SIDE: f64 = 20.0;

/// A drawing of blocks. `at` says what is in the block of a column and a row, bottom first, as numbers
/// of `looks`.
pub fn tiles_svg(
    (cols, rows): (usize, usize),
    looks: &[Tile],
    at: impl Fn(usize, usize) -> Vec<usize>,
    title: &str,
) -> String {
    let mut xml = Xml::default();
    let (width, height) = (cols as f64 * SIDE, rows as f64 * SIDE);
    let view = format!("0 0 {} {}", number(width), number(height));
    let svg = "http://www.w3.org/2000/svg";
    xml.open("svg", &[("xmlns", svg), ("viewBox", &view), ("role", "img")]);
    xml.leaf("title", &[], title);
    let (width, height) = (number(width), number(height));
    xml.empty("rect", &[("width", &width), ("height", &height), ("fill", "#f4f1ea")]);
    for row in 0..rows {
        for col in 0..cols {
            for look in at(col, row).into_iter().filter_map(|thing| looks.get(thing)) {
                draw(&mut xml, look, col as f64 * SIDE, row as f64 * SIDE);
            }
        }
    }
    xml.finish()
}

fn draw(xml: &mut Xml, look: &Tile, x: f64, y: f64) {
    // What does not fill its block lets the ground be seen around it.
    let inset = if look.solid { 0.0 } else { 2.0 };
    let side = number(SIDE - 2.0 * inset);
    let (left, top) = (number(x + inset), number(y + inset));
    let round = if look.solid { "0" } else { "5" };
    xml.empty(
        "rect",
        &[
            ("x", &left),
            ("y", &top),
            ("width", &side),
            ("height", &side),
            ("rx", round),
            ("fill", &look.colour),
        ],
    );
    if !look.solid {
        let (x, y) = (number(x + SIDE / 2.0), number(y + SIDE * 0.7));
        let attributes = [
            ("x", x.as_str()),
            ("y", y.as_str()),
            ("text-anchor", "middle"),
            ("font-family", "sans-serif"),
            ("font-size", "12"),
            ("fill", "#fff"),
            ("stroke", "#000"),
            ("stroke-width", "2"),
            ("paint-order", "stroke"),
        ];
        xml.leaf("text", &attributes, &look.sign.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_is_drawn_and_names_cannot_break_out() {
        let tile = |name: &str, solid| Tile {
            name: name.to_owned(),
            colour: "\"><script>".to_owned(),
            sign: '<',
            solid,
        };
        let looks = [tile("wall", true), tile("hero", false)];
        let svg = tiles_svg((2, 1), &looks, |col, _| vec![0, col, 7], "a < b");
        let read = roxmltree::Document::parse(&svg).expect("sound XML");
        let count = |name| read.descendants().filter(|node| node.has_tag_name(name)).count();
        assert_eq!((count("script"), count("text")), (0, 1));
        // The ground, two walls, a wall more and a hero.
        assert_eq!(count("rect"), 5);
    }
}
