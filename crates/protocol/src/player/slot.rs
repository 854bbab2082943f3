//! The move to give if time runs out: kept up to date by whoever knows a better one, read by whoever
//! has to answer.

use std::sync::{Mutex, MutexGuard, PoisonError};

use gamegrove_play::matches::SearchRecord;

/// Numbers the requests for a move within a match.
pub(super) type Ticket = u64;

/// The best answer so far.
#[derive(Debug, Default)]
pub(super) struct Slot(Mutex<Content>);

#[derive(Debug, Default)]
struct Content {
    /// The request that `best` is for.
    ticket: Ticket,
    best: Option<String>,
    /// A move that was legal when the position was last known.
    usual: Option<String>,
    /// What the search for a request found, once it is over.
    found: Option<(Ticket, SearchRecord)>,
}

impl Slot {
    /// Says which move is best so far for a request. What concerns an older request is not listened
    /// to.
    pub(super) fn publish(&self, ticket: Ticket, best: String) {
        let mut content = self.content();
        if ticket >= content.ticket {
            content.ticket = ticket;
            content.usual = Some(best.clone());
            content.best = Some(best);
        }
    }

    /// The best move for a request. If even its position is not known yet, a move that was legal
    /// before: as good as any guess.
    pub(super) fn answer(&self, ticket: Ticket) -> Option<String> {
        let content = self.content();
        let known = content.best.clone().filter(|_| content.ticket == ticket);
        known.or_else(|| content.usual.clone())
    }

    /// Notes what the search for a request found.
    pub(super) fn note(&self, ticket: Ticket, found: SearchRecord) {
        self.content().found = Some((ticket, found));
    }

    /// What the search for a request found, if that was noted.
    pub(super) fn found(&self, ticket: Ticket) -> Option<SearchRecord> {
        let content = self.content();
        content.found.as_ref().filter(|(noted, _)| *noted == ticket).map(|(_, found)| found.clone())
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        // Nothing in here is ever half written.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_for_their_request() {
        let slot = Slot::default();
        assert_eq!(slot.answer(1), None);
        slot.publish(1, "a".to_owned());
        slot.publish(1, "b".to_owned());
        assert_eq!(slot.answer(1).as_deref(), Some("b"));
        assert_eq!(slot.answer(2).as_deref(), Some("b"), "a guess");
        slot.publish(2, "c".to_owned());
        slot.publish(1, "late".to_owned());
        assert_eq!(slot.answer(2).as_deref(), Some("c"));
    }
}
