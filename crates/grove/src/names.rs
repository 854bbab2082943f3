//! Names that people mistype, and lists in the order people expect.

use std::cmp::Ordering;

/// The candidates that `name` was probably meant to be, the nearest first; at most three.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    // An arbitrarily long name is near to nothing, and comparing it takes arbitrarily long.
    if name.len() > 200 {
        return Vec::new();
    }
    let wanted = bare(name);
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter_map(|candidate| {
            let other = bare(candidate);
            let distance = strsim::damerau_levenshtein(&wanted, &other);
            let close = distance <= 1 + wanted.chars().count() / 4;
            let part = wanted.len() >= 3 && (other.contains(&wanted) || wanted.contains(&other));
            (close || part).then_some((distance, candidate))
        })
        .collect();
    near.sort_unstable();
    near.truncate(3);
    near.into_iter().map(|(_, candidate)| candidate).collect()
}

/// "did you mean a, b or c?", or nothing.
pub fn did_you_mean(near: &[&str]) -> Option<String> {
    let (last, first) = near.split_last()?;
    Some(match first {
        [] => format!("did you mean {last}?"),
        first => format!("did you mean {} or {last}?", first.join(", ")),
    })
}

/// What is left of a name when case, spaces and punctuation do not count.
fn bare(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Compares texts so that numbers in them count as numbers: `(drop 2)` before `(drop 10)`.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let (x, rest_a) = chunk(a);
        let (y, rest_b) = chunk(b);
        let order = match (x.as_bytes().first(), y.as_bytes().first()) {
            (Some(p), Some(q)) if p.is_ascii_digit() && q.is_ascii_digit() => {
                let (x, y) = (x.trim_start_matches('0'), y.trim_start_matches('0'));
                x.len().cmp(&y.len()).then(x.cmp(y))
            }
            _ => x.cmp(y),
        };
        if order != Ordering::Equal {
            return order;
        }
        if rest_a.is_empty() || rest_b.is_empty() {
            return rest_a.len().cmp(&rest_b.len());
        }
        (a, b) = (rest_a, rest_b);
    }
}

/// The longest start of `text` that is all digits or has none, and the rest.
fn chunk(text: &str) -> (&str, &str) {
    let digits = text.as_bytes().first().is_some_and(u8::is_ascii_digit);
    let end = text.bytes().position(|b| b.is_ascii_digit() != digits).unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: [&str; 4] = ["breakthrough", "chess", "connect_four", "tic_tac_toe"];

    #[test]
    fn near_names_are_found() {
        assert_eq!(nearest("tictactoe", GAMES), ["tic_tac_toe"]);
        assert_eq!(nearest("chees", GAMES), ["chess"]);
        assert_eq!(nearest("Connect-For", GAMES), ["connect_four"]);
        assert_eq!(nearest("connect", GAMES), ["connect_four"]);
        assert_eq!(nearest("poker", GAMES), [""; 0]);
        assert_eq!(nearest("", GAMES), [""; 0]);
        assert_eq!(nearest(&"x".repeat(100_000), GAMES), [""; 0]);
    }

    #[test]
    fn suggestions_read_as_sentences() {
        assert_eq!(did_you_mean(&[]), None);
        assert_eq!(did_you_mean(&["a"]).as_deref(), Some("did you mean a?"));
        assert_eq!(did_you_mean(&["a", "b", "c"]).as_deref(), Some("did you mean a, b or c?"));
    }

    #[test]
    fn numbers_are_ordered_as_numbers() {
        let mut names = ["(drop 10)", "(drop 9)", "noop", "(drop 1)", "a", "a1", "a01"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["(drop 1)", "(drop 9)", "(drop 10)", "a", "a1", "a01", "noop"]);
    }
}
