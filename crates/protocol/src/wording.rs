//! Texts as they go over the wire: one line, single blanks, words in one spelling.

use std::borrow::Cow;

use gamegrove_gdl::sexpr::{Kind, NodeId, Tree, read};
use gamegrove_gdl::{Diagnostic, Symbols};
use rustc_hash::FxHashMap;

/// A text that was read: its tree and its words.
pub(crate) struct Expressions {
    pub(crate) tree: Tree,
    pub(crate) symbols: Symbols,
}

impl Expressions {
    /// Reads a text; the first finding if it is not well-formed.
    pub(crate) fn read(text: &[u8]) -> Result<Expressions, Diagnostic> {
        let (mut symbols, mut found) = (Symbols::default(), Vec::new());
        let tree = read(text, &mut symbols, &mut found);
        match found.into_iter().find(Diagnostic::is_error) {
            Some(problem) => Err(problem),
            None => Ok(Expressions { tree, symbols }),
        }
    }

    /// The word at a node, in lower case; `None` for a list.
    pub(crate) fn word(&self, node: NodeId) -> Option<&str> {
        match self.tree.node(node).kind {
            Kind::Word(symbol) | Kind::Variable(symbol) => Some(self.symbols.name(symbol)),
            Kind::List { .. } => None,
        }
    }

    /// The elements of a list; `None` for a word.
    pub(crate) fn list(&self, node: NodeId) -> Option<Vec<NodeId>> {
        let is_list = matches!(self.tree.node(node).kind, Kind::List { .. });
        is_list.then(|| self.tree.children(node).collect())
    }

    /// A term in one spelling, as reasoners name moves: `(mark 1 1)`, and `noop` also for `(noop)`.
    pub(crate) fn term(&self, node: NodeId) -> String {
        let mut node = node;
        while let Some(&[only]) = self.list(node).as_deref() {
            node = only;
        }
        let mut text = String::new();
        self.write(node, &|word| Cow::Borrowed(word), &mut text);
        text
    }

    /// Writes a node, each word as `spell` says. The reader limits how deep lists are nested.
    pub(crate) fn write<'w>(
        &'w self,
        node: NodeId,
        spell: &impl Fn(&'w str) -> Cow<'w, str>,
        text: &mut String,
    ) {
        if let Some(word) = self.word(node) {
            text.push_str(&spell(word));
            return;
        }
        text.push('(');
        for (place, child) in self.tree.children(node).enumerate() {
            if place > 0 {
                text.push(' ');
            }
            self.write(child, spell, text);
        }
        text.push(')');
    }

    /// Writes everything in one line.
    pub(crate) fn write_all<'w>(&'w self, spell: &impl Fn(&'w str) -> Cow<'w, str>) -> String {
        self.write_each(self.tree.top_level(), spell)
    }

    /// Writes the sentences of a rulesheet in one line, without the list around them that some
    /// rulesheets have: a message has one list around its rules already.
    pub(crate) fn write_rules<'w>(&'w self, spell: &impl Fn(&'w str) -> Cow<'w, str>) -> String {
        self.write_each(self.tree.sentences(), spell)
    }

    fn write_each<'w>(
        &'w self,
        nodes: impl IntoIterator<Item = NodeId>,
        spell: &impl Fn(&'w str) -> Cow<'w, str>,
    ) -> String {
        let mut text = String::new();
        for node in nodes {
            if !text.is_empty() {
                text.push(' ');
            }
            self.write(node, spell, &mut text);
        }
        text
    }
}

/// A rulesheet in one line without comments, as messages carry it.
pub fn flatten(rules: &[u8]) -> Result<String, Box<Diagnostic>> {
    let expressions = Expressions::read(rules).map_err(Box::new)?;
    Ok(expressions.write_rules(&|word| Cow::Borrowed(word)))
}

/// A blank on both sides of every parenthesis: some players split messages at blanks.
pub(crate) fn spaced(text: &str) -> String {
    let mut wide = String::with_capacity(text.len() * 2);
    for (at, part) in text.split_inclusive(['(', ')']).enumerate() {
        if at > 0 && !wide.ends_with(' ') && !part.starts_with(' ') {
            wide.push(' ');
        }
        match part.strip_suffix(['(', ')']) {
            Some(before) => {
                let parenthesis = &part[before.len()..];
                wide.push_str(before);
                if !before.is_empty() && !before.ends_with(' ') {
                    wide.push(' ');
                }
                wide.push_str(parenthesis);
            }
            None => wide.push_str(part),
        }
    }
    wide
}

/// How words were spelt that reasoners know in lower case only. A manager may tell case apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spelling(FxHashMap<String, String>);

impl Spelling {
    /// The spellings of a rulesheet; of several the first.
    pub(crate) fn of(rules: &str) -> Spelling {
        let mut spelling = FxHashMap::default();
        if let Ok(expressions) = Expressions::read(rules.as_bytes()) {
            let mut waiting: Vec<NodeId> = expressions.tree.top_level().collect();
            waiting.reverse();
            while let Some(node) = waiting.pop() {
                let Some(word) = expressions.word(node) else {
                    let from = waiting.len();
                    waiting.extend(expressions.tree.children(node));
                    waiting[from..].reverse();
                    continue;
                };
                let span = expressions.tree.node(node).span;
                let written = &rules[span.start as usize..span.end as usize];
                if word != written {
                    spelling.entry(word.to_owned()).or_insert_with(|| written.to_owned());
                }
            }
        }
        Spelling(spelling)
    }

    /// A term in the spelling of the rules.
    pub(crate) fn spell(&self, term: &str) -> String {
        if self.0.is_empty() {
            return term.to_owned();
        }
        match Expressions::read(term.as_bytes()) {
            Ok(expressions) => expressions
                .write_all(&|word| Cow::Borrowed(self.0.get(word).map_or(word, String::as_str))),
            Err(_) => term.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(text: &str) -> String {
        let read = Expressions::read(text.as_bytes()).expect("well-formed");
        let node = read.tree.top_level().next().expect("something");
        read.term(node)
    }

    #[test]
    fn terms_have_one_spelling() {
        assert_eq!(term("( MARK  1\n1 )"), "(mark 1 1)");
        assert_eq!(term("( ( noop ) )"), "noop");
        assert_eq!(term("(f (g) (h 1))"), "(f (g) (h 1))");
    }

    #[test]
    fn rulesheets_fit_in_one_line() {
        let text = "; a game\n(role X) ; him\n(<= (legal ?p noop)\n    (role ?p))\n";
        assert_eq!(flatten(text.as_bytes()).unwrap(), "(role x) (<= (legal ?p noop) (role ?p))");
        assert!(flatten(b"(role x").is_err());
    }

    #[test]
    fn rules_in_an_outer_list_are_written_without_it() {
        let text = b"( (role x) ; him\n (<= (legal ?p noop) (role ?p)) )";
        assert_eq!(flatten(text).unwrap(), "(role x) (<= (legal ?p noop) (role ?p))");
        assert_eq!(flatten(b"(role x)").unwrap(), "(role x)");
        assert_eq!(flatten(b"((role x))").unwrap(), "(role x)");
    }

    #[test]
    fn parentheses_get_room() {
        assert_eq!(spaced("(mark 1 (f 2))"), "( mark 1 ( f 2 ) )");
        assert_eq!(spaced("((a) b)"), "( ( a ) b )");
        assert_eq!(spaced("( a )"), "( a )");
        assert_eq!(spaced("noop"), "noop");
    }

    #[test]
    fn the_case_of_the_rules_is_kept() {
        let spelling = Spelling::of("(role White) (legal WHITE (Mark 1 x))");
        assert_eq!(spelling.spell("(mark 1 x)"), "(Mark 1 x)");
        assert_eq!(spelling.spell("white"), "White");
        assert_eq!(Spelling::default().spell("(mark 1 x)"), "(mark 1 x)");
    }
}
