//! The search's signature: one number for what many searches with a fixed seed found.
//!
//! A change that is meant to leave the search as it is leaves this number; one that changes it says so
//! and writes the new number here.

use crate::support::{game, mcts};
use gamegrove_game::{Game, Move, Role};
use gamegrove_search::{Budget, Part, Search};

const SIGNATURE: u64 = 7_379_806_555_539_255_194;

/// Two steps of a match, so that what is kept from one to the next counts too.
fn search(name: &str, settings: &Part, note: &mut impl FnMut(u64)) {
    let mut game = game(name);
    let mut search = Search::new(game.clone(), settings, 11).expect("good settings");
    let mut state = game.initial_state();
    for _ in 0..2 {
        search.set_root(&state);
        search.run(&Budget::simulations(80));
        for role in Role::all(game.role_count()) {
            for found in search.report(role).moves {
                note(u64::from(found.mov.0));
                note(u64::from(found.visits));
                note(found.mean.unwrap_or(-1.0).to_bits());
            }
        }
        let joint: Vec<Move> = Role::all(game.role_count())
            .map(|role| search.best_move(role).expect("play goes on"))
            .collect();
        let mut next = state.clone();
        game.apply(&state, &joint, &mut next);
        state = next;
    }
}

#[test]
fn searches_find_what_they_found_before() {
    // FNV-1a, because it is the same on every machine and in every version.
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut note = |number: u64| {
        for byte in number.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    let agents = [
        mcts("uct", "random"),
        mcts("grave", "mast"),
        mcts("hrave", "nst"),
        mcts("uct", "ppa").with("solver", "select"),
        mcts("ucb1_tuned", Part::named("mast").with("sample", "gibbs")).with("table", false),
        mcts("uct", "random").with("transpositions", "uct3").with("tactic", "decisive"),
    ];
    for name in
        ["tic_tac_toe", "connect_four", "breakthrough", "tron", "connect_four_3p", "eight_puzzle"]
    {
        for settings in &agents {
            search(name, settings, &mut note);
        }
    }
    assert_eq!(hash, SIGNATURE, "the searches found something else");
}
