//! Text in, text out.

use crate::network::Network;
use crate::{initialise, text};

/// The network that a text describes.
pub(crate) fn network(written: &str) -> Network {
    let draft = text::parse(written).expect("a readable network");
    let network = initialise(draft).expect("a sound network");
    assert_eq!(network.check(), Ok(()));
    network
}

fn tidy(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Runs a pass on a network and compares what comes of it.
pub(crate) fn check(pass: impl Fn(&Network) -> Network, before: &str, after: &str) {
    let network = network(before);
    let result = pass(&network);
    assert_eq!(result.check(), Ok(()));
    let (found, expected) = (tidy(&text::print(&result)), tidy(after));
    assert!(found == expected, "found:\n{found}\n\nexpected:\n{expected}");
}
