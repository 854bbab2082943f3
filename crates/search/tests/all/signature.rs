//! The search's signature: a few numbers for what many searches with fixed seeds found.
//!
//! A change that is meant to leave the search as it is leaves these numbers; one that changes it says so
//! and writes the new numbers here. Each number covers one way of searching, so that a difference says
//! where to look. Threads that share a tree are missing: they are not equal for equal seeds.

use crate::support::slow_lanes::SlowLanes;
use crate::support::tokens::Tokens;
use crate::support::{game, mcts};
use gamegrove_game::{BoxedLanes, Game, Move, Role};
use gamegrove_gdl::{Prover, Rulesheet};
use gamegrove_search::{Budget, Part, Team, Value};

/// FNV-1a, because it is the same on every machine and in every version.
struct Hash(u64);

impl Hash {
    fn new() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }

    fn note(&mut self, number: u64) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}

/// How a game is searched.
#[derive(Clone, Copy)]
struct Way {
    turns: usize,
    simulations: u64,
    /// The width of the lanes, if play-outs run on lanes.
    lanes: Option<usize>,
    /// Whether counts of nodes and steps are noted too.
    counts: bool,
}

const PLAIN: Way = Way { turns: 2, simulations: 80, lanes: None, counts: false };
const COUNTED: Way = Way { counts: true, ..PLAIN };
const ON_LANES: Way = Way { simulations: 150, lanes: Some(16), ..COUNTED };

/// A few steps of a match, so that what is kept from one to the next counts too.
fn search<G: Game + 'static>(mut game: G, settings: &Part, way: Way, hash: &mut Hash) {
    let mut team = Team::new(&game, settings, 11).expect("good settings");
    let lanes = way
        .lanes
        .map(|width| -> BoxedLanes<G::State> { Box::new(SlowLanes { game: game.clone(), width }) });
    let mut lanes = lanes.map_or_else(Vec::new, |lanes| vec![lanes; team.len()]);
    let mut state = game.initial_state();
    for _ in 0..way.turns {
        team.set_root(&state);
        team.run(&mut lanes, &Budget::simulations(way.simulations));
        for role in Role::all(game.role_count()) {
            let report = team.report(role);
            for found in report.moves {
                hash.note(u64::from(found.mov.0));
                hash.note(u64::from(found.visits));
                hash.note(found.mean.unwrap_or(-1.0).to_bits());
            }
            if way.counts {
                let (nodes, depth) = (report.nodes as u64, report.depth as u64);
                let (merged, dropped) = (report.merged, report.dropped);
                for count in [report.simulations, report.steps, nodes, depth, merged, dropped] {
                    hash.note(count);
                }
            }
        }
        let joint: Vec<Move> = Role::all(game.role_count())
            .map(|role| team.best_move(role).expect("play goes on"))
            .collect();
        team.played(&joint);
        let mut next = state.clone();
        game.apply(&state, &joint, &mut next);
        state = next;
    }
}

/// What all of these searches found in all of these games.
fn signature(games: &[&str], agents: &[Part], way: Way) -> u64 {
    let mut hash = Hash::new();
    for name in games {
        for settings in agents {
            search(game(name), settings, way, &mut hash);
        }
    }
    hash.0
}

fn prover(name: &str) -> Prover {
    let path = format!("{}/../../games/gdl/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    let sheet = Rulesheet::load(&std::fs::read(path).expect("it ships")).expect("good rules");
    Prover::new(&sheet.program).expect("it can be played")
}

fn length(steps: f64) -> Part {
    Part::named("length").with("steps", steps)
}

#[test]
fn selections_and_policies() {
    let agents = [
        mcts("uct", "random"),
        mcts("grave", "mast"),
        mcts("hrave", "nst"),
        mcts("uct", "ppa").with("solver", "select"),
        mcts("ucb1_tuned", Part::named("mast").with("sample", "gibbs")).with("table", false),
        mcts("uct", "random").with("transpositions", "uct3").with("tactic", "decisive"),
    ];
    let games =
        ["tic_tac_toe", "connect_four", "breakthrough", "tron", "connect_four_3p", "eight_puzzle"];
    assert_eq!(signature(&games, &agents, PLAIN), 7_379_806_555_539_255_194);
}

#[test]
fn the_other_parts() {
    let early = Part::named("early").with("draw", 20.0);
    let agents = [
        mcts("exp3", "random"),
        mcts("regret_matching", "nppa"),
        mcts("rave", "nst").with("transpositions", "uct2").with("discount", 0.99),
        mcts("epsilon_greedy", "random").with("reuse", "tree").with("tree_decay", 0.5),
        mcts("progressive_history", "past").with("t", 5.0),
        mcts("uct", "random").with("cutoff", length(6.0)).with("tree_depth", 3.0),
        mcts("uct", "random").with("solver", "explore").with("final", "visits"),
        mcts("uct", "mast").with("simultaneous", "sequential"),
        mcts("grave", "random").with("simultaneous", "sequential").with("depth_limit", 9.0),
        mcts("uct", "random").with("best_line", true).with("final", "maximum"),
        mcts("uct", "random").with("cutoff", early).with("reuse", "nothing"),
        mcts("uct", Part::named("sum").with("base", "mast").with("extra", "nst")),
    ];
    let games = ["tic_tac_toe", "connect_four", "tron", "connect_four_3p", "eight_puzzle"];
    assert_eq!(signature(&games, &agents, COUNTED), 8_546_905_523_096_450_785);
}

#[test]
fn open_trees() {
    let agents = [
        mcts("uct", "random"),
        mcts("grave", "mast"),
        mcts("uct", "past"),
        mcts("uct", "random").with("cutoff", "early"),
        mcts("uct", "random").with("depth_limit", 9.0).with("tree_depth", 4.0),
    ]
    .map(|settings| settings.with("tree", "open"));
    let games = ["tic_tac_toe", "connect_four", "tron", "eight_puzzle"];
    assert_eq!(signature(&games, &agents, COUNTED), 1_053_428_563_783_273_245);
}

#[test]
fn lanes() {
    let agents = [
        mcts("uct", "random"),
        mcts("grave", "mast"),
        mcts("hrave", "nst"),
        mcts("uct", "ppa").with("leaf_playouts", 3.0),
        mcts("uct", "random").with("solver", "select").with("spare_playouts", 4.0),
        mcts("uct", "random").with("transpositions", "uct3").with("counted_share", 0.2),
        mcts("uct", "mast").with("depth_limit", 9.0).with("tree_depth", 4.0),
        tuned("mab").with("counted_share", 0.2),
    ]
    .map(|settings| settings.with("lanes_from", 20.0));
    let games = ["tic_tac_toe", "connect_four", "tron", "connect_four_3p", "eight_puzzle"];
    assert_eq!(signature(&games, &agents, ON_LANES), 872_438_557_359_823_367);
}

fn tuned(strategy: &str) -> Part {
    let names = ["c", "epsilon", "k", "ref"].map(Value::from).to_vec();
    let tune = Part::named(strategy).with("parameters", Value::List(names));
    mcts("grave", "mast").with("tune", tune)
}

#[test]
fn tuners() {
    let strategies =
        ["mab", "he", "nmc", "lsi", "ea", "ntbea", "cma-es", "local", "turn-rnd", "sim-rnd"];
    let more = ["game-rnd", "state-rnd", "move-rnd"];
    let agents: Vec<Part> = strategies.iter().chain(&more).map(|name| tuned(name)).collect();
    assert_eq!(
        signature(&["tic_tac_toe", "connect_four"], &agents, COUNTED),
        4_498_170_689_918_648_410
    );
}

#[test]
fn threads_with_a_tree_each() {
    let agents = [mcts("uct", "random"), mcts("grave", "mast")]
        .map(|settings| settings.with("threads", 3.0).with("lanes_from", 10.0));
    let games = ["tic_tac_toe", "connect_four", "tron"];
    let both = [COUNTED, ON_LANES].map(|way| signature(&games, &agents, way));
    assert_eq!(both, [10_864_183_613_747_280_725, 16_859_049_691_872_638_705]);
}

#[test]
fn little_memory() {
    let agents = [
        mcts("uct", "random"),
        mcts("grave", "nst").with("transpositions", "uct3"),
        mcts("uct", "random").with("solver", "select"),
        mcts("uct", "random").with("simultaneous", "sequential"),
        mcts("uct", "random").with("tree", "open"),
    ]
    .map(|settings| settings.with("memory", 1.0));
    let way = Way { simulations: 4_096, ..COUNTED };
    let games = ["breakthrough", "tron"];
    let on_lanes = Way { lanes: Some(16), ..way };
    let both = [way, on_lanes].map(|way| signature(&games, &agents, way));
    assert_eq!(both, [7_384_236_716_775_864_656, 4_652_782_677_664_332_436]);
}

#[test]
fn the_prover() {
    let mut hash = Hash::new();
    let fast = Part::named("fast").with("samples", 20.0);
    for settings in [mcts("uct", "random"), mcts("grave", "mast"), mcts("uct", fast)] {
        for name in ["tic_tac_toe", "breakthrough", "eight_puzzle"] {
            search(prover(name), &settings, Way { simulations: 40, ..COUNTED }, &mut hash);
        }
    }
    assert_eq!(hash.0, 3_213_657_632_625_207_080);
}

#[test]
fn typed_moves() {
    let mut hash = Hash::new();
    let guided = Part::named("opponent_model").with("tree", true);
    let rated = Part::named("rated").with("steps", 2.0).with("scale", 2.0);
    let each = Part::named("each").with("own", 1.0);
    for settings in [
        mcts("uct", "opponent_model"),
        mcts("uct", guided),
        mcts("uct", "by_type"),
        mcts("grave", "opponent_model").with("tree", "open"),
        mcts("uct", "opponent_model").with("tactic", "decisive"),
        mcts("uct", "random").with("expand", "groups"),
        mcts("uct", "random").with("cutoff", rated.with("weights", each)),
        mcts("uct", "random").with("endgame", "minimax"),
    ] {
        let tokens = Tokens { plies: 8, typed: true };
        search(tokens, &settings, Way { turns: 3, ..COUNTED }, &mut hash);
    }
    assert_eq!(hash.0, 8_744_793_304_080_821_202);
}
