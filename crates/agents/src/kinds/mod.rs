//! The kinds of players; one file and one line in [`KINDS`] each.

mod greedy;
mod random;
mod realtime;
mod searcher;

use crate::player::{Player, Trifle};
use gamegrove_game::{BoxedLanes, Game, Role};
use gamegrove_search::Team;
use gamegrove_settings::{Composition, Options, Parameter, Part, SettingsError, unknown_name};

/// A kind of player.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name in specs.
    pub name: &'static str,
    /// Its description, in one sentence.
    pub sentence: &'static str,
    /// Its options.
    pub parameters: &'static [Parameter],
}

/// All kinds.
pub static KINDS: &[Kind] = &[
    Kind { name: "random", sentence: "plays any legal move", parameters: &[] },
    Kind {
        name: "greedy",
        sentence: "looks one step ahead and takes the best goal it sees, or the best rating by `weights`",
        parameters: greedy::PARAMETERS,
    },
    Kind {
        name: "mcts",
        sentence: "Monte-Carlo tree search, composed from parts",
        parameters: gamegrove_search::PARAMETERS,
    },
    Kind {
        name: "plan",
        sentence: "Monte-Carlo tree search for video games that perceives things, composed from parts",
        parameters: gamegrove_planner::PLAN_PARAMETERS,
    },
    Kind {
        name: "genetic",
        sentence: "evolves sequences of moves, for video games",
        parameters: gamegrove_planner::GENETIC_PARAMETERS,
    },
    Kind {
        name: "one_step",
        sentence: "tries every move once and takes the best, for video games",
        parameters: gamegrove_planner::ONE_STEP_PARAMETERS,
    },
];

impl Kind {
    /// The kind called `name`.
    pub fn named(name: &str) -> Option<&'static Kind> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    /// The options of the kind called `name`; none if there is no such kind.
    pub fn parameters_of(name: &str) -> &'static [Parameter] {
        Kind::named(name).map_or(&[], |kind| kind.parameters)
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
        "random" => {
            Options::new(part, &mut Composition::<()>::default()).finish()?;
            Ok(random::player(game, role, seed))
        }
        "greedy" => greedy::player(part, game, role, seed),
        "mcts" => searcher::player(part, game, lanes, role, seed),
        // `build_video` alone makes planners, so that they are compiled for video games only.
        name => Err(match gamegrove_planner::check(part) {
            Some(checked) => checked.err().unwrap_or_else(|| gamegrove_planner::unable(name)),
            None => {
                let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
                unknown_name("agent", name, &names)
            }
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
