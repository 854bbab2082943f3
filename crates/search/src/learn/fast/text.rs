//! Reading the text of facts and moves.

/// The arguments of `(head a b c)`; none for a word without parentheses. Nested terms are one
/// argument each.
pub(super) fn arguments(text: &str) -> Vec<&str> {
    let Some(inner) = text.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let (mut depth, mut start) = (0usize, None);
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if byte.is_ascii_whitespace() && depth == 0 {
            found.extend(start.take().map(|from| &inner[from..at]));
        } else if start.is_none() {
            start = Some(at);
        }
    }
    found.extend(start.map(|from| &inner[from..]));
    if found.is_empty() { found } else { found.split_off(1) }
}

/// The head of `(head a b c)`.
pub(super) fn head(text: &str) -> &str {
    let inner = text.trim().trim_start_matches('(');
    inner.split(|c: char| c.is_whitespace() || c == ')').next().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_found_at_the_top() {
        assert_eq!(arguments("(cell 1 2 (piece white king))"), ["1", "2", "(piece white king)"]);
        assert_eq!(head("(cell 1 2 b)"), "cell");
        assert_eq!(arguments("noop"), [""; 0]);
        assert_eq!(arguments("(noop)"), [""; 0]);
        assert_eq!(head("noop"), "noop");
        assert_eq!(arguments("( f  a )"), ["a"]);
        assert_eq!(arguments("()"), [""; 0]);
    }
}
