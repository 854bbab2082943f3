//! `grove player`: a GGP player that any game manager can call.

use gamegrove_protocol::{Margin, Seat, SeatConfig, Server};
use serde::Serialize;

use crate::cli::PlayerArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::output::Output;

/// What is reported to tools.
#[derive(Debug, Serialize)]
struct Report<'a> {
    address: String,
    name: &'a str,
    agent: &'a str,
}

/// Runs the command.
pub fn run(args: &PlayerArgs, out: &mut Output) -> Result {
    let config = SeatConfig {
        name: args.name.clone(),
        margin: Margin(args.margin),
        ponder: !args.no_ponder,
        search_at_start: !args.no_start_search,
        seed: args.seed,
        longest_think: args.longest_clock,
        ..SeatConfig::new(args.agent.clone())
    };
    let place = (args.host.as_str(), args.port);
    let server = Server::bind(place, Seat::new(config)).map_err(|error| {
        Failure::usage(
            format!("{}:{} cannot be listened on: {error}", args.host, args.port),
            "choose another --port, or 0 for any that is free",
        )
    })?;
    let server = server.trusting(&args.trusted);
    let address = format!("http://{}", server.address()?);
    if out.is_json() {
        out.value(&Report { address, name: &args.name, agent: &args.agent.name })?;
    } else {
        out.line(format!("{} plays as {} at {address}", args.agent.name, args.name))?;
    }
    // Whoever started this process reads it there before anything else happens.
    out.flush()?;
    server.run()?;
    Ok(Outcome::Fine)
}
