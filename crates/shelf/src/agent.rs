//! Agents as people name them: a named agent, a one-line spec, or a TOML file.

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
    let size = std::fs::metadata(text).map_err(|error| unreadable(&error))?.len();
    if size > LARGEST {
        return Err(unreadable(&"too large for an agent"));
    }
    let toml = std::fs::read_to_string(text).map_err(|error| unreadable(&error))?;
    let stem = std::path::Path::new(text).file_stem().and_then(|stem| stem.to_str());
    Agent::from_toml(stem.unwrap_or(text), &toml).map_err(|error| error.to_string())
}
