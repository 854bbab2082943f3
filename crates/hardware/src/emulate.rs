//! The hardware bit by bit, in software: every cell of the netlist, every random choice, and how
//! many clock cycles it takes. Always there, and the measure for the other back ends.

use std::sync::Arc;

use gamegrove_propnet::{Bits, Network};

use crate::choice::{ChoicePlan, Generators};
use crate::driver::{Driver, DriverError, Move, Scores, Successors, joint_moves};
use crate::netlist::{CellKind, Netlist};

/// The results of a run of random games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunTotals {
    /// Sum of goals of each role.
    pub sums: Vec<u64>,
    /// Joint moves.
    pub steps: u64,
    /// Clock cycles.
    pub cycles: u64,
    /// Games that reached the limit of steps.
    pub cut: u32,
    /// Games that left a role without a move.
    pub stuck: u32,
}

/// The hardware of a netlist in software.
#[derive(Clone, Debug)]
pub struct Emulation {
    netlist: Arc<Netlist>,
    choice: ChoicePlan,
    initial: Bits,
    generators: Generators,
    /// After how many steps a random game is given up.
    pub step_limit: u32,
    values: Vec<bool>,
    /// Cells to be computed: those that depend on the state alone, then the others.
    early: Vec<u32>,
    late: Vec<u32>,
}

impl Emulation {
    /// The hardware of a network and its netlist, with the generators of seed 0.
    pub fn new(network: &Network, netlist: &Arc<Netlist>) -> Emulation {
        let choice = ChoicePlan::new(netlist);
        let (mut early, mut late) = (Vec::new(), Vec::new());
        let mut moves = vec![false; netlist.cells.len()];
        let mut values = vec![false; netlist.cells.len()];
        for (at, cell) in netlist.cells.iter().enumerate() {
            match cell.kind {
                CellKind::Constant(value) => values[at] = value,
                CellKind::FlipFlop => {}
                CellKind::Input => moves[at] = true,
                _ => {
                    moves[at] = netlist.inputs(at).iter().any(|&input| moves[input as usize]);
                    if moves[at] { &mut late } else { &mut early }.push(at as u32);
                }
            }
        }
        Emulation {
            generators: Generators::new(0, choice.generators()),
            initial: Bits::initial(network),
            netlist: Arc::clone(netlist),
            choice,
            step_limit: crate::STEP_LIMIT,
            values,
            early,
            late,
        }
    }

    /// The netlist.
    pub fn netlist(&self) -> &Arc<Netlist> {
        &self.netlist
    }

    /// Starts the generators anew, from their words.
    pub fn set_generators(&mut self, words: &[[u64; 4]]) {
        self.generators = Generators::from_words(words);
    }

    fn compute(&mut self, late: bool) {
        let cells = if late { &self.late } else { &self.early };
        let values = &mut self.values;
        for &cell in cells {
            let at = cell as usize;
            let mut inputs = self.netlist.inputs(at).iter().map(|&input| values[input as usize]);
            values[at] = match self.netlist.cells[at].kind {
                CellKind::And => inputs.all(|value| value),
                CellKind::Or => inputs.any(|value| value),
                CellKind::Not => !inputs.next().unwrap_or(false),
                _ => inputs.next().unwrap_or(false),
            };
        }
    }

    /// Writes a state into the flip-flops.
    pub fn load(&mut self, state: &Bits) {
        for (bit, line) in self.netlist.state.iter().enumerate() {
            self.values[line.now as usize] = state.get(bit);
        }
        self.compute(false);
    }

    /// The flip-flops.
    pub fn state(&self) -> Bits {
        let mut state = Bits::new(self.netlist.state.len());
        for (bit, line) in self.netlist.state.iter().enumerate() {
            state.set(bit, self.values[line.now as usize]);
        }
        state
    }

    /// Whether the state in the flip-flops is terminal.
    pub fn is_terminal(&self) -> bool {
        self.values[self.netlist.terminal as usize]
    }

    /// The goal of a role in it: the first of its goals that holds, 0 if none does.
    pub fn goal(&self, role: usize) -> u8 {
        let goals = &self.netlist.roles[role].goals;
        let held = goals.iter().find(|(wire, _)| self.values[*wire as usize]);
        held.map_or(0, |&(_, value)| value)
    }

    /// The legal moves of a role in it, in order.
    pub fn legal(&self, role: usize) -> impl Iterator<Item = Move> + '_ {
        let moves = self.netlist.roles[role].moves.iter().enumerate();
        moves.filter(|(_, line)| self.values[line.legal as usize]).map(|(at, _)| at as Move)
    }

    /// One clock edge with these input lines set: the next state comes into the flip-flops.
    pub fn step(&mut self, is_made: impl Fn(usize, usize) -> bool) {
        for (role, lines) in self.netlist.roles.iter().enumerate() {
            for (number, line) in lines.moves.iter().enumerate() {
                self.values[line.input as usize] = is_made(role, number);
            }
        }
        self.compute(true);
        let next: Vec<bool> =
            self.netlist.state.iter().map(|line| self.values[line.next as usize]).collect();
        for (line, value) in self.netlist.state.iter().zip(next) {
            self.values[line.now as usize] = value;
        }
        self.compute(false);
    }

    /// Plays random games as the controller does: phase by phase, one generator for all.
    pub fn run(&mut self, start: &Bits, playouts: u32) -> RunTotals {
        let roles = self.netlist.roles.len();
        let mut totals = RunTotals { sums: vec![0; roles], ..RunTotals::default() };
        let (mut row, mut legal) = (Vec::new(), vec![Vec::new(); roles]);
        for _ in 0..playouts {
            self.load(start);
            totals.cycles += 1; // LOAD
            let mut steps = 0;
            loop {
                totals.cycles += 2; // LOOK, COUNT
                if self.is_terminal() {
                    break;
                }
                if steps == self.step_limit {
                    totals.cycles += 1; // DRAW
                    totals.cut += 1;
                    break;
                }
                for (role, moves) in legal.iter_mut().enumerate() {
                    moves.clear();
                    moves.extend(self.legal(role));
                }
                if legal.iter().any(Vec::is_empty) {
                    totals.cycles += 1; // DRAW
                    totals.stuck += 1;
                    break;
                }
                let mut drawn: Vec<Option<Move>> = vec![None; roles];
                while drawn.contains(&None) {
                    totals.cycles += 1; // DRAW
                    self.generators.row(&mut row);
                    for (role, mov) in drawn.iter_mut().enumerate().filter(|(_, m)| m.is_none()) {
                        let rank = self.choice.draw(role, legal[role].len(), &row);
                        *mov = rank.map(|rank| legal[role][rank]);
                    }
                }
                totals.cycles += 2; // PICK, STEP
                self.step(|role, number| drawn[role] == Some(number as Move));
                steps += 1;
                totals.steps += 1;
            }
            totals.cycles += 1; // FINISH
            for (role, sum) in totals.sums.iter_mut().enumerate() {
                *sum += u64::from(self.goal(role));
            }
        }
        totals
    }
}

impl Driver for Emulation {
    fn initial_state(&mut self) -> Result<Bits, DriverError> {
        Ok(self.initial.clone())
    }

    fn next_states(&mut self, state: &Bits) -> Result<Successors, DriverError> {
        self.load(state);
        let roles = 0..self.netlist.roles.len();
        let legal: Vec<Vec<Move>> = roles.clone().map(|role| self.legal(role).collect()).collect();
        let goals = roles.map(|role| self.goal(role)).collect();
        let terminal = self.is_terminal();
        let mut next = Vec::new();
        for joint in joint_moves(&legal, terminal)? {
            self.load(state);
            self.step(|role, number| joint[role] == number as Move);
            next.push((joint, self.state()));
        }
        Ok(Successors { terminal, goals, legal, next })
    }

    fn scores(&mut self, state: &Bits, playouts: u32) -> Result<Scores, DriverError> {
        Ok(Scores { playouts, totals: self.run(state, playouts) })
    }

    fn seed(&mut self, seed: u64) -> Result<(), DriverError> {
        self.generators = Generators::new(seed, self.choice.generators());
        Ok(())
    }
}
