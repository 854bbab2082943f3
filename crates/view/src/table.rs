//! The facts of one shape as a table: rows that are possible, and rows that held together.

use std::collections::{BTreeMap, BTreeSet};

use crate::axis;
use crate::evidence::Evidence;
use crate::fact::{Fact, name_of};

/// All that is known about the facts of one shape.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub shape: String,
    /// Rows that were met or could be.
    pub all: BTreeSet<Vec<String>>,
    /// The rows that held in each state.
    pub states: Vec<Vec<Vec<String>>>,
}

/// Tables by shape. Shapes with more leaves than this are no boards.
const MOST_COLUMNS: usize = 7;
/// With more shapes than this, terms of any depth are shapes of their own, and none is a board.
const MOST_TABLES: usize = 2_000;

/// The tables of all facts with arguments.
pub(crate) fn tables(evidence: &Evidence) -> Vec<Table> {
    let mut found: BTreeMap<String, Table> = BTreeMap::new();
    let mut enter = |text: &str, state: Option<usize>| {
        let fact = Fact::read(text);
        let is_new = !found.contains_key(&fact.shape);
        if fact.leaves.is_empty()
            || fact.leaves.len() > MOST_COLUMNS
            || is_new && found.len() == MOST_TABLES
        {
            return;
        }
        let table = found.entry(fact.shape.clone()).or_insert_with(|| Table {
            shape: fact.shape.clone(),
            states: vec![Vec::new(); evidence.states.len()],
            ..Table::default()
        });
        if let Some(state) = state {
            table.states[state].push(fact.leaves.clone());
        }
        table.all.insert(fact.leaves);
    };
    evidence.possible.iter().for_each(|fact| enter(fact, None));
    for (number, state) in evidence.states.iter().enumerate() {
        state.iter().for_each(|fact| enter(fact, Some(number)));
    }
    found.into_values().collect()
}

impl Table {
    /// The relation.
    pub fn name(&self) -> &str {
        name_of(&self.shape)
    }

    /// How many arguments the facts have.
    pub fn columns(&self) -> usize {
        self.all.first().map_or(0, Vec::len)
    }

    /// The values of a column.
    pub fn values(&self, column: usize) -> BTreeSet<&str> {
        self.all.iter().map(|row| row[column].as_str()).collect()
    }

    /// The values of a column in order.
    pub fn axis(&self, column: usize, chains: &[Vec<String>]) -> Option<Vec<String>> {
        axis::order(&self.values(column), chains).filter(|order| order.len() > 1)
    }

    /// Whether no two facts of a state agree in `columns`.
    pub fn is_unique(&self, columns: &[usize]) -> bool {
        self.states.iter().all(|rows| {
            let mut seen = BTreeSet::new();
            rows.iter().all(|row| seen.insert(project(row, columns)))
        })
    }

    /// Whether every state has the same facts.
    pub fn never_changes(&self) -> bool {
        self.states.len() > 1 && self.states.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// The most facts that held together.
    pub fn most(&self) -> usize {
        self.states.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Whether the facts of every state have the same values in `columns`, and there are some.
    pub fn is_total(&self, columns: &[usize]) -> bool {
        let mut sets = self
            .states
            .iter()
            .map(|rows| rows.iter().map(|row| project(row, columns)).collect::<BTreeSet<_>>());
        let first = sets.next().unwrap_or_default();
        !first.is_empty() && sets.all(|set| set == first)
    }
}

/// The values of some columns.
pub(crate) fn project(row: &[String], columns: &[usize]) -> Vec<String> {
    columns.iter().filter_map(|&column| row.get(column).cloned()).collect()
}
