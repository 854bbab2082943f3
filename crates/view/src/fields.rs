//! Boards whose fields have names but no coordinates: which relations say what is on a field.

use std::collections::{BTreeMap, BTreeSet};

use crate::choice::is_called_cell;
use crate::table::{Table, project};

/// How named fields are read.
#[derive(Clone, Debug)]
pub(crate) struct FieldChoice {
    /// The fields.
    pub names: BTreeSet<Vec<String>>,
    /// The tables with a field's name, and the columns that have it.
    pub readers: Vec<(usize, Vec<usize>)>,
}

/// The best reading of some of `tables` as fields, if there is one.
pub(crate) fn choose(tables: &[Table], roles: &[String]) -> Option<FieldChoice> {
    let is_role = |value: &str| roles.iter().any(|role| role == value);
    let free = |table: &Table, column: usize| !table.values(column).iter().any(|v| is_role(v));
    function(tables, &free, roles)
        .or_else(|| partition(tables, &free))
        .or_else(|| places(tables, &free))
        .or_else(|| sets(tables, &free))
}

/// The relations that share their cells with table `number`, if there are any.
pub(crate) fn partition_of(
    tables: &[Table],
    roles: &[String],
    number: usize,
) -> Option<FieldChoice> {
    let is_role = |value: &str| roles.iter().any(|role| role == value);
    let free = |table: &Table, column: usize| !table.values(column).iter().any(|v| is_role(v));
    partition(tables, &free)
        .filter(|choice| choice.readers.iter().any(|(reader, _)| *reader == number))
}

type Free<'a> = dyn Fn(&Table, usize) -> bool + 'a;

/// The fewest fields that make a board.
const FEWEST: usize = 3;

/// A relation that says in every state what is on each field: `(cell a1 red)`.
fn function(tables: &[Table], free: &Free<'_>, roles: &[String]) -> Option<FieldChoice> {
    let read = |(number, table): (usize, &Table)| {
        let columns = table.columns();
        let key: Vec<usize> = (0..columns.checked_sub(1)?).collect();
        let last = *key.last()?;
        let names: BTreeSet<Vec<String>> = table.all.iter().map(|row| project(row, &key)).collect();
        let spelt = names.iter().all(|name| is_letter_and_number(&name[0])) && key.len() == 1;
        // Not every field needs an owner.
        let owned = table.values(columns - 1).iter().all(|v| roles.iter().any(|role| role == v));
        let fits = names.len() >= FEWEST
            && key.len() <= 2
            && free(table, last)
            && table.is_unique(&key)
            && (spelt || owned || table.is_total(&key));
        let worth = (spelt, is_called_cell(table.name()), table.most());
        fits.then(|| (worth, FieldChoice { names, readers: vec![(number, key)] }))
    };
    let found = tables.iter().enumerate().filter_map(read);
    found.max_by_key(|(worth, _)| *worth).map(|(_, choice)| choice)
}

fn is_letter_and_number(name: &str) -> bool {
    let digits = name.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or("");
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Several relations of which each field has one at a time: `(blank a)`, `(cross b)`.
fn partition(tables: &[Table], free: &Free<'_>) -> Option<FieldChoice> {
    let mut alike: BTreeMap<(usize, Vec<BTreeSet<&str>>), Vec<usize>> = BTreeMap::new();
    for (number, table) in tables.iter().enumerate() {
        let columns = table.columns();
        if columns <= 2 && (0..columns).all(|column| free(table, column)) {
            let values = (0..columns).map(|column| table.values(column)).collect();
            alike.entry((columns, values)).or_default().push(number);
        }
    }
    let read = |((columns, _), numbers): ((usize, Vec<BTreeSet<&str>>), Vec<usize>)| {
        let states = tables[*numbers.first()?].states.len();
        let names: BTreeSet<Vec<String>> =
            numbers.iter().flat_map(|&n| tables[n].all.iter().cloned()).collect();
        let whole = (0..states).all(|state| {
            let rows = numbers.iter().flat_map(|&n| &tables[n].states[state]);
            let count = rows.clone().count();
            count == names.len() && rows.collect::<BTreeSet<_>>().len() == count
        });
        let key: Vec<usize> = (0..columns).collect();
        let fits = numbers.len() >= 2 && names.len() >= FEWEST && whole;
        fits.then(|| FieldChoice {
            names,
            readers: numbers.into_iter().map(|number| (number, key.clone())).collect(),
        })
    };
    alike.into_iter().filter_map(read).max_by_key(|choice| choice.names.len())
}

/// A relation with one column that says where something is: `(piece white 3 c4)`.
fn places(tables: &[Table], free: &Free<'_>) -> Option<FieldChoice> {
    /// Fewer names may as well be kinds of pieces.
    const MANY: usize = 8;
    let read = |(number, table): (usize, &Table)| {
        let columns = table.columns();
        if columns < 2 || table.most() < 2 {
            return None;
        }
        let widest = (0..columns).max_by_key(|&column| table.values(column).len())?;
        let names: BTreeSet<Vec<String>> =
            table.all.iter().map(|row| vec![row[widest].clone()]).collect();
        let numbers = names.iter().all(|name| name[0].parse::<i64>().is_ok());
        let fits = names.len() >= MANY && !numbers && free(table, widest);
        (fits && table.is_unique(&[widest]))
            .then(|| (table.most(), FieldChoice { names, readers: vec![(number, vec![widest])] }))
    };
    let found = tables.iter().enumerate().filter_map(read);
    found.max_by_key(|(most, _)| *most).map(|(_, choice)| choice)
}

/// Relations with one argument that hold for several of the same names: `(visited a)`, `(at b)`.
fn sets(tables: &[Table], free: &Free<'_>) -> Option<FieldChoice> {
    let one = |table: &Table| table.columns() == 1 && free(table, 0);
    let leader = tables
        .iter()
        .filter(|table| one(table) && table.values(0).len() >= FEWEST && table.most() >= 2)
        .max_by_key(|table| table.values(0).len())?;
    let values = leader.values(0);
    let readers: Vec<(usize, Vec<usize>)> = tables
        .iter()
        .enumerate()
        .filter(|(_, table)| {
            let counts =
                table.most() < 2 && table.values(0).iter().all(|v| v.parse::<i64>().is_ok());
            one(table) && !counts && table.values(0).is_subset(&values)
        })
        .map(|(number, _)| (number, vec![0]))
        .collect();
    let names = leader.all.clone();
    Some(FieldChoice { names, readers })
}
