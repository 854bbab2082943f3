//! States for people at a terminal: a board where the facts show one, otherwise the facts.
//!
//! A board is a relation `(name x y content)` whose first two arguments are numbers or letters.
//! Which way it is turned is the rulesheet's own affair: x always goes to the right and y up, and
//! both are written at the edge.

use std::collections::{BTreeMap, BTreeSet};

use crate::names::natural;

/// The most squares of a side.
const LARGEST: usize = 30;

/// A board found in the facts of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    relation: String,
    columns: Vec<String>,
    rows: Vec<String>,
    /// The content that says that a square is empty.
    blank: Option<String>,
}

impl Board {
    /// The largest board in `facts`: all that could hold in a game, or those of its first state.
    pub fn find(facts: &[String], roles: &[String]) -> Option<Board> {
        let mut axes: BTreeMap<&str, (BTreeSet<&str>, BTreeSet<&str>)> = BTreeMap::new();
        let mut blank = None;
        for fact in facts {
            let (relation, arguments) = split(fact);
            let [x, y, content] = arguments[..] else { continue };
            let (columns, rows) = axes.entry(relation).or_default();
            columns.insert(x);
            rows.insert(y);
            let empty = matches!(content, "blank" | "empty")
                // The initial of a player is hardly an empty square.
                || content == "b" && !roles.iter().any(|role| role.starts_with('b'));
            if empty {
                blank = Some(content.to_owned());
            }
        }
        axes.into_iter()
            .filter_map(|(relation, (columns, rows))| {
                let (columns, rows) = (axis(&columns)?, axis(&rows)?);
                Some(Board { relation: relation.to_owned(), columns, rows, blank: blank.clone() })
            })
            .max_by_key(|board| board.columns.len() * board.rows.len())
    }

    /// The board in a state with these facts, and the facts that are not on it. Nothing if a square
    /// would hold two things.
    pub fn draw<'a>(&self, facts: &'a [String]) -> Option<(String, Vec<&'a str>)> {
        let mut squares: BTreeMap<(&str, &str), &str> = BTreeMap::new();
        let mut others = Vec::new();
        for fact in facts {
            match split(fact) {
                (relation, arguments) if relation == self.relation && arguments.len() == 3 => {
                    let content = arguments[2];
                    if squares.insert((arguments[0], arguments[1]), content).is_some() {
                        return None;
                    }
                }
                _ => others.push(fact.as_str()),
            }
        }
        let known = |(x, y): &(&str, &str)| {
            self.columns.iter().any(|c| c == x) && self.rows.iter().any(|r| r == y)
        };
        if !squares.keys().all(known) {
            return None;
        }
        let show = |x: &str, y: &str| match squares.get(&(x, y)) {
            Some(content) if Some(*content) != self.blank.as_deref() => *content,
            _ => ".",
        };
        let contents = squares.values().map(|content| content.chars().count());
        let labels = self.columns.iter().map(|column| column.chars().count());
        let width = contents.chain(labels).max().unwrap_or(1).min(12);
        let edge = self.rows.iter().map(|row| row.chars().count()).max().unwrap_or(1);
        let mut drawn = String::new();
        for y in self.rows.iter().rev() {
            let cells = self.columns.iter().map(|x| format!(" {:>width$.width$}", show(x, y)));
            drawn += &format!("  {y:>edge$} {}\n", cells.collect::<String>());
        }
        let labels = self.columns.iter().map(|x| format!(" {x:>width$.width$}"));
        drawn += &format!("  {:>edge$} {}\n", "", labels.collect::<String>());
        Some((drawn, others))
    }
}

/// The values of an axis without gaps, or nothing if they are no numbers and no letters.
fn axis(values: &BTreeSet<&str>) -> Option<Vec<String>> {
    let full: Vec<String> = if let Some(numbers) = all(values, |value| value.parse::<i32>().ok()) {
        let (first, last) = (*numbers.iter().min()?, *numbers.iter().max()?);
        if last.abs_diff(first) as usize >= LARGEST {
            return None;
        }
        (first..=last).map(|number| number.to_string()).collect()
    } else {
        let letters = all(values, |value| match value.as_bytes() {
            [letter @ b'a'..=b'z'] => Some(*letter),
            _ => None,
        })?;
        let (first, last) = (*letters.iter().min()?, *letters.iter().max()?);
        (first..=last).map(|letter| char::from(letter).to_string()).collect()
    };
    // Numbers may be written in several ways (01); such an axis is not understood.
    let covered = values.iter().all(|value| full.iter().any(|known| known == value));
    (covered && full.len() > 1 && full.len() <= LARGEST).then_some(full)
}

fn all<T>(values: &BTreeSet<&str>, read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    values.iter().map(|value| read(value)).collect()
}

/// The relation of a fact and its arguments; a nested argument is cut into pieces, so that it
/// never looks like a plain one.
fn split(fact: &str) -> (&str, Vec<&str>) {
    let inside = fact.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let mut words = inside.unwrap_or(fact).split_whitespace();
    (words.next().unwrap_or(""), words.collect())
}

/// Facts by relation, one relation a paragraph, wrapped to `width`.
pub fn grouped_facts<'a>(facts: impl IntoIterator<Item = &'a str>, width: usize) -> String {
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for fact in facts {
        let inside = fact.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let (relation, arguments) =
            inside.unwrap_or(fact).split_once(' ').unwrap_or((inside.unwrap_or(fact), ""));
        groups.entry(relation).or_default().push(arguments);
    }
    let edge = groups.keys().map(|name| name.chars().count()).max().unwrap_or(0).min(20);
    let mut text = String::new();
    for (relation, mut arguments) in groups {
        arguments.sort_by(|a, b| natural(a, b));
        let entries: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
        text += &paragraph(&format!("  {relation:edge$}  "), &entries, ", ", width);
    }
    text
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

    fn facts(list: &[&str]) -> Vec<String> {
        list.iter().map(|&fact| fact.to_owned()).collect()
    }

    #[test]
    fn boards_are_found_and_drawn() {
        let all = facts(&["(cell 1 a b)", "(cell 3 b x)", "(control x)", "(step 7)"]);
        let board = Board::find(&all, &facts(&["x", "o"])).expect("a board");
        let state = facts(&["(cell 1 a b)", "(cell 2 b x)", "(control x)"]);
        let (drawn, others) = board.draw(&state).expect("one thing a square");
        insta::assert_snapshot!(drawn, @r"
          b  . x .
          a  . . .
             1 2 3
        ");
        assert_eq!(others, ["(control x)"]);
    }

    #[test]
    fn what_is_no_board_is_not_taken_for_one() {
        let players = facts(&["x"]);
        for list in [
            &["(cell 1 1)", "(cell 2 2)"][..],
            &["(line red 1 1)", "(line blue 2 1)"],
            &["(at 1 1 x)", "(at 1000000 2 x)"],
            &["(at 1 1 x)", "(at 2147483647 2 x)", "(at -2147483648 2 x)"],
            &["(at 01 1 x)", "(at 02 2 x)"],
            &["(cell (p 1) 2)", "(cell (p 2) 3)"],
            &["done"],
            &[],
        ] {
            assert_eq!(Board::find(&facts(list), &players), None, "{list:?}");
        }
    }

    #[test]
    fn squares_with_two_things_and_unknown_squares_are_left_to_the_facts() {
        let board = Board::find(&facts(&["(c 1 1 x)", "(c 2 2 x)"]), &[]).expect("a board");
        assert_eq!(board.draw(&facts(&["(c 1 1 x)", "(c 1 1 y)"])), None);
        assert_eq!(board.draw(&facts(&["(c 9 9 x)"])), None);
        assert!(board.draw(&[]).is_some());
    }

    #[test]
    fn an_initial_of_a_player_is_a_piece() {
        let all = facts(&["(c 1 1 b)", "(c 2 2 w)"]);
        let board = Board::find(&all, &facts(&["white", "black"])).expect("a board");
        let (drawn, _) = board.draw(&all).expect("one thing a square");
        assert!(drawn.contains('b'), "{drawn}");
    }

    #[test]
    fn facts_are_grouped_and_wrapped() {
        let list = ["(cell 10 a)", "(cell 9 (f b))", "(control x)", "done", "(cell 11 a)"];
        insta::assert_snapshot!(grouped_facts(list, 28), @r"
          cell     9 (f b), 10 a,
                   11 a
          control  x
          done
        ");
    }
}
