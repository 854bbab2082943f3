//! Places for connections: so many at a time, and one that has not sent its request yet makes room for the
//! next.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::Notify;
use tokio::task::AbortHandle;

/// So many places. Without requests under way a new connection always gets one: the connection that has
/// waited longest without a whole request is closed for it.
#[derive(Clone, Debug)]
pub struct Places(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    most: usize,
    open: Mutex<Open>,
    freed: Notify,
}

#[derive(Debug, Default)]
struct Open {
    count: usize,
    next: u64,
    /// Connections without a whole request, the longest waiting first, and what closes them.
    waiting: BTreeMap<u64, Option<AbortHandle>>,
}

impl Places {
    /// `most` places.
    pub fn new(most: usize) -> Places {
        let (open, freed) = (Mutex::default(), Notify::new());
        Places(Arc::new(Shared { most, open, freed }))
    }

    /// A place for a new connection; waits while requests under way have all of them.
    pub async fn take(&self) -> Place {
        loop {
            let freed = self.0.freed.notified();
            {
                let mut open = self.0.open();
                if open.count < self.0.most {
                    open.count += 1;
                    let number = Mutex::new(Some(open.number()));
                    return Place { shared: Arc::clone(&self.0), number, close: OnceLock::new() };
                }
                open.close_longest_waiting();
            }
            freed.await;
        }
    }

    /// Closes the connection that has waited longest without a whole request, if there is one.
    pub fn close_longest_waiting(&self) {
        self.0.open().close_longest_waiting();
    }
}

impl Shared {
    fn open(&self) -> MutexGuard<'_, Open> {
        // Every change is complete before anything that could panic.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.waiting.insert(self.next, None);
        self.next
    }

    fn close_longest_waiting(&mut self) {
        let first = self.waiting.iter().find(|(_, close)| close.is_some()).map(|(&at, _)| at);
        if let Some(close) = first.and_then(|first| self.waiting.remove(&first)?) {
            close.abort();
        }
    }
}

/// The place of one connection, which at first waits for a request.
#[derive(Debug)]
pub struct Place {
    shared: Arc<Shared>,
    /// Its number among those that wait.
    number: Mutex<Option<u64>>,
    close: OnceLock<AbortHandle>,
}

impl Place {
    /// Serves the connection in a task of its own, which may be closed while it waits.
    pub fn serve<F>(self, work: impl FnOnce(Arc<Place>) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let place = Arc::new(self);
        let held = Arc::clone(&place);
        let work = work(Arc::clone(&place));
        let task = tokio::spawn(async move {
            work.await;
            drop(held);
        });
        let close = place.close.get_or_init(|| task.abort_handle()).clone();
        let number = place.lock();
        let mut open = place.shared.open();
        if let Some(waits) = number.and_then(|number| open.waiting.get_mut(&number)) {
            *waits = Some(close);
        }
    }

    /// Says that a whole request is there: the connection is not closed for others now.
    pub fn has_asked(&self) {
        if let Some(number) = self.lock().take() {
            self.shared.open().waiting.remove(&number);
        }
    }

    /// Says that the request is answered and the connection waits for another one.
    pub fn waits_again(&self) {
        let mut number = self.lock();
        if number.is_none() {
            let mut open = self.shared.open();
            let new = open.number();
            open.waiting.insert(new, self.close.get().cloned());
            *number = Some(new);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<u64>> {
        self.number.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.has_asked();
        self.shared.open().count -= 1;
        self.shared.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    #[tokio::test]
    async fn one_that_waits_longest_makes_room_and_requests_under_way_stay() {
        let places = Places::new(2);
        let mut served = Vec::new();
        for has_asked in [true, false] {
            places.take().await.serve(|place| {
                served.push(Arc::downgrade(&place));
                if has_asked {
                    place.has_asked();
                }
                async move {
                    let _held = place;
                    pending::<()>().await;
                }
            });
        }
        let third = places.take().await;
        let held: Vec<bool> = served.iter().map(|place| place.strong_count() > 0).collect();
        assert_eq!(held, [true, false], "the second had sent nothing");
        // Now the first is answered and waits, longer than any other.
        third.has_asked();
        served[0].upgrade().expect("it is served").waits_again();
        let _fourth = places.take().await;
        assert_eq!(served[0].strong_count(), 0);
    }

    #[tokio::test]
    async fn a_place_is_waited_for_while_all_requests_are_under_way() {
        let places = Places::new(1);
        let first = places.take().await;
        first.has_asked();
        let mut second = Box::pin(places.take());
        let soon = std::time::Duration::from_millis(20);
        assert!(tokio::time::timeout(soon, &mut second).await.is_err());
        drop(first);
        second.await;
    }
}
