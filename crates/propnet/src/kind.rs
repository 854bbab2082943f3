//! What a component of a network is [Sironi 2019, 4.1.1].

use std::fmt;

/// The kind of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// The constant that always holds.
    True,
    /// The constant that never holds.
    False,
    /// A fact of the state, `(true fact)`: fed by its transition, with one step of delay.
    Base,
    /// A move of a role, `(does role move)`: set from outside.
    Input,
    /// Whether a move may be made, `(legal role move)`.
    Legal,
    /// The worth of a state, `(goal role value)`.
    Goal,
    /// Whether play is over.
    Terminal,
    /// Any other proposition: a relation of the rulesheet's own, or one without a name.
    Other,
    /// Delays by one step: reads now what its base proposition is in the next state.
    Transition,
    /// Holds if all inputs do.
    And,
    /// Holds if one of the inputs does.
    Or,
    /// Holds if its input does not.
    Not,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Kind; 12] = [
        Kind::True,
        Kind::False,
        Kind::Base,
        Kind::Input,
        Kind::Legal,
        Kind::Goal,
        Kind::Terminal,
        Kind::Other,
        Kind::Transition,
        Kind::And,
        Kind::Or,
        Kind::Not,
    ];

    /// The word for it in texts and pictures.
    pub fn word(self) -> &'static str {
        match self {
            Kind::True => "true",
            Kind::False => "false",
            Kind::Base => "base",
            Kind::Input => "input",
            Kind::Legal => "legal",
            Kind::Goal => "goal",
            Kind::Terminal => "terminal",
            Kind::Other => "other",
            Kind::Transition => "transition",
            Kind::And => "and",
            Kind::Or => "or",
            Kind::Not => "not",
        }
    }

    /// Whether it is one of the two constants.
    pub fn is_constant(self) -> bool {
        matches!(self, Kind::True | Kind::False)
    }

    /// Whether it is a proposition.
    pub fn is_proposition(self) -> bool {
        matches!(
            self,
            Kind::Base | Kind::Input | Kind::Legal | Kind::Goal | Kind::Terminal | Kind::Other
        )
    }

    /// Whether it may have any number of inputs.
    pub fn is_wide(self) -> bool {
        matches!(self, Kind::And | Kind::Or)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
