//! Are relations and functions always used with the same number of arguments?

use rustc_hash::FxHashMap;

use super::Sheet;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::symbol::Symbol;
use crate::syntax::{Atom, Formula, Term, TermKind};

/// The relations of the language and their numbers of arguments.
const RESERVED: [(Symbol, usize, &str); 10] = [
    (Symbol::ROLE, 1, "(role ?role)"),
    (Symbol::INIT, 1, "(init ?fact)"),
    (Symbol::TRUE, 1, "(true ?fact)"),
    (Symbol::DOES, 2, "(does ?role ?move)"),
    (Symbol::LEGAL, 2, "(legal ?role ?move)"),
    (Symbol::NEXT, 1, "(next ?fact)"),
    (Symbol::TERMINAL, 0, "terminal"),
    (Symbol::GOAL, 2, "(goal ?role ?value)"),
    (Symbol::BASE, 1, "(base ?fact)"),
    (Symbol::INPUT, 2, "(input ?role ?move)"),
];

/// The most arguments a relation or function may have.
const MAX_ARITY: usize = 1000;

#[derive(Default)]
struct Uses {
    relations: FxHashMap<Symbol, (usize, Span)>,
    functions: FxHashMap<Symbol, (usize, Span)>,
    styles: FxHashMap<Symbol, (bool, Span)>,
    small: bool,
}

/// Returns whether all numbers of arguments are small enough for the other checks.
pub(super) fn check(sheet: &Sheet<'_>, found: &mut Vec<Diagnostic>) -> bool {
    let mut uses = Uses { small: true, ..Uses::default() };
    for sentence in sheet.sentences {
        atom(sheet, &sentence.head, &mut uses, found);
        sentence.body.iter().for_each(|part| formula(sheet, part, &mut uses, found));
    }
    uses.small
}

fn formula(sheet: &Sheet<'_>, part: &Formula, uses: &mut Uses, found: &mut Vec<Diagnostic>) {
    match part {
        Formula::Atom(a) => atom(sheet, a, uses, found),
        Formula::Not(inner, _) => formula(sheet, inner, uses, found),
        Formula::Or(parts, _) | Formula::And(parts, _) => {
            parts.iter().for_each(|part| formula(sheet, part, uses, found));
        }
        Formula::Distinct(pair, _) => pair.iter().for_each(|t| term(sheet, t, uses, found)),
    }
}

fn atom(sheet: &Sheet<'_>, atom: &Atom, uses: &mut Uses, found: &mut Vec<Diagnostic>) {
    let (relation, count) = atom.key();
    let name = sheet.symbols.name(relation);
    uses.small &= few(count, atom.span, found);
    if let Some((_, wanted, form)) = RESERVED.iter().find(|r| r.0 == relation) {
        if *wanted != count {
            found.push(
                Diagnostic::error(
                    Code::Arity,
                    atom.span,
                    format!("`{name}` takes {}, here it has {}", arguments(*wanted), number(count)),
                )
                .help(format!("write {form}")),
            );
        }
    } else {
        let (first, span) = *uses.relations.entry(relation).or_insert((count, atom.span));
        if first != count {
            found.push(
                Diagnostic::warning(
                    Code::Arity,
                    atom.span,
                    format!(
                        "`{name}` has {} here and {} elsewhere",
                        arguments(count),
                        number(first)
                    ),
                )
                .label("a different relation of the same name")
                .related(span, "first used here")
                .help("if they are meant to be the same, correct one; if not, rename one"),
            );
        }
    }
    if count == 0 {
        let (bare, span) = *uses.styles.entry(relation).or_insert((atom.bare, atom.span));
        if bare != atom.bare {
            found.push(
                Diagnostic::warning(
                    Code::Arity,
                    atom.span,
                    format!("`{name}` is written with and without parentheses"),
                )
                .label("taken as the same relation")
                .related(span, "written the other way here")
                .help(format!("write `{name}` everywhere")),
            );
        }
    }
    atom.args.iter().for_each(|arg| term(sheet, arg, uses, found));
}

fn term(sheet: &Sheet<'_>, part: &Term, uses: &mut Uses, found: &mut Vec<Diagnostic>) {
    let TermKind::Function(name, args) = &part.kind else { return };
    uses.small &= few(args.len(), part.span, found);
    let (first, span) = *uses.functions.entry(*name).or_insert((args.len(), part.span));
    if first != args.len() {
        let name = sheet.symbols.name(*name);
        let count = args.len();
        found.push(
            Diagnostic::warning(
                Code::Arity,
                part.span,
                format!(
                    "the function `{name}` has {} here and {} elsewhere",
                    arguments(count),
                    number(first)
                ),
            )
            .label("never equal to the other form")
            .related(span, "first used here")
            .help("if they are meant to be the same, correct one; if not, rename one"),
        );
    }
    args.iter().for_each(|arg| term(sheet, arg, uses, found));
}

/// "no arguments", "1 argument", "2 arguments".
pub(super) fn arguments(count: usize) -> String {
    format!("{} argument{}", number(count), if count == 1 { "" } else { "s" })
}

fn number(count: usize) -> String {
    if count == 0 { "no".to_owned() } else { count.to_string() }
}

fn few(count: usize, span: Span, found: &mut Vec<Diagnostic>) -> bool {
    if count > MAX_ARITY {
        found.push(
            Diagnostic::error(Code::Arity, span, format!("{count} arguments are too many"))
                .help(format!("at most {MAX_ARITY} are possible; use several facts instead")),
        );
    }
    count <= MAX_ARITY
}
