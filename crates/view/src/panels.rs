//! Facts that are on no board, as labelled lines: whose turn it is, points, hands, stock, steps.
//!
//! Relations are told apart by their values, and not by their names: a relation that names one role at a
//! time says whose turn it is, one that has a role in every fact says something of each role.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::evidence::Evidence;
use crate::fact::{Fact, natural};
use crate::hints::BoardHints;

/// How the facts beside the board are shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Panels {
    roles: Vec<String>,
    /// Relations that name one role at a time.
    turns: BTreeSet<String>,
    /// Where a relation has a role in every fact.
    owners: BTreeMap<String, usize>,
    labels: BTreeMap<String, String>,
    /// Relations whose values are the digits of binary numbers.
    binary: Vec<String>,
}

/// A labelled line beside the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Panel {
    /// The text before the values.
    pub label: String,
    /// The role it is about, if any.
    pub role: Option<usize>,
    /// The values of the facts.
    pub values: Vec<String>,
}

impl Panels {
    pub fn new(evidence: &Evidence, hints: &BoardHints) -> Panels {
        let mut leaves: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
        let mut alone: BTreeMap<String, bool> = BTreeMap::new();
        for state in &evidence.states {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for fact in state.iter().map(|fact| Fact::read(fact)) {
                *counts.entry(fact.shape.clone()).or_default() += 1;
                leaves.entry(fact.shape).or_default().push(fact.leaves);
            }
            for (shape, count) in counts {
                *alone.entry(shape).or_insert(true) &= count == 1;
            }
        }
        let is_role = |text: &String| evidence.roles.contains(text);
        let (mut turns, mut owners) = (BTreeSet::new(), BTreeMap::new());
        for (shape, rows) in leaves {
            let columns = rows.iter().map(Vec::len).min().unwrap_or(0);
            let owner = (0..columns).find(|&at| rows.iter().all(|row| is_role(&row[at])));
            match owner {
                Some(0) if columns == 1 && alone.get(&shape) == Some(&true) => {
                    turns.insert(shape);
                }
                Some(at) => _ = owners.insert(shape, at),
                None => {}
            }
        }
        let (labels, binary) = (hints.panels.clone(), hints.binary.clone());
        Panels { roles: evidence.roles.clone(), turns, owners, labels, binary }
    }

    /// The lines for these facts.
    pub fn of(&self, facts: &[String]) -> Vec<Panel> {
        let mut found: BTreeMap<(String, Option<usize>), Vec<String>> = BTreeMap::new();
        let mut sums: BTreeMap<(String, Option<usize>), u64> = BTreeMap::new();
        for fact in facts.iter().map(|fact| Fact::read(fact)) {
            let label = self.label(&fact);
            // A relation with an empty label is not for people.
            if label.is_empty() {
                continue;
            }
            let owner = self.owners.get(&fact.shape).copied();
            let role =
                owner.and_then(|at| self.roles.iter().position(|role| *role == fact.leaves[at]));
            let rest = fact.leaves.iter().enumerate().filter(|(at, _)| Some(*at) != owner);
            let value = rest.map(|(_, leaf)| leaf.replace('_', " ")).collect::<Vec<_>>().join(" ");
            match value.parse::<u32>() {
                Ok(digit) if self.binary.iter().any(|name| name == fact.name()) => {
                    let worth = 1_u64.checked_shl(digit).unwrap_or(0);
                    let sum = sums.entry((label, role)).or_default();
                    *sum = sum.saturating_add(worth);
                }
                _ => found.entry((label, role)).or_default().push(value),
            }
        }
        found.extend(sums.into_iter().map(|(about, sum)| (about, vec![sum.to_string()])));
        let panel = |((label, role), mut values): ((String, Option<usize>), Vec<String>)| {
            values.sort_by(|a, b| natural(a, b));
            values.retain(|value| !value.is_empty());
            Panel { label, role, values }
        };
        let mut panels: Vec<Panel> = found.into_iter().map(panel).collect();
        // What is said of roles comes first, and whose turn it is before all.
        let turns: Vec<String> =
            self.turns.iter().map(|shape| self.label(&Fact::read(shape))).collect();
        panels.sort_by_key(|panel| (!turns.contains(&panel.label), panel.role.is_none()));
        panels
    }

    fn label(&self, fact: &Fact) -> String {
        let name = fact.name();
        if let Some(label) = self.labels.get(name) {
            return label.clone();
        }
        if self.turns.len() == 1 && self.turns.contains(&fact.shape) {
            return "To move".to_owned();
        }
        let words = name.replace(['_', '-'], " ");
        let mut letters = words.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(states: &[&str], hints: &str) -> Vec<String> {
        let facts = |text: &&str| -> Vec<String> {
            text.split(',').map(|fact| format!("({})", fact.trim())).collect()
        };
        let states: Vec<Vec<String>> = states.iter().map(facts).collect();
        let last = states.last().cloned().unwrap_or_default();
        let roles = vec!["red".to_owned(), "blue".to_owned()];
        let evidence = Evidence { roles, states, ..Evidence::default() };
        let hints: BoardHints = toml::from_str(hints).expect("hints");
        let line = |panel: Panel| {
            let role = panel.role.map_or("", |role| ["red ", "blue "][role]);
            format!("{}: {role}{}", panel.label, panel.values.join(", "))
        };
        Panels::new(&evidence, &hints).of(&last).into_iter().map(line).collect()
    }

    #[test]
    fn roles_and_turns_are_found_by_their_values() {
        let states = [
            "turn red, points red 0, points blue 3, round 1",
            "turn blue, points red 5, points blue 12, round 2",
        ];
        let expected = ["To move: blue", "Points: red 5", "Points: blue 12", "Round: 2"];
        assert_eq!(shown(&states, ""), expected);
    }

    #[test]
    fn two_relations_of_one_role_are_told_apart() {
        let states = ["control red, token blue", "control blue, token blue"];
        assert_eq!(shown(&states, ""), ["Control: blue", "Token: blue"]);
    }

    #[test]
    fn hands_are_sorted_and_hints_name_hide_and_add() {
        let states =
            ["holds red card_10, holds red card_2, points red 0, points red 2, trail 1 2 3, over"];
        let hints = "binary = ['points']\n[panels]\nholds = 'Hand'\ntrail = ''";
        assert_eq!(shown(&states, hints), ["Hand: red card 2, card 10", "Points: red 5", "Over: "]);
    }
}
