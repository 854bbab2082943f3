//! What tests over the public rulesheets share.

pub mod sketch;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use gamegrove_testdata::{files_below, shared};

/// Runs a check on the text of every public rulesheet, two at a time. A check says whether it could
/// be made, or what is wrong; at least `least` must be made.
pub fn check_rulesheets(least: usize, check: impl Fn(&[u8]) -> Result<bool, String> + Sync) {
    let Some(corpus) = shared("corpus/gdl") else { return };
    let files = files_below(&corpus, "kif");
    let (turn, made, wrong) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) = files.get(turn.fetch_add(1, Ordering::Relaxed)) {
                    let text = std::fs::read(path).expect("a readable rulesheet");
                    match check(&text) {
                        Ok(done) => {
                            made.fetch_add(usize::from(done), Ordering::Relaxed);
                        }
                        Err(what) => {
                            let found = format!("{}: {what:.500}", path.display());
                            wrong.lock().expect("no thread panics").push(found);
                        }
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no thread panics");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let made = made.into_inner();
    assert!(made >= least, "only {made} of {} rulesheets were checked", files.len());
}
