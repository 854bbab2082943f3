//! What is wrong with a rulesheet, as data: only the binaries turn it into pictures.

use std::fmt;

use serde::Serialize;

/// A range of bytes in the text of a rulesheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Span {
        // Texts are limited to far less than 4 GiB before anything is spanned.
        Span { start: start as u32, end: end as u32 }
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Against the language's definition, but public rulesheets do it and can be played.
    Warning,
    /// The rulesheet cannot be given a meaning.
    Error,
}

/// One finding about a rulesheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Which check speaks.
    pub code: Code,
    /// The problem, in one sentence.
    pub message: String,
    /// The offending text.
    pub span: Span,
    /// The text beside the underlined place.
    pub label: String,
    /// How to correct it.
    pub help: String,
    /// Other places that matter.
    pub related: Vec<(Span, String)>,
}

impl Diagnostic {
    /// An error of the kind `code`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message.into())
    }

    /// A warning of the kind `code`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message.into())
    }

    fn new(severity: Severity, code: Code, span: Span, message: String) -> Self {
        let (label, help) = (String::new(), String::new());
        Diagnostic { severity, code, message, span, label, help, related: Vec::new() }
    }

    /// Adds the text that stands beside the underlined place.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds how to correct it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Adds another place that matters.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Whether this is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = if self.is_error() { "error" } else { "warning" };
        write!(f, "{severity}[{}]: {}", self.code.name(), self.message)
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)+) => {
        /// The kinds of findings. Their names are stable: tools may rely on them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        pub enum Code {
            $($(#[doc = $doc])+ #[serde(rename = $name)] $variant,)+
        }

        impl Code {
            /// The stable name.
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)+ }
            }
        }
    };
}

codes! {
    /// The text is longer than the limit.
    TooLarge = "too-large",
    /// Bytes that are not UTF-8.
    Encoding = "encoding",
    /// A parenthesis without its partner.
    Parenthesis = "parenthesis",
    /// Lists nested deeper than the limit.
    TooDeep = "too-deep",
    /// A list where a name was expected, an empty list, or another malformed expression.
    Malformed = "malformed",
    /// A word of the language in a place it cannot stand in.
    Keyword = "keyword",
    /// A relation or function used with different numbers of arguments.
    Arity = "arity",
    /// A rule without a body.
    EmptyBody = "empty-body",
    /// `or` without an alternative.
    EmptyOr = "empty-or",
    /// A fact with a variable.
    VariableInFact = "variable-in-fact",
    /// A variable that no positive literal binds.
    Unsafe = "unsafe",
    /// `not` around `distinct`.
    NotDistinct = "not-distinct",
    /// A negation whose meaning depends on how rules are read.
    NegationOrder = "negation-order",
    /// Recursion through negation.
    Unstratified = "unstratified",
    /// Recursion that can build terms without end.
    Recursion = "recursion",
    /// A reserved relation in the head of a rule.
    ReservedHead = "reserved-head",
    /// A relation that must not depend on the state does.
    StateDependent = "state-dependent",
    /// A relation that must not depend on the moves made does.
    DoesDependent = "does-dependent",
    /// No role, or a role that is not a plain name.
    Role = "role",
    /// No `terminal`, `legal`, `init`, `next` or `goal`.
    Missing = "missing",
    /// A goal that is not a whole number from 0 to 100.
    GoalValue = "goal-value",
    /// A relation used but never defined.
    Undefined = "undefined",
    /// The rulesheet uses hidden information or chance.
    Extension = "extension",
    /// The rules need more work than the limit allows.
    Limit = "limit",
}
