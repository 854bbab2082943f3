//! What watchers hear, and when.

use std::sync::Arc;

use tokio::sync::watch;

use super::{Match, Play};
use crate::thinking::Insight;

/// The newest of its kind. Shared by all who hear it.
#[derive(Clone, Debug, Default)]
pub struct News(pub Arc<str>);

impl Match {
    /// Tells everybody how the match stands.
    pub(super) fn publish(&self, play: &mut Play) {
        if !play.is_open() {
            play.forget();
        }
        if self.news.receiver_count() > 0 {
            self.send(&self.news, &self.state_of(play));
        } else {
            // Who comes next reads the state afresh.
            self.news.send_replace(News::default());
        }
    }

    /// Tells everybody what a search has found.
    pub(super) fn tell_insight(&self, insight: &Insight) {
        self.send(&self.insight, insight);
    }

    pub(super) fn send(&self, to: &watch::Sender<News>, value: &impl serde::Serialize) {
        if let Ok(text) = serde_json::to_string(value) {
            to.send_replace(News(text.into()));
        }
    }

    /// Somebody listens from now on: to states, and to what searches find.
    pub fn listen(&self) -> (watch::Receiver<News>, watch::Receiver<News>) {
        self.touch();
        (self.news.subscribe(), self.insight.subscribe())
    }
}
