//! The move to send if time runs out: searches keep it up to date, and the thread that answers reads it.

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
    /// Moves that were legal in the position of this request and in the one before.
    guesses: [Option<String>; 2],
    /// What the search for a request found, once it is over.
    found: Option<(Ticket, SearchRecord)>,
}

impl Slot {
    /// Says which move is best so far for a request. What concerns an older request is not listened
    /// to.
    pub(super) fn publish(&self, ticket: Ticket, best: String) {
        let mut content = self.content();
        if content.turn_to(ticket) {
            content.guesses[0].get_or_insert_with(|| best.clone());
            content.best = Some(best);
        }
    }

    /// Notes another legal move of a request's position, for guesses.
    pub(super) fn keep_for_guesses(&self, ticket: Ticket, other: String) {
        let mut content = self.content();
        if content.turn_to(ticket) {
            content.guesses[0] = Some(other);
        }
    }

    /// The best move for a request. If even its position is not known yet, a move that was legal an even
    /// number of steps before: where roles take turns, a waiting role has other moves.
    pub(super) fn answer(&self, ticket: Ticket) -> Option<String> {
        let content = self.content();
        if content.ticket == ticket && content.best.is_some() {
            return content.best.clone();
        }
        let [last, before] = &content.guesses;
        let is_odd = ticket.abs_diff(content.ticket) % 2 == 1;
        let (first, second) = if is_odd { (before, last) } else { (last, before) };
        first.clone().or_else(|| second.clone())
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

impl Content {
    /// Goes on to a request; `false` if it is older than the last.
    fn turn_to(&mut self, ticket: Ticket) -> bool {
        // The first request is for the position of the start clock.
        if ticket > self.ticket.max(1) {
            let last = self.guesses[0].take();
            self.guesses[1] = last;
            self.best = None;
        }
        let is_new = ticket >= self.ticket;
        self.ticket = self.ticket.max(ticket);
        is_new
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
        assert_eq!(slot.answer(2).as_deref(), Some("a"), "a guess");
        slot.publish(2, "c".to_owned());
        slot.publish(1, "late".to_owned());
        assert_eq!(slot.answer(2).as_deref(), Some("c"));
    }

    #[test]
    fn guesses_are_moves_of_the_same_turn() {
        let slot = Slot::default();
        slot.publish(0, "mark 1".to_owned());
        slot.publish(1, "mark 1".to_owned());
        slot.keep_for_guesses(1, "mark 2".to_owned());
        slot.publish(2, "noop".to_owned());
        assert_eq!(slot.answer(2).as_deref(), Some("noop"));
        assert_eq!(slot.answer(3).as_deref(), Some("mark 2"));
        assert_eq!(slot.answer(4).as_deref(), Some("noop"));
    }
}
