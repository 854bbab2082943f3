//! Does recursion have a meaning (no cycle through negation) and an end?
//!
//! The restriction on recursion: in a rule for p with q in the body, where p and q depend on each
//! other, every argument of q is ground, is an argument of the head, or has its variables bound by
//! a positive literal outside the recursion. A rule that breaks it still has a finite model as
//! long as no term can grow; then it is a warning. A term grows if a rule puts a variable of a recursive
//! literal deeper into its head than it stood, and the recursion can carry it back to where it stood.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Sheet;
use super::safety::binds;
use crate::diagnostic::{Code, Diagnostic};
use crate::scc::Graph;
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
    let carried: Vec<Vec<Carried>> =
        sheet.sentences.iter().map(|sentence| carried(sheet, sentence)).collect();
    for (sentence, grows) in sheet.sentences.iter().zip(growing(&carried)) {
        restriction(sheet, sentence, grows, found);
    }
}

/// An argument of a relation.
type Place = (u32, usize);

/// A variable that a rule carries from an argument of a recursive literal to one of the head.
#[derive(Clone, Copy)]
struct Carried {
    from: Place,
    to: Place,
    /// Whether it stands deeper there.
    deeper: bool,
}

/// The recursive literals of a rule, and the variables that literals outside the recursion bind.
fn recursive<'s>(
    sheet: &Sheet<'_>,
    sentence: &'s Sentence,
    head: u32,
) -> (Vec<&'s Atom>, FxHashSet<Symbol>) {
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
    (recursive, bound)
}

/// The variables that a rule carries from its recursive literals to its head.
fn carried(sheet: &Sheet<'_>, sentence: &Sentence) -> Vec<Carried> {
    let Some(head) = sheet.number(sentence.head.key()) else { return Vec::new() };
    let (recursive, bound) = recursive(sheet, sentence, head);
    let mut carried = Vec::new();
    for atom in recursive {
        let Some(relation) = sheet.number(atom.key()) else { continue };
        for (at, arg) in atom.args.iter().enumerate() {
            let mut names: Vec<(Symbol, usize)> = Vec::new();
            depths(arg, 0, &mut |name, depth| names.push((name, depth)));
            if names.is_empty() {
                continue;
            }
            for (to, term) in sentence.head.args.iter().enumerate() {
                depths(term, 0, &mut |name, depth| {
                    let here = names.iter().filter(|(other, _)| *other == name);
                    if let Some(least) = here.map(|&(_, depth)| depth).min()
                        && !bound.contains(&name)
                    {
                        let deeper = depth > least;
                        carried.push(Carried { from: (relation, at), to: (head, to), deeper });
                    }
                });
            }
        }
    }
    carried
}

/// Calls `visit` with every variable of a term and how deep it stands.
fn depths(term: &Term, depth: usize, visit: &mut dyn FnMut(Symbol, usize)) {
    match &term.kind {
        TermKind::Constant(_) => {}
        TermKind::Variable(name) => visit(*name, depth),
        // The reader limits how deep lists are nested.
        TermKind::Function(_, args) => {
            for arg in args {
                depths(arg, depth + 1, visit);
            }
        }
    }
}

/// For each rule, whether a variable that it puts deeper can come back to where it stood: the places lie
/// on a cycle then.
fn growing(carried: &[Vec<Carried>]) -> Vec<bool> {
    let mut numbers: FxHashMap<Place, u32> = FxHashMap::default();
    let mut number = |place: Place| {
        let next = numbers.len() as u32;
        *numbers.entry(place).or_insert(next)
    };
    let edges: Vec<(u32, u32)> =
        carried.iter().flatten().map(|c| (number(c.from), number(c.to))).collect();
    let components = Graph::new(numbers.len(), &edges).components();
    let component = |place: Place| components.of[numbers[&place] as usize];
    let grows =
        |own: &Vec<Carried>| own.iter().any(|c| c.deeper && component(c.from) == component(c.to));
    carried.iter().map(grows).collect()
}

fn restriction(sheet: &Sheet<'_>, sentence: &Sentence, grows: bool, found: &mut Vec<Diagnostic>) {
    let Some(head) = sheet.number(sentence.head.key()) else { return };
    let (recursive, bound) = recursive(sheet, sentence, head);
    for atom in recursive {
        for arg in &atom.args {
            if ground_or_bound(arg, &bound) || sentence.head.args.iter().any(|t| same(t, arg)) {
                continue;
            }
            let name = sheet.name(head);
            if grows {
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

#[cfg(test)]
mod tests {
    use crate::check::check;
    use crate::diagnostic::{Code, Diagnostic};
    use crate::parse::parse;

    /// Whether rules are refused because terms can grow, and whether they are doubtful at all.
    fn findings(rules: &str) -> (bool, bool) {
        let parsed = parse(rules.as_bytes());
        assert!(parsed.diagnostics.is_empty(), "{rules}");
        let found: Vec<Diagnostic> = check(&parsed.sentences, &parsed.symbols)
            .into_iter()
            .filter(|finding| finding.code == Code::Recursion)
            .collect();
        (found.iter().any(Diagnostic::is_error), !found.is_empty())
    }

    #[test]
    fn terms_that_grow_are_refused() {
        for rules in [
            "(p a) (<= (p (f ?x)) (p ?x))",
            // The variable that grows is one of the head; another one breaks the restriction.
            "(p a b) (<= (p ?x (f ?x)) (p ?y ?x))",
            // Round over two relations.
            "(p a) (<= (q (f ?x)) (p ?x)) (<= (p ?x) (q ?x) (r ?y)) (<= (r ?x) (q ?x))",
            "(p a a) (<= (p ?y (f ?x)) (p ?x ?y))",
        ] {
            assert_eq!(findings(rules), (true, true), "{rules}");
        }
    }

    #[test]
    fn terms_that_stay_are_not() {
        for rules in [
            "(p a b) (<= (p ?x (f ?x)) (p ?x ?y))",
            "(p a b) (<= (p ?x ?x) (p ?y ?x))",
            "(p (f a)) (<= (p (f ?x)) (p (g ?x)))",
        ] {
            assert_eq!(findings(rules), (false, true), "{rules}");
        }
        assert_eq!(findings("(p a) (<= (p (f ?x)) (p ?x) (n ?x)) (n a)"), (false, false));
    }
}
