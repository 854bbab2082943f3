//! Reads the text of a description as a tree of lines with byte spans.
//!
//! A description is a list of lines; a line's column decides whose child it is. Text after `#` is a
//! comment. A line is a list of words, of which some are `key=value` parameters and one may be
//! `>`. What a line means depends on the section it stands in, which is the last section heading
//! above it, whatever its place in the tree. The framework's own reader does exactly this; games
//! rely on its corners, for example that a line indented too far in the interaction set becomes a
//! child of the line above and is never looked at.

use crate::diagnostic::{Diagnostic, Span};

/// Longest text that is read.
pub const MAX_TEXT: usize = 4 << 20;
/// Most lines that are read.
pub const MAX_LINES: usize = 30_000;
/// Most levels of nesting.
pub const MAX_DEPTH: usize = 200;

/// A part of the description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Section {
    /// Before the first heading: the line of the game itself.
    Game,
    /// `SpriteSet`.
    Sprites,
    /// `InteractionSet`.
    Interactions,
    /// `LevelMapping`.
    Mapping,
    /// `TerminationSet`.
    Terminations,
    /// `ParameterSet`.
    Parameters,
}

impl Section {
    /// The headings as the framework spells them.
    pub const HEADINGS: [(&'static str, Section); 5] = [
        ("SpriteSet", Section::Sprites),
        ("InteractionSet", Section::Interactions),
        ("LevelMapping", Section::Mapping),
        ("TerminationSet", Section::Terminations),
        ("ParameterSet", Section::Parameters),
    ];
}

/// A word of a line.
#[derive(Clone, Copy, Debug)]
pub struct Word<'t> {
    /// The text.
    pub text: &'t str,
    /// Its place.
    pub span: Span,
}

/// A `key=value` word.
#[derive(Clone, Copy, Debug)]
pub struct Parameter<'t> {
    /// The text before the first `=`.
    pub key: Word<'t>,
    /// The text between the first `=` and the next, if any.
    pub value: Word<'t>,
}

/// One line that is not empty.
#[derive(Clone, Debug)]
pub struct Line<'t> {
    /// The section its words are read in.
    pub section: Section,
    /// Column of its first character, counted from 0, a tab being one column.
    pub indent: usize,
    /// Its words, `>` among them.
    pub words: Vec<Word<'t>>,
    /// From the first to the last character.
    pub span: Span,
    /// The line it is a child of.
    pub parent: Option<usize>,
    /// Its children in order.
    pub children: Vec<usize>,
}

impl<'t> Line<'t> {
    /// The first word.
    pub fn head(&self) -> Word<'t> {
        self.words[0]
    }

    /// Whether one of the words from the second on is `>`.
    pub fn is_definition(&self) -> bool {
        self.words[1..].iter().any(|w| w.text == ">")
    }

    /// The parameters among the words from number `from` on.
    pub fn parameters(&self, from: usize) -> impl Iterator<Item = Parameter<'t>> + '_ {
        self.words.iter().skip(from).filter_map(|word| split_parameter(*word))
    }

    /// The last word from number `from` on that is neither a parameter nor `>`: the class or the
    /// effect of the line.
    pub fn keyword(&self, from: usize) -> Option<Word<'t>> {
        self.words
            .iter()
            .skip(from)
            .rfind(|word| word.text != ">" && !word.text.contains('='))
            .copied()
    }
}

fn split_parameter<'t>(word: Word<'t>) -> Option<Parameter<'t>> {
    let (key, rest) = word.text.split_once('=')?;
    let value = rest.split('=').next().unwrap_or("");
    let value_start = word.span.start + key.len() + 1;
    Some(Parameter {
        key: Word { text: key, span: Span::new(word.span.start, word.span.start + key.len()) },
        value: Word { text: value, span: Span::new(value_start, value_start + value.len()) },
    })
}

/// A description as a tree of lines.
#[derive(Clone, Debug, Default)]
pub struct Document<'t> {
    /// All lines in the order of the text; the first is the root.
    pub lines: Vec<Line<'t>>,
}

impl<'t> Document<'t> {
    /// Reads `text`. What cannot be read is left out and reported.
    pub fn parse(text: &'t str) -> (Self, Vec<Diagnostic>) {
        let mut reader = Reader { document: Document::default(), findings: Vec::new() };
        if text.len() > MAX_TEXT {
            reader.findings.push(Diagnostic::error(
                "too-long",
                Span::new(MAX_TEXT, MAX_TEXT),
                format!("the description is longer than {MAX_TEXT} bytes"),
            ));
            return (reader.document, reader.findings);
        }
        let mut section = Section::Game;
        let mut last = None;
        let mut offset = 0;
        for raw in text.split_inclusive('\n') {
            let start = offset;
            offset += raw.len();
            let line = raw.split('#').next().unwrap_or("").trim_end();
            let content = line.trim_start();
            if content.is_empty() {
                continue;
            }
            if reader.document.lines.len() == MAX_LINES {
                let message = format!("the description has more than {MAX_LINES} lines");
                reader.findings.push(Diagnostic::error(
                    "too-long",
                    Span::new(start, start),
                    message,
                ));
                break;
            }
            if let Some((_, named)) =
                Section::HEADINGS.iter().find(|(name, _)| content.eq_ignore_ascii_case(name))
            {
                section = *named;
            }
            let indent = line[..line.len() - content.len()].chars().count();
            let first = start + (line.len() - content.len());
            last = reader.line(content, first, indent, section, last).or(last);
        }
        if reader.document.lines.is_empty() {
            reader.findings.push(
                Diagnostic::error("empty", Span::new(0, 0), "the description is empty")
                    .help("start with the line `BasicGame`"),
            );
        }
        (reader.document, reader.findings)
    }
}

struct Reader<'t> {
    document: Document<'t>,
    findings: Vec<Diagnostic>,
}

impl<'t> Reader<'t> {
    /// Adds one line below the line it belongs to; `None` if it cannot be read.
    fn line(
        &mut self,
        content: &'t str,
        start: usize,
        indent: usize,
        section: Section,
        last: Option<usize>,
    ) -> Option<usize> {
        let span = Span::new(start, start + content.len());
        let words: Vec<_> = content
            .split_whitespace()
            .map(|text| {
                // `split_whitespace` yields slices of `content`, so the distance is the offset.
                let from = start + (text.as_ptr() as usize - content.as_ptr() as usize);
                Word { text, span: Span::new(from, from + text.len()) }
            })
            .collect();
        if let Some(word) = words.iter().skip(1).find(|word| word.text.ends_with('=')) {
            self.findings.push(
                Diagnostic::error(
                    "empty-value",
                    word.span,
                    format!("`{}` has no value", word.text),
                )
                .help("write `key=value` without blanks; the framework skips this line"),
            );
            return None;
        }
        let mut parent = last;
        while let Some(at) = parent {
            if self.document.lines[at].indent < indent {
                break;
            }
            parent = self.document.lines[at].parent;
        }
        let number = self.document.lines.len();
        match parent {
            Some(at) => {
                let siblings = &self.document.lines[at].children;
                if let Some(&eldest) = siblings.first()
                    && self.document.lines[eldest].indent != indent
                {
                    self.findings.push(
                        Diagnostic::warning(
                            "indentation",
                            span,
                            "this line is not indented like the first line of its block",
                        )
                        .help("give all lines of a block the same indentation"),
                    );
                }
                if self.depth(at) >= MAX_DEPTH {
                    let message = format!("lines are nested more than {MAX_DEPTH} levels deep");
                    self.findings.push(Diagnostic::error("too-deep", span, message));
                    return None;
                }
                self.document.lines[at].children.push(number);
            }
            None if number > 0 => {
                self.findings.push(
                    Diagnostic::error("second-root", span, "this line belongs to no block")
                        .help("indent it deeper than the first line of the description"),
                );
                return None;
            }
            None => {}
        }
        self.document.lines.push(Line {
            section,
            indent,
            words,
            span,
            parent,
            children: Vec::new(),
        });
        Some(number)
    }

    fn depth(&self, mut at: usize) -> usize {
        let mut depth = 0;
        while let Some(parent) = self.document.lines[at].parent {
            at = parent;
            depth += 1;
        }
        depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_form_a_tree_by_their_columns() {
        let text = "BasicGame a=1\n  SpriteSet # comment\n\tx > Immovable\n    y > img=a\n  LevelMapping\n";
        let (document, findings) = Document::parse(text);
        assert!(findings.iter().all(|f| f.code == "indentation"), "{findings:?}");
        let parents: Vec<_> = document.lines.iter().map(|l| l.parent).collect();
        // A tab is one column, so `x` is not below `SpriteSet` but beside it, and what follows with
        // two columns is below `x`.
        assert_eq!(parents, [None, Some(0), Some(0), Some(2), Some(2)]);
    }

    #[test]
    fn spans_point_at_the_words() {
        let text = "G\n  SpriteSet\n    a > Missile speed=0.5\n";
        let (document, _) = Document::parse(text);
        let line = &document.lines[2];
        assert_eq!(line.keyword(1).map(|w| &text[w.span.start..w.span.end]), Some("Missile"));
        let speed = line.parameters(1).next().expect("one parameter");
        assert_eq!(&text[speed.value.span.start..speed.value.span.end], "0.5");
    }
}
