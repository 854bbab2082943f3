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
