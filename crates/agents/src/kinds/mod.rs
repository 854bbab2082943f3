//! The kinds of players; one file and one line in [`KINDS`] each.

mod greedy;
mod random;
mod realtime;
mod searcher;

use crate::player::{Player, Trifle};
use gamegrove_game::{BoxedLanes, Game, Role};
use gamegrove_search::{Part, SettingsError, Team, Value};

/// A kind of player.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name in specs.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub sentence: &'static str,
}

/// All kinds.
pub static KINDS: &[Kind] = &[
    Kind { name: "random", sentence: "plays any legal move" },
    Kind {
        name: "greedy",
        sentence: "looks one step ahead and takes the best goal it sees, or the best rating by `weights`",
    },
    Kind { name: "mcts", sentence: "Monte-Carlo tree search, composed from parts" },
    Kind {
        name: "plan",
        sentence: "of video games: Monte-Carlo tree search that perceives things, composed from parts",
    },
    Kind { name: "genetic", sentence: "of video games: evolves sequences of moves" },
    Kind { name: "one_step", sentence: "of video games: tries every move once and takes the best" },
];

impl Kind {
    /// The kind called `name`.
    pub fn named(name: &str) -> Option<&'static Kind> {
        KINDS.iter().find(|kind| kind.name == name)
    }
}

/// Makes a player.
pub(crate) fn build<G: Game + 'static>(
    part: &Part,
    game: G,
    role: Role,
    seed: u64,
) -> Result<Box<dyn Player<G>>, SettingsError> {
    build_on(part, game, None, role, seed)
}

/// Makes a player that may use lanes of its game.
pub(crate) fn build_on<G: Game + 'static>(
    part: &Part,
    game: G,
    lanes: Option<BoxedLanes<G::State>>,
    role: Role,
    seed: u64,
) -> Result<Box<dyn Player<G>>, SettingsError> {
    match part.name.as_str() {
        "random" => no_options(part).map(|()| random::player(game, role, seed)),
        "greedy" => greedy::player(part, game, role, seed),
        "mcts" => searcher::player(part, game, lanes, role, seed),
        // `build_video` alone makes planners, so that they are compiled for video games only.
        name => Err(match gamegrove_planner::check(part) {
            Some(checked) => checked.err().unwrap_or_else(|| gamegrove_planner::unable(name)),
            None => SettingsError::UnknownName {
                key: "agent".to_owned(),
                name: name.to_owned(),
                nearest: None,
                known: KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", "),
            },
        }),
    }
}

/// As [`build_on`], for a game whose things can be perceived: planners can play it too.
pub(crate) fn build_video<G: Game + 'static>(
    part: &Part,
    game: G,
    lanes: Option<BoxedLanes<G::State>>,
    role: Role,
    seed: u64,
) -> Result<Box<dyn Player<G>>, SettingsError> {
    match part.name.as_str() {
        "plan" => realtime::plan(part, game, role, seed),
        "genetic" => realtime::genetic(part, game, role, seed),
        "one_step" => realtime::one_step(part, game, role, seed),
        _ => build_on(part, game, lanes, role, seed),
    }
}

/// Whether a player would use lanes.
pub(crate) fn suits_lanes(part: &Part) -> bool {
    let team = Team::new(&Trifle, part, 0);
    part.name == "mcts" && team.is_ok_and(|team| team.suits_lanes())
}

fn no_options(part: &Part) -> Result<(), SettingsError> {
    match part.options.first() {
        None => Ok(()),
        Some((key, _)) => Err(SettingsError::UnknownKey {
            part: part.name.clone(),
            key: key.clone(),
            nearest: None,
        }),
    }
}

/// A whole number among the options of a part.
fn whole_number(part: &Part, key: &str, default: u32, most: u32) -> Result<u32, SettingsError> {
    match part.get(key) {
        None => Ok(default),
        Some(Value::Number(n)) if n.fract() == 0.0 && (1.0..=f64::from(most)).contains(n) => {
            Ok(*n as u32)
        }
        Some(other) => Err(SettingsError::BadValue {
            part: part.name.clone(),
            key: key.to_owned(),
            wanted: format!("a whole number between 1 and {most}"),
            value: other.to_string(),
        }),
    }
}
