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

gamegrove_settings::settings! {
    Settings from Options, beside [SELECT, PLAYOUT, VALUE, TUNE] in PLAN_PARAMETERS;
    open_loop: bool = |o, p| o.choice(p, &[true, false]), Parameter::word(
        "loop",
        &["open", "closed"],
        "whether states are played anew on every visit, or kept in the nodes",
    );
    // Read in every simulation. Tuned as [Sironi 2019, 6.4.9] does with SAMPLEMCTS to show that it should not be.
    depth: ParameterId = Options::parameter, Parameter::whole("depth", 10.0, (1.0, 1000.0), "moves of a simulation")
    .tuned_over(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]);
    from_leaf: bool = |o, p| o.choice(p, &[false, true]), Parameter::word(
        "counted",
        &["root", "leaf"],
        "where the moves of a simulation are counted from: the root, or the end of the tree",
    );
    around: bool = |o, p| o.choice(p, &[false, true]), Parameter::word("distance", &["euclid", "astar"], "as the crow flies, or around walls");
    skip: bool = Options::flag, Parameter::flag("astar_skip", true, "ways are only looked for where walls are in the way");
    statics: bool = Options::flag, Parameter::flag(
        "statics",
        true,
        "whether things that stay where they are count among those to approach from the start; without, \
        once they have brought points (doors and what can be collected always do)",
    );
    reached: bool = Options::flag, Parameter::flag(
        "reached",
        false,
        "a thing the avatar stands on counts as met, even where nothing happens to either",
    );
    scale: Scale = |o, p| o.choice(p, &[Scale::Huge, Scale::Banded]), Parameter::word(
        "ends",
        &["huge", "banded"],
        "a win is ten million points, or the top of the scale with all points below it",
    );
    compared: Compared = |o, p| o.choice(p, &[Compared::Run, Compared::Session, Compared::Node]), Parameter::word(
        "bounds",
        &["run", "session", "node"],
        "what payoffs are compared with: all of the game, that and (unless ends=banded) the ends of games before, or those of the node",
    );
    reuse: bool = Options::flag, Parameter::flag("reuse", false, "keeps the tree below the move played");
    decay: f64 = Options::number, Parameter::real("decay", 0.6, (0.0, 1.0), "what is kept of statistics with every move played");
    safety: u32 = |o, p| Ok(o.number(p)? as u32), Parameter::whole(
        "safety",
        0.0,
        (0.0, 100.0),
        "times that all moves are tried before the search; those that lose more often are left out",
    );
    loss_avoidance: bool = Options::flag, Parameter::flag("loss_avoidance", false, "looks for a way out when a simulation is lost");
    novelty: bool = Options::flag, Parameter::flag("novelty", false, "leaves out moves that bring nothing new");
    prune_useless: bool = Options::flag, Parameter::flag(
        "prune_useless",
        false,
        "leaves moves that do not move the avatar, as against a wall, out of new nodes; finding out takes a step each",
    );
    detect: bool = Options::flag, Parameter::flag(
        "detect",
        false,
        "finds out whether chance plays a part, and plans accordingly",
    );
    mix: f64 = Options::number, Parameter::real(
        "mix",
        0.25,
        (0.0, 1.0),
        "the weight of the best payoff against the mean, where chance plays no part",
    );
    decisive: bool = Options::flag, Parameter::flag(
        "decisive",
        false,
        "tries every move once at the end: wins and points are taken, losses not played",
    );
    wait: bool = Options::flag, Parameter::flag("wait", false, "doing nothing is a move like others");
    last: Final = |o, p| o.choice(p, &[Final::Visits, Final::Mean]), Parameter::word("final", &["visits", "mean"], "the move to play: most visits, or highest mean");
    noise: f64 = Options::number, Parameter::real(
        "noise",
        1e-9,
        (0.0, 1.0),
        "chance in what selection compares, as a share of it",
    );
    buffer_ms: f64 = Options::number, Parameter::real(
        "buffer",
        5.0,
        (0.0, 1000.0),
        "milliseconds that are left when the search stops",
    );
    vary: f64 = Options::number, Parameter::real(
        "vary",
        0.0,
        (0.0, 1.0),
        "how many of its simulations a decision may leave out where they are counted, as a share drawn anew each \
        time; by the clock their number is never the same",
    );
    solve: bool = Options::flag, Parameter::flag(
        "solve",
        false,
        "where chance plays no part, looks for moves that win among all states that can be told apart",
    );
    patience: u32 = |o, p| Ok(o.number(p)? as u32), Parameter::whole(
        "patience",
        150.0,
        (0.0, 2000.0),
        "with solve: ticks it may wait for a solution",
    );
    // In bytes.
    memory: usize = |o, p| Ok((o.number(p)? * 1e6) as usize), Parameter::real(
        "memory",
        1000.0,
        (0.01, 1e6),
        "with solve: megabytes that states waiting to be looked at may take",
    );
}

impl Settings {
    /// How distances are measured.
    pub(crate) fn way(&self) -> Way {
        if self.around { Way::Around { skip: self.skip } } else { Way::Straight }
    }
}

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

/// A plan's settings, read and made.
pub(crate) struct Composed {
    pub settings: Settings,
    pub select: Select,
    pub rollout: Box<dyn Rollout>,
    pub value: Box<dyn Valuation>,
    pub tune: Option<Wanted>,
    pub declared: Vec<Declared>,
}

/// Reads the settings of a plan.
pub(crate) fn compose(part: &Part) -> Result<Composed, SettingsError> {
    let mut composition = Composition::default();
    let mut options = Options::new(part, &mut composition);
    let settings = Settings::read(&mut options)?;
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
