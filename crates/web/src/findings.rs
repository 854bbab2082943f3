//! What is wrong with a pasted rulesheet, with the places in the text.

use gamegrove_play::notice::Notice;
use gamegrove_play::text::SourceText;
use serde::Serialize;

/// The most findings that are listed.
const MOST: usize = 100;

/// One finding about a text.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The stable name of the kind of finding.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to read beside the place.
    pub label: String,
    /// How to correct it.
    pub help: String,
    /// Where it starts, in characters from the start of the text as a page counts them (UTF-16).
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

impl Finding {
    /// The findings about a text, as a page shows them.
    pub fn all(text: &SourceText, found: &[Notice]) -> Vec<Finding> {
        found.iter().take(MOST).map(|notice| Finding::new(text, notice)).collect()
    }

    fn new(text: &SourceText, notice: &Notice) -> Finding {
        let place = text.place(notice.span.start);
        Finding {
            severity: if notice.is_error() { "error" } else { "warning" },
            code: notice.code,
            message: notice.message.clone(),
            label: notice.label.clone(),
            help: notice.help.clone(),
            start: utf16(text.shown(), notice.span.start),
            end: utf16(text.shown(), notice.span.end),
            line: place.line,
            column: place.column,
        }
    }
}

/// The place of a byte in units of the page.
fn utf16(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    text[..byte].encode_utf16().count()
}
