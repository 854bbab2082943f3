//! The README and the book: commands print what the pages show, and every command that a page names exists.
//!
//! A block with the language `console` has commands (`$ grove ...`) and their output. A block whose first line
//! is ```` ```lisp file=NAME ```` is the file NAME of the commands behind it.

use std::path::{Path, PathBuf};

use crate::{command, file};

/// One block of code in a page.
struct Block {
    /// The words behind the fence: the language first.
    info: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let (mut found, mut open): (Vec<Block>, Option<Block>) = (Vec::new(), None);
    for line in page.lines() {
        match (open.take(), line.strip_prefix("```")) {
            (None, Some(info)) => open = Some(Block { info: info.to_owned(), text: String::new() }),
            (Some(block), Some(_)) => found.push(block),
            (Some(mut block), None) => {
                block.text += line;
                block.text += "\n";
                open = Some(block);
            }
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

/// Runs the commands of a `console` block; returns their number.
fn run_commands(page: &Path, block: &str) -> usize {
    let mut commands = 0;
    for part in format!("\n{block}").split("\n$ ").skip(1) {
        let (line, expected) = part.split_once('\n').unwrap_or((part, ""));
        let words = words(line.strip_prefix("grove ").expect("a command of grove"));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = command(&words).output().expect("grove runs");
        let printed = String::from_utf8(output.stdout).expect("text");
        let expected: Vec<&str> = expected.lines().collect();
        let lines: Vec<&str> = printed.lines().collect();
        assert!(
            is_shown(&expected, &lines),
            "{}: {line}\nprints\n{printed}\n{}",
            page.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        commands += 1;
    }
    commands
}

/// Runs a page's `console` blocks in their order, with the files that it shows; returns the number of
/// commands.
fn run_page(page: &Path) -> usize {
    let text = std::fs::read_to_string(page).expect("a page");
    let mut commands = 0;
    for block in blocks(&text) {
        let mut info = block.info.split_whitespace();
        let language = info.next();
        if let Some(name) = info.find_map(|word| word.strip_prefix("file=")) {
            file(name, &block.text);
        } else if language == Some("console") {
            commands += run_commands(page, &block.text);
        }
    }
    commands
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages that the book's table of contents lists.
fn pages_of_the_book() -> Vec<PathBuf> {
    let docs = root().join("docs");
    let contents = std::fs::read_to_string(docs.join("SUMMARY.md")).expect("the table of contents");
    let links = contents.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    links.map(|(link, _)| docs.join(link)).collect()
}

#[test]
fn commands_print_what_the_readme_shows() {
    assert!(run_page(&root().join("README.md")) >= 5);
}

#[test]
fn commands_print_what_the_book_shows() {
    let pages = pages_of_the_book();
    let commands: usize = pages.iter().map(|page| run_page(page)).sum();
    assert!(commands >= 15, "{commands} commands in {} pages", pages.len());
}

/// Commands in `sh` blocks are not run, as some serve for ever; but they and their options exist.
#[test]
fn commands_that_pages_name_exist() {
    for page in pages_of_the_book().into_iter().chain([root().join("README.md")]) {
        let text = std::fs::read_to_string(&page).expect("a page");
        let shell = blocks(&text).into_iter().filter(|block| block.info == "sh");
        for line in
            shell.flat_map(|block| block.text.lines().map(str::to_owned).collect::<Vec<_>>())
        {
            let Some(rest) = line.strip_prefix("grove ") else { continue };
            let rest = rest.split(" #").next().unwrap_or_default();
            let words = words(rest);
            let first = words.iter().take_while(|word| !word.starts_with('-'));
            let depth = match words[0].as_str() {
                "experiment" | "games" => 2,
                "help" => continue,
                _ => 1,
            };
            let mut asked: Vec<&str> = first.take(depth).map(String::as_str).collect();
            asked.push("--help");
            let output = command(&asked).output().expect("grove runs");
            assert!(output.status.success(), "{}: {line}", page.display());
            let help = String::from_utf8_lossy(&output.stdout).into_owned();
            for option in words.iter().filter(|word| word.starts_with("--")) {
                let option = option.split('=').next().unwrap_or_default();
                assert!(help.contains(option), "{}: {line}: there is no {option}", page.display());
            }
        }
    }
}

/// Every relative link of a page of the book leads to a file.
#[test]
fn links_of_the_book_lead_somewhere() {
    for page in pages_of_the_book() {
        let text = std::fs::read_to_string(&page).unwrap_or_else(|_| panic!("{}", page.display()));
        let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        for (link, _) in links.filter(|(link, _)| !link.starts_with("http") && !link.contains(' '))
        {
            let target = link.split('#').next().unwrap_or_default();
            let here = page.parent().expect("a folder");
            assert!(here.join(target).exists(), "{}: {link}", page.display());
        }
    }
}
