//! Writing XML that is always well-formed: text and attributes are escaped in one place.

use crate::fact::safe;

/// A document in the making.
#[derive(Debug, Default)]
pub(crate) struct Xml {
    text: String,
    open: Vec<&'static str>,
}

/// The longest text or attribute.
const LONGEST: usize = 2_000;

impl Xml {
    /// Opens an element.
    pub fn open(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.start(name, attributes);
        self.text.push('>');
        self.open.push(name);
    }

    /// Closes the element opened last.
    pub fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.text.push_str("</");
            self.text.push_str(name);
            self.text.push('>');
            if self.open.len() < 4 {
                self.text.push('\n');
            }
        }
    }

    /// An element without content.
    pub fn empty(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.start(name, attributes);
        self.text.push_str("/>");
    }

    /// An element with text.
    pub fn leaf(&mut self, name: &'static str, attributes: &[(&str, &str)], text: &str) {
        self.start(name, attributes);
        self.text.push('>');
        escape(text, &mut self.text);
        self.text.push_str("</");
        self.text.push_str(name);
        self.text.push('>');
    }

    /// A style sheet; it is ours and has nothing to escape.
    pub fn style(&mut self, sheet: &str) {
        self.text.push_str("<style>");
        self.text.push_str(sheet);
        self.text.push_str("</style>\n");
    }

    /// The finished document.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    fn start(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.text.push('<');
        self.text.push_str(name);
        for (key, value) in attributes {
            self.text.push(' ');
            self.text.push_str(key);
            self.text.push_str("=\"");
            escape(value, &mut self.text);
            self.text.push('"');
        }
    }
}

fn escape(text: &str, out: &mut String) {
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push_str("&#10;");
        }
        for c in safe(line, LONGEST).chars() {
            match c {
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '&' => out.push_str("&amp;"),
                '"' => out.push_str("&quot;"),
                _ => out.push(c),
            }
        }
    }
}

/// A number as SVG likes it: no more than two decimals.
pub(crate) fn number(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let rounded = (value.clamp(-1e7, 1e7) * 100.0).round() / 100.0;
    // There is no minus zero.
    format!("{}", rounded + 0.0)
}
