//! Nested lists to sentences.
//!
//! Never fails: what has no meaning is reported and left out, the rest is kept, so that one
//! mistake does not hide the next.

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::sexpr::{self, Kind, NodeId, Tree};
use crate::symbol::{Symbol, Symbols};
use crate::syntax::{Atom, Formula, Sentence, Term, TermKind};

/// A rulesheet as written.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The names that occur.
    pub symbols: Symbols,
    /// The sentences in order.
    pub sentences: Vec<Sentence>,
    /// Problems of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the text of a rulesheet.
pub fn parse(text: &[u8]) -> Parsed {
    let mut parsed = Parsed::default();
    let tree = sexpr::read(text, &mut parsed.symbols, &mut parsed.diagnostics);
    let errors = parsed.diagnostics.len();
    let mut parser =
        Parser { tree: &tree, symbols: &parsed.symbols, found: &mut parsed.diagnostics, errors };
    let mut sentences = Vec::new();
    for node in parser.tree.sentences() {
        // Warnings do not end the reading.
        if parser.errors >= sexpr::MAX_FINDINGS {
            let at = parser.span(node).start as usize;
            parser.found.push(sexpr::too_many(at));
            break;
        }
        sentences.extend(parser.sentence(node));
    }
    parsed.sentences = sentences;
    parsed
}

/// Reads one ground term, as it comes from a person or another program.
pub fn parse_term(text: &str, symbols: &mut Symbols) -> Result<Term, Diagnostic> {
    let mut found = Vec::new();
    let tree = sexpr::read(text.as_bytes(), symbols, &mut found);
    let mut nodes = tree.top_level();
    let (first, more) = (nodes.next(), nodes.next());
    let whole = Span::new(0, text.len());
    let term = match (first, more) {
        (Some(node), None) => {
            Parser { tree: &tree, symbols, found: &mut found, errors: 0 }.term(node)
        }
        (Some(_), Some(_)) => {
            found.push(
                Diagnostic::error(Code::Malformed, whole, "more than one term")
                    .help("write one term, such as noop or (mark 1 2)"),
            );
            None
        }
        (None, _) => {
            found.push(
                Diagnostic::error(Code::Malformed, whole, "no term")
                    .help("write one term, such as noop or (mark 1 2)"),
            );
            None
        }
    };
    match (term, found.into_iter().next()) {
        (Some(term), None) => Ok(term),
        (_, Some(problem)) => Err(problem),
        (None, None) => Err(Diagnostic::error(Code::Malformed, whole, "no term")),
    }
}

struct Parser<'a> {
    tree: &'a Tree,
    symbols: &'a Symbols,
    found: &'a mut Vec<Diagnostic>,
    errors: usize,
}

impl Parser<'_> {
    fn span(&self, node: NodeId) -> Span {
        self.tree.node(node).span
    }

    fn report(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.errors += 1;
        self.found.push(Diagnostic::error(code, span, message).help(help));
    }

    fn sentence(&mut self, node: NodeId) -> Option<Sentence> {
        let span = self.span(node);
        let mut parts = self.tree.children(node);
        let is_rule = parts
            .next()
            .is_some_and(|first| self.tree.node(first).kind == Kind::Word(Symbol::ARROW));
        if !is_rule {
            let head = self.head(node)?;
            return Some(Sentence { head, body: Vec::new(), span });
        }
        let Some(head) = parts.next() else {
            self.report(
                Code::Malformed,
                span,
                "a rule without a head",
                "write (<= head condition ...), for example (<= (legal ?r noop) (role ?r))",
            );
            return None;
        };
        let body: Vec<NodeId> = parts.collect();
        if body.is_empty() {
            self.found.push(
                Diagnostic::warning(Code::EmptyBody, span, "a rule without conditions")
                    .label("always holds")
                    .help("write it as a fact, without `<=`"),
            );
        }
        let head = self.head(head);
        let body: Vec<Option<Formula>> = body.into_iter().map(|part| self.formula(part)).collect();
        // A sentence with an unreadable part has no meaning; all its parts have been looked at.
        Some(Sentence { head: head?, body: body.into_iter().collect::<Option<_>>()?, span })
    }

    fn head(&mut self, node: NodeId) -> Option<Atom> {
        let name = match self.tree.node(node).kind {
            Kind::Word(name) => Some((name, node)),
            Kind::List { first: Some(first) } => match self.tree.node(first).kind {
                Kind::Word(name) => Some((name, first)),
                _ => None,
            },
            _ => None,
        };
        match name {
            Some((Symbol::ARROW, at)) if at != node => {
                self.report(
                    Code::Keyword,
                    self.span(at),
                    "a rule cannot be the head of a rule",
                    "close the first rule before the next one starts",
                );
                None
            }
            Some((
                word @ (Symbol::NOT | Symbol::OR | Symbol::AND | Symbol::DISTINCT | Symbol::ARROW),
                _,
            )) => {
                let word = self.symbols.name(word);
                self.report(
                    Code::Keyword,
                    self.span(node),
                    format!("`{word}` cannot be stated as a fact or as the head of a rule"),
                    "it belongs into the body of a rule",
                );
                None
            }
            _ => self.atom(node),
        }
    }

    fn formula(&mut self, node: NodeId) -> Option<Formula> {
        let span = self.span(node);
        let mut parts = self.tree.children(node);
        let first = parts.next().map(|first| self.tree.node(first).kind);
        let Some(Kind::Word(word)) = first else {
            return self.atom(node).map(Formula::Atom);
        };
        let parts: Vec<NodeId> = parts.collect();
        match word {
            Symbol::NOT => {
                let [inner] = parts[..] else {
                    self.report(
                        Code::Keyword,
                        span,
                        format!("`not` takes one formula, here it has {}", parts.len()),
                        "write (not (p ?x)); for several use (not (or ...)) or several `not`",
                    );
                    return None;
                };
                Some(Formula::Not(Box::new(self.formula(inner)?), span))
            }
            Symbol::OR if parts.is_empty() => {
                self.report(
                    Code::EmptyOr,
                    span,
                    "`or` without an alternative can never hold",
                    "add the alternatives, or delete the rule",
                );
                None
            }
            Symbol::OR | Symbol::AND => {
                let parts: Vec<_> = parts.into_iter().map(|part| self.formula(part)).collect();
                let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
                Some(if word == Symbol::OR {
                    Formula::Or(parts, span)
                } else {
                    Formula::And(parts, span)
                })
            }
            Symbol::DISTINCT => {
                let [left, right] = parts[..] else {
                    self.report(
                        Code::Keyword,
                        span,
                        format!("`distinct` takes two terms, here it has {}", parts.len()),
                        "write (distinct ?x ?y); for three terms write three of them",
                    );
                    return None;
                };
                let (left, right) = (self.term(left), self.term(right));
                Some(Formula::Distinct(Box::new([left?, right?]), span))
            }
            Symbol::ARROW => {
                self.report(
                    Code::Keyword,
                    span,
                    "a rule inside a rule",
                    "close the outer rule before this one starts",
                );
                None
            }
            _ => self.atom(node).map(Formula::Atom),
        }
    }

    fn atom(&mut self, node: NodeId) -> Option<Atom> {
        let span = self.span(node);
        match self.tree.node(node).kind {
            Kind::Word(relation) if self.connective(relation, node) => None,
            Kind::Word(relation) => Some(Atom { relation, args: Vec::new(), span, bare: true }),
            Kind::Variable(name) => {
                let name = self.symbols.name(name);
                self.report(
                    Code::Malformed,
                    span,
                    format!("the variable {name} stands where a relation must"),
                    "relations are constants; write (true ?f) to ask for a fact of the state",
                );
                None
            }
            Kind::List { .. } => {
                let (relation, args) = self.application(node)?;
                Some(Atom { relation, args, span, bare: false })
            }
        }
    }

    fn term(&mut self, node: NodeId) -> Option<Term> {
        let span = self.span(node);
        let kind = match self.tree.node(node).kind {
            Kind::Word(name) if self.connective(name, node) => return None,
            Kind::Word(name) => TermKind::Constant(name),
            Kind::Variable(name) => TermKind::Variable(name),
            Kind::List { .. } => {
                let (name, args) = self.application(node)?;
                // `(f)` is the constant `f`.
                if args.is_empty() {
                    TermKind::Constant(name)
                } else {
                    TermKind::Function(name, args)
                }
            }
        };
        Some(Term { kind, span })
    }

    /// A name and its arguments.
    fn application(&mut self, node: NodeId) -> Option<(Symbol, Vec<Term>)> {
        let mut parts = self.tree.children(node);
        let Some(first) = parts.next() else {
            self.report(Code::Malformed, self.span(node), "an empty list", "put a name into it");
            return None;
        };
        let rest: Vec<NodeId> = parts.collect();
        let name = match self.tree.node(first).kind {
            Kind::Word(name) if self.connective(name, first) => return None,
            Kind::Word(name) => name,
            Kind::Variable(_) => {
                self.report(
                    Code::Malformed,
                    self.span(first),
                    "a variable stands where the name of a relation or function must",
                    "names of relations and functions are constants",
                );
                return None;
            }
            Kind::List { .. } => {
                let start = self.span(first).start as usize;
                self.report(
                    Code::Malformed,
                    Span::new(start, start + 1),
                    "a list stands where a name must",
                    "every list starts with the name of its relation or function",
                );
                return None;
            }
        };
        let args: Vec<_> = rest.into_iter().map(|arg| self.term(arg)).collect();
        Some((name, args.into_iter().collect::<Option<_>>()?))
    }

    /// Reports a connective that stands in for a name.
    fn connective(&mut self, name: Symbol, node: NodeId) -> bool {
        let found = matches!(
            name,
            Symbol::NOT | Symbol::OR | Symbol::AND | Symbol::DISTINCT | Symbol::ARROW
        );
        if found {
            let name = self.symbols.name(name);
            self.report(
                Code::Keyword,
                self.span(node),
                format!("`{name}` is a word of the language and no name"),
                "choose another name, or move the condition into the body of a rule",
            );
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(text: &str) -> Vec<(Code, u32, u32)> {
        parse(text.as_bytes())
            .diagnostics
            .iter()
            .map(|d| (d.code, d.span.start, d.span.end))
            .collect()
    }

    #[test]
    fn one_outer_list_or_many_sentences() {
        assert_eq!(parse(b"((role x) (role y))").sentences.len(), 2);
        assert_eq!(parse(b"(role x)\n(role y)").sentences.len(), 2);
        assert_eq!(parse(b"(role x) ; (role y)").sentences.len(), 1);
        assert_eq!(parse(b"").sentences.len(), 0);
    }

    #[test]
    fn names_are_case_insensitive() {
        let parsed = parse(b"(ROLE White) (role white)");
        assert_eq!(parsed.sentences[0].head.relation, Symbol::ROLE);
        let name = |n: usize| match parsed.sentences[n].head.args[0].kind {
            TermKind::Constant(name) => name,
            _ => panic!("not a constant"),
        };
        assert_eq!(name(0), name(1));
    }

    #[test]
    fn bare_and_parenthesised_relations_without_arguments_are_the_same() {
        let parsed = parse(b"(<= terminal (open)) (<= (open) done)");
        assert_eq!(parsed.diagnostics, []);
        let Formula::Atom(open) = &parsed.sentences[0].body[0] else { panic!("no atom") };
        assert_eq!(open.key(), parsed.sentences[1].head.key());
        assert_ne!(open.bare, parsed.sentences[0].head.bare);
    }

    #[test]
    fn mistakes_are_reported_where_they_are() {
        assert_eq!(errors("0123(56789"), [(Code::Parenthesis, 4, 5)]);
        assert_eq!(errors("(p (not q))"), [(Code::Keyword, 4, 7)]);
        assert_eq!(errors("(<= p (distinct ?x))"), [(Code::Keyword, 6, 19)]);
        assert_eq!(errors("(<= p ?x)"), [(Code::Malformed, 6, 8)]);
        assert_eq!(errors("(<=)"), [(Code::Malformed, 0, 4)]);
    }

    #[test]
    fn one_mistake_does_not_hide_the_next() {
        let parsed = parse(b"(p (or)) (q a) (r ()) (s b)");
        assert_eq!(parsed.sentences.len(), 2);
        assert_eq!(parsed.diagnostics.len(), 2);
    }

    #[test]
    fn hostile_texts_end() {
        for text in ["(".repeat(1 << 20), ")".repeat(1 << 20), "()".repeat(1 << 19)] {
            assert!(!parse(text.as_bytes()).diagnostics.is_empty());
        }
        assert!(parse(b"(p \xff\xfe)").diagnostics.iter().any(|d| d.code == Code::Encoding));
    }

    #[test]
    fn terms_are_read_alone() {
        let mut symbols = Symbols::default();
        assert!(parse_term("(mark 1 2)", &mut symbols).is_ok());
        for bad in ["", "a b", "(a", "(not)", ")"] {
            assert!(parse_term(bad, &mut symbols).is_err(), "{bad}");
        }
    }
}
