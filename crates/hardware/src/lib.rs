//! The network in hardware [Sironi 2019, 4.4]: Verilog, a driver, emulation, simulation, synthesis, and games
//! that are played on it.
//!
//! ```text
//! Network ─ Netlist ─┬─ propnet.v, playout.v, meta.json, test bench ─┬─ Verilator ─┐
//!                    │                                               └─ a board ───┤ Registers ─ Board ─ Driver
//!                    └─ Emulation ─ EmulatedBoard ──────────────────────────────────┘
//!                           └──────────────────────────────────────────────────────────────────── Driver
//! ```
//! [`HardwareGame`] makes a driver a game that searches can play.
//! All back ends of one netlist give the same answers bit by bit, random games included.
//!
//! # Modules
//!
//! - [`netlist`] lists cells without loops, [`choice`] draws moves. [`write_network`],
//!   [`write_controller`], [`meta`] and [`vectors`] write what is exported.
//! - [`driver`] has the three calls that a game needs. [`emulate`] answers them in software; [`board`]
//!   talks to [`registers`], which are those of [`emulated_board`], of [`verilator`] (a process) or of a
//!   chip.
//! - [`game`] plays on a driver, [`account`] models how long a board takes.
//! - [`synthesis`] runs Yosys and nextpnr through [`tools`].

mod account;
mod board;
mod choice;
mod driver;
mod emulate;
mod emulated_board;
mod game;
mod meta;
mod netlist;
mod registers;
mod synthesis;
mod tools;
mod vectors;
mod verilator;
mod write_controller;
mod write_network;

use std::path::Path;
use std::sync::Arc;

use gamegrove_propnet::Network;

use crate::vectors::bench;
use crate::write_controller::write_controller;
use crate::write_network::write_network;

pub use board::{Board, Registers};
pub use choice::ChoicePlan;
pub use driver::{Driver, DriverError, Scores, Successors};
pub use emulate::{Emulation, RunTotals};
pub use emulated_board::EmulatedBoard;
pub use game::HardwareGame;
pub use meta::{ChoiceMeta, Meta, RoleMeta, Size};
pub use netlist::{Cell, CellKind, ExportError, MoveWires, Netlist, RoleWires, StateBit};
pub use registers::{Command, MAGIC, RegisterMap};
pub use synthesis::{Family, Synthesis, Utilisation, synthesise};
pub use tools::ToolError;
pub use verilator::{Simulation, run_testbench, verilator_installed};

/// After how many steps a random game in hardware is given up, unless the host says otherwise.
pub const STEP_LIMIT: u32 = 10_000;

/// The hardware of a game: what is written, and the emulation of it.
#[derive(Clone, Debug)]
pub struct Hardware {
    /// The data for hosts.
    pub meta: Arc<Meta>,
    /// The same in software.
    pub emulation: Emulation,
    /// The network as Verilog.
    pub network_text: String,
    /// The controller as Verilog.
    pub controller_text: String,
}

impl Hardware {
    /// The hardware of a network.
    pub fn new(game: &str, network: &Network) -> Result<Hardware, ExportError> {
        let netlist = Arc::new(Netlist::new(network)?);
        let meta = Arc::new(Meta::new(game, network, &netlist));
        let (mut network_text, mut controller_text) = (String::new(), String::new());
        // A string takes everything.
        let _ = write_network(game, network, &netlist, &mut network_text);
        let _ = write_controller(game, &netlist, &meta.registers, &mut controller_text);
        let emulation = Emulation::new(network, &netlist);
        Ok(Hardware { meta, emulation, network_text, controller_text })
    }

    /// All files by name: the network, the controller, the meta-information, the test bench and
    /// what it replays.
    pub fn files(&self) -> Result<Vec<(&'static str, String)>, DriverError> {
        let (bench, vectors) = bench(&self.meta, &self.emulation)?;
        Ok(vec![
            ("propnet.v", self.network_text.clone()),
            ("playout.v", self.controller_text.clone()),
            ("meta.json", self.meta.to_json()),
            ("testbench.v", bench),
            ("vectors.hex", vectors),
        ])
    }

    /// Writes all files to a folder, which is made if need be.
    pub fn write(&self, folder: &Path) -> Result<(), ToolError> {
        let error = |error| ToolError::File { path: folder.to_owned(), error };
        std::fs::create_dir_all(folder).map_err(error)?;
        let files = self.files().map_err(|problem| error(std::io::Error::other(problem)))?;
        files.iter().try_for_each(|(name, text)| tools::write(&folder.join(name), text))
    }

    /// The emulation behind registers.
    pub fn emulated_board(&self) -> Result<Board<EmulatedBoard>, DriverError> {
        Board::new(&self.meta, EmulatedBoard::new(&self.meta, self.emulation.clone()))
    }
}
