//! One file per command, and what happens around all of them.

mod agents;
mod agree;
mod bench;
mod check;
mod chunks;
mod compare_games;
mod contest;
mod draw;
mod experiment;
mod experiments;
mod games;
mod games_table;
mod make_game;
mod match_;
mod match_video;
mod perft;
mod play;
mod play_video;
mod player;
mod propnet;
mod propnet_hardware;
mod referee;
mod search;
mod serve;
mod show_native;
mod show_video;
mod trace;
mod tune;
mod watch;

use std::process::ExitCode;
use std::sync::Arc;

use gamegrove_game::Fault;
use gamegrove_gdl::Rulesheet;

use crate::cli::{Cli, Command, RuleOptions};
use crate::failure::{Failure, Result};
use crate::output::Output;
use crate::render::Renderer;
use gamegrove_play::library::Kind;
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::text::tame;
use gamegrove_play::units::plural;
use gamegrove_play::video::{self, Video};
use gamegrove_play::{Board, Problem, Rules, Setup, open_rules, picture};

/// Runs a command and reports how it went.
pub fn run(cli: Cli) -> ExitCode {
    // The lines of a trace are JSON anyway.
    let json = cli.json || matches!(cli.command, Command::Trace(_));
    let mut out = Output::new(json, cli.color);
    let result = match cli.command {
        Command::Check(args) => check::run(&args, &mut out),
        Command::Draw(args) => draw::run(&args, &mut out),
        Command::Games(args) => games::run(&args, &mut out),
        Command::Perft(args) => perft::run(&args, &mut out),
        Command::Agree(args) => agree::run(&args, &mut out),
        Command::Bench(args) => bench::run(&args, &mut out),
        Command::Propnet(args) => propnet::run(&args, &mut out),
        Command::Play(args) => play::run(&args, &mut out),
        Command::Agents(args) => agents::run(&args, &mut out),
        Command::Search(args) => search::run(&args, &mut out),
        Command::Match(args) => match_::run(&args, &mut out),
        Command::Tune(args) => tune::run(&args, &mut out),
        Command::Watch(args) => watch::run(&args, &mut out),
        Command::Player(args) => player::run(&args, &mut out),
        Command::Referee(args) => referee::run(&args, &mut out),
        Command::Experiments(args) => experiments::run(&args, &mut out),
        Command::Experiment(args) => experiment::run(&args, &mut out),
        Command::Serve(args) => serve::run(&args, &mut out),
        Command::Trace(args) => trace::run(&args, &mut out),
    };
    match result.and_then(|outcome| out.flush().map(|()| outcome)) {
        Ok(outcome) => ExitCode::from(outcome as u8),
        Err(failure) => {
            if !failure.is_closed_pipe() {
                report(&failure, &mut out);
            }
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Says on standard error why a command stopped.
fn report(failure: &Failure, out: &mut Output) {
    /// `grove check` shows more.
    const MOST: usize = 5;
    let mut help = failure.help().to_owned();
    if let Failure::Problem(Problem::Rules { game, text, found }) = failure {
        let renderer = Renderer::new(out.error_style);
        for error in found.iter().filter(|found| found.is_error()).take(MOST) {
            out.error_picture(&format!("{}\n", renderer.diagnostic(text, error)));
        }
        help = format!("`grove check {game}` shows all findings");
    }
    complain(&failure.to_string(), &help, out);
}

/// Says on standard error what is wrong and what to do about it.
fn complain(message: &str, help: &str, out: &mut Output) {
    let (bold, off) = if out.error_style.colour { ("\u{1b}[1;31m", "\u{1b}[0m") } else { ("", "") };
    out.error_picture(&format!("{bold}error{off}: {}\n", tame(message)));
    if !help.is_empty() {
        out.note(format!("  help: {help}"));
    }
}

/// The rules of a game, with a word about warnings on standard error.
fn rules(source: &Source, options: RuleOptions, out: &mut Output) -> Result<Rulesheet> {
    let sheet = source.rulesheet(options.reading.into())?;
    if !sheet.warnings.is_empty() {
        let warnings = plural(sheet.warnings.len(), "warning");
        out.note(format!("{}: {warnings}; `grove check` shows them", source.name));
    }
    Ok(sheet)
}

/// The rules of any game but a video game, with a word about warnings on standard error.
fn any_rules(source: &Source, options: RuleOptions, out: &mut Output) -> Result<Rules> {
    match source.kind {
        Kind::Native => Ok(source.rules(options.reading.into())?),
        Kind::Gdl | Kind::Vgdl => {
            video::require(source, Kind::Gdl)?;
            Ok(Rules::Sheet(Box::new(rules(source, options, out)?)))
        }
    }
}

/// An error if a command that asks about single states is to use lanes.
fn no_lanes(reasoner: Reasoner) -> Result<()> {
    match reasoner {
        Reasoner::Lanes => Err(Failure::usage(
            "lanes play random games and nothing else",
            "use --reasoner propnet here, and lanes with `grove bench`, search, match or play",
        )),
        _ => Ok(()),
    }
}

/// Sets a game up, with a word on standard error about the reasoner where there was a choice.
fn board(source: &Source, rules: Rules, setup: &Setup, out: &mut Output) -> Result<Arc<dyn Board>> {
    let board = open_rules(source, rules, setup)?;
    board.about().remarks.iter().for_each(|remark| out.note(remark));
    Ok(board)
}

/// As [`board`], for a game that is drawn: mistakes in what a file beside the rules says about the board
/// are errors.
fn drawn_board(
    source: &Source,
    rules: Rules,
    setup: &Setup,
    out: &mut Output,
) -> Result<Arc<dyn Board>> {
    // Boards of shipped games were tried.
    if let Rules::Sheet(sheet) = &rules
        && !source.is_shipped()
    {
        picture::layout(source, sheet)?;
    }
    board(source, rules, setup, out)
}

/// A limit of the reasoner ended a game.
pub fn stopped(fault: &Fault) -> Failure {
    Failure::broken(format!("the game stopped: {fault}"), "")
}

/// Opens a level of a video game to play it, with a word about findings on standard error.
fn open_video(source: &Source, choice: &LevelChoice, out: &mut Output) -> Result<Video> {
    let video = video::load(source, choice)?;
    video.remarks.iter().for_each(|remark| out.note(remark));
    Ok(video)
}
