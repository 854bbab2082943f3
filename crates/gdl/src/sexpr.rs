//! Text to nested lists, with the place of everything: for rulesheets, and for messages that carry
//! rulesheets.
//!
//! The reader keeps its own stack, stores the tree flat and stops at fixed limits, so no text can
//! overflow the call stack or use memory out of proportion to its length.

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::symbol::{Symbol, Symbols};

/// The longest text that is read.
pub const MAX_BYTES: usize = 16 << 20;
/// The deepest nesting that is read. Public rulesheets stay below 40.
pub const MAX_DEPTH: usize = 256;

/// Reading stops after this many findings: what follows would be noise.
pub(crate) const MAX_FINDINGS: usize = 1000;

/// A node of the tree, by its place in [`Tree::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(u32);

/// The kinds of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name.
    Word(Symbol),
    /// A name that starts with a question mark.
    Variable(Symbol),
    /// A list; [`Tree::children`] gives its elements.
    List {
        /// The first of them; the others are chained to it.
        first: Option<NodeId>,
    },
}

/// A word or a list, and its place.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Its kind.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
    sibling: Option<NodeId>,
}

/// The lists of one text.
#[derive(Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    first: Option<NodeId>,
}

impl Tree {
    /// The node with this number.
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    /// The expressions that are in no list.
    pub fn top_level(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.chain(self.first)
    }

    /// The sentences of a rulesheet: the elements of the only list if the text is one list of lists,
    /// otherwise the expressions that are in no list.
    pub fn sentences(&self) -> Vec<NodeId> {
        let top: Vec<NodeId> = self.top_level().collect();
        if let [only] = top[..] {
            let inner: Vec<NodeId> = self.children(only).collect();
            if inner.first().is_some_and(|&first| self.children(first).next().is_some()) {
                return inner;
            }
        }
        top
    }

    /// The elements of a list; nothing for a word.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        match self.node(id).kind {
            Kind::List { first } => self.chain(first),
            _ => self.chain(None),
        }
    }

    fn chain(&self, first: Option<NodeId>) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(first, |&id| self.node(id).sibling)
    }
}

/// Reads `text`. Always gives a tree; what could not be read is left out of it and reported.
pub fn read(text: &[u8], symbols: &mut Symbols, found: &mut Vec<Diagnostic>) -> Tree {
    if text.len() > MAX_BYTES {
        found.push(
            Diagnostic::error(Code::TooLarge, Span::new(0, 0), "the text is too long")
                .label(format!("{} bytes, the limit is {MAX_BYTES}", text.len()))
                .help("split generated tables or raise the question whether they are needed"),
        );
        return Tree::default();
    }
    Reader { text, symbols, found, tree: Tree::default(), open: Vec::new(), last: None }.run()
}

/// The finding that ends a long list of them.
pub(crate) fn too_many(at: usize) -> Diagnostic {
    Diagnostic::error(Code::Limit, Span::new(at, at + 1), "too many mistakes to go on reading")
        .label("nothing was read from here on")
        .help("correct the first ones; is this a rulesheet at all?")
}

struct Reader<'a> {
    text: &'a [u8],
    symbols: &'a mut Symbols,
    found: &'a mut Vec<Diagnostic>,
    tree: Tree,
    /// Lists not closed yet.
    open: Vec<NodeId>,
    /// The element read last in the innermost open list.
    last: Option<NodeId>,
}

impl Reader<'_> {
    fn run(mut self) -> Tree {
        // Some editors mark UTF-8 at the start of a file.
        let mut at = if self.text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let mut bad_bytes: Option<Span> = None;
        while let Some(&byte) = self.text.get(at) {
            match byte {
                b';' => at = self.end_of_line(at),
                b'(' => {
                    if self.open.len() == MAX_DEPTH {
                        self.found.push(
                            Diagnostic::error(
                                Code::TooDeep,
                                Span::new(at, at + 1),
                                format!("lists are nested more than {MAX_DEPTH} deep"),
                            )
                            .help("name the inner term by a relation of its own"),
                        );
                        return self.tree;
                    }
                    let list = self.push(Kind::List { first: None }, Span::new(at, at + 1));
                    self.open.push(list);
                    self.last = None;
                    at += 1;
                }
                b')' => {
                    match self.open.pop() {
                        Some(list) => {
                            self.tree.nodes[list.0 as usize].span.end = at as u32 + 1;
                            self.last = Some(list);
                        }
                        None if self.found.len() >= MAX_FINDINGS => {
                            self.found.push(too_many(at));
                            return self.tree;
                        }
                        None => self.found.push(
                            Diagnostic::error(
                                Code::Parenthesis,
                                Span::new(at, at + 1),
                                "this parenthesis closes nothing",
                            )
                            .label("no list is open here")
                            .help("delete it, or add the opening parenthesis it belongs to"),
                        ),
                    }
                    at += 1;
                }
                _ if byte.is_ascii_whitespace() || byte == 0x0b => at += 1,
                _ => {
                    let end = self.end_of_word(at);
                    match std::str::from_utf8(&self.text[at..end]) {
                        Ok(word) => self.word(word, Span::new(at, end)),
                        // One report for all of them: a binary file has thousands.
                        Err(_) => {
                            bad_bytes.get_or_insert(Span::new(at, end));
                        }
                    }
                    at = end;
                }
            }
        }
        if let Some(span) = bad_bytes {
            self.found.push(
                Diagnostic::error(Code::Encoding, span, "these bytes are not UTF-8 text")
                    .help("save the rulesheet as UTF-8, or plain ASCII"),
            );
        }
        self.report_open_lists();
        self.tree
    }

    fn report_open_lists(&mut self) {
        let Some(&outermost) = self.open.first() else { return };
        let innermost = self.open[self.open.len() - 1];
        let start = |tree: &Tree, id| tree.node(id).span.start as usize;
        let (outer, inner) = (start(&self.tree, outermost), start(&self.tree, innermost));
        let mut report = Diagnostic::error(
            Code::Parenthesis,
            Span::new(inner, inner + 1),
            match self.open.len() {
                1 => "this parenthesis is never closed".to_owned(),
                n => format!("{n} parentheses are never closed, this one last"),
            },
        )
        .help("add the closing parenthesis; the sentence that starts here is a good place to look");
        if outer != inner {
            report = report.related(Span::new(outer, outer + 1), "the first one left open");
        }
        self.found.push(report);
        // What is open has no end; give the lists that far so that later checks can point at them.
        for &list in &self.open {
            self.tree.nodes[list.0 as usize].span.end = self.text.len() as u32;
        }
    }

    fn word(&mut self, word: &str, span: Span) {
        let lower;
        let word = if word.bytes().any(|b| b.is_ascii_uppercase() || !b.is_ascii()) {
            lower = word.to_lowercase();
            &lower
        } else {
            word
        };
        let symbol = self.symbols.intern(word);
        let kind = if word.starts_with('?') { Kind::Variable(symbol) } else { Kind::Word(symbol) };
        self.push(kind, span);
    }

    fn push(&mut self, kind: Kind, span: Span) -> NodeId {
        let id = NodeId(self.tree.nodes.len() as u32);
        self.tree.nodes.push(Node { kind, span, sibling: None });
        match (self.last, self.open.last()) {
            (Some(last), _) => self.tree.nodes[last.0 as usize].sibling = Some(id),
            (None, Some(parent)) => {
                self.tree.nodes[parent.0 as usize].kind = Kind::List { first: Some(id) };
            }
            (None, None) => self.tree.first = Some(id),
        }
        self.last = Some(id);
        id
    }

    fn end_of_line(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        rest.iter().position(|&b| b == b'\n' || b == b'\r').map_or(self.text.len(), |n| at + n)
    }

    fn end_of_word(&self, at: usize) -> usize {
        let ends = |b: &u8| matches!(b, b'(' | b')' | b';' | 0x0b) || b.is_ascii_whitespace();
        self.text[at..].iter().position(ends).map_or(self.text.len(), |n| at + n)
    }
}
