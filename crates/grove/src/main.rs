//! `grove`: the command line of Gamegrove. Thin: it reads options and files, calls the libraries,
//! and shows what they return.
//!
//! # Modules
//!
//! - [`cli`] says what can be typed, [`commands`] has one file per command, [`make`] the options of
//!   `grove games make`.
//! - [`session`] and [`prompt`] are a person at the terminal, [`position`] reads typed moves.
//!   [`arcade`], [`screen`] and [`video_match`] are video games there.
//! - [`output`], [`arcade`] and [`progress`] (bars for long work) are the only modules that write to the
//!   terminal. [`render`] draws diagnostics.
//! - [`failure`] has the exit codes, [`recorder`] and [`target`] write files, [`machine`] and [`memory`]
//!   say how a report was made.

mod arcade;
mod cli;
mod commands;
mod failure;
mod idle;
mod machine;
mod make;
mod memory;
mod output;
mod position;
mod progress;
mod prompt;
mod recorder;
mod render;
mod screen;
mod session;
mod target;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    commands::run(cli::Cli::parse())
}
