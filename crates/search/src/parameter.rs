//! The current values of the parameters of a search, for each role.
//!
//! A strategy never keeps the value of a parameter: it keeps a [`ParameterId`] and reads the value
//! where it decides, so that tuners may give every simulation and every role its own values
//! [Sironi 2019, 6.2.1].

use std::sync::Arc;

use gamegrove_game::{Rng, Role};
pub use gamegrove_settings::{Declarations, Declared, Kind, Parameter, ParameterId};

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
}
