//! Values that stand in a row: numbers, letters, numbers behind a common word, or names that a
//! relation of the rulesheet puts in order.

use std::collections::{BTreeMap, BTreeSet};

/// The longest side of a board.
pub(crate) const LONGEST: usize = 64;

/// The order of `values` with its gaps filled, or nothing if they have none.
pub(crate) fn order(values: &BTreeSet<&str>, chains: &[Vec<String>]) -> Option<Vec<String>> {
    if values.is_empty() || values.len() > LONGEST {
        return None;
    }
    let found = numbers(values).or_else(|| letters(values)).or_else(|| along(values, chains))?;
    let covered = values.iter().all(|value| found.iter().any(|known| known == value));
    (covered && found.len() <= LONGEST).then_some(found)
}

/// Numbers, alone or behind the same word: `-1 0 1`, `c1 c2`, `r01 r02`, `n1 0 1` is none.
fn numbers(values: &BTreeSet<&str>) -> Option<Vec<String>> {
    let first = values.first()?;
    let word = first.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('-');
    let mut found = Vec::new();
    let mut padded = None;
    for value in values {
        let digits = value.strip_prefix(word)?;
        let number: i32 = digits.parse().ok().filter(|_| !digits.starts_with('+'))?;
        if digits.len() > 1 && digits.starts_with('0') {
            padded = Some(digits.len());
        }
        found.push(number);
    }
    let (low, high) = (*found.iter().min()?, *found.iter().max()?);
    if high.abs_diff(low) as usize >= LONGEST {
        return None;
    }
    let width = padded.unwrap_or(0);
    Some((low..=high).map(|number| format!("{word}{number:0width$}")).collect())
}

fn letters(values: &BTreeSet<&str>) -> Option<Vec<String>> {
    let mut found = Vec::new();
    for value in values {
        match value.as_bytes() {
            [letter @ (b'a'..=b'z' | b'A'..=b'Z')] => found.push(*letter),
            _ => return None,
        }
    }
    let (low, high) = (*found.iter().min()?, *found.iter().max()?);
    // Letters far apart are names, such as x, o and b.
    let near = usize::from(high - low) < 2 * found.len() && high < low.saturating_add(26);
    near.then(|| (low..=high).map(|letter| char::from(letter).to_string()).collect())
}

/// The part of a chain that holds all values.
fn along(values: &BTreeSet<&str>, chains: &[Vec<String>]) -> Option<Vec<String>> {
    let part = chains.iter().filter_map(|chain| {
        let held = |name: &String| values.contains(name.as_str());
        let (first, last) = (chain.iter().position(held)?, chain.iter().rposition(held)?);
        let inside = &chain[first..=last];
        (inside.iter().filter(|name| held(name)).count() == values.len()).then_some(inside)
    });
    part.min_by_key(|part| part.len()).map(<[String]>::to_vec)
}

/// The chains of a relation with two arguments: `(next one two) (next two three)` puts one, two and
/// three in a row. A relation that branches or turns in a circle gives none.
pub(crate) fn chains(pairs: &[(String, String)]) -> Vec<Vec<String>> {
    let mut next: BTreeMap<&str, &str> = BTreeMap::new();
    let mut targets = BTreeSet::new();
    for (from, to) in pairs {
        if next.insert(from, to).is_some_and(|other| other != to) || !targets.insert(to.as_str()) {
            return Vec::new();
        }
    }
    let starts = next.keys().filter(|start| !targets.contains(**start));
    starts
        .map(|start| {
            let mut chain = vec![(*start).to_owned()];
            let mut at = *start;
            while let Some(to) = next.get(at) {
                chain.push((*to).to_owned());
                at = to;
            }
            chain
        })
        .filter(|chain| chain.len() > 2)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(values: &[&str], pairs: &[(&str, &str)]) -> Option<String> {
        let pairs: Vec<_> = pairs.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect();
        order(&values.iter().copied().collect(), &chains(&pairs)).map(|found| found.join(" "))
    }

    #[test]
    fn orders_are_found() {
        assert_eq!(ordered(&["3", "1", "10"], &[]).as_deref(), Some("1 2 3 4 5 6 7 8 9 10"));
        assert_eq!(ordered(&["-1", "1"], &[]).as_deref(), Some("-1 0 1"));
        assert_eq!(ordered(&["c8", "c10"], &[]).as_deref(), Some("c8 c9 c10"));
        assert_eq!(ordered(&["r08", "r10"], &[]).as_deref(), Some("r08 r09 r10"));
        assert_eq!(ordered(&["a", "c"], &[]).as_deref(), Some("a b c"));
        assert_eq!(
            ordered(&["two", "one"], &[("one", "two"), ("two", "three")]).as_deref(),
            Some("one two")
        );
    }

    #[test]
    fn what_has_no_order_gets_none() {
        let circle = [("p", "q"), ("q", "r"), ("r", "p")];
        for values in [&["x", "o", "b"][..], &["red", "blue"], &["1", "1000"], &["a1", "b1"], &[]] {
            assert_eq!(ordered(values, &circle), None, "{values:?}");
        }
        assert_eq!(ordered(&["01", "1"], &[]), None);
        assert_eq!(ordered(&["-2147483648", "2147483647"], &[]), None);
        assert_eq!(ordered(&["pp", "qq"], &[("pp", "qq"), ("pp", "rr")]), None);
    }
}
