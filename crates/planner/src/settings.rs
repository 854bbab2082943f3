//! What a plan can be told.

use gamegrove_search::{
    Composition, Declared, Options, Parameter, ParameterId, Part, SettingsError, TUNE, Wanted,
    build_entry,
};

use super::near::Way;
use super::rollout::{ROLLOUTS, Rollout};
use super::select::Select;
use super::stat::Scale;
use super::value::{VALUES, Valuation};

/// How the move to play is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Final {
    Visits,
    Mean,
}

/// The reference of payoffs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    /// All of the game.
    Run,
    /// All of the game, and a win and a loss of games before.
    Session,
    /// Those of the node.
    Node,
}

/// The parts of a plan that are numbers and flags.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub open_loop: bool,
    /// Moves of a simulation; read in every simulation, so that it can be tuned.
    pub depth: ParameterId,
    pub from_leaf: bool,
    pub way: Way,
    pub statics: bool,
    pub reached: bool,
    pub scale: Scale,
    pub compared: Compared,
    pub reuse: bool,
    pub decay: f64,
    pub safety: u32,
    pub loss_avoidance: bool,
    pub novelty: bool,
    /// Whether moves that do not move the avatar are left out of new nodes.
    pub prune_useless: bool,
    pub detect: bool,
    pub mix: f64,
    pub decisive: bool,
    pub wait: bool,
    pub last: Final,
    /// Chance in what selection compares, as a share of it.
    pub noise: f64,
    pub buffer_ms: f64,
    pub vary: f64,
    pub solve: bool,
    pub patience: u32,
    /// Bytes that looking for a solution may take.
    pub memory: usize,
}

/// A plan's settings, read and made.
pub(crate) struct Composed {
    pub settings: Settings,
    pub select: Select,
    pub rollout: Box<dyn Rollout>,
    pub value: Box<dyn Valuation>,
    pub tune: Option<Wanted>,
    pub declared: Vec<Declared>,
}

const LOOP: Parameter = Parameter::word(
    "loop",
    &["open", "closed"],
    "whether states are played anew on every visit, or kept in the nodes",
);
/// Tuned over 1 to 15, as [Sironi 2019, 6.4.9] does with SAMPLEMCTS to show that it should not be.
const DEPTH: Parameter = Parameter::whole("depth", 10.0, (1.0, 1000.0), "moves of a simulation")
    .tuned_over(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]);
const COUNTED: Parameter = Parameter::word(
    "counted",
    &["root", "leaf"],
    "where the moves of a simulation are counted from: the root, or the end of the tree",
);
pub(super) const SELECT: Parameter = Parameter::part(
    "select",
    "ucb",
    "how moves are chosen in the tree: ucb(c), ucb_tuned(c), history(c, w)",
);
const PLAYOUT: Parameter = Parameter::part(
    "playout",
    "random",
    "how moves are chosen below the tree: random, nst, fast_evo",
);
const VALUE: Parameter =
    Parameter::part("value", "score", "what a simulation is worth: score, kb, approach");
const DISTANCE: Parameter =
    Parameter::word("distance", &["euclid", "astar"], "as the crow flies, or around walls");
const ASTAR_SKIP: Parameter =
    Parameter::flag("astar_skip", true, "ways are only looked for where walls are in the way");
const STATICS: Parameter = Parameter::flag(
    "statics",
    true,
    "whether things that stay where they are count among those to approach from the start; without, \
     once they have brought points (doors and what can be collected always do)",
);
const REACHED: Parameter = Parameter::flag(
    "reached",
    false,
    "a thing the avatar stands on counts as met, even where nothing happens to either",
);
const ENDS: Parameter = Parameter::word(
    "ends",
    &["huge", "banded"],
    "a win is ten million points, or the top of the scale with all points below it",
);
const BOUNDS: Parameter = Parameter::word(
    "bounds",
    &["run", "session", "node"],
    "what payoffs are compared with: all of the game, that and (unless ends=banded) the ends of games before, or those of the node",
);
const REUSE: Parameter = Parameter::flag("reuse", false, "keeps the tree below the move played");
const DECAY: Parameter =
    Parameter::real("decay", 0.6, (0.0, 1.0), "what is kept of statistics with every move played");
const SAFETY: Parameter = Parameter::whole(
    "safety",
    0.0,
    (0.0, 100.0),
    "times that all moves are tried before the search; those that lose more often are left out",
);
const LOSS_AVOIDANCE: Parameter =
    Parameter::flag("loss_avoidance", false, "looks for a way out when a simulation is lost");
const NOVELTY: Parameter =
    Parameter::flag("novelty", false, "leaves out moves that bring nothing new");
const PRUNE_USELESS: Parameter = Parameter::flag(
    "prune_useless",
    false,
    "leaves moves that do not move the avatar, as against a wall, out of new nodes; finding out takes a step each",
);
const DETECT: Parameter = Parameter::flag(
    "detect",
    false,
    "finds out whether chance plays a part, and plans accordingly",
);
const MIX: Parameter = Parameter::real(
    "mix",
    0.25,
    (0.0, 1.0),
    "the weight of the best payoff against the mean, where chance plays no part",
);
const DECISIVE: Parameter = Parameter::flag(
    "decisive",
    false,
    "tries every move once at the end: wins and points are taken, losses not played",
);
const WAIT: Parameter = Parameter::flag("wait", false, "doing nothing is a move like others");
const FINAL: Parameter =
    Parameter::word("final", &["visits", "mean"], "the move to play: most visits, or highest mean");
const NOISE: Parameter = Parameter::real(
    "noise",
    1e-9,
    (0.0, 1.0),
    "chance in what selection compares, as a share of it",
);
const BUFFER: Parameter = Parameter::real(
    "buffer",
    5.0,
    (0.0, 1000.0),
    "milliseconds that are left when the search stops",
);
const VARY: Parameter = Parameter::real(
    "vary",
    0.0,
    (0.0, 1.0),
    "how many of its simulations a decision may leave out where they are counted, as a share drawn anew each \
     time; by the clock their number is never the same",
);
const SOLVE: Parameter = Parameter::flag(
    "solve",
    false,
    "where chance plays no part, looks for moves that win among all states that can be told apart",
);
const PATIENCE: Parameter = Parameter::whole(
    "patience",
    150.0,
    (0.0, 2000.0),
    "with solve: ticks it may wait for a solution",
);
const MEMORY: Parameter = Parameter::real(
    "memory",
    1000.0,
    (0.01, 1e6),
    "with solve: megabytes that states waiting to be looked at may take",
);

/// All options of a plan.
pub static PLAN_PARAMETERS: &[Parameter] = &[
    LOOP,
    DEPTH,
    COUNTED,
    SELECT,
    PLAYOUT,
    VALUE,
    DISTANCE,
    ASTAR_SKIP,
    STATICS,
    REACHED,
    ENDS,
    BOUNDS,
    REUSE,
    DECAY,
    SAFETY,
    LOSS_AVOIDANCE,
    NOVELTY,
    PRUNE_USELESS,
    DETECT,
    MIX,
    DECISIVE,
    WAIT,
    FINAL,
    NOISE,
    BUFFER,
    VARY,
    SOLVE,
    PATIENCE,
    MEMORY,
    TUNE,
];

/// Reads the settings of a plan.
pub(crate) fn compose(part: &Part) -> Result<Composed, SettingsError> {
    let mut composition = Composition::default();
    let mut options = Options::new(part, &mut composition);
    let open_loop = options.word("loop", &[("open", true), ("closed", false)])?;
    let depth = options.parameter(&DEPTH)?;
    let from_leaf = options.word("counted", &[("root", false), ("leaf", true)])?;
    let around = options.word("distance", &[("euclid", false), ("astar", true)])?;
    let skip = options.flag(&ASTAR_SKIP)?;
    let settings = Settings {
        open_loop,
        depth,
        from_leaf,
        way: if around { Way::Around { skip } } else { Way::Straight },
        statics: options.flag(&STATICS)?,
        reached: options.flag(&REACHED)?,
        scale: options.word("ends", &[("huge", Scale::Huge), ("banded", Scale::Banded)])?,
        compared: options.word(
            "bounds",
            &[("run", Compared::Run), ("session", Compared::Session), ("node", Compared::Node)],
        )?,
        reuse: options.flag(&REUSE)?,
        decay: options.number(&DECAY)?,
        safety: options.number(&SAFETY)? as u32,
        loss_avoidance: options.flag(&LOSS_AVOIDANCE)?,
        novelty: options.flag(&NOVELTY)?,
        prune_useless: options.flag(&PRUNE_USELESS)?,
        detect: options.flag(&DETECT)?,
        mix: options.number(&MIX)?,
        decisive: options.flag(&DECISIVE)?,
        wait: options.flag(&WAIT)?,
        last: options.word("final", &[("visits", Final::Visits), ("mean", Final::Mean)])?,
        noise: options.number(&NOISE)?,
        buffer_ms: options.number(&BUFFER)?,
        vary: options.number(&VARY)?,
        solve: options.flag(&SOLVE)?,
        patience: options.number(&PATIENCE)? as u32,
        memory: (options.number(&MEMORY)? * 1e6) as usize,
    };
    let select = Select::read(&mut options)?;
    let rollout =
        options.part(&PLAYOUT, |name, options| build_entry("playout", ROLLOUTS, name, options))?;
    let value =
        options.part(&VALUE, |name, options| build_entry("value", VALUES, name, options))?;
    let tune = options.part(&TUNE, Wanted::read)?;
    options.finish()?;
    let declared = composition.declared();
    Ok(Composed { settings, select, rollout, value, tune, declared })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use gamegrove_search::{Kind, Value};

    use super::*;

    #[test]
    fn every_option_is_listed_and_read() {
        let part = Part::named("plan");
        let mut composition = Composition::default();
        let options = Options::new(&part, &mut composition);
        drop(options);
        for parameter in PLAN_PARAMETERS {
            let given = match parameter.kind {
                Kind::Flag => Value::Flag(parameter.default == 0.0),
                Kind::Word(words) => Value::from(*words.last().unwrap()),
                Kind::Part(_) => continue,
                _ => Value::Number(parameter.default),
            };
            let part = Part::named("plan").with(parameter.name, given);
            assert!(compose(&part).is_ok(), "{part}");
        }
        let names: BTreeSet<&str> = PLAN_PARAMETERS.iter().map(|p| p.name).collect();
        assert_eq!(names.len(), PLAN_PARAMETERS.len());
        let wrong = compose(&Part::named("plan").with("depht", 3.0)).err().unwrap().to_string();
        assert_eq!(wrong, "`plan` has no option `depht`; did you mean `depth`?");
    }
}
