//! How far long work has come, on standard error. Work that is done soon shows nothing, and so does
//! work nobody watches.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often the time left is shown anew.
const TICK: Duration = Duration::from_millis(200);

/// The progress of one piece of work; taken off the screen when dropped.
#[derive(Debug)]
pub struct Progress {
    /// When the command started, which may be before this piece of work did.
    since: Instant,
    started: Instant,
    watched: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// The progress of work that starts now, in a command that started at `since`.
    pub fn new(since: Instant) -> Progress {
        Progress { since, started: Instant::now(), watched: stderr().is_terminal(), bar: None }
    }

    /// Shows that `done` of `total` parts are done; `total` 0 if nobody knows how many there are.
    pub fn show(&mut self, done: u64, total: u64, what: &str) {
        let left = time_left(self.started.elapsed(), done, total);
        self.show_with(done, total, what, left);
    }

    /// As [`show`](Progress::show), with a time that is known better than from the speed so far.
    pub fn show_with(&mut self, done: u64, total: u64, what: &str, left: Option<Duration>) {
        if !self.watched || self.since.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let (bar, template) = match total {
                0 => (ProgressBar::no_length(), "{spinner} {msg}"),
                n => (ProgressBar::new(n), "{wide_msg} [{bar:30}] {percent:>3} %"),
            };
            bar.set_draw_target(ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar
        });
        bar.set_position(done);
        bar.set_message(match left {
            Some(left) => format!("{what}, about {} left", HumanDuration(left)),
            None => what.to_owned(),
        });
        bar.tick();
    }
}

/// Does `work` that takes so much time, and shows meanwhile how much of it is left.
pub fn while_working<T>(since: Instant, time: Duration, what: &str, work: impl FnOnce() -> T) -> T {
    let mut progress = Progress::new(since);
    if !progress.watched {
        return work();
    }
    let (finished, waiting) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // It ends as soon as the other side is gone.
            while waiting.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let gone = progress.started.elapsed().min(time);
                let [done, total] = [gone, time].map(|time| time.as_millis() as u64);
                progress.show_with(done, total.max(1), what, Some(time - gone));
            }
        });
        let done = work();
        drop(finished);
        done
    })
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The time that the rest takes at the speed so far.
fn time_left(gone: Duration, done: u64, total: u64) -> Option<Duration> {
    if done == 0 || total == 0 {
        return None;
    }
    let rest = total.saturating_sub(done) as f64 / done as f64;
    Duration::try_from_secs_f64(gone.as_secs_f64() * rest).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_as_slow_as_the_start() {
        let gone = Duration::from_secs(6);
        assert_eq!(time_left(gone, 3, 4), Some(Duration::from_secs(2)));
        assert_eq!(time_left(gone, 0, 4), None);
        assert_eq!(time_left(gone, 9, 4), Some(Duration::ZERO));
    }
}
