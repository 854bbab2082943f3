//! The meta-information: all that a host must know about the hardware of a game
//! [Sironi 2019, 4.4.1], written beside the Verilog and read back by drivers.

use gamegrove_propnet::{Bits, Network};
use serde::{Deserialize, Serialize};

use crate::choice::ChoicePlan;
use crate::netlist::{CellKind, Netlist};
use crate::registers::RegisterMap;

/// The data for a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// The form of this file; grows when it changes.
    pub version: u32,
    /// The game's name.
    pub game: String,
    /// Roles in order, with their moves and goals.
    pub roles: Vec<RoleMeta>,
    /// The fact of each bit of a state, in order.
    pub facts: Vec<String>,
    /// Facts that always hold and have no bit.
    pub fixed_facts: Vec<String>,
    /// The bits that are set in the first state.
    pub initial: Vec<usize>,
    /// After how many steps a random game is given up, unless the host says otherwise.
    pub step_limit: u32,
    /// How moves are drawn.
    pub choice: ChoiceMeta,
    /// Where the registers are.
    pub registers: RegisterMap,
    /// How large it is.
    pub size: Size,
}

/// A role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleMeta {
    /// Its name.
    pub name: String,
    /// The move of each bit of its action and legal vectors, in order.
    pub moves: Vec<String>,
    /// Its goal values; where several hold, the first of this list counts.
    pub goals: Vec<u8>,
}

/// How moves are drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceMeta {
    /// How, and how uniform it is.
    pub method: String,
    /// How far the chance of a legal move is from that of another, given random bits.
    pub bias: u32,
    /// The generator of random bits.
    pub generator: String,
    /// How many there are.
    pub generators: usize,
    /// Tries per clock cycle.
    pub tries: usize,
    /// Bits of each role's number.
    pub bits: Vec<usize>,
}

/// How large the hardware is, before synthesis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Components of the network.
    pub components: usize,
    /// Cells, with the copies of unrolled loops.
    pub cells: usize,
    /// Flip-flops of the state.
    pub flip_flops: usize,
    /// AND, OR and NOT gates.
    pub gates: usize,
    /// Gates on the longest way between flip-flops.
    pub depth: u32,
    /// Tables of four inputs if nothing were shared.
    pub estimated_tables: usize,
    /// Loops that were unrolled: components and rounds of each.
    pub unrolled: Vec<(usize, usize)>,
}

impl Meta {
    /// The data for a host about a netlist.
    pub fn new(game: &str, network: &Network, netlist: &Netlist) -> Meta {
        let name = |name| network.names().get(name).unwrap_or("?").to_owned();
        let choice = ChoicePlan::new(netlist);
        let roles = network.roles().iter().enumerate().map(|(role, text)| RoleMeta {
            name: text.clone(),
            moves: network.moves(role).iter().map(|line| name(line.name)).collect(),
            goals: network.goals(role).iter().map(|line| line.value).collect(),
        });
        let bases = network.bases().iter().map(|&base| network.part(base));
        let set = bases.clone().enumerate().filter(|(_, part)| part.initial);
        Meta {
            version: 1,
            game: game.to_owned(),
            roles: roles.collect(),
            facts: bases.map(|part| name(part.name)).collect(),
            fixed_facts: network.fixed_facts().iter().map(|&fact| name(fact)).collect(),
            initial: set.map(|(bit, _)| bit).collect(),
            step_limit: crate::STEP_LIMIT,
            registers: RegisterMap::new(netlist, &choice),
            choice: ChoiceMeta {
                method: "rejection: the fewest random bits that can hold the number of a legal \
                         move, again if they are too large; every legal move is equally likely"
                    .to_owned(),
                bias: 0,
                generator: "xoshiro256++, 64 bits per clock cycle".to_owned(),
                generators: choice.generators(),
                tries: choice.tries,
                bits: choice.levels,
            },
            size: Size::new(network, netlist),
        }
    }

    /// The first state.
    pub fn initial(&self) -> Bits {
        let mut state = Bits::new(self.facts.len());
        self.initial.iter().for_each(|&bit| state.set(bit, true));
        state
    }

    /// The meta-information as JSON, one line per entry.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

impl Size {
    fn new(network: &Network, netlist: &Netlist) -> Size {
        let gate = |kind: CellKind| matches!(kind, CellKind::And | CellKind::Or | CellKind::Not);
        let constants = network.nodes().filter(|&node| network.kind(node).is_constant());
        let unread = constants.filter(|&node| network.outputs(node).is_empty()).count();
        Size {
            components: network.len() - unread,
            cells: netlist.cells.len() - unread,
            flip_flops: netlist.state.len(),
            gates: netlist.cells.iter().filter(|cell| gate(cell.kind)).count(),
            depth: netlist.depths().into_iter().max().unwrap_or(0),
            estimated_tables: netlist.estimated_tables(),
            unrolled: netlist.loops.clone(),
        }
    }
}
