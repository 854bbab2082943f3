//! Is everything there that a game needs, and does every name that is used mean something?

use gamegrove_settings::nearest;
use rustc_hash::FxHashSet;

use super::Sheet;
use super::arity::arguments;
use super::goal_value;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::symbol::Symbol;
use crate::syntax::{Term, TermKind};

pub(super) fn check(sheet: &Sheet<'_>, found: &mut Vec<Diagnostic>) {
    required(sheet, found);
    roles(sheet, found);
    goals(sheet, found);
    undefined(sheet, found);
    never_given(sheet, found);
}

fn required(sheet: &Sheet<'_>, found: &mut Vec<Diagnostic>) {
    let needed = [
        (
            Symbol::ROLE,
            1,
            Code::Role,
            "no role: the game has no players",
            "(role NAME) for each player",
        ),
        (
            Symbol::LEGAL,
            2,
            Code::Missing,
            "no `legal`: no role can move",
            "(<= (legal ROLE MOVE) ...)",
        ),
        (Symbol::TERMINAL, 0, Code::Missing, "no `terminal`: play never ends", "(<= terminal ...)"),
        (
            Symbol::GOAL,
            2,
            Code::Missing,
            "no `goal`: play is worth nothing",
            "(<= (goal ROLE VALUE) ...)",
        ),
    ];
    // An empty text is one finding, not four.
    if sheet.sentences.is_empty() {
        found.push(
            Diagnostic::warning(Code::Missing, Span::new(0, 0), "there are no rules")
                .help("start with (role NAME) for each player"),
        );
        return;
    }
    for (symbol, arity, code, message, form) in needed {
        if !sheet.number((symbol, arity)).is_some_and(|n| sheet.defined[n as usize]) {
            found.push(
                Diagnostic::error(code, Span::new(0, 0), message).help(format!("add {form}")),
            );
        }
    }
}

fn roles(sheet: &Sheet<'_>, found: &mut Vec<Diagnostic>) {
    for sentence in sheet.sentences {
        let head = &sentence.head;
        if head.key() == (Symbol::ROLE, 1) && matches!(head.args[0].kind, TermKind::Function(..)) {
            found.push(
                Diagnostic::warning(Code::Role, head.args[0].span, "a role is a plain name")
                    .label("other programs may not be able to address it")
                    .help("use a constant"),
            );
        }
        if head.key() == (Symbol::ROLE, 1)
            && matches!(head.args[0].kind, TermKind::Constant(Symbol::RANDOM))
        {
            found.push(
                Diagnostic::warning(
                    Code::Extension,
                    head.args[0].span,
                    "the role `random` is chance in GDL-II, which is not supported",
                )
                .label("taken as an ordinary player")
                .help("rename the role if it is a player"),
            );
        }
    }
    if let Some(number) = sheet.number((Symbol::SEES, 2))
        && sheet.defined[number as usize]
        && let Some(sentence) = sheet.sentences.iter().find(|s| s.head.key() == (Symbol::SEES, 2))
    {
        found.push(
            Diagnostic::warning(
                Code::Extension,
                sentence.head.span,
                "`sees` hides information in GDL-II, which is not supported",
            )
            .label("taken as an ordinary relation: every player sees everything")
            .help("leave it out if the game has no hidden information"),
        );
    }
}

fn goals(sheet: &Sheet<'_>, found: &mut Vec<Diagnostic>) {
    for sentence in sheet.sentences {
        if sentence.head.key() != (Symbol::GOAL, 2) {
            continue;
        }
        let value = &sentence.head.args[1];
        let text = match &value.kind {
            TermKind::Variable(_) => continue,
            TermKind::Constant(name) => sheet.symbols.name(*name),
            TermKind::Function(..) => "a function",
        };
        if goal_value(text).is_none() {
            found.push(
                Diagnostic::error(
                    Code::GoalValue,
                    value.span,
                    format!("a goal is a whole number from 0 to 100, not {text}"),
                )
                .help("0 is the worst outcome, 100 the best"),
            );
        }
    }
}

fn undefined(sheet: &Sheet<'_>, found: &mut Vec<Diagnostic>) {
    let mut nearest = Nearest::default();
    let mut reported = vec![false; sheet.relations.len()];
    for edge in &sheet.edges {
        let (symbol, arity) = sheet.relations[edge.to as usize];
        let given = matches!(symbol, Symbol::TRUE | Symbol::DOES);
        let done = std::mem::replace(&mut reported[edge.to as usize], true);
        if given || done || sheet.defined[edge.to as usize] {
            continue;
        }
        let name = sheet.symbols.name(symbol);
        let defined = sheet.relations.iter().zip(&sheet.defined);
        let others = defined
            .filter(|(relation, defined)| **defined && relation.1 == arity)
            .map(|(relation, _)| sheet.symbols.name(relation.0));
        let report = Diagnostic::warning(
            Code::Undefined,
            edge.span,
            format!("no fact and no rule defines `{name}` with {}", arguments(arity)),
        )
        .label("never holds");
        found.push(match nearest.to(name, others) {
            Some(other) => report.help(format!("did you mean `{other}`?")),
            None => report.help("define it, or leave the condition out"),
        });
    }
}

/// Facts and moves that are asked for but that nothing gives.
fn never_given(sheet: &Sheet<'_>, found: &mut Vec<Diagnostic>) {
    let facts = [(Symbol::INIT, 0), (Symbol::NEXT, 0)];
    let moves = [(Symbol::LEGAL, 1)];
    let mut nearest = Nearest::default();
    for (asking, argument, givers, source) in [
        (Symbol::TRUE, 0, &facts[..], "no `init` and no `next` gives"),
        (Symbol::DOES, 1, &moves[..], "no `legal` allows"),
    ] {
        let Some(given) = given_terms(sheet, givers) else { continue };
        let mut reported = FxHashSet::default();
        for sentence in sheet.sentences {
            sentence.body_atoms(|atom, _| {
                let Some(term) = atom.args.get(argument) else { return };
                if atom.relation != asking {
                    return;
                }
                let Some(key) = functor(term) else { return };
                if given.contains(&key) || !reported.insert(key) {
                    return;
                }
                let name = sheet.symbols.name(key.0);
                let others = given.iter().filter(|other| other.1 == key.1);
                let others = others.map(|other| sheet.symbols.name(other.0));
                let with =
                    if key.1 == 0 { String::new() } else { format!(" with {}", arguments(key.1)) };
                let report = Diagnostic::warning(
                    Code::Undefined,
                    term.span,
                    format!("{source} `{name}`{with}"),
                )
                .label("never holds");
                found.push(match nearest.to(name, others) {
                    Some(other) => report.help(format!("did you mean `{other}`?")),
                    None => report.help("say where it comes from, or leave the condition out"),
                });
            });
        }
    }
}

/// The names, with their numbers of arguments, of the terms that the given relations can have at
/// the given arguments; `None` if some rule leaves that open.
fn given_terms(
    sheet: &Sheet<'_>,
    givers: &[(Symbol, usize)],
) -> Option<FxHashSet<(Symbol, usize)>> {
    let mut given = FxHashSet::default();
    for sentence in sheet.sentences {
        for &(relation, argument) in givers {
            if sentence.head.relation == relation
                && let Some(term) = sentence.head.args.get(argument)
            {
                given.insert(functor(term)?);
            }
        }
    }
    Some(given)
}

fn functor(term: &Term) -> Option<(Symbol, usize)> {
    match &term.kind {
        TermKind::Constant(name) => Some((*name, 0)),
        TermKind::Function(name, args) => Some((*name, args.len())),
        TermKind::Variable(_) => None,
    }
}

/// Finds the nearest name. Looking is quadratic, and a text with more mistakes than this has other
/// worries, so it stops after some.
struct Nearest {
    left: usize,
}

impl Default for Nearest {
    fn default() -> Self {
        Nearest { left: 50 }
    }
}

impl Nearest {
    fn to<'a>(&mut self, name: &str, others: impl Iterator<Item = &'a str>) -> Option<&'a str> {
        self.left = self.left.checked_sub(1)?;
        nearest(name, others)
    }
}
