//! The TOML form of an agent: what people want to know about it, and its parts as tables.
//!
//! ```toml
//! title = "GRAVE with MAST"
//! sentence = "..."
//! source = "..."
//!
//! [agent]
//! name = "mcts"
//! playout = "mast(epsilon=0.4)"          # a one-line spec, or a table:
//! select = { name = "grave", c = 0.2, ref = 50 }
//!
//! [video]                                # if it is made of something else in video games
//! name = "plan"
//! ```

use gamegrove_search::{Part, Value};

use crate::agent::{Agent, AgentError};
use crate::spec;

/// Reads an agent from TOML. `name` is what it is called.
pub(crate) fn read(name: &str, text: &str) -> Result<Agent, AgentError> {
    let bad = |problem: String| AgentError::File { name: name.to_owned(), problem };
    let table: toml::Table = text.parse().map_err(|e: toml::de::Error| bad(e.to_string()))?;
    let mut agent = Agent { name: name.to_owned(), ..Agent::default() };
    let mut part = None;
    for (key, value) in &table {
        let text = || match value.as_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err(bad(format!("`{key}` must be a text in quotes"))),
        };
        match key.as_str() {
            "title" => agent.title = text()?,
            "sentence" => agent.sentence = text()?,
            "source" => agent.source = text()?,
            "agent" => match read_value(key, value).map_err(bad)? {
                Value::Part(given) => part = Some(given),
                _ => return Err(bad("`agent` must be a table with a `name`".to_owned())),
            },
            "video" => match read_value(key, value).map_err(bad)? {
                Value::Part(given) => agent.video = Some(given),
                _ => return Err(bad("`video` must be a table with a `name`".to_owned())),
            },
            _ => {
                let known = "title, sentence, source, agent and video";
                return Err(bad(format!("unknown key `{key}`; an agent's file has {known}")));
            }
        }
    }
    agent.part = part.ok_or_else(|| bad("the table `[agent]` is missing".to_owned()))?;
    Ok(agent)
}

fn read_value(key: &str, value: &toml::Value) -> Result<Value, String> {
    match value {
        toml::Value::Integer(number) => Ok(Value::Number(*number as f64)),
        toml::Value::Float(number) if !number.is_nan() => Ok(Value::Number(*number)),
        toml::Value::Boolean(flag) => Ok(Value::Flag(*flag)),
        toml::Value::String(text) => {
            spec::parse(text).map(Value::Part).map_err(|error| format!("`{key}`: {error}"))
        }
        toml::Value::Table(table) => {
            // `tune = { strategy = "ntbea", ... }` reads better than a name.
            let named = if table.contains_key("name") { "name" } else { "strategy" };
            let name = table.get(named).and_then(toml::Value::as_str);
            let name = name.ok_or_else(|| format!("`{key}` needs a `name` in quotes"))?;
            let mut part = Part::named(name);
            for (key, value) in table.iter().filter(|(key, _)| *key != named) {
                part.options.push((key.clone(), read_value(key, value)?));
            }
            Ok(Value::Part(part))
        }
        toml::Value::Array(values) => {
            let values = values.iter().map(|value| read_value(key, value));
            Ok(Value::List(values.collect::<Result<_, _>>()?))
        }
        other => Err(format!(
            "`{key}` must be a number, a flag, a text, a list or a table, not a {}",
            other.type_str()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_specs_mean_the_same() {
        let text = "title = 'T'\n[agent]\nname = 'mcts'\nplayout = 'mast(epsilon=0.4)'\n\
                    select = { name = 'grave', c = 0.2, ref = inf }";
        let agent = read("x", text).unwrap();
        let spec = "mcts(playout=mast(epsilon=0.4), select=grave(c=0.2, ref=inf))";
        let mut wanted = spec::parse(spec).unwrap();
        wanted.options.sort_by(|a, b| a.0.cmp(&b.0));
        let mut got = agent.part;
        got.options.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(got, wanted);
        assert_eq!(agent.title, "T");
    }

    #[test]
    fn mistakes_are_named() {
        let message = |text: &str| read("x", text).unwrap_err().to_string();
        assert!(message("tilte = 'T'").contains("unknown key `tilte`"));
        assert!(message("title = 1").contains("`title` must be a text"));
        assert!(message("").contains("`[agent]` is missing"));
        assert!(message("[agent]\nselect = 'uct'").contains("`agent` needs a `name`"));
        assert!(message("[agent]\nname='mcts'\nselect = 1979-05-27").contains("must be a number"));
        assert!(message("[agent").contains("x"));
    }
}
