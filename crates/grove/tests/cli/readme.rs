//! The README's blocks: commands print what it says they print.

use std::path::Path;

use crate::{command, file, folder};

/// The blocks of a text that begin with ``` and this word, without the fences.
fn blocks(text: &str, word: &str) -> Vec<String> {
    let (mut found, mut open): (Vec<String>, Option<(bool, String)>) = (Vec::new(), None);
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => open = Some((language == word, String::new())),
            (Some(_), Some(_)) => {
                let closed = open.take().filter(|(wanted, _)| *wanted);
                found.extend(closed.map(|(_, block)| block));
            }
            (Some((_, block)), None) => *block += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    found
}

/// The words of a command line; quotes keep blanks.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// Whether a text is as shown: `...` as a line stands for any lines, at the end of a line for its rest.
fn is_shown(shown: &[&str], printed: &[&str]) -> bool {
    match (shown, printed) {
        ([], rest) => rest.iter().all(|line| line.trim().is_empty()),
        (["...", shown @ ..], _) => {
            (0..=printed.len()).any(|skipped| is_shown(shown, &printed[skipped..]))
        }
        ([first, shown @ ..], [line, printed @ ..]) => {
            let fits = match first.strip_suffix("...") {
                Some(start) => line.starts_with(start.trim_end()),
                None => first.trim_end() == line.trim_end(),
            };
            fits && is_shown(shown, printed)
        }
        _ => false,
    }
}

#[test]
fn commands_print_what_the_readme_shows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(path).expect("the README");
    let [rules] = &blocks(&readme, "")[..] else { panic!("one block without a language") };
    file("sticks.kif", rules);
    let shown = blocks(&readme, "console");
    assert!(shown.len() >= 5, "{}", folder().display());
    for block in shown {
        let (line, expected) = block.split_once('\n').expect("a command and what it prints");
        let words = words(line.strip_prefix("$ grove ").expect("a command of grove"));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = command(&words).output().expect("grove runs");
        let printed = String::from_utf8(output.stdout).expect("text");
        let expected: Vec<&str> = expected.lines().collect();
        let lines: Vec<&str> = printed.lines().collect();
        assert!(is_shown(&expected, &lines), "{line}\nprints\n{printed}");
    }
}
