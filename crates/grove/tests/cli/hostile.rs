//! Input that nobody should write and somebody will.

use std::process::Stdio;

use super::{Run, command, file, grove, grove_with};

/// Checks a rulesheet that is wrong, both ways, and returns the run for people.
fn refused(name: &str, text: impl AsRef<[u8]>) -> Run {
    let name = file(name, text);
    let run = grove(&["check", name]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{name}");
    assert!(run.stdout.len() < 100_000, "{name}: {} bytes", run.stdout.len());
    let json = grove(&["check", name, "--json"]);
    assert_eq!(json.code, Some(1));
    assert_eq!(json.json()[0]["ok"], false);
    for command in [
        &["perft", name, "--depth", "1"][..],
        &["play", name, "--agent", "random"],
        &["bench", name],
    ] {
        let run = grove(command);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{command:?}");
        assert!(run.stderr.len() < 20_000, "{command:?}");
        assert!(run.stderr.contains(&format!("`grove check {name}` shows all")), "{run:?}");
    }
    run
}

#[test]
fn deep_nesting() {
    let text = "(p ".repeat(100_000) + &")".repeat(100_000);
    let run = refused("deep.kif", text);
    assert!(run.stdout.contains("too-deep"), "{run:?}");
}

#[test]
fn a_megabyte_of_parentheses() {
    refused("open.kif", "(".repeat(1 << 20));
    let run = refused("pairs.kif", "()".repeat(1 << 19));
    assert!(run.stdout.contains("findings more"), "{run:?}");
    let run = refused("close.kif", ")".repeat(1 << 20));
    assert!(run.stdout.contains("1 file: 1,001 errors, "), "{run:?}");
}

#[test]
fn bytes_that_are_no_text() {
    let mut state = 1u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(200_000)
    .collect();
    let run = refused("noise.kif", noise);
    assert!(run.stdout.contains("encoding"), "{run:?}");
}

#[test]
fn escape_sequences_do_not_reach_the_terminal() {
    let text =
        "(role \u{1b}[31mred) (init (\u{1b}]0;title\u{7} a)) (legal \u{1b}[31mred go\u{202e})
        (<= terminal (true (b c))) (<= (\u{1b}[2Jp ?x) (not (q ?x)))";
    let run = refused("escapes.kif", text);
    assert!(!run.stdout.contains('\u{1b}') && !run.stdout.contains('\u{202e}'), "{run:?}");
    let playable = text.replace("(<= (\u{1b}[2Jp ?x) (not (q ?x)))", "(goal \u{1b}[31mred 1)");
    let name = file("escapes_playable.kif", playable);
    for args in
        [&["play", name, "--agent", "random", "--step-limit", "2"][..], &["games", "show", name]]
    {
        let run = grove(args);
        let all = run.stdout.clone() + &run.stderr;
        assert!(!all.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{args:?}: {run:?}");
        assert!(all.contains("?[31mred"), "{args:?}: {run:?}");
    }
}

#[test]
fn an_empty_file_cannot_be_played() {
    let name = file("empty.kif", "");
    assert!(grove(&["check", name]).stdout.contains("there are no rules"));
    assert_eq!(grove(&["check", name, "--play", "1"]).code, Some(1));
    for command in [
        &["perft", name, "--depth", "1"][..],
        &["play", name, "--agent", "random"],
        &["bench", name],
    ] {
        let run = grove(command);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{command:?}");
        assert!(run.stderr.contains("empty.kif cannot be played"), "{run:?}");
    }
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let large = vec![b' '; (16 << 20) + 1];
    let run = grove(&["check", file("large.kif", &large)]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("at most 16 MiB"), "{run:?}");
    assert_eq!(grove_with(&["check", "-"], &large).code, Some(2));
    std::fs::remove_file(super::folder().join("large.kif")).expect("it was written above");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let name = file("many.kif", ")".repeat(1 << 16));
    // The report is larger than any pipe, so the write fails for certain.
    let mut child = command(&["check", name, "--json"]).spawn().expect("grove starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("grove ends");
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[test]
fn closed_standard_error_is_no_error() {
    let status = command(&["check", "tron"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .stdin(Stdio::null())
        .status()
        .expect("grove runs");
    assert_eq!(status.code(), Some(0));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_has_an_exit_code_of_its_own() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a full device");
    let output = command(&["games"]).stdout(full).output().expect("grove runs");
    assert_eq!(output.status.code(), Some(3));
    let error = String::from_utf8(output.stderr).expect("text");
    assert!(error.contains("the output could not be written"), "{error}");
}

/// A state of 100,000 facts after one move, each of them with the text of six names of 2,000 letters.
fn name_bomb() -> String {
    let name = |n: usize| format!("{n}{}", "x".repeat(2_000));
    let names: String = (0..10).map(|n| format!("(d {}) ", name(n))).collect();
    format!(
        "(role x) (legal x a) (init (step 0)) {names} (<= terminal (true (done))) (goal x 0)
         (<= (next (f ?a ?b ?c ?d ?e)) (does x a) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e))
         (<= (next ?f) (true ?f))"
    )
}

/// Twice as many facts after each move, without end.
const DOUBLING: &str = "(role x) (legal x a) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x)))
    (<= (next (n (t ?x))) (true (n ?x))) (<= terminal (true (done))) (goal x 0)";

#[test]
#[cfg(target_os = "linux")]
fn rules_that_explode_end_with_a_message_in_bounded_memory() {
    let (bomb, doubling) = (file("name_bomb.kif", name_bomb()), file("doubling.kif", DOUBLING));
    let commands: [(&[&str], i32, &str); 5] = [
        (&["draw", bomb], 0, ""),
        (&["play", bomb, "--agent", "random", "--step-limit", "5"], 1, "the facts of one state"),
        (&["check", "--play", "1", bomb], 0, "the facts of one state"),
        (&["play", doubling, "--agent", "random", "--step-limit", "50"], 1, "the game stopped"),
        (&["check", "--play", "1", doubling], 0, "could not be worked out to its end"),
    ];
    for (arguments, code, said) in commands {
        // Three gigabytes of addresses, of which threads and the program itself take some.
        let mut limited = std::process::Command::new("prlimit");
        limited.args(["--as=3000000000", "--", env!("CARGO_BIN_EXE_grove")]).args(arguments);
        let output = limited.current_dir(super::folder()).stdin(Stdio::null()).output();
        let Ok(output) = output else { return };
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        assert!(text.contains(said), "{arguments:?}: {text}");
    }
}
