//! The syntax tree of a rulesheet: what was written, where.

use std::fmt::Write as _;

use crate::diagnostic::Span;
use crate::symbol::{Symbol, Symbols};

/// A term: constant, variable, or function of terms.
#[derive(Clone, Debug)]
pub struct Term {
    /// Its kind.
    pub kind: TermKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of terms.
#[derive(Clone, Debug)]
pub enum TermKind {
    /// A name or number.
    Constant(Symbol),
    /// A name that starts with a question mark.
    Variable(Symbol),
    /// A function with at least one argument.
    Function(Symbol, Vec<Term>),
}

/// A relation applied to terms.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The relation.
    pub relation: Symbol,
    /// Its arguments.
    pub args: Vec<Term>,
    /// Where the whole atom stands.
    pub span: Span,
    /// Whether it was written as a bare word, without parentheses.
    pub bare: bool,
}

/// A part of a rule's body.
#[derive(Clone, Debug)]
pub enum Formula {
    /// A relation holds.
    Atom(Atom),
    /// A formula does not hold.
    Not(Box<Formula>, Span),
    /// One of several formulas holds.
    Or(Vec<Formula>, Span),
    /// All of several formulas hold.
    And(Vec<Formula>, Span),
    /// Two terms differ.
    Distinct(Box<[Term; 2]>, Span),
}

/// A fact, or a rule: the head holds if all of the body does.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// The sentence that holds.
    pub head: Atom,
    /// Under which conditions; empty for a fact.
    pub body: Vec<Formula>,
    /// Where the sentence stands.
    pub span: Span,
}

impl Formula {
    /// Where the formula stands.
    pub fn span(&self) -> Span {
        match self {
            Formula::Atom(atom) => atom.span,
            Formula::Not(_, span)
            | Formula::Or(_, span)
            | Formula::And(_, span)
            | Formula::Distinct(_, span) => *span,
        }
    }

    /// Calls `visit` for every atom in the formula, saying whether it is under a negation.
    pub fn atoms<'a>(&'a self, negated: bool, visit: &mut dyn FnMut(&'a Atom, bool)) {
        match self {
            Formula::Atom(atom) => visit(atom, negated),
            Formula::Not(inner, _) => inner.atoms(!negated, visit),
            Formula::Or(parts, _) | Formula::And(parts, _) => {
                parts.iter().for_each(|part| part.atoms(negated, visit));
            }
            Formula::Distinct(..) => {}
        }
    }
}

impl Sentence {
    /// Calls `visit` for every atom of the body, saying whether it is under a negation.
    pub fn body_atoms<'a>(&'a self, mut visit: impl FnMut(&'a Atom, bool)) {
        self.body.iter().for_each(|formula| formula.atoms(false, &mut visit));
    }
}

impl Term {
    /// Calls `visit` for every variable in the term, from left to right.
    pub fn variables(&self, visit: &mut dyn FnMut(Symbol, Span)) {
        match &self.kind {
            TermKind::Constant(_) => {}
            TermKind::Variable(name) => visit(*name, self.span),
            TermKind::Function(_, args) => args.iter().for_each(|arg| arg.variables(visit)),
        }
    }

    /// Writes the term as it would stand in a rulesheet.
    pub fn write(&self, symbols: &Symbols, out: &mut String) {
        match &self.kind {
            TermKind::Constant(name) | TermKind::Variable(name) => {
                out.push_str(symbols.name(*name));
            }
            TermKind::Function(name, args) => {
                let _ = write!(out, "({}", symbols.name(*name));
                for arg in args {
                    out.push(' ');
                    arg.write(symbols, out);
                }
                out.push(')');
            }
        }
    }
}

impl Atom {
    /// Calls `visit` for every variable in the atom, from left to right.
    pub fn variables(&self, visit: &mut dyn FnMut(Symbol, Span)) {
        self.args.iter().for_each(|arg| arg.variables(visit));
    }

    /// The relation with its number of arguments: what tells relations apart.
    pub fn key(&self) -> (Symbol, usize) {
        (self.relation, self.args.len())
    }
}
