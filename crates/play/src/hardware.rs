//! The network of a game in hardware, emulated or simulated.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use gamegrove_hardware::{Board, Hardware, HardwareGame, Simulation, ToolError};
use gamegrove_propnet::{Network, Propnet};

use crate::problem::{Problem, Result};

/// How long Verilator and the compiler may take.
const TOOL_TIME: Duration = Duration::from_secs(1800);

/// The hardware of a network, emulated bit by bit; a worker has its own.
pub fn emulated(name: &str, network: &Network, names: Propnet) -> Result<HardwareGame> {
    Ok(HardwareGame::emulated(names, export(name, network)?.emulation))
}

/// The hardware of a network, simulated by Verilator in a process that all workers share.
pub fn simulated(name: &str, network: &Network, names: Propnet) -> Result<HardwareGame> {
    let hardware = export(name, network)?;
    // A program that runs does not need its file.
    let scratch = Scratch::new(None);
    let folder = scratch.folder();
    let simulation = hardware
        .write(folder)
        .and_then(|()| Simulation::build(folder, TOOL_TIME))
        .map_err(|error| {
            let help = match &error {
                ToolError::Missing { .. } => "--reasoner hardware emulates it without that program",
                _ => "`grove propnet GAME --verilog FOLDER --simulate 1` keeps the files, to look",
            };
            Problem::broken(error.to_string(), help)
        })?;
    let board = Board::new(&hardware.meta, simulation)
        .map_err(|error| Problem::broken(error.to_string(), "try --reasoner hardware"))?;
    Ok(HardwareGame::driven(names, board))
}

/// The hardware of a network, if it can be had.
pub fn export(name: &str, network: &Network) -> Result<Hardware> {
    Hardware::new(name, network).map_err(|error| {
        Problem::broken(
            format!("{name} has no hardware: {error}"),
            "what has no hardware can still be played: --reasoner propnet or prover",
        )
    })
}

/// A folder for what tools write: one that was asked for, or one of its own among temporary files, which
/// goes when it is no longer needed.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    keep: bool,
}

impl Scratch {
    /// The folder that is wanted, or one of its own.
    pub fn new(wanted: Option<&Path>) -> Scratch {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let own = || {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("grove-hardware-{}-{number}", std::process::id());
            std::env::temp_dir().join(name)
        };
        Scratch { folder: wanted.map_or_else(own, Path::to_owned), keep: wanted.is_some() }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.keep {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}
