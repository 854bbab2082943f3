//! No text makes the parser, the checker, the grounder or the prover panic or run on.

use gamegrove_game::{Game, Player, Rng};
use gamegrove_gdl::{
    Diagnostic, Grounding, Limits, Prover, ProverLimits, Rulesheet, check, parse, parse_term,
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
        assert!(!diagnostic.help.is_empty(), "{diagnostic} says no way to mend it");
    }
    let Ok(sheet) = Rulesheet::load(text) else { return };
    assert!(!found.iter().any(Diagnostic::is_error));
    let limits = Limits { memory: 1 << 24, steps: Some(100_000), time: None, cancel: None };
    let _ = Grounding::new(&sheet.program, &limits);
    let limits = ProverLimits { work: 100_000, memory: 1 << 24, static_steps: 20_000 };
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
    include_str!("../../../games/gdl/tic_tac_toe.kif"),
    include_str!("../../../games/gdl/connect_four.kif"),
    include_str!("../../../games/gdl/breakthrough.kif"),
    include_str!("../../../games/gdl/checkers.kif"),
    include_str!("../../../games/gdl/eight_puzzle.kif"),
    include_str!("../../../games/gdl/tron.kif"),
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
    for text in [
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
