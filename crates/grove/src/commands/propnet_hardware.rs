//! `grove propnet --verilog`, `--simulate` and `--synthesise`: the network in hardware.

use std::path::{Path, PathBuf};

use gamegrove_hardware::{
    Board, Driver, DriverError, Emulation, Hardware, Scores, Simulation, Size, Synthesis,
    ToolError, run_testbench, synthesise,
};
use gamegrove_propnet::Network;
use serde::Serialize;

use crate::cli::PropnetArgs;
use crate::failure::{Failure, Result};
use crate::output::Output;
use gamegrove_play::hardware::{Scratch, export};
use gamegrove_play::units::{grouped, plural};

/// Steps of random games on the emulation, to learn how many clock cycles a state takes, and how
/// long one of them may be.
const SAMPLE_STEPS: u64 = 2000;
const LONGEST_SAMPLE: u32 = 1000;
const MOST_SAMPLES: u32 = 500;

/// What is reported to tools.
#[derive(Debug, Serialize)]
pub struct HardwareReport {
    /// Where the files are; none if they were not asked for.
    folder: Option<PathBuf>,
    size: Size,
    /// Clock cycles per state in random games.
    cycles_per_state: f64,
    simulation: Option<SimulationReport>,
    synthesis: Option<Synthesis>,
    /// By the clock that synthesis found.
    states_per_second: Option<f64>,
}

/// Random games in the compiled simulation beside the emulation.
#[derive(Debug, Serialize)]
struct SimulationReport {
    playouts: u32,
    steps: u64,
    mean_goals: Vec<f64>,
    /// Whether the emulation gives the same sums, steps and clock cycles.
    equal: bool,
    /// What the test bench said.
    test_bench: String,
}

/// Does what was asked for; nothing if it was nothing.
pub fn run(
    args: &PropnetArgs,
    name: &str,
    network: &Network,
    out: &mut Output,
) -> Result<Option<HardwareReport>> {
    if args.verilog.is_none() && args.simulate.is_none() && args.synthesise.is_none() {
        return Ok(None);
    }
    let mut hardware = export(name, network)?;
    let scratch = Scratch::new(args.verilog.as_deref());
    let folder = scratch.folder();
    hardware.write(folder).map_err(|error| {
        let help = "give --verilog the path of a folder that can be written";
        Failure::usage(error.to_string(), help)
    })?;
    let mut report = HardwareReport {
        folder: args.verilog.clone(),
        size: hardware.meta.size.clone(),
        cycles_per_state: cycles_per_state(hardware.emulation.clone()).map_err(driver)?,
        simulation: None,
        synthesis: None,
        states_per_second: None,
    };
    report.show_export(out)?;
    if let Some(playouts) = args.simulate {
        let found = simulate(&mut hardware, folder, playouts, args)?;
        report.simulation = Some(found);
        report.show_simulation(out)?;
    }
    if let Some(family) = args.synthesise {
        let found = synthesise(folder, family, args.tool_time).map_err(tool)?;
        report.states_per_second = found.states_per_second(report.cycles_per_state);
        report.synthesis = Some(found);
        report.show_synthesis(out)?;
    }
    Ok(Some(report))
}

fn tool(error: ToolError) -> Failure {
    let help = match &error {
        ToolError::Missing { .. } => "without it --verilog writes the files all the same",
        ToolError::TooLong { .. } => "--tool-time gives it more time",
        _ => "with --verilog the files and logs stay, to look what is wrong",
    };
    Failure::usage(error.to_string(), help)
}

fn driver(error: DriverError) -> Failure {
    Failure::broken(error.to_string(), "with --verilog the files stay, to look what is wrong")
}

/// Clock cycles per state in random games.
fn cycles_per_state(mut emulation: Emulation) -> std::result::Result<f64, DriverError> {
    emulation.step_limit = LONGEST_SAMPLE;
    let start = emulation.initial_state()?;
    let (mut steps, mut cycles) = (0, 0);
    for _ in 0..MOST_SAMPLES {
        let totals = emulation.scores(&start, 1)?.totals;
        steps += totals.steps;
        cycles += totals.cycles;
        if steps >= SAMPLE_STEPS {
            break;
        }
    }
    Ok(cycles as f64 / steps.max(1) as f64)
}

fn simulate(
    hardware: &mut Hardware,
    folder: &Path,
    playouts: u32,
    args: &PropnetArgs,
) -> Result<SimulationReport> {
    let simulation = Simulation::build(folder, args.tool_time).map_err(tool)?;
    let mut board = Board::new(&hardware.meta, simulation).map_err(driver)?;
    let start = board.initial_state().map_err(driver)?;
    let scores = |hardware: &mut dyn Driver| -> Result<Scores> {
        hardware.seed(args.seed).map_err(driver)?;
        hardware.scores(&start, playouts).map_err(driver)
    };
    let simulated = scores(&mut board)?;
    let emulated = scores(&mut hardware.emulation)?;
    let roles = 0..hardware.meta.roles.len();
    Ok(SimulationReport {
        playouts,
        steps: simulated.totals.steps,
        mean_goals: roles.map(|role| simulated.mean(role)).collect(),
        equal: simulated == emulated,
        test_bench: run_testbench(folder, args.tool_time).map_err(tool)?,
    })
}

impl HardwareReport {
    fn show_export(&self, out: &mut Output) -> Result<()> {
        let size = &self.size;
        let place = match &self.folder {
            Some(folder) => format!(" written to {}", folder.display()),
            None => String::new(),
        };
        out.line(format!(
            "\nHardware{place}: {}, {}, {} gates, {} deep, about {} tables of four inputs, \
             {:.2} clock cycles per state",
            plural(size.cells, "cell"),
            plural(size.flip_flops, "flip-flop"),
            grouped(size.gates as u64),
            size.depth,
            grouped(size.estimated_tables as u64),
            self.cycles_per_state,
        ))?;
        for (components, rounds) in &size.unrolled {
            out.line(format!("A loop of {components} components was unrolled {rounds} times"))?;
        }
        Ok(())
    }

    fn show_simulation(&self, out: &mut Output) -> Result<()> {
        let Some(found) = &self.simulation else { return Ok(()) };
        let means: Vec<String> = found.mean_goals.iter().map(|mean| format!("{mean:.2}")).collect();
        let verdict = if found.equal { "the same" } else { "SOMETHING ELSE" };
        out.line(format!(
            "Simulated by Verilator: {} with {}, mean goals {}; the emulation gives {verdict}; \
             test bench: {}",
            plural(found.playouts as usize, "random game"),
            plural(found.steps as usize, "step"),
            means.join(" "),
            found.test_bench,
        ))
    }

    fn show_synthesis(&self, out: &mut Output) -> Result<()> {
        let Some(found) = &self.synthesis else { return Ok(()) };
        out.line(format!(
            "Synthesised for {}: {}, {}",
            found.family,
            plural(found.tables() as usize, "table"),
            plural(found.flip_flops() as usize, "flip-flop"),
        ))?;
        for part in &found.utilisation {
            let share = 100.0 * part.used as f64 / part.available.max(1) as f64;
            let (used, available) = (grouped(part.used), grouped(part.available));
            out.line(format!("  {} {used} of {available} ({share:.1} %)", part.kind))?;
        }
        let (Some(clock), Some(path)) = (found.max_clock_mhz, found.longest_path_ns) else {
            return out
                .line("No free tool places and routes for this family, so there is no clock");
        };
        out.line(format!(
            "Clock up to {clock:.1} MHz (longest path {path:.1} ns through {} cells): {} states/s",
            found.longest_path_cells.unwrap_or(0),
            grouped(self.states_per_second.unwrap_or(0.0) as u64),
        ))
    }
}
