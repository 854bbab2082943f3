//! The facts of a state as numbered features.

use std::sync::Arc;

use gamegrove_game::{FeatureNames, Features, Move, Role};

use super::vocabulary::Vocabulary;
use super::{FactSet, Shared};
use crate::term::TermId;

/// The facts of a state as features; a fact's number is that of its term.
pub(super) struct FactFeatures {
    pub(super) shared: Arc<Shared>,
    pub(super) words: Vocabulary,
}

impl FactFeatures {
    fn text(&mut self, term: TermId) -> String {
        self.words.learn(term);
        self.shared.program.term_text(self.words.terms(), term)
    }
}

impl FeatureNames for FactFeatures {
    fn feature_name(&mut self, feature: u32) -> String {
        self.text(TermId(feature))
    }

    fn move_name(&mut self, role: Role, mov: Move) -> String {
        self.words.move_term(role, mov).map_or("?".to_owned(), |term| self.text(term))
    }
}

impl Features<FactSet> for FactFeatures {
    fn read(&mut self, state: &FactSet, features: &mut Vec<u32>) {
        features.clear();
        features.extend(state.facts().iter().map(|fact| fact.0));
    }
}
