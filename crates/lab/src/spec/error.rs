//! Mistakes in an experiment's file: which key, where, and what was probably meant.

use gamegrove_settings::{TextError, did_you_mean, nearest};
use serde::de::DeserializeOwned;
use serde_path_to_error::Segment;
use toml::Spanned;

/// A mistake about a name: `what` is called `name`, which is none of `known`.
pub(super) fn unknown<'n>(
    text: &str,
    name: &Spanned<String>,
    what: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> TextError {
    let hint = did_you_mean(nearest(name.get_ref(), known));
    let problem = format!("no {what} is called \"{}\"{hint}", name.get_ref());
    TextError::at(text, name.span().start, problem)
}

/// Reads a value. Errors name the key in full.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, TextError> {
    let at = |error: &toml::de::Error| error.span().map_or(0, |span| span.start);
    let wrong = |error: &toml::de::Error| TextError::at(text, at(error), error.message());
    let reader = toml::Deserializer::parse(text).map_err(|error| wrong(&error))?;
    serde_path_to_error::deserialize(reader).map_err(|error| {
        let path = full_key(error.path());
        let error = error.inner();
        let message = error.message();
        let problem = match message.strip_prefix("unknown ").map(names_in) {
            Some(names) if message.starts_with("unknown field") => {
                let hint = did_you_mean(nearest(names[0], names[1..].iter().copied()));
                format!("unknown key `{path}`{hint}")
            }
            Some(names) => {
                let hint = did_you_mean(nearest(names[0], names[1..].iter().copied()));
                let known = names[1..].join("\", \"");
                format!("`{path}` is \"{}\", which is none of \"{known}\"{hint}", names[0])
            }
            None if path.is_empty() => message.to_owned(),
            None => format!("`{path}`: {message}"),
        };
        TextError::at(text, at(error), problem)
    })
}

/// The names in backticks of serde's message: the one that is wrong, and those that are known.
fn names_in(message: &str) -> Vec<&str> {
    message.split('`').skip(1).step_by(2).collect()
}

/// The key as people write it: `games[2].budget.clock`.
fn full_key(path: &serde_path_to_error::Path) -> String {
    let mut full = String::new();
    for segment in path {
        match segment {
            // Values whose place is kept are wrapped in a table of toml's own.
            Segment::Map { key } if key.starts_with("$__") => {}
            Segment::Map { key } if full.is_empty() => full.push_str(key),
            Segment::Map { key } => full.push_str(&format!(".{key}")),
            Segment::Seq { index } => full.push_str(&format!("[{index}]")),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    full
}
