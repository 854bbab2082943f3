//! Parameters of the search: one record each, and their current values for each role.
//!
//! A strategy never keeps the value of a parameter: it keeps a [`ParameterId`] and reads the value
//! where it decides, so that tuners may give every simulation and every role its own values
//! [Sironi 2019, 6.2.1].

use std::sync::Arc;

use gamegrove_game::{Rng, Role};

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
    /// The name of a strategy, with options of its own.
    Part,
}

impl Parameter {
    /// A real number of `least..=greatest`.
    pub const fn real(
        name: &'static str,
        default: f64,
        (least, greatest): (f64, f64),
        sentence: &'static str,
    ) -> Parameter {
        Parameter { name, sentence, kind: Kind::Real, least, greatest, default, domain: &[] }
    }

    /// A whole number of `least..=greatest`.
    pub const fn whole(
        name: &'static str,
        default: f64,
        (least, greatest): (f64, f64),
        sentence: &'static str,
    ) -> Parameter {
        Parameter { name, sentence, kind: Kind::Whole, least, greatest, default, domain: &[] }
    }

    /// A yes or no.
    pub const fn flag(name: &'static str, default: bool, sentence: &'static str) -> Parameter {
        let default = if default { 1.0 } else { 0.0 };
        Parameter {
            name,
            sentence,
            kind: Kind::Flag,
            least: 0.0,
            greatest: 1.0,
            default,
            domain: &[],
        }
    }

    /// One of a few words; the first is the default.
    pub const fn word(
        name: &'static str,
        words: &'static [&'static str],
        sentence: &'static str,
    ) -> Parameter {
        let greatest = (words.len() - 1) as f64;
        let kind = Kind::Word(words);
        Parameter { name, sentence, kind, least: 0.0, greatest, default: 0.0, domain: &[] }
    }

    /// A strategy with options of its own.
    pub const fn part(name: &'static str, sentence: &'static str) -> Parameter {
        let kind = Kind::Part;
        Parameter { name, sentence, kind, least: 0.0, greatest: 0.0, default: 0.0, domain: &[] }
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
            Kind::Part => "none".to_owned(),
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

/// The place of a parameter in [`Values`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParameterId(u32);

/// A parameter of a composed search: its record, where it stands in the settings, its value there.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    /// Its place.
    pub id: ParameterId,
    /// The part it belongs to, such as `select`.
    pub part: String,
    /// The way to that part from the settings of the search: options, and the strategies they name.
    pub path: Vec<(String, String)>,
    /// Its record.
    pub parameter: Parameter,
    /// The value the settings give it.
    pub value: f64,
}

/// The current value of every parameter, for each role.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Values {
    count: usize,
    by_role: Vec<f64>,
    /// What is drawn anew for every move that is rated, and from what.
    for_moves: Option<Arc<Domains>>,
}

/// Parameters and the values they may take.
pub(crate) type Domains = Vec<(ParameterId, Vec<f64>)>;

/// Draws values for the moves that a role rates in one node.
pub struct MoveValues<'a> {
    domains: &'a Domains,
    rng: Rng,
}

impl MoveValues<'_> {
    /// The value of a parameter for the next move, or `otherwise` if it is not drawn for moves.
    pub fn draw(&mut self, id: ParameterId, otherwise: f64) -> f64 {
        match self.domains.iter().find(|(own, _)| *own == id) {
            Some((_, values)) => values[self.rng.below(values.len())],
            None => otherwise,
        }
    }
}

impl Values {
    /// The values of the settings, equal for all `roles`.
    pub fn new(declared: &[Declared], roles: usize) -> Values {
        let one: Vec<f64> = declared.iter().map(|d| d.value).collect();
        Values { count: one.len(), by_role: one.repeat(roles), for_moves: None }
    }

    /// The number of roles.
    pub(crate) fn roles(&self) -> usize {
        self.by_role.len() / self.count.max(1)
    }

    /// The value of a parameter for a role.
    #[inline]
    pub fn get(&self, role: Role, id: ParameterId) -> f64 {
        self.by_role[role.index() * self.count + id.0 as usize]
    }

    /// Whether a flag is set for a role.
    #[inline]
    pub fn is_set(&self, role: Role, id: ParameterId) -> bool {
        self.get(role, id) != 0.0
    }

    /// Draws for the moves that are rated next, if any values are drawn for each of them.
    #[inline]
    pub fn for_moves(&self, rng: &mut Rng) -> Option<MoveValues<'_>> {
        let domains = self.for_moves.as_ref()?;
        Some(MoveValues { domains, rng: Rng::new(rng.next_u64()) })
    }

    /// From now on these are drawn anew for every move that is rated.
    pub(crate) fn draw_for_moves(&mut self, domains: &Arc<Domains>) {
        if self.for_moves.is_none() {
            self.for_moves = Some(Arc::clone(domains));
        }
    }

    /// Gives a parameter a value for one role.
    pub fn set(&mut self, role: Role, id: ParameterId, value: f64) {
        self.by_role[role.index() * self.count + id.0 as usize] = value;
    }
}

/// Collects the parameters of the parts of a search while it is composed.
#[derive(Clone, Debug, Default)]
pub struct Declarations(pub Vec<Declared>);

impl Declarations {
    /// Adds a parameter of the part at `path` and returns its place in [`Values`].
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
    fn each_role_has_its_own_value() {
        let mut declarations = Declarations::default();
        let c = Parameter::real("c", 0.7, (0.0, 10.0), "exploration");
        let id = declarations.add(&[], c, 0.5);
        let mut values = Values::new(&declarations.0, 3);
        values.set(Role(1), id, 0.9);
        assert_eq!([0, 1, 2].map(|r| values.get(Role(r), id)), [0.5, 0.9, 0.5]);
    }

    #[test]
    fn whole_numbers_may_be_infinite_only_where_the_bound_is() {
        let open = Parameter::whole("ref", 50.0, (0.0, f64::INFINITY), "");
        assert!(open.allows(f64::INFINITY) && open.allows(3.0) && !open.allows(2.5));
        let closed = Parameter::whole("l", 3.0, (1.0, 5.0), "");
        assert!(!closed.allows(f64::INFINITY) && !closed.allows(0.0) && !closed.allows(f64::NAN));
    }
}
