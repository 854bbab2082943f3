//! The agents that come with Gamegrove: the files of `agents/`, inside the program.

use std::sync::OnceLock;

use include_dir::{Dir, include_dir};

use crate::agent::Agent;
use crate::file;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../agents");

/// All of them, sorted by name.
pub(crate) fn all() -> &'static [Agent] {
    static AGENTS: OnceLock<Vec<Agent>> = OnceLock::new();
    AGENTS.get_or_init(|| {
        let mut agents: Vec<Agent> = FILES
            .files()
            .filter(|file| file.path().extension().is_some_and(|extension| extension == "toml"))
            .map(|file| {
                let name = file.path().file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
                let text = file.contents_utf8().unwrap_or("");
                file::read(name, text).expect("a test reads every shipped agent").0
            })
            .collect();
        agents.sort_by(|a, b| a.name.cmp(&b.name));
        agents
    })
}
