//! `grove`: the command line of Gamegrove. Thin: it reads options and files, calls the libraries,
//! and shows what they return.

mod arcade;
mod cli;
mod commands;
mod compare;
mod failure;
mod fingerprint;
mod follow;
mod lane_speed;
mod machine;
mod make;
mod measure;
mod memory;
mod output;
mod position;
mod progress;
mod prompt;
mod recorder;
mod render;
mod screen;
mod session;
mod statistics;
mod target;
mod trees;
mod trial;
mod video_match;
mod video_speed;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    commands::run(cli::Cli::parse())
}
