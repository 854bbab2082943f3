//! What synthesis reports, where its tools are installed.

use std::path::PathBuf;
use std::time::Duration;

use gamegrove_hardware::{Family, ToolError, synthesise};

use super::{hardware, shipped};

#[test]
fn a_small_game_is_synthesised() {
    let hardware = hardware(&shipped("tic_tac_toe"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hardware").join("synthesis");
    hardware.write(&folder).expect("a folder that can be written");
    for family in Family::ALL {
        let found = match synthesise(&folder, family, Duration::from_secs(500)) {
            Err(missing @ ToolError::Missing { .. }) => {
                gamegrove_testdata::skip(&missing.to_string());
                continue;
            }
            found => found.expect("Verilog that can be synthesised"),
        };
        // Facts, two roles' sums, four words of the generator and more are kept in flip-flops.
        let least = hardware.meta.size.flip_flops as u64 + 2 * 64 + 256;
        assert!(found.flip_flops() > least && found.tables() > 100, "{found:?}");
        if family == Family::Ecp5 {
            assert!(found.max_clock_mhz.is_some_and(|clock| clock > 1.0), "{found:?}");
            assert!(found.utilisation.iter().any(|part| part.kind == "TRELLIS_COMB"), "{found:?}");
        }
    }
}
