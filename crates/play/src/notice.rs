//! A finding about a text, whatever language the text is in: what the renderer and the reports take.

use std::ops::Range;

pub use gamegrove_gdl::Severity;

/// A range of bytes in a text.
pub type Span = Range<usize>;

/// One finding about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Error or warning.
    pub severity: Severity,
    /// The stable name of the kind of finding.
    pub code: &'static str,
    /// What is wrong, in one sentence.
    pub message: String,
    /// The offending text; empty at 0 if it is about the whole text.
    pub span: Span,
    /// What to read beside the underlined text.
    pub label: String,
    /// How to correct it.
    pub help: String,
    /// Other places that matter.
    pub related: Vec<(Span, String)>,
}

impl Notice {
    /// Whether this is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The findings of a library.
    pub fn all<D: Into<Notice>>(found: impl IntoIterator<Item = D>) -> Vec<Notice> {
        found.into_iter().map(Into::into).collect()
    }
}

impl From<gamegrove_gdl::Diagnostic> for Notice {
    fn from(found: gamegrove_gdl::Diagnostic) -> Notice {
        let range = |span: gamegrove_gdl::Span| span.start as usize..span.end as usize;
        Notice {
            severity: found.severity,
            code: found.code.name(),
            message: found.message,
            span: range(found.span),
            label: found.label,
            help: found.help,
            related: found.related.into_iter().map(|(span, label)| (range(span), label)).collect(),
        }
    }
}

impl From<gamegrove_vgdl::diagnostic::Diagnostic> for Notice {
    fn from(found: gamegrove_vgdl::diagnostic::Diagnostic) -> Notice {
        use gamegrove_vgdl::diagnostic::Severity as Theirs;
        Notice {
            severity: match found.severity {
                Theirs::Error => Severity::Error,
                Theirs::Warning => Severity::Warning,
            },
            code: found.code,
            message: found.message,
            span: found.span.start..found.span.end,
            label: found.label,
            help: found.help.unwrap_or_default(),
            related: Vec::new(),
        }
    }
}
