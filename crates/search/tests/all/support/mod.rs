//! Games and small conveniences for tests of the search.

pub mod slow_lanes;
pub mod tokens;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use gamegrove_game::{Describe, Game, Move, Role};
use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_propnet::{Propnet, Sequence, build_from_rules};
use gamegrove_search::{Part, Value};

/// A shipped game on its network. Each is built once: that takes longer than most tests.
pub fn game(name: &str) -> Propnet {
    static GAMES: LazyLock<Mutex<HashMap<String, Propnet>>> = LazyLock::new(Mutex::default);
    let mut games = GAMES.lock().expect("no test panics while it builds a game");
    let build = || {
        let root = env!("CARGO_MANIFEST_DIR");
        let path = format!("{root}/../../games/gdl/{name}.kif");
        game_of(&std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}")))
    };
    games.entry(name.to_owned()).or_insert_with(build).clone()
}

/// The game of a rulesheet on its network.
pub fn game_of(rules: &[u8]) -> Propnet {
    let sheet = Rulesheet::load(rules).expect("a good rulesheet");
    let network = build_from_rules(&sheet.program, 0, &Limits::default()).expect("it grounds");
    Propnet::new(&Arc::new(Sequence::default().run(&network))).expect("a sound network")
}

/// `mcts` with a selection and a policy.
pub fn mcts(select: impl Into<Value>, playout: impl Into<Value>) -> Part {
    Part::named("mcts").with("select", select).with("playout", playout)
}

/// The state after moves of the roles in turn, the others having no choice.
pub fn after(game: &mut Propnet, moves: &[&str]) -> <Propnet as Game>::State {
    let mut state = game.initial_state();
    let mut legal = Vec::new();
    for name in moves {
        let joint: Vec<Move> = Role::all(game.role_count())
            .map(|role| {
                game.legal_moves(&state, role, &mut legal);
                let named = legal.iter().find(|&&mov| game.move_name(role, mov) == *name);
                *named.unwrap_or(&legal[0])
            })
            .collect();
        let mut next = state.clone();
        game.apply(&state, &joint, &mut next);
        state = next;
    }
    state
}
