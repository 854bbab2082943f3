//! Work spread over threads, with the caller's thread free to show how far it is.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How many threads the machine can run at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Does the parts `0..parts` of some work, each with one of the `workers`, one thread per worker.
///
/// `heard` runs on the caller's thread for every finished part, in the order they finish, and with
/// `None` a few times a second in between. When it breaks, no further part is started.
pub fn spread<W: Send, R: Send>(
    workers: Vec<W>,
    parts: usize,
    work: impl Fn(&mut W, usize) -> R + Sync,
    mut heard: impl FnMut(Option<(usize, R)>) -> ControlFlow<()>,
) {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for mut worker in workers.into_iter().take(parts.max(1)) {
            let (sender, next, stop, work) = (sender.clone(), &next, &stop, &work);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let part = next.fetch_add(1, Ordering::Relaxed);
                    if part >= parts || sender.send((part, work(&mut worker, part))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        loop {
            let flow = match receiver.recv_timeout(Duration::from_millis(200)) {
                Ok(result) => heard(Some(result)),
                Err(RecvTimeoutError::Timeout) => heard(None),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if flow.is_break() {
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_done_once() {
        let mut seen = vec![0; 1000];
        spread(
            vec![(); 3],
            1000,
            |(), part| part * 2,
            |finished| {
                if let Some((part, result)) = finished {
                    assert_eq!(result, part * 2);
                    seen[part] += 1;
                }
                ControlFlow::Continue(())
            },
        );
        assert!(seen.iter().all(|&count| count == 1));
        spread(vec![()], 0, |(), part| part, |_| ControlFlow::Continue(()));
    }

    #[test]
    fn a_break_keeps_further_parts_from_starting() {
        // More parts than any machine could do: that this returns is the proof.
        spread(vec![(); 2], usize::MAX / 2, |(), part| part, |_| ControlFlow::Break(()));
    }
}
