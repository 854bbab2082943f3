//! Names that people mistype, and lists in the order people expect.

pub use gamegrove_settings::nearest_names as nearest;
pub use gamegrove_view::natural;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_read_as_sentences() {
        assert_eq!(did_you_mean(&[]), None);
        assert_eq!(did_you_mean(&["a"]).as_deref(), Some("did you mean a?"));
        assert_eq!(did_you_mean(&["a", "b", "c"]).as_deref(), Some("did you mean a, b or c?"));
    }
}
