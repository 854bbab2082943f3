//! Is the rulesheet well formed? One file per question [Sironi 2019, 3.1.1].
//!
//! What the definition of the language forbids but public rulesheets do and can be played is a
//! warning; what leaves a rulesheet without a meaning is an error.

mod arity;
mod dependency;
mod negation_order;
mod presence;
mod recursion;
mod safety;

use rustc_hash::FxHashMap;

use crate::diagnostic::{Diagnostic, Span};
use crate::scc::{Components, Graph};
use crate::symbol::{Symbol, Symbols};
use crate::syntax::{Atom, Sentence};

/// The value of a goal, if it is a whole number from 0 to 100.
pub(crate) fn goal_value(text: &str) -> Option<u8> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|value| digits && *value <= 100)
}

/// A relation: its name and number of arguments.
pub(crate) type Relation = (Symbol, usize);

/// Looks for everything that is wrong with the sentences; sorted by place.
pub fn check(sentences: &[Sentence], symbols: &Symbols) -> Vec<Diagnostic> {
    let sheet = Sheet::new(sentences, symbols);
    let mut found = Vec::new();
    if arity::check(&sheet, &mut found) {
        safety::check(&sheet, &mut found);
        negation_order::check(&sheet, &mut found);
        recursion::check(&sheet, &mut found);
        dependency::check(&sheet, &mut found);
        presence::check(&sheet, &mut found);
    }
    found.sort_by_key(|d| (d.span, d.code));
    found
}

/// A use of one relation in a rule for another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// The relation of the head.
    pub from: u32,
    /// The relation in the body.
    pub to: u32,
    /// Whether the use is under a negation.
    pub negated: bool,
    /// The atom in the body.
    pub span: Span,
}

/// The sentences with their dependency graph, made once for all checks.
pub(crate) struct Sheet<'a> {
    pub sentences: &'a [Sentence],
    pub symbols: &'a Symbols,
    pub relations: Vec<Relation>,
    numbers: FxHashMap<Relation, u32>,
    pub edges: Vec<Edge>,
    pub components: Components,
    /// Whether some sentence has the relation as its head.
    pub defined: Vec<bool>,
}

impl<'a> Sheet<'a> {
    pub fn new(sentences: &'a [Sentence], symbols: &'a Symbols) -> Self {
        let mut relations = Vec::new();
        let mut numbers = FxHashMap::default();
        let mut number = |atom: &Atom| {
            *numbers.entry(atom.key()).or_insert_with(|| {
                relations.push(atom.key());
                relations.len() as u32 - 1
            })
        };
        let mut edges = Vec::new();
        let mut heads = Vec::new();
        for sentence in sentences {
            let from = number(&sentence.head);
            heads.push(from);
            sentence.body_atoms(|atom, negated| {
                edges.push(Edge { from, to: number(atom), negated, span: atom.span });
            });
        }
        let mut defined = vec![false; relations.len()];
        heads.iter().for_each(|&head| defined[head as usize] = true);
        let pairs: Vec<_> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
        let components = Graph::new(relations.len(), &pairs).components();
        Sheet { sentences, symbols, relations, numbers, edges, components, defined }
    }

    /// The number of a relation, if it occurs.
    pub fn number(&self, relation: Relation) -> Option<u32> {
        self.numbers.get(&relation).copied()
    }

    /// Whether two relations depend on each other.
    pub fn mutually_recursive(&self, a: u32, b: u32) -> bool {
        self.components.of[a as usize] == self.components.of[b as usize]
    }

    /// The relation's name for messages.
    pub fn name(&self, relation: u32) -> &'a str {
        self.symbols.name(self.relations[relation as usize].0)
    }
}
