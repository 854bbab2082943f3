//! The parameters and the tuned sets of the published experiments, as data.
//!
//! [Sironi 2019, 6.4.1]: Tables 6.1 and 7.1 for agents of board games, Tables 6.2 and 7.2 for
//! the agent of video games; tuned sets in sections 2.3, 4.1 and 4.2.

use std::borrow::Cow;

use crate::{Domain, Parameter, Rule, Space, Value};

const INF: f64 = f64::INFINITY;
const TENTHS: &[f64] = &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// One line of a published table of parameters.
struct Line {
    name: &'static str,
    sentence: &'static str,
    default: f64,
    suboptimal: f64,
    values: &'static [f64],
    range: Option<(f64, f64)>,
    whole: bool,
}

/// Tables 6.1 and 7.1.
const BOARD: &[Line] = &[
    Line {
        name: "c",
        sentence: "How much selection explores: the constant of UCB1.",
        default: 0.2,
        suboptimal: 0.9,
        values: &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
        range: Some((0.0, 1.0)),
        whole: false,
    },
    Line {
        name: "epsilon",
        sentence: "The probability of a random move in the play-out.",
        default: 0.4,
        suboptimal: 0.0,
        values: TENTHS,
        range: Some((0.0, 1.0)),
        whole: false,
    },
    Line {
        name: "k",
        sentence: "Visits at which AMAF values and the node's own weigh alike; 0 is plain UCT.",
        default: 250.0,
        suboptimal: INF,
        values: &[0.0, 10.0, 50.0, 100.0, 250.0, 500.0, 750.0, 1000.0, 2000.0, INF],
        range: Some((0.0, 2000.0)),
        whole: false,
    },
    Line {
        name: "ref",
        sentence: "Visits a node needs before its own AMAF values are used; 0 is RAVE, inf HRAVE.",
        default: 50.0,
        suboptimal: INF,
        values: &[0.0, 50.0, 100.0, 250.0, 500.0, 1000.0, 10_000.0, INF],
        range: Some((0.0, 10_000.0)),
        whole: false,
    },
    Line {
        name: "vo",
        sentence: "Moves within this distance of the best value are chosen from at random.",
        default: 0.01,
        suboptimal: 0.025,
        values: &[0.001, 0.005, 0.01, 0.015, 0.02, 0.025],
        range: Some((0.0, 0.025)),
        whole: false,
    },
    Line {
        name: "t",
        sentence: "Nodes with fewer visits than this select by the play-out policy.",
        default: 0.0,
        suboptimal: 200.0,
        values: &[0.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 100.0, 200.0, INF],
        range: Some((0.0, 200.0)),
        whole: false,
    },
];

/// Tables 6.2 and 7.2.
const VIDEO: &[Line] = &[
    Line {
        name: "c",
        sentence: "How much selection explores: the constant of UCB1 in Progressive History.",
        default: 0.6,
        suboptimal: 2.0,
        values: &[0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0],
        range: None,
        whole: false,
    },
    Line {
        name: "w",
        sentence: "The weight of Progressive History.",
        default: 1.0,
        suboptimal: 0.1,
        values: &[0.1, 0.25, 0.5, 1.0, 3.0, 5.0, 7.5, 10.0, 20.0, 50.0],
        range: None,
        whole: false,
    },
    Line {
        name: "epsilon",
        sentence: "The probability of a random move in the play-out.",
        default: 0.5,
        suboptimal: 0.0,
        values: TENTHS,
        range: None,
        whole: false,
    },
    Line {
        name: "n",
        sentence: "Visits an N-gram longer than 1 needs to be used.",
        default: 7.0,
        suboptimal: 50.0,
        values: &[1.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0],
        range: None,
        whole: true,
    },
    Line {
        name: "l",
        sentence: "The greatest length of N-grams.",
        default: 3.0,
        suboptimal: 1.0,
        values: &[1.0, 2.0, 3.0, 4.0, 5.0],
        range: None,
        whole: true,
    },
];

impl Line {
    fn parameter(&self, source: &'static str) -> Parameter {
        let value = |number: f64| match self.whole {
            true => Value::Integer(number as i64),
            false => Value::Real(number),
        };
        let domain = match self.whole {
            true => Domain::integers(&self.values.iter().map(|&v| v as i64).collect::<Vec<_>>()),
            false => Domain::reals(self.values),
        };
        Parameter {
            name: Cow::Borrowed(self.name),
            sentence: Cow::Borrowed(self.sentence),
            source: Cow::Borrowed(source),
            default: value(self.default),
            suboptimal: Some(value(self.suboptimal)),
            domain: match self.range {
                Some((least, most)) => domain.with_range(least, most),
                None => domain,
            },
        }
    }
}

/// The six parameters of the agents SP and AP.
pub fn board_parameters() -> Vec<Parameter> {
    BOARD.iter().map(|line| line.parameter("Tables 6.1 and 7.1")).collect()
}

/// The five parameters of the agent MP.
pub fn video_parameters() -> Vec<Parameter> {
    VIDEO.iter().map(|line| line.parameter("Tables 6.2 and 7.2")).collect()
}

/// K = 0 switches GRAVE off, so `ref` has no meaning then [Sironi 2019, 6.2.2].
pub fn k_switches_ref() -> Rule {
    Rule { switch: Cow::Borrowed("k"), off: vec![Value::Real(0.0)], idle: Cow::Borrowed("ref") }
}

/// A set of parameters that the published experiments tune or randomise together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TunedSet {
    /// The agent and the number of parameters.
    pub name: &'static str,
    /// The parameters.
    pub parameters: &'static [&'static str],
    /// Whether they are those of the agent of video games.
    pub video: bool,
}

/// The simple agent of board games: C and epsilon.
pub const SP_2: TunedSet = TunedSet { name: "sp2", parameters: &["c", "epsilon"], video: false };
/// The advanced agent: K and `ref`.
pub const AP_2: TunedSet = TunedSet { name: "ap2", parameters: &["k", "ref"], video: false };
/// The advanced agent: C, epsilon, K and `ref`.
pub const AP_4: TunedSet =
    TunedSet { name: "ap4", parameters: &["c", "epsilon", "k", "ref"], video: false };
/// The advanced agent: all six.
pub const AP_6: TunedSet =
    TunedSet { name: "ap6", parameters: &["c", "epsilon", "k", "ref", "vo", "t"], video: false };
/// The agent of video games: C and W.
pub const MP_2: TunedSet = TunedSet { name: "mp2", parameters: &["c", "w"], video: true };
/// The agent of video games: C, W and epsilon.
pub const MP_3: TunedSet =
    TunedSet { name: "mp3", parameters: &["c", "w", "epsilon"], video: true };
/// The agent of video games: all five.
pub const MP_5: TunedSet =
    TunedSet { name: "mp5", parameters: &["c", "w", "epsilon", "n", "l"], video: true };

/// All published sets.
pub const SETS: [TunedSet; 7] = [SP_2, AP_2, AP_4, AP_6, MP_2, MP_3, MP_5];

impl TunedSet {
    /// The space of this set.
    pub fn space(&self) -> Space {
        let all = if self.video { video_parameters() } else { board_parameters() };
        let wanted = |name: &&str| all.iter().find(|parameter| parameter.name == **name).cloned();
        let parameters = self.parameters.iter().filter_map(wanted).collect();
        Space::new(parameters, &[k_switches_ref()]).expect("the published sets are sound")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_and_suboptimal_values_are_in_the_domains() {
        for parameter in board_parameters().iter().chain(&video_parameters()) {
            assert!(parameter.domain.contains(parameter.default), "{}", parameter.name);
            let suboptimal = parameter.suboptimal.unwrap();
            assert!(parameter.domain.values().contains(&suboptimal), "{}", parameter.name);
        }
        assert_eq!(board_parameters().len(), 6);
        assert_eq!(video_parameters().len(), 5);
    }

    #[test]
    fn only_board_games_have_continuous_domains() {
        assert!(AP_6.space().ranges().is_ok());
        assert!(MP_5.space().ranges().is_err());
    }
}
