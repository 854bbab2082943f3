//! The network in hardware, held against the reasoner in software: bit by bit along random games,
//! and by mean scores. Verilator is asked where it is installed.

#[path = "../../../propnet/tests/all/support/sketch.rs"]
mod sketch;

mod emulation;
mod export;
mod synthesis;
mod verilator;

use std::path::Path;
use std::sync::Arc;

use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_hardware::Hardware;
use gamegrove_propnet::{Network, Sequence, build_from_rules};

/// The network of a rulesheet that ships.
fn shipped(name: &str) -> Arc<Network> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/gdl");
    read(&folder.join(name).with_extension("kif"))
}

fn read(path: &Path) -> Arc<Network> {
    let text = std::fs::read(path).expect("a readable rulesheet");
    let sheet = Rulesheet::load(&text).expect("sound rules");
    let network = build_from_rules(&sheet.program, 0, &Limits::default()).expect("a network");
    Arc::new(Sequence::default().run(&network))
}

fn hardware(network: &Network) -> Hardware {
    Hardware::new("test", network).expect("a network that can be built")
}
