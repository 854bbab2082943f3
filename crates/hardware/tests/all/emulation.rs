//! The emulation against the software reasoner.

use std::sync::Arc;

use gamegrove_game::{Game, Goal, Move, Player, Rng, Role};
use gamegrove_hardware::{Driver, Hardware, Successors};
use gamegrove_propnet::{Bits, Evaluator, Forward, Network, Propnet, Sweep};
use gamegrove_testdata::shared;

use super::{hardware, read, shipped, sketch};

/// The six games of Table 4.5.
const PUBLISHED: [&str; 6] =
    ["horseshoe", "connectfour", "pentago", "jointconnectfour", "breakthrough", "reversi"];

/// Games of other shapes: one role, three, four and six, all roles at a time, large.
const OTHERS: [&str; 12] = [
    "lights_out",
    "peg_solitaire",
    "connect_four_3p",
    "ttcc4_3p",
    "chinese_checkers_4p",
    "chinese_checkers_6p",
    "tron",
    "goofspiel",
    "bidding_tic_tac_toe",
    "dots_and_boxes",
    "battle",
    "chess",
];

/// More joint moves than this are not all tried in one state.
const TRIED: usize = 12;

/// Compares what the hardware says about a state with the reasoner, and some of its successors.
fn compare_state<E: Evaluator>(
    hardware: &mut Hardware,
    game: &mut Propnet<E>,
    state: &Bits,
    rng: &mut Rng,
) -> Option<Bits> {
    let roles: Vec<Role> = Role::all(game.role_count()).collect();
    let emulation = &mut hardware.emulation;
    emulation.load(state);
    assert_eq!(&emulation.state(), state);
    let terminal = game.is_terminal(state);
    assert_eq!(emulation.is_terminal(), terminal);
    let mut goals = vec![Goal::default(); roles.len()];
    game.goals(state, &mut goals);
    let mut legal: Vec<Vec<Move>> = vec![Vec::new(); roles.len()];
    for &role in &roles {
        let held = game.goal_values(state, role);
        let found = emulation.goal(role.index());
        match held.len() {
            // Sound rules give a role one goal; where they give more, hardware takes the first.
            0 | 1 => assert_eq!(f32::from(found), goals[role.index()].0),
            _ => assert!(held.contains(&found.to_string()), "{found}: {held:?}"),
        }
        game.legal_moves(state, role, &mut legal[role.index()]);
        let moves: Vec<Move> = emulation.legal(role.index()).map(Move).collect();
        assert_eq!(moves, legal[role.index()]);
    }
    let mut next = state.clone();
    for _ in 0..TRIED {
        let joint: Option<Vec<Move>> = legal.iter().map(|moves| rng.pick(moves)).collect();
        let joint = joint.filter(|_| !terminal)?;
        game.apply(state, &joint, &mut next);
        emulation.load(state);
        emulation.step(|role, number| joint[role].index() == number);
        assert_eq!(emulation.state(), next);
    }
    Some(next)
}

/// Compares along random games.
fn compare<E: Evaluator>(network: &Arc<Network>, games: u64, longest: usize) {
    let mut game: Propnet<E> = Propnet::new(network).expect("a sound network");
    let mut hardware = hardware(network);
    assert_eq!(hardware.emulation.initial_state().expect("no way to fail"), game.initial_state());
    for number in 0..games {
        let mut rng = Rng::stream(3, number);
        let mut state = Some(game.initial_state());
        for _ in 0..longest {
            let Some(now) = state else { break };
            state = compare_state(&mut hardware, &mut game, &now, &mut rng);
        }
    }
}

/// Compares mean goals of random games: equal within five standard errors.
fn compare_scores(name: &str, network: &Arc<Network>, playouts: u32) {
    const LONGEST: u32 = 300;
    let mut hardware = hardware(network);
    let start = hardware.emulation.initial_state().expect("no way to fail");
    hardware.emulation.step_limit = LONGEST;
    hardware.emulation.seed(4).expect("no way to fail");
    let scores = hardware.emulation.scores(&start, playouts).expect("no way to fail");
    let mut player = Player::new(Propnet::<Forward>::new(network).expect("a sound network"));
    let roles = network.roles().len();
    let (mut sums, mut squares, mut steps) = (vec![0.0; roles], vec![0.0; roles], 0.0);
    let (mut step_squares, number) = (0.0, f64::from(playouts));
    for playout in 0..playouts {
        let played = player.random_game(&start, LONGEST, &mut Rng::stream(5, u64::from(playout)));
        steps += f64::from(played.steps);
        step_squares += f64::from(played.steps).powi(2);
        for (role, goal) in player.goals().into_iter().enumerate() {
            sums[role] += f64::from(goal.0);
            squares[role] += f64::from(goal.0).powi(2);
        }
    }
    // What happens about once in so many games may be seen on one side only, so there is room for
    // five such events beside the five standard errors.
    let agree = |what: &str, found: f64, sum: f64, square: f64, most: f64| {
        let mean = sum / number;
        let error = (2.0 * (square / number - mean * mean).max(0.0) / number).sqrt();
        let (far, room) = ((found - mean).abs(), 5.0 * error + 5.0 * most / number);
        assert!(far <= room, "{name}: {what}: {found} {mean} {room}");
    };
    for role in 0..roles {
        agree(&network.roles()[role], scores.mean(role), sums[role], squares[role], 100.0);
    }
    let mean_steps = scores.totals.steps as f64 / number;
    agree("steps", mean_steps, steps, step_squares, mean_steps);
    assert!(scores.cycles_per_state() >= 5.0);
}

#[test]
fn the_published_games_run_as_in_software() {
    let Some(folder) = shared("corpus/gdl/stanford") else { return };
    for name in PUBLISHED {
        let network = read(&folder.join(name).with_extension("kif"));
        let large = network.len() > 10_000;
        compare::<Forward>(&network, if large { 1 } else { 5 }, 500);
        compare_scores(name, &network, if large { 100 } else { 2000 });
    }
}

#[test]
fn games_of_other_shapes_run_as_in_software() {
    for name in OTHERS {
        let network = shipped(name);
        let large = network.len() > 4_000;
        compare::<Forward>(&network, if large { 1 } else { 5 }, 150);
        compare_scores(name, &network, if large { 100 } else { 1000 });
    }
}

#[test]
fn networks_that_no_rulesheet_would_give_run_as_in_software() {
    let mut loops = 0;
    for number in 0..300 {
        let mut rng = Rng::stream(6, number);
        let names = &["a", "b", "c"][..1 + rng.below(3)];
        let network = Arc::new(sketch::network(names, number % 2 == 0, &mut rng));
        loops += hardware(&network).meta.size.unrolled.len();
        compare::<Sweep>(&network, 3, 20);
    }
    assert!(loops > 100, "only {loops} loops were unrolled");
}

#[test]
fn a_board_answers_like_the_emulation_behind_it() {
    for name in ["tic_tac_toe", "connect_four_3p", "bidding_tic_tac_toe", "lights_out"] {
        let network = shipped(name);
        let mut direct = hardware(&network).emulation;
        let mut board = hardware(&network).emulated_board().expect("a board that answers");
        let mut state = direct.initial_state().expect("no way to fail");
        assert_eq!(board.initial_state().expect("a board that answers"), state);
        let mut rng = Rng::new(7);
        for _ in 0..50 {
            let found: Successors = board.next_states(&state).expect("a board that answers");
            assert_eq!(found, direct.next_states(&state).expect("no way to fail"));
            let joint: usize = found.legal.iter().map(Vec::len).product();
            assert_eq!(found.next.len(), if found.terminal { 0 } else { joint });
            if found.next.is_empty() {
                break;
            }
            state = found.next[rng.below(found.next.len())].1.clone();
        }
        let start = direct.initial_state().expect("no way to fail");
        for seed in [0, 9] {
            board.seed(seed).expect("a board that answers");
            direct.seed(seed).expect("no way to fail");
            // The second call goes on where the generators stand.
            for playouts in [1, 30] {
                let found = board.scores(&start, playouts).expect("a board that answers");
                assert_eq!(found, direct.scores(&start, playouts).expect("no way to fail"));
                assert!(found.totals.steps > 0);
            }
        }
    }
}

#[test]
fn long_games_are_cut_and_counted() {
    let mut emulation = hardware(&shipped("tic_tac_toe")).emulation;
    emulation.step_limit = 3;
    let start = emulation.initial_state().expect("no way to fail");
    let found = emulation.scores(&start, 10).expect("no way to fail").totals;
    assert_eq!((found.cut, found.stuck, found.steps), (10, 0, 30));
}
