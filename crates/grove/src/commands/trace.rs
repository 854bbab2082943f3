//! `grove trace`: replays actions in a video game.

use gamegrove_vgdl::actions;
use gamegrove_vgdl::trace::{Tracer, play};
use serde_json::json;

use super::open_video;
use crate::cli::TraceArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::output::Output;
use gamegrove_play::library::Kind;
use gamegrove_play::load::{LevelChoice, Source, text_file};

/// Runs the command.
pub fn run(args: &TraceArgs, out: &mut Output) -> Result {
    let inputs = [Some(args.game.as_str()), Some(args.actions.as_str()), level_path(&args.level)];
    if inputs.iter().flatten().filter(|input| **input == "-").count() > 1 {
        let message = "only one of the game, the level and the actions can be standard input";
        return Err(Failure::usage(message, "name a file for the others"));
    }
    // Nothing but VGDL can be traced, whatever the file is called.
    let source = match Source::open(&args.game)? {
        source if source.kind == Kind::Gdl && !source.is_shipped() => source.read_as(Kind::Vgdl),
        source => source,
    };
    let video = open_video(&source, &args.level, out)?;
    let text = text_file(&args.actions)?;
    let text = String::from_utf8_lossy(&text);
    let actions = actions::parse(&text, video.world.rules.players).map_err(|bad| {
        Failure::usage(
            format!("{} is no list of actions: {bad}", args.actions),
            "write one line a tick, with one action per player; `grove trace --help` says more",
        )
    })?;
    if !args.no_header {
        let mut header = Tracer::new(&video.world).header(&video.name, video.level);
        header["seed"] = json!(args.seed);
        out.json_line(&header)?;
    }
    play(&video.world, &actions, args.seed, |line| out.json_line(&line))?;
    Ok(Outcome::Fine)
}

fn level_path(level: &LevelChoice) -> Option<&str> {
    match level {
        LevelChoice::Path(path) => Some(path),
        LevelChoice::Number(_) => None,
    }
}
