//! A description of a player.

use gamegrove_game::{BoxedLanes, Game, Role};
use gamegrove_search::Tunables;
use gamegrove_settings::toml::Places;
use gamegrove_settings::{
    Parameter, Part, SettingsError, TextError, Value, did_you_mean, exclusions, nearest, set_over,
    spec,
};

use crate::kinds::{self, Kind};
use crate::player::Player;
use crate::{file, library};

/// A description of a player: what it is called, and what it is made of.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Agent {
    /// Its name: that in the library, its file, or its spec.
    pub name: String,
    /// A title for people; empty if it was given as a spec.
    pub title: String,
    /// Its description, in one sentence.
    pub sentence: String,
    /// The work it comes from.
    pub source: String,
    /// Its settings.
    pub part: Part,
    /// What it is made of in games whose things can be perceived, if that is something else: video
    /// games ask for other parts than board games.
    pub video: Option<Part>,
}

/// Makes a player of one role from the agent that describes it: [`Agent::player_on`], or
/// [`Agent::video_player_on`] for a video game. Code that works with games of any type is handed one of
/// them with the game.
pub type Maker<G> = fn(
    &Agent,
    G,
    Option<BoxedLanes<<G as Game>::State>>,
    Role,
    u64,
) -> Result<Box<dyn Player<G>>, AgentError>;

/// The reason why there is no such agent.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AgentError {
    /// No agent is called that.
    #[error("no agent is called `{name}`{}", did_you_mean(nearest.as_deref()))]
    Unknown {
        /// The name.
        name: String,
        /// The nearest there is.
        nearest: Option<String>,
    },
    /// A spec that cannot be read.
    #[error(transparent)]
    Spec(#[from] spec::SpecError),
    /// A file that cannot be read.
    #[error("agent {name}: {problem}")]
    File {
        /// The agent's name.
        name: String,
        /// The problem.
        problem: String,
    },
    /// Settings that make no sense.
    #[error("agent {name}: {error}{place}")]
    Settings {
        /// The agent's name.
        name: String,
        /// The problem.
        error: Box<SettingsError>,
        /// Where, in parentheses; empty if that is not known.
        place: String,
    },
}

impl Agent {
    /// All named agents, sorted by name.
    pub fn all() -> &'static [Agent] {
        library::all()
    }

    /// The agent that a text on the command line means: a name, a one-line spec, or a name with
    /// options, which then replace those of the named agent.
    pub fn find(text: &str) -> Result<Agent, AgentError> {
        let text = text.trim();
        if let Some(agent) = Agent::all().iter().find(|agent| agent.name == text) {
            return Ok(agent.clone());
        }
        let (part, places) = spec::parse_placed(text)?;
        let place = |at: usize| format!(" (character {})", text[..at].chars().count() + 1);
        if Kind::named(&part.name).is_none() {
            if let Some(base) = Agent::all().iter().find(|agent| agent.name == part.name) {
                let parameters = Kind::parameters_of(&base.part.name);
                exclusions(&part, parameters).map_err(|error| base.wrong(error))?;
                let part = changed(&base.part, &part.options, parameters);
                let agent = Agent { name: text.to_owned(), part, ..Agent::default() };
                return agent.checked(&places, place);
            }
            let known = Agent::all().iter().map(|agent| agent.name.as_str());
            let known = known.chain(kinds::KINDS.iter().map(|kind| kind.name));
            return Err(AgentError::Unknown {
                nearest: nearest(&part.name, known).map(str::to_owned),
                name: part.name,
            });
        }
        Agent { name: text.to_owned(), part, ..Agent::default() }.checked(&places, place)
    }

    /// The agent of a TOML file's text.
    pub fn from_toml(name: &str, text: &str) -> Result<Agent, AgentError> {
        let (agent, places) = file::read(name, text)?;
        agent.checked(&places, |at| {
            let TextError { line, column, .. } = TextError::at(text, at, "");
            format!(" (line {line}, column {column})")
        })
    }

    /// The agent as the text of a TOML file, which [`from_toml`](Agent::from_toml) reads.
    pub fn to_toml(&self) -> String {
        file::write(self)
    }

    /// The parameters with these names, as tuners know them.
    pub fn tunables(&self, names: &[String]) -> Result<Tunables, AgentError> {
        Tunables::new(&self.part, names).map_err(|error| self.wrong(error))
    }

    /// Its settings in a game.
    pub fn part_for<G: Game>(&self, game: &G) -> &Part {
        self.video.as_ref().filter(|_| game.senses().is_some()).unwrap_or(&self.part)
    }

    /// A player of `role` of `game` as described. Equal seeds make equal players.
    pub fn player<G: Game + 'static>(
        &self,
        game: G,
        role: Role,
        seed: u64,
    ) -> Result<Box<dyn Player<G>>, AgentError> {
        kinds::build(self.part_for(&game), game, role, seed).map_err(|error| self.wrong(error))
    }

    /// As [`player`](Agent::player), with play-outs on lanes of the game, if there are any and the
    /// agent's parts allow that.
    pub fn player_on<G: Game + 'static>(
        &self,
        game: G,
        lanes: Option<BoxedLanes<G::State>>,
        role: Role,
        seed: u64,
    ) -> Result<Box<dyn Player<G>>, AgentError> {
        let part = self.part_for(&game);
        kinds::build_on(part, game, lanes, role, seed).map_err(|error| self.wrong(error))
    }

    /// As [`player_on`](Agent::player_on), for a video game: agents that plan can play it too.
    pub fn video_player_on<G: Game + 'static>(
        &self,
        game: G,
        lanes: Option<BoxedLanes<G::State>>,
        role: Role,
        seed: u64,
    ) -> Result<Box<dyn Player<G>>, AgentError> {
        let part = self.part_for(&game);
        kinds::build_video(part, game, lanes, role, seed).map_err(|error| self.wrong(error))
    }

    /// Whether [`player_on`](Agent::player_on) has a use for lanes. Making them takes time.
    pub fn suits_lanes(&self) -> bool {
        kinds::suits_lanes(&self.part)
    }

    /// Tries the settings on the smallest game there is, so that mistakes show at once.
    fn checked(self, places: &Places, say: impl Fn(usize) -> String) -> Result<Agent, AgentError> {
        for part in std::iter::once(&self.part).chain(&self.video) {
            match kinds::build(part, crate::player::Trifle, Role(0), 0) {
                // What a game cannot do shows only with that game.
                Ok(_) | Err(SettingsError::Unable { .. }) => {}
                Err(error) => {
                    let place = places.of(&error).map_or(String::new(), &say);
                    let (name, error) = (self.name.clone(), Box::new(error));
                    return Err(AgentError::Settings { name, error, place });
                }
            }
        }
        Ok(self)
    }

    fn wrong(&self, error: SettingsError) -> AgentError {
        let (name, place) = (self.name.clone(), String::new());
        AgentError::Settings { name, error: Box::new(error), place }
    }
}

/// The part with these options instead of its own. Options of a strategy that stays the same are
/// replaced one by one: `ap(select=grave(c=0.5))` keeps all else that `ap` says of GRAVE. Own options that a
/// new one excludes are left out.
fn changed(base: &Part, options: &[(String, Value)], parameters: &[Parameter]) -> Part {
    let mut part = base.clone();
    for (key, value) in options {
        match (part.options.iter_mut().find(|(known, _)| known == key), value) {
            // No deeper than what was read, which has a limit.
            (Some((_, Value::Part(old))), Value::Part(new)) if new.name == old.name => {
                *old = changed(old, &new.options, &[]);
            }
            _ => set_over(&mut part, key, value.clone(), parameters),
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_specs_are_found() {
        assert_eq!(Agent::find("random").unwrap().part, Part::named("random"));
        assert_eq!(Agent::find("mcts(select=uct(c=0.5))").unwrap().part.name, "mcts");
    }

    #[test]
    fn named_agents_are_changed_option_by_option() {
        let changed = Agent::find("ap(select=grave(c=0.5), playout=random, t=5)").unwrap();
        let same = "mcts(depth_limit=500, final=mean, keep_steps=2, playout=random, reuse=graph, \
                    select=grave(c=0.5, fpu=1, k=250, ref=50, vo=0.01), t=5)";
        assert_eq!(changed.part.to_string(), same);
        assert_eq!(Agent::find("ap()").unwrap().part, Agent::find("ap").unwrap().part);
        let found = |text: &str| Agent::find(text).unwrap().part;
        let grove = found("grove_grave");
        assert!(grove.get("solver").is_some() && grove.get("endgame").is_some(), "{grove}");
        let open = found("grove_grave(tree=open)");
        assert_eq!((open.get("solver"), open.get("endgame")), (None, None), "{open}");
        let message = |text: &str| Agent::find(text).unwrap_err().to_string();
        assert!(
            message("ap(solver=select, tree=open)").contains("`solver=select` and `tree=open`")
        );
        assert!(message("ap(selct=uct)").contains("did you mean `select`?"));
        assert!(message("app(t=5)").contains("did you mean `ap`?"));
    }

    #[test]
    fn mistakes_say_what_was_meant() {
        let message = |text: &str| Agent::find(text).unwrap_err().to_string();
        assert_eq!(message("randm"), "no agent is called `randm`; did you mean `random`?");
        assert_eq!(
            message("mcts(selct=uct)"),
            "agent mcts(selct=uct): `mcts` has no option `selct`; did you mean `select`? (character 6)"
        );
        assert!(message("mcts(select=grav)").contains("did you mean `grave`?"));
        assert!(message("mcts(select=uct(c=-1))").contains("`c` of `uct` must be a number"));
    }

    #[test]
    fn every_named_agent_is_sound_and_told() {
        assert!(Agent::all().len() >= 10);
        for agent in Agent::all() {
            assert!(!agent.title.is_empty() && !agent.sentence.is_empty(), "{}", agent.name);
            assert!(!agent.source.is_empty(), "{}", agent.name);
            let checked = agent.clone().checked(&Places::default(), |_| String::new());
            checked.unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
