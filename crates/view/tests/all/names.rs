//! Names of moves of all shipped games: no two legal moves of a position share one, and each leads back
//! to its move.

use std::path::Path;

use gamegrove_game::{Describe, Game, Rng, Role};
use gamegrove_gdl::{Prover, Rulesheet};
use gamegrove_testdata::files_below;
use gamegrove_view::{BoardHints, Evidence, Layout, MoveNames};

#[derive(serde::Deserialize)]
struct Metadata {
    #[serde(default)]
    board: BoardHints,
}

fn open(path: &Path) -> (Prover, Layout) {
    let text = std::fs::read(path).expect("a shipped game");
    let sheet = Rulesheet::load(&text).expect("rules");
    let mut game = Prover::new(&sheet.program).expect("a game");
    let mut evidence = Evidence::of_game(&mut game, 1);
    evidence.add_rules(&sheet.program, &std::sync::Arc::default());
    let metadata = std::fs::read_to_string(path.with_extension("toml")).expect("metadata");
    let metadata: Metadata = toml::from_str(&metadata).expect("a table");
    let layout = Layout::with_hints(&evidence, &metadata.board).expect("hints that fit");
    (game, layout.expect("a board"))
}

fn shipped(name: &str) -> (Prover, Layout) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/gdl");
    open(&folder.join(name).with_extension("kif"))
}

/// Plays `steps` steps of a random game and shows the legal moves of each role to `look`.
fn walk(
    game: &mut Prover,
    layout: &Layout,
    (seed, steps): (u64, usize),
    look: &mut dyn FnMut(&MoveNames, &[String]),
) {
    let mut rng = Rng::new(seed);
    let mut state = game.initial_state();
    for _ in 0..steps {
        if game.is_terminal(&state) {
            return;
        }
        let facts = game.facts(&state);
        let (mut joint, mut legal) = (Vec::new(), Vec::new());
        for role in Role::all(game.role_count()) {
            game.legal_moves(&state, role, &mut legal);
            let terms: Vec<String> = legal.iter().map(|&mov| game.move_name(role, mov)).collect();
            look(&layout.move_names(&facts, &terms), &terms);
            joint.extend(rng.pick(&legal));
        }
        let mut next = state.clone();
        game.apply(&state, &joint, &mut next);
        state = next;
    }
}

#[test]
fn names_of_shipped_games_differ_and_lead_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/gdl");
    let files = files_below(&folder, "kif");
    assert!(files.len() > 40);
    for path in files {
        let (mut game, layout) = open(&path);
        let game_name = path.file_stem().expect("a name").to_string_lossy();
        let mut check = |names: &MoveNames, terms: &[String]| {
            // Looking for one of thousands of names takes a while.
            for (at, name) in names.iter().enumerate().step_by(1 + terms.len() / 60) {
                let plain = name.term.trim_start_matches('(').trim_end_matches(')').to_uppercase();
                assert_eq!(name.term, terms[at]);
                for text in [&name.short, &name.term, &plain] {
                    assert_eq!(names.find(text), Some(at), "{game_name}: {text} of {name:?}");
                }
                assert!(!name.short.contains(['(', '_']), "{game_name}: {name:?}");
            }
            let shorts: std::collections::BTreeSet<&str> =
                names.iter().map(|name| &*name.short).collect();
            assert_eq!(shorts.len(), terms.len(), "{game_name}");
            assert_eq!(names.find("no such move"), None);
        };
        walk(&mut game, &layout, (3, 30), &mut check);
    }
}

/// The names of a few moves of the first states.
fn examples(name: &str) -> String {
    let (mut game, layout) = shipped(name);
    let mut found: Vec<String> = Vec::new();
    walk(&mut game, &layout, (5, 14), &mut |names, terms| {
        if terms.len() > 1 {
            found.push(names.short(terms.len() / 2).to_owned());
        }
    });
    format!("{name}: {}\n", found.join(", "))
}

#[test]
fn shipped_games_are_written_as_people_write_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/gdl");
    let names = files_below(&folder, "kif");
    let names = names.iter().map(|path| path.file_stem().expect("a name").to_string_lossy());
    insta::assert_snapshot!(names.map(|name| examples(&name)).collect::<String>());
}

/// The names of chess at a position, from the moves that lead there.
#[test]
fn chess_is_written_in_algebraic_notation() {
    let (mut game, layout) = shipped("chess");
    let mut state = game.initial_state();
    // Each move is played by a text that people type; the second entry is its name.
    let moves = [
        ("e2e4", "e4"),
        ("d7-d5", "d5"),
        ("exd5", "exd5"),
        ("Qxd5", "Qxd5"),
        ("nc3", "Nc3"),
        ("(move d 5 a 5)", "Qa5"),
        ("ng1f3", "Nf3"),
        ("Bg4", "Bg4"),
        ("Bf1-e2", "Be2"),
        ("nc6", "Nc6"),
        ("0-0", "O-O"),
        ("castle long", "O-O-O"),
    ];
    for (step, (typed, expected)) in moves.into_iter().enumerate() {
        let facts = game.facts(&state);
        let mut joint = Vec::new();
        for role in Role::all(2) {
            let mut legal = Vec::new();
            game.legal_moves(&state, role, &mut legal);
            let terms: Vec<String> = legal.iter().map(|&mov| game.move_name(role, mov)).collect();
            if legal.len() == 1 {
                joint.push(legal[0]);
                continue;
            }
            let names = layout.move_names(&facts, &terms);
            let found = names.find(typed).unwrap_or_else(|| panic!("{typed}: {names:?}"));
            assert_eq!(names.short(found), expected, "step {step}");
            joint.push(legal[found]);
        }
        let mut next = state.clone();
        game.apply(&state, &joint, &mut next);
        state = next;
    }
}

#[test]
fn pieces_of_a_kind_and_promotions_are_told_apart() {
    let (_, layout) = shipped("chess");
    let facts: Vec<String> = ["a 1 wr", "h 1 wr", "b 3 wn", "b 7 wn", "g 7 wp", "f 8 bq"]
        .iter()
        .map(|cell| format!("(cell {cell})"))
        .collect();
    let moves: Vec<String> = [
        "(move a 1 d 1)",
        "(move h 1 d 1)",
        "(move b 3 c 5)",
        "(move b 7 c 5)",
        "(promote g 7 g 8 queen)",
        "(promote g 7 f 8 knight)",
    ]
    .map(str::to_owned)
    .to_vec();
    let names = layout.move_names(&facts, &moves);
    let shorts: Vec<&str> = names.iter().map(|name| &*name.short).collect();
    assert_eq!(shorts, ["Rad1", "Rhd1", "N3c5", "N7c5", "g8=Q", "gxf8=N"]);
    assert_eq!(names.find("g7g8q"), Some(4));
    assert_eq!(names.find("d1"), None, "two rooks");
}

/// The keys of the cells and sides that a move touches.
fn touched(name: &str, mov: &str) -> Vec<String> {
    let (mut game, layout) = shipped(name);
    let state = game.initial_state();
    let scene = layout.scene(&game.facts(&state));
    let key = |touch: &gamegrove_view::Touch| {
        let board = &scene.boards[touch.board];
        match board.cells.get(touch.cell) {
            Some(cell) => cell.key.join(" "),
            None => board.edges[touch.cell - board.cells.len()].key.join(" "),
        }
    };
    layout.touches(mov).iter().map(key).collect()
}

#[test]
fn moves_mean_sides_blocks_and_lines() {
    assert_eq!(touched("dots_and_boxes", "(draw across 2 3)"), ["across 2 3"]);
    let block = touched("pentago", "(turn high low clockwise)");
    assert_eq!(block.len(), 9);
    assert!(block.contains(&"4 1".to_owned()) && block.contains(&"6 3".to_owned()), "{block:?}");
    let line = touched("joint_connect_four", "(drop line 3)");
    assert_eq!(line.len(), 6);
    assert!(line.iter().all(|key| key.starts_with("line 3 ")), "{line:?}");
    assert_eq!(touched("connect_four", "(drop 3)").len(), 6);
    assert!(touched("tron", "(drive north)").is_empty(), "only its effect says where");
}

#[test]
fn moves_without_cells_mean_what_they_change() {
    let (_, layout) = shipped("chess");
    let facts = |cells: &str| -> Vec<String> {
        cells.split(", ").map(|cell| format!("(cell {cell})")).collect()
    };
    let before = facts("e 1 wk, a 1 wr, h 1 wr");
    let after = [facts("g 1 wk, a 1 wr, f 1 wr"), facts("c 1 wk, d 1 wr, h 1 wr")];
    let found = layout.effects(&before, &after.map(|facts| vec![facts]));
    let scene = layout.scene(&before);
    let names: Vec<Vec<String>> = found
        .iter()
        .map(|touches| {
            let name = |touch: &gamegrove_view::Touch| {
                format!(
                    "{} {}",
                    scene.boards[touch.board].cells[touch.cell].label,
                    touch.part.name()
                )
            };
            touches.iter().map(name).collect()
        })
        .collect();
    assert_eq!(names, [["e1 source", "g1 target"], ["e1 source", "c1 target"]]);
    // Where another role's choice decides, only what is sure counts.
    let unsure = vec![facts("g 1 wk, a 1 wr, f 1 wr"), before.clone()];
    assert_eq!(layout.effects(&before, &[unsure]), [vec![]]);
}
