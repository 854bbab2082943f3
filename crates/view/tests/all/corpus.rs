//! Boards of every public rulesheet: how many are found, that the well-known ones are right, and that
//! every state met in random games can be drawn.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use gamegrove_game::{Describe, Game, Rng, Role};
use gamegrove_gdl::{Prover, Rulesheet};
use gamegrove_testdata::{files_below, shared};
use gamegrove_view::{Evidence, Layout, Part, Shape, SvgStyle, TextStyle};

/// How many of the public rulesheets have a board that can be seen. The others are puzzles of
/// propositions, games of bids, and the like.
const WITH_BOARD: usize = 308;

fn open(path: &Path) -> Option<(Prover, Option<Layout>)> {
    let sheet = Rulesheet::load(&std::fs::read(path).expect("a readable rulesheet")).ok()?;
    let mut game = Prover::new(&sheet.program).expect("a game");
    let mut evidence = Evidence::of_game(&mut game, 1);
    evidence.add_rules(&sheet.program, &std::sync::Arc::default());
    let layout = Layout::find(&evidence);
    Some((game, layout))
}

/// Draws the states of a random game; what is wrong with a drawing, if anything.
fn draw(game: &mut Prover, layout: &Layout) -> Result<(), String> {
    let roles: Vec<Role> = Role::all(game.role_count()).collect();
    let mut rng = Rng::new(11);
    let mut moves: Vec<String> = Vec::new();
    let mut state = game.initial_state();
    for step in 0..24 {
        let facts = game.facts(&state);
        let mut scene = layout.scene(&facts);
        for name in &moves {
            scene.mark(&layout.touches(name));
        }
        if step % 6 == 0 {
            check(&scene, &facts)?;
        }
        if game.is_terminal(&state) {
            break;
        }
        let (mut joint, mut legal) = (Vec::new(), Vec::new());
        for &role in &roles {
            game.legal_moves(&state, role, &mut legal);
            joint.extend(rng.pick(&legal));
        }
        if joint.len() < roles.len() {
            break;
        }
        moves = roles.iter().zip(&joint).map(|(&role, &mov)| game.move_name(role, mov)).collect();
        let mut next = state.clone();
        game.apply(&state, &joint, &mut next);
        state = next;
    }
    Ok(())
}

fn check(scene: &gamegrove_view::Scene, facts: &[String]) -> Result<(), String> {
    // Every fact is shown: on a cell, or beside the board.
    let cells = || scene.boards.iter().flat_map(|board| &board.cells);
    for fact in facts {
        if !scene.rest.contains(fact) && !cells().any(|cell| cell.facts.contains(fact)) {
            return Err(format!("{fact} is not shown"));
        }
    }
    for (unicode, width) in [(false, 60), (true, 100)] {
        let text = scene.text(TextStyle { unicode, width });
        let steers = |c: char| c.is_control() && c != '\n';
        if text.chars().any(steers) || !unicode && !text.is_ascii() {
            return Err(format!("signs that cannot be shown: {text:?}"));
        }
    }
    let svg = scene.svg(&SvgStyle::default());
    roxmltree::Document::parse(&svg).map(|_| ()).map_err(|error| error.to_string())
}

#[test]
fn boards_are_found_in_public_rulesheets() {
    let Some(corpus) = shared("corpus/gdl") else { return };
    let files = files_below(&corpus, "kif");
    let (turn, found) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) = files.get(turn.fetch_add(1, Ordering::Relaxed)) {
                    let Some((mut game, Some(layout))) = open(path) else { continue };
                    found.fetch_add(1, Ordering::Relaxed);
                    if let Err(what) = draw(&mut game, &layout) {
                        let what = format!("{}: {what:.300}", path.display());
                        wrong.lock().expect("no thread panics").push(what);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no thread panics");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let found = found.into_inner();
    assert!(found >= WITH_BOARD, "only {found} of {} have a board", files.len());
}

/// A board that is known: rulesheet, boards, cells of the first that are part of it, shape.
type Known = (&'static str, usize, usize, Shape);

#[test]
fn well_known_boards_are_right() {
    let Some(corpus) = shared("corpus/gdl") else { return };
    let known: [Known; 26] = [
        ("public/ticTacToe/ticTacToe.kif", 1, 9, Shape::Squares),
        ("public/connectFour/connectFour.kif", 1, 48, Shape::Squares),
        ("public/chess/chess.kif", 1, 64, Shape::Squares),
        ("public/checkers/v1/checkers.kif", 1, 64, Shape::Squares),
        ("public/breakthrough/breakthrough.kif", 1, 64, Shape::Squares),
        ("public/breakthroughHoles/breakthroughHoles.kif", 1, 64, Shape::Squares),
        ("public/amazons/amazons.kif", 1, 100, Shape::Squares),
        ("public/eightPuzzle/eightPuzzle.kif", 1, 9, Shape::Squares),
        ("public/quarto/quarto.kif", 1, 16, Shape::Squares),
        ("public/sheepAndWolf/sheepAndWolf.kif", 1, 64, Shape::Squares),
        ("public/alexChess/alexChess.kif", 1, 64, Shape::Squares),
        ("public/pacman2p/pacman2p.kif", 1, 64, Shape::Squares),
        ("public/mummyMaze2p_2007/mummyMaze2p_2007.kif", 1, 64, Shape::Squares),
        ("public/peg/peg.kif", 1, 33, Shape::Squares),
        ("public/quad/quad.kif", 1, 117, Shape::Squares),
        ("public/chineseCheckers2/chineseCheckers2.kif", 1, 37, Shape::Hexagons),
        ("public/hidato19/hidato.kif", 1, 19, Shape::Hexagons),
        ("public/hidato37/hidato.kif", 1, 37, Shape::Hexagons),
        ("stanford/hexforthree.kif", 1, 60, Shape::Hexagons),
        ("public/pentago/pentago.kif", 4, 9, Shape::Squares),
        ("public/tictactoe_3d_2player/tictactoe_3d_2player.kif", 4, 16, Shape::Squares),
        ("public/tictactoex9/tictactoex9.kif", 9, 9, Shape::Squares),
        ("public/sudokuGrade1/sudoku.kif", 9, 9, Shape::Squares),
        ("stanford/multipletictactoe.kif", 9, 9, Shape::Squares),
        ("public/dualConnect4/dualConnect4.kif", 2, 48, Shape::Squares),
        ("public/chinook/chinook.kif", 1, 64, Shape::Squares),
    ];
    let mut wrong = Vec::new();
    for (path, boards, cells, shape) in known {
        let (mut game, layout) = open(&corpus.join(path)).expect("a rulesheet");
        let Some(layout) = layout else {
            wrong.push(format!("{path}: no board"));
            continue;
        };
        let state = game.initial_state();
        let scene = layout.scene(&game.facts(&state));
        let first = &scene.boards[0];
        let there = first.cells.iter().filter(|cell| !cell.void).count();
        if (scene.boards.len(), there, first.shape) != (boards, cells, shape) {
            wrong.push(format!(
                "{path}: {} boards, {there} cells, {:?}",
                scene.boards.len(),
                first.shape
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A rulesheet, a move, and the cells that it touches.
type Touching = (&'static str, &'static str, &'static [(Part, &'static str)]);

#[test]
fn moves_touch_the_cells_they_name() {
    let Some(corpus) = shared("corpus/gdl") else { return };
    let cases: [Touching; 7] = [
        ("public/ticTacToe/ticTacToe.kif", "(mark 2 3)", &[(Part::Drop, "2 3")]),
        (
            "public/chess/chess.kif",
            "(move wp g 2 g 4)",
            &[(Part::Source, "g 2"), (Part::Target, "g 4")],
        ),
        ("public/quarto/quarto.kif", "(place p1100 3 4)", &[(Part::Drop, "3 4")]),
        ("public/blokbox_simple/blokbox_simple.kif", "(place 5 9 7)", &[(Part::Drop, "9 7")]),
        ("public/pentago/pentago.kif", "(place 2 3 1)", &[(Part::Drop, "2 3 1")]),
        (
            "public/chineseCheckers2/chineseCheckers2.kif",
            "(move c5 d5)",
            &[(Part::Source, "c5"), (Part::Target, "d5")],
        ),
        ("public/chess/chess.kif", "noop", &[]),
    ];
    for (path, mov, expected) in cases {
        let (mut game, layout) = open(&corpus.join(path)).expect("a rulesheet");
        let layout = layout.expect("a board");
        let state = game.initial_state();
        let scene = layout.scene(&game.facts(&state));
        let name = |board: usize, cell: usize| scene.boards[board].cells[cell].key.join(" ");
        let mut touched: Vec<(Part, String)> =
            layout.touches(mov).iter().map(|t| (t.part, name(t.board, t.cell))).collect();
        touched.sort();
        let expected: Vec<(Part, String)> =
            expected.iter().map(|(part, name)| (*part, (*name).to_owned())).collect();
        assert_eq!(touched, expected, "{path} {mov}");
    }
    let (_, layout) =
        open(&corpus.join("public/connectFour/connectFour.kif")).expect("a rulesheet");
    let column = layout.expect("a board").touches("(drop 3)");
    assert_eq!(column.len(), 6);
    assert!(column.iter().all(|touch| touch.part == Part::Line));
}
