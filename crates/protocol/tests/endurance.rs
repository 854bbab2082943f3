//! A thousand matches one after another on one player: memory and threads stay what they are. Alone in
//! its file, because it looks at the whole process.

mod support;

use support::{config, say, serve};

/// A number from the system's page about this process, where there is one.
fn about_process(key: &str) -> Option<u64> {
    let page = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = page.lines().find(|line| line.starts_with(key))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn a_thousand_matches_leave_nothing_behind() {
    // Long enough to build a network and to search in every step.
    let player = serve(config("mcts"));
    let rules = "(role a) (role b) (init (left 2)) (succ 0 1) (succ 1 2) \
                 (<= (legal ?p (take ?n)) (role ?p) (true (left ?m)) (succ ?n ?m)) \
                 (<= (legal ?p pass) (role ?p)) (<= (next (left ?n)) (true (left ?m)) (succ ?n ?m)) \
                 (<= terminal (true (left 0))) (goal a 50) (<= (goal b 100) (true (left 0)))";
    let play = |number: usize| {
        let start = format!("( START m{number} a ( {rules} ) 0.004 0.004 )");
        assert_eq!(say(player, &start), "ready");
        let first = say(player, &format!("( PLAY m{number} NIL )"));
        assert!(first == "( take 1 )" || first == "pass", "{first}");
        let second = say(player, &format!("( PLAY m{number} ( {first} pass ) )"));
        assert!(second == "( take 0 )" || second == "pass", "{second}");
        let stop = format!("( STOP m{number} ( {second} pass ) )");
        assert_eq!(say(player, &stop), "done");
    };
    (0..200).for_each(play);
    let (memory, threads) = (about_process("VmRSS:"), about_process("Threads:"));
    (200..1000).for_each(play);
    if let (Some(before), Some(after)) = (memory, about_process("VmRSS:")) {
        // In KiB. A match that left its rules behind would cost more than 50 of them.
        assert!(after < before + 16 * 1024, "{before} KiB before, {after} KiB after");
    }
    if let (Some(before), Some(after)) = (threads, about_process("Threads:")) {
        assert!(after <= before + 8, "{before} threads before, {after} after");
    }
}
