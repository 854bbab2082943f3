//! A board as SVG: octagons for positions, discs for pieces, arrows for the last move.

use std::fmt::Write as _;

use gamegrove_game::Move;

use crate::board::{DIRECTIONS, Position};
use crate::octagon::Octagon;
use crate::state::State;

/// The side of a cell.
const CELL: f64 = 40.0;

/// The colours of a drawing in light and dark surroundings.
const LIGHT: &str =
    "--ground:#f6f4ef;--cell:#e3dccd;--line:#8c8371;--x:#b8432f;--o:#2f5fa8;--text:#3c382f";
const DARK: &str =
    "--ground:#1f1e1b;--cell:#3a372f;--line:#8c8371;--x:#e0705a;--o:#7aa6e8;--text:#d9d3c5";

/// The colours of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// Light or dark, as the reader's system says.
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Octagon {
    /// Draws `state`; where a move led there, the state before it and the move, so that what it pushed
    /// can be seen. `title` is plain text.
    pub fn svg(
        &self,
        state: &State,
        last: Option<(&State, Move)>,
        title: &str,
        colours: Colours,
    ) -> String {
        let r = i32::from(self.board().shape().half_width);
        let side = f64::from(2 * r + 3) * CELL;
        let mut text = String::new();
        let style = match colours {
            Colours::Light => format!("svg{{{LIGHT}}}"),
            Colours::Dark => format!("svg{{{DARK}}}"),
            Colours::Auto => {
                format!("svg{{{LIGHT}}}@media(prefers-color-scheme:dark){{svg{{{DARK}}}}}")
            }
        };
        let _ = writeln!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"octagon-view\" viewBox=\"0 0 {side} {side}\" \
             role=\"img\">\n<title>{}</title>\n<style>{style}.c{{fill:var(--cell);stroke:var(--line)}}\
             .x{{fill:var(--x)}}.o{{fill:var(--o)}}.n{{fill:var(--text);font:13px sans-serif;\
             text-anchor:middle}}.m{{stroke:var(--text);stroke-width:3;fill:none}}</style>\n\
             <rect width=\"{side}\" height=\"{side}\" fill=\"var(--ground)\"/>",
            escaped(title)
        );
        for position in self.board().positions() {
            self.svg_cell(state, position, &mut text);
        }
        let centre = self.svg_place((0, 0));
        let _ = writeln!(text, "<circle class=\"m\" cx=\"{0}\" cy=\"{0}\" r=\"12\"/>", centre.0);
        for step in -r..=r {
            let (x, y) = self.svg_place((step, r + 1));
            let column = self.board().column_name(step);
            let _ = writeln!(text, "<text class=\"n\" x=\"{x}\" y=\"{}\">{column}</text>", y - 4.0);
            let (x, y) = self.svg_place((-r - 1, step));
            let row = self.board().row_name(step);
            let _ = writeln!(
                text,
                "<text class=\"n\" x=\"{}\" y=\"{}\">{row}</text>",
                x + 8.0,
                y + 4.0
            );
        }
        if let Some((before, mov)) = last {
            self.svg_move(before, mov, &mut text);
        }
        text.push_str("</svg>\n");
        text
    }

    fn svg_cell(&self, state: &State, position: Position, text: &mut String) {
        let (x, y) = self.svg_place(self.board().point(position));
        let (half, cut) = (CELL / 2.0 - 2.0, CELL / 6.0);
        let corners = [
            (-half + cut, -half),
            (half - cut, -half),
            (half, -half + cut),
            (half, half - cut),
            (half - cut, half),
            (-half + cut, half),
            (-half, half - cut),
            (-half, -half + cut),
        ];
        let points: Vec<String> =
            corners.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy)).collect();
        // Pages find the cell that was clicked by these, as in the drawings of other boards.
        let (px, py) = self.board().point(position);
        let name = self.board().name(position);
        let _ = writeln!(
            text,
            "<g class=\"cell\" data-board=\"0\" data-cell=\"{}\" data-key=\"{name}\" \
             data-x=\"{px}\" data-y=\"{py}\">",
            position.index()
        );
        let _ = writeln!(text, "<polygon class=\"c\" points=\"{}\"/>", points.join(" "));
        let bit = self.board().bit(position);
        for (pieces, class) in state.pieces.iter().zip(["x", "o"]) {
            if pieces >> bit & 1 == 1 {
                let _ =
                    writeln!(text, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"13\"/>");
            }
        }
        text.push_str("</g>\n");
    }

    /// A ring around the placed piece, and its lines.
    fn svg_move(&self, before: &State, mov: Move, text: &mut String) {
        let Some(outcome) = self.outcome(before, mov) else { return };
        let (x, y) = self.svg_place(self.board().point(outcome.placed));
        let _ = writeln!(text, "<circle class=\"m\" cx=\"{x}\" cy=\"{y}\" r=\"13\"/>");
        for shift in &outcome.shifts {
            let (dx, dy) = DIRECTIONS[shift.direction];
            let (lx, ly) = self.board().point(shift.last);
            let (to_x, to_y) = self.svg_place((lx + dx, ly + dy));
            let _ = writeln!(
                text,
                "<path class=\"m\" d=\"M{x} {y}L{to_x} {to_y}\" stroke-dasharray=\"3 5\"/>"
            );
        }
    }

    /// The middle of a point's cell.
    fn svg_place(&self, (x, y): (i32, i32)) -> (f64, f64) {
        let r = i32::from(self.board().shape().half_width);
        (f64::from(x + r + 1) * CELL + CELL / 2.0, f64::from(y + r + 1) * CELL + CELL / 2.0)
    }
}

/// Text that is safe inside an element.
fn escaped(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '&' => "&amp;".to_owned(),
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            c if c.is_control() => " ".to_owned(),
            c => c.to_string(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use gamegrove_game::{Describe, Game, Role};

    use super::*;
    use crate::config::Config;

    #[test]
    fn every_piece_is_drawn_and_the_text_is_xml() {
        let mut game = Octagon::new(Config::shipped().rules("small").unwrap()).unwrap();
        let before =
            game.read_picture("...\n.....\n.......\n..X#...\n.......\n.O...\n...", 2).unwrap();
        let mov = game.find_move(Role(0), "b3-1e").unwrap();
        let mov = game.interpret(&before, Role(0), "b3-1se").unwrap_or(mov);
        let mut after = before;
        game.apply(&before, &[mov, game.noop()], &mut after);
        let svg = game.svg(&after, Some((&before, mov)), "a < b & \u{1b}", Colours::Auto);
        let document = roxmltree::Document::parse(&svg).expect("well-formed");
        let of_class = |class: &str| {
            document.descendants().filter(|node| node.attribute("class") == Some(class)).count()
        };
        assert_eq!(of_class("c"), 36);
        assert_eq!([of_class("x"), of_class("o")], after.score().map(|count| count as usize));
        assert_eq!(of_class("n"), 14);
        assert!(of_class("m") >= 2, "the hole and the last move");
    }
}
