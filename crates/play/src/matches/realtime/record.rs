//! The record of a game in real time. `grove trace` reads it as a file of actions and `grove watch`
//! shows it again: seed and moves are all a game depends on.

use serde::{Deserialize, Serialize};

use crate::matches::record::Ending;

/// One game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RealTimeRecord {
    /// The game.
    pub game: String,
    /// The level's number, if it has one.
    #[serde(default)]
    pub level: Option<usize>,
    /// The level's name.
    #[serde(default)]
    pub level_name: String,
    /// What the game's chance depended on.
    pub seed: u64,
    /// The names of the roles.
    pub roles: Vec<String>,
    /// Who played each role.
    pub players: Vec<String>,
    /// Ticks played.
    pub ticks: u32,
    /// How it ended.
    #[serde(with = "words")]
    pub ending: Ending,
    /// The points of each role.
    pub scores: Vec<f64>,
    /// Whether each role has won; nothing for those who have neither won nor lost.
    pub won: Vec<Option<bool>>,
    /// Late answers of each role.
    #[serde(default)]
    pub late: Vec<u32>,
    /// The tick in which a role was put out of the game.
    #[serde(default)]
    pub disqualified: Vec<Option<u32>>,
    /// The median over ticks of each role's iterations; nothing for players that do not search.
    #[serde(default)]
    pub iterations: Vec<Option<f64>>,
    /// The longest decision of each role, in milliseconds.
    #[serde(default)]
    pub slowest_ms: Vec<f64>,
    /// What each role did, tick by tick.
    pub moves: Vec<Vec<String>>,
}

/// The words that records of games in real time have for endings.
mod words {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Ending;

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Word {
        TickLimit,
        Left,
        #[serde(untagged)]
        Other(Ending),
    }

    pub fn serialize<S: Serializer>(ending: &Ending, to: S) -> Result<S::Ok, S::Error> {
        match ending {
            Ending::StepLimit => Word::TickLimit,
            Ending::Stopped => Word::Left,
            other => Word::Other(*other),
        }
        .serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Ending, D::Error> {
        Ok(match Word::deserialize(from)? {
            Word::TickLimit => Ending::StepLimit,
            Word::Left => Ending::Stopped,
            Word::Other(ending) => ending,
        })
    }
}

/// The median of some numbers.
pub(crate) fn median(numbers: &mut [f64]) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => None,
        count if count % 2 == 1 => Some(numbers[middle]),
        _ => Some((numbers[middle - 1] + numbers[middle]) / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_keep_the_words_of_older_records() {
        #[derive(Serialize, Deserialize, PartialEq, Debug)]
        struct Line(#[serde(with = "words")] Ending);
        for (ending, word) in [
            (Ending::Terminal, "terminal"),
            (Ending::StepLimit, "tick-limit"),
            (Ending::Disqualified, "disqualified"),
            (Ending::Fault, "fault"),
            (Ending::Stopped, "left"),
        ] {
            let text = serde_json::to_string(&Line(ending)).expect("JSON");
            assert_eq!(text, format!("\"{word}\""));
            assert_eq!(
                serde_json::from_str::<Line>(&text).expect("it was just written"),
                Line(ending)
            );
        }
    }
}
