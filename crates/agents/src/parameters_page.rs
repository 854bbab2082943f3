//! The page of all parameters in the book, made from their records.

use std::fmt::Write as _;

use gamegrove_families::FAMILIES;
use gamegrove_settings::Parameter;

use crate::parts::{PartRecord, parts};

const HEAD: &str = "# Parameters

All options of agents and of families of games, made from the records that also read them. The values of an option \
stand under its name: `playout=mast` has the options of the section `playout=mast`. `UPDATE_DOCS=1 cargo test -p \
gamegrove-agents parameters_page` makes this page anew.

Options that exclude each other are refused if both are given; a default gives way to what is given.
";

fn page() -> String {
    let mut page = HEAD.to_owned();
    let mut of = "";
    for PartRecord { of: key, name, sentence, source, parameters } in parts() {
        if key != of {
            let _ = match key {
                "agent" => write!(page, "\n## Kinds of agents\n"),
                key => write!(page, "\n## Values of `{key}`\n"),
            };
            of = key;
        }
        let place = if key == "agent" { String::new() } else { format!("{key}=") };
        section(&mut page, &format!("{place}{name}"), sentence, source, parameters);
    }
    page.push_str("\n## Families of games\n\n`grove games make FAMILY` writes a rulesheet; each option is `--NAME VALUE`.\n");
    for family in FAMILIES {
        section(&mut page, family.name, family.summary, "", family.parameters);
    }
    page
}

fn section(page: &mut String, name: &str, sentence: &str, source: &str, parameters: &[Parameter]) {
    let source = if source.is_empty() { String::new() } else { format!(" Source: {source}.") };
    let _ = write!(page, "\n### `{name}`\n\n{}.{source}\n", capital(sentence));
    if parameters.is_empty() {
        return;
    }
    page.push_str("\n| option | value | default | meaning |\n|---|---|---|---|\n");
    for parameter in parameters {
        let mut meaning = capital(parameter.sentence);
        let excluded: Vec<String> = parameter
            .conflicts
            .iter()
            .map(|conflict| format!("`{}`", conflict.excluded()))
            .collect();
        if !excluded.is_empty() {
            let _ = write!(meaning, "; excludes {}", excluded.join(", "));
        }
        if !parameter.source.is_empty() {
            let _ = write!(meaning, " ({})", parameter.source);
        }
        let row = [
            format!("`{}`", parameter.name),
            parameter.wanted(),
            format!("`{}`", parameter.default_text()),
            meaning,
        ];
        let _ = writeln!(page, "| {} |", row.map(|cell| cell.replace('|', "\\|")).join(" | "));
    }
}

fn capital(text: &str) -> String {
    let text = text.trim_end_matches('.');
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[test]
fn parameters_page_shows_the_records() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/parameters.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, page()).expect("docs can be written");
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    let remedy =
        "`UPDATE_DOCS=1 cargo test -p gamegrove-agents parameters_page` makes the page anew";
    assert!(written == page(), "docs/parameters.md differs from the records: {remedy}");
    assert!(page().matches("\n### ").count() > 50 && page().matches("\n| `").count() > 150);
}
