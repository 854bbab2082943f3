//! Sequential UCT, for roles that choose at the same time.

use crate::support::{game, mcts};
use gamegrove_game::{Game, Goal, Move, Role};
use gamegrove_search::{Budget, Part, Report, Search};

/// One step: both name a coin; the first role wins if they are equal. Its third move is a draw.
#[derive(Clone)]
struct Pennies;

impl Game for Pennies {
    type State = Option<(u32, u32)>;

    fn role_count(&self) -> usize {
        2
    }

    fn move_bound(&self, _: Role) -> usize {
        3
    }

    fn initial_state(&mut self) -> Self::State {
        None
    }

    fn is_terminal(&mut self, state: &Self::State) -> bool {
        state.is_some()
    }

    fn legal_moves(&mut self, _: &Self::State, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        moves.extend((0..3 - u32::from(role.0)).map(Move));
    }

    fn apply(&mut self, _: &Self::State, joint: &[Move], next: &mut Self::State) {
        *next = Some((joint[0].0, joint[1].0));
    }

    fn goals(&mut self, state: &Self::State, goals: &mut [Goal]) {
        let worth = match *state {
            Some((2, _)) => 40.0,
            Some((one, other)) if one == other => 100.0,
            _ => 0.0,
        };
        goals[0] = Goal(worth);
        goals[1] = Goal(100.0 - worth);
    }
}

fn best(simultaneous: &str) -> Option<Move> {
    let settings = Part::named("mcts").with("simultaneous", simultaneous);
    let mut search = Search::new(Pennies, &settings, 2).expect("good settings").for_role(Role(0));
    search.set_root(&None);
    search.run(&Budget::simulations(3_000));
    search.best_move(Role(0))
}

#[test]
fn a_role_that_is_seen_plays_it_safe() {
    // Guessing is worth 50 against an opponent that does not see the move, and nothing against one that does.
    assert_eq!(best("sequential"), Some(Move(2)));
    assert_ne!(best("decoupled"), Some(Move(2)));
}

fn searched(select: &str, simulations: u64) -> Search<Pennies> {
    let settings = mcts(select, "random").with("simultaneous", "sequential");
    let mut search = Search::new(Pennies, &settings, 2).expect("good settings").for_role(Role(0));
    search.set_root(&None);
    search.run(&Budget::simulations(simulations));
    search
}

#[test]
fn a_role_that_sees_the_move_learns_to_answer_it_whatever_the_selection() {
    for name in ["uct", "ucb1_tuned", "exp3", "regret_matching"] {
        let moves = searched(name, 20_000).report(Role(0)).moves;
        for found in moves.iter().filter(|found| found.mov != Move(2)) {
            // The second role says the other coin but for the tenth of its choices that explores.
            let mean = found.mean.expect("tried");
            assert!(mean < 20.0, "{name} {:?} {mean}", found.mov);
        }
    }
}

#[test]
fn the_squares_of_returns_are_kept_for_choices_that_see_others() {
    let search = searched("ucb1_tuned", 500);
    let tree = search.tree();
    let informed: Vec<_> = tree
        .ids()
        .filter(|&id| search.state(id).is_none() && !tree.moves(id, Role(1)).is_empty())
        .collect();
    assert_eq!(informed.len(), 3);
    for id in informed {
        for (statistic, &squares) in
            tree.statistics(id, Role(1)).iter().zip(tree.extra(id, Role(1)))
        {
            // All returns of a move are equal here.
            let mean = statistic.sum / f64::from(statistic.visits.max(1)) / 100.0;
            let expected = mean * mean * f64::from(statistic.visits);
            assert!((squares - expected).abs() < 1e-6, "{statistic:?} {squares}");
        }
    }
}

fn report(name: &str, settings: &Part) -> Vec<Report> {
    let mut game = game(name);
    let mut search = Search::new(game.clone(), settings, 6).expect("good settings");
    search.set_root(&game.initial_state());
    search.run(&Budget::simulations(700));
    Role::all(2).map(|role| search.report(role)).collect()
}

#[test]
fn where_roles_take_turns_it_is_decoupled_uct() {
    // [Sironi 2019, 5]
    for name in ["tic_tac_toe", "connect_four", "breakthrough"] {
        for settings in [mcts("uct", "random"), mcts("grave", "mast")] {
            let sequential = settings.clone().with("simultaneous", "sequential");
            assert_eq!(report(name, &settings), report(name, &sequential), "{name}");
        }
    }
}

#[test]
fn simultaneous_games_are_searched_with_informed_replies() {
    let settings = mcts("uct", "random").with("simultaneous", "sequential");
    let [red, _] = &report("tron", &settings)[..] else { panic!("two roles") };
    assert_eq!(red.simulations, 700);
    assert_eq!(red.moves.iter().map(|report| report.visits).sum::<u32>(), 700);
    assert!(red.nodes > report("tron", &mcts("uct", "random"))[0].nodes);
}
