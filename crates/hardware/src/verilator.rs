//! The exported Verilog compiled by Verilator and run as a process: registers over a pipe.

use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::board::Registers;
use crate::driver::DriverError;
use crate::tools::{self, ToolError};

const MAIN: &str = include_str!("simulator.cpp");

/// How to get Verilator.
const HOW: &str = "install the package verilator (and a C++ compiler)";

/// Whether Verilator is there.
pub fn verilator_installed() -> bool {
    tools::find(&["verilator"]).is_some()
}

fn require() -> Result<(), ToolError> {
    if verilator_installed() {
        return Ok(());
    }
    Err(ToolError::Missing { tool: "verilator", how: HOW })
}

/// A simulation that runs.
#[derive(Debug)]
pub struct Simulation {
    process: Child,
    // Taken when the process is to end.
    requests: Option<BufWriter<ChildStdin>>,
    answers: BufReader<ChildStdout>,
}

impl Simulation {
    /// Compiles what was exported to a folder, in its folder `simulation`, and starts it.
    pub fn build(folder: &Path, limit: Duration) -> Result<Simulation, ToolError> {
        require()?;
        tools::write(&folder.join("simulator.cpp"), MAIN)?;
        let args = [
            "--cc",
            "--exe",
            "--build",
            "-O3",
            "-Wno-fatal",
            "-Wno-lint",
            "--Mdir",
            "simulation",
            "--top-module",
            "playout",
            "-CFLAGS",
            "-O1",
            "-o",
            "simulator",
            "playout.v",
            "propnet.v",
            "simulator.cpp",
        ];
        tools::run("verilator", &args, folder, limit)?;
        let program = folder.join("simulation").join("simulator");
        Simulation::start(&program).map_err(|error| ToolError::File { path: program, error })
    }

    fn start(program: &Path) -> io::Result<Simulation> {
        let mut process = Command::new(std::path::absolute(program)?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::Error::other("the simulation has no pipes"));
        };
        let (requests, answers) = (BufWriter::new(input), BufReader::new(output));
        Ok(Simulation { process, requests: Some(requests), answers })
    }

    fn send(&mut self, request: std::fmt::Arguments<'_>) -> Result<(), DriverError> {
        let requests = self.requests.as_mut().ok_or(io::ErrorKind::BrokenPipe);
        Ok(requests.map_err(io::Error::from)?.write_fmt(request)?)
    }

    fn answer(&mut self) -> Result<u32, DriverError> {
        if let Some(requests) = &mut self.requests {
            requests.flush()?;
        }
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let number = u32::from_str_radix(line.trim(), 16);
        number.map_err(|_| DriverError::Garbled(line.trim().to_owned()))
    }
}

impl Registers for Simulation {
    fn read(&mut self, address: u32) -> Result<u32, DriverError> {
        self.send(format_args!("r {address:x}\n"))?;
        self.answer()
    }

    fn write(&mut self, address: u32, value: u32) -> Result<(), DriverError> {
        self.send(format_args!("w {address:x} {value:x}\n"))
    }

    fn wait(&mut self) -> Result<(), DriverError> {
        self.send(format_args!("i\n"))?;
        self.answer().map(drop)
    }
}

impl Drop for Simulation {
    fn drop(&mut self) {
        // At the end of its input the process ends by itself.
        drop(self.requests.take());
        let _ = self.process.wait();
    }
}

/// Compiles and runs the exported test bench; returns its last line, which starts with PASS.
pub fn run_testbench(folder: &Path, limit: Duration) -> Result<String, ToolError> {
    require()?;
    let args = [
        "--binary",
        "--timing",
        "-Wno-fatal",
        "-Wno-lint",
        "--Mdir",
        "bench",
        "--top-module",
        "testbench",
        "-CFLAGS",
        "-O1",
        "-o",
        "testbench",
        "testbench.v",
        "playout.v",
        "propnet.v",
    ];
    tools::run("verilator", &args, folder, limit)?;
    let program = std::path::absolute(folder.join("bench").join("testbench"))
        .map_err(|error| ToolError::File { path: folder.to_owned(), error })?;
    let output = Command::new(&program).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.map_err(|error| ToolError::File { path: program, error })?;
    let text = String::from_utf8_lossy(&output.stdout);
    let verdict = text.lines().find(|line| line.starts_with("PASS") || line.starts_with("FAIL"));
    match verdict {
        Some(line) if line.starts_with("PASS") => Ok(line.to_owned()),
        _ => Err(ToolError::Failed {
            tool: "the test bench".to_owned(),
            status: output.status.to_string(),
            end: text.lines().take(20).collect::<Vec<_>>().join("\n"),
            log: folder.join("testbench.v"),
        }),
    }
}
