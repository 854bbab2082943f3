//! The left-to-right reading of negations.
//!
//! In the language's definition the order of conditions means nothing: in
//! `(<= (p ?x) (q ?x) (not (r ?x ?y)) (s ?y))` there must be *some* `?y` in `s` without `(r ?x ?y)`.
//! Systems that run rules as Prolog programs reach the negation before `?y` has a value and read it
//! as *no* `?y` at all. Some public rulesheets were written for such systems; this rewriting gives
//! them the meaning they had there, by moving the negated atom into a relation of its own.

use rustc_hash::FxHashSet;

use crate::diagnostic::Span;
use crate::symbol::{Symbol, Symbols};
use crate::syntax::{Atom, Formula, Sentence, Term, TermKind};

type Bound = FxHashSet<Symbol>;

/// A negated atom that names a variable before anything gives it a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EarlyNegation {
    /// The variable.
    pub variable: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// The negations of a sentence that the two readings understand differently.
pub(crate) fn early_negations(sentence: &Sentence) -> Vec<EarlyNegation> {
    let mut found = Vec::new();
    let mut bound = head_variables(sentence);
    for part in &sentence.body {
        walk(&mut part.clone(), &mut bound, &mut |atom, bound| {
            atom.variables(&mut |variable, span| {
                if !bound.contains(&variable) {
                    found.push(EarlyNegation { variable, span });
                }
            });
        });
    }
    found
}

/// Rewrites the sentences so that the definition gives them their left-to-right meaning.
pub(crate) fn left_to_right(sentences: &[Sentence], symbols: &mut Symbols) -> Vec<Sentence> {
    let mut helpers: Vec<Sentence> = Vec::new();
    let mut changed = sentences.to_vec();
    for sentence in &mut changed {
        let mut bound = head_variables(sentence);
        for part in &mut sentence.body {
            walk(part, &mut bound, &mut |atom, bound| {
                let (mut known, mut early) = (Vec::new(), false);
                atom.variables(&mut |variable, span| {
                    early |= !bound.contains(&variable);
                    if bound.contains(&variable) {
                        known.push(Term { kind: TermKind::Variable(variable), span });
                    }
                });
                if !early {
                    return;
                }
                // No word of a rulesheet contains a space.
                let name = format!("{} {}", symbols.name(atom.relation), helpers.len());
                let relation = symbols.intern(&name);
                let head = Atom { relation, args: known, span: atom.span, bare: false };
                let whole = std::mem::replace(atom, head.clone());
                let span = whole.span;
                helpers.push(Sentence { head, body: vec![Formula::Atom(whole)], span });
            });
        }
    }
    changed.extend(helpers);
    changed
}

/// The variables of the head. They count as having values, which the question gives: rules of this
/// kind are written for questions with known arguments.
fn head_variables(sentence: &Sentence) -> Bound {
    let mut bound = Bound::default();
    sentence.head.variables(&mut |name, _| {
        bound.insert(name);
    });
    bound
}

/// Goes through a formula from left to right, calling `visit` for each negated atom with the
/// variables that have values by then.
fn walk(part: &mut Formula, bound: &mut Bound, visit: &mut dyn FnMut(&mut Atom, &Bound)) {
    match part {
        Formula::Atom(atom) => atom.variables(&mut |name, _| {
            bound.insert(name);
        }),
        Formula::Not(inner, _) => {
            if let Formula::Atom(atom) = &mut **inner {
                visit(atom, bound);
            }
        }
        Formula::And(parts, _) => parts.iter_mut().for_each(|part| walk(part, bound, visit)),
        Formula::Or(parts, _) => {
            let before = bound.clone();
            let mut after: Option<Bound> = None;
            for part in parts {
                let mut inside = before.clone();
                walk(part, &mut inside, visit);
                match &mut after {
                    None => after = Some(inside),
                    Some(after) => after.retain(|name| inside.contains(name)),
                }
            }
            *bound = after.unwrap_or(before);
        }
        Formula::Distinct(..) => {}
    }
}
