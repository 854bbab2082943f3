//! The play-out controller as Verilog: registers for the host around the network
//! [Sironi 2019, 4.4.1].
//!
//! One state of a random game takes the phases LOOK (the network's answers are taken over), COUNT
//! (legal moves are counted), DRAW (a number for each role; again where it was too large), PICK (the
//! moves with these numbers) and STEP. Between any two lies a row of flip-flops, so that no path
//! leads through network and choice. LOAD starts a game and FINISH adds its goals.

use std::fmt::{self, Write};

use crate::choice::ChoicePlan;
use crate::netlist::Netlist;
use crate::registers::{Command, MAGIC, RegisterMap};
use crate::write_network::remark;

const PARTS: &str = include_str!("controller_parts.v");

/// Writes `playout.v`.
pub fn write_controller(
    game: &str,
    netlist: &Netlist,
    map: &RegisterMap,
    out: &mut impl Write,
) -> fmt::Result {
    let choice = ChoicePlan::new(netlist);
    writeln!(out, "// Random games in hardware: {}\n", remark(game))?;
    writeln!(out, "{PARTS}")?;
    write_head(netlist, map, &choice, out)?;
    write_choice(netlist, &choice, out)?;
    write_phases(netlist, map, out)?;
    write_host_writes(netlist, map, out)?;
    write_host_reads(netlist, map, out)?;
    writeln!(out, "endmodule")
}

fn write_head(
    netlist: &Netlist,
    map: &RegisterMap,
    choice: &ChoicePlan,
    out: &mut impl Write,
) -> fmt::Result {
    let (address, state) = (map.address_bits() - 1, netlist.state.len().max(1) - 1);
    let row = choice.generators() * 64 - 1;
    writeln!(
        out,
        "module playout (
    input clk, input reset,
    input write, input [{address}:0] address, input [31:0] write_data,
    output reg [31:0] read_data, output busy
);
  localparam IDLE = 4'd0, LOAD = 4'd1, LOOK = 4'd2, COUNT = 4'd3, DRAW = 4'd4, PICK = 4'd5,
             STEP = 4'd6, FINISH = 4'd7, PRIME = 4'd8;
  reg [3:0] phase;
  reg [1:0] job;
  reg [31:0] playouts, remaining, step_limit, game_steps, cut, stuck;
  reg [63:0] cycles, steps;
  reg [{state}:0] start;
  reg terminal_q;
  wire [{state}:0] state;
  wire terminal;
  wire [{row}:0] row;
  assign busy = phase != IDLE;"
    )?;
    for role in 0..netlist.roles.len() {
        let (high, levels) = (netlist.move_width(role) - 1, choice.levels[role]);
        writeln!(
            out,
            "\n  reg [{high}:0] action_{role}, legal_q_{role};
  wire [{high}:0] legal_{role}, chosen_{role};
  wire [6:0] goal_{role};
  reg [6:0] goal_q_{role};
  reg [63:0] sum_{role};
  reg [{levels}:0] count_q_{role};
  reg [{top}:0] rank_q_{role};
  wire [{levels}:0] count_{role};
  wire [{top}:0] rank_{role};
  wire ok_{role};
  reg got_{role};",
            top = levels - 1,
        )?;
    }
    writeln!(out, "\n  propnet network (")?;
    writeln!(out, "      .clk(clk), .load(phase == LOAD), .step(phase == STEP), .start(start),")?;
    for role in 0..netlist.roles.len() {
        writeln!(
            out,
            "      .action_{role}(action_{role}), .legal_{role}(legal_{role}), \
             .goal_{role}(goal_{role}),"
        )?;
    }
    writeln!(out, "      .state(state), .terminal(terminal));")
}

fn write_choice(netlist: &Netlist, choice: &ChoicePlan, out: &mut impl Write) -> fmt::Result {
    let roles = 0..netlist.roles.len();
    writeln!(out, "\n  // Drawing moves.")?;
    let all = |sign: &str, one: &dyn Fn(usize) -> String| {
        roles.clone().map(one).collect::<Vec<_>>().join(sign)
    };
    let nobody = |role: usize| format!("count_q_{role} == 0");
    let done = |role: usize| format!("(got_{role} | ok_{role})");
    let or_never =
        |text: String, value: &str| if text.is_empty() { value.to_owned() } else { text };
    writeln!(out, "  wire no_move = {};", or_never(all(" || ", &nobody), "1'b0"))?;
    writeln!(out, "  wire drawn = {};", or_never(all(" & ", &done), "1'b1"))?;
    writeln!(out, "  wire too_long = game_steps == step_limit;")?;
    writeln!(
        out,
        "  wire draw_step = phase == PRIME || (phase == DRAW && !too_long && !no_move);"
    )?;
    writeln!(out, "  wire seeding;\n  wire [31:0] seed_at;")?;
    for generator in 0..choice.generators() {
        writeln!(
            out,
            "  pn_random random_{generator} (.clk(clk), .step(draw_step), \
             .write(seeding && seed_at[31:3] == 29'd{generator}), .index(seed_at[2:0]),
      .value(write_data), .word(row[{}:{}]));",
            generator * 64 + 63,
            generator * 64
        )?;
    }
    for role in roles {
        let (width, levels) = (netlist.move_width(role), choice.levels[role]);
        let slice = |attempt: usize| format!("row[{} +: {levels}]", choice.start(role, attempt));
        let bits: Vec<String> = (0..choice.tries).rev().map(slice).collect();
        writeln!(
            out,
            "  pn_choice #(.WIDTH({width}), .LEVELS({levels})) choice_{role} (
      .clk(clk), .hold(phase == COUNT), .legal(legal_q_{role}), .hit(1'b1), \
             .rank({{1'b0, rank_q_{role}}}),
      .count(count_{role}), .chosen(chosen_{role}));
  pn_draw #(.LEVELS({levels}), .TRIES({tries})) draw_{role} (
      .count(count_q_{role}), .bits({{{bits}}}),
      .rank(rank_{role}), .ok(ok_{role}));",
            tries = choice.tries,
            bits = bits.join(", "),
        )?;
    }
    Ok(())
}

fn write_phases(netlist: &Netlist, map: &RegisterMap, out: &mut impl Write) -> fmt::Result {
    let roles = 0..netlist.roles.len();
    let each = |out: &mut dyn Write, line: &dyn Fn(usize) -> String| -> fmt::Result {
        roles.clone().try_for_each(|role| writeln!(out, "        {}", line(role)))
    };
    let bits = map.address_bits();
    writeln!(
        out,
        "\n  // Phases.
  wire command = write && address == {bits}'d{control} && phase == IDLE;
  always @(posedge clk)
    if (reset) phase <= IDLE;
    else case (phase)
      IDLE: if (command) begin
        job <= write_data[1:0];
        if (write_data == 32'd{seed}) phase <= PRIME;
        else if (write_data == 32'd{look} || write_data == 32'd{step}) phase <= LOAD;
        else if (write_data == 32'd{run} && playouts != 0) phase <= LOAD;
        remaining <= playouts;
      end
      PRIME: phase <= IDLE;
      LOAD: begin
        game_steps <= 32'd0;
        phase <= job == 2'd{step} ? STEP : LOOK;
      end
      LOOK: begin
        terminal_q <= terminal;",
        control = RegisterMap::CONTROL,
        seed = Command::Seed as u32,
        look = Command::Look as u32,
        step = Command::Step as u32,
        run = Command::Run as u32,
    )?;
    each(out, &|role| format!("legal_q_{role} <= legal_{role};"))?;
    each(out, &|role| format!("goal_q_{role} <= goal_{role};"))?;
    writeln!(out, "        phase <= job == 2'd{} ? IDLE : COUNT;", Command::Look as u32)?;
    writeln!(out, "      end\n      COUNT: begin")?;
    each(out, &|role| format!("count_q_{role} <= count_{role};"))?;
    each(out, &|role| format!("got_{role} <= 1'b0;"))?;
    writeln!(out, "        phase <= terminal_q ? FINISH : DRAW;\n      end")?;
    writeln!(out, "      DRAW: if (too_long || no_move) phase <= FINISH;\n      else begin")?;
    each(out, &|role| format!("if (!got_{role}) rank_q_{role} <= rank_{role};"))?;
    each(out, &|role| format!("got_{role} <= got_{role} | ok_{role};"))?;
    writeln!(out, "        if (drawn) phase <= PICK;\n      end")?;
    writeln!(
        out,
        "      PICK: phase <= STEP;
      STEP: begin
        game_steps <= game_steps + 32'd1;
        phase <= job == 2'd{step} ? IDLE : LOOK;
      end
      default: begin
        remaining <= remaining - 32'd1;
        phase <= remaining == 32'd1 ? IDLE : LOAD;
      end
    endcase

  // Totals of a run.
  always @(posedge clk)
    if (command && write_data == 32'd{run}) begin
        cycles <= 64'd0;
        steps <= 64'd0;
        cut <= 32'd0;
        stuck <= 32'd0;",
        step = Command::Step as u32,
        run = Command::Run as u32,
    )?;
    each(out, &|role| format!("sum_{role} <= 64'd0;"))?;
    writeln!(
        out,
        "    end else if (job == 2'd{run}) begin
        if (busy) cycles <= cycles + 64'd1;
        if (phase == STEP) steps <= steps + 64'd1;
        if (phase == DRAW && too_long) cut <= cut + 32'd1;
        if (phase == DRAW && !too_long && no_move) stuck <= stuck + 32'd1;",
        run = Command::Run as u32,
    )?;
    each(out, &|role| {
        format!("if (phase == FINISH) sum_{role} <= sum_{role} + {{57'd0, goal_q_{role}}};")
    })?;
    writeln!(out, "    end")
}

/// The bits of word number `word` of a vector: highest and lowest.
fn word_bits(word: u32, width: usize) -> (usize, usize) {
    let low = word as usize * 32;
    ((low + 31).min(width - 1), low)
}

fn write_host_writes(netlist: &Netlist, map: &RegisterMap, out: &mut impl Write) -> fmt::Result {
    let bits = map.address_bits();
    let last = map.goals;
    writeln!(
        out,
        "\n  // What the host writes.
  assign seeding = write && phase == IDLE && address >= {bits}'d{first} && address < {bits}'d{last};
  assign seed_at = {{{pad}'d0, address}} - 32'd{first};
  always @(posedge clk) begin
    if (write && phase == IDLE)
      case (address)
        {bits}'d{playouts}: playouts <= write_data;
        {bits}'d{limit}: step_limit <= write_data;",
        first = map.generators,
        pad = 32 - bits,
        playouts = RegisterMap::PLAYOUTS,
        limit = RegisterMap::STEP_LIMIT,
    )?;
    let mut vector = |name: &str, first: u32, words: u32, width: usize| -> fmt::Result {
        for word in 0..words {
            let (high, low) = word_bits(word, width);
            let at = first + word;
            let taken = high - low;
            writeln!(out, "        {bits}'d{at}: {name}[{high}:{low}] <= write_data[{taken}:0];")?;
        }
        Ok(())
    };
    vector("start", map.state, map.state_words, netlist.state.len().max(1))?;
    for role in 0..netlist.roles.len() {
        let name = format!("action_{role}");
        vector(&name, map.actions[role], map.move_words[role], netlist.move_width(role))?;
    }
    writeln!(out, "        default: ;\n      endcase\n    if (phase == PICK) begin")?;
    for role in 0..netlist.roles.len() {
        writeln!(out, "      action_{role} <= chosen_{role};")?;
    }
    writeln!(out, "    end\n  end")
}

fn write_host_reads(netlist: &Netlist, map: &RegisterMap, out: &mut impl Write) -> fmt::Result {
    let bits = map.address_bits();
    writeln!(
        out,
        "\n  // What the host reads, one cycle after the address.
  always @(posedge clk)
    case (address)"
    )?;
    let mut word =
        |at: u32, value: &str| writeln!(out, "      {bits}'d{at}: read_data <= {value};");
    word(RegisterMap::ID, &format!("32'h{MAGIC:08x}"))?;
    word(RegisterMap::CONTROL, "{30'd0, terminal_q, busy}")?;
    word(RegisterMap::CYCLES, "cycles[31:0]")?;
    word(RegisterMap::CYCLES + 1, "cycles[63:32]")?;
    word(RegisterMap::STEPS, "steps[31:0]")?;
    word(RegisterMap::STEPS + 1, "steps[63:32]")?;
    word(RegisterMap::CUT, "cut")?;
    word(RegisterMap::STUCK, "stuck")?;
    let padded = |name: &str, at: u32, width: usize| {
        let (high, low) = word_bits(at, width);
        match 31 - (high - low) {
            0 => format!("{name}[{high}:{low}]"),
            missing => format!("{{{missing}'d0, {name}[{high}:{low}]}}"),
        }
    };
    for role in 0..netlist.roles.len() {
        let number = role as u32;
        word(map.goals + number, &format!("{{25'd0, goal_q_{role}}}"))?;
        word(map.sums + number * 2, &format!("sum_{role}[31:0]"))?;
        word(map.sums + number * 2 + 1, &format!("sum_{role}[63:32]"))?;
        for at in 0..map.move_words[role] {
            let name = format!("legal_q_{role}");
            word(map.legal[role] + at, &padded(&name, at, netlist.move_width(role)))?;
        }
    }
    for at in 0..map.state_words {
        word(map.state + at, &padded("state", at, netlist.state.len().max(1)))?;
    }
    writeln!(out, "      default: read_data <= 32'd0;\n    endcase")
}
