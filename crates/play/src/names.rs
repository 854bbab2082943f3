//! Names that people mistype, and lists in the order people expect.

pub use gamegrove_view::natural;

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

/// What to say about a name that is none of `known`.
pub fn unknown(thing: &str, name: &str, known: &[&str]) -> String {
    let there_is = format!("no {thing} is called that; there is {}", known.join(", "));
    match did_you_mean(&nearest(name, known.iter().copied())) {
        Some(suggestion) => format!("{there_is}; {suggestion}"),
        None => there_is,
    }
}

/// What is left of a name when case, spaces and punctuation do not count.
fn bare(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
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
}
