//! Every strategy with every option at its default and at its extremes plays without trouble.

use crate::support::game;
use crate::support::tokens::Tokens;
use gamegrove_game::{Game, Role};
use gamegrove_propnet::Propnet;
use gamegrove_search::{
    Budget, CUTOFFS, ENDGAMES, EXPANSIONS, Entry, Kind, PARAMETERS, POLICIES, Parameter, Part,
    SELECTIONS, Search, SettingsError, TACTICS, Value,
};

/// The values of an option that are worth a try.
fn extremes(parameter: &Parameter) -> Vec<Value> {
    match parameter.kind {
        Kind::Flag => vec![Value::Flag(false), Value::Flag(true)],
        Kind::Word(words) => words.iter().map(|&word| Value::from(word)).collect(),
        Kind::Part(_) | Kind::Text { .. } => Vec::new(),
        Kind::Real | Kind::Whole => [parameter.least, parameter.default, parameter.greatest]
            .into_iter()
            .map(Value::Number)
            .collect(),
    }
}

fn check<G: Game>(games: &[G], settings: &Part) {
    // Roles that choose in sequence also have nodes of their own, in which no other role has visits.
    let in_sequence = settings.get("simultaneous") == Some(&Value::from("sequential"));
    for game in games {
        let mut game = game.clone();
        let search = Search::new(game.clone(), settings, 3);
        let mut search = search.unwrap_or_else(|error| panic!("{settings}: {error}"));
        let mut state = game.initial_state();
        for _ in 0..2 {
            search.set_root(&state);
            search.run(&Budget::simulations(120));
            let tree = search.tree();
            for id in tree.ids() {
                for role in Role::all(game.role_count()) {
                    let all = tree.statistics(id, role);
                    let sum: u32 = all.iter().map(|s| s.visits).sum();
                    let passed = if tree.node(id).is_terminal() { 0 } else { tree.node(id).visits };
                    assert!(sum == passed || in_sequence, "{settings}: {sum} of {passed}");
                    assert!(all.iter().all(|s| s.sum.is_finite()), "{settings}");
                    assert!(tree.extra(id, role).iter().all(|x| !x.is_nan()), "{settings}");
                }
            }
            let joint: Vec<_> = Role::all(game.role_count())
                .map(|role| search.best_move(role).expect("play goes on"))
                .collect();
            let mut next = state.clone();
            game.apply(&state, &joint, &mut next);
            state = next;
        }
    }
}

/// The part, or the part with the one word among its options that the option given needs.
fn valid<G: Game, T: ?Sized>(
    game: &G,
    entry: &Entry<T>,
    part: Part,
    with: &impl Fn(Part) -> Part,
) -> Part {
    let works = |part: &Part| match Search::new(game.clone(), &with(part.clone()), 0) {
        Ok(_) => true,
        Err(SettingsError::UnknownKey { .. }) => false,
        Err(other) => panic!("{part}: {other}"),
    };
    let mut worded = Vec::new();
    for parameter in entry.parameters {
        if let Kind::Word(words) = parameter.kind {
            worded.extend(words.iter().map(|&word| part.clone().with(parameter.name, word)));
        }
    }
    let mut all = std::iter::once(part.clone()).chain(worded);
    all.find(works).unwrap_or_else(|| panic!("nothing makes {part} valid"))
}

fn check_all<T: ?Sized>(key: &str, entries: &[Entry<T>]) {
    let games = [game("tic_tac_toe"), game("tron")];
    let typed = [Tokens { plies: 8, typed: true }];
    for entry in entries {
        let settings = Part::named("mcts").with(key, entry.name);
        match Search::new(games[0].clone(), &settings, 0) {
            Err(SettingsError::Unable { .. }) => check_entry(key, entry, &typed),
            _ => check_entry(key, entry, &games),
        }
    }
}

fn check_entry<G: Game, T: ?Sized>(key: &str, entry: &Entry<T>, games: &[G]) {
    let base = Part::named("mcts").with("playout", "mast");
    let with = |part: Part| {
        let mut settings = base.clone();
        settings.options.retain(|(given, _)| given != key);
        settings.with(key, part)
    };
    check(games, &with(Part::named(entry.name)));
    for parameter in entry.parameters {
        for value in extremes(parameter) {
            let part = Part::named(entry.name).with(parameter.name, value);
            check(games, &with(valid(&games[0], entry, part, &with)));
        }
    }
}

#[test]
fn selections() {
    check_all("select", SELECTIONS);
}

#[test]
fn policies() {
    check_all("playout", POLICIES);
}

#[test]
fn cutoffs() {
    check_all("cutoff", CUTOFFS);
}

#[test]
fn tactics() {
    check_all("tactic", TACTICS);
}

#[test]
fn expansions() {
    check_all("expand", EXPANSIONS);
}

#[test]
fn endgames() {
    check_all("endgame", ENDGAMES);
}

#[test]
fn whole_searches() {
    let games = [game("tic_tac_toe"), game("tron")];
    for parameter in PARAMETERS {
        for value in extremes(parameter) {
            check(&games, &Part::named("mcts").with(parameter.name, value));
        }
    }
}

/// Rules that only some combinations reach.
#[test]
fn combinations() {
    let games = [game("tic_tac_toe"), game("tron")];
    let gibbs = Part::named("mast").with("sample", "gibbs");
    for policy in [
        gibbs.clone().with("tau", 1e-9),
        gibbs.with("tau", f64::INFINITY),
        Part::named("sum").with("base", "past").with("extra", "nst"),
        Part::named("sum").with("base", "random").with("extra", "random"),
        Part::named("nst").with("order", "turns").with("l", 8.0).with("v", 0.0),
        Part::named("nst").with("decay_when", "batch").with("batch", 1.0).with("decay", 0.0),
        Part::named("nppa").with("alpha", 1000.0).with("k", 1000.0).with("mode", "rescaled_wins"),
        Part::named("ppa").with("alpha", 1000.0).with("mode", "all_winners_losers"),
        Part::named("ppa").with("inverted", true).with("mode", "rescaled_payoff"),
        Part::named("fast").with("scale", "none").with("samples", 1.0),
    ] {
        for select in ["uct", "grave", "progressive_history"] {
            let settings = crate::support::mcts(
                Part::named(select).with("informed_tries", true),
                policy.clone(),
            );
            check(&games, &settings.with("t", 5.0));
        }
    }
    // Tables that outgrow the memory are thinned out.
    check(&games, &Part::named("mcts").with("memory", 1.0).with("playout", "nst"));
}

#[test]
fn what_needs_facts_says_so_where_there_are_none() {
    #[derive(Clone)]
    struct Plain(Propnet);
    impl Game for Plain {
        type State = <Propnet as Game>::State;
        fn role_count(&self) -> usize {
            self.0.role_count()
        }
        fn move_bound(&self, role: Role) -> usize {
            self.0.move_bound(role)
        }
        fn initial_state(&mut self) -> Self::State {
            self.0.initial_state()
        }
        fn is_terminal(&mut self, state: &Self::State) -> bool {
            self.0.is_terminal(state)
        }
        fn legal_moves(
            &mut self,
            state: &Self::State,
            role: Role,
            moves: &mut Vec<gamegrove_game::Move>,
        ) {
            self.0.legal_moves(state, role, moves);
        }
        fn apply(
            &mut self,
            state: &Self::State,
            joint: &[gamegrove_game::Move],
            next: &mut Self::State,
        ) {
            self.0.apply(state, joint, next);
        }
        fn goals(&mut self, state: &Self::State, goals: &mut [gamegrove_game::Goal]) {
            self.0.goals(state, goals);
        }
    }
    let settings = crate::support::mcts("uct", "past");
    let error = Search::new(Plain(game("tic_tac_toe")), &settings, 1).err().expect("no facts");
    assert!(error.to_string().contains("the facts of states"), "{error}");
}
