//! The driver of anything that answers at registers: a chip, a simulation of it, or the emulation.
//!
//! It knows the game by its meta-information alone, as a host program beside a real board would.

use std::sync::Arc;

use gamegrove_propnet::Bits;

use crate::choice::Generators;
use crate::driver::{Driver, DriverError, Move, Scores, Successors, joint_moves};
use crate::emulate::RunTotals;
use crate::meta::Meta;
use crate::registers::{Command, MAGIC, RegisterMap};

/// So often a device is asked whether it has finished.
const MOST_QUESTIONS: u64 = 10_000_000_000;

/// 32-bit words that can be read and written. A real board implements these two.
pub trait Registers {
    /// Reads a word.
    fn read(&mut self, address: u32) -> Result<u32, DriverError>;

    /// Writes a word.
    fn write(&mut self, address: u32, value: u32) -> Result<(), DriverError>;

    /// Returns when the device is idle. A simulation can do better than to ask again and again.
    fn wait(&mut self) -> Result<(), DriverError> {
        for _ in 0..MOST_QUESTIONS {
            if self.read(RegisterMap::CONTROL)? & 1 == 0 {
                return Ok(());
            }
        }
        Err(DriverError::Busy(MOST_QUESTIONS))
    }
}

/// A game behind registers.
#[derive(Debug)]
pub struct Board<R> {
    meta: Arc<Meta>,
    registers: R,
}

impl<R: Registers> Board<R> {
    /// The board of a game, if that is what answers.
    pub fn new(meta: &Arc<Meta>, mut registers: R) -> Result<Board<R>, DriverError> {
        let found = registers.read(RegisterMap::ID)?;
        if found != MAGIC {
            let what = "no play-out controller is there; is the chip configured?";
            return Err(DriverError::WrongDevice { found, expected: MAGIC, what });
        }
        registers.write(RegisterMap::STEP_LIMIT, meta.step_limit)?;
        let mut board = Board { meta: Arc::clone(meta), registers };
        board.seed(0)?;
        Ok(board)
    }

    /// The registers.
    pub fn registers(&mut self) -> &mut R {
        &mut self.registers
    }

    /// The registers, when the board is no longer needed.
    pub fn into_registers(self) -> R {
        self.registers
    }

    fn command(&mut self, command: Command) -> Result<(), DriverError> {
        self.registers.write(RegisterMap::CONTROL, command as u32)?;
        self.registers.wait()
    }

    fn write_state(&mut self, state: &Bits) -> Result<(), DriverError> {
        let map = &self.meta.registers;
        for word in 0..map.state_words {
            let wide = state.words().get(word as usize / 2).copied().unwrap_or(0);
            self.registers.write(map.state + word, half(wide, word))?;
        }
        Ok(())
    }

    fn read_state(&mut self) -> Result<Bits, DriverError> {
        let map = &self.meta.registers;
        let mut state = Bits::new(self.meta.facts.len());
        for word in 0..map.state_words {
            let value = self.registers.read(map.state + word)?;
            if let Some(wide) = state.words_mut().get_mut(word as usize / 2) {
                *wide |= u64::from(value) << (word % 2 * 32);
            }
        }
        Ok(state)
    }

    fn read_wide(&mut self, address: u32) -> Result<u64, DriverError> {
        let low = self.registers.read(address)?;
        Ok(u64::from(self.registers.read(address + 1)?) << 32 | u64::from(low))
    }

    /// The end, goals and legal moves of a state.
    pub fn look(&mut self, state: &Bits) -> Result<Successors, DriverError> {
        self.write_state(state)?;
        self.command(Command::Look)?;
        let terminal = self.registers.read(RegisterMap::CONTROL)? & 2 != 0;
        let map = &self.meta.registers;
        let (mut goals, mut legal) = (Vec::new(), Vec::new());
        for role in 0..self.meta.roles.len() {
            goals.push(self.registers.read(map.goals + role as u32)? as u8);
            let mut moves: Vec<Move> = Vec::new();
            for word in 0..map.move_words[role] {
                let value = self.registers.read(map.legal[role] + word)?;
                moves.extend((0..32).filter(|bit| value >> bit & 1 == 1).map(|b| word * 32 + b));
            }
            legal.push(moves);
        }
        Ok(Successors { terminal, goals, legal, next: Vec::new() })
    }

    /// The state after a joint move from the state that was written last.
    pub fn step(&mut self, joint: &[Move]) -> Result<Bits, DriverError> {
        let map = &self.meta.registers;
        for (role, &mov) in joint.iter().enumerate() {
            for word in 0..map.move_words[role] {
                let value = if mov / 32 == word { 1 << (mov % 32) } else { 0 };
                self.registers.write(map.actions[role] + word, value)?;
            }
        }
        self.command(Command::Step)?;
        self.read_state()
    }
}

/// The half of a wide word that a narrow word with this number is.
pub(crate) fn half(wide: u64, word: u32) -> u32 {
    (wide >> (word % 2 * 32)) as u32
}

impl<R: Registers> Driver for Board<R> {
    fn initial_state(&mut self) -> Result<Bits, DriverError> {
        Ok(self.meta.initial())
    }

    fn next_states(&mut self, state: &Bits) -> Result<Successors, DriverError> {
        let mut found = self.look(state)?;
        for joint in joint_moves(&found.legal, found.terminal)? {
            let next = self.step(&joint)?;
            found.next.push((joint, next));
        }
        Ok(found)
    }

    fn scores(&mut self, state: &Bits, playouts: u32) -> Result<Scores, DriverError> {
        self.write_state(state)?;
        self.registers.write(RegisterMap::PLAYOUTS, playouts)?;
        self.command(Command::Run)?;
        let sums_at = self.meta.registers.sums;
        let roles = 0..self.meta.roles.len() as u32;
        let totals = RunTotals {
            sums: roles.map(|role| self.read_wide(sums_at + role * 2)).collect::<Result<_, _>>()?,
            steps: self.read_wide(RegisterMap::STEPS)?,
            cycles: self.read_wide(RegisterMap::CYCLES)?,
            cut: self.registers.read(RegisterMap::CUT)?,
            stuck: self.registers.read(RegisterMap::STUCK)?,
        };
        Ok(Scores { playouts, totals })
    }

    fn seed(&mut self, seed: u64) -> Result<(), DriverError> {
        let words = Generators::words(seed, self.meta.choice.generators);
        let halves = words.iter().flatten().flat_map(|&wide| [wide as u32, (wide >> 32) as u32]);
        for (at, half) in halves.enumerate() {
            self.registers.write(self.meta.registers.generators + at as u32, half)?;
        }
        self.command(Command::Seed)
    }
}
