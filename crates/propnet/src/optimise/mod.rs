//! The optimisations of [Sironi 2019, 4.2.2] and sequences of them.
//!
//! Each pass takes a network and returns one that answers every query alike. Names of sequences are
//! the published ones [Sironi 2019, 4.2.2]: `1023` runs Opt1, Opt0, Opt2, Opt3 in this order.

mod drop_unread;
mod infer_constants;
mod remove_constants;
mod splice_anonymous;
#[cfg(test)]
pub(crate) mod testing;

use std::fmt;
use std::str::FromStr;

use gamegrove_gdl::{LimitHit, Limits, Meter};
use thiserror::Error;

pub use self::drop_unread::drop_unread;
pub use self::infer_constants::infer_constants;
pub use self::remove_constants::remove_constants;
pub use self::splice_anonymous::splice_anonymous;
use crate::network::Network;

/// One optimisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pass {
    /// Opt0, [`remove_constants`].
    RemoveConstants,
    /// Opt1, [`splice_anonymous`].
    SpliceAnonymous,
    /// Opt2, [`infer_constants`].
    InferConstants,
    /// Opt3, [`drop_unread`].
    DropUnread,
}

impl Pass {
    /// All passes, in the order of their digits.
    pub const ALL: [Pass; 4] =
        [Pass::RemoveConstants, Pass::SpliceAnonymous, Pass::InferConstants, Pass::DropUnread];

    /// The network after the pass.
    pub fn run(self, network: &Network) -> Network {
        // Without limits none is hit; and if one were, the network as it is answers alike.
        let unlimited = self.run_within(network, &mut Meter::new(&Limits::none()));
        unlimited.unwrap_or_else(|_| network.clone())
    }

    /// The network after the pass, unless a limit is hit.
    pub fn run_within(self, network: &Network, meter: &mut Meter) -> Result<Network, LimitHit> {
        meter.check(network.bytes())?;
        match self {
            Pass::RemoveConstants => remove_constants::within(network, meter),
            Pass::SpliceAnonymous => splice_anonymous::within(network, meter),
            Pass::InferConstants => infer_constants::within(network, meter),
            Pass::DropUnread => drop_unread::within(network, meter),
        }
    }
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opt{}", *self as u8)
    }
}

/// Passes in the order they are run; none is the network as built.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sequence(Vec<Pass>);

impl Sequence {
    /// The sequences of the published tables [Sironi 2019, 4.2.2], the network as built first.
    pub const PUBLISHED: [&str; 9] = ["", "0", "1", "2", "3", "12", "102", "13", "1023"];

    /// The passes.
    pub fn passes(&self) -> &[Pass] {
        &self.0
    }

    /// The network after all passes.
    pub fn run(&self, network: &Network) -> Network {
        match self.0.split_first() {
            None => network.clone(),
            Some((first, rest)) => {
                rest.iter().fold(first.run(network), |network, pass| pass.run(&network))
            }
        }
    }
}

impl Default for Sequence {
    /// Opt1023, the fastest of the published ones.
    fn default() -> Self {
        let digits = [1, 0, 2, 3];
        Sequence(digits.map(|digit| Pass::ALL[digit]).to_vec())
    }
}

/// A sequence that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{found}` at place {place} is not an optimisation: a sequence is made of the digits 0 (remove \
     constants), 1 (splice anonymous propositions), 2 (infer constants) and 3 (drop what nothing \
     reads), for example 1023"
)]
pub struct SequenceError {
    /// The character at that place.
    pub found: char,
    /// Where, counted from 1.
    pub place: usize,
}

impl FromStr for Sequence {
    type Err = SequenceError;

    fn from_str(text: &str) -> Result<Self, SequenceError> {
        let passes = text.chars().enumerate().map(|(at, found)| {
            let digit = found.to_digit(10).and_then(|digit| Pass::ALL.get(digit as usize));
            digit.copied().ok_or(SequenceError { found, place: at + 1 })
        });
        passes.collect::<Result<_, _>>().map(Sequence)
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("BasicPN");
        }
        f.write_str("Opt")?;
        self.0.iter().try_for_each(|&pass| write!(f, "{}", pass as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_read_and_written() {
        let sequence: Sequence = "1023".parse().expect("four digits");
        assert_eq!(sequence, Sequence::default());
        assert_eq!(sequence.to_string(), "Opt1023");
        assert_eq!("".parse::<Sequence>().expect("no pass").to_string(), "BasicPN");
    }

    #[test]
    fn a_bad_sequence_says_where_and_what_would_be_good() {
        let error = "104".parse::<Sequence>().expect_err("there is no Opt4");
        assert_eq!(error, SequenceError { found: '4', place: 3 });
        assert!(error.to_string().starts_with("`4` at place 3 is not an optimisation"));
        assert!("1-3".parse::<Sequence>().is_err());
    }
}
