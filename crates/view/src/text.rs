//! Positions as text, for terminals and plain files.

use std::collections::{BTreeMap, BTreeSet};

use crate::fact::{natural, safe};
use crate::look::Figure;
use crate::scene::{Board, Cell, Part, Scene};

/// How text is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextStyle {
    /// Whether signs beyond ASCII can be shown.
    pub unicode: bool,
    /// The most characters in a line.
    pub width: usize,
}

impl Scene {
    /// The whole position: boards, what their signs mean, and the facts beside them.
    pub fn text(&self, style: TextStyle) -> String {
        let mut text = self.boards_text(style);
        let legend = self.legend(style);
        if !legend.is_empty() {
            text += &paragraph("  ", &legend, ", ", style.width);
        }
        text + &facts_text(self.rest.iter().map(String::as_str), style.width)
    }

    fn boards_text(&self, style: TextStyle) -> String {
        let mut rows: BTreeMap<usize, Vec<(usize, Vec<String>)>> = BTreeMap::new();
        for board in &self.boards {
            let drawn = draw(board, style);
            rows.entry(board.at.1).or_default().push((board.at.0, drawn));
        }
        let mut text = String::new();
        for (number, mut row) in rows.into_values().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            row.sort_by_key(|(column, _)| *column);
            for line in side_by_side(row.into_iter().map(|(_, lines)| lines), style.width) {
                text += line.trim_end();
                text.push('\n');
            }
        }
        text
    }

    /// The meaning of signs, where they are not the names themselves.
    fn legend(&self, style: TextStyle) -> Vec<String> {
        let mut entries: Vec<String> = Vec::new();
        for item in self.looks() {
            let glyph = if style.unicode { &item.look.unicode } else { &item.look.ascii };
            let name = safe(&item.name, 40);
            let entry = format!("{glyph} {name}");
            if *glyph != name && !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        // A sign that needs so many explanations is explained by none.
        if entries.len() > 16 { Vec::new() } else { entries }
    }
}

/// The sign of a cell.
fn glyph(cell: &Cell, style: TextStyle) -> String {
    let sign = |item: &crate::scene::Item| match style.unicode {
        true => item.look.unicode.clone(),
        false => item.look.ascii.clone(),
    };
    // What stands on a blocked cell is more than the block.
    let free = |item: &&crate::scene::Item| item.look.figure != Figure::Blocked;
    let mut items: Vec<&crate::scene::Item> = cell.items.iter().filter(free).collect();
    if items.is_empty() {
        items.extend(cell.items.first());
    }
    match items[..] {
        [] if cell.void => " ".to_owned(),
        [] if style.unicode => "·".to_owned(),
        [] => ".".to_owned(),
        [only] => sign(only),
        [first, second] => format!("{}+{}", sign(first), sign(second)),
        [first, ..] => format!("{}+{}", sign(first), items.len() - 1),
    }
}

fn shown(text: &str, style: TextStyle) -> String {
    let text = safe(text, 12);
    if style.unicode || text.is_ascii() {
        return text;
    }
    text.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect()
}

/// A board as lines.
fn draw(board: &Board, style: TextStyle) -> Vec<String> {
    let name = |cell: &Cell| shown(&cell.key.join(" "), style);
    let with_names = |cell: &Cell| match cell.void && cell.items.is_empty() {
        true => String::new(),
        false => format!("{}:{}", name(cell), glyph(cell, style)),
    };
    let alone = |cell: &Cell| glyph(cell, style);
    let mut drawn = match board.named {
        true => canvas(board, style, &with_names),
        false => canvas(board, style, &alone),
    };
    if board.named && longest(&drawn) > style.width {
        drawn = canvas(board, style, &alone);
    }
    if !board.name.is_empty() {
        drawn.insert(0, format!("  {}", safe(&board.name, 40)));
    }
    drawn
}

/// Whether cells of one row, or names of columns, are half a column from each other.
fn has_half_steps(board: &Board) -> bool {
    let twice = |x: f64| (2.0 * x).round() as i64;
    let cells = board.cells.iter().filter(|cell| !cell.void || !cell.items.is_empty());
    let cells = cells.map(|cell| (Some(cell.y.round() as i64), twice(cell.x)));
    let places: BTreeSet<(Option<i64>, i64)> =
        cells.chain(board.columns.iter().map(|label| (None, twice(label.at)))).collect();
    let beside = |x: i64| x.checked_add(1);
    places.iter().any(|&(row, x)| beside(x).is_some_and(|x| places.contains(&(row, x))))
}

fn canvas(board: &Board, style: TextStyle, sign: &dyn Fn(&Cell) -> String) -> Vec<String> {
    let width = |text: &str| text.chars().count();
    let signs: Vec<String> = board.cells.iter().map(sign).collect();
    let labels = board.columns.iter().map(|label| width(&shown(&label.text, style)));
    let widest = signs.iter().map(|sign| width(sign)).chain(labels).max().unwrap_or(1);
    let left = board.cells.iter().map(|cell| cell.x).fold(0.0, f64::min);
    let half_steps = board.cells.iter().any(|cell| cell.x.fract() != 0.0);
    // Half a column must be a whole number of characters.
    let step = match half_steps {
        // Half a column from each other, signs and names of columns must not run together.
        true if has_half_steps(board) => 2 * (widest + 1),
        true => (widest + 2) / 2 * 2,
        false => widest + 1,
    };
    let edge = board.rows.iter().map(|row| width(&shown(&row.text, style))).max().unwrap_or(0);
    let place = |x: f64| ((x - left) * step as f64).round().clamp(0.0, 10_000.0) as usize;
    let room = style.width.saturating_sub(edge + 4).max(step);
    let end = board.cells.iter().map(|cell| place(cell.x) + widest).max().unwrap_or(0);
    // A board that is too wide is cut into bands of whole columns.
    let band = (room / step).max(1) * step;
    let mut lines = Vec::new();
    for start in (0..end.max(1)).step_by(band) {
        if start > 0 {
            lines.push(String::new());
        }
        let inside = |at: usize| (start..start + band).contains(&at);
        let mut rows: BTreeMap<i64, Vec<(usize, String, bool)>> = BTreeMap::new();
        for (cell, sign) in board.cells.iter().zip(&signs) {
            let at = place(cell.x);
            let marked = matches!(cell.touched, Some(Part::Target | Part::Drop));
            let row = rows.entry(cell.y.round() as i64).or_default();
            if inside(at) {
                row.push((at - start + widest - width(sign), sign.clone(), marked));
            }
        }
        for (y, mut signs) in rows {
            signs.sort();
            let row = board.rows.iter().find(|row| row.at.round() as i64 == y);
            let label = row.map_or_else(String::new, |row| shown(&row.text, style));
            lines.push(format!("  {label:>edge$} {}", line(&signs)));
        }
        let mut names: Vec<(usize, String, bool)> = Vec::new();
        for label in &board.columns {
            let (at, text) = (place(label.at), shown(&label.text, style));
            if inside(at) {
                names.push((at - start + widest - width(&text).min(widest), text, false));
            }
        }
        names.sort();
        if !names.is_empty() {
            lines.push(format!("  {:edge$} {}", "", line(&names)));
        }
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// Signs in a line at their places, those that are marked in brackets. One column is kept free before
/// the first for that.
fn line(signs: &[(usize, String, bool)]) -> String {
    let mut line: Vec<char> = Vec::new();
    for (at, sign, marked) in signs {
        let start = at + 1;
        let length = sign.chars().count();
        if line.len() < start + length + 1 {
            line.resize(start + length + 1, ' ');
        }
        for (offset, c) in sign.chars().enumerate() {
            line[start + offset] = c;
        }
        if *marked {
            line[start - 1] = '[';
            line[start + length] = ']';
        }
    }
    line.into_iter().collect()
}

fn longest(lines: &[String]) -> usize {
    lines.iter().map(|line| line.chars().count()).max().unwrap_or(0)
}

/// Drawings beside each other as far as the width allows.
fn side_by_side(drawings: impl Iterator<Item = Vec<String>>, width: usize) -> Vec<String> {
    let mut done: Vec<String> = Vec::new();
    let mut row: Vec<String> = Vec::new();
    for drawing in drawings {
        let used = longest(&row);
        if used > 0 && used + 2 + longest(&drawing) > width {
            done.append(&mut row);
            done.push(String::new());
        }
        let used = longest(&row);
        let height = row.len().max(drawing.len());
        row.resize(height, String::new());
        for (at, line) in drawing.into_iter().enumerate() {
            let padding = (used + 2 * usize::from(used > 0)) - row[at].chars().count().min(used);
            row[at] += &format!("{}{line}", " ".repeat(padding));
        }
    }
    done.append(&mut row);
    done
}

/// Facts by relation, one relation a paragraph, wrapped to `width`.
pub fn facts_text<'a>(facts: impl IntoIterator<Item = &'a str>, width: usize) -> String {
    let groups = grouped(facts);
    let edge = groups.keys().map(|name| name.chars().count()).max().unwrap_or(0).min(20);
    groups
        .iter()
        .map(|(relation, entries)| {
            paragraph(&format!("  {relation:edge$}  "), entries, ", ", width)
        })
        .collect()
}

/// The same where letters have different widths, so that nothing can stand below another.
pub(crate) fn facts_lines<'a>(facts: impl IntoIterator<Item = &'a str>, width: usize) -> String {
    let line = |(relation, entries): (String, Vec<String>)| match entries.join(", ").is_empty() {
        true => format!("{relation}\n"),
        false => {
            let heading = format!("{relation}: ");
            let text = paragraph(&" ".repeat(heading.chars().count()), &entries, ", ", width);
            let lines = text.lines().map(str::trim_start).collect::<Vec<_>>().join("\n    ");
            format!("{heading}{lines}\n")
        }
    };
    grouped(facts).into_iter().map(line).collect()
}

/// The arguments of facts by relation, in natural order, safe to show.
fn grouped<'a>(facts: impl IntoIterator<Item = &'a str>) -> BTreeMap<String, Vec<String>> {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for fact in facts {
        let inside = fact.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let whole = inside.unwrap_or(fact);
        let (relation, arguments) = whole.split_once(' ').unwrap_or((whole, ""));
        groups.entry(safe(relation, 500)).or_default().push(safe(arguments, 500));
    }
    groups.values_mut().for_each(|entries| entries.sort_by(|a, b| natural(a, b)));
    groups
}

/// Entries one after another behind a heading, wrapped to `width` under each other.
pub fn paragraph(heading: &str, entries: &[String], between: &str, width: usize) -> String {
    let indent = heading.chars().count();
    let mut text = heading.to_owned();
    let mut column = indent;
    for (index, entry) in entries.iter().enumerate() {
        let mut separator = if index == 0 { "" } else { between };
        let length = entry.chars().count();
        if column + separator.chars().count() + length > width && column > indent {
            text.push_str(separator.trim_end());
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
            separator = "";
        }
        text.push_str(separator);
        text.push_str(entry);
        column += separator.chars().count() + length;
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_grouped_and_wrapped() {
        let list = ["(cell 10 a)", "(cell 9 (f b))", "(control x)", "done", "(cell 11 a)"];
        insta::assert_snapshot!(facts_text(list, 28), @r"
          cell     9 (f b), 10 a,
                   11 a
          control  x
          done
        ");
    }

    #[test]
    fn drawings_stand_side_by_side_where_there_is_room() {
        let drawing = |text: &str| text.split('/').map(str::to_owned).collect::<Vec<_>>();
        let three = || [drawing("ab/cd"), drawing("e"), drawing("fgh/i/j")].into_iter();
        assert_eq!(side_by_side(three(), 20), ["ab  e  fgh", "cd     i", "       j"]);
        assert_eq!(side_by_side(three(), 6), ["ab  e", "cd", "", "fgh", "i", "j"]);
    }
}
