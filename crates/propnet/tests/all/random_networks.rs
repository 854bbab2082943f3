//! Networks that no rulesheet would give: random gates, negations and positive cycles. The plainest
//! engine on the network as drawn says what is right; every engine after every sequence must agree.

use std::sync::Arc;

use crate::support::sketch::network;
use gamegrove_game::{Describe, Game, Goal, Move, Rng, Role};
use gamegrove_propnet::{
    Circuit, Evaluator, Forward, Network, Propnet, Sequence, Settings, Statistics, Sweep,
    initialise, text,
};

/// Everything a game says about a state, and the names of its legal moves.
fn answers<G: Describe>(game: &mut G, state: &G::State) -> (String, Vec<Vec<String>>) {
    let mut goals = [Goal::default(); 2];
    game.goals(state, &mut goals);
    let (mut legal, mut moves) = (Vec::new(), Vec::new());
    for role in Role::all(2) {
        game.legal_moves(state, role, &mut moves);
        let mut names: Vec<String> = moves.iter().map(|&m| game.move_name(role, m)).collect();
        names.sort();
        legal.push(names);
    }
    let end = game.is_terminal(state);
    (format!("{:?} {goals:?} {legal:?} {end}", game.facts(state)), legal)
}

/// A random walk of legal moves; terminal states are walked through.
fn walk<E: Evaluator>(network: &Arc<Network>, seed: u64) -> Vec<String> {
    walk_with(Propnet::<E>::new(network).expect("a sound network"), seed)
}

fn walk_with<E: Evaluator>(mut game: Propnet<E>, seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let mut state = game.initial_state();
    let mut seen = Vec::new();
    for _ in 0..12 {
        let (said, legal) = answers(&mut game, &state);
        seen.push(said);
        let joint: Vec<Move> = Role::all(2)
            .zip(&legal)
            .filter_map(|(role, names)| {
                let name = &names[rng.below(names.len())];
                game.find_move(role, name)
            })
            .collect();
        let mut next = state.clone();
        game.apply(&state, &joint, &mut next);
        // Looking back must not confuse an engine that remembers.
        if rng.below(3) == 0 {
            assert_eq!(answers(&mut game, &state).0, *seen.last().expect("just pushed"));
        }
        state = next;
    }
    seen
}

#[test]
fn all_engines_agree_after_all_sequences() {
    let mut cycles = 0;
    for seed in 0..1500 {
        let basic = Arc::new(network(&["a", "b"], false, &mut Rng::new(seed)));
        cycles += Statistics::of(&basic).cycles;
        let expected = walk::<Sweep>(&basic, seed);
        for name in Sequence::PUBLISHED.iter().chain(&["0123", "3210", "20", "31"]) {
            let sequence: Sequence = name.parse().expect("digits");
            let network = Arc::new(sequence.run(&basic));
            assert_eq!(network.check(), Ok(()), "{sequence} of seed {seed}");
            let told = format!("{sequence} of seed {seed}:\n{}", text::print(&basic));
            assert_eq!(walk::<Sweep>(&network, seed), expected, "sweep, {told}");
            if name.is_empty() || *name == "1023" {
                assert_eq!(walk::<Forward>(&network, seed), expected, "forward, {told}");
                let circuit = Circuit::new(&network).expect("a sound network");
                for (effects, guard_from) in
                    [(false, None), (false, Some(1)), (true, None), (true, Some(2))]
                {
                    let settings = Settings { effects, guard_from, ..Settings::default() };
                    let forward = Forward::with_settings(&circuit, &settings);
                    let game = Propnet::with_evaluator(&network, forward);
                    assert_eq!(walk_with(game, seed), expected, "{settings:?}, {told}");
                }
            }
            assert!(network.len() <= basic.len(), "{told}");
        }
    }
    assert!(cycles > 500, "only {cycles} cycles were drawn");
}

#[test]
fn text_is_read_as_it_was_written() {
    for seed in 0..200 {
        let network = network(&["a", "b"], false, &mut Rng::new(seed));
        let written = text::print(&network);
        let again = initialise(text::parse(&written).expect("readable")).expect("sound");
        assert_eq!(text::print(&again), written);
    }
}
