//! `grove serve`: the browser interface.

use gamegrove_web::{Config, Server, is_built};
use serde::Serialize;

use crate::cli::ServeArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::output::Output;

/// What is reported to tools.
#[derive(Debug, Serialize)]
struct Report {
    address: String,
    /// Whether the page is in this program.
    page: bool,
}

/// Runs the command.
pub fn run(args: &ServeArgs, out: &mut Output) -> Result {
    let config = Config {
        host: args.host.clone(),
        port: args.port,
        names: args.allow_host.clone(),
        experiments: args.experiments.clone(),
        ..Config::default()
    };
    let server = Server::bind(config).map_err(|error| {
        Failure::usage(
            format!("{}:{} cannot be listened on: {error}", args.host, args.port),
            "choose another --port, or 0 for any that is free",
        )
    })?;
    let address = format!("http://{}", server.address()?);
    if !is_built() {
        out.note("the page is not in this program: install npm and build again");
    }
    if out.is_json() {
        out.value(&Report { address, page: is_built() })?;
    } else {
        out.line(format!("open {address} in a browser"))?;
    }
    // Whoever started this process reads it there before anything else happens.
    out.flush()?;
    server.run()?;
    Ok(Outcome::Fine)
}
