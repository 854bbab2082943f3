//! The one place that writes to the terminal.
//!
//! With `--json` standard output gets one JSON value and nothing else; what people read then goes
//! to standard error.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use serde::Serialize;

use crate::cli::Colour;
use crate::failure::Result;
use crate::render::Style;
use gamegrove_play::text::tame;

/// Standard output and standard error.
#[derive(Debug)]
pub struct Output {
    stdout: BufWriter<Stdout>,
    json: bool,
    /// Whether people get no report.
    quiet: bool,
    /// How reports for people look.
    pub style: Style,
    /// How messages on standard error look.
    pub error_style: Style,
}

impl Output {
    /// The process's own output; `json` if reports are for tools.
    pub fn new(json: bool, colour: Colour) -> Output {
        let error_style = stream_style(&io::stderr(), colour);
        let style = if json { error_style } else { stream_style(&io::stdout(), colour) };
        Output { stdout: BufWriter::new(io::stdout()), json, quiet: false, style, error_style }
    }

    /// Whether reports are for tools.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// Leaves out what people read if there is a report for tools; messages are still shown.
    pub fn only_json(&mut self) {
        self.quiet = self.json;
    }

    /// Writes a line for people. Names from rulesheets may hold anything: it is made tame.
    pub fn line(&mut self, line: impl Display) -> Result<()> {
        self.text(&format!("{line}\n"))
    }

    /// Writes text for people, made tame.
    pub fn text(&mut self, text: &str) -> Result<()> {
        self.picture(&tame(text))
    }

    /// Writes text for people as it is, colours and all.
    pub fn picture(&mut self, text: &str) -> Result<()> {
        match (self.quiet, self.json) {
            (true, _) => {}
            (false, true) => self.error_picture(text),
            (false, false) => self.stdout.write_all(text.as_bytes())?,
        }
        Ok(())
    }

    /// Writes the report for tools.
    pub fn value(&mut self, value: &impl Serialize) -> Result<()> {
        serde_json::to_writer_pretty(&mut self.stdout, value).map_err(io::Error::from)?;
        writeln!(self.stdout)?;
        Ok(())
    }

    /// Writes one of many reports for tools, in one line.
    pub fn json_line(&mut self, value: &impl Serialize) -> Result<()> {
        serde_json::to_writer(&mut self.stdout, value).map_err(io::Error::from)?;
        writeln!(self.stdout)?;
        Ok(())
    }

    /// Writes a line to standard error, made tame.
    pub fn note(&mut self, line: impl Display) {
        self.error_picture(&tame(&format!("{line}\n")));
    }

    /// Writes text to standard error as it is. There is nobody to tell if that fails.
    pub fn error_picture(&mut self, text: &str) {
        let _ = self.stdout.flush();
        let _ = io::stderr().write_all(text.as_bytes());
    }

    /// Makes everything written so far visible.
    pub fn flush(&mut self) -> Result<()> {
        Ok(self.stdout.flush()?)
    }
}

fn stream_style(stream: &impl IsTerminal, colour: Colour) -> Style {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let terminal = stream.is_terminal();
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let width = terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
    Style {
        colour: match colour {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => terminal && !dumb && !set("NO_COLOR"),
        },
        unicode: terminal && supports_unicode(),
        // Files and pipes get the same lines everywhere.
        width: if terminal { width.clamp(40, 120) } else { 100 },
    }
}

fn supports_unicode() -> bool {
    supports_unicode::on(supports_unicode::Stream::Stdout)
        || supports_unicode::on(supports_unicode::Stream::Stderr)
}

/// Rows of cells in columns.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
    numbers: Vec<bool>,
}

impl Table {
    /// A table with these headings; a column whose heading starts with `>` holds numbers, which
    /// stand to the right.
    pub fn new(headings: &[&str]) -> Table {
        let numbers = headings.iter().map(|heading| heading.starts_with('>')).collect();
        let names = headings.iter().map(|heading| heading.trim_start_matches('>').to_owned());
        Table { rows: vec![names.collect()], numbers }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.numbers.len()).map(width).collect();
        for (index, row) in self.rows.iter().enumerate() {
            let mut line = String::new();
            for ((cell, width), number) in row.iter().zip(&widths).zip(&self.numbers) {
                let padding = " ".repeat(width.saturating_sub(cell.chars().count()));
                let (left, right) = if *number { (&*padding, "") } else { ("", &*padding) };
                line.push_str(&format!("{left}{cell}{right}  "));
            }
            let end = if index + 1 == self.rows.len() { "" } else { "\n" };
            write!(f, "{}{end}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&["name", ">count"]);
        table.row(vec!["ä".to_owned(), "1,000,000".to_owned()]);
        table.row(vec!["chess".to_owned(), "7".to_owned()]);
        assert_eq!(table.to_string(), "name       count\nä      1,000,000\nchess          7");
    }
}
