//! `grove`: the command line of Gamegrove. Thin: it reads options and files, calls the libraries,
//! and shows what they return.

mod agent;
mod board;
mod cli;
mod commands;
mod distinct;
mod failure;
mod joints;
mod library;
mod load;
mod measure;
mod memory;
mod names;
mod output;
mod parallel;
mod progress;
mod prompt;
mod reasoner;
mod render;
mod session;
mod text;
mod trial;
mod units;
mod walk;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    commands::run(cli::Cli::parse())
}
