//! A rulesheet while it is written: header, sections, facts in lines of even width, rules.

use std::fmt::Write;

/// Characters in a line.
const WIDTH: usize = 120;

/// The words of the header start here.
const INDENT: usize = 13;

/// A rulesheet.
#[derive(Debug)]
pub(crate) struct Sheet {
    text: String,
}

impl Sheet {
    /// An empty sheet with a title.
    pub fn new(title: &str) -> Sheet {
        Sheet { text: format!(";;; {title}\n;;;\n") }
    }

    /// An entry of the header: Rules, Players, End, Goals, Source.
    pub fn entry(&mut self, name: &str, words: &str) {
        let first = format!(";;; {name:<9}");
        self.wrapped(&first, &format!("{:INDENT$}", ";;;"), words);
    }

    /// A picture in the header, below the words of an entry.
    pub fn picture<S: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = S>) {
        self.text += ";;;\n";
        for line in lines {
            let line = format!("{:width$}{}", ";;;", line.as_ref(), width = INDENT + 4);
            let _ = writeln!(self.text, "{}", line.trim_end());
        }
        self.text += ";;;\n";
    }

    /// The last paragraph of the header.
    pub fn note(&mut self, words: &str) {
        self.text += ";;;\n";
        self.wrapped(";;; ", ";;; ", words);
    }

    /// The start of a section.
    pub fn section(&mut self, name: &str) {
        let start = format!(";; ---- {name} ");
        let rule = "-".repeat(WIDTH.saturating_sub(start.len()));
        let _ = writeln!(self.text, "\n{start}{rule}");
    }

    /// A comment in a paragraph of its own; what it is about follows.
    pub fn comment(&mut self, words: &str) {
        self.text.push('\n');
        self.wrapped(";; ", ";; ", words);
    }

    /// A paragraph of facts, several in a line.
    pub fn facts<S: Into<String>>(&mut self, facts: impl IntoIterator<Item = S>) {
        let mut line = String::new();
        for fact in facts.into_iter().map(Into::into) {
            if !line.is_empty() && line.len() + 1 + fact.len() > WIDTH {
                let _ = writeln!(self.text, "{line}");
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line += &fact;
        }
        if !line.is_empty() {
            let _ = writeln!(self.text, "{line}");
        }
    }

    /// An empty line, then a paragraph of facts.
    pub fn more_facts<S: Into<String>>(&mut self, facts: impl IntoIterator<Item = S>) {
        self.text.push('\n');
        self.facts(facts);
    }

    /// Rules as they are, after an empty line.
    pub fn rules(&mut self, rules: &str) {
        let _ = writeln!(self.text, "\n{}", rules.trim_matches('\n'));
    }

    /// The whole text.
    pub fn finish(self) -> String {
        self.text
    }

    fn wrapped(&mut self, first: &str, others: &str, words: &str) {
        let mut line = first.to_owned();
        let mut empty = true;
        for word in words.split_whitespace() {
            if !empty && line.len() + 1 + word.len() > WIDTH {
                let _ = writeln!(self.text, "{line}");
                others.clone_into(&mut line);
                empty = true;
            }
            if !empty {
                line.push(' ');
            }
            line += word;
            empty = false;
        }
        let _ = writeln!(self.text, "{line}");
    }
}

/// `(name from from+1)`, and so on up to `(name to-1 to)`.
pub(crate) fn successors(name: &str, from: u32, to: u32) -> Vec<String> {
    (from..to).map(|n| format!("({name} {n} {})", n + 1)).collect()
}

/// `(name from)`, and so on up to `(name to)`.
pub(crate) fn each(name: &str, from: u32, to: u32) -> Vec<String> {
    (from..=to).map(|n| format!("({name} {n})")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_even_width() {
        let mut sheet = Sheet::new("Title");
        sheet.entry("Rules", &"word ".repeat(50));
        sheet.picture(["a b"]);
        sheet.note("Facts.");
        sheet.section("The board");
        sheet.more_facts(successors("after", 0, 60));
        sheet.rules("\n(p a)\n");
        let text = sheet.finish();
        assert!(text.starts_with(";;; Title\n;;;\n;;; Rules    word word"), "{text}");
        assert!(text.contains("\n;;;              a b\n;;;\n;;;\n;;; Facts.\n"), "{text}");
        assert!(text.contains("(after 59 60)\n\n(p a)\n"), "{text}");
        assert!(text.lines().all(|line| line.len() <= WIDTH && line.trim_end() == line), "{text}");
        assert_eq!(each("n", 1, 3), ["(n 1)", "(n 2)", "(n 3)"]);
    }
}
