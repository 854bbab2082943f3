//! Prints what happens when a sequence of actions is played.
//!
//! `trace DESCRIPTION LEVEL ACTIONS [SEED]`: three files and the seed of the framework's generator.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for people")]

use std::process::ExitCode;

use gamegrove_vgdl::level::World;
use gamegrove_vgdl::rules::compile;
use gamegrove_vgdl::trace;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [description, level, actions, rest @ ..] = arguments.as_slice() else {
        eprintln!("usage: trace DESCRIPTION LEVEL ACTIONS [SEED]");
        return ExitCode::FAILURE;
    };
    let read = |path: &String| {
        std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    let (text, level_text, actions) = match (read(description), read(level), read(actions)) {
        (Ok(a), Ok(b), Ok(c)) => (a, b, c),
        (a, b, c) => {
            for error in [a.err(), b.err(), c.err()].into_iter().flatten() {
                eprintln!("{error}");
            }
            return ExitCode::FAILURE;
        }
    };
    let compiled = compile(&text);
    for finding in &compiled.findings {
        let (line, column) = finding.line_column(&text);
        eprintln!("{description}:{line}:{column}: {finding}");
    }
    let loaded = World::load(&compiled.rules, &level_text);
    for finding in &loaded.findings {
        eprintln!("{level}: {finding}");
    }
    let Some(world) = loaded.world else { return ExitCode::FAILURE };
    let actions = match trace::parse_actions(&actions, world.rules.players) {
        Ok(actions) => actions,
        Err((line, word)) => {
            eprintln!("line {line}: `{word}` is no action");
            return ExitCode::FAILURE;
        }
    };
    let seed = rest.first().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    println!("{}", trace::Tracer::new(&world).header(description, 0));
    trace::play(&world, &actions, seed, |line| println!("{line}"));
    ExitCode::SUCCESS
}
