//! What the test bench replays: exchanges between a host and the emulation along random games.

use std::fmt::Write as _;
use std::sync::Arc;

use gamegrove_game::Rng;

use crate::board::{Board, Registers};
use crate::driver::{Driver, DriverError};
use crate::emulate::Emulation;
use crate::emulated_board::EmulatedBoard;
use crate::meta::Meta;

const BENCH: &str = include_str!("testbench.v");

/// Random games that are recorded state by state, and how long they may be.
const GAMES: u64 = 3;
const LONGEST: usize = 60;
/// Random games that the hardware plays by itself, at most so many steps each.
const PLAYOUTS: u32 = 20;
const LONGEST_PLAYOUT: u32 = 100;

/// Registers whose exchanges are written down.
struct Recorder {
    board: EmulatedBoard,
    lines: String,
    count: usize,
}

impl Recorder {
    fn note(&mut self, kind: u8, address: u32, value: u32) {
        let _ = writeln!(self.lines, "{kind:02x}{address:06x}{value:08x}");
        self.count += 1;
    }
}

impl Registers for Recorder {
    fn read(&mut self, address: u32) -> Result<u32, DriverError> {
        let value = self.board.read(address)?;
        self.note(2, address, value);
        Ok(value)
    }

    fn write(&mut self, address: u32, value: u32) -> Result<(), DriverError> {
        self.note(1, address, value);
        self.board.write(address, value)
    }

    fn wait(&mut self) -> Result<(), DriverError> {
        self.note(3, 0, 0);
        self.board.wait()
    }
}

/// The test bench and the exchanges it replays.
pub(crate) fn bench(meta: &Meta, emulation: &Emulation) -> Result<(String, String), DriverError> {
    let meta = Arc::new(Meta { step_limit: LONGEST_PLAYOUT, ..meta.clone() });
    let board = EmulatedBoard::new(&meta, emulation.clone());
    let recorder = Recorder { board, lines: String::new(), count: 0 };
    let mut host = Board::new(&meta, recorder)?;
    let mut rng = Rng::new(0);
    for _ in 0..GAMES {
        let mut state = host.initial_state()?;
        for _ in 0..LONGEST {
            let found = host.look(&state)?;
            let joint: Option<Vec<u32>> = found.legal.iter().map(|moves| rng.pick(moves)).collect();
            let Some(joint) = joint.filter(|_| !found.terminal) else { break };
            state = host.step(&joint)?;
        }
    }
    let initial = host.initial_state()?;
    host.seed(1)?;
    host.scores(&initial, PLAYOUTS)?;
    let recorder = host.into_registers();
    let bench = BENCH
        .replace("@ADDRESS@", &meta.registers.address_bits().to_string())
        .replace("@COUNT@", &recorder.count.to_string());
    Ok((bench, recorder.lines))
}
