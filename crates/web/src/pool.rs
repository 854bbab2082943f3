//! A fixed number of threads for work that takes a while, with a queue that cannot grow.
//!
//! Nothing that plays or sets up games runs on the threads that answer requests, so a page is served
//! whatever the games do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

use crate::refusal::{Answer, Refusal};

type Job = Box<dyn FnOnce() + Send>;

/// Threads that do work in the order it comes.
#[derive(Clone, Debug)]
pub struct Pool {
    jobs: SyncSender<Job>,
    waiting: Arc<AtomicUsize>,
    what: &'static str,
}

impl Pool {
    /// `threads` threads, and at most `queue` pieces of work that wait for them. `what` is waited for,
    /// in words.
    pub fn new(what: &'static str, threads: usize, queue: usize) -> std::io::Result<Pool> {
        let (jobs, todo) = sync_channel::<Job>(queue.max(1));
        let todo = Arc::new(Mutex::new(todo));
        for _ in 0..threads.max(1) {
            let todo = Arc::clone(&todo);
            std::thread::Builder::new().name(what.to_owned()).spawn(move || work(&todo))?;
        }
        Ok(Pool { jobs, waiting: Arc::default(), what })
    }

    /// How many pieces of work wait or are under way.
    pub fn load(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Does work some time; refuses if too much waits already.
    pub fn start(&self, job: impl FnOnce() + Send + 'static) -> Answer<()> {
        let counter = Arc::clone(&self.waiting);
        counter.fetch_add(1, Ordering::Relaxed);
        let counted = Counted(counter);
        let job = move || {
            let _counted = counted;
            job();
        };
        self.jobs.try_send(Box::new(job)).map_err(|error| match error {
            TrySendError::Full(_) | TrySendError::Disconnected(_) => {
                Refusal::busy(format!("too many others are waiting for {}", self.what))
            }
        })
    }

    /// Does work and waits for what comes out.
    pub async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Answer<T> {
        let (done, result) = oneshot::channel();
        self.start(move || {
            // The receiver may be gone.
            let _ = done.send(job());
        })?;
        result.await.map_err(|_| Refusal::busy("the work was given up because of a fault in it"))
    }
}

/// Counts down when the work is done or dropped, whatever happens in it.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn work(todo: &Mutex<Receiver<Job>>) {
    loop {
        let next = todo.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // A fault in one game must not take a thread from all others.
        let _ = catch_unwind(AssertUnwindSafe(job));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_is_done_and_faults_stay_where_they_are() {
        let pool = Pool::new("a test", 1, 4).expect("threads");
        assert_eq!(pool.run(|| 7).await.expect("done"), 7);
        assert!(
            pool.run(|| if true {
                panic!("on purpose")
            })
            .await
            .is_err()
        );
        assert_eq!(pool.run(|| 8).await.expect("the thread lives"), 8);
    }

    #[tokio::test]
    async fn more_than_the_queue_holds_is_refused() {
        let pool = Pool::new("a test", 1, 2).expect("threads");
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let (begun, begins) = std::sync::mpsc::channel();
        pool.start(move || {
            let _ = begun.send(());
            let _ = wait.recv();
        })
        .expect("room");
        begins.recv().expect("the first job runs");
        pool.start(|| {}).expect("room");
        pool.start(|| {}).expect("room");
        let refused = pool.start(|| {}).expect_err("no room");
        assert!(refused.error.contains("waiting for a test"), "{}", refused.error);
        assert_eq!(pool.load(), 3);
        go.send(()).expect("somebody waits");
        while pool.load() > 0 {
            tokio::task::yield_now().await;
        }
    }
}
