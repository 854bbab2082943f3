//! Positions as SVG: self-contained, light and dark, with a name for every cell.
//!
//! Each cell is a `g` of class `cell` with the attributes
//! - `data-board`, `data-cell`: its place in [`Scene::boards`] and [`Board::cells`],
//! - `data-key`: its name, the arguments that facts and moves use, with blanks between them,
//! - `data-name`: its name as people write it, where that differs,
//! - `data-x`, `data-y`: where it is, in cells from the upper left,
//! - `data-fact`: the facts about it, one a line,
//! - `data-piece`: what stands on it,
//! - `data-touched`: the part it has in the last move.

use crate::fact::safe;
use crate::figure;
use crate::hints::Shape;
use crate::look::Figure;
use crate::scene::{Board, Cell, Edge, Item, Part, Scene};
use crate::text::facts_lines;
use crate::theme::{Paint, Theme};
use crate::xml::{Xml, number};

/// How SVG is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SvgStyle {
    /// Its colours.
    pub theme: Theme,
    /// A description of the drawing for screen readers.
    pub title: String,
    /// The prefix of its identifiers: different drawings on one page need different ones.
    pub id: String,
    /// Whether the facts that are on no board are written below.
    pub facts: bool,
}

impl Default for SvgStyle {
    fn default() -> Self {
        SvgStyle {
            theme: Theme::Auto,
            title: "A position".to_owned(),
            id: "grove".to_owned(),
            facts: true,
        }
    }
}

/// The side of a square.
const UNIT: f64 = 44.0;
/// Room for names at the left and below.
const EDGE: f64 = 22.0;
/// Room between boards and around them.
const GAP: f64 = 14.0;
/// The height of a row of hexagons or triangles, in squares.
const ROW: f64 = 0.866;

/// The side of a cell. A triangle has less room inside than a square, so it is larger.
fn side_of(shape: Shape) -> f64 {
    match shape {
        Shape::Triangles => UNIT * 1.6,
        Shape::Squares | Shape::Hexagons | Shape::Points => UNIT,
    }
}

/// Whether a triangle stands on a side, and not on a corner.
fn points_up(cell: &Cell) -> bool {
    (2.0 * cell.x + cell.y).rem_euclid(2.0) < 1.0
}

const LINE: f64 = 17.0;
/// The most lines of facts.
const MOST_LINES: usize = 14;

impl Scene {
    /// The position as a whole SVG document, which is also valid inside a page.
    pub fn svg(&self, style: &SvgStyle) -> String {
        let frames: Vec<Frame> = self.boards.iter().map(Frame::of).collect();
        let columns = self.boards.iter().map(|b| b.at.0 + 1).max().unwrap_or(0);
        let rows = self.boards.iter().map(|b| b.at.1 + 1).max().unwrap_or(0);
        let largest = |count: usize,
                       place: &dyn Fn(&Board) -> usize,
                       side: &dyn Fn(&Frame) -> f64| {
            let size = |at: usize| {
                let there = self.boards.iter().zip(&frames).filter(|(board, _)| place(board) == at);
                there.map(|(_, frame)| side(frame)).fold(0.0, f64::max)
            };
            (0..count.min(10_000)).map(size).collect::<Vec<f64>>()
        };
        let widths = largest(columns, &|b| b.at.0, &|frame| frame.width);
        let heights = largest(rows, &|b| b.at.1, &|frame| frame.height);
        let start =
            |sides: &[f64], at: usize| GAP + sides[..at].iter().map(|s| s + GAP).sum::<f64>();
        let wide = start(&widths, widths.len()).max(220.0);
        let high = start(&heights, heights.len());
        let lines = if style.facts { self.fact_lines(wide) } else { Vec::new() };
        let total = high + lines.len() as f64 * LINE + if lines.is_empty() { 0.0 } else { GAP };

        let mut xml = Xml::default();
        open(&mut xml, style.theme, &style.id, &style.title, &self.describe(), (wide, total));
        for (number, (board, frame)) in self.boards.iter().zip(&frames).enumerate() {
            let at = (start(&widths, board.at.0), start(&heights, board.at.1));
            draw_board(&mut xml, number, board, frame, at, style.theme);
        }
        let ink = style.theme.colour(Paint::Ink);
        for (number_of, line) in lines.iter().enumerate() {
            let y = number(high + (number_of as f64 + 0.7) * LINE);
            let attributes = [
                ("x", &*number(GAP)),
                ("y", &y),
                ("font-size", "12"),
                ("fill", &ink),
                ("xml:space", "preserve"),
            ];
            xml.leaf("text", &attributes, line);
        }
        xml.finish()
    }

    /// The position in words.
    fn describe(&self) -> String {
        let mut words = Vec::new();
        for board in &self.boards {
            for cell in board.cells.iter().filter(|cell| !cell.items.is_empty()) {
                let names: Vec<&str> = cell.items.iter().map(|item| item.name.as_str()).collect();
                words.push(format!("{}: {}", cell.key.join(" "), names.join(" and ")));
            }
        }
        let more = words.len().saturating_sub(80);
        words.truncate(80);
        if more > 0 {
            words.push(format!("and {more} more"));
        }
        if words.is_empty() { "The board is empty.".to_owned() } else { words.join(", ") }
    }

    fn fact_lines(&self, width: f64) -> Vec<String> {
        let characters = ((width - 2.0 * GAP) / 6.6).max(30.0) as usize;
        let text = facts_lines(self.rest.iter().map(String::as_str), characters);
        let mut lines: Vec<String> = text.lines().map(|line| safe(line, 200)).collect();
        if lines.len() > MOST_LINES {
            let more = lines.len() - MOST_LINES + 1;
            lines.truncate(MOST_LINES - 1);
            lines.push(format!("and {more} more lines"));
        }
        lines
    }
}

/// Opens a drawing with its title, description and style.
pub(crate) fn open(
    xml: &mut Xml,
    theme: Theme,
    id: &str,
    title: &str,
    description: &str,
    (width, height): (f64, f64),
) {
    let id: String = id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    let (width, height) = (number(width), number(height));
    let (title_id, text_id) = (format!("{id}-title"), format!("{id}-desc"));
    xml.open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("class", "grove-view"),
            ("viewBox", &format!("0 0 {width} {height}")),
            ("width", &width),
            ("height", &height),
            ("role", "img"),
            ("aria-labelledby", &format!("{title_id} {text_id}")),
            ("font-family", "ui-sans-serif, system-ui, 'DejaVu Sans', sans-serif"),
        ],
    );
    xml.leaf("title", &[("id", &title_id)], title);
    xml.leaf("desc", &[("id", &text_id)], description);
    if let Some(sheet) = theme.sheet() {
        xml.style(&sheet);
    } else {
        // Fixed colours come with the background they were chosen for.
        let page = theme.colour(Paint::Page);
        xml.empty("rect", &[("width", &width), ("height", &height), ("fill", &page)]);
    }
}

/// The size of a board and where its first cell is.
struct Frame {
    width: f64,
    height: f64,
    left: f64,
    top: f64,
    /// Where cells start, in cells.
    x: f64,
    y: f64,
}

impl Frame {
    fn of(board: &Board) -> Frame {
        let low =
            |side: fn(&Cell) -> f64| board.cells.iter().map(side).fold(f64::INFINITY, f64::min);
        let high =
            |side: fn(&Cell) -> f64| board.cells.iter().map(side).fold(f64::NEG_INFINITY, f64::max);
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        let (x, y) = (finite(low(|cell| cell.x)), finite(low(|cell| cell.y)));
        let (columns, rows) = (finite(high(|cell| cell.x)) - x, finite(high(|cell| cell.y)) - y);
        let row_names = board.rows.iter().map(|row| row.text.chars().count().min(10)).max();
        let left = row_names.map_or(0.0, |letters| EDGE.max(8.0 + 7.0 * letters as f64));
        let below = if board.columns.is_empty() { 0.0 } else { EDGE };
        let top = if board.name.is_empty() { 0.0 } else { EDGE };
        let last_row = match board.shape {
            Shape::Hexagons => rows * ROW + 1.155,
            Shape::Triangles => rows * ROW + ROW,
            Shape::Squares | Shape::Points => rows + 1.0,
        };
        let unit = side_of(board.shape);
        let width = left + (columns + 1.0) * unit;
        // The name of a board needs its room too.
        let name = 8.0 * board.name.chars().count().min(40) as f64;
        Frame { width: width.max(name), height: top + last_row * unit + below, left, top, x, y }
    }

    /// The middle of a place in cells.
    fn middle(&self, shape: Shape, x: f64, y: f64) -> (f64, f64) {
        let (x, y) = (x - self.x, y - self.y);
        let down = match shape {
            Shape::Squares | Shape::Points => y + 0.5,
            Shape::Hexagons => y * ROW + 0.5775,
            Shape::Triangles => y * ROW + ROW / 2.0,
        };
        let unit = side_of(shape);
        (self.left + (x + 0.5) * unit, self.top + down * unit)
    }
}

fn draw_board(
    xml: &mut Xml,
    number_of: usize,
    board: &Board,
    frame: &Frame,
    at: (f64, f64),
    theme: Theme,
) {
    let place = format!("translate({} {})", number(at.0), number(at.1));
    let name = number_of.to_string();
    xml.open("g", &[("class", "board"), ("transform", &place), ("data-board", &name)]);
    let ink = theme.colour(Paint::Ink);
    let faint = theme.colour(Paint::Faint);
    if !board.name.is_empty() {
        let attributes = [
            ("x", &*number(frame.left)),
            ("y", "14"),
            ("font-size", "13"),
            ("font-weight", "600"),
            ("fill", &ink),
        ];
        xml.leaf("text", &attributes, &safe(&board.name, 40));
    }
    for row in &board.rows {
        let (_, y) = frame.middle(board.shape, 0.0, row.at);
        edge_name(xml, &row.text, (frame.left - 6.0, y + 4.0), "end", &faint);
    }
    for column in &board.columns {
        let (x, _) = frame.middle(board.shape, column.at, 0.0);
        edge_name(xml, &column.text, (x, frame.height - 6.0), "middle", &faint);
    }
    let middle =
        |cell: usize| board.cells.get(cell).map(|cell| frame.middle(board.shape, cell.x, cell.y));
    for [from, to] in &board.lines {
        if let (Some(from), Some(to)) = (middle(*from), middle(*to)) {
            line(xml, from, to, &theme.colour(Paint::Edge), 3.0, false);
        }
    }
    let chequered = is_chequered(board);
    for (index, cell) in board.cells.iter().enumerate() {
        draw_cell(xml, (number_of, index), board, cell, frame, (chequered, theme));
    }
    for [from, to] in &board.walls {
        if let (Some(from), Some(to)) = (middle(*from), middle(*to)) {
            wall(xml, from, to, &ink);
        }
    }
    for (index, edge) in board.edges.iter().enumerate() {
        draw_edge(xml, (number_of, board.cells.len() + index), board, edge, frame, theme);
    }
    wrapped_edges(xml, board, frame, theme);
    xml.close();
}

/// A side of a cell, which can be clicked like a cell.
fn draw_edge(
    xml: &mut Xml,
    (board_number, index): (usize, usize),
    board: &Board,
    edge: &Edge,
    frame: &Frame,
    theme: Theme,
) {
    let (board_text, index, key) =
        (board_number.to_string(), index.to_string(), edge.key.join(" "));
    let mut attributes = vec![
        ("class", "cell edge"),
        ("data-board", &*board_text),
        ("data-cell", &index),
        ("data-key", &key),
    ];
    if let Some(part) = edge.touched {
        attributes.push(("data-touched", part.name()));
    }
    xml.open("g", &attributes);
    xml.leaf("title", &[], &key);
    let [from, to] = edge.ends.map(|(x, y)| frame.middle(board.shape, x, y));
    let room = UNIT * 0.2;
    let (x, y) = (from.0.min(to.0), from.1.min(to.1));
    let (width, height) = ((from.0 - to.0).abs(), (from.1 - to.1).abs());
    let place = [x - room, y - room, width + 2.0 * room, height + 2.0 * room].map(number);
    let rect = [
        ("x", &*place[0]),
        ("y", &place[1]),
        ("width", &place[2]),
        ("height", &place[3]),
        ("fill", "transparent"),
    ];
    xml.empty("rect", &rect);
    if edge.drawn {
        let paint = if edge.touched.is_some() { Paint::Target } else { Paint::Ink };
        line(xml, from, to, &theme.colour(paint), 5.0, false);
    }
    xml.close();
}

fn edge_name(xml: &mut Xml, text: &str, (x, y): (f64, f64), anchor: &str, colour: &str) {
    let (x, y) = (number(x), number(y));
    let attributes =
        [("x", &*x), ("y", &y), ("font-size", "12"), ("text-anchor", anchor), ("fill", colour)];
    xml.leaf("text", &attributes, &safe(text, 10));
}

fn line(xml: &mut Xml, from: (f64, f64), to: (f64, f64), colour: &str, width: f64, dashed: bool) {
    let ends = [from.0, from.1, to.0, to.1, width].map(number);
    let mut attributes = vec![
        ("x1", &*ends[0]),
        ("y1", &ends[1]),
        ("x2", &ends[2]),
        ("y2", &ends[3]),
        ("stroke", colour),
        ("stroke-width", &ends[4]),
    ];
    if dashed {
        attributes.push(("stroke-dasharray", "7 5"));
    }
    xml.empty("line", &attributes);
}

/// A wall across the way between two cells; a line if they are not beside each other.
fn wall(xml: &mut Xml, from: (f64, f64), to: (f64, f64), colour: &str) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    if dx.hypot(dy) > 1.2 * UNIT {
        return line(xml, from, to, colour, 4.0, false);
    }
    let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    let (a, b) = (dy / 2.0, -dx / 2.0);
    line(xml, (middle.0 - a, middle.1 - b), (middle.0 + a, middle.1 + b), colour, 5.0, false);
}

/// Edges that meet are dashed.
fn wrapped_edges(xml: &mut Xml, board: &Board, frame: &Frame, theme: Theme) {
    let colour = theme.colour(Paint::Source);
    let below = if board.columns.is_empty() { 0.0 } else { EDGE };
    let (left, top, right, bottom) = (frame.left, frame.top, frame.width, frame.height - below);
    if board.wraps[0] {
        line(xml, (left, top), (left, bottom), &colour, 4.0, true);
        line(xml, (right, top), (right, bottom), &colour, 4.0, true);
    }
    if board.wraps[1] {
        line(xml, (left, top), (right, top), &colour, 4.0, true);
        line(xml, (left, bottom), (right, bottom), &colour, 4.0, true);
    }
}

/// Boards of chess and draughts, and large ones, have squares of two colours.
fn is_chequered(board: &Board) -> bool {
    let pieces = board.cells.iter().flat_map(|cell| &cell.items);
    let chess = pieces.clone().any(|item| {
        use Figure::{Bishop, Crowned, King, Knight, Pawn, Queen, Rook};
        matches!(item.look.figure, King | Queen | Rook | Bishop | Knight | Pawn | Crowned)
    });
    board.shape == Shape::Squares && !board.named && (chess || board.cells.len() >= 64)
}

fn draw_cell(
    xml: &mut Xml,
    (board_number, index): (usize, usize),
    board: &Board,
    cell: &Cell,
    frame: &Frame,
    (chequered, theme): (bool, Theme),
) {
    if cell.void {
        return;
    }
    let (x, y) = frame.middle(board.shape, cell.x, cell.y);
    let names: Vec<&str> = cell.items.iter().map(|item| item.name.as_str()).collect();
    let (key, pieces, facts) = (cell.key.join(" "), names.join("\n"), cell.facts.join("\n"));
    let (board_text, cell_text) = (board_number.to_string(), index.to_string());
    let (x_text, y_text) = (number(cell.x), number(cell.y));
    let mut attributes = vec![
        ("class", "cell"),
        ("data-board", &*board_text),
        ("data-cell", &cell_text),
        ("data-key", &key),
        ("data-name", &cell.label),
        ("data-x", &x_text),
        ("data-y", &y_text),
    ];
    if cell.label == key {
        attributes.retain(|(name, _)| *name != "data-name");
    }
    for (name, value) in [("data-piece", &pieces), ("data-fact", &facts)] {
        if !value.is_empty() {
            attributes.push((name, value));
        }
    }
    if let Some(part) = cell.touched {
        attributes.push(("data-touched", part.name()));
    }
    xml.open("g", &attributes);
    let mut title =
        if names.is_empty() { key.clone() } else { format!("{key}: {}", names.join(", ")) };
    for mark in &cell.marks {
        title += &format!(" ({mark})");
    }
    xml.leaf("title", &[], &title);
    let dark = chequered && (cell.x + cell.y).rem_euclid(2.0) >= 1.0;
    outline(xml, board.shape, cell, (x, y), dark, theme);
    if board.named {
        let faint = theme.colour(Paint::Faint);
        let drop = match board.shape {
            Shape::Hexagons => UNIT * 0.42,
            // At the side that is not a corner.
            Shape::Triangles if points_up(cell) => side_of(board.shape) * 0.42,
            Shape::Triangles => side_of(board.shape) * -0.28,
            Shape::Squares => UNIT * 0.46,
            Shape::Points => UNIT * 0.4,
        };
        let size = if cell.label.chars().count() > 6 { "7" } else { "9" };
        let attributes = [
            ("x", &*number(x)),
            ("y", &number(y + drop - 1.0)),
            ("font-size", size),
            ("text-anchor", "middle"),
            ("fill", &faint),
        ];
        xml.leaf("text", &attributes, &safe(&cell.label, 10));
    }
    draw_items(xml, board, cell, (x, y), theme);
    if !cell.marks.is_empty() {
        let (cx, cy) = (number(x + UNIT * 0.36), number(y - UNIT * 0.36));
        let colour = theme.colour(Paint::Source);
        xml.empty(
            "circle",
            &[
                ("cx", &cx),
                ("cy", &cy),
                ("r", "4"),
                ("fill", &colour),
                ("stroke", "#1b1b1b"),
                ("stroke-width", "0.8"),
            ],
        );
    }
    xml.close();
}

fn draw_items(xml: &mut Xml, board: &Board, cell: &Cell, (x, y): (f64, f64), theme: Theme) {
    let room = match board.shape {
        Shape::Squares => UNIT,
        Shape::Hexagons | Shape::Points => UNIT * 0.86,
        Shape::Triangles => UNIT * 0.8,
    };
    // Names of cells keep a little room below. Triangles have theirs where they are wide.
    let (room, y) = match (board.shape, board.named) {
        (Shape::Triangles, _) if points_up(cell) => (room, y + UNIT * 0.12),
        (Shape::Triangles, _) => (room, y - UNIT * 0.12),
        (_, true) => (room * 0.78, y - UNIT * 0.08),
        (_, false) => (room, y),
    };
    // What fills the cell lies below the others.
    let (below, above): (Vec<&Item>, Vec<&Item>) =
        cell.items.iter().partition(|item| item.look.figure == Figure::Blocked);
    if let Some(item) = below.first() {
        figure::draw(xml, &item.look, (x, y), room, theme);
    }
    let side = (1..=above.len()).find(|side| side * side >= above.len()).unwrap_or(1);
    let small = room / side as f64;
    for (number, item) in above.iter().take(9).enumerate() {
        let (column, row) = ((number % side) as f64, (number / side) as f64);
        let middle = |count: usize| (count as f64 - 1.0) / 2.0;
        let rows = above.len().min(9).div_ceil(side);
        let at = (x + (column - middle(side)) * small, y + (row - middle(rows)) * small);
        figure::draw(xml, &item.look, at, small, theme);
    }
}

fn outline(xml: &mut Xml, shape: Shape, cell: &Cell, (x, y): (f64, f64), dark: bool, theme: Theme) {
    let fill = theme.colour(if dark { Paint::Dark } else { Paint::Light });
    let (edge, width, dashes) = match cell.touched {
        Some(Part::Source | Part::Via) => (Paint::Source, "3", "5 3"),
        Some(_) => (Paint::Target, "3.5", "none"),
        None => (Paint::Edge, "1", "none"),
    };
    let edge = theme.colour(edge);
    let style = [
        ("fill", &*fill),
        ("stroke", &*edge),
        ("stroke-width", width),
        ("stroke-dasharray", dashes),
    ];
    // A line that marks stays inside the cell, where its neighbours do not hide it.
    let inset = if cell.touched.is_some() { 2.0 } else { 0.0 };
    let points = |corners: &[(f64, f64)]| {
        let unit = side_of(shape) - 2.0 * inset;
        let corner =
            |&(dx, dy): &(f64, f64)| format!("{},{}", number(x + dx * unit), number(y + dy * unit));
        corners.iter().map(corner).collect::<Vec<_>>().join(" ")
    };
    match shape {
        Shape::Squares => {
            let (left, top, side) = (x - UNIT / 2.0, y - UNIT / 2.0, UNIT - 2.0 * inset);
            let (left, top, side) = (number(left + inset), number(top + inset), number(side));
            if inset > 0.0 {
                let (l, t, s) = (number(x - UNIT / 2.0), number(y - UNIT / 2.0), number(UNIT));
                xml.empty(
                    "rect",
                    &[("x", &l), ("y", &t), ("width", &s), ("height", &s), ("fill", &fill)],
                );
            }
            let place = [("x", &*left), ("y", &top), ("width", &side), ("height", &side)];
            xml.empty("rect", &[&place[..], &style[..]].concat());
        }
        Shape::Hexagons => {
            let corners = points(&[
                (0.0, -0.577),
                (0.5, -0.2885),
                (0.5, 0.2885),
                (0.0, 0.577),
                (-0.5, 0.2885),
                (-0.5, -0.2885),
            ]);
            xml.empty("polygon", &[&[("points", &*corners)][..], &style[..]].concat());
        }
        Shape::Triangles => {
            let tip = if points_up(cell) { -ROW / 2.0 } else { ROW / 2.0 };
            let corners = points(&[(0.0, tip), (0.5, -tip), (-0.5, -tip)]);
            xml.empty("polygon", &[&[("points", &*corners)][..], &style[..]].concat());
        }
        Shape::Points => {
            let (cx, cy, r) = (number(x), number(y), number(UNIT * 0.44));
            xml.empty(
                "circle",
                &[&[("cx", &*cx), ("cy", &cy), ("r", &r)][..], &style[..]].concat(),
            );
        }
    }
}
