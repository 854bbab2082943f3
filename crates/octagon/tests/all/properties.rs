//! What holds in every game, under every combination of options.

use crate::support;

use std::collections::HashSet;

use gamegrove_game::{Describe, Ending, Game, Goal, Move, Player, Rng, Role, TypedMoves};
use gamegrove_octagon::symmetry::{SYMMETRIES, inverse};
use gamegrove_octagon::{Listing, Octagon, State};
use proptest::prelude::*;

fn joint(game: &Octagon, state: &State, mov: Move) -> [Move; 2] {
    let mut joint = [game.noop(); 2];
    joint[state.mover().index()] = mov;
    joint
}

/// The state after `plies` random moves, or the last one.
fn random_state(game: &mut Octagon, plies: u32, rng: &mut Rng) -> State {
    let mut player = Player::new(game.clone());
    let start = game.initial_state();
    player.random_game(&start, plies, rng);
    player.state
}

#[test]
fn pieces_are_conserved_and_games_end() {
    for (number, rules) in support::all_rules().into_iter().enumerate() {
        let plies = u32::from(rules.plies());
        let mut player = Player::new(Octagon::new(rules.clone()).unwrap());
        let start = player.game.initial_state();
        let mut rng = Rng::stream(31, number as u64);
        let (mut placed, mut killed) = ([0; 2], [0; 2]);
        let playout = player.random_game_with(&start, plies + 1, &mut rng, |game, state, joint| {
            let mover = state.mover().index();
            let outcome = game.outcome(state, joint[mover]).unwrap();
            placed[mover] += 1;
            killed[1 - mover] += outcome.shifts.iter().filter(|s| s.enters.is_none()).count();
        });
        assert_eq!(playout.ending, Ending::Terminal);
        assert!(playout.steps <= plies);
        let state = player.state;
        let full = player.game.empty(&state) == 0;
        let out_of_pieces = state.stock(state.mover()).kinds() == 0;
        assert!(playout.steps == plies || full || out_of_pieces);
        for role in 0..2 {
            assert_eq!(state.score()[role] as usize, placed[role] - killed[role], "{rules}");
        }
    }
}

#[test]
fn boards_fill_up_before_the_last_ply() {
    for board in ["small", "large"] {
        // Pieces that push one way only kill least.
        let mut player = Player::new(support::game(&format!("{board}, stock=ones_only")));
        let start = player.game.initial_state();
        let plies = u32::from(player.game.rules().plies());
        let mut rng = Rng::new(32);
        let early = (0..3_000)
            .filter(|_| player.random_game(&start, plies, &mut rng).steps < plies)
            .count();
        assert!(early > 0, "{board}");
    }
}

#[test]
fn a_player_without_pieces_ends_the_game() {
    let rules = support::all_rules().into_iter().find(|r| r.stock_name == "short").unwrap();
    let mut player = Player::new(Octagon::new(rules).unwrap());
    let start = player.game.initial_state();
    // 9 + 2 + 1 + 1 placements each.
    let playout = player.random_game(&start, 1_000, &mut Rng::new(33));
    assert_eq!((playout.steps, playout.ending), (26, Ending::Terminal));
}

#[test]
fn unique_moves_leave_different_boards_and_all_that_can_be_left() {
    let mut rng = Rng::new(34);
    for board in ["small", "medium", "large"] {
        let mut unique = support::game(board);
        let mut every = support::game(&format!("{board}, moves=every_placement"));
        for _ in 0..40 {
            let plies = rng.below(usize::from(unique.rules().plies())) as u32;
            let state = random_state(&mut unique, plies, &mut rng);
            let boards = |game: &mut Octagon| {
                let mut moves = Vec::new();
                game.legal_moves(&state, state.mover(), &mut moves);
                let left: HashSet<_> = moves
                    .iter()
                    .map(|&mov| {
                        let mut next = state;
                        game.apply(&state, &joint(game, &state, mov), &mut next);
                        (next.pieces(Role(0)), next.pieces(Role(1)))
                    })
                    .collect();
                (left, moves.len())
            };
            let (left, count) = boards(&mut unique);
            assert_eq!(left.len(), count);
            assert_eq!(left, boards(&mut every).0);
        }
    }
}

#[test]
fn random_choice_is_uniform_over_the_list() {
    let mut game = support::game("small");
    let state = random_state(&mut game, 9, &mut Rng::new(35));
    let mut moves = Vec::new();
    game.legal_moves(&state, state.mover(), &mut moves);
    let mut player = Player::new(game);
    let mut rng = Rng::new(36);
    let mut counts = vec![0u32; player.game.move_bound(Role(0))];
    let rounds = 1_000 * moves.len();
    for _ in 0..rounds {
        player.random_game_with(&state, 1, &mut rng, |_, state, joint| {
            counts[joint[state.mover().index()].index()] += 1;
        });
    }
    for mov in moves {
        assert!((800..1_200).contains(&counts[mov.index()]), "{}", counts[mov.index()]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Symmetries commute with play, and all images have one canonical form.
    #[test]
    fn symmetries_keep_the_game(seed: u64, variant in 0usize..180, plies in 0u32..140) {
        let all = support::all_rules();
        let mut game = Octagon::new(all[variant % all.len()].clone()).unwrap();
        let mut rng = Rng::new(seed);
        let state = random_state(&mut game, plies, &mut rng);
        let canonical = game.canonical(&state);
        prop_assert_eq!(game.state_image(canonical.symmetry, &state), canonical.state);
        let back = game.state_image(inverse(canonical.symmetry), &canonical.state);
        prop_assert_eq!(back, state);
        let mut moves = Vec::new();
        game.legal_moves(&state, state.mover(), &mut moves);
        for symmetry in 0..SYMMETRIES {
            let image = game.state_image(symmetry, &state);
            prop_assert_eq!(game.canonical(&image).state, canonical.state);
            let mut image_moves = Vec::new();
            game.legal_moves(&image, image.mover(), &mut image_moves);
            prop_assert_eq!(moves.len(), image_moves.len());
            let Some(mov) = rng.pick(&moves) else { continue };
            let moved = game.move_image(symmetry, mov);
            prop_assert_eq!(game.move_image(inverse(symmetry), moved), mov);
            let (mut next, mut image_next) = (state, image);
            game.apply(&state, &joint(&game, &state, mov), &mut next);
            game.apply(&image, &joint(&game, &image, moved), &mut image_next);
            prop_assert_eq!(game.state_image(symmetry, &next), image_next);
            prop_assert_eq!(game.move_type(&state, mov), game.move_type(&image, moved));
            let (position, placement) = game.placement(moved).unwrap();
            let listed = game.equivalent(&image, position, placement).unwrap();
            prop_assert!(image_moves.contains(&listed));
        }
    }

    /// No number, legal or not, and no name brings the game down.
    #[test]
    fn numbers_and_names_of_no_move_do_no_harm(
        seed: u64,
        variant in 0usize..180,
        numbers: [u32; 2],
        name in ".{0,12}",
        ply: u8,
    ) {
        let all = support::all_rules();
        let mut game = Octagon::new(all[variant % all.len()].clone()).unwrap();
        let state = random_state(&mut game, u32::from(ply), &mut Rng::new(seed));
        let bound = game.move_bound(Role(0)) as u32;
        for number in [numbers[0], numbers[0] % (bound + 2)] {
            let mut next = state;
            game.apply(&state, &[Move(number), Move(numbers[1])], &mut next);
            prop_assert_eq!(next.pieces(Role(0)) & next.pieces(Role(1)), 0);
            game.apply(&state, &[Move(number); 2], &mut next);
            prop_assert_eq!(next.pieces(Role(0)) & next.pieces(Role(1)), 0);
            let _ = (game.outcome(&state, Move(number)), game.move_type(&state, Move(number)));
            let _ = game.move_name(Role(0), Move(number));
        }
        let mut next = state;
        game.apply(&state, &[], &mut next);
        if let Some(mov) = game.find_move(Role(0), &name) {
            prop_assert_eq!(game.find_move(Role(0), &game.move_name(Role(0), mov)), Some(mov));
        }
        let _ = game.role_name(Role(200));
        game.goals(&state, &mut [Goal::default(); 3]);
    }

    /// Every placement on the board leads to a listed move that leaves the same board.
    #[test]
    fn any_placement_has_a_listed_equal(seed: u64, variant in 0usize..180, plies in 0u32..140) {
        let all = support::all_rules();
        let rules = all[variant % all.len()].clone();
        let mut every = rules.clone();
        every.moves = Listing::EveryPlacement;
        let (mut game, mut every) = (Octagon::new(rules).unwrap(), Octagon::new(every).unwrap());
        let state = random_state(&mut game, plies, &mut Rng::new(seed));
        let (mut moves, mut listed, mut types) = (Vec::new(), Vec::new(), Vec::new());
        every.legal_moves(&state, state.mover(), &mut moves);
        game.typed_moves(&state, state.mover(), &mut listed, &mut types);
        for mov in moves {
            let (position, placement) = every.placement(mov).unwrap();
            let same = game.equivalent(&state, position, placement).unwrap();
            prop_assert!(listed.contains(&same));
            let (mut next, mut other) = (state, state);
            every.apply(&state, &joint(&every, &state, mov), &mut next);
            game.apply(&state, &joint(&game, &state, same), &mut other);
            for role in Role::all(2) {
                prop_assert_eq!(next.pieces(role), other.pieces(role));
            }
        }
    }
}
