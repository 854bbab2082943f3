//! The registers between host and hardware: which 32-bit word is where.
//!
//! The host writes a state, gives a command, waits until the hardware is idle and reads the result.
//! Everything that is longer than a word takes several, the lowest bits first.

use serde::{Deserialize, Serialize};

use crate::choice::ChoicePlan;
use crate::netlist::Netlist;

/// The value of [`RegisterMap::ID`].
pub const MAGIC: u32 = 0x4752_4f56;

/// Commands, as written to [`RegisterMap::CONTROL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Command {
    /// Takes over the state and finds its end, goals and legal moves.
    Look = 1,
    /// Takes over the state and makes the joint move that was written.
    Step = 2,
    /// Plays random games from the state.
    Run = 3,
    /// Takes over the generators that were written.
    Seed = 4,
}

impl Command {
    /// The command of a number.
    pub fn from_number(number: u32) -> Option<Command> {
        [Command::Look, Command::Step, Command::Run, Command::Seed]
            .into_iter()
            .find(|&command| command as u32 == number)
    }
}

/// Where the words are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterMap {
    /// Written: generators, eight words each.
    pub generators: u32,
    /// Read: the goal of each role in the state that was looked at, one word each.
    pub goals: u32,
    /// Read: sums of goals over the games of the last run, two words per role.
    pub sums: u32,
    /// Written: the state to start from. Read: the state after a step.
    pub state: u32,
    /// Words of a state.
    pub state_words: u32,
    /// Written: the move of each role, one bit set. Where each role's words start.
    pub actions: Vec<u32>,
    /// Read: legal moves of the state that was looked at. Where each role's words start.
    pub legal: Vec<u32>,
    /// Words of each role's moves.
    pub move_words: Vec<u32>,
    /// How many words there are.
    pub end: u32,
}

impl RegisterMap {
    /// Read: always [`MAGIC`].
    pub const ID: u32 = 0;
    /// Written: a [`Command`]. Read: bit 0 says that the hardware is busy, bit 1 that the state that
    /// was looked at is terminal.
    pub const CONTROL: u32 = 1;
    /// Written: how many games a run plays.
    pub const PLAYOUTS: u32 = 2;
    /// Written: after how many steps a game of a run is given up.
    pub const STEP_LIMIT: u32 = 3;
    /// Read, two words: clock cycles of the last run.
    pub const CYCLES: u32 = 4;
    /// Read, two words: steps of the last run.
    pub const STEPS: u32 = 6;
    /// Read: games of the last run that reached the limit of steps.
    pub const CUT: u32 = 8;
    /// Read: games of the last run that left a role without a legal move before the end.
    pub const STUCK: u32 = 9;
    const FIRST: u32 = 16;

    /// The map of a netlist.
    pub fn new(netlist: &Netlist, choice: &ChoicePlan) -> RegisterMap {
        let words = |bits: usize| bits.div_ceil(32).max(1) as u32;
        let roles = netlist.roles.len() as u32;
        let mut next = RegisterMap::FIRST;
        let mut take = |words: u32| {
            next += words;
            next - words
        };
        let generators = take(choice.generators() as u32 * 8);
        let goals = take(roles);
        let sums = take(roles * 2);
        let state_words = words(netlist.state.len());
        let state = take(state_words);
        let move_words: Vec<u32> =
            (0..netlist.roles.len()).map(|role| words(netlist.move_width(role))).collect();
        let actions = move_words.iter().map(|&words| take(words)).collect();
        let legal = move_words.iter().map(|&words| take(words)).collect();
        let end = take(0);
        RegisterMap { generators, goals, sums, state, state_words, actions, legal, move_words, end }
    }

    /// Bits of an address.
    pub fn address_bits(&self) -> u32 {
        self.end.next_power_of_two().trailing_zeros()
    }
}
