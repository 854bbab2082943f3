//! The emulation behind registers: what a board would answer.
//!
//! Commands are carried out when they are given, so this board is never seen busy.

use std::sync::Arc;

use gamegrove_propnet::Bits;

use crate::board::{Registers, half};
use crate::driver::{DriverError, Successors};
use crate::emulate::{Emulation, RunTotals};
use crate::meta::Meta;
use crate::registers::{Command, MAGIC, RegisterMap};

/// The emulation behind registers: what a board would answer.
#[derive(Clone, Debug)]
pub struct EmulatedBoard {
    emulation: Emulation,
    meta: Arc<Meta>,
    /// The written words.
    written: Vec<u32>,
    totals: RunTotals,
    /// The findings about the last state.
    seen: Successors,
}

impl EmulatedBoard {
    /// The board of an emulation.
    pub fn new(meta: &Arc<Meta>, emulation: Emulation) -> EmulatedBoard {
        let roles = meta.roles.len();
        EmulatedBoard {
            emulation,
            written: vec![0; meta.registers.end as usize],
            totals: RunTotals { sums: vec![0; roles], ..RunTotals::default() },
            seen: Successors {
                terminal: false,
                goals: vec![0; roles],
                legal: vec![Vec::new(); roles],
                next: Vec::new(),
            },
            meta: Arc::clone(meta),
        }
    }

    fn bits(&self, start: u32, bits: usize) -> Bits {
        let mut found = Bits::new(bits);
        for bit in 0..bits {
            found.set(bit, self.written[start as usize + bit / 32] >> (bit % 32) & 1 == 1);
        }
        found
    }

    fn command(&mut self, command: Command) {
        let map = &self.meta.registers;
        let start = self.bits(map.state, self.meta.facts.len());
        match command {
            Command::Look => {
                self.emulation.load(&start);
                let roles = 0..self.meta.roles.len();
                self.seen.terminal = self.emulation.is_terminal();
                self.seen.goals = roles.clone().map(|role| self.emulation.goal(role)).collect();
                self.seen.legal = roles.map(|role| self.emulation.legal(role).collect()).collect();
            }
            Command::Step => {
                self.emulation.load(&start);
                let written = &self.written;
                self.emulation.step(|role, number| {
                    let word = written[map.actions[role] as usize + number / 32];
                    word >> (number % 32) & 1 == 1
                });
            }
            Command::Run => {
                self.emulation.step_limit = self.written[RegisterMap::STEP_LIMIT as usize];
                let playouts = self.written[RegisterMap::PLAYOUTS as usize];
                self.totals = self.emulation.run(&start, playouts);
            }
            Command::Seed => {
                let first = map.generators as usize;
                let halves = &self.written[first..first + self.meta.choice.generators * 8];
                let wide = |two: &[u32]| u64::from(two[1]) << 32 | u64::from(two[0]);
                let words =
                    |eight: &[u32]| std::array::from_fn(|at| wide(&eight[at * 2..at * 2 + 2]));
                let words: Vec<[u64; 4]> = halves.chunks(8).map(words).collect();
                self.emulation.set_generators(&words);
            }
        }
    }

    fn answer(&self, address: u32) -> u32 {
        let map = &self.meta.registers;
        match address {
            RegisterMap::ID => MAGIC,
            RegisterMap::CONTROL => u32::from(self.seen.terminal) << 1,
            RegisterMap::CUT => self.totals.cut,
            RegisterMap::STUCK => self.totals.stuck,
            4 | 5 => half(self.totals.cycles, address - RegisterMap::CYCLES),
            6 | 7 => half(self.totals.steps, address - RegisterMap::STEPS),
            _ if (map.goals..map.sums).contains(&address) => {
                self.seen.goals[(address - map.goals) as usize].into()
            }
            _ if (map.sums..map.state).contains(&address) => {
                let at = address - map.sums;
                half(self.totals.sums[(at / 2) as usize], at % 2)
            }
            _ if (map.state..map.state + map.state_words).contains(&address) => {
                let at = address - map.state;
                let state = self.emulation.state();
                half(state.words().get(at as usize / 2).copied().unwrap_or(0), at)
            }
            _ => {
                let lists = map.legal.iter().zip(&map.move_words).zip(&self.seen.legal);
                let mut found = lists
                    .filter(|((start, words), _)| (**start..**start + **words).contains(&address));
                let Some(((&start, _), moves)) = found.next() else { return 0 };
                let here = moves.iter().filter(|&&mov| mov / 32 == address - start);
                here.fold(0, |word, mov| word | 1 << (mov % 32))
            }
        }
    }
}

impl Registers for EmulatedBoard {
    fn read(&mut self, address: u32) -> Result<u32, DriverError> {
        Ok(self.answer(address))
    }

    fn write(&mut self, address: u32, value: u32) -> Result<(), DriverError> {
        if address == RegisterMap::CONTROL {
            if let Some(command) = Command::from_number(value) {
                self.command(command);
            }
        } else if let Some(word) = self.written.get_mut(address as usize) {
            *word = value;
        }
        Ok(())
    }
}
