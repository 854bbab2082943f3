//! The name that a misspelt one was probably meant to be.

/// The candidate nearest to `name`: one that begins with it or is its beginning, otherwise the one with the
/// fewest changes of letters; of equally near ones the first. Empty if there is none.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> &'a str {
    // Comparing takes the product of the lengths; what a name starts with tells enough.
    let start: String = name.chars().take(64).collect::<String>().to_lowercase();
    candidates
        .into_iter()
        .min_by_key(|candidate| {
            let other = candidate.to_lowercase();
            let part = start.len() > 1 && (other.starts_with(&start) || start.starts_with(&other));
            (!part, strsim::damerau_levenshtein(&start, &other))
        })
        .unwrap_or_default()
}
