//! Shipped games and boards described by hints, as people see them.

use std::path::Path;

use gamegrove_game::{Describe, Game};
use gamegrove_gdl::{Prover, Rulesheet};
use gamegrove_view::{BoardHints, Evidence, HintError, Layout, SvgStyle, TextStyle, Theme};

fn shipped(name: &str) -> (Prover, Evidence) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/gdl");
    let text = std::fs::read(folder.join(name).with_extension("kif")).expect("a shipped game");
    let sheet = Rulesheet::load(&text).expect("rules");
    let mut game = Prover::new(&sheet.program).expect("a game");
    let mut evidence = Evidence::of_game(&mut game, 1);
    evidence.add_rules(&sheet.program, &std::sync::Arc::default());
    (game, evidence)
}

fn drawn(name: &str, unicode: bool) -> String {
    let (mut game, evidence) = shipped(name);
    let state = game.initial_state();
    let layout = Layout::find(&evidence).expect("a board");
    layout.scene(&game.facts(&state)).text(TextStyle { unicode, width: 80 })
}

#[test]
fn shipped_games_as_text() {
    for name in
        ["breakthrough", "checkers", "chess", "connect_four", "eight_puzzle", "tic_tac_toe", "tron"]
    {
        insta::assert_snapshot!(format!("{name}_text"), drawn(name, false));
    }
    insta::assert_snapshot!("chess_unicode", drawn("chess", true));
}

#[test]
fn a_shipped_game_as_svg() {
    let (_, evidence) = shipped("tic_tac_toe");
    let layout = Layout::find(&evidence).expect("a board");
    let facts = &evidence.states[3];
    let mut scene = layout.scene(facts);
    scene.mark(&layout.touches("(mark 2 2)"));
    insta::assert_snapshot!("tic_tac_toe_auto", scene.svg(&SvgStyle::default()));
    let style = SvgStyle { theme: Theme::Dark, facts: false, ..SvgStyle::default() };
    let dark = scene.svg(&style);
    assert!(!dark.contains("var(") && !dark.contains("control"), "{dark}");
}

fn evidence(facts: &[&str]) -> Evidence {
    let facts: Vec<String> = facts.iter().map(|&fact| fact.to_owned()).collect();
    Evidence {
        roles: vec!["white".into(), "black".into()],
        states: vec![facts],
        ..Evidence::default()
    }
}

fn hinted(facts: &[&str], hints: &str) -> Result<String, HintError> {
    let evidence = evidence(facts);
    let hints: BoardHints = toml::from_str(hints).expect("hints");
    let layout = Layout::with_hints(&evidence, &hints)?.expect("a board");
    Ok(layout.scene(&evidence.states[0]).text(TextStyle { unicode: false, width: 80 }))
}

#[test]
fn hints_turn_and_shape_boards() {
    let facts = ["(cell 1 a wk)", "(cell 2 b bq)", "(cell 3 c e)", "(cell 1 c e)"];
    let turned = "relation = 'cell'\nx = 2\ny = 1\nrows = 'down'\ncolumns = 'left'\nblank = ['e']";
    insta::assert_snapshot!(hinted(&facts, turned).expect("hints that fit"));
    let hexagons = "relation = 'cell'\nx = 1\ny = 2\nshape = 'hexagons'\nblank = ['e']\npieces = { wk = 'red man' }";
    insta::assert_snapshot!(hinted(&facts, hexagons).expect("hints that fit"));
}

#[test]
fn fields_have_the_places_that_hints_give_them() {
    let facts = ["(pit outer n white)", "(pit inner n black)", "(pit inner s empty)"];
    let places = "[fields]\n'outer n' = [1, 0]\n'inner n' = [1, 1]\n'inner s' = [1, 3]\n[lines]\n'outer n' = ['inner n']";
    insta::assert_snapshot!(hinted(&facts, places).expect("hints that fit"));
}

#[test]
fn hexagons_whose_columns_count_halves_stand_side_by_side() {
    let star = [
        "(cell 3 1 e)",
        "(cell 2 2 w)",
        "(cell 4 2 b)",
        "(cell 1 3 e)",
        "(cell 3 3 e)",
        "(cell 5 3 e)",
        "(cell 2 4 e)",
    ];
    let hints = "relation = 'cell'\nx = 1\ny = 2\nshape = 'hexagons'\nblank = ['e']";
    let text = hinted(&star, hints).expect("hints that fit");
    assert_eq!(text, "  4    .\n  3  .   .   .\n  2    w   b\n  1      .\n     1 2 3 4 5\n");
}

fn square_of(side: usize) -> Vec<String> {
    let cells = (1..=side).flat_map(|x| (1..=side).map(move |y| (x, y)));
    cells.map(|(x, y)| format!("(cell {x} {y} e)")).collect()
}

const SQUARE: &str = "relation = 'cell'\nx = 1\ny = 2\nblank = ['e']\n";

fn hinted_scene(facts: &[String], hints: &str) -> Result<gamegrove_view::Scene, HintError> {
    let evidence = Evidence { states: vec![facts.to_vec()], ..Evidence::default() };
    let hints: BoardHints = toml::from_str(hints).expect("hints");
    Ok(Layout::with_hints(&evidence, &hints)?.expect("a board").scene(facts))
}

#[test]
fn blocks_have_walls_between_them() {
    let hints = format!("{SQUARE}blocks = [2, 3]");
    let scene = hinted_scene(&square_of(4), &hints).expect("hints that fit");
    let board = &scene.boards[0];
    let names = |wall: &[usize; 2]| wall.map(|cell| board.cells[cell].key.join(" "));
    let walls: Vec<[String; 2]> = board.walls.iter().map(names).collect();
    assert_eq!(walls.len(), 4 + 4);
    assert!(walls.contains(&["2 1".to_owned(), "3 1".to_owned()]), "{walls:?}");
    assert!(walls.contains(&["4 3".to_owned(), "4 4".to_owned()]), "{walls:?}");
}

#[test]
fn sides_of_squares_are_drawn_where_they_are() {
    let mut facts = square_of(2);
    facts.extend(
        ["(drawn across 1 1)", "(drawn across 2 3)", "(drawn upward 3 1)"].map(String::from),
    );
    let sides = "[sides]\nrelation = 'drawn'\nx = 2\ny = 3\nside = 1\n";
    let names = "names = { across = 'below', upward = 'left' }";
    let scene = hinted_scene(&facts, &format!("{SQUARE}{sides}{names}")).expect("hints that fit");
    let expected =
        [[(-0.5, 1.5), (0.5, 1.5)], [(0.5, -0.5), (1.5, -0.5)], [(1.5, 0.5), (1.5, 1.5)]];
    let drawn: Vec<_> =
        scene.boards[0].edges.iter().filter(|edge| edge.drawn).map(|edge| edge.ends).collect();
    assert_eq!(drawn, expected);
    assert_eq!(scene.rest.len(), 3, "text shows none of them");
    assert!(scene.svg(&SvgStyle::default()).matches("<line").count() == 3);
    let refused = |sides: String| hinted_scene(&facts, &format!("{SQUARE}{sides}{names}"));
    let wrong = refused(sides.replace("'drawn'", "'lines'"));
    assert_eq!(wrong.expect_err("no such relation"), HintError::Relation("lines".to_owned()));
    let wrong = refused(sides.replace("side = 1", "side = 4"));
    assert!(wrong.expect_err("no such argument").to_string().contains("no argument 4"));
}

#[test]
fn hints_that_do_not_fit_are_refused() {
    let facts = ["(cell 1 a x)", "(cell 2 b o)"];
    let wrong = |hints: &str| hinted(&facts, hints).expect_err(hints).to_string();
    assert_eq!(wrong("relation = 'sell'"), "board.relation: no fact of this game is called sell");
    assert_eq!(wrong("x = 1\ny = 2"), "board: x, y and boards need the relation they belong to");
    assert_eq!(wrong("relation = 'cell'\nx = 1"), "board: give both x and y");
    assert_eq!(
        wrong("relation = 'cell'\nx = 1\ny = 4"),
        "board: cell has 3 arguments, so there is no argument 4"
    );
    assert_eq!(
        wrong("relation = 'cell'\nx = 1\ny = 1"),
        "board: x, y and boards must be different arguments"
    );
}

#[test]
fn several_boards_stand_side_by_side() {
    let facts = [
        "(cell1 1 1 x)",
        "(cell1 2 2 o)",
        "(cell1 1 2 x)",
        "(cell2 1 1 o)",
        "(cell2 2 2 x)",
        "(cell2 1 2 o)",
    ];
    insta::assert_snapshot!(hinted(&facts, "").expect("no hints"));
}
