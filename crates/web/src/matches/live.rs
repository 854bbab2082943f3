//! What watchers hear, and when.

use std::sync::Arc;

use tokio::sync::watch;

use super::{Match, Play};
use crate::thinking::Insight;

/// The newest value of its kind, shared by all streams.
#[derive(Clone, Debug, Default)]
pub struct News(pub Arc<str>);

impl Match {
    /// Sends the state of the match to all streams.
    pub(super) fn publish(&self, play: &mut Play) {
        if !play.is_open() {
            play.forget();
        }
        if self.news.receiver_count() > 0 {
            self.send(&self.news, &self.state_of(play));
        } else {
            // The next reader computes the state afresh.
            self.news.send_replace(News::default());
        }
    }

    /// Sends the findings of a search to all streams.
    pub(super) fn tell_insight(&self, insight: &Insight) {
        self.send(&self.insight, insight);
    }

    pub(super) fn send(&self, to: &watch::Sender<News>, value: &impl serde::Serialize) {
        if let Ok(text) = serde_json::to_string(value) {
            to.send_replace(News(text.into()));
        }
    }

    /// Opens two streams: states, and findings of searches.
    pub fn listen(&self) -> (watch::Receiver<News>, watch::Receiver<News>) {
        self.touch();
        (self.news.subscribe(), self.insight.subscribe())
    }
}
