//! Open-loop search, in games with and without chance.

use crate::support::{game, mcts};
use gamegrove_game::{Game, Goal, Move, Rng, Role};
use gamegrove_search::{Budget, Part, Search};

#[test]
fn without_chance_it_is_the_tree_without_a_table() {
    for name in ["tic_tac_toe", "connect_four", "tron"] {
        for settings in [mcts("uct", "random"), mcts("grave", "mast"), mcts("hrave", "random")] {
            let mut game = game(name);
            let report = |tree: &str| {
                let settings = settings.clone().with("table", false).with("tree", tree);
                let mut search = Search::new(game.clone(), &settings, 4).expect("good settings");
                search.set_root(&game.clone().initial_state());
                search.run(&Budget::simulations(800));
                Role::all(2)
                    .map(|role| {
                        let mut moves = search.report(role).moves;
                        moves.iter_mut().for_each(|report| report.line.clear());
                        moves
                    })
                    .collect::<Vec<_>>()
            };
            assert_eq!(report("closed"), report("open"), "{name} {settings}");
            game.take_fault();
        }
    }
}

/// The moves of the root of a closed and an open tree, without a table.
fn both_trees(name: &str, settings: &Part, simulations: u64) -> [Vec<(Move, u32, Option<f64>)>; 2] {
    ["closed", "open"].map(|tree| {
        let mut game = game(name);
        let settings = settings.clone().with("table", false).with("tree", tree);
        let mut search = Search::new(game.clone(), &settings, 4).expect("good settings");
        search.set_root(&game.initial_state());
        search.run(&Budget::simulations(simulations));
        let moves = search.report(Role(0)).moves;
        moves.iter().map(|found| (found.mov, found.visits, found.mean)).collect()
    })
}

#[test]
fn policies_that_read_features_learn_from_the_states_of_the_tree_too() {
    let select = || Part::named("uct").with("informed_tries", true);
    let fast = || Part::named("fast").with("samples", 20.0);
    for settings in [mcts(select(), "past"), mcts(select(), fast())] {
        // So few that no end of the game is in the tree.
        let [closed, open] = both_trees("breakthrough", &settings, 150);
        assert_eq!(closed, open, "{settings}");
        let [random, _] = both_trees("breakthrough", &mcts(select(), "random"), 150);
        assert_ne!(closed, random, "{settings}");
    }
}

#[test]
fn early_cutoffs_watch_the_first_simulations() {
    let early = mcts("uct", "random").with("cutoff", "early");
    let [closed, open] = both_trees("connect_four", &early, 400);
    assert_eq!(closed, open);
    assert_ne!(closed, both_trees("connect_four", &mcts("uct", "random"), 400)[0]);
}

/// One throw: the safe move is worth 60, the other 100 with a chance of one half. The state knows
/// how the dice will fall.
#[derive(Clone)]
struct Dice;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Throw {
    chance: u64,
    worth: Option<u8>,
}

impl Game for Dice {
    type State = Throw;

    fn role_count(&self) -> usize {
        1
    }

    fn move_bound(&self, _: Role) -> usize {
        2
    }

    fn initial_state(&mut self) -> Throw {
        // This one would win.
        Throw { chance: 1, worth: None }
    }

    fn is_terminal(&mut self, state: &Throw) -> bool {
        state.worth.is_some()
    }

    fn legal_moves(&mut self, _: &Throw, _: Role, moves: &mut Vec<Move>) {
        moves.clear();
        moves.extend([Move(0), Move(1)]);
    }

    fn apply(&mut self, state: &Throw, joint: &[Move], next: &mut Throw) {
        let gamble = if state.chance % 2 == 1 { 100 } else { 0 };
        let worth = if joint[0] == Move(0) { 60 } else { gamble };
        *next = Throw { chance: state.chance, worth: Some(worth) };
    }

    fn goals(&mut self, state: &Throw, goals: &mut [Goal]) {
        goals[0] = Goal(f32::from(state.worth.unwrap_or(0)));
    }

    fn resample(&mut self, state: &mut Throw, rng: &mut Rng) {
        state.chance = rng.next_u64();
    }
}

#[test]
fn it_does_not_foresee_how_dice_fall() {
    let best = |tree: &str| {
        let settings = Part::named("mcts").with("tree", tree);
        let mut search = Search::new(Dice, &settings, 1).expect("good settings");
        search.set_root(&Dice.initial_state());
        search.run(&Budget::simulations(3_000));
        (search.best_move(Role(0)), search.report(Role(0)))
    };
    let (mov, report) = best("open");
    assert_eq!(mov, Some(Move(0)));
    let gamble = report.moves.iter().find(|report| report.mov == Move(1)).expect("reported");
    assert!((gamble.mean.expect("tried") - 50.0).abs() < 15.0, "{gamble:?}");
    // The closed tree takes the state as it is, dice and all.
    assert_eq!(best("closed").0, Some(Move(1)));
}

#[test]
fn what_was_learned_is_kept_when_a_move_is_played() {
    let mut game = game("connect_four");
    let settings = mcts("uct", "random").with("tree", "open");
    let mut search = Search::new(game.clone(), &settings, 4).expect("good settings");
    let state = game.initial_state();
    search.set_root(&state);
    search.run(&Budget::simulations(2_000));
    let joint: Vec<Move> =
        Role::all(2).map(|role| search.best_move(role).expect("a move")).collect();
    let visits = search.report(Role(0)).moves.iter().find(|m| m.mov == joint[0]).unwrap().visits;
    let mut next = state.clone();
    game.apply(&state, &joint, &mut next);
    search.played(&joint);
    search.set_root(&next);
    let kept: u32 = search.report(Role(1)).moves.iter().map(|report| report.visits).sum();
    // All but the simulation that added the node.
    assert_eq!(kept, visits - 1);
}
