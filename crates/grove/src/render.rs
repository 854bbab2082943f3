//! Findings about texts as pictures: the place, the text underlined, why, how to mend it.
//!
//! Drawn by miette. Rulesheets may have lines of a megabyte and findings that span thousands of
//! lines, so only a window around each place is ever handed over.

use std::fmt;
use std::ops::Range;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents,
    SourceCode, SourceSpan, SpanContents, ThemeCharacters, ThemeStyles,
};

use gamegrove_play::notice::{Notice, Severity};
use gamegrove_play::text::{SourceText, printable};

/// How a stream can be written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether colours can be shown.
    pub colour: bool,
    /// Whether more than ASCII can be shown.
    pub unicode: bool,
    /// Characters in a line.
    pub width: usize,
}

/// Draws findings.
#[derive(Debug)]
pub struct Renderer {
    handler: GraphicalReportHandler,
    /// Longer lines are shown in part.
    longest: usize,
}

impl Renderer {
    /// A renderer for a stream with this style.
    pub fn new(style: Style) -> Renderer {
        let theme = GraphicalTheme {
            characters: if style.unicode {
                ThemeCharacters::unicode()
            } else {
                ThemeCharacters::ascii()
            },
            styles: if style.colour { ThemeStyles::ansi() } else { ThemeStyles::none() },
        };
        let handler = GraphicalReportHandler::new_themed(theme)
            .with_width(style.width.max(40))
            .with_links(false)
            .without_syntax_highlighting()
            .without_cause_chain();
        Renderer { handler, longest: style.width.max(100) }
    }

    /// A finding about a place in a text.
    pub fn diagnostic(&self, text: &SourceText, found: &Notice) -> String {
        let window = Window { text, longest: self.longest };
        let whole = found.span.end == 0;
        let places = std::iter::once((&found.span, &found.label)).chain(
            // A finding about the whole text is about no other place.
            found.related.iter().filter(|_| !whole).map(|(span, label)| (span, label)),
        );
        let mut labels = Vec::new();
        for (span, label) in places.filter(|_| !whole) {
            let range = window.underlined(text.span(span));
            let label = Some(printable(label)).filter(|label| !label.is_empty());
            let span = SourceSpan::from((range.start, range.len()));
            labels.push(if labels.is_empty() {
                LabeledSpan::new_primary_with_span(label, span)
            } else {
                LabeledSpan::new_with_span(label, span)
            });
        }
        let place = if whole { format!(" in {}", text.name) } else { String::new() };
        self.draw(&Picture {
            heading: format!("{}[{}]{place}", severity_name(found.severity), found.code),
            severity: found.severity,
            message: printable(&found.message),
            help: printable(&found.help),
            labels,
            window: Some(window),
        })
    }

    /// A finding about no place in particular.
    pub fn finding(
        &self,
        severity: Severity,
        code: &str,
        place: &str,
        message: &str,
        help: &str,
    ) -> String {
        self.draw(&Picture {
            heading: format!("{}[{code}] in {}", severity_name(severity), printable(place)),
            severity,
            message: printable(message),
            help: printable(help),
            labels: Vec::new(),
            window: None,
        })
    }

    fn draw(&self, picture: &Picture<'_>) -> String {
        let mut drawn = String::new();
        if self.handler.render_report(&mut drawn, picture).is_err() {
            // Writing to memory does not fail; should miette refuse all the same, the words count.
            drawn = format!("{}: {}\n", picture.heading, picture.message);
        }
        drawn
    }
}

/// `error` or `warning`.
pub fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// The most lines that are underlined.
const MOST_LINES: usize = 6;

/// A text of which only the surroundings of a place are shown.
#[derive(Clone, Copy)]
struct Window<'a> {
    text: &'a SourceText,
    /// Longer lines are shown in part.
    longest: usize,
}

impl Window<'_> {
    /// The part of a span that is underlined: not more than a reader takes in.
    fn underlined(&self, span: Range<usize>) -> Range<usize> {
        let lines = self.text.line_of(span.start)..=self.text.line_of(last_byte(&span));
        let (first, count) = (self.text.line(*lines.start()), lines.clone().count());
        let mut end = span.end;
        if count > MOST_LINES || (count > 1 && lines.into_iter().any(|line| self.is_long(line))) {
            end = first.end.max(span.start);
        }
        if first.len() > self.longest {
            end = end.min(self.text.boundary(span.start + self.longest / 3));
        }
        span.start..end
    }

    fn is_long(&self, line: usize) -> bool {
        self.text.line(line).len() > self.longest
    }

    /// The text to show for a span: its lines and some around it, as far as they are not long.
    fn around(&self, span: Range<usize>, before: usize, after: usize) -> Range<usize> {
        let (text, margin) = (self.text, self.longest / 2);
        let (first, last) = (text.line_of(span.start), text.line_of(last_byte(&span)));
        let mut from = text.line(first).start;
        let mut to = text.line(last).end.max(span.end);
        if self.is_long(first) && span.start - from > margin {
            from = text.boundary(span.start - margin);
        } else {
            let shown = (first.saturating_sub(before)..first).rev();
            from = shown
                .take_while(|&line| !self.is_long(line))
                .last()
                .map_or(from, |line| text.line(line).start);
        }
        if self.is_long(last) {
            to = to.min(text.boundary(span.end + margin));
        } else {
            let shown = (last + 1..=last + after).filter(|&line| line < text.line_count());
            to = shown
                .take_while(|&line| !self.is_long(line))
                .last()
                .map_or(to, |line| text.line(line).end);
        }
        from..to
    }
}

/// The last byte of a span; its place if it is empty.
fn last_byte(span: &Range<usize>) -> usize {
    span.end.max(span.start + 1) - 1
}

struct Picture<'a> {
    heading: String,
    severity: Severity,
    message: String,
    help: String,
    labels: Vec<LabeledSpan>,
    window: Option<Window<'a>>,
}

impl fmt::Debug for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.heading, self.message)
    }
}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Picture<'_> {}

impl miette::Diagnostic for Picture<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.heading))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        (!self.help.is_empty()).then(|| Box::new(&self.help) as _)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.window.as_ref().map(|window| window as _)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty()).then(|| Box::new(self.labels.iter().cloned()) as _)
    }
}

impl SourceCode for Window<'_> {
    /// The span with lines around it. Without lines around it, the span itself: from there miette
    /// takes the place in the heading.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let wanted = span.offset()..span.offset() + span.len();
        // Two places that lie far apart are shown one by one.
        let far = 2 * MOST_LINES * self.longest;
        if wanted.end > self.text.shown().len() || wanted.len() > far {
            return Err(MietteError::OutOfBounds);
        }
        let range = match lines_before + lines_after {
            0 => wanted,
            _ => self.around(wanted, lines_before, lines_after),
        };
        let place = self.text.place(range.start);
        let data = &self.text.shown().as_bytes()[range.clone()];
        Ok(Box::new(MietteSpanContents::new_named(
            self.text.name.clone(),
            data,
            SourceSpan::from((range.start, data.len())),
            place.line - 1,
            place.column - 1,
            1 + data.iter().filter(|&&byte| byte == b'\n').count(),
        )))
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_gdl::{Code, Diagnostic, Span};
    use proptest::prelude::*;

    use super::*;

    const PLAIN: Style = Style { colour: false, unicode: false, width: 80 };

    fn draw(text: &[u8], found: &Diagnostic) -> String {
        Renderer::new(PLAIN).diagnostic(&SourceText::new("game.kif", text), &found.clone().into())
    }

    #[test]
    fn the_place_is_named_and_underlined() {
        let found = Diagnostic::error(Code::Unsafe, Span::new(18, 20), "nothing binds ?x")
            .label("here")
            .help("bind it")
            .related(Span::new(1, 5), "and there");
        insta::assert_snapshot!(draw(b"(role me)\n(<= (p ?x) (q a))\n(q a)\n", &found), @r"
        error[unsafe]

          x nothing binds ?x
           ,-[game.kif:2:9]
         1 | (role me)
           :  ^^|^
           :    `-- and there
         2 | (<= (p ?x) (q a))
           :         ^|
           :          `-- here
         3 | (q a)
           `----
          help: bind it
        ");
    }

    #[test]
    fn a_finding_about_the_whole_text_names_the_file() {
        let found = Diagnostic::error(Code::Missing, Span::new(0, 0), "no end").help("add one");
        insta::assert_snapshot!(draw(b"(role me)", &found), @r"
        error[missing] in game.kif

          x no end
          help: add one
        ");
    }

    #[test]
    fn long_lines_and_long_spans_are_cut_to_what_matters() {
        let line = "(".repeat(1 << 20);
        let found = Diagnostic::error(Code::TooDeep, Span::new(500_000, 500_001), "deep")
            .related(Span::new(0, 1 << 20), "all of it");
        let drawn = draw(line.as_bytes(), &found);
        assert!(drawn.contains("game.kif:1:500001"), "{drawn}");
        assert!(drawn.len() < 2000, "{} bytes", drawn.len());

        let lines = "(p a)\n".repeat(10_000);
        let found = Diagnostic::error(Code::Arity, Span::new(6, 60_000), "many");
        let drawn = draw(lines.as_bytes(), &found);
        assert!(drawn.contains("game.kif:2:1"), "{drawn}");
        assert!(drawn.lines().count() < 12, "{drawn}");
    }

    proptest! {
        #[test]
        fn any_span_in_any_text_can_be_drawn(
            parts in proptest::collection::vec(
                prop_oneof![
                    Just(b"(p ?x)".to_vec()),
                    Just(b"\n".to_vec()),
                    Just(b"\r\n".to_vec()),
                    Just(b"\r".to_vec()),
                    Just(b"\t\xff\xc3".to_vec()),
                    Just("ä→\u{202e}\u{1b}[1m日本".as_bytes().to_vec()),
                    Just(vec![b'x'; 300]),
                    Just(vec![b'\n'; 10]),
                ],
                0..12,
            ),
            spans in proptest::collection::vec((0usize..4000, 0usize..4000), 1..4),
        ) {
            let text = parts.concat();
            let mut spans = spans.iter().map(|(at, length)| Span::new(*at, at + length));
            let first = spans.next().unwrap_or(Span::new(0, 1));
            let mut found = Diagnostic::error(Code::Arity, first, "message").label("label");
            for span in spans {
                found = found.related(span, "related");
            }
            let drawn = draw(&text, &found);
            prop_assert!(drawn.contains("message"));
            let escapes = drawn.contains(char::from(0x1b));
            prop_assert!(!escapes);
        }
    }
}
