//! Parts for games with typed moves: opponent model, types in play-outs, groups of moves; and what
//! ends a search early. The game here knows nothing of the one they were made for.

use crate::support::tokens::{State, Tokens, metal};
use crate::support::{after, mcts};
use gamegrove_game::{Game, Goal, Move, Role};
use gamegrove_search::{Budget, Part, Search, SettingsError, Stop};

const GAME: Tokens = Tokens { plies: 8, typed: true };
const WAIT: Move = Move(crate::support::tokens::TOKENS);

fn search(settings: &Part, role: Role, seed: u64) -> Search<Tokens> {
    Search::new(GAME, settings, seed).expect("good settings").for_role(role)
}

fn play(state: &State, mov: u32) -> State {
    let mut joint = [WAIT; 2];
    joint[usize::from(state.ply % 2)] = Move(mov);
    let mut next = *state;
    GAME.clone().apply(state, &joint, &mut next);
    next
}

/// Chances believed of the opponent, in the order gold, silver.
fn believed(search: &Search<Tokens>, role: Role) -> [f64; 2] {
    let beliefs = search.beliefs(role).expect("it models its opponents");
    [beliefs.accepts[0], beliefs.accepts[1]]
}

#[test]
fn the_root_follows_moves_on_the_board_and_nothing_else() {
    let mut search = search(&mcts("uct", "opponent_model"), Role(0), 1);
    let start = GAME.clone().initial_state();
    search.set_root(&start);
    search.run(&Budget::simulations(200));
    assert_eq!(believed(&search, Role(1)), [0.75, 0.65], "simulations leak nothing");
    // Its own move teaches nothing, though gold was declined.
    search.played(&[Move(11), WAIT]);
    let state = play(&start, 11);
    assert_eq!(believed(&search, Role(1)), [0.75, 0.65]);
    assert!(search.beliefs(Role(0)).is_none(), "nothing is believed of oneself");
    // The opponent declines gold and silver: 0.75 to 3/7 and 0.65 to 0.13 / 0.41.
    search.set_root(&state);
    search.run(&Budget::simulations(200));
    search.played(&[WAIT, Move(10)]);
    let seen = believed(&search, Role(1));
    assert!((seen[0] - 3.0 / 7.0).abs() < 1e-9 && (seen[1] - 13.0 / 41.0).abs() < 1e-3, "{seen:?}");
    search.set_root(&play(&state, 10));
    search.run(&Budget::simulations(200));
    assert_eq!(believed(&search, Role(1)), seen);
}

#[test]
fn the_searcher_can_be_modelled_too() {
    let start = GAME.clone().initial_state();
    // The first player, for which the search is, declines gold and silver.
    let after_own_move = |models: &str| {
        let playout = Part::named("opponent_model").with("models", models);
        let mut search = search(&mcts("uct", playout), Role(0), 1);
        search.set_root(&start);
        search.run(&Budget::simulations(200));
        search.played(&[Move(11), WAIT]);
        [Role(0), Role(1)].map(|role| search.beliefs(role).map(|beliefs| beliefs.accepts[0]))
    };
    let near = |seen: Option<f64>, expected: f64| seen.is_some_and(|p| (p - expected).abs() < 1e-9);
    let [own, other] = after_own_move("each");
    assert!(near(own, 3.0 / 7.0) && near(other, 0.75), "{own:?} {other:?}");
    let [own, other] = after_own_move("shared");
    assert!(near(own, 3.0 / 7.0) && near(other, 3.0 / 7.0), "{own:?} {other:?}");
    // Play-outs follow the model of the searcher: a searcher that takes the best is ahead of one that
    // takes anything.
    let greedy = Part::named("opponent_model").with("first", 1.0).with("second", 1.0);
    let greedy = greedy.with("certainty", 0.5).with("most", 1.0);
    let alone = mean(greedy.clone(), "all", 1.0);
    assert!(mean(greedy.with("models", "each"), "all", 1.0) > alone + 10.0);
}

#[test]
fn forced_moves_teach_nothing() {
    let mut search = search(&mcts("uct", "opponent_model"), Role(1), 1);
    // Only copper is left for the first player.
    let state = State { taken: 0b1111111, ply: 4, worth: [0; 2] };
    search.set_root(&state);
    search.played(&[Move(7), WAIT]);
    assert_eq!(believed(&search, Role(0)), [0.75, 0.65]);
}

/// The mean at the root for the first player.
fn mean(playout: Part, expand: &str, tree_depth: f64) -> f64 {
    let settings = mcts("random", playout).with("tree_depth", tree_depth).with("expand", expand);
    let mut search = search(&settings, Role(0), 5);
    search.set_root(&GAME.clone().initial_state());
    search.run(&Budget::simulations(4000));
    let report = search.report(Role(0));
    let sum: f64 = report.moves.iter().filter_map(|m| Some(m.mean? * f64::from(m.visits))).sum();
    sum / 4000.0
}

#[test]
fn opponents_play_as_they_are_believed_to() {
    // Certainty 0.5 learns nothing, so that beliefs stay as they are set.
    let model = |gold: f64, silver: f64| {
        let part = Part::named("opponent_model").with("certainty", 0.5);
        part.with("first", gold).with("second", silver).with("least", 0.0).with("most", 1.0)
    };
    let (strong, weak) = (mean(model(1.0, 1.0), "all", 1.0), mean(model(0.0, 0.0), "all", 1.0));
    let random = mean(Part::named("random"), "all", 1.0);
    assert!(strong + 10.0 < random && random + 10.0 < weak, "{strong} {random} {weak}");
    // Both greedy: the first player is not behind.
    let both = Part::named("by_type").with("first", 1.0).with("second", 1.0);
    assert!(mean(both.clone(), "all", 1.0) > strong + 10.0);
    // The searcher's own moves can be left to the same policy.
    let own = model(1.0, 1.0).with("own", both);
    assert!(mean(own, "all", 1.0) > strong + 10.0);
    // Copper is never met where an opponent takes gold and silver first: the inner policy
    // chooses among the moves of that type only.
    let inside = model(1.0, 1.0).with("inside", "mast");
    assert!((mean(inside, "all", 1.0) - strong).abs() < 6.0);
}

#[test]
fn opponents_follow_their_model_as_often_as_is_said() {
    let greedy = Part::named("opponent_model").with("first", 1.0).with("second", 1.0);
    let greedy = greedy.with("follow", "certainty").with("most", 1.0);
    let never = mean(greedy.clone().with("certainty", 0.0), "all", 1.0);
    let half = mean(greedy.clone().with("certainty", 0.5), "all", 1.0);
    let always = mean(greedy.with("certainty", 1.0), "all", 1.0);
    let random = mean(Part::named("random"), "all", 1.0);
    assert!((never - random).abs() < 6.0, "{never} {random}");
    assert!(always + 5.0 < half && half + 5.0 < never, "{always} {half} {never}");
    // Trust is a half, and stays so with Bayes' rule: only `nudge` ever changes it.
    let trusted = Part::named("opponent_model").with("first", 1.0).with("second", 1.0);
    let trusted = trusted.with("follow", "trust").with("most", 1.0);
    assert!(mean(trusted, "all", 1.0) + 5.0 < random);
}

#[test]
fn opponents_can_follow_their_model_in_the_tree() {
    let visits = |expand: &str, follow: &str, certainty: f64, searcher: u8| {
        let model = Part::named("opponent_model").with("first", 1.0).with("most", 1.0);
        let model = model.with("follow", follow).with("certainty", certainty).with("tree", true);
        let settings = mcts("random", model).with("expand", expand);
        let mut search = search(&settings, Role(searcher), 3);
        search.set_root(&GAME.clone().initial_state());
        search.run(&Budget::simulations(300));
        let moves = search.report(Role(0)).moves;
        let of_gold = moves.iter().filter(|seen| metal(seen.mov) == 1);
        (of_gold.map(|seen| seen.visits).sum::<u32>(), moves.len())
    };
    for expand in ["all", "groups"] {
        // The first player is the opponent and takes gold.
        assert_eq!(visits(expand, "always", 0.5, 1).0, 300);
        // Half of the time any move is open.
        let (gold, all) = visits(expand, "certainty", 0.5, 1);
        assert!((160..260).contains(&gold) && all > 2, "{gold}");
        // The searcher itself looks at everything.
        assert!(visits(expand, "always", 0.5, 0).0 < 150);
    }
    let guided = Part::named("opponent_model").with("tree", true);
    assert!(Search::new(GAME, &mcts("uct", guided).with("tree", "open"), 1).is_err());
}

#[test]
fn of_moves_that_are_alike_one_is_looked_at() {
    let settings = mcts("uct", "random").with("expand", "groups");
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let mut search = search(&settings, Role(0), seed);
        search.set_root(&GAME.clone().initial_state());
        search.run(&Budget::simulations(300));
        let tree = search.tree();
        for id in tree.ids().filter(|&id| !tree.node(id).is_terminal()) {
            let mover = Role(search.state(id).expect("a state").ply % 2);
            let mut metals: Vec<u8> = tree.moves(id, mover).iter().map(|m| metal(*m)).collect();
            metals.sort_unstable();
            metals.dedup();
            assert_eq!(metals.len(), tree.moves(id, mover).len(), "one token of each metal");
        }
        seen.extend(search.report(Role(0)).moves.iter().map(|m| m.mov));
        let best = search.best_move(Role(0)).expect("play goes on");
        assert_eq!(metal(best), 1, "gold is best");
    }
    assert!(seen.len() > 8, "any of them may be the one: {seen:?}");
}

#[test]
fn without_types_the_parts_say_so() {
    let plain = Tokens { typed: false, ..GAME };
    for settings in [
        mcts("uct", "opponent_model"),
        mcts("uct", "by_type"),
        mcts("uct", "random").with("expand", "groups"),
    ] {
        let error = Search::new(plain.clone(), &settings, 1).err().expect("no types");
        assert!(matches!(error, SettingsError::Unable { .. }), "{error}");
        assert!(error.to_string().contains("types of moves"), "{error}");
    }
    let open = mcts("uct", "random").with("expand", "groups").with("tree", "open");
    assert!(Search::new(GAME, &open, 1).is_err());
}

#[test]
fn equal_seeds_give_equal_searches_also_in_open_trees() {
    for tree in ["closed", "open"] {
        let playout = Part::named("opponent_model").with("own", "mast").with("update", "nudge");
        let settings = mcts("grave", playout).with("tree", tree).with("tactic", "decisive");
        let run = |seed| {
            let mut search = search(&settings, Role(1), seed);
            let mut state = GAME.clone().initial_state();
            let mut seen = Vec::new();
            for mov in [11, 0, 10, 1] {
                search.set_root(&state);
                search.run(&Budget::simulations(300));
                let visits =
                    search.report(Role(1)).moves.iter().map(|m| m.visits).collect::<Vec<_>>();
                seen.push((visits, believed(&search, Role(0)).map(f64::to_bits)));
                let mut joint = [WAIT; 2];
                joint[usize::from(state.ply % 2)] = Move(mov);
                search.played(&joint);
                state = play(&state, mov);
            }
            seen
        };
        assert_eq!(run(7), run(7));
        let learned = run(7).into_iter().map(|(_, beliefs)| beliefs).collect::<Vec<_>>();
        assert_ne!(learned[0], learned[3], "the root learns in a {tree} tree too");
    }
}

#[test]
fn one_who_does_not_ponder_waits_without_searching() {
    for (ponder, simulations) in [(true, 100), (false, 0)] {
        let settings = mcts("uct", "random").with("ponder", ponder);
        let mut search = search(&settings, Role(1), 1);
        search.set_root(&GAME.clone().initial_state());
        let stop = search.run(&Budget::simulations(100));
        assert_eq!(search.report(Role(1)).simulations, simulations);
        assert_eq!(stop == Stop::Solved, !ponder);
        assert_eq!(search.best_move(Role(1)), Some(WAIT));
    }
}

/// What a position is worth to a role with best play, the plain way.
fn worth<G: Game>(game: &mut G, state: &G::State, role: Role) -> f32 {
    if game.is_terminal(state) {
        let mut goals = vec![Goal::default(); game.role_count()];
        game.goals(state, &mut goals);
        return goals[role.index()].0;
    }
    let mut legal: Vec<Vec<Move>> = vec![Vec::new(); game.role_count()];
    for each in Role::all(game.role_count()) {
        game.legal_moves(state, each, &mut legal[each.index()]);
    }
    let mover = legal.iter().position(|moves| moves.len() > 1).unwrap_or(0);
    let mut joint: Vec<Move> = legal.iter().map(|moves| moves[0]).collect();
    let all: Vec<f32> = legal[mover]
        .clone()
        .into_iter()
        .map(|mov| {
            joint[mover] = mov;
            let mut next = state.clone();
            game.apply(state, &joint, &mut next);
            worth(game, &next, role)
        })
        .collect();
    let own = mover == role.index();
    all.into_iter().reduce(if own { f32::max } else { f32::min }).expect("a move")
}

/// The moves of a role after which its best play is worth as much as before.
fn best_moves<G: Game>(game: &mut G, state: &G::State, role: Role) -> Vec<Move> {
    let mut legal = Vec::new();
    let joint: Vec<Move> = Role::all(game.role_count())
        .map(|each| {
            game.legal_moves(state, each, &mut legal);
            legal[0]
        })
        .collect();
    game.legal_moves(state, role, &mut legal);
    let top = worth(game, state, role);
    legal.retain(|&mov| {
        let mut joint = joint.clone();
        joint[role.index()] = mov;
        let mut next = state.clone();
        game.apply(state, &joint, &mut next);
        worth(game, &next, role) == top
    });
    legal
}

#[test]
fn near_the_end_the_best_moves_are_played_and_only_those() {
    let mut game = crate::support::game("tic_tac_toe");
    for line in [
        vec!["(mark 1 1)", "(mark 2 2)", "(mark 3 3)", "(mark 1 2)", "(mark 3 2)"],
        vec!["(mark 1 1)", "(mark 2 2)", "(mark 1 2)", "(mark 1 3)", "(mark 3 1)"],
        vec!["(mark 2 2)", "(mark 1 2)", "(mark 1 1)", "(mark 3 3)", "(mark 2 1)"],
    ] {
        let state = after(&mut game, &line);
        let expected = best_moves(&mut game, &state, Role(1));
        let mut played = std::collections::BTreeSet::new();
        for seed in 0..60 {
            let endgame = Part::named("minimax").with("plies", 4.0);
            let settings = mcts("uct", "random").with("endgame", endgame);
            let search = Search::new(game.clone(), &settings, seed).expect("good settings");
            let mut search = search.for_role(Role(1));
            search.set_root(&state);
            assert_eq!(search.run(&Budget::simulations(10)), Stop::Solved);
            played.insert(search.best_move(Role(1)).expect("play goes on"));
        }
        assert_eq!(played.into_iter().collect::<Vec<_>>(), expected, "{line:?}");
    }
}

#[test]
fn what_is_too_far_from_the_end_is_searched() {
    let state = State { taken: 0, ply: 5, worth: [3, 2] };
    for (part, solved) in [
        (Part::named("minimax"), true),
        (Part::named("minimax").with("plies", 2.0), false),
        (Part::named("minimax").with("moves", 12.0), false),
        (Part::named("minimax").with("moves", 13.0), true),
        (Part::named("minimax").with("nodes", 1727.0), false),
        (Part::named("minimax").with("nodes", 1728.0), true),
    ] {
        let settings = mcts("uct", "random").with("endgame", part.clone());
        let mut search = search(&settings, Role(1), 1);
        search.set_root(&state);
        assert_eq!(search.run(&Budget::simulations(50)) == Stop::Solved, solved, "{part}");
        // A new root is looked at anew.
        search.set_root(&State { ply: 1, ..state });
        assert_eq!(search.run(&Budget::simulations(50)), Stop::Simulations);
    }
}

#[test]
fn play_outs_that_stop_are_rated_by_the_game() {
    let rated = |weights: Part| {
        let cutoff = Part::named("rated").with("steps", 0.0).with("scale", 2.0);
        mcts("random", "random")
            .with("cutoff", cutoff.with("weights", weights))
            .with("tree_depth", 1.0)
    };
    let mut search = search(&rated(Part::named("each").with("own", 1.0)), Role(0), 2);
    search.set_root(&GAME.clone().initial_state());
    search.run(&Budget::simulations(12));
    for found in search.report(Role(0)).moves.iter().filter(|found| found.visits == 1) {
        // One token was taken: gold is worth 3, silver 2, copper 1.
        let worth = [1.0, 3.0, 2.0][usize::from(metal(found.mov))];
        let expected = 100.0 / (1.0 + f64::exp(-worth / 2.0));
        assert!((found.mean.expect("a visit") - expected).abs() < 1e-9);
    }
    let wrong = rated(Part::named("each").with("owm", 1.0));
    let error = Search::new(GAME, &wrong, 1).err().expect("no such weight").to_string();
    assert!(error.contains("did you mean `own`?"), "{error}");
    let none = Search::new(Tokens { typed: false, ..GAME }, &rated(Part::named("each")), 1);
    assert!(matches!(none.err(), Some(SettingsError::Unable { .. })));
}

#[test]
fn play_outs_end_so_many_steps_from_the_root_or_from_the_leaf() {
    for (from, most) in [("root", 3), ("leaf", 6)] {
        let cutoff = Part::named("length").with("steps", 3.0).with("from", from);
        let settings = mcts("uct", "random").with("cutoff", cutoff).with("tree_depth", 2.0);
        let mut search = search(&settings, Role(0), 2);
        search.set_root(&GAME.clone().initial_state());
        search.run(&Budget::simulations(100));
        let report = search.report(Role(0));
        if from == "root" {
            assert_eq!(report.steps, 100 * most);
        } else {
            assert!(report.steps > 100 * 3 && report.steps <= 100 * most, "{}", report.steps);
        }
    }
}
