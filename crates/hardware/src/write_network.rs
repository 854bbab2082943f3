//! The netlist as Verilog: the component library and one module with an instance per component.
//!
//! A wire is called after its component's number (`n17`), so the text is the same for equal networks
//! and no name of a rulesheet can break it; remarks say what the wires mean.

use std::fmt::{self, Write};

use gamegrove_propnet::Network;

use crate::netlist::{CellKind, Netlist, WireId};

const LIBRARY: &str = include_str!("library.v");

/// Writes `propnet.v`.
pub fn write_network(
    game: &str,
    network: &Network,
    netlist: &Netlist,
    out: &mut impl Write,
) -> fmt::Result {
    writeln!(out, "// The network of: {}", remark(game))?;
    writeln!(out, "// {} cells; meta.json says what the bits mean.\n", netlist.cells.len())?;
    writeln!(out, "{LIBRARY}")?;
    let state = netlist.state.len().max(1);
    writeln!(out, "module propnet (")?;
    writeln!(out, "    input clk, input load, input step, input [{}:0] start,", state - 1)?;
    for role in 0..netlist.roles.len() {
        let high = netlist.move_width(role) - 1;
        writeln!(out, "    input [{high}:0] action_{role}, output [{high}:0] legal_{role},")?;
        writeln!(out, "    output [6:0] goal_{role},")?;
    }
    writeln!(out, "    output [{}:0] state, output terminal", state - 1)?;
    writeln!(out, ");")?;
    let mut read = vec![false; netlist.cells.len()];
    let inputs = (0..netlist.cells.len()).flat_map(|cell| netlist.inputs(cell));
    inputs.for_each(|&input| read[input as usize] = true);
    answers(netlist).for_each(|wire| read[wire as usize] = true);
    let shown =
        |cell: usize| read[cell] || !matches!(netlist.cells[cell].kind, CellKind::Constant(_));
    for cell in (0..netlist.cells.len()).filter(|&cell| shown(cell)) {
        writeln!(out, "  wire {};", Wire(netlist, cell as WireId))?;
    }
    for cell in (0..netlist.cells.len()).filter(|&cell| shown(cell)) {
        write_cell(network, netlist, cell, out)?;
    }
    writeln!(out, "\n  // The state: one flip-flop per fact.")?;
    if netlist.state.is_empty() {
        writeln!(out, "  assign state = 1'b0;")?;
    }
    for (bit, line) in netlist.state.iter().enumerate() {
        let (now, next) = (Wire(netlist, line.now), Wire(netlist, line.next));
        writeln!(
            out,
            "  pn_transition t{} (.clk(clk), .load(load), .value(start[{bit}]), .step(step), \
             .in({next}), .out({now}));",
            netlist.cells[line.now as usize].node.0,
        )?;
        writeln!(out, "  assign state[{bit}] = {now};")?;
    }
    for (role, wires) in netlist.roles.iter().enumerate() {
        writeln!(out, "\n  // {}", remark(&network.roles()[role]))?;
        if wires.moves.is_empty() {
            writeln!(out, "  assign legal_{role} = 1'b0;")?;
        }
        for (number, line) in wires.moves.iter().enumerate() {
            let (input, legal) = (Wire(netlist, line.input), Wire(netlist, line.legal));
            writeln!(out, "  assign {input} = action_{role}[{number}];")?;
            writeln!(out, "  assign legal_{role}[{number}] = {legal};")?;
        }
        write!(out, "  assign goal_{role} = ")?;
        for &(wire, value) in &wires.goals {
            write!(out, "{} ? 7'd{value} : ", Wire(netlist, wire))?;
        }
        writeln!(out, "7'd0;")?;
    }
    writeln!(out, "\n  assign terminal = {};", Wire(netlist, netlist.terminal))?;
    writeln!(out, "endmodule")
}

fn write_cell(
    network: &Network,
    netlist: &Netlist,
    cell: usize,
    out: &mut impl Write,
) -> fmt::Result {
    let this = Wire(netlist, cell as WireId);
    let inputs = netlist.inputs(cell);
    let label = remark(&network.label(netlist.cells[cell].node));
    match netlist.cells[cell].kind {
        CellKind::Constant(value) => {
            writeln!(out, "  pn_const #(.VALUE(1'b{})) c_{this} (.out({this}));", u8::from(value))
        }
        CellKind::FlipFlop | CellKind::Input => writeln!(out, "  // {this}: {label}"),
        kind @ (CellKind::And | CellKind::Or) => {
            let module = if kind == CellKind::And { "pn_and" } else { "pn_or" };
            write!(out, "  {module} #(.WIDTH({})) c_{this} (.in({{", inputs.len())?;
            for (at, &input) in inputs.iter().enumerate() {
                let comma = if at == 0 { "" } else { ", " };
                write!(out, "{comma}{}", Wire(netlist, input))?;
            }
            writeln!(out, "}}), .out({this}));")
        }
        CellKind::Not => {
            let input = Wire(netlist, inputs[0]);
            writeln!(out, "  pn_not c_{this} (.in({input}), .out({this}));")
        }
        CellKind::Wire => {
            let input = Wire(netlist, inputs[0]);
            writeln!(out, "  pn_prop c_{this} (.in({input}), .out({this})); // {this}: {label}")
        }
    }
}

fn answers(netlist: &Netlist) -> impl Iterator<Item = WireId> + '_ {
    let of_roles = netlist.roles.iter().flat_map(|role| {
        let legal = role.moves.iter().map(|line| line.legal);
        legal.chain(role.goals.iter().map(|goal| goal.0))
    });
    of_roles.chain(netlist.state.iter().map(|bit| bit.next)).chain([netlist.terminal])
}

/// The name of a wire.
struct Wire<'a>(&'a Netlist, WireId);

impl fmt::Display for Wire<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = self.0.cells[self.1 as usize];
        match cell.round {
            None => write!(f, "n{}", cell.node.0),
            Some(round) => write!(f, "n{}_{round}", cell.node.0),
        }
    }
}

/// A text that can stand behind `//`: one line that tools do not take for anything else.
pub(crate) fn remark(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_graphic() && c != '\\' && c != '`' { c } else { '_' };
    text.chars().map(|c| if c == ' ' { c } else { plain(c) }).collect()
}
