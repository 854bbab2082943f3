//! The TOML form of an agent, read and written: what people want to know about it, and its parts as tables.
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

use gamegrove_settings::toml::{Places, quoted, write_value, written_key};
use gamegrove_settings::{Part, read_text};

use crate::agent::{Agent, AgentError};

/// Reads an agent from TOML, with the places of its options. `name` is what it is called.
pub(crate) fn read(name: &str, text: &str) -> Result<(Agent, Places), AgentError> {
    let mut places = Places::default();
    let agent = read_text(text, |root| {
        Ok(Agent {
            name: name.to_owned(),
            title: root.text_if_any("title")?.to_owned(),
            sentence: root.text_if_any("sentence")?.to_owned(),
            source: root.text_if_any("source")?.to_owned(),
            part: root.part("agent", &mut places)?,
            video: root.part_if_any("video", &mut places)?,
        })
    });
    match agent {
        Ok(agent) => Ok((agent, places)),
        Err(error) => Err(AgentError::File { name: name.to_owned(), problem: error.to_string() }),
    }
}

/// Writes an agent as TOML: what people want to know, then its parts, one option a line.
pub(crate) fn write(agent: &Agent) -> String {
    let mut text = String::new();
    let told = [("title", &agent.title), ("sentence", &agent.sentence), ("source", &agent.source)];
    for (key, value) in told.into_iter().filter(|(_, value)| !value.is_empty()) {
        text.push_str(&format!("{key} = {}\n", quoted(value)));
    }
    let Part { name, options } = &agent.part;
    text.push_str(&format!("\n[agent]\nname = {}\n", quoted(name)));
    for (key, value) in options {
        text.push_str(&format!("{} = {}\n", written_key(key), write_value(value)));
    }
    text
}

#[cfg(test)]
mod tests {
    use gamegrove_settings::{Value, spec};

    use super::*;

    #[test]
    fn tables_and_specs_mean_the_same() {
        let text = "title = 'T'\n[agent]\nname = 'mcts'\nplayout = 'mast(epsilon=0.4)'\n\
                    select = { name = 'grave', c = 0.2, ref = inf }";
        let (agent, _) = read("x", text).unwrap();
        let spec = "mcts(playout=mast(epsilon=0.4), select=grave(c=0.2, ref=inf))";
        let mut wanted = spec::parse(spec).unwrap();
        wanted.options.sort_by(|a, b| a.0.cmp(&b.0));
        let mut got = agent.part;
        got.options.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(got, wanted);
        assert_eq!(agent.title, "T");
    }

    #[test]
    fn tuning_reads_as_a_strategy_with_parameters() {
        let line =
            "tune = { strategy = \"ntbea\", parameters = [\"c\", \"k\", \"ref\", \"epsilon\"] }";
        let text = format!("[agent]\nname = 'mcts'\nselect = 'grave'\nplayout = 'mast'\n{line}");
        let agent = Agent::from_toml("x", &text).unwrap();
        let spec = "mcts(select=grave, playout=mast, tune=ntbea(parameters=[c, k, ref, epsilon]))";
        assert_eq!(sorted(&agent.part), sorted(&Agent::find(spec).unwrap().part));
        let wrong = text.replace("epsilon", "epsilom");
        let message = Agent::from_toml("x", &wrong).unwrap_err().to_string();
        assert!(message.contains("did you mean `epsilon`?"), "{message}");
    }

    #[test]
    fn what_is_written_reads_back() {
        for agent in crate::library::all() {
            let back = read(&agent.name, &write(agent));
            let (back, _) = back.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(sorted(&back.part), sorted(&agent.part), "{}", write(agent));
            assert_eq!((&back.title, &back.source), (&agent.title, &agent.source));
        }
        let spec = "mcts(table=false, t=inf, tune=ntbea(parameters=[c, k], lengths=all))";
        let title = "quotes \" and \\ and\nlines\u{7f}".to_owned();
        let agent = Agent { title, part: spec::parse(spec).unwrap(), ..Agent::default() };
        let (back, _) = read("x", &write(&agent)).unwrap();
        assert_eq!(back.title, agent.title);
        assert_eq!(sorted(&back.part), sorted(&agent.part), "{}", write(&agent));
    }

    /// The same part with its options by name, as TOML gives them back.
    fn sorted(part: &Part) -> Part {
        let mut part = part.clone();
        for (_, value) in &mut part.options {
            if let Value::Part(inner) = value {
                *inner = sorted(inner);
            }
        }
        part.options.sort_by(|a, b| a.0.cmp(&b.0));
        part
    }

    #[test]
    fn mistakes_are_named() {
        let message = |text: &str| read("x", text).unwrap_err().to_string();
        let key = "agent x: line 1, column 1: unknown key `tilte`; did you mean `title`?";
        assert_eq!(message("tilte = 'T'\nagent = 'random'"), key);
        assert!(
            message("title = 1").contains("line 1, column 9: `title` is 1, but must be a text")
        );
        assert!(message("").contains("the key `agent` is missing"));
        assert!(message("agent = 3").contains("`agent` must be a table with a `name`"));
        assert!(message("[agent]\nselect = 'uct'").contains("`agent` needs a `name`"));
        assert!(message("[agent]\nname='mcts'\nselect = 1979-05-27").contains("must be a number"));
        assert!(message("[agent").contains("x"));
        let wrong = |text: &str| Agent::from_toml("x", text).unwrap_err().to_string();
        assert_eq!(
            wrong("[agent]\nname = 'mcts'\nselct = 'uct'"),
            "agent x: `mcts` has no option `selct`; did you mean `select`? (line 3, column 1)"
        );
        assert!(
            wrong("[agent]\nname = 'mcts'\nselect = 'uct(c=0.2, fp=1)'")
                .ends_with("did you mean `fpu`? (line 3, column 22)")
        );
    }
}
