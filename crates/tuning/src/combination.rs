//! One choice of values, as a strategy proposes it.

use smallvec::SmallVec;

/// The number of one value in the list of a parameter's choices.
pub type Index = u16;

/// Indices, one per parameter, in the order of the space.
pub type Indices = SmallVec<[Index; 8]>;

/// One value for every parameter of a [`crate::Space`]: numbers of listed values from a discrete strategy,
/// real numbers from a continuous one.
///
/// What [`crate::Strategy::next`] returns also remembers which proposal it was, so that rewards can
/// come back in any order. Two combinations with the same values are equal, also if different strategies proposed them.
#[derive(Clone, Debug)]
pub struct Combination {
    values: Values,
    ticket: Ticket,
}

#[derive(Clone, Debug, PartialEq)]
enum Values {
    Listed(Indices),
    Real(SmallVec<[f64; 4]>),
}

/// Which proposal of its strategy a combination was; what it means is the strategy's own business.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ticket(pub u64);

impl Ticket {
    /// The ticket of a combination that no strategy proposed.
    pub const NONE: Ticket = Ticket(0);
    /// The ticket of all proposals of a strategy that need not tell them apart.
    pub const PROPOSED: Ticket = Ticket(1);
}

impl Combination {
    /// The combination of these choices.
    pub fn from_indices(indices: &[Index]) -> Self {
        Combination::proposed(Indices::from_slice(indices), Ticket::NONE)
    }

    /// The combination of these real values.
    pub fn from_reals(values: &[f64]) -> Self {
        Combination::proposed_reals(values, Ticket::NONE)
    }

    pub(crate) fn proposed(indices: Indices, ticket: Ticket) -> Self {
        Combination { values: Values::Listed(indices), ticket }
    }

    pub(crate) fn proposed_reals(values: &[f64], ticket: Ticket) -> Self {
        Combination { values: Values::Real(SmallVec::from_slice(values)), ticket }
    }

    pub(crate) fn set_indices(&mut self, indices: &[Index]) {
        match &mut self.values {
            Values::Listed(own) if own.len() == indices.len() => own.copy_from_slice(indices),
            values => *values = Values::Listed(SmallVec::from_slice(indices)),
        }
    }

    pub(crate) fn ticket(&self) -> Ticket {
        self.ticket
    }

    /// The choices, if it is a discrete combination.
    pub fn indices(&self) -> Option<&[Index]> {
        match &self.values {
            Values::Listed(indices) => Some(indices),
            Values::Real(_) => None,
        }
    }

    /// The values, if it is a continuous combination.
    pub fn reals(&self) -> Option<&[f64]> {
        match &self.values {
            Values::Listed(_) => None,
            Values::Real(values) => Some(values),
        }
    }
}

impl PartialEq for Combination {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}
