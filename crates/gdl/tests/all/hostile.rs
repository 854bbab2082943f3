//! No text makes the parser, the checker, the grounder or the prover panic or run on.

use std::sync::Arc;

use gamegrove_game::{Describe, Fault, Game, Player, Rng, Role};
use gamegrove_gdl::{
    Diagnostic, Grounding, Limits, Program, Prover, ProverLimits, Reading, Rulesheet, check, parse,
    parse_term,
};
use proptest::prelude::*;

/// Everything one can do with a text, within small limits.
fn run(text: &[u8]) {
    let parsed = parse(text);
    let found: Vec<Diagnostic> = parsed
        .diagnostics
        .iter()
        .cloned()
        .chain(check(&parsed.sentences, &parsed.symbols))
        .collect();
    for diagnostic in &found {
        assert!(diagnostic.span.start <= diagnostic.span.end, "{diagnostic}");
        assert!(diagnostic.span.end as usize <= text.len(), "{diagnostic}");
        assert!(!diagnostic.help.is_empty(), "{diagnostic} does not say how to correct it");
    }
    let Ok(sheet) = Rulesheet::load(text) else { return };
    assert!(!found.iter().any(Diagnostic::is_error));
    let limits = Limits { memory: 1 << 24, steps: Some(100_000), time: None, cancel: None };
    let _ = Grounding::new(&sheet.program, &limits);
    let all = vec![true; sheet.program.predicates.len()];
    if let Ok(demanded) = sheet.program.demanded_within(&all, &limits) {
        let _ = Grounding::new(&Arc::new(demanded), &limits);
    }
    let limits = ProverLimits {
        work: 100_000,
        memory: 1 << 24,
        static_steps: 20_000,
        ..ProverLimits::default()
    };
    let Ok(prover) = Prover::with_limits(&sheet.program, limits) else { return };
    let mut player = Player::new(prover);
    let start = player.game.initial_state();
    player.random_game(&start, 20, &mut Rng::new(1));
    player.goals();
}

/// Words that rulesheets are made of.
fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        3 => Just("(".to_owned()),
        3 => Just(")".to_owned()),
        4 => prop::sample::select(vec![
            "<=", "not", "or", "and", "distinct", "role", "init", "true", "does", "legal", "next",
            "terminal", "goal", "base", "input", "sees", "random", ";", "\n",
        ]).prop_map(str::to_owned),
        4 => prop::sample::select(vec!["?x", "?y", "?z", "p", "q", "f", "a", "b", "0", "100", "101"])
            .prop_map(str::to_owned),
    ];
    prop::collection::vec(word, 0..120).prop_map(|words| words.join(" "))
}

const SEEDS: [&str; 7] = [
    include_str!("../../../../games/gdl/tic_tac_toe.kif"),
    include_str!("../../../../games/gdl/connect_four.kif"),
    include_str!("../../../../games/gdl/breakthrough.kif"),
    include_str!("../../../../games/gdl/checkers.kif"),
    include_str!("../../../../games/gdl/eight_puzzle.kif"),
    include_str!("../../../../games/gdl/tron.kif"),
    "(role r) (<= (p ?x (f ?y)) (p ?y ?x)) (p a b) (<= (legal r ?m) (p ?m ?x)) \
     (<= (next ?f) (true ?f)) (<= terminal (not (true (p a)))) (goal r 100)",
];

/// A real rulesheet with some of its words moved, dropped, doubled or replaced.
fn mutated() -> impl Strategy<Value = String> {
    let change = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..4u8);
    (0..SEEDS.len(), prop::collection::vec(change, 1..6)).prop_map(|(seed, changes)| {
        let text = SEEDS[seed].lines().map(|line| line.split(';').next().unwrap_or(""));
        let text = text.collect::<Vec<_>>().join(" ").replace('(', " ( ").replace(')', " ) ");
        let mut words: Vec<&str> = text.split_whitespace().collect();
        for (at, from, kind) in changes {
            let (at, from) = (at.index(words.len()), from.index(words.len()));
            match kind {
                0 => words.swap(at, from),
                1 => words[at] = words[from],
                2 => words.insert(at, words[from]),
                _ => {
                    words.remove(at);
                }
            }
        }
        words.join(" ")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes(text in prop::collection::vec(any::<u8>(), 0..400)) {
        run(&text);
    }

    #[test]
    fn arbitrary_words(text in words()) {
        run(text.as_bytes());
    }

    #[test]
    fn mutated_rulesheets(text in mutated()) {
        run(text.as_bytes());
    }

    #[test]
    fn arbitrary_terms(text in words()) {
        let _ = parse_term(&text, &mut gamegrove_gdl::Symbols::default());
    }
}

#[test]
fn texts_made_to_hurt() {
    let deep_or = format!("(<= p {} a {})", "(or ".repeat(200), ")".repeat(200));
    let wide_or = format!("(<= (p ?x) {})", "(or (q ?x) (r ?x)) ".repeat(40));
    let many_args = format!("(p {})", "a ".repeat(100_000));
    let many_literals = format!("(<= p {})", "q ".repeat(100_000));
    let long_chain: String =
        (0..3_000).map(|n| format!("(<= (p{} ?x) (p{n} ?x))", n + 1)).collect();
    let endless = "(role r) (legal r a) (<= terminal (p (f (f a)))) (goal r 0) (p a) \
                   (<= (p ?y) (q ?y)) (<= (q (f ?x)) (p ?x))";
    let game = "(role r) (legal r a) (<= terminal (true x)) (goal r 100)";
    let many_tests = format!("(<= terminal {}) (role r)", "(or (true a) (true b)) ".repeat(24));
    let many_bodies = format!("(<= p {} {})", "(or (q a) (r b)) ".repeat(12), "t ".repeat(30_000));
    let negated =
        format!("(<= p (not {} q {}))", "(or ".repeat(200), "r ".repeat(5_000) + &")".repeat(200));
    let doubled = "(role r) (init a) (legal r a) (goal r 0) (<= terminal (true b)) \
                   (<= (next (f ?x ?x)) (true ?x))";
    let functions: String = (0..5_000).map(|n| format!("(init (f{n} a{n}))")).collect();
    let deep_calls: String =
        (0..20_000).map(|n| format!("(<= (p{n}) (p{}))", n + 1)).collect::<String>()
            + "(<= (p20000) (true x)) (role r) (legal r a) (goal r 0) (<= terminal (p0))";
    let choices: String = (0..40)
        .map(|n| format!("(<= (p{n} ?x) (p{m} (l ?x))) (<= (p{n} ?x) (p{m} (r ?x)))", m = n + 1))
        .collect::<String>()
        + "(<= (p40 ?x) (true ?x)) (role r) (legal r a) (goal r 0) (<= terminal (p0 a))";
    let long_names = format!("(<= p ({})) ({} a)", "a".repeat(20_000), "b".repeat(20_000));
    for text in [
        many_tests,
        many_bodies,
        negated,
        doubled.to_owned(),
        functions + game,
        deep_calls,
        choices,
        long_names,
        deep_or,
        wide_or,
        many_args,
        many_literals,
        long_chain.clone() + game,
        endless.to_owned(),
        "(".repeat(1 << 20),
        ")".repeat(1 << 20),
        "(role ".repeat(200) + &")".repeat(200),
    ] {
        run(text.as_bytes());
    }
}

#[test]
fn calls_nested_too_deeply_are_a_fault_and_no_crash() {
    let text: String = (0..20_000).map(|n| format!("(<= (p{n}) (p{}))", n + 1)).collect::<String>()
        + "(<= (p20000) (true x)) (role r) (legal r a) (goal r 0) (<= terminal (p0))";
    let sheet = Rulesheet::load(text.as_bytes()).expect("a sound rulesheet");
    let mut game = Prover::new(&sheet.program).expect("a playable game");
    let start = game.initial_state();
    assert!(game.is_terminal(&start), "a fault ends play");
    assert_eq!(game.take_fault(), Some(Fault::Depth { limit: 400 }));
}

/// A state of `10^digits` facts after one move, with names of `letters` letters more than one.
fn explosion(digits: usize, letters: usize) -> Arc<Program> {
    let name = |n: usize| format!("{n}{}", "x".repeat(letters));
    let names: String = (0..10).map(|n| format!("(d {})", name(n))).collect();
    let variables: String = (0..digits).map(|n| format!(" ?v{n}")).collect();
    let each: String = (0..digits).map(|n| format!("(d ?v{n})")).collect();
    let text = format!(
        "(role x) (legal x a) (init (step 0)) {names} (<= terminal (true (done))) (goal x 0)
         (<= (next (f{variables})) (does x a) {each})"
    );
    Rulesheet::load(text.as_bytes()).expect("a sound rulesheet").program
}

#[test]
fn states_whose_facts_are_too_large_as_texts_are_a_fault_and_not_kept() {
    for (digits, letters) in [(5, 2_000), (6, 0)] {
        let mut game = Prover::new(&explosion(digits, letters)).expect("a playable game");
        let start = game.initial_state();
        let (mut moves, mut next) = (Vec::new(), start.clone());
        game.legal_moves(&start, Role(0), &mut moves);
        game.apply(&start, &moves, &mut next);
        assert!(game.is_terminal(&next), "a fault ends play");
        let limit = ProverLimits::default().memory as u64 / 8;
        assert_eq!(game.take_fault(), Some(Fault::State { limit }));
        assert!(next.facts().is_empty());
    }
    let mut small = Prover::new(&explosion(3, 10)).expect("a playable game");
    let (start, mut moves) = (small.initial_state(), Vec::new());
    let mut next = start.clone();
    small.legal_moves(&start, Role(0), &mut moves);
    small.apply(&start, &moves, &mut next);
    assert_eq!((small.take_fault(), next.facts().len()), (None, 1_000));
}

#[test]
fn terms_met_in_many_short_queries_are_limited_together() {
    let text = "(role r) (legal r a) (goal r 0) (init (n 0)) (<= terminal (true never))
        (<= (next (n (s ?x))) (true (n ?x)))";
    let sheet = Rulesheet::load(text.as_bytes()).expect("a sound rulesheet");
    let limits = ProverLimits { memory: 100_000, ..ProverLimits::default() };
    let mut game = Prover::with_limits(&sheet.program, limits).expect("a playable game");
    let (mut state, mut moves) = (game.initial_state(), Vec::new());
    let mut next = state.clone();
    let fault = (0..2_000).find_map(|_| {
        game.legal_moves(&state, Role(0), &mut moves);
        game.apply(&state, &moves, &mut next);
        std::mem::swap(&mut state, &mut next);
        game.take_fault()
    });
    assert_eq!(fault, Some(Fault::Memory { limit: 100_000 }));
}

/// The legal moves of the only role at the start.
fn legal(text: &str, reading: Reading) -> Vec<String> {
    let sheet = Rulesheet::load_as(text.as_bytes(), reading).expect("a sound rulesheet");
    let mut game = Prover::new(&sheet.program).expect("a playable game");
    let start = game.initial_state();
    let mut moves = Vec::new();
    game.legal_moves(&start, Role(0), &mut moves);
    let mut names: Vec<String> = moves.iter().map(|&m| game.move_name(Role(0), m)).collect();
    names.sort();
    names
}

#[test]
fn readings_and_splits_keep_their_meaning() {
    let frame = "(role r) (<= terminal (true x)) (goal r 0)";
    let early = "(q x) (rr y) (p b y) (<= (p a ?x) (q ?x) (not (p b ?y)) (rr ?y)) \
                 (legal r stay) (<= (legal r go) (p a x))";
    let text = format!("{frame}{early}");
    assert_eq!(legal(&text, Reading::LeftToRight), ["stay"]);
    // The names of split relations cannot be a rulesheet's own.
    let own = "(|p = b| b) (p@b b) (<= (p a) (not (p b))) (legal r stay) (<= (legal r go) (p a))";
    assert_eq!(legal(&format!("{frame}{own}"), Reading::Logical), ["go", "stay"]);
    // Calls that build larger terms come to an end.
    let descent = "(init n) (<= (num a) (true n)) (<= (p ?x) (p (s ?x)) (num ?x)) \
                   (legal r stay) (<= (legal r go) (p a))";
    assert_eq!(legal(&format!("{frame}{descent}"), Reading::Logical), ["stay"]);
}

#[test]
fn goals_are_whole_numbers_up_to_a_hundred() {
    let text = "(role r) (role s) (role t) (init (score 300)) (<= terminal (true x)) \
                (<= (legal ?r a) (role ?r)) (<= (goal r ?v) (true (score ?v))) (goal s 40) (goal s 60)";
    let sheet = Rulesheet::load(text.as_bytes()).expect("a sound rulesheet");
    let mut player = Player::new(Prover::new(&sheet.program).expect("a playable game"));
    let goals: Vec<f32> = player.goals().iter().map(|goal| goal.0).collect();
    assert_eq!(goals, [0.0, 50.0, 0.0]);
}

#[test]
fn a_mark_of_the_encoding_is_no_word() {
    assert_eq!(parse(b"\xef\xbb\xbf((role x) (role y))").sentences.len(), 2);
}

#[test]
fn deep_recursion_is_followed_to_its_end() {
    // A chain of 5,000 steps, asked from its far end, through a relation that depends on the state.
    let mut text = String::from(
        "(role r) (legal r a) (init (at 0)) (goal r 100) (<= (next (at 0)) (true (at 0)))
         (<= (reach ?x) (true (at ?x))) (<= (reach ?y) (step ?x ?y) (reach ?x))
         (<= terminal (reach 5000))",
    );
    (0..5_000).for_each(|n| text += &format!("(step {n} {})", n + 1));
    let sheet = Rulesheet::load(text.as_bytes()).expect("a sound rulesheet");
    let mut game = Prover::new(&sheet.program).expect("a playable game");
    let start = game.initial_state();
    assert!(game.is_terminal(&start));
    assert_eq!(game.take_fault(), None);
}
