//! The binary as its users meet it: what they type, what they read, the exit code.

mod bench;
mod check;
mod draw;
mod experiment;
mod frozen;
mod games;
mod help;
mod hostile;
mod octagon;
mod pages;
mod perft;
mod play;
mod propnet;
mod search;
mod trace;
mod tune;
mod video;
mod wires;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What a run of `grove` left behind.
#[derive(Debug)]
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Run {
    /// The one JSON value on standard output.
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Runs `grove` with nothing on standard input.
fn grove(args: &[&str]) -> Run {
    grove_with(args, b"")
}

/// Runs `grove` with `input` on standard input.
fn grove_with(args: &[&str], input: &[u8]) -> Run {
    let mut child = command(args).spawn().expect("grove starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    let input = input.to_vec();
    // A thread, because a run that does not read its input must not block the test.
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("grove ends");
    writer.join().expect("the input is written");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("text on standard output"),
        stderr: String::from_utf8(output.stderr).expect("text on standard error"),
    }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grove"));
    command.args(args).current_dir(folder());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// Where the tests run and keep their files.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// Writes a file that the test can name; each test needs names of its own.
fn file(name: &str, content: impl AsRef<[u8]>) -> &str {
    std::fs::write(folder().join(name), content).expect("the folder for tests can be written");
    name
}
