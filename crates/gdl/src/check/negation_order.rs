//! Do negations mean the same whichever way the rules are read?

use rustc_hash::FxHashSet;

use super::Sheet;
use crate::diagnostic::{Code, Diagnostic};
use crate::reading::early_negations;

pub(super) fn check(sheet: &Sheet<'_>, found: &mut Vec<Diagnostic>) {
    for sentence in sheet.sentences {
        let mut bound = FxHashSet::default();
        sentence.body_atoms(|atom, negated| {
            if !negated {
                atom.variables(&mut |name, _| {
                    bound.insert(name);
                });
            }
        });
        for early in early_negations(sentence) {
            // One that nothing binds is unsafe, and reported as that.
            if bound.contains(&early.variable) {
                let name = sheet.symbols.name(early.variable);
                found.push(
                    Diagnostic::warning(
                        Code::NegationOrder,
                        early.span,
                        format!("{name} is negated before it has a value"),
                    )
                    .label(format!("read as: some {name} without this"))
                    .help(format!(
                        "systems that read from left to right take it as: no {name} at all; put \
                         the condition that binds {name} first, or choose the other reading"
                    )),
                );
            }
        }
    }
}
