//! What is known about a shipped game beside its rules: the file `NAME.toml` next to `NAME.kif`.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What a metadata file says.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    /// The first line of the rulesheet.
    pub title: String,
    /// Words for what kind of game it is, beside the number of players and whether they take turns,
    /// which the rulesheet says itself.
    pub tags: Vec<String>,
    /// The works that use it, with section or table.
    pub source: Vec<String>,
    /// Steps of a typical random game.
    pub length: u32,
    /// The public rulesheet that is the same game: a key of the index of the shared corpus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin: Option<String>,
    /// The one difference from the twin and its reason; without it both are equal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin_difference: Option<String>,
    /// Whether states before the end have the twin's goals too; if not said, yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin_running_goals: Option<bool>,
    /// The arguments of `grove games make` that write the rulesheet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_by: Option<String>,
    /// How the board is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<toml::Table>,
}

/// A metadata file that cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MetadataError {
    /// No TOML, a key too many or missing, or a value of the wrong type.
    #[error("{0}")]
    Text(#[from] toml::de::Error),
    /// A value that means nothing.
    #[error("`{key}` {problem}")]
    Value {
        /// The key.
        key: &'static str,
        /// What is wrong with its value, with the remedy.
        problem: String,
    },
}

impl Metadata {
    /// Reads a metadata file.
    pub fn read(text: &str) -> Result<Metadata, MetadataError> {
        let metadata: Metadata = toml::from_str(text)?;
        metadata.validate().map(|()| metadata)
    }

    fn validate(&self) -> Result<(), MetadataError> {
        let wrong =
            |key, problem: &str| Err(MetadataError::Value { key, problem: problem.to_owned() });
        if self.title.trim().is_empty() {
            return wrong("title", "is empty; repeat the first line of the rulesheet");
        }
        if let Some(tag) = self.tags.iter().find(|tag| !is_tag(tag)) {
            let problem = format!("has \"{tag}\"; write tags like \"chess-like\"");
            return wrong("tags", &problem);
        }
        if self.source.is_empty() || self.source.iter().any(|source| source.trim().is_empty()) {
            return wrong("source", "is empty; name the work and its section or table");
        }
        if self.length == 0 {
            return wrong("length", "is 0; give the steps of a typical random game");
        }
        if self.twin_difference.as_ref().is_some_and(|text| text.trim().is_empty()) {
            return wrong("twin_difference", "is empty; name the difference and its reason");
        }
        if self.twin.is_none() && self.twin_difference.is_some() {
            return wrong("twin_difference", "needs `twin`, the rulesheet it is a difference from");
        }
        if self.twin.is_none() && self.twin_running_goals.is_some() {
            return wrong("twin_running_goals", "needs `twin`, the rulesheet it speaks of");
        }
        Ok(())
    }

    /// The twin, if the game is said to equal it.
    pub fn equal_twin(&self) -> Option<&str> {
        self.twin.as_deref().filter(|_| self.twin_difference.is_none())
    }
}

/// Tags are words of small letters, joined by hyphens.
fn is_tag(tag: &str) -> bool {
    !tag.is_empty()
        && tag.split('-').all(|word| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str =
        "title = \"T\"\ntags = [\"race\"]\nsource = [\"a work, table 1\"]\nlength = 7\n";

    fn problem(text: &str) -> String {
        Metadata::read(text).expect_err(text).to_string()
    }

    #[test]
    fn every_key_is_read() {
        let more =
            "twin = \"public/t/t.kif\"\ntwin_running_goals = false\n[board]\nshape = \"x\"\n";
        let metadata = Metadata::read(&format!("{GOOD}{more}")).expect("good metadata");
        assert_eq!((metadata.title.as_str(), metadata.length), ("T", 7));
        assert_eq!(metadata.equal_twin(), Some("public/t/t.kif"));
        assert_eq!(metadata.twin_running_goals, Some(false));
        assert!(metadata.board.is_some_and(|board| board.contains_key("shape")));
        assert_eq!(Metadata::read(GOOD).expect("good metadata").equal_twin(), None);
    }

    #[test]
    fn mistakes_name_the_key() {
        assert!(problem(&GOOD.replace("title", "titel")).contains("unknown field `titel`"));
        assert!(problem("title = \"T\"\n").contains("missing field `tags`"));
        assert!(problem(&GOOD.replace('7', "\"7\"")).contains("length"));
        assert!(problem(&GOOD.replace('7', "0")).contains("`length` is 0"));
        assert!(problem(&GOOD.replace("\"T\"", "\"\"")).contains("`title` is empty"));
        assert!(problem(&GOOD.replace("race", "A race")).contains("`tags` has \"A race\""));
        assert!(problem(&GOOD.replace("\"a work, table 1\"", "")).contains("`source` is empty"));
        let lonely = format!("{GOOD}twin_difference = \"no twin\"\n");
        assert!(problem(&lonely).contains("`twin_difference` needs `twin`"));
        assert!(problem("title = ").contains("line 1"));
    }
}
