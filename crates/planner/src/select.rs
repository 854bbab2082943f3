//! How a move is chosen within the tree ([van Eeden 2015, 2.4] [Sironi 2019, 3.2.4]).

use gamegrove_game::Role;
use gamegrove_search::{Options, Parameter, ParameterId, SettingsError, Values, unknown_name};

use super::settings::SELECT;

/// A formula with its parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Select {
    /// `q + C sqrt(ln(N + 1) / n)`: the framework's controllers.
    Ucb(ParameterId),
    /// UCB1-Tuned.
    Tuned(ParameterId),
    /// `q + C sqrt(ln N / n) + h W / ((1 - q) n + 1)`: Progressive History.
    History(ParameterId, ParameterId),
}

/// How much selection explores.
pub(crate) const C: Parameter =
    Parameter::real("c", std::f64::consts::SQRT_2, (0.0, 100.0), "how much selection explores");
/// The weight of history.
pub(crate) const W: Parameter =
    Parameter::real("w", 1.0, (0.0, 1000.0), "the weight of what a move brought everywhere else");

/// How much selection explores beside history.
const HISTORY_C: Parameter = C.with_default(0.6);

/// A formula by name.
#[derive(Debug)]
pub struct Formula {
    /// The name.
    pub name: &'static str,
    /// Its description.
    pub sentence: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
}

/// All formulas; the first is the default.
pub static FORMULAS: &[Formula] = &[
    Formula {
        name: "ucb",
        sentence: "the mean of a move plus an allowance for how rarely it was tried",
        parameters: &[C],
    },
    Formula {
        name: "ucb_tuned",
        sentence: "as ucb, less where what a move brings hardly varies",
        parameters: &[C],
    },
    Formula {
        name: "history",
        sentence: "as ucb, with what the move brought everywhere else",
        parameters: &[HISTORY_C, W],
    },
];

/// The statistics of one arm.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm {
    /// Mean on the unit interval.
    pub mean: f64,
    pub visits: f64,
    /// Mean of the move everywhere, on the unit interval.
    pub history: f64,
    /// Mean of the squares of its payoffs, on the unit interval.
    pub squares: f64,
}

impl Select {
    pub(crate) fn read(options: &mut Options<'_>) -> Result<Select, SettingsError> {
        options.part(&SELECT, |name, options| match name {
            "ucb" => Ok(Select::Ucb(options.parameter(&C)?)),
            "ucb_tuned" => Ok(Select::Tuned(options.parameter(&C)?)),
            "history" => {
                let c = options.parameter(&HISTORY_C)?;
                Ok(Select::History(c, options.parameter(&W)?))
            }
            _ => {
                let names: Vec<&str> = FORMULAS.iter().map(|formula| formula.name).collect();
                Err(unknown_name("select", name, &names))
            }
        })
    }

    pub(crate) fn uses_history(self) -> bool {
        matches!(self, Select::History(..))
    }

    /// What an arm that was tried is worth trying again; `total` is how often its node was.
    pub(crate) fn value(self, arm: &Arm, total: f64, values: &Values) -> f64 {
        let get = |id| values.get(Role(0), id);
        // Decay makes counts fractions, and those of a single visit small.
        let visits = arm.visits.max(1e-6);
        match self {
            Select::Ucb(c) => arm.mean + get(c) * ((total + 1.0).ln().max(0.0) / visits).sqrt(),
            Select::Tuned(c) => arm.mean + tuned_bonus(get(c), arm, total),
            Select::History(c, w) => {
                let bonus = (total.max(1.0).ln() / visits).sqrt();
                arm.mean + get(c) * bonus + arm.history * get(w) / ((1.0 - arm.mean) * visits + 1.0)
            }
        }
    }
}

/// The bonus of UCB1-Tuned.
fn tuned_bonus(c: f64, arm: &Arm, total: f64) -> f64 {
    let share = total.max(1.0).ln() / arm.visits.max(1e-6);
    let variance = (arm.squares - arm.mean * arm.mean).max(0.0) + (2.0 * share).sqrt();
    c * (share * variance.min(0.25)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamegrove_search::Declarations;

    fn value(name: &str, c: f64, arm: Arm, total: f64) -> f64 {
        let mut declarations = Declarations::default();
        let c_id = declarations.add(&[], C, c);
        let w_id = declarations.add(&[], W, 1.0);
        let select = match name {
            "ucb" => Select::Ucb(c_id),
            "ucb_tuned" => Select::Tuned(c_id),
            _ => Select::History(c_id, w_id),
        };
        select.value(&arm, total, &Values::new(&declarations.0, 1))
    }

    #[test]
    fn formulas_are_those_of_the_sources() {
        let arm = Arm { mean: 0.5, visits: 4.0, history: 0.8, squares: 0.3 };
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        close(value("ucb", 2f64.sqrt(), arm, 9.0), 0.5 + (2.0 * 10f64.ln() / 4.0).sqrt());
        // 0.5 + 0.6 sqrt(ln 10 / 4) + 0.8 / (0.5 * 4 + 1)
        close(value("history", 0.6, arm, 10.0), 0.5 + 0.6 * (10f64.ln() / 4.0).sqrt() + 0.8 / 3.0);
        // The variance is limited to 1/4.
        close(value("ucb_tuned", 1.0, arm, 10.0), 0.5 + (10f64.ln() / 4.0 * 0.25).sqrt());
        assert!(value("history", 0.6, Arm { visits: 0.0, ..arm }, 0.0).is_finite());
    }
}
