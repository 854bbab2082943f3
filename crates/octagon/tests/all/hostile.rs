//! Data files with mistakes and data files that mean harm.

use gamegrove_octagon::{Config, Octagon};
use gamegrove_settings::MAX_TEXT;
use proptest::prelude::*;

fn shipped() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/octagon.toml");
    std::fs::read_to_string(path).unwrap()
}

/// The message about the shipped file with `old` replaced by `new`.
fn complaint(old: &str, new: &str) -> String {
    let text = shipped();
    assert!(text.contains(old), "{old}");
    Config::parse(&text.replacen(old, new, 1)).unwrap_err().to_string()
}

#[test]
fn the_shipped_file_is_read() {
    let config = Config::parse(&shipped()).unwrap();
    assert_eq!(config, Config::shipped());
    let rules = config.rules("").unwrap();
    assert_eq!(
        rules.to_string(),
        "board large (half-width 5, reach 7), 70 turns each, stock large (1:unlimited 2:12 4:8 \
         8:4), cannon last_piece, 2-piece opposite, moves weakest"
    );
    for board in config.boards.keys() {
        assert!(Octagon::new(config.rules(board).unwrap()).is_ok());
    }
}

#[test]
fn rules_can_be_written_into_results() {
    let rules = Config::shipped().rules("small, stock=ones_only, cannon=line_shift").unwrap();
    assert_eq!(
        serde_json::to_value(&rules).unwrap(),
        serde_json::json!({
            "board": "small", "half_width": 3, "reach": 4, "turns": 20,
            "stock_name": "ones_only", "stock": ["unlimited", 0, 0, 0],
            "cannon": "line_shift", "two_piece": "opposite", "moves": "weakest",
            "likeness": {"radius": 1, "images": "together"},
        })
    );
}

#[test]
fn mistakes_are_named_with_the_remedy() {
    let line = |word: &str| shipped().lines().position(|line| line.starts_with(word)).unwrap() + 1;
    for (old, new, message) in [
        (
            "\ncannon =",
            "\ncanon =",
            format!(
                "line {}, column 1: unknown key `canon`; did you mean `cannon`?",
                line("cannon")
            ),
        ),
        (
            "\"last_piece\"\n\n",
            "\"last_peace\"\n\n",
            format!(
                "line {}, column 10: `cannon` is \"last_peace\", which is none of \"last_piece\", \
                 \"line_shift\"; did you mean `last_piece`?",
                line("cannon")
            ),
        ),
        (
            "turns = 20",
            "turns = 128",
            format!(
                "line {}, column 9: `boards.small.turns` is 128, but must be a whole number between 1 and 127",
                line("turns = 20")
            ),
        ),
        (
            "turns = 20",
            "turns = -99999999999999999999999999999999999999999999999",
            format!(
                "line {}, column 9: `boards.small.turns` is \
                 -99999999999999999999999999999999999999999999999, but must be a whole number between 1 and 127",
                line("turns = 20")
            ),
        ),
        (
            "turns = 20",
            "turns = \"20\"",
            format!(
                "line {}, column 9: `boards.small.turns` is a string, but must be a whole number between 1 and 127",
                line("turns = 20")
            ),
        ),
        (
            "turns = 20",
            "turns = 20\nturn = 3",
            format!(
                "line {}, column 1: unknown key `boards.small.turn`; did you mean `boards.small.turns`?",
                line("turns = 20") + 1
            ),
        ),
        (
            "reach = 7",
            "reach = 9",
            format!(
                "line {}, column 9: `boards.large.reach` is 9, but must be a whole number between 5 and 8",
                line("reach = 7")
            ),
        ),
        (
            "stock = \"small\"",
            "stock = \"smal\"",
            format!(
                "line {}, column 9: `boards.small.stock` is \"smal\", which is none of \"large\", \
                 \"medium\", \"ones_only\", \"small\", \"unlimited\"; did you mean `small`?",
                line("stock = \"small\"")
            ),
        ),
        (
            "two = 6",
            "two = 255",
            format!(
                "line {}, column 7: `stocks.small.two` is 255, but must be a whole number between 0 and 254",
                line("two = 6")
            ),
        ),
        (
            "two = 6",
            "two = \"infinite\"",
            format!(
                "line {}, column 7: `stocks.small.two` is \"infinite\", which is none of \
                 \"unlimited\"",
                line("two = 6")
            ),
        ),
        (
            "kill = 0.75",
            "kill = 1.5",
            format!(
                "line {}, column 8: `random_player.kill` is 1.5, but must be a number between 0 and 1",
                line("kill")
            ),
        ),
        (
            "kill = 0.75",
            "kill = nan",
            format!(
                "line {}, column 8: `random_player.kill` is nan, but must be a number between 0 and 1",
                line("kill")
            ),
        ),
    ] {
        assert_eq!(complaint(old, new), message);
    }
}

#[test]
fn missing_keys_are_named() {
    assert!(complaint("turns = 20\n", "").ends_with("the key `boards.small.turns` is missing"));
    assert!(complaint("\nmoves = \"weakest\"", "").ends_with("the key `moves` is missing"));
    let empty = Config::parse("").unwrap_err();
    assert_eq!(empty.to_string(), "line 1, column 1: the key `stocks` is missing");
    let no_boards = Config::parse("boards = {}\n[stocks]\n").unwrap_err();
    assert!(no_boards.problem.ends_with("is missing"), "{no_boards}");
}

#[test]
fn one_line_descriptions() {
    let config = Config::shipped();
    assert_eq!(config.rules("  ").unwrap(), config.rules("large").unwrap());
    assert_eq!(config.rules("board = small").unwrap(), config.rules("small,").unwrap());
    for (description, message) in [
        ("smal", "`board` knows no `smal`; there are: large, medium, small; did you mean `small`?"),
        ("small, medium", "`board` of `octagon` is given twice"),
        (
            "moves=every_place",
            "`moves` knows no `every_place`; there are: weakest, each_piece, every_placement; did you \
             mean `every_placement`?",
        ),
        ("stok=large", "`octagon` has no option `stok`; did you mean `stock`?"),
    ] {
        assert_eq!(config.rules(description).unwrap_err().to_string(), message);
    }
}

#[test]
fn harmful_texts_are_refused_quickly() {
    let deep = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    let tables = format!("a = {}", "{a=".repeat(100_000));
    let dotted = format!("{}b = 1", "a.".repeat(100_000));
    let header = format!("[{}b]", "a.".repeat(100_000));
    let long_key = format!("{} = 1\n", "k".repeat(500_000));
    let long_text = "x".repeat(MAX_TEXT + 1);
    let long_name = shipped().replacen("\"large\"", &format!("\"{}\"", "l".repeat(500_000)), 1);
    let zero = "\u{0}\u{feff}\u{202e}".to_owned();
    for text in [deep, tables, dotted, header, long_key, long_text, long_name, zero] {
        let error = Config::parse(&text).unwrap_err();
        assert!(error.line >= 1 && error.column >= 1);
    }
}

proptest! {
    #[test]
    fn no_text_brings_the_reader_down(text in "(?s).{0,300}") {
        let _ = Config::parse(&text);
        let _ = Config::shipped().rules(&text);
    }

    /// Damaging the shipped file at any place gives a config or an error, and what is read can be
    /// played.
    #[test]
    fn damaged_files_are_read_or_refused(at: prop::sample::Index, cut in 0usize..40, put in ".{0,6}") {
        let mut text: Vec<char> = shipped().chars().collect();
        let start = at.index(text.len());
        let end = (start + cut).min(text.len());
        text.splice(start..end, put.chars());
        let text: String = text.into_iter().collect();
        if let Ok(config) = Config::parse(&text) {
            for board in config.boards.keys() {
                // A name with a comma or an equals sign cannot be put into a description.
                if let Ok(rules) = config.rules(board) {
                    prop_assert!(Octagon::new(rules).is_ok());
                }
            }
        }
    }
}
