//! Makes rulesheets stratified that are so only if constants are looked at.
//!
//! `(<= (goal robot 100) (not (goal robot 0)))` defines `goal` through its own negation, but no
//! atom depends on its own negation. Such a relation is split by the constant in one argument:
//! `goal = 0` and `goal = 100` are relations of their own, and `goal` collects them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::check::Sheet;
use crate::symbol::{Symbol, Symbols};
use crate::syntax::{Atom, Formula, Sentence, Term, TermKind};

/// The sentences, changed as little as needed so that no relation depends on its own negation;
/// `None` if that cannot be done by splitting.
pub(crate) fn stratify(sentences: &[Sentence], symbols: &mut Symbols) -> Option<Vec<Sentence>> {
    let mut sentences = sentences.to_vec();
    // Each round splits a relation at an argument; a real cycle stays one however often.
    for _ in 0..16 {
        let Some((relation, place)) = candidate(&sentences, symbols)? else {
            return Some(sentences);
        };
        sentences = split(&sentences, relation, place, symbols);
    }
    None
}

/// A relation and argument to split at: `None` if there is none although one is needed,
/// `Some(None)` if nothing needs to be split.
#[expect(clippy::option_option, reason = "the two absences mean different things")]
fn candidate(
    sentences: &[Sentence],
    symbols: &Symbols,
) -> Option<Option<((Symbol, usize), usize)>> {
    let sheet = Sheet::new(sentences, symbols);
    let cycles: FxHashSet<u32> = sheet
        .edges
        .iter()
        .filter(|edge| edge.negated && sheet.mutually_recursive(edge.from, edge.to))
        .map(|edge| sheet.components.of[edge.to as usize])
        .collect();
    if cycles.is_empty() {
        return Some(None);
    }
    let mut heads: FxHashMap<(Symbol, usize), Vec<&Atom>> = FxHashMap::default();
    let mut uses: FxHashMap<(Symbol, usize), Vec<&Atom>> = FxHashMap::default();
    for sentence in sentences {
        heads.entry(sentence.head.key()).or_default().push(&sentence.head);
        sentence.body_atoms(|atom, _| uses.entry(atom.key()).or_default().push(atom));
    }
    for (number, &relation) in sheet.relations.iter().enumerate() {
        let Some(heads) = heads.get(&relation) else { continue };
        let uses = uses.get(&relation).map_or(&[][..], Vec::as_slice);
        // All heads have a constant there, and not all heads and uses the same.
        let splits_at = |place: &usize| {
            let first = constant(&heads[0].args[*place]);
            let at = |atom: &&Atom| constant(&atom.args[*place]);
            heads.iter().all(|head| at(head).is_some())
                && heads.iter().chain(uses).any(|atom| at(atom).is_some_and(|c| Some(c) != first))
        };
        if cycles.contains(&sheet.components.of[number])
            && let Some(place) = (0..relation.1).find(splits_at)
        {
            return Some(Some((relation, place)));
        }
    }
    None
}

fn constant(term: &Term) -> Option<Symbol> {
    if let TermKind::Constant(name) = term.kind { Some(name) } else { None }
}

fn split(
    sentences: &[Sentence],
    relation: (Symbol, usize),
    place: usize,
    symbols: &mut Symbols,
) -> Vec<Sentence> {
    let mut parts: FxHashMap<Symbol, Symbol> = FxHashMap::default();
    let mut collectors = Vec::new();
    let mut rename = |atom: &mut Atom| {
        if atom.key() != relation {
            return None;
        }
        let value = constant(&atom.args[place])?;
        let name = *parts.entry(value).or_insert_with(|| {
            // No word of a rulesheet contains a space.
            let name = format!("{} = {}", symbols.name(relation.0), symbols.name(value));
            symbols.intern(&name)
        });
        atom.relation = name;
        Some((value, name))
    };
    let mut changed = sentences.to_vec();
    for sentence in &mut changed {
        sentence.body.iter_mut().for_each(|part| {
            each_atom(part, &mut |atom| {
                rename(atom);
            });
        });
        let whole = sentence.head.clone();
        if let Some((value, name)) = rename(&mut sentence.head)
            && !collectors.iter().any(|(seen, _, _)| *seen == value)
        {
            collectors.push((value, name, whole));
        }
    }
    for (_, name, mut head) in collectors {
        for (index, arg) in head.args.iter_mut().enumerate() {
            if index != place {
                arg.kind = TermKind::Variable(symbols.intern(&format!("?{index}")));
            }
        }
        let part = Atom { relation: name, ..head.clone() };
        let span = head.span;
        changed.push(Sentence { head, body: vec![Formula::Atom(part)], span });
    }
    changed
}

fn each_atom(part: &mut Formula, visit: &mut dyn FnMut(&mut Atom)) {
    match part {
        Formula::Atom(atom) => visit(atom),
        Formula::Not(inner, _) => each_atom(inner, visit),
        Formula::Or(parts, _) | Formula::And(parts, _) => {
            parts.iter_mut().for_each(|part| each_atom(part, visit));
        }
        Formula::Distinct(..) => {}
    }
}
