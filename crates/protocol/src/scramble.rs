//! Other words for the words of a rulesheet, so that a player has nothing to go by but the rules:
//! competitions do this for every player anew.
//!
//! The words of the language and numbers stay (numbers are goal values, and arithmetic that players may
//! know); relations, functions, constants, roles and variables get new names.

use std::borrow::Cow;
use std::sync::LazyLock;

use gamegrove_game::Rng;
use gamegrove_gdl::{Diagnostic, Symbols};
use rustc_hash::FxHashMap;

use crate::wording::Expressions;

/// New words for the words of one rulesheet, and the way back.
#[derive(Clone, Debug)]
pub struct Scrambler {
    hidden: FxHashMap<String, String>,
    revealed: FxHashMap<String, String>,
    rules: String,
}

impl Scrambler {
    /// Finds new words for all that occur in `rules`. Equal seeds give equal words.
    pub fn new(rules: &[u8], rng: &mut Rng) -> Result<Scrambler, Box<Diagnostic>> {
        let read = Expressions::read(rules).map_err(Box::new)?;
        let mut scrambler = Scrambler {
            hidden: FxHashMap::default(),
            revealed: FxHashMap::default(),
            rules: String::new(),
        };
        let mut waiting: Vec<_> = read.tree.top_level().collect();
        while let Some(node) = waiting.pop() {
            match read.word(node) {
                Some(word) if !stays(word) && !scrambler.hidden.contains_key(word) => {
                    let new = scrambler.invent(word, &read.symbols, rng);
                    scrambler.revealed.insert(new.clone(), word.to_owned());
                    scrambler.hidden.insert(word.to_owned(), new);
                }
                Some(_) => {}
                None => waiting.extend(read.tree.children(node)),
            }
        }
        scrambler.rules = read.write_rules(&|word| swap(&scrambler.hidden, word));
        Ok(scrambler)
    }

    /// The rulesheet in the new words, in one line.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// A term in the new words.
    pub fn hide(&self, term: &str) -> String {
        translate(&self.hidden, term).unwrap_or_else(|| term.to_owned())
    }

    /// A term that came back, in the words of the rulesheet; words that are none of the new ones stay
    /// what they are not: unknown.
    pub fn reveal(&self, term: &str) -> String {
        let read = Expressions::read(term.as_bytes());
        let unknown = |word: &str| !stays(word) && !self.revealed.contains_key(word);
        match read {
            Ok(read) => read.write_all(&|word| match unknown(word) {
                true => Cow::Owned(format!("unknown-{word}")),
                false => swap(&self.revealed, word),
            }),
            Err(_) => term.to_owned(),
        }
    }

    /// A word that occurs nowhere, made of syllables so that people can still talk about it.
    fn invent(&self, word: &str, taken: &Symbols, rng: &mut Rng) -> String {
        const CONSONANTS: &[u8] = b"bdfgjklmnprstvwz";
        const VOWELS: &[u8] = b"aeiou";
        let mark = if word.starts_with('?') { "?" } else { "" };
        let mut new = mark.to_owned();
        for syllable in 1u32.. {
            new.push(CONSONANTS[rng.below(CONSONANTS.len())] as char);
            new.push(VOWELS[rng.below(VOWELS.len())] as char);
            let free = taken.find(&new).is_none() && !self.revealed.contains_key(&new);
            if syllable >= 3 && free {
                break;
            }
        }
        new
    }
}

/// Whether a word means the same in every rulesheet.
fn stays(word: &str) -> bool {
    static LANGUAGE: LazyLock<Symbols> = LazyLock::new(Symbols::default);
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    is_number || word == "nil" || LANGUAGE.find(word).is_some()
}

fn swap<'w>(words: &'w FxHashMap<String, String>, word: &'w str) -> Cow<'w, str> {
    Cow::Borrowed(words.get(word).map_or(word, String::as_str))
}

fn translate(words: &FxHashMap<String, String>, term: &str) -> Option<String> {
    let read = Expressions::read(term.as_bytes()).ok()?;
    Some(read.write_all(&|word| swap(words, word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "(role white) (init (cell 1 b)) (<= (legal ?p (mark ?x)) (role ?p) \
                         (true (cell ?x b)) (not (true done))) (<= (goal white 100) terminal)";

    #[test]
    fn words_change_and_come_back() {
        let scrambler = Scrambler::new(RULES.as_bytes(), &mut Rng::new(1)).unwrap();
        let has = |word: &str| scrambler.rules().split(['(', ')', ' ']).any(|other| other == word);
        for word in ["white", "cell", "mark", "done", "?p", "?x"] {
            assert!(!has(word), "{word} in {}", scrambler.rules());
            assert_eq!(scrambler.reveal(&scrambler.hide(word)), word);
        }
        for word in ["role", "init", "<=", "legal", "true", "not", "goal", "100", "terminal"] {
            assert!(has(word), "{word} in {}", scrambler.rules());
        }
        assert_eq!(scrambler.reveal(&scrambler.hide("(mark 1)")), "(mark 1)");
        assert_eq!(translate(&scrambler.revealed, scrambler.rules()).unwrap(), RULES);
    }

    #[test]
    fn an_outer_list_is_left_out() {
        let listed = Scrambler::new(format!("({RULES})").as_bytes(), &mut Rng::new(1)).unwrap();
        assert_eq!(translate(&listed.revealed, listed.rules()).unwrap(), RULES);
    }

    #[test]
    fn the_old_words_mean_nothing_any_more() {
        let scrambler = Scrambler::new(RULES.as_bytes(), &mut Rng::new(1)).unwrap();
        assert_eq!(scrambler.reveal("(mark 1)"), "(unknown-mark 1)");
    }

    #[test]
    fn every_player_gets_words_of_its_own() {
        let rules = |seed| {
            let made = Scrambler::new(RULES.as_bytes(), &mut Rng::stream(7, seed)).unwrap();
            made.rules().to_owned()
        };
        assert_eq!(rules(0), rules(0));
        assert_ne!(rules(0), rules(1));
    }
}
