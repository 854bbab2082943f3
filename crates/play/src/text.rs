//! The text of rules and levels as it can be shown: never a control sequence, always valid, and every
//! byte where it was, so that spans of the original fit.

use std::borrow::Cow;

use gamegrove_view::visible;

use crate::notice::Span;

/// A place for people: line and column, both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A text with its name and the starts of its lines.
#[derive(Debug)]
pub struct SourceText {
    /// Where the text comes from.
    pub name: String,
    /// What is shown; as long as the original, byte for byte.
    shown: String,
    line_starts: Vec<usize>,
}

impl SourceText {
    /// Prepares the text of the file called `name`.
    pub fn new(name: &str, text: &[u8]) -> SourceText {
        let mut shown = String::with_capacity(text.len());
        for chunk in text.utf8_chunks() {
            for (at, c) in chunk.valid().char_indices() {
                let newline_follows = chunk.valid()[at..].starts_with("\r\n");
                match c {
                    '\n' | '\t' => shown.push(c),
                    '\r' => shown.push(if newline_follows { '\r' } else { '\n' }),
                    c => shown.push_str(visible(c).unwrap_or(c.encode_utf8(&mut [0; 4]))),
                }
            }
            shown.extend(chunk.invalid().iter().map(|_| '?'));
        }
        let breaks = shown.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        SourceText { name: printable(name), shown, line_starts }
    }

    /// The text as it is shown.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// Where the byte `offset` is.
    pub fn place(&self, offset: usize) -> Place {
        let offset = self.boundary(offset);
        let line = self.line_of(offset);
        let column = self.shown[self.line_starts[line]..offset].chars().count();
        Place { line: line + 1, column: column + 1 }
    }

    /// The line, counted from 0, that holds the byte `offset`.
    pub fn line_of(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= offset) - 1
    }

    /// How many lines there are; at least one.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// The bytes of a line counted from 0, without its end; of the last one if there are fewer.
    pub fn line(&self, line: usize) -> std::ops::Range<usize> {
        let line = line.min(self.line_starts.len() - 1);
        let start = self.line_starts[line];
        let end = self.line_starts.get(line + 1).map_or(self.shown.len(), |next| next - 1);
        let carriage = self.shown[start..end].ends_with('\r');
        start..end - usize::from(carriage)
    }

    /// The start of the character that holds the byte `offset`.
    pub fn boundary(&self, offset: usize) -> usize {
        let offset = offset.min(self.shown.len());
        (0..=offset).rev().find(|&at| self.shown.is_char_boundary(at)).unwrap_or(0)
    }

    /// A span in the text, kept inside it.
    pub fn span(&self, span: &Span) -> std::ops::Range<usize> {
        let start = self.boundary(span.start);
        start..self.boundary(span.end).max(start)
    }
}

/// A text without anything that would make a terminal do something but go to the next line.
pub fn tame(text: &str) -> Cow<'_, str> {
    let keep = |c: char| matches!(c, '\n' | '\t') || visible(c).is_none();
    if text.chars().all(keep) {
        return Cow::Borrowed(text);
    }
    let mut tame = String::with_capacity(text.len());
    for c in text.chars() {
        match visible(c) {
            Some(instead) if !keep(c) => tame.push_str(instead),
            _ => tame.push(c),
        }
    }
    Cow::Owned(tame)
}

/// A tame text in one line, kept to a readable length.
pub fn printable(text: &str) -> String {
    const LONGEST: usize = 500;
    let flat = |c: char| if matches!(c, '\n' | '\t' | '\r') { ' ' } else { c };
    let mut shown: String = text.chars().map(flat).take(LONGEST + 1).collect();
    if let Some((cut, _)) = shown.char_indices().nth(LONGEST) {
        shown.truncate(cut);
        shown.push('…');
    }
    tame(&shown).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn places_count_lines_and_characters() {
        let text = SourceText::new("f", "äb\r\nc\rd\n\u{1b}[0m".as_bytes());
        assert_eq!(text.place(0), Place { line: 1, column: 1 });
        assert_eq!(text.place(1), Place { line: 1, column: 1 });
        assert_eq!(text.place(2), Place { line: 1, column: 2 });
        assert_eq!(text.place(5), Place { line: 2, column: 1 });
        assert_eq!(text.place(7), Place { line: 3, column: 1 });
        assert_eq!(text.place(10_000), Place { line: 4, column: 5 });
        assert_eq!(text.line(0), 0..3);
        assert_eq!(&text.shown()[text.line(3)], "?[0m");
        assert_eq!(text.line(99), text.line(3));
    }

    #[test]
    fn nothing_reaches_the_terminal_that_could_steer_it() {
        assert_eq!(printable("a\u{1b}[2Jb\u{202e}c\nd"), "a?[2Jb\u{fffd}c d");
        assert_eq!(printable(&"x".repeat(1000)).chars().count(), 501);
        assert_eq!(tame("a\tb\nä"), "a\tb\nä");
        assert_eq!(tame("a\r\u{7}\u{85}\u{feff}"), "a??·\u{fffd}");
    }

    proptest! {
        #[test]
        fn every_byte_stays_where_it_was(
            bytes in proptest::collection::vec(any::<u8>(), 0..80),
            tail in ".{0,20}",
        ) {
            let bytes = [bytes, tail.into_bytes()].concat();
            let text = SourceText::new("f", &bytes);
            prop_assert_eq!(text.shown().len(), bytes.len());
            for offset in 0..bytes.len() + 2 {
                let place = text.place(offset);
                let line = text.line(place.line - 1);
                prop_assert!(line.start <= text.boundary(offset));
                prop_assert!(line.end <= text.shown().len());
            }
        }
    }
}
