//! Is every variable bound by a positive literal? Otherwise a rule would speak about all terms
//! there are.

use rustc_hash::FxHashSet;

use super::Sheet;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::symbol::Symbol;
use crate::syntax::{Formula, Sentence, Term};

pub(super) type Bound = FxHashSet<Symbol>;

pub(super) fn check(sheet: &Sheet<'_>, found: &mut Vec<Diagnostic>) {
    for sentence in sheet.sentences {
        let mut bound = Bound::default();
        sentence.body.iter().for_each(|part| bound.extend(binds(part)));
        let mut reported = Bound::default();
        head(sheet, sentence, &bound, &mut reported, found);
        for part in &sentence.body {
            tests(sheet, part, false, &bound, &mut reported, found);
        }
    }
}

/// The variables that have a value wherever `part` holds.
pub(super) fn binds(part: &Formula) -> Bound {
    let mut bound = Bound::default();
    match part {
        Formula::Atom(atom) => atom.variables(&mut |name, _| {
            bound.insert(name);
        }),
        Formula::And(parts, _) => parts.iter().for_each(|part| bound.extend(binds(part))),
        Formula::Or(parts, _) => {
            let mut each = parts.iter().map(binds);
            bound = each.next().unwrap_or_default();
            each.for_each(|other| bound.retain(|name| other.contains(name)));
        }
        // A double negation binds what its inside does; other negations bind nothing.
        Formula::Not(inner, _) => {
            if let Formula::Not(inner, _) = &**inner {
                bound = binds(inner);
            }
        }
        Formula::Distinct(..) => {}
    }
    bound
}

fn head(
    sheet: &Sheet<'_>,
    sentence: &Sentence,
    bound: &Bound,
    reported: &mut Bound,
    found: &mut Vec<Diagnostic>,
) {
    sentence.head.variables(&mut |name, span| {
        if bound.contains(&name) || !reported.insert(name) {
            return;
        }
        let text = sheet.symbols.name(name);
        found.push(if sentence.body.is_empty() {
            Diagnostic::error(Code::VariableInFact, span, format!("a fact about any {text}"))
                .label("a fact has no variables")
                .help(
                    "write one fact for each value, or a rule that says where the values come from",
                )
        } else {
            Diagnostic::error(
                Code::Unsafe,
                span,
                format!("nothing in the body says what {text} can be"),
            )
            .label("the head would hold for every term there is")
            .help(format!("add a condition without `not` in which {text} occurs"))
        });
    });
}

/// Reports the variables of negative literals and of `distinct` that have no value.
fn tests(
    sheet: &Sheet<'_>,
    part: &Formula,
    negated: bool,
    bound: &Bound,
    reported: &mut Bound,
    found: &mut Vec<Diagnostic>,
) {
    match part {
        Formula::Atom(atom) => {
            if negated {
                atom.args.iter().for_each(|term| unbound(sheet, term, bound, reported, found));
            }
        }
        Formula::Distinct(pair, span) => {
            if negated {
                found.push(
                    Diagnostic::warning(
                        Code::NotDistinct,
                        *span,
                        "`not` around `distinct` is outside the language's definition",
                    )
                    .label("taken as: both terms are the same")
                    .help("use one variable or constant for both terms"),
                );
            }
            pair.iter().for_each(|term| unbound(sheet, term, bound, reported, found));
        }
        Formula::Not(inner, _) => tests(sheet, inner, !negated, bound, reported, found),
        // By De Morgan each part of a negated formula is negated by itself.
        Formula::And(parts, _) | Formula::Or(parts, _) => {
            let alternatives = !negated && matches!(part, Formula::Or(..));
            for part in parts {
                if alternatives {
                    let mut inside = bound.clone();
                    inside.extend(binds(part));
                    tests(sheet, part, negated, &inside, reported, found);
                } else {
                    tests(sheet, part, negated, bound, reported, found);
                }
            }
        }
    }
}

fn unbound(
    sheet: &Sheet<'_>,
    term: &Term,
    bound: &Bound,
    reported: &mut Bound,
    found: &mut Vec<Diagnostic>,
) {
    term.variables(&mut |name: Symbol, span: Span| {
        if bound.contains(&name) || !reported.insert(name) {
            return;
        }
        let text = sheet.symbols.name(name);
        found.push(
            Diagnostic::error(
                Code::Unsafe,
                span,
                format!("{text} occurs only under `not` or `distinct`"),
            )
            .label("has no value to test")
            .help(format!(
                "add a condition without `not` in which {text} occurs, or move the negated \
                 condition into a relation of its own: (<= (some_p) (p {text})), then (not some_p)"
            )),
        );
    });
}
