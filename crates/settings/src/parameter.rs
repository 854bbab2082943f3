//! Parameters: one record each.

use crate::conflict::Conflict;

/// What a parameter is: the one record from which settings, help and tuners are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The key in settings.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub sentence: &'static str,
    /// The kind of number.
    pub kind: Kind,
    /// The least value.
    pub least: f64,
    /// The greatest value; may be infinite.
    pub greatest: f64,
    /// The value if none is given.
    pub default: f64,
    /// The values a discrete tuner chooses among; empty if it is not tuned.
    pub domain: &'static [f64],
    /// Where the default comes from, if that is not the source of the strategy.
    pub source: &'static str,
    /// The settings that it cannot stand beside.
    pub conflicts: &'static [Conflict],
}

/// The kind of number a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any number between the bounds.
    Real,
    /// A whole number between the bounds, or infinity where that is the upper bound.
    Whole,
    /// `true` or `false`, as 1 or 0.
    Flag,
    /// One of these words; the first is the default.
    Word(&'static [&'static str]),
    /// The name of a strategy, with options of its own; this one if none is given.
    Part(&'static str),
    /// A text that the reading code checks.
    Text {
        /// What can be written.
        form: &'static str,
        /// What it is if nothing is given.
        default: &'static str,
    },
}

impl Parameter {
    const fn new(name: &'static str, kind: Kind, sentence: &'static str) -> Parameter {
        let (least, greatest, default) = (0.0, 0.0, 0.0);
        Parameter {
            name,
            sentence,
            kind,
            least,
            greatest,
            default,
            domain: &[],
            source: "",
            conflicts: &[],
        }
    }

    /// A real number of `least..=greatest`.
    pub const fn real(
        name: &'static str,
        default: f64,
        (least, greatest): (f64, f64),
        sentence: &'static str,
    ) -> Parameter {
        Parameter { least, greatest, default, ..Parameter::new(name, Kind::Real, sentence) }
    }

    /// A whole number of `least..=greatest`.
    pub const fn whole(
        name: &'static str,
        default: f64,
        (least, greatest): (f64, f64),
        sentence: &'static str,
    ) -> Parameter {
        Parameter { least, greatest, default, ..Parameter::new(name, Kind::Whole, sentence) }
    }

    /// A yes or no.
    pub const fn flag(name: &'static str, default: bool, sentence: &'static str) -> Parameter {
        let default = if default { 1.0 } else { 0.0 };
        Parameter { greatest: 1.0, default, ..Parameter::new(name, Kind::Flag, sentence) }
    }

    /// One of a few words; the first is the default.
    pub const fn word(
        name: &'static str,
        words: &'static [&'static str],
        sentence: &'static str,
    ) -> Parameter {
        let greatest = (words.len() - 1) as f64;
        Parameter { greatest, ..Parameter::new(name, Kind::Word(words), sentence) }
    }

    /// A strategy with options of its own.
    pub const fn part(
        name: &'static str,
        default: &'static str,
        sentence: &'static str,
    ) -> Parameter {
        Parameter::new(name, Kind::Part(default), sentence)
    }

    /// A text of this form.
    pub const fn text(
        name: &'static str,
        default: &'static str,
        form: &'static str,
        sentence: &'static str,
    ) -> Parameter {
        Parameter::new(name, Kind::Text { form, default }, sentence)
    }

    /// The same parameter, which cannot stand beside these settings.
    pub const fn excluded_by(self, conflicts: &'static [Conflict]) -> Parameter {
        Parameter { conflicts, ..self }
    }

    /// The same parameter, whose default has a source of its own.
    pub const fn with_source(self, source: &'static str) -> Parameter {
        Parameter { source, ..self }
    }

    /// The same parameter, tuned over `domain`.
    pub const fn tuned_over(self, domain: &'static [f64]) -> Parameter {
        Parameter { domain, ..self }
    }

    /// The same parameter with another default, as strategies differ in what suits them.
    pub const fn with_default(self, default: f64) -> Parameter {
        Parameter { default, ..self }
    }

    /// The value if none is given, as people write it.
    pub fn default_text(&self) -> String {
        match self.kind {
            Kind::Real | Kind::Whole => self.default.to_string(),
            Kind::Flag => (self.default != 0.0).to_string(),
            Kind::Word(words) => words.first().copied().unwrap_or_default().to_owned(),
            Kind::Part(default) | Kind::Text { default, .. } => default.to_owned(),
        }
    }

    /// What can be written.
    pub fn wanted(&self) -> String {
        let (least, greatest) = (self.least, self.greatest);
        match self.kind {
            Kind::Flag => "true or false".to_owned(),
            Kind::Word(words) => format!("one of {}", words.join(", ")),
            Kind::Part(_) => "the name of a strategy".to_owned(),
            Kind::Text { form, .. } => form.to_owned(),
            Kind::Real if greatest.is_infinite() => format!("a number of at least {least}"),
            Kind::Real => format!("a number between {least} and {greatest}"),
            Kind::Whole if greatest.is_infinite() => {
                format!("a whole number of at least {least}, or inf")
            }
            Kind::Whole => format!("a whole number between {least} and {greatest}"),
        }
    }

    /// The words it may be, if it is one of a few.
    pub fn words(&self) -> &'static [&'static str] {
        match self.kind {
            Kind::Word(words) => words,
            _ => &[],
        }
    }

    /// Whether `value` is one the parameter may take.
    pub fn allows(&self, value: f64) -> bool {
        let whole = self.kind == Kind::Real || value.fract() == 0.0 || value.is_infinite();
        whole && (self.least..=self.greatest).contains(&value)
    }
}

/// The number of a declared parameter: its place in a list of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParameterId(pub u32);

/// A parameter of composed parts: its record, where it stands in the settings, its value there.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    /// Its place.
    pub id: ParameterId,
    /// The part it belongs to, such as `select`.
    pub part: String,
    /// The way to that part from the outermost one: options, and the strategies they name.
    pub path: Vec<(String, String)>,
    /// Its record.
    pub parameter: Parameter,
    /// The value the settings give it.
    pub value: f64,
}

/// Collects the parameters of parts while they are read.
#[derive(Clone, Debug, Default)]
pub struct Declarations(pub Vec<Declared>);

impl Declarations {
    /// Adds a parameter of the part at `path` and returns its number.
    pub fn add(
        &mut self,
        path: &[(String, String)],
        parameter: Parameter,
        value: f64,
    ) -> ParameterId {
        let id = ParameterId(self.0.len() as u32);
        let part = path.last().map_or("mcts", |(key, _)| key).to_owned();
        self.0.push(Declared { id, part, path: path.to_vec(), parameter, value });
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_be_infinite_only_where_the_bound_is() {
        let open = Parameter::whole("ref", 50.0, (0.0, f64::INFINITY), "");
        assert!(open.allows(f64::INFINITY) && open.allows(3.0) && !open.allows(2.5));
        let closed = Parameter::whole("l", 3.0, (1.0, 5.0), "");
        assert!(!closed.allows(f64::INFINITY) && !closed.allows(0.0) && !closed.allows(f64::NAN));
    }
}
