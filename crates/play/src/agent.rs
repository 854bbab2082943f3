//! Agents as people name them: a named agent, a one-line spec, or a TOML file.

use std::io::Read as _;

use gamegrove_agents::Agent;

/// The largest file that can be an agent.
const LARGEST: u64 = 1 << 20;

/// Reads what was typed for AGENT.
pub fn read_agent(text: &str) -> Result<Agent, String> {
    let is_file = std::path::Path::new(text).extension().is_some_and(|end| end == "toml");
    if !is_file {
        return Agent::find(text)
            .map_err(|error| format!("{error}; `grove agents` lists what there is"));
    }
    let unreadable = |what: &dyn std::fmt::Display| format!("{text}: {what}");
    if !std::fs::metadata(text).map_err(|error| unreadable(&error))?.is_file() {
        return Err(unreadable(&"not a file"));
    }
    let mut toml = String::new();
    let file = std::fs::File::open(text).map_err(|error| unreadable(&error))?;
    file.take(LARGEST + 1).read_to_string(&mut toml).map_err(|error| unreadable(&error))?;
    if toml.len() as u64 > LARGEST {
        return Err(unreadable(&"too large for an agent"));
    }
    let stem = std::path::Path::new(text).file_stem().and_then(|stem| stem.to_str());
    Agent::from_toml(stem.unwrap_or(text), &toml).map_err(|error| error.to_string())
}
