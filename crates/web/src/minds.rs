//! What agents remember between two moves, bounded: of all matches together so many minds are kept,
//! those that were used last.
//!
//! A mind is a search's tree and what it has learnt, or a planner's knowledge. It belongs to one role of
//! one match and goes with it; the list here knows it weakly, and only to make it forget.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError, Weak};

/// Something remembered that can be forgotten.
pub trait Forget: Send + Sync {
    /// Forgets, unless somebody is thinking with it right now.
    fn forget(&self);

    /// Whether there is nothing to forget.
    fn is_empty(&self) -> bool;
}

/// The minds that are kept, longest unused first.
pub struct Minds {
    most: usize,
    used: Mutex<VecDeque<Weak<dyn Forget>>>,
}

impl std::fmt::Debug for Minds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Minds").field("most", &self.most).finish_non_exhaustive()
    }
}

impl Minds {
    /// Keeps at most so many.
    pub fn new(most: usize) -> Minds {
        Minds { most, used: Mutex::default() }
    }

    fn used_last(&self) -> MutexGuard<'_, VecDeque<Weak<dyn Forget>>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many remember something.
    pub fn len(&self) -> usize {
        let used = self.used_last();
        used.iter().filter_map(Weak::upgrade).filter(|mind| !mind.is_empty()).count()
    }

    /// Somebody has thought with this one. If there are too many now, the longest unused forget; one
    /// that is being thought with comes back here when that is done.
    pub fn used(&self, mind: &Weak<dyn Forget>) {
        let mut used = self.used_last();
        used.retain(|known| {
            !known.ptr_eq(mind) && known.upgrade().is_some_and(|known| !known.is_empty())
        });
        used.push_back(Weak::clone(mind));
        while used.len() > self.most {
            if let Some(oldest) = used.pop_front().and_then(|oldest| oldest.upgrade()) {
                oldest.forget();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[derive(Default)]
    struct Note(AtomicBool);

    impl Forget for Note {
        fn forget(&self) {
            self.0.store(true, Ordering::Relaxed);
        }

        fn is_empty(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn the_longest_unused_forget_first_and_what_is_gone_takes_no_place() {
        let minds = Minds::new(2);
        let notes: Vec<Arc<Note>> = (0..4).map(|_| Arc::default()).collect();
        let weak = |at: usize| -> Weak<dyn Forget> {
            let note: Weak<Note> = Arc::downgrade(&notes[at]);
            note
        };
        for at in [0, 1, 0, 2] {
            minds.used(&weak(at));
        }
        let forgotten = || notes.iter().map(|note| note.is_empty()).collect::<Vec<_>>();
        assert_eq!(forgotten(), [false, true, false, false]);
        notes[2].forget();
        minds.used(&weak(3));
        assert_eq!(forgotten(), [false, true, true, false], "2 took no place any more");
        assert_eq!(minds.len(), 2);
    }
}
