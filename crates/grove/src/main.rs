//! `grove`: the command line of Gamegrove. Thin: it reads options and files, calls the libraries,
//! and shows what they return.

mod agent;
mod arcade;
mod board;
mod cli;
mod commands;
mod compare;
mod distinct;
mod drawing;
mod failure;
mod fastest;
mod fingerprint;
mod follow;
mod joints;
mod library;
mod load;
mod make;
mod measure;
mod memory;
mod metadata;
mod names;
mod notice;
mod output;
mod parallel;
mod progress;
mod prompt;
mod reasoner;
mod render;
mod screen;
mod session;
mod statistics;
mod text;
mod trial;
mod units;
mod video;
mod video_match;
mod video_speed;
mod walk;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    commands::run(cli::Cli::parse())
}
