//! Facts as text, taken apart without recursion, so that no depth of nesting matters.

use std::cmp::Ordering;

/// A fact or move: its shape, and the constants in it from left to right.
///
/// `(cell 1 (at b) x)` has the shape `cell _ (at _) _` and the leaves `1`, `b`, `x`. Facts of one
/// shape say the same kind of thing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// The names of the relation and of functions, with `_` for each leaf.
    pub shape: String,
    /// The constants that are arguments.
    pub leaves: Vec<String>,
}

impl Fact {
    /// Reads a fact; any text is one.
    pub fn read(text: &str) -> Fact {
        let inside = text.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let (mut shape, mut leaves) = (String::new(), Vec::new());
        let mut names_function = true;
        for token in tokens(inside.unwrap_or(text)) {
            match token {
                "(" => {
                    push(&mut shape, "(");
                    names_function = true;
                }
                ")" => {
                    shape.push(')');
                    names_function = false;
                }
                word if names_function => {
                    push(&mut shape, word);
                    names_function = false;
                }
                word => {
                    push(&mut shape, "_");
                    leaves.push(word.to_owned());
                }
            }
        }
        Fact { shape, leaves }
    }

    /// The relation.
    pub fn name(&self) -> &str {
        name_of(&self.shape)
    }
}

/// The relation that a shape starts with.
pub fn name_of(shape: &str) -> &str {
    shape.split(' ').next().unwrap_or("")
}

fn push(shape: &mut String, token: &str) {
    if !shape.is_empty() && !shape.ends_with('(') {
        shape.push(' ');
    }
    shape.push_str(token);
}

fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let end = match first {
            '(' | ')' => 1,
            _ => rest
                .find(|c: char| c.is_whitespace() || matches!(c, '(' | ')'))
                .unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(end);
        rest = after;
        Some(token)
    })
}

/// Compares texts so that numbers in them count as numbers: `(drop 2)` before `(drop 10)`.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let (x, rest_a) = chunk(a);
        let (y, rest_b) = chunk(b);
        let order = match (x.as_bytes().first(), y.as_bytes().first()) {
            (Some(p), Some(q)) if p.is_ascii_digit() && q.is_ascii_digit() => {
                let (x, y) = (x.trim_start_matches('0'), y.trim_start_matches('0'));
                x.len().cmp(&y.len()).then(x.cmp(y))
            }
            _ => x.cmp(y),
        };
        if order != Ordering::Equal {
            return order;
        }
        if rest_a.is_empty() || rest_b.is_empty() {
            return rest_a.len().cmp(&rest_b.len());
        }
        (a, b) = (rest_a, rest_b);
    }
}

/// The longest start of `text` that is all digits or has none, and the rest.
fn chunk(text: &str) -> (&str, &str) {
    let digits = text.as_bytes().first().is_some_and(u8::is_ascii_digit);
    let end = text.bytes().position(|b| b.is_ascii_digit() != digits).unwrap_or(text.len());
    text.split_at(end)
}

/// A replacement for a character that cannot be seen or that changes how others are seen; it
/// has as many bytes as the character.
pub fn visible(c: char) -> Option<&'static str> {
    let invisible = c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    invisible.then(|| match c.len_utf8() {
        1 => "?",
        2 => "·",
        3 => "\u{fffd}",
        _ => "\u{fffd}?",
    })
}

/// A name without anything that steers a terminal or a page, cut to `longest` characters.
pub(crate) fn safe(text: &str, longest: usize) -> String {
    let mut shown = String::new();
    for (at, c) in text.chars().enumerate() {
        if at == longest {
            shown.pop();
            shown.push('…');
            break;
        }
        match visible(c) {
            Some(instead) => shown.push_str(instead),
            // Not characters of XML 1.0.
            None if matches!(c, '\u{fffe}' | '\u{ffff}') => shown.push('\u{fffd}'),
            None => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Vec<String>) {
        let fact = Fact::read(text);
        (fact.shape, fact.leaves)
    }

    #[test]
    fn facts_have_shapes_and_leaves() {
        assert_eq!(read("(cell 1 a x)").0, "cell _ _ _");
        assert_eq!(read("(cell (at 1 2) (piece white king))").0, "cell (at _ _) (piece _ _)");
        assert_eq!(read("(cell (at 1 2) b)").1, ["1", "2", "b"]);
        assert_eq!(read("done"), ("done".to_owned(), vec![]));
        assert_eq!(read("").0, "");
        assert_eq!(read("((").1, [""; 0]);
        assert_eq!(Fact::read("(control x)").name(), "control");
        assert_eq!(read(&"(f ".repeat(100_000)).1, [""; 0]);
    }

    #[test]
    fn numbers_are_ordered_as_numbers() {
        let mut names = ["(drop 10)", "(drop 9)", "noop", "(drop 1)", "a", "a1", "a01"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["(drop 1)", "(drop 9)", "(drop 10)", "a", "a1", "a01", "noop"]);
    }

    #[test]
    fn names_are_safe_to_show() {
        assert_eq!(safe("a\u{1b}[2Jb\u{202e}", 99), "a?[2Jb\u{fffd}");
        assert_eq!(safe("abcdef", 4), "abc…");
        assert_eq!(safe("abcd", 4), "abcd");
    }
}
