//! Do the reserved relations depend only on what they may?
//!
//! `true` and `does` are given, never derived. `role`, `init`, `base` and `input` are fixed before
//! play starts. `legal`, `goal` and `terminal` are asked before the moves are known.

use std::collections::VecDeque;

use super::{Edge, Sheet};
use crate::diagnostic::{Code, Diagnostic};
use crate::symbol::Symbol;

const TRUE: (Symbol, usize) = (Symbol::TRUE, 1);
const DOES: (Symbol, usize) = (Symbol::DOES, 2);

pub(super) fn check(sheet: &Sheet<'_>, found: &mut Vec<Diagnostic>) {
    heads(sheet, found);
    for symbol in [Symbol::ROLE, Symbol::INIT, Symbol::BASE, Symbol::INPUT] {
        for target in [TRUE, DOES] {
            forbid(sheet, symbol, target, Code::StateDependent, found);
        }
    }
    for symbol in [Symbol::LEGAL, Symbol::GOAL, Symbol::TERMINAL] {
        forbid(sheet, symbol, DOES, Code::DoesDependent, found);
    }
    for edge in &sheet.edges {
        if sheet.relations[edge.to as usize] == (Symbol::NEXT, 1) {
            found.push(
                Diagnostic::warning(Code::Keyword, edge.span, "`next` is used as a condition")
                    .label("the next state is not known yet")
                    .help(
                        "give the shared condition a relation of its own and use it in both rules",
                    ),
            );
        }
    }
}

fn heads(sheet: &Sheet<'_>, found: &mut Vec<Diagnostic>) {
    for sentence in sheet.sentences {
        let (message, help) = match sentence.head.relation {
            Symbol::TRUE => (
                "`true` speaks about the current state and cannot be defined",
                "write (init ...) for the first state or (next ...) for the following one",
            ),
            Symbol::DOES => (
                "`does` is what the players decide and cannot be defined",
                "write (legal ...) to say which moves are possible",
            ),
            _ => continue,
        };
        found.push(Diagnostic::error(Code::ReservedHead, sentence.head.span, message).help(help));
    }
}

/// Reports each rule of `symbol` whose body leads to `target`, with the way it leads there.
fn forbid(
    sheet: &Sheet<'_>,
    symbol: Symbol,
    target: (Symbol, usize),
    code: Code,
    found: &mut Vec<Diagnostic>,
) {
    let Some(target) = sheet.number(target) else { return };
    let ways = ways_to(sheet, target);
    for start in sheet.edges.iter().filter(|e| sheet.relations[e.from as usize].0 == symbol) {
        if start.to != target && ways[start.to as usize].is_none() {
            continue;
        }
        let (head, end) = (sheet.symbols.name(symbol), sheet.name(target));
        let reason = match code {
            Code::StateDependent => "it must be the same in every state",
            _ => "it is asked before the moves of the step are known",
        };
        let mut report = Diagnostic::error(
            code,
            start.span,
            format!("`{head}` must not depend on `{end}`: {reason}"),
        )
        .help(match code {
            Code::StateDependent => "describe all possibilities here, whatever the state",
            _ => "use `true` instead, or move the condition into `next`",
        });
        if start.to == target {
            report = report.label("depends on it here");
        } else {
            let (mut names, mut last) = (vec![sheet.name(start.to)], *start);
            while last.to != target
                && let Some(edge) = ways[last.to as usize]
            {
                last = edge;
                names.push(sheet.name(edge.to));
            }
            if names.len() > 6 {
                names.splice(3..names.len() - 2, ["..."]);
            }
            report = report.label(format!("depends on it by way of {}", names.join(" -> ")));
            report = report.related(last.span, format!("`{end}` is used here"));
        }
        found.push(report);
    }
}

/// For each relation that leads to `target`, the first use on a shortest way there.
fn ways_to(sheet: &Sheet<'_>, target: u32) -> Vec<Option<Edge>> {
    let mut users: Vec<Vec<Edge>> = vec![Vec::new(); sheet.relations.len()];
    sheet.edges.iter().for_each(|edge| users[edge.to as usize].push(*edge));
    let mut ways: Vec<Option<Edge>> = vec![None; sheet.relations.len()];
    let mut open = VecDeque::from([target]);
    while let Some(node) = open.pop_front() {
        for edge in &users[node as usize] {
            if edge.from != target && ways[edge.from as usize].is_none() {
                ways[edge.from as usize] = Some(*edge);
                open.push_back(edge.from);
            }
        }
    }
    ways
}
