//! Games and small conveniences for tests of the search.

use std::sync::Arc;

use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_propnet::{Propnet, Sequence, build_from_rules};
use gamegrove_search::{Part, Value};

/// A shipped game on its network.
pub fn game(name: &str) -> Propnet {
    let root = env!("CARGO_MANIFEST_DIR");
    let path = format!("{root}/../../games/gdl/{name}.kif");
    game_of(&std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}")))
}

/// The game of a rulesheet on its network.
pub fn game_of(rules: &[u8]) -> Propnet {
    let sheet = Rulesheet::load(rules).expect("a good rulesheet");
    let network = build_from_rules(&sheet.program, 0, &Limits::default()).expect("it grounds");
    Propnet::new(&Arc::new(Sequence::default().run(&network))).expect("a sound network")
}

/// `mcts` with a selection and a policy.
#[allow(dead_code, reason = "each test file uses what it needs")]
pub fn mcts(select: impl Into<Value>, playout: impl Into<Value>) -> Part {
    Part::named("mcts").with("select", select).with("playout", playout)
}
