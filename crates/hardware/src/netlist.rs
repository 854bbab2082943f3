//! The network as a list of cells that can be built: no cell reads one that comes later.
//!
//! Exporter and emulation both work from this list, so what is emulated is what is written. Every
//! component is one cell. The exception are components that depend on each other: a loop of gates
//! cannot be built, so it is unrolled. Each round is a copy of the loop that
//! reads the round before where the loop closes, and the first reads "false" there. No negation
//! lies on a loop and every round but the last adds at least one of the `k` lines where the loop
//! closes, so `k` + 1 rounds give the least fixpoint.

use gamegrove_propnet::{Circuit, Flaw, Kind, Network, NodeId, Order};
use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

/// A netlist has at most so many cells: more would fit no chip and fill the disk.
const MOST_CELLS: usize = 4_000_000;

/// The reason why a network has no netlist.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExportError {
    /// The network cannot be evaluated at all.
    #[error(transparent)]
    Flaw(#[from] Flaw),
    /// Unrolling a recursive relation takes too many cells.
    #[error(
        "the recursive relation around {around} would have to be unrolled {rounds} times, to more \
         than {most} cells; write it without recursion, or play the game in software"
    )]
    Loop {
        /// One of its propositions or gates.
        around: String,
        /// How often.
        rounds: usize,
        /// How many cells there may be.
        most: usize,
    },
    /// The network is too large.
    #[error("the network has {cells} components; at most {most} are exported")]
    TooLarge {
        /// How many there are.
        cells: usize,
        /// How many there may be.
        most: usize,
    },
}

/// The kind of a cell in hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// A fixed value.
    Constant(bool),
    /// A base proposition: a flip-flop. What it reads is in [`Netlist::state`].
    FlipFlop,
    /// A move, set from outside.
    Input,
    /// All inputs hold.
    And,
    /// One of the inputs holds.
    Or,
    /// The input does not hold.
    Not,
    /// Another name for its input: a proposition.
    Wire,
}

/// A cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its kind.
    pub kind: CellKind,
    /// The component it stands for.
    pub node: NodeId,
    /// In which round of an unrolled loop; `None` outside of loops and in the last round.
    pub round: Option<u32>,
}

/// A number of a cell, and so of the wire it drives.
pub type WireId = u32;

/// A move of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveWires {
    /// Set when the move is made.
    pub input: WireId,
    /// Says whether it may be made.
    pub legal: WireId,
}

/// The signals of a role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoleWires {
    /// Moves in the network's order.
    pub moves: Vec<MoveWires>,
    /// Goals in the network's order: wire and value.
    pub goals: Vec<(WireId, u8)>,
}

/// A bit of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateBit {
    /// The flip-flop.
    pub now: WireId,
    /// The signal it takes over in the next step.
    pub next: WireId,
}

/// Cells and what they mean to a player.
#[derive(Clone, Debug)]
pub struct Netlist {
    /// The cells; each reads earlier ones only.
    pub cells: Vec<Cell>,
    starts: Vec<u32>,
    inputs: Vec<WireId>,
    /// The state, one flip-flop per base proposition, in the order of a state's bits.
    pub state: Vec<StateBit>,
    /// The roles in order.
    pub roles: Vec<RoleWires>,
    /// Whether play is over.
    pub terminal: WireId,
    /// For each unrolled loop how many components it has and how many rounds were made of it.
    pub loops: Vec<(usize, usize)>,
}

impl Netlist {
    /// The netlist of a network.
    pub fn new(network: &Network) -> Result<Netlist, ExportError> {
        if network.len() > MOST_CELLS {
            return Err(ExportError::TooLarge { cells: network.len(), most: MOST_CELLS });
        }
        // Refuses what no evaluator takes: negations in loops, answers that depend on moves.
        Circuit::new(network)?;
        let mut making = Making::new(network);
        for (members, cyclic) in Order::new(network).groups() {
            if cyclic {
                making.unroll(members)?;
            } else {
                making.component(members[0]);
            }
        }
        Ok(making.finish())
    }

    /// The inputs of a cell.
    pub fn inputs(&self, cell: usize) -> &[WireId] {
        &self.inputs[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// How many moves a role has at most, at least one, so that no vector is empty.
    pub fn move_width(&self, role: usize) -> usize {
        self.roles[role].moves.len().max(1)
    }

    /// Gates on the longest way to each cell.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0u32; self.cells.len()];
        for (at, cell) in self.cells.iter().enumerate() {
            let before = self.inputs(at).iter().map(|&input| depths[input as usize]).max();
            let gate = matches!(cell.kind, CellKind::And | CellKind::Or | CellKind::Not);
            depths[at] = before.unwrap_or(0) + u32::from(gate);
        }
        depths
    }

    /// Tables of four inputs that the gates take if nothing is shared or simplified: one for every
    /// three inputs beyond the first. Negations are part of the gates that read them.
    pub fn estimated_tables(&self) -> usize {
        let gates = self.cells.iter().enumerate();
        let wide = gates.filter(|(_, c)| matches!(c.kind, CellKind::And | CellKind::Or));
        wide.map(|(at, _)| self.inputs(at).len().saturating_sub(1).div_ceil(3)).sum()
    }
}

struct Making<'a> {
    network: &'a Network,
    /// The wire of each component that has one.
    wires: Vec<WireId>,
    netlist: Netlist,
}

const NO_WIRE: WireId = WireId::MAX;

impl<'a> Making<'a> {
    fn new(network: &'a Network) -> Making<'a> {
        let netlist = Netlist {
            cells: Vec::with_capacity(network.len()),
            starts: vec![0],
            inputs: Vec::with_capacity(network.edge_count()),
            state: Vec::new(),
            roles: Vec::new(),
            terminal: 0,
            loops: Vec::new(),
        };
        let mut making = Making { network, wires: vec![NO_WIRE; network.len()], netlist };
        making.source(NodeId::TRUE, CellKind::Constant(true));
        making.source(NodeId::FALSE, CellKind::Constant(false));
        network.bases().iter().for_each(|&base| making.source(base, CellKind::FlipFlop));
        for role in 0..network.roles().len() {
            let lines = network.moves(role);
            lines.iter().for_each(|line| making.source(line.input, CellKind::Input));
        }
        making
    }

    fn source(&mut self, node: NodeId, kind: CellKind) {
        self.wires[node.index()] = self.add(Cell { kind, node, round: None }, &[]);
    }

    fn add(&mut self, cell: Cell, inputs: &[WireId]) -> WireId {
        self.netlist.cells.push(cell);
        self.netlist.inputs.extend_from_slice(inputs);
        self.netlist.starts.push(self.netlist.inputs.len() as u32);
        self.netlist.cells.len() as WireId - 1
    }

    fn component(&mut self, node: NodeId) {
        if self.wires[node.index()] != NO_WIRE {
            return;
        }
        let read = self.network.inputs(node).iter();
        let inputs: Vec<WireId> = read.map(|input| self.wires[input.index()]).collect();
        let cell = Cell { kind: kind(self.network.kind(node)), node, round: None };
        self.wires[node.index()] = self.add(cell, &inputs);
    }

    fn unroll(&mut self, members: &[NodeId]) -> Result<(), ExportError> {
        let order = loop_order(self.network, members);
        let place: FxHashMap<NodeId, usize> =
            order.iter().enumerate().map(|(at, &node)| (node, at)).collect();
        let closes = |reader: usize, input: &NodeId| place.get(input).is_some_and(|&p| p >= reader);
        let mut closing: FxHashSet<NodeId> = FxHashSet::default();
        for (at, &node) in order.iter().enumerate() {
            closing.extend(self.network.inputs(node).iter().filter(|input| closes(at, input)));
        }
        let rounds = closing.len() + 1;
        if self.netlist.cells.len() + rounds.saturating_mul(order.len()) > MOST_CELLS {
            let named = order.iter().find(|&&node| self.network.kind(node).is_proposition());
            let around = self.network.label(*named.unwrap_or(&order[0]));
            return Err(ExportError::Loop { around, rounds, most: MOST_CELLS });
        }
        let never = self.wires[NodeId::FALSE.index()];
        let mut before: Vec<WireId> = vec![never; order.len()];
        for round in 0..rounds {
            let mut now = Vec::with_capacity(order.len());
            for (at, &node) in order.iter().enumerate() {
                let inputs: Vec<WireId> = (self.network.inputs(node).iter())
                    .map(|input| match place.get(input) {
                        Some(&place) if place >= at => before[place],
                        Some(&place) => now[place],
                        None => self.wires[input.index()],
                    })
                    .collect();
                let round = (round + 1 < rounds).then_some(round as u32);
                let cell = Cell { kind: kind(self.network.kind(node)), node, round };
                now.push(self.add(cell, &inputs));
            }
            before = now;
        }
        for (&node, &wire) in order.iter().zip(&before) {
            self.wires[node.index()] = wire;
        }
        self.netlist.loops.push((order.len(), rounds));
        Ok(())
    }

    fn finish(mut self) -> Netlist {
        let wire = |node: NodeId| self.wires[node.index()];
        let network = self.network;
        let bit = |&base: &NodeId| StateBit {
            now: wire(base),
            next: wire(network.inputs(network.transition(base))[0]),
        };
        self.netlist.state = network.bases().iter().map(bit).collect();
        self.netlist.terminal = wire(network.terminal());
        let role = |role| RoleWires {
            moves: (network.moves(role).iter())
                .map(|line| MoveWires { input: wire(line.input), legal: wire(line.legal) })
                .collect(),
            goals: network.goals(role).iter().map(|line| (wire(line.node), line.value)).collect(),
        };
        self.netlist.roles = (0..network.roles().len()).map(role).collect();
        self.netlist
    }
}

fn kind(kind: Kind) -> CellKind {
    match kind {
        Kind::And => CellKind::And,
        Kind::Or => CellKind::Or,
        Kind::Not => CellKind::Not,
        _ => CellKind::Wire,
    }
}

/// The components of a loop, each after what it reads as far as a walk in depth can see to it: few
/// lines then lead back.
fn loop_order(network: &Network, members: &[NodeId]) -> Vec<NodeId> {
    let inside: FxHashSet<NodeId> = members.iter().copied().collect();
    let mut seen: FxHashSet<NodeId> = FxHashSet::default();
    let mut order = Vec::with_capacity(members.len());
    for &root in members {
        if !seen.insert(root) {
            continue;
        }
        let mut open = vec![(root, 0)];
        while let Some((node, at)) = open.pop() {
            match network.inputs(node).get(at) {
                Some(&input) => {
                    open.push((node, at + 1));
                    if inside.contains(&input) && seen.insert(input) {
                        open.push((input, 0));
                    }
                }
                None => order.push(node),
            }
        }
    }
    order
}
