//! Pieces as drawings of our own, so that no font decides whether they can be seen.

use crate::look::{Figure, Look};
use crate::theme::{Paint, Theme, piece_colours};
use crate::xml::{Xml, number};

/// Draws a piece into a square of side `size` around a point.
pub(crate) fn draw(xml: &mut Xml, look: &Look, (x, y): (f64, f64), size: f64, theme: Theme) {
    let (fill, line) = piece_colours(look.colour);
    let radius = size * 0.4;
    match look.figure {
        Figure::King
        | Figure::Queen
        | Figure::Rook
        | Figure::Bishop
        | Figure::Knight
        | Figure::Pawn => {
            chess(xml, look.figure, (x, y), size, (fill, line));
        }
        Figure::Disc => disc(xml, (x, y), radius, (fill, line)),
        Figure::Crowned => {
            disc(xml, (x, y), radius, (fill, line));
            crown(xml, (x, y), radius, line);
        }
        Figure::Cross => {
            let arm = size * 0.28;
            for (from, to) in [(-arm, -arm), (-arm, arm)].map(|(dx, dy)| ((dx, dy), (-dx, -dy))) {
                stroke(xml, (x + from.0, y + from.1), (x + to.0, y + to.1), fill, size * 0.13);
            }
        }
        Figure::Ring => xml.empty(
            "circle",
            &[
                ("cx", &number(x)),
                ("cy", &number(y)),
                ("r", &number(size * 0.29)),
                ("fill", "none"),
                ("stroke", fill),
                ("stroke-width", &number(size * 0.12)),
            ],
        ),
        Figure::Arrow(turn) => {
            let angle = number(f64::from(turn) * 45.0);
            let (cx, cy) = (number(x), number(y));
            let s = size * 0.01;
            let points = [(0, -36), (22, -4), (8, -4), (8, 34), (-8, 34), (-8, -4), (-22, -4)]
                .map(|(px, py)| {
                    format!("{},{}", number(x + f64::from(px) * s), number(y + f64::from(py) * s))
                })
                .join(" ");
            let rotate = format!("rotate({angle} {cx} {cy})");
            let ink = theme.colour(Paint::Ink);
            xml.empty("polygon", &[("points", &points), ("transform", &rotate), ("fill", &ink)]);
        }
        Figure::Slab(eighths) => {
            let (wide, high) = (size * (0.2 + 0.1 * f64::from(eighths)), size * 0.5);
            xml.empty(
                "rect",
                &[
                    ("x", &number(x - wide / 2.0)),
                    ("y", &number(y - high / 2.0)),
                    ("width", &number(wide)),
                    ("height", &number(high)),
                    ("rx", &number(high / 3.0)),
                    ("fill", fill),
                    ("stroke", "#1b1b1b"),
                    ("stroke-width", &number(size * 0.03)),
                ],
            );
        }
        Figure::Blocked => {
            let side = size * 0.5;
            let blocked = theme.colour(Paint::Blocked);
            xml.empty(
                "rect",
                &[
                    ("x", &number(x - side)),
                    ("y", &number(y - side)),
                    ("width", &number(2.0 * side)),
                    ("height", &number(2.0 * side)),
                    ("fill", &blocked),
                ],
            );
        }
        Figure::Label => label(xml, &look.label, (x, y), size * 1.1, &theme.colour(Paint::Ink)),
        Figure::Token => {
            disc(xml, (x, y), radius, (fill, line));
            label(xml, &look.label, (x, y), size * 0.8, line);
        }
    }
    // A promoted knight is another piece than a knight.
    if is_chess(look.figure) && !look.label.is_empty() {
        let corner = (x + size * 0.3, y - size * 0.28);
        disc(xml, corner, size * 0.17, (line, fill));
        label(xml, &look.label, corner, size * 0.4, fill);
    }
    // Readers with colour blindness need more than colours.
    if matches!(look.figure, Figure::Disc) && !look.label.is_empty() {
        label(xml, &look.label, (x, y), size * 0.8, line);
    }
}

fn is_chess(figure: Figure) -> bool {
    use Figure::{Bishop, King, Knight, Pawn, Queen, Rook};
    matches!(figure, King | Queen | Rook | Bishop | Knight | Pawn)
}

fn disc(xml: &mut Xml, (x, y): (f64, f64), radius: f64, (fill, line): (&str, &str)) {
    let (cx, cy) = (number(x), number(y));
    let circle = |xml: &mut Xml, r: f64, fill: &str, line: &str, width: f64| {
        let (r, width) = (number(r), number(width));
        xml.empty(
            "circle",
            &[
                ("cx", &cx),
                ("cy", &cy),
                ("r", &r),
                ("fill", fill),
                ("stroke", line),
                ("stroke-width", &width),
            ],
        );
    };
    // A dark rim outside, so that light pieces show on light boards, and a line inside.
    circle(xml, radius, fill, "#1b1b1b", radius * 0.09);
    circle(xml, radius * 0.86, "none", line, radius * 0.07);
}

fn crown(xml: &mut Xml, (x, y): (f64, f64), radius: f64, line: &str) {
    let at = |px: f64, py: f64| format!("{},{}", number(x + px * radius), number(y + py * radius));
    let points = [
        at(-0.5, 0.38),
        at(-0.6, -0.3),
        at(-0.25, 0.0),
        at(0.0, -0.45),
        at(0.25, 0.0),
        at(0.6, -0.3),
        at(0.5, 0.38),
    ]
    .join(" ");
    xml.empty("polygon", &[("points", &points), ("fill", line)]);
}

fn stroke(xml: &mut Xml, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
    xml.empty(
        "line",
        &[
            ("x1", &number(from.0)),
            ("y1", &number(from.1)),
            ("x2", &number(to.0)),
            ("y2", &number(to.1)),
            ("stroke", colour),
            ("stroke-width", &number(width)),
            ("stroke-linecap", "round"),
        ],
    );
}

/// A few letters in the middle, smaller the more there are.
fn label(xml: &mut Xml, text: &str, (x, y): (f64, f64), room: f64, colour: &str) {
    let letters = text.chars().count().max(1) as f64;
    let size = (room * 0.52).min(room * 1.05 / letters);
    xml.leaf(
        "text",
        &[
            ("x", &number(x)),
            ("y", &number(y + size * 0.35)),
            ("font-size", &number(size)),
            ("font-weight", "600"),
            ("text-anchor", "middle"),
            ("fill", colour),
        ],
        text,
    );
}

/// The pieces of chess in a square of 100 by 100: closed outlines, then lines and dots inside.
fn chess(xml: &mut Xml, figure: Figure, (x, y): (f64, f64), size: f64, (fill, line): (&str, &str)) {
    let base = "M24 88V78H76V88Z";
    let (outline, dots, inside): (&str, &[(f64, f64, f64)], &str) = match figure {
        Figure::Pawn => ("M34 78L43 48H57L66 78Z", &[(50.0, 33.0, 15.0)], ""),
        Figure::Rook => {
            ("M34 78L37 46H63L66 78ZM28 46V20H39V29H45V20H55V29H61V20H72V46Z", &[], "M37 46H63")
        }
        Figure::Bishop => (
            "M36 78C26 62 34 42 50 25C66 42 74 62 64 78Z",
            &[(50.0, 18.0, 6.5)],
            "M50 40V58M42 49H58",
        ),
        Figure::Knight => (
            "M34 78C34 62 40 56 47 49L35 55L25 52L24 44L39 28L40 15L50 24C72 28 75 52 69 78Z",
            &[],
            "M41 35L43 35",
        ),
        Figure::Queen => (
            "M32 78L22 36L36 54L38 24L48 52L50 20L52 52L62 24L64 54L78 36L68 78Z",
            &[
                (22.0, 33.0, 4.5),
                (38.0, 21.0, 4.5),
                (50.0, 16.0, 4.5),
                (62.0, 21.0, 4.5),
                (78.0, 33.0, 4.5),
            ],
            "M34 68H66",
        ),
        _ => (
            "M32 78L24 50C28 36 44 38 50 52C56 38 72 36 76 50L68 78ZM46 40V30H37V21H46V11H54V21H63V30H54V40L50 50Z",
            &[],
            "M33 69H67",
        ),
    };
    let scale = size / 100.0;
    let place = format!(
        "translate({} {}) scale({})",
        number(x - size / 2.0),
        number(y - size / 2.0),
        format!("{scale:.4}").trim_end_matches('0').trim_end_matches('.')
    );
    // Dark pieces get a light line and light ones a dark line; a thin dark rim keeps both visible.
    xml.open(
        "g",
        &[("transform", &place), ("stroke-linejoin", "round"), ("stroke-linecap", "round")],
    );
    for (colour, width, filled) in [("#1b1b1b", "8", true), (line, "3", false)] {
        let inner = if filled { "#1b1b1b" } else { fill };
        for path in [base, outline] {
            xml.empty(
                "path",
                &[("d", path), ("fill", inner), ("stroke", colour), ("stroke-width", width)],
            );
        }
        for (cx, cy, r) in dots {
            let (cx, cy, r) = (number(*cx), number(*cy), number(*r));
            xml.empty(
                "circle",
                &[
                    ("cx", &cx),
                    ("cy", &cy),
                    ("r", &r),
                    ("fill", inner),
                    ("stroke", colour),
                    ("stroke-width", width),
                ],
            );
        }
    }
    if !inside.is_empty() {
        let width = if figure == Figure::Knight { "6" } else { "4" };
        xml.empty(
            "path",
            &[("d", inside), ("fill", "none"), ("stroke", line), ("stroke-width", width)],
        );
    }
    xml.close();
}
