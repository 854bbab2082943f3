//! The names that a misspelt one was probably meant to be.

/// Longer names are not compared: the work grows with the product of the lengths.
const MAX_LENGTH: usize = 100;

/// The names like `name`, the nearest first; at most three. Case and punctuation do not count.
///
/// Two names are alike if few letters differ, or if one contains the other.
pub fn nearest_names<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    if name.len() > MAX_LENGTH {
        return Vec::new();
    }
    let wanted = bare(name);
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .filter(|candidate| candidate.len() <= MAX_LENGTH)
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

/// The name most like `name`, if any is like it.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    nearest_names(name, known).first().copied()
}

/// The end of a message about an unknown name: `; did you mean ...?`, or nothing.
pub fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |name| format!("; did you mean `{name}`?"))
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
        assert_eq!(nearest_names("tictactoe", GAMES), ["tic_tac_toe"]);
        assert_eq!(nearest_names("chees", GAMES), ["chess"]);
        assert_eq!(nearest_names("Connect-For", GAMES), ["connect_four"]);
        assert_eq!(nearest_names("connect", GAMES), ["connect_four"]);
        assert_eq!(nearest_names("poker", GAMES), [""; 0]);
        assert_eq!(nearest_names("", GAMES), [""; 0]);
        assert_eq!(nearest_names(&"x".repeat(100_000), GAMES), [""; 0]);
    }

    #[test]
    fn the_nearest_comes_first() {
        assert_eq!(nearest("ntbae", ["mab", "ntbea", "nmc"]), Some("ntbea"));
        assert_eq!(nearest("eps", ["c", "epsilon"]), Some("epsilon"));
        assert_eq!(nearest("mase", ["mast", "base", "maser"]), Some("base"), "equals by name");
        assert_eq!(nearest("zebra", ["c", "epsilon"]), None);
    }
}
