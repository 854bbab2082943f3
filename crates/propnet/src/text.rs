//! A notation for networks: what tests read and write, and people can check by eye.
//!
//! ```text
//! role player
//! (true (on p)) = base t            one line per component: label = kind inputs
//! t = transition o
//! o = or (does player (turn p)) (true (on p))
//! (does player (turn p)) = input
//! (legal player (turn p)) = legal n
//! n = not (true (on p))
//! init (on p)
//! ; a remark
//! ```
//! A label is a word or a sentence in parentheses. `true` and `false` need no line. Labels of facts,
//! moves and goals say which; gates and transitions may be called anything.

use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use crate::draft::Draft;
use crate::kind::Kind;
use crate::names::NameId;
use crate::network::{Network, NodeId, Part};

/// An error in the text of a network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub struct TextError {
    /// The line, counted from 1.
    pub line: usize,
    /// The error.
    pub what: String,
}

/// The network as text, one component a line in the order of their numbers. Constants that nothing
/// reads are left out.
pub fn print(network: &Network) -> String {
    let mut text = String::new();
    for role in network.roles() {
        let _ = writeln!(text, "role {role}");
    }
    for node in network.nodes() {
        let part = network.part(node);
        if part.kind.is_constant() {
            continue;
        }
        let _ = write!(text, "{} = {}", network.label(node), part.kind);
        for &input in network.inputs(node) {
            let _ = write!(text, " {}", network.label(input));
        }
        text.push('\n');
    }
    let initial = network.bases().iter().filter(|&&base| network.part(base).initial);
    for &base in initial {
        let name = network.names().get(network.part(base).name).unwrap_or("?");
        let _ = writeln!(text, "init {name}");
    }
    for &fact in network.fixed_facts() {
        let _ = writeln!(text, "; always {}", network.names().get(fact).unwrap_or("?"));
    }
    text
}

/// Reads the notation.
pub fn parse(text: &str) -> Result<Draft, TextError> {
    let mut reader = Reader::default();
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let error = |what: String| TextError { line: at + 1, what };
        let words = split(line).map_err(error)?;
        match words.as_slice() {
            [] => {}
            ["role", role] => reader.draft.roles.push((*role).to_owned()),
            ["init", fact] => _ = reader.initial.insert((*fact).to_owned()),
            [label, "=", kind, inputs @ ..] => {
                let inputs = inputs.iter().map(|&word| word.to_owned()).collect();
                reader.declare(label, kind).map_err(error)?;
                lines.push((at + 1, inputs));
            }
            _ => return Err(error(format!("expected `label = kind inputs`, found `{line}`"))),
        }
    }
    reader.finish(lines)
}

#[derive(Default)]
struct Reader {
    draft: Draft,
    initial: FxHashSet<String>,
    nodes: FxHashMap<String, NodeId>,
    names: FxHashMap<String, NameId>,
    parts: Vec<Part>,
}

impl Reader {
    fn declare(&mut self, label: &str, kind: &str) -> Result<(), String> {
        let kind = Kind::ALL.into_iter().find(|known| known.word() == kind).ok_or_else(|| {
            let known: Vec<&str> = Kind::ALL.iter().map(|kind| kind.word()).collect();
            format!("`{kind}` is not a kind of component; the kinds are {}", known.join(", "))
        })?;
        let node = NodeId(2 + self.parts.len() as u32);
        if self.nodes.insert(label.to_owned(), node).is_some() {
            return Err(format!("`{label}` is there twice"));
        }
        let inner = label.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let words = inner.map_or(Ok(Vec::new()), split)?;
        let part = Part::new(kind);
        let part = match (kind, words.as_slice()) {
            (Kind::Base, ["true", fact]) => part.named(self.name(fact)),
            (Kind::Input, ["does", role, name])
            | (Kind::Legal, ["legal", role, name])
            | (Kind::Goal, ["goal", role, name]) => {
                let number = self.draft.roles.iter().position(|known| known == role);
                let number = number.ok_or_else(|| format!("there is no role `{role}`"))?;
                part.of_role(number as u8).named(self.name(name))
            }
            (Kind::Base | Kind::Input | Kind::Legal | Kind::Goal, _) => {
                return Err(format!("`{label}` is not a name for the kind {kind}"));
            }
            (Kind::Terminal | Kind::True | Kind::False, _) => part,
            _ => part.named(self.name(label)),
        };
        self.parts.push(part);
        Ok(())
    }

    fn name(&mut self, name: &str) -> NameId {
        let names = &mut self.draft.names;
        *self.names.entry(name.to_owned()).or_insert_with(|| names.add(|text| *text += name))
    }

    fn finish(mut self, lines: Vec<(usize, Vec<String>)>) -> Result<Draft, TextError> {
        self.draft.add(Part::new(Kind::True), []);
        self.draft.add(Part::new(Kind::False), []);
        for (part, (line, inputs)) in self.parts.iter_mut().zip(lines) {
            let name = self.draft.names.get(part.name);
            part.initial =
                part.kind == Kind::Base && name.is_some_and(|name| self.initial.contains(name));
            let mut list = Vec::with_capacity(inputs.len());
            for label in inputs {
                let known = self.nodes.get(&label).copied();
                let node = known.or(match label.as_str() {
                    "true" => Some(NodeId::TRUE),
                    "false" => Some(NodeId::FALSE),
                    _ => None,
                });
                let what = || TextError { line, what: format!("there is no component `{label}`") };
                list.push(node.ok_or_else(what)?);
            }
            self.draft.add(*part, list);
        }
        Ok(self.draft)
    }
}

/// The words of a line; what stands in parentheses is one word.
fn split(line: &str) -> Result<Vec<&str>, String> {
    let (mut words, mut depth, mut start) = (Vec::new(), 0u32, None);
    for (at, letter) in line.char_indices() {
        if depth == 0 && (letter.is_whitespace() || letter == ';') {
            words.extend(start.take().map(|start| &line[start..at]));
            if letter == ';' {
                return Ok(words);
            }
            continue;
        }
        start.get_or_insert(at);
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).ok_or("a `)` without its `(`")?,
            _ => {}
        }
    }
    if depth > 0 {
        return Err("a `(` without its `)`".to_owned());
    }
    words.extend(start.map(|start| &line[start..]));
    Ok(words)
}
