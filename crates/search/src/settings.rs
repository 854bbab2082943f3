//! The settings of a whole search, read from a [`Part`].

use gamegrove_game::{FeatureNames, Features, Game, Rng, TypedMoves};
use gamegrove_tuning::Rewards;

use crate::batches::{DEVICE, Terms, read_terms};
use crate::best_line::BestLine;
use crate::core::{Core, Strategies};
use crate::expand::{Expansion, Narrowing};
use crate::final_move::{FINAL_MOVES, FinalMove};
use crate::parameter::{Declared, Parameter, ParameterId};
use crate::part::{Composition, Options, Part, SettingsError, unknown_name};
use crate::playout::Policy;
use crate::rating::Rating;
use crate::select::Selection;
use crate::simulate::Knowledge;
use crate::solver::Mode;
use crate::states::States;
use crate::tree::Valuing;
use crate::tune::{TUNE, Tuner, Wanted};
use crate::typed::Typed;
use crate::{cutoff, endgame, expand, playout, select, tactic};

/// What of a search is not a strategy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) final_move: FinalMove,
    /// Nodes with fewer visits choose by the play-out policy [Sironi 2019, 2.5.1].
    pub(crate) supported: ParameterId,
    /// Steps of a simulation, tree and play-out together.
    pub(crate) depth_limit: usize,
    /// Steps below the root at which nodes are still added.
    pub(crate) tree_depth: usize,
    /// What a goal loses with each step to it [Finnsson 2012, 3.3.2].
    pub(crate) discount: f64,
    /// Whether nodes stand for sequences of moves, and states are played anew each time.
    pub(crate) open_loop: bool,
    /// Whether roles that choose at the same time choose one after another.
    pub(crate) sequential: bool,
    /// Whether equal states are one node.
    pub(crate) merge: bool,
    /// Whether actions are valued by what they lead to, and how [Sironi 2019, 2.5.3].
    pub(crate) valuing: Option<Valuing>,
    pub(crate) reuse: Reuse,
    /// Steps that a node survives without a visit, if the graph is reused.
    pub(crate) keep_steps: u32,
    /// States that simulations of one root may generate, in the tree and below it.
    pub(crate) expansions: u64,
    /// The share of all statistics that is kept when a move is played.
    pub(crate) tree_decay: f64,
    /// The memory that tree and tables may take, in bytes.
    pub(crate) memory: usize,
    /// Simulations in flight at once on lanes, as a share of those the root knows.
    pub(crate) flight_share: f64,
    /// The same where simulations alone are counted.
    pub(crate) counted_share: f64,
    /// Simulations the root must know before lanes are used.
    pub(crate) lanes_from: f64,
    /// How many times as fast they must be, when a clock runs.
    pub(crate) lanes_gain: f64,
    /// How many visits without gain a simulation under way counts as in a mean.
    pub(crate) virtual_loss: f64,
    /// Searches side by side.
    pub(crate) threads: usize,
    /// Whether they share one tree.
    pub(crate) shares_tree: bool,
    /// Whether play-outs run on lanes where the reasoner has them.
    pub(crate) lanes: bool,
    /// Play-outs from each new leaf, on lanes or by the batch.
    pub(crate) leaf_playouts: u32,
    /// How many times as many play-outs a new leaf may get, on lanes that would be idle.
    pub(crate) spare_playouts: u32,
    /// The terms of a game that plays by the batch.
    pub(crate) terms: Terms,
    /// Whether it also searches in steps in which its role has no choice.
    pub(crate) ponder: bool,
    /// Whether positions are proved, and what is done with proved ones.
    pub(crate) solver: Option<Mode>,
}

/// What is kept of the tree when a move is played [Sironi 2019, 2.5.4].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reuse {
    /// All nodes met in the last steps.
    Graph,
    /// What can be reached from the new root.
    Tree,
    /// Nothing.
    Nothing,
}

const SUPPORTED: Parameter = Parameter::whole(
    "t",
    0.0,
    (0.0, f64::INFINITY),
    "nodes with fewer visits than this choose by the play-out policy",
)
.tuned_over(&[0.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 100.0, 200.0, f64::INFINITY]);
const DEPTH_LIMIT: Parameter = Parameter::whole(
    "depth_limit",
    500.0,
    (1.0, 1e9),
    "steps after which a simulation is cut off and valued by the goals of its last state",
);
const TREE_DEPTH: Parameter = Parameter::whole(
    "tree_depth",
    f64::INFINITY,
    (1.0, f64::INFINITY),
    "steps below the root at which nodes are still added; 1 is flat Monte Carlo",
);
const DISCOUNT: Parameter =
    Parameter::real("discount", 1.0, (0.0, 1.0), "what is left of a goal with each step to it");
const MERGE: Parameter = Parameter::flag(
    "table",
    true,
    "whether equal states share their statistics (transposition table)",
);
const VALUES: Parameter = Parameter::word(
    "transpositions",
    &["uct1", "uct2", "uct2_visits", "uct3"],
    "what an action is worth: its own returns, the mean returns of the node it leads to (with its own \
     visits, or with those of that node), or what that node's actions lead to in turn; uct0 is uct1 \
     with table=false",
);
const KEEP_STEPS: Parameter = Parameter::whole(
    "keep_steps",
    2.0,
    (0.0, 1e6),
    "steps of the match that a node survives without being met, if the graph is reused",
);
const EXPANSIONS: Parameter = Parameter::whole(
    "expansions",
    f64::INFINITY,
    (1.0, f64::INFINITY),
    "states that the simulations for one move may generate, in the tree and below it; the simulation \
     that reaches this number is the last, and lanes are not used",
);
const TREE_DECAY: Parameter = Parameter::real(
    "tree_decay",
    1.0,
    (0.0, 1.0),
    "the share of the tree's statistics that is kept when a move is played",
);
const MEMORY: Parameter = Parameter::real(
    "memory",
    2048.0,
    (1.0, 1e9),
    "megabytes the tree may take; above, the least visited nodes are dropped",
);

const FLIGHT_SHARE: Parameter = Parameter::real(
    "flight_share",
    0.125,
    (0.0, 1e6),
    "simulations in flight at once on lanes, as a share of those the root knows already",
);

const COUNTED_SHARE: Parameter = Parameter::real(
    "counted_share",
    0.02,
    (0.0, 1e6),
    "the same where simulations are counted and no clock runs: each should be worth one by itself",
);

const LANES_FROM: Parameter = Parameter::whole(
    "lanes_from",
    1000.0,
    (0.0, 1e9),
    "simulations the root must know before lanes are used; a tenth of the time goes by at most until \
     then",
);

const LANES_GAIN: Parameter = Parameter::real(
    "lanes_gain",
    1.5,
    (0.0, 1e6),
    "when a clock runs: how many times as much lanes must find out as single states to be used, \
     several play-outs of a leaf counting less than each; both are tried now and then, and with 0 \
     never",
);

const VIRTUAL_LOSS: Parameter = Parameter::real(
    "virtual_loss",
    1.0,
    (0.0, 1.0),
    "how many visits that gained nothing a simulation under way counts as in the mean of a move",
);

const THREADS: Parameter =
    Parameter::whole("threads", 1.0, (1.0, 256.0), "searches side by side, a thread each");
const PARALLEL: Parameter = Parameter::word(
    "parallel",
    &["root", "tree"],
    "what threads share: nothing but the statistics of the root when a move is chosen, or one tree \
     (then on one state at a time, and not the same for equal seeds)",
);
const LANES: Parameter = Parameter::flag(
    "lanes",
    true,
    "whether play-outs run on lanes, many at once, where the reasoner has them",
);

const LEAF_PLAYOUTS: Parameter = Parameter::whole(
    "leaf_playouts",
    1.0,
    (1.0, 65_536.0),
    "play-outs from each new leaf, on lanes (as many as there are) or as a batch on a device; each \
     counts as a simulation (leaf parallelism)",
);

const SPARE_PLAYOUTS: Parameter = Parameter::whole(
    "spare_playouts",
    1.0,
    (1.0, 65_536.0),
    "by how much leaf_playouts is multiplied at most where lanes would be idle, because few leaves may \
     be in flight while the tree is small",
);

const TREE: Parameter = Parameter::word(
    "tree",
    &["closed", "open"],
    "whether nodes stand for states, or for sequences of moves whose states are played anew",
);
const SIMULTANEOUS: Parameter = Parameter::word(
    "simultaneous",
    &["decoupled", "sequential"],
    "whether roles that move at once choose each by itself, or one after another knowing the others",
);
const REUSE: Parameter = Parameter::word(
    "reuse",
    &["graph", "tree", "nothing"],
    "what is kept when a move is played: nodes met lately, what can still be reached, nothing",
);
const SOLVER: Parameter = Parameter::word(
    "solver",
    &["off", "select", "explore"],
    "whether positions are proved, and whether proved moves are chosen from or passed by",
);
const FINAL: Parameter = Parameter::word(
    "final",
    FINAL_MOVES,
    "the move to play: best mean, most visits, best lower bound (a), both mean and visits, greatest \
     return, or drawn by visits (gamma)",
);
const BEST_LINE: Parameter = Parameter::flag(
    "best_line",
    false,
    "whether the whole line of a simulation that is at least as good as the best so far is added \
     to the tree; for games of one role",
);
const CUTOFF: Parameter =
    Parameter::part("cutoff", "when play-outs end before the game does; none by default");
const TACTIC: Parameter = Parameter::part(
    "tactic",
    "which moves of a play-out are not left to the policy; none by default",
);
const EXPAND: Parameter =
    Parameter::part("expand", "which moves of a new node the tree looks at; all by default");
const ENDGAME: Parameter = Parameter::part(
    "endgame",
    "which positions near the end are looked at in full instead of being searched; none by default",
);
const PONDER: Parameter = Parameter::flag(
    "ponder",
    true,
    "whether it also searches in steps in which its role has no choice",
);

/// The numbers of a whole search, for help.
pub static PARAMETERS: &[Parameter] = &[
    FINAL,
    SOLVER,
    TREE,
    SIMULTANEOUS,
    REUSE,
    SUPPORTED,
    DEPTH_LIMIT,
    TREE_DEPTH,
    DISCOUNT,
    MERGE,
    VALUES,
    KEEP_STEPS,
    EXPANSIONS,
    TREE_DECAY,
    MEMORY,
    FLIGHT_SHARE,
    COUNTED_SHARE,
    VIRTUAL_LOSS,
    LANES_FROM,
    LANES_GAIN,
    THREADS,
    PARALLEL,
    LANES,
    LEAF_PLAYOUTS,
    SPARE_PLAYOUTS,
    DEVICE,
    BEST_LINE,
    CUTOFF,
    TACTIC,
    TUNE,
    EXPAND,
    ENDGAME,
    PONDER,
];

/// Strategies of a program that uses this crate. They take the place of those that settings name.
#[derive(Default)]
pub struct OwnStrategies {
    /// Chooses in the tree.
    pub selection: Option<Box<dyn Selection>>,
    /// Chooses in play-outs.
    pub policy: Option<Box<dyn Policy>>,
}

/// Composes what a search starts with from its settings, for a game.
pub(crate) fn compose<G: Game>(
    game: &G,
    part: &Part,
    own: OwnStrategies,
    seed: u64,
) -> Result<Knowledge<G::State>, SettingsError> {
    let (mut pieces, composition) = pieces(part, own)?;
    let (expand, tune) = (pieces.expand.take(), pieces.tune.take());
    let mut core = assemble(pieces, composition, game.role_count());
    let mut states = States::new(core.settings.merge);
    if core.strategies.needs.features {
        states.features = Some(features(game, &mut core)?);
    }
    if let Some(wanted) = tune {
        add_tuner(&mut core, &wanted, seed)?;
    }
    if core.types_asked().is_some() {
        let reader = typed_moves(game, "playout")?;
        model_roles(&mut core)?;
        states.typed = Some(Typed::new(reader, core.run.roles));
    }
    if let Some(rule) = expand {
        if core.settings.open_loop {
            return Err(unable("expand", CLOSED_TREE));
        }
        // What is proved about some of the moves is not proved.
        core.learned.solver = None;
        states.narrowing = Some(Narrowing::new(rule, typed_moves(game, "expand")?, seed));
    }
    if let Some(weights) = core.strategies.cutoff.as_ref().and_then(|rule| rule.weights()) {
        states.rating = Some(Rating::new(game, weights, "cutoff")?);
    }
    Ok(Knowledge { core, states })
}

/// The core of a game with so many roles.
fn assemble(pieces: Pieces, composition: Composition, roles: usize) -> Core {
    let Pieces { settings, mut strategies, best_line, .. } = pieces;
    let Composition { declarations, shared: tables } = composition;
    strategies.declared = declarations.0;
    strategies.needs = strategies.needs.and(tables.needs());
    Core::new(settings, strategies, tables, best_line, roles)
}

fn add_tuner(core: &mut Core, wanted: &Wanted, seed: u64) -> Result<(), SettingsError> {
    // A stream of its own, so that tuning does not shift what the search draws.
    let seed = Rng::stream(seed, TUNING).next_u64();
    let Strategies { declared, selection, .. } = &core.strategies;
    let selection = Some(&**selection);
    let tuner = Tuner::new(wanted, declared, core.run.roles, seed, Rewards::GOALS, selection)?;
    core.learned.tuner = Some(tuner);
    Ok(())
}

/// Gives the core first beliefs about all roles.
fn model_roles(core: &mut Core) -> Result<(), SettingsError> {
    let policy = &core.strategies.policy;
    if policy.guides_tree() {
        guidable(&core.settings)?;
    }
    core.learned.beliefs = vec![policy.first_beliefs(); core.run.roles];
    Ok(())
}

/// The stream of random numbers that tuners get.
const TUNING: u64 = 1 << 40;

const CLOSED_TREE: &str = "a tree whose nodes are states (`tree=closed`)";

fn unable(part: &str, what: &str) -> SettingsError {
    SettingsError::Unable { part: part.to_owned(), what: what.to_owned() }
}

/// The game's reader of features; strategies that look at features learn their names.
fn features<G: Game>(
    game: &G,
    core: &mut Core,
) -> Result<Box<dyn Features<G::State>>, SettingsError> {
    let Some(features) = game.features() else {
        let playout = core.strategies.policy.needs().features;
        return Err(unable(if playout { "playout" } else { "select" }, "the facts of states"));
    };
    let names = &mut || -> Box<dyn FeatureNames> {
        game.features().expect("a game that has features keeps them")
    };
    core.learned.tables.introduce(names);
    core.strategies.policy.introduce(names);
    Ok(features)
}

fn typed_moves<G: Game>(
    game: &G,
    part: &str,
) -> Result<Box<dyn TypedMoves<G::State>>, SettingsError> {
    game.move_types().ok_or_else(|| unable(part, "types of moves"))
}

/// Whether a policy can have a say in the tree.
fn guidable(settings: &Settings) -> Result<(), SettingsError> {
    match (settings.open_loop, settings.sequential) {
        (true, _) => Err(unable("playout", CLOSED_TREE)),
        (_, true) => Err(unable("playout", "roles that choose at once (`simultaneous=decoupled`)")),
        _ => Ok(()),
    }
}

/// The parameters that a search with these settings has, whatever the game.
pub(crate) fn declared(part: &Part) -> Result<Vec<Declared>, SettingsError> {
    pieces(part, OwnStrategies::default()).map(|(_, composition)| composition.declarations.0)
}

/// What a search is composed of.
struct Pieces {
    settings: Settings,
    strategies: Strategies,
    best_line: Option<BestLine>,
    expand: Option<Box<dyn Expansion>>,
    tune: Option<Wanted>,
}

fn pieces(part: &Part, own: OwnStrategies) -> Result<(Pieces, Composition), SettingsError> {
    if part.name != "mcts" {
        return Err(unknown_name("search", &part.name, &["mcts"]));
    }
    let mut composition = Composition::default();
    let mut options = Options::new(part, &mut composition);
    // Settings of a strategy that is replaced are asked for nowhere, so they are refused below.
    let selection = match own.selection {
        Some(selection) => selection,
        None => options.part("select", &Part::named("uct"), select::build)?,
    };
    let policy = match own.policy {
        Some(policy) => policy,
        None => options.part("playout", &Part::named("random"), playout::build)?,
    };
    let settings = read(&mut options)?;
    let cutoff = options.optional(&CUTOFF, "none", cutoff::build)?;
    let tactic = options.optional(&TACTIC, "none", tactic::build)?;
    let best_line = options.flag(&BEST_LINE)?.then(BestLine::default);
    let expand = options.optional(&EXPAND, "all", expand::build)?;
    let endgame = options.optional(&ENDGAME, "none", endgame::build)?;
    if settings.open_loop {
        // A line that was good once need not be so when chance is drawn anew, and what is proved of one
        // outcome is not proved of others.
        let line = best_line.is_some().then(|| format!("`closed` with `{}=true`", BEST_LINE.name));
        let proof = endgame.is_some().then(|| format!("`closed` with `{}`", ENDGAME.name));
        if let Some(wanted) = line.or(proof) {
            return Err(SettingsError::BadValue {
                part: part.name.clone(),
                key: TREE.name.to_owned(),
                wanted,
                value: "open".to_owned(),
            });
        }
    }
    let tune = options.part(TUNE.name, &Part::named("none"), Wanted::read)?;
    options.finish()?;
    let mut needs = selection.needs().and(policy.needs());
    needs.best = settings.final_move == FinalMove::Maximum;
    let declared = Vec::new();
    let strategies = Strategies { declared, needs, selection, policy, cutoff, tactic, endgame };
    Ok((Pieces { settings, strategies, best_line, expand, tune }, composition))
}

fn read(options: &mut Options<'_>) -> Result<Settings, SettingsError> {
    let mut settings = read_as_given(options)?;
    if settings.open_loop {
        // Nodes without states can be neither merged nor solved.
        settings.merge = false;
        settings.valuing = None;
        settings.solver = None;
        settings.lanes = false;
        settings.shares_tree = false;
    }
    if settings.shares_tree && settings.threads > 1 || settings.expansions < u64::MAX {
        settings.lanes = false;
    }
    if settings.sequential {
        // The solver's matrices are for roles that do not see each other's moves; and what such an
        // action leads to depends on choices that were made knowing it.
        settings.solver = None;
        settings.valuing = None;
    }
    Ok(settings)
}

fn read_as_given(options: &mut Options<'_>) -> Result<Settings, SettingsError> {
    let mean = Part::named("mean");
    let steps = |number: f64| if number.is_finite() { number as usize } else { usize::MAX };
    Ok(Settings {
        final_move: options.part(FINAL.name, &mean, FinalMove::read)?,
        supported: options.parameter(&SUPPORTED)?,
        depth_limit: options.number(&DEPTH_LIMIT)? as usize,
        tree_depth: steps(options.number(&TREE_DEPTH)?),
        discount: options.number(&DISCOUNT)?,
        open_loop: options.word(TREE.name, &[("closed", false), ("open", true)])?,
        sequential: options
            .word(SIMULTANEOUS.name, &[("decoupled", false), ("sequential", true)])?,
        merge: options.flag(&MERGE)?,
        valuing: options.word(
            VALUES.name,
            &[
                ("uct1", None),
                ("uct2", Some(Valuing::Returns)),
                ("uct2_visits", Some(Valuing::ReturnsAndVisits)),
                ("uct3", Some(Valuing::Successors)),
            ],
        )?,
        reuse: options.word(
            REUSE.name,
            &[("graph", Reuse::Graph), ("tree", Reuse::Tree), ("nothing", Reuse::Nothing)],
        )?,
        keep_steps: options.number(&KEEP_STEPS)? as u32,
        // Infinity becomes the greatest number.
        expansions: options.number(&EXPANSIONS)? as u64,
        tree_decay: options.number(&TREE_DECAY)?,
        memory: (options.number(&MEMORY)? * 1e6) as usize,
        flight_share: options.number(&FLIGHT_SHARE)?,
        counted_share: options.number(&COUNTED_SHARE)?,
        virtual_loss: options.number(&VIRTUAL_LOSS)?,
        lanes_from: options.number(&LANES_FROM)?,
        lanes_gain: options.number(&LANES_GAIN)?,
        threads: options.number(&THREADS)? as usize,
        shares_tree: options.word(PARALLEL.name, &[("root", false), ("tree", true)])?,
        lanes: options.flag(&LANES)?,
        leaf_playouts: options.number(&LEAF_PLAYOUTS)? as u32,
        spare_playouts: options.number(&SPARE_PLAYOUTS)? as u32,
        terms: read_terms(options)?,
        ponder: options.flag(&PONDER)?,
        solver: options.word(
            SOLVER.name,
            &[("off", None), ("select", Some(Mode::Select)), ("explore", Some(Mode::Explore))],
        )?,
    })
}
