//! No text panics or hangs, and each makes a drawing that is XML.

use gamegrove_gdl::{Prover, Rulesheet};
use gamegrove_view::{
    Bar, BarChart, BoardHints, Evidence, Layout, LineChart, Series, Shape, Side, SideHints,
    SvgStyle, TextStyle, Theme, TreeLimits, TreeNode, TreePicture,
};
use proptest::prelude::*;

fn well_formed(svg: &str) {
    if let Err(error) = roxmltree::Document::parse(svg) {
        panic!("{error}: {svg}");
    }
}

fn show(layout: &Layout, facts: &[String]) {
    let scene = layout.scene(facts);
    for (unicode, width) in [(false, 20), (true, 80), (true, 0)] {
        let text = scene.text(TextStyle { unicode, width });
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    }
    for theme in [Theme::Auto, Theme::Dark] {
        let style = SvgStyle { theme, title: facts.concat(), id: facts.concat(), facts: true };
        well_formed(&scene.svg(&style));
    }
}

/// Names that look like coordinates and pieces, and names that are anything but.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0..6_i64).prop_map(|number| number.to_string()),
        2 => "[a-e]",
        1 => "[a-c][1-4]",
        1 => prop_oneof![Just("b"), Just("blank"), Just("wk"), Just("x"), Just("red")].prop_map(str::to_owned),
        1 => "[^ ()]{1,6}",
        1 => any::<i64>().prop_map(|number| number.to_string()),
    ]
}

fn fact() -> impl Strategy<Value = String> {
    let plain = (
        prop_oneof![Just("cell"), Just("at"), Just("cell2"), Just("wall"), Just("on")],
        proptest::collection::vec(name(), 0..5),
    )
        .prop_map(|(relation, words)| format!("({relation} {})", words.join(" ")));
    prop_oneof![6 => plain, 1 => ".{0,30}", 1 => "[()a-c ]{0,20}"]
}

fn evidence() -> impl Strategy<Value = Evidence> {
    let facts = || proptest::collection::vec(fact(), 0..24);
    (
        proptest::collection::vec(facts(), 0..4),
        facts(),
        facts(),
        proptest::collection::vec(name(), 0..3),
    )
        .prop_map(|(states, possible, moves, roles)| Evidence {
            chains: vec![roles.clone()],
            roles,
            possible,
            states,
            moves,
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_facts_can_be_drawn(evidence in evidence(), other in proptest::collection::vec(fact(), 0..24)) {
        if let Some(layout) = Layout::find(&evidence) {
            for state in evidence.states.iter().chain([&other]) {
                show(&layout, state);
                layout.changes(state, &other);
            }
            for mov in evidence.moves.iter().chain(&other) {
                let mut scene = layout.scene(&other);
                scene.mark(&layout.touches(mov));
            }
        }
    }

    #[test]
    fn any_hints_are_used_or_refused(
        evidence in evidence(),
        x in 0..6_usize,
        y in 0..6_usize,
        boards in proptest::collection::vec(0..6_usize, 0..3),
        slant in proptest::option::of(any::<f64>()),
        shape in proptest::sample::select(vec![
            Shape::Squares, Shape::Hexagons, Shape::Triangles, Shape::Points,
        ]),
        blocks in any::<[usize; 2]>(),
        side in 0..6_usize,
        fields in proptest::collection::btree_map(name(), any::<[f64; 2]>(), 0..4),
    ) {
        let hints = BoardHints {
            relation: Some("cell".to_owned()),
            x: Some(x),
            y: Some(y),
            boards,
            slant,
            shape: Some(shape),
            blocks: Some(blocks.map(|side| side % 4)),
            sides: Some(SideHints {
                relation: "cell".to_owned(),
                x: y,
                y: x,
                side,
                names: fields.keys().map(|name| (name.clone(), Side::Below)).collect(),
            }),
            lines: fields.keys().map(|name| (name.clone(), vec![name.clone()])).collect(),
            ..BoardHints::default()
        };
        let places = BoardHints { fields, ..BoardHints::default() };
        for hints in [hints, places] {
            if let Ok(Some(layout)) = Layout::with_hints(&evidence, &hints) {
                evidence.states.iter().for_each(|state| show(&layout, state));
            }
        }
    }

    #[test]
    fn any_tree_and_chart_can_be_drawn(
        nodes in proptest::collection::vec(
            (".{0,12}", any::<u64>(), proptest::option::of(any::<f64>()), any::<u32>(),
             proptest::collection::vec(0..12_usize, 0..5)), 0..10),
        points in proptest::collection::vec(any::<(f64, f64)>(), 0..8),
    ) {
        let tree = TreePicture {
            nodes: nodes
                .into_iter()
                .map(|(label, visits, value, turn, children)| TreeNode { label, visits, value, turn, children })
                .collect(),
        };
        let limits = TreeLimits { children: 3, depth: 9, nodes: 60 };
        let style = SvgStyle::default();
        well_formed(&tree.svg(limits, &style));
        well_formed(&tree.shape_svg(limits, &style));
        tree.dot(limits);
        tree.statistics();
        let series = Series {
            name: "<&\">".to_owned(),
            band: points.iter().map(|&(x, y)| (x, y, x)).collect(),
            points: points.clone(),
        };
        well_formed(&LineChart { series: vec![series], ..LineChart::default() }.svg(&style));
        let bars = points
            .iter()
            .map(|&(value, other)| Bar { label: "]]>".to_owned(), value, interval: Some((other, value)), other: Some(other) })
            .collect();
        well_formed(&BarChart { bars, ..BarChart::default() }.svg(&style));
    }
}

#[test]
fn large_and_odd_positions_can_be_drawn() {
    let facts: Vec<String> =
        (0..64).flat_map(|x| (0..64).map(move |y| format!("(cell {x} {y} p{})", x * y))).collect();
    let evidence = Evidence { states: vec![facts.clone()], ..Evidence::default() };
    show(&Layout::find(&evidence).expect("a board"), &facts);
    let deep = vec![format!("{}x", "(f ".repeat(50_000))];
    let evidence = Evidence { states: vec![deep.clone()], moves: deep, ..Evidence::default() };
    assert!(Layout::find(&evidence).is_none());
}

/// What is seen of a game in which 10,000 facts hold after each move, with names of `letters` letters more
/// than one.
fn seen_of_large_states(letters: usize) -> Evidence {
    let digits: String = (0..10).map(|n| format!("(d {n}{})", "x".repeat(letters))).collect();
    let rules = format!(
        "(role x) (legal x a) (init (step 0)) {digits} (<= terminal (true (done))) (goal x 0)
         (<= (next (f ?a ?b ?c ?e)) (does x a) (d ?a) (d ?b) (d ?c) (d ?e))"
    );
    let sheet = Rulesheet::load(rules.as_bytes()).expect("a sound rulesheet");
    let mut game = Prover::new(&sheet.program).expect("a playable game");
    Evidence::of_game(&mut game, 1)
}

#[test]
fn what_is_kept_of_random_games_is_bounded() {
    let seen = seen_of_large_states(0);
    let facts: usize = seen.states.iter().map(Vec::len).sum();
    assert!((50_000..=100_000).contains(&facts), "{facts} facts");
    Layout::find(&seen);
    let long = seen_of_large_states(500);
    let bytes: usize = long.states.iter().flatten().map(String::len).sum();
    assert!(bytes <= 16 << 20, "{bytes} bytes");
    assert_eq!(long.states[0], ["(step 0)"]);
    // Terms of any depth are shapes of their own.
    let nested = |depth: usize| format!("{}x y{}", "(s ".repeat(depth), ")".repeat(depth));
    let state: Vec<String> = (1..5_000).map(|n| nested(n % 300 + 1) + " ").collect();
    Layout::find(&Evidence { states: vec![state; 2], ..Evidence::default() });
}
