//! `grove`: the command line of Gamegrove. Thin: it reads options and files, calls the libraries,
//! and shows what they return.

mod arcade;
mod cli;
mod commands;
mod failure;
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
mod video_match;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    commands::run(cli::Cli::parse())
}
