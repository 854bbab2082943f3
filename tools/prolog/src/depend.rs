//! What depends on what: recursive relations, and relations that see the state or the moves.

use std::collections::{BTreeMap, BTreeSet};

use crate::rules::{Atom, Rule};

/// A relation: name and number of arguments.
pub type Relation = (String, usize);

/// The relation of `atom`.
pub fn relation(atom: &Atom) -> Relation {
    (atom.name.clone(), atom.args.len())
}

/// The dependency graph of a rulesheet, closed: for each relation all that it may ask.
pub struct Dependencies {
    reached: BTreeMap<Relation, BTreeSet<Relation>>,
}

impl Dependencies {
    /// The dependencies of `rules`.
    pub fn new(rules: &[Rule]) -> Self {
        let mut direct: BTreeMap<Relation, BTreeSet<Relation>> = BTreeMap::new();
        for rule in rules {
            let asks = direct.entry(relation(&rule.head)).or_default();
            for goal in &rule.body {
                goal.calls(&mut |atom| {
                    asks.insert(relation(atom));
                });
            }
        }
        let reached = direct.keys().map(|start| (start.clone(), reach(&direct, start))).collect();
        Self { reached }
    }

    /// Whether asking `from` may ask `to`.
    pub fn reaches(&self, from: &Relation, to: &Relation) -> bool {
        self.reached.get(from).is_some_and(|all| all.contains(to))
    }

    /// Whether the relation may ask itself.
    pub fn recursive(&self, relation: &Relation) -> bool {
        self.reaches(relation, relation)
    }

    /// Whether two relations ask each other.
    pub fn mutual(&self, one: &Relation, other: &Relation) -> bool {
        self.reaches(one, other) && self.reaches(other, one)
    }

    /// Whether the relation may change when the state or the moves do.
    pub fn dynamic(&self, relation: &Relation) -> bool {
        self.sees_moves(relation) || self.reaches(relation, &("true".into(), 1))
    }

    /// Whether the relation may change when the moves do.
    pub fn sees_moves(&self, relation: &Relation) -> bool {
        self.reaches(relation, &("does".into(), 2))
    }
}

fn reach(direct: &BTreeMap<Relation, BTreeSet<Relation>>, start: &Relation) -> BTreeSet<Relation> {
    let mut reached = BTreeSet::new();
    let mut open = vec![start];
    while let Some(relation) = open.pop() {
        for next in direct.get(relation).into_iter().flatten() {
            if reached.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    reached
}
