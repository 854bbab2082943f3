//! What `grove serve` takes.

use std::path::PathBuf;

use clap::Args;

/// What `grove serve` takes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grove serve
  grove serve --port 9000 --experiments results
  grove serve --host 0.0.0.0 --allow-host games.example

Then open the address it prints in a browser. Only this machine is heard unless --host says otherwise.
Nothing is asked of other machines.")]
pub struct ServeArgs {
    /// The port to listen on; 0 is any that is free
    #[arg(long, value_name = "PORT", default_value_t = 8080)]
    pub port: u16,

    /// The address to listen on; 0.0.0.0 hears other machines too
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub host: String,

    /// A name under which it may be called, besides localhost and addresses
    #[arg(long, value_name = "NAME")]
    pub allow_host: Vec<String>,

    /// The folder with the results of experiments: NAME.sqlite, and NAME.toml of your own
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub experiments: PathBuf,
}
