//! Is everything there that a game needs, and does every name that is used mean something?

use super::Sheet;
use super::arity::arguments;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::symbol::Symbol;
use crate::syntax::TermKind;

pub(super) fn check(sheet: &Sheet<'_>, found: &mut Vec<Diagnostic>) {
    required(sheet, found);
    roles(sheet, found);
    goals(sheet, found);
    undefined(sheet, found);
}

fn required(sheet: &Sheet<'_>, found: &mut Vec<Diagnostic>) {
    let needed = [
        (Symbol::ROLE, 1, Code::Role, "no role: nobody plays", "(role NAME) for each player"),
        (
            Symbol::LEGAL,
            2,
            Code::Missing,
            "no `legal`: nobody can move",
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
        if !text.parse::<u32>().is_ok_and(|goal| goal <= 100) {
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
    // Looking for near names is quadratic; a text with more mistakes than this has other worries.
    let mut suggestions = 50;
    let mut reported = vec![false; sheet.relations.len()];
    for edge in &sheet.edges {
        let (symbol, arity) = sheet.relations[edge.to as usize];
        let given = matches!(symbol, Symbol::TRUE | Symbol::DOES);
        // The language's own relations have errors of their own.
        let optional = matches!(symbol, Symbol::INIT | Symbol::NEXT | Symbol::BASE | Symbol::INPUT);
        let done = std::mem::replace(&mut reported[edge.to as usize], true);
        if given || done || sheet.defined[edge.to as usize] {
            continue;
        }
        let name = sheet.symbols.name(symbol);
        let wanted = if suggestions == 0 { 0 } else { sheet.relations.len() };
        suggestions -= usize::from(suggestions > 0);
        let nearest = sheet
            .relations
            .iter()
            .zip(&sheet.defined)
            .take(wanted)
            .filter(|(relation, defined)| **defined && relation.1 == arity)
            .map(|(relation, _)| sheet.symbols.name(relation.0))
            .min_by_key(|other| strsim::damerau_levenshtein(name, other))
            .filter(|other| strsim::damerau_levenshtein(name, other) <= 1 + name.len() / 4);
        let report = Diagnostic::warning(
            Code::Undefined,
            edge.span,
            format!("no fact and no rule defines `{name}` with {}", arguments(arity)),
        )
        .label("never holds");
        found.push(match nearest {
            Some(other) => report.help(format!("did you mean `{other}`?")),
            None if optional => report.help("add it, or leave the condition out"),
            None => report.help("define it, or leave the condition out"),
        });
    }
}
