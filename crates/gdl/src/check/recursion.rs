//! Does recursion have a meaning (no cycle through negation) and an end?
//!
//! The restriction on recursion: in a rule for p with q in the body, where p and q depend on each
//! other, every argument of q is ground, is an argument of the head, or has its variables bound by
//! a positive literal outside the recursion. A rule that breaks it still has a finite model as
//! long as no term can grow; then it is a warning.

use rustc_hash::FxHashSet;

use super::Sheet;
use super::safety::binds;
use crate::diagnostic::{Code, Diagnostic};
use crate::stratify::stratify;
use crate::symbol::Symbol;
use crate::syntax::{Atom, Sentence, Term, TermKind};

pub(super) fn check(sheet: &Sheet<'_>, found: &mut Vec<Diagnostic>) {
    let cycles: Vec<_> = sheet
        .edges
        .iter()
        .filter(|edge| edge.negated && sheet.mutually_recursive(edge.from, edge.to))
        .collect();
    let playable =
        !cycles.is_empty() && stratify(sheet.sentences, &mut sheet.symbols.clone()).is_some();
    for edge in cycles {
        let (head, body) = (sheet.name(edge.from), sheet.name(edge.to));
        let message = if head == body {
            format!("`{head}` is defined through its own negation")
        } else {
            format!("`{head}` depends on not `{body}`, which depends on `{head}`")
        };
        found.push(if playable {
            Diagnostic::warning(Code::Unstratified, edge.span, message)
                .label("has a meaning only because the constants differ")
                .help("give the negated condition a relation of its own and use it in both rules")
        } else {
            Diagnostic::error(Code::Unstratified, edge.span, message)
                .label("the cycle passes through this negation")
                .help("break the cycle: compute one relation completely before it is negated")
        });
    }
    for sentence in sheet.sentences {
        restriction(sheet, sentence, found);
    }
}

fn restriction(sheet: &Sheet<'_>, sentence: &Sentence, found: &mut Vec<Diagnostic>) {
    let Some(head) = sheet.number(sentence.head.key()) else { return };
    let mut recursive: Vec<&Atom> = Vec::new();
    let mut bound: FxHashSet<Symbol> = FxHashSet::default();
    for part in &sentence.body {
        let mut outside = true;
        part.atoms(false, &mut |atom, negated| {
            let number = sheet.number(atom.key());
            if number.is_some_and(|n| sheet.mutually_recursive(head, n)) {
                outside = false;
                if !negated {
                    recursive.push(atom);
                }
            }
        });
        if outside {
            bound.extend(binds(part));
        }
    }
    for atom in recursive {
        for arg in &atom.args {
            if ground_or_bound(arg, &bound) || sentence.head.args.iter().any(|t| same(t, arg)) {
                continue;
            }
            let name = sheet.name(head);
            if sentence.head.args.iter().any(|term| grows(term, arg, &bound)) {
                found.push(
                    Diagnostic::error(
                        Code::Recursion,
                        arg.span,
                        format!("the recursion of `{name}` can build terms without end"),
                    )
                    .label("this goes round and comes back inside a larger term")
                    .related(sentence.head.span, "the larger term is built here")
                    .help("bind it by a condition outside the recursion, such as a counter"),
                );
            } else {
                found.push(
                    Diagnostic::warning(
                        Code::Recursion,
                        arg.span,
                        format!("the recursion of `{name}` is outside the language's restriction"),
                    )
                    .label("neither in the head nor bound outside the recursion")
                    .help("bind it by a condition outside the recursion"),
                );
            }
        }
    }
}

fn ground_or_bound(term: &Term, bound: &FxHashSet<Symbol>) -> bool {
    let mut all = true;
    term.variables(&mut |name, _| all &= bound.contains(&name));
    all
}

/// Whether `term` is a function around an unbound variable of `inner`.
fn grows(term: &Term, inner: &Term, bound: &FxHashSet<Symbol>) -> bool {
    let mut names = FxHashSet::default();
    inner.variables(&mut |name, _| {
        names.insert(name);
    });
    let mut found = false;
    if matches!(term.kind, TermKind::Function(..)) {
        term.variables(&mut |name, _| found |= names.contains(&name) && !bound.contains(&name));
    }
    found
}

fn same(a: &Term, b: &Term) -> bool {
    match (&a.kind, &b.kind) {
        (TermKind::Constant(x), TermKind::Constant(y))
        | (TermKind::Variable(x), TermKind::Variable(y)) => x == y,
        (TermKind::Function(f, xs), TermKind::Function(g, ys)) => {
            f == g && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| same(x, y))
        }
        _ => false,
    }
}
