//! The settings of a whole search, read from a [`Part`].

use gamegrove_game::{FeatureNames, Features, Game, Rng, TypedMoves};
use gamegrove_settings::{Conflict, exclusions};
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

// Numbers become the greatest whole number where they are infinite.
gamegrove_settings::settings! {
    Settings from Options,
    beside [SELECT, PLAYOUT, CUTOFF, TACTIC, EXPAND, ENDGAME, BEST_LINE, TUNE] in PARAMETERS;
    final_move: FinalMove = |o, p| o.part(p, FinalMove::read), Parameter::word(
        "final",
        FINAL_MOVES,
        "the move to play: best mean, most visits, best lower bound (a), both mean and visits, greatest \
         return, or drawn by visits (gamma)",
    );
    solver: Option<Mode> =
        |o, p| o.choice(p, &[None, Some(Mode::Select), Some(Mode::Explore)]), Parameter::word(
        "solver",
        &["off", "select", "explore"],
        "whether positions are proved, and whether proved moves are chosen from or passed by",
    )
    .excluded_by(&[
        Conflict::with("tree", "open", "nodes without states cannot be proved"),
        Conflict::with("simultaneous", "sequential", "proofs are for roles that do not see each other's moves"),
        Conflict::with_any("expand", "what is proved about some of the moves is not proved"),
    ]);
    open_loop: bool = |o, p| o.choice(p, &[false, true]), Parameter::word(
        "tree",
        &["closed", "open"],
        "whether nodes stand for states, or for sequences of moves whose states are played anew",
    );
    sequential: bool = |o, p| o.choice(p, &[false, true]), Parameter::word(
        "simultaneous",
        &["decoupled", "sequential"],
        "whether roles that move at once choose each by itself, or one after another knowing the others",
    );
    reuse: Reuse = |o, p| o.choice(p, &[Reuse::Graph, Reuse::Tree, Reuse::Nothing]), Parameter::word(
        "reuse",
        &["graph", "tree", "nothing"],
        "what is kept when a move is played: nodes met lately, what can still be reached, nothing",
    )
    .with_source("[Sironi 2019, 2.5.4]");
    supported: ParameterId = Options::parameter, Parameter::whole(
        "t",
        0.0,
        (0.0, f64::INFINITY),
        "nodes with fewer visits than this choose by the play-out policy",
    )
    .tuned_over(&[0.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 100.0, 200.0, f64::INFINITY])
    .with_source("[Sironi 2019, 2.5.1]");
    depth_limit: usize = |o, p| Ok(o.number(p)? as usize), Parameter::whole(
        "depth_limit",
        500.0,
        (1.0, 1e9),
        "steps after which a simulation is cut off and valued by the goals of its last state",
    );
    tree_depth: usize = |o, p| Ok(o.number(p)? as usize), Parameter::whole(
        "tree_depth",
        f64::INFINITY,
        (1.0, f64::INFINITY),
        "steps below the root at which nodes are still added; 1 is flat Monte Carlo",
    );
    discount: f64 = Options::number, Parameter::real(
        "discount",
        1.0,
        (0.0, 1.0),
        "what is left of a goal with each step to it",
    )
    .with_source("[Finnsson 2012, 3.3.2]");
    merge: bool = Options::flag, Parameter::flag(
        "table",
        true,
        "whether equal states share their statistics (transposition table)",
    )
    .excluded_by(&[Conflict::with("tree", "open", "nodes without states cannot be merged")]);
    valuing: Option<Valuing> = |o, p| o.choice(p, &[
        None,
        Some(Valuing::Returns),
        Some(Valuing::ReturnsAndVisits),
        Some(Valuing::Successors),
    ]), Parameter::word(
        "transpositions",
        &["uct1", "uct2", "uct2_visits", "uct3"],
        "what an action is worth: its own returns, the mean returns of the node it leads to (with its own \
         visits, or with those of that node), or what that node's actions lead to in turn; uct0 is uct1 \
         with table=false",
    )
    .excluded_by(&[
        Conflict::with("tree", "open", "nodes without states have no transpositions"),
        Conflict::with("simultaneous", "sequential", "what an action leads to depends on choices that knew it"),
    ])
    .with_source("[Sironi 2019, 2.5.3]");
    keep_steps: u32 = |o, p| Ok(o.number(p)? as u32), Parameter::whole(
        "keep_steps",
        2.0,
        (0.0, 1e6),
        "steps of the match that a node survives without being met, if the graph is reused",
    );
    expansions: u64 = |o, p| Ok(o.number(p)? as u64), Parameter::whole(
        "expansions",
        f64::INFINITY,
        (1.0, f64::INFINITY),
        "states that the simulations for one move may generate, in the tree and below it; the simulation \
         that reaches this number is the last, and lanes are not used",
    );
    tree_decay: f64 = Options::number, Parameter::real(
        "tree_decay",
        1.0,
        (0.0, 1.0),
        "the share of the tree's statistics that is kept when a move is played",
    );
    // In bytes.
    memory: usize = |o, p| Ok((o.number(p)? * 1e6) as usize), Parameter::real(
        "memory",
        2048.0,
        (1.0, 1e9),
        "megabytes the tree may take; above, the least visited nodes are dropped",
    );
    lanes: bool = Options::flag, Parameter::flag(
        "lanes",
        true,
        "whether play-outs run on lanes, many at once, where the reasoner has them",
    )
    .excluded_by(&[
        Conflict::with("tree", "open", "states that are played anew are not on lanes"),
        Conflict::with("parallel", "tree", "threads that share a tree search one state at a time"),
        Conflict::with_any("expansions", "states are counted one at a time"),
        Conflict::with_any("cutoff", "lanes do not ask whether a play-out should end early"),
        Conflict::with_any("tactic", "lanes do not look ahead"),
        Conflict::with_any("best_line", "lanes do not remember lines"),
    ]);
    flight_share: f64 = Options::number, Parameter::real(
        "flight_share",
        0.125,
        (0.0, 1e6),
        "simulations in flight at once on lanes, as a share of those the root knows already",
    );
    counted_share: f64 = Options::number, Parameter::real(
        "counted_share",
        0.02,
        (0.0, 1e6),
        "like flight_share, for budgets in simulations: fewer in flight, so that each simulation informs the next",
    );
    virtual_loss: f64 = Options::number, Parameter::real(
        "virtual_loss",
        1.0,
        (0.0, 1.0),
        "how many visits that gained nothing a simulation under way counts as in the mean of a move",
    );
    lanes_from: f64 = Options::number, Parameter::whole(
        "lanes_from",
        1000.0,
        (0.0, 1e9),
        "simulations the root must know before lanes are used; a tenth of the time goes by at most until \
         then",
    );
    lanes_gain: f64 = Options::number, Parameter::real(
        "lanes_gain",
        1.5,
        (0.0, 1e6),
        "with a time budget, lanes are used if they are this many times as effective as single states (n \
         play-outs of one leaf count less than n); measured now and then; 0: always lanes",
    );
    leaf_playouts: u32 = |o, p| Ok(o.number(p)? as u32), Parameter::whole(
        "leaf_playouts",
        1.0,
        (1.0, 65_536.0),
        "play-outs from each new leaf, on lanes (as many as there are) or as a batch on a device; each \
         counts as a simulation (leaf parallelism)",
    );
    spare_playouts: u32 = |o, p| Ok(o.number(p)? as u32), Parameter::whole(
        "spare_playouts",
        1.0,
        (1.0, 65_536.0),
        "by how much leaf_playouts is multiplied at most where lanes would be idle, because few leaves may \
         be in flight while the tree is small",
    );
    threads: usize = |o, p| Ok(o.number(p)? as usize), Parameter::whole(
        "threads",
        1.0,
        (1.0, 256.0),
        "searches side by side, a thread each",
    );
    shares_tree: bool = |o, p| o.choice(p, &[false, true]), Parameter::word(
        "parallel",
        &["root", "tree"],
        "what threads share: nothing but the statistics of the root when a move is chosen, or one tree \
         (then on one state at a time, and not the same for equal seeds)",
    )
    .excluded_by(&[Conflict::with("tree", "open", "threads cannot share nodes without states")]);
    terms: Terms = read_terms, DEVICE;
    ponder: bool = Options::flag, Parameter::flag(
        "ponder",
        true,
        "whether it also searches in steps in which its role has no choice",
    );
}

const SELECT: Parameter = Parameter::part("select", "uct", "how moves are chosen in the tree");
const PLAYOUT: Parameter =
    Parameter::part("playout", "random", "how moves are chosen below the tree");
const CUTOFF: Parameter =
    Parameter::part("cutoff", "none", "when play-outs end before the game does");
const TACTIC: Parameter =
    Parameter::part("tactic", "none", "which moves of a play-out are not left to the policy");
const EXPAND: Parameter =
    Parameter::part("expand", "all", "which moves of a new node the tree looks at").excluded_by(&[
        Conflict::with("tree", "open", "nodes without states have no types of moves"),
    ]);
const ENDGAME: Parameter = Parameter::part(
    "endgame",
    "none",
    "which positions near the end are looked at in full instead of being searched",
)
.excluded_by(&[Conflict::with(
    "tree",
    "open",
    "what is proved of one outcome of chance is not proved of others",
)]);
const BEST_LINE: Parameter = Parameter::flag(
    "best_line",
    false,
    "whether the whole line of a simulation that is at least as good as the best so far is added \
     to the tree; for games of one role",
)
.excluded_by(&[Conflict::with(
    "tree",
    "open",
    "a line that was good once need not be so when chance is drawn anew",
)]);

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
        None => options.part(&SELECT, select::build)?,
    };
    let policy = match own.policy {
        Some(policy) => policy,
        None => options.part(&PLAYOUT, playout::build)?,
    };
    let mut settings = Settings::read(&mut options)?;
    let cutoff = options.optional(&CUTOFF, cutoff::build)?;
    let tactic = options.optional(&TACTIC, tactic::build)?;
    let best_line = options.flag(&BEST_LINE)?.then(BestLine::default);
    let expand = options.optional(&EXPAND, expand::build)?;
    let endgame = options.optional(&ENDGAME, endgame::build)?;
    let tune = options.part(&TUNE, Wanted::read)?;
    options.finish()?;
    exclusions(part, PARAMETERS)?;
    // Defaults give way to what was given.
    settings.merge &= !settings.open_loop;
    let together = settings.shares_tree && settings.threads > 1;
    settings.lanes &= !(settings.open_loop || together || settings.expansions < u64::MAX);
    let mut needs = selection.needs().and(policy.needs());
    needs.best = settings.final_move == FinalMove::Maximum;
    let declared = Vec::new();
    let strategies = Strategies { declared, needs, selection, policy, cutoff, tactic, endgame };
    Ok((Pieces { settings, strategies, best_line, expand, tune }, composition))
}
