//! What independent systems say about rulesheets, and what ours says.

use std::path::{Path, PathBuf};

use gamegrove_game::{Describe, Game, Goal, Move, Role};
use gamegrove_gdl::{Code, Diagnostic, Prover, Reading, Rulesheet, check, parse};
use gamegrove_testdata::{files_below, read_trace, read_xml_trace, replay, shared};

fn diagnose(path: &Path) -> Vec<Diagnostic> {
    let text = std::fs::read(path).expect("a readable rulesheet");
    let parsed = parse(&text);
    let mut found = parsed.diagnostics;
    found.extend(check(&parsed.sentences, &parsed.symbols));
    found
}

fn prover(path: &Path) -> Prover {
    prover_as(path, Reading::Logical)
}

fn prover_as(path: &Path, reading: Reading) -> Prover {
    let text = std::fs::read(path).expect("a readable rulesheet");
    let sheet =
        Rulesheet::load_as(&text, reading).unwrap_or_else(|found| panic!("{path:?}: {found:?}"));
    Prover::new(&sheet.program).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

/// Plays the named joint moves, each of which must be legal; the goals if the end is terminal.
fn play(path: &Path, joints: &[&[&str]]) -> Option<Vec<f32>> {
    let mut game = prover(path);
    let mut state = game.initial_state();
    for joint in joints {
        assert!(!game.is_terminal(&state), "{path:?} ends early");
        let moves: Vec<Move> = Role::all(game.role_count())
            .zip(*joint)
            .map(|(role, name)| {
                let legal = legal_names(&mut game, &state, role);
                assert!(legal.iter().any(|l| l == name), "{path:?}: {name} not in {legal:?}");
                game.find_move(role, name).expect("a legal move has a number")
            })
            .collect();
        let current = state.clone();
        game.apply(&current, &moves, &mut state);
    }
    let mut goals = vec![Goal::default(); game.role_count()];
    game.goals(&state, &mut goals);
    game.is_terminal(&state).then(|| goals.iter().map(|goal| goal.0).collect())
}

fn legal_names(game: &mut Prover, state: &<Prover as Game>::State, role: Role) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal_moves(state, role, &mut moves);
    let mut names: Vec<String> = moves.iter().map(|&mov| game.move_name(role, mov)).collect();
    names.sort();
    names
}

#[test]
fn small_rulesheets_play_as_described() {
    let Some(dir) = shared("conformance/gdl/ggp-base") else { return };
    let at = |name: &str| dir.join(format!("{name}.kif"));

    let mut game = prover(&at("ticTacToe"));
    let start = game.initial_state();
    assert!(!game.is_terminal(&start));
    assert_eq!(Role::all(2).map(|r| game.role_name(r)).collect::<Vec<_>>(), ["xplayer", "oplayer"]);
    assert_eq!(legal_names(&mut game, &start, Role(0)).len(), 9);
    assert_eq!(legal_names(&mut game, &start, Role(1)), ["noop"]);
    let x = |mov| [mov, "noop"];
    let o = |mov| ["noop", mov];
    let line: [&[&str]; 5] =
        [&x("(mark 1 1)"), &o("(mark 1 3)"), &x("(mark 3 1)"), &o("(mark 2 2)"), &x("(mark 2 1)")];
    assert_eq!(play(&at("ticTacToe"), &line), Some(vec![100.0, 0.0]));

    let mut game = prover(&at("test_case_1a"));
    let start = game.initial_state();
    assert_eq!(game.goal_values(&start, Role(0)), ["100"]);
    assert!(!game.is_terminal(&start));

    for (name, legal, mov) in [
        ("test_case_1a", &["proceed"][..], "proceed"),
        ("test_case_3c", &["win"], "win"),
        ("test_case_3d", &["win"], "win"),
        ("test_case_4a", &["a"], "a"),
        ("test_case_5a", &["proceed"], "proceed"),
        ("test_case_5b", &["(draw 1 1 1 2)"], "(draw 1 1 1 2)"),
        ("test_case_5c", &["proceed"], "proceed"),
        ("test_case_5d", &["proceed"], "proceed"),
        ("test_distinct_beginning_rule", &["(do a b)", "(do b a)"], "(do a b)"),
        ("test_clean_not_distinct", &["proceed"], "proceed"),
        ("test_case_1b", &["lose", "win"], "win"),
        (
            "test_case_5e",
            &[
                "(reduce a 0)",
                "(reduce a 1)",
                "(reduce c 0)",
                "(reduce c 1)",
                "(reduce c 2)",
                "(reduce c 3)",
                "(reduce c 4)",
            ],
            "(reduce a 0)",
        ),
    ] {
        let mut game = prover(&at(name));
        let start = game.initial_state();
        assert_eq!(legal_names(&mut game, &start, Role(0)), legal, "{name}");
        assert_eq!(play(&at(name), &[&[mov]]), Some(vec![100.0]), "{name}");
    }

    // The state is open, so the first of four moves is legal (3a); moves lead along a chain (2a).
    assert_eq!(play(&at("test_case_3a"), &[&["(move correct_correct)"]]), Some(vec![100.0]));
    let steps = ["(move move_next 0 1)", "(move move_next 1 2)", "(move move_next 2 3)"];
    assert_eq!(play(&at("test_case_2a"), &[&[steps[0]], &[steps[1]], &[steps[2]]]), None);
}

#[test]
fn facts_that_disappear_are_gone() {
    let Some(dir) = shared("conformance/gdl/ggp-base") else { return };
    let mut game = prover(&dir.join("test_case_2b.kif"));
    let start = game.initial_state();
    assert_eq!(legal_names(&mut game, &start, Role(0)), ["mov_left", "mov_right"]);
    let mov = game.find_move(Role(0), "mov_right").expect("legal");
    let mut next = start.clone();
    game.apply(&start, &[mov], &mut next);
    let facts = game.facts(&next);
    for gone in ["(pos c6)", "(tailpos c6)", "(step 0)"] {
        assert!(!facts.contains(&gone.to_owned()), "{facts:?}");
    }
    for there in ["(pos c7)", "(cell c6 mov_right)", "evenmove", "(step 1)"] {
        assert!(facts.contains(&there.to_owned()), "{there} in {facts:?}");
    }
}

#[test]
fn the_validator_agrees() {
    let Some(dir) = shared("conformance/gdl/ggp-base") else { return };
    let found = |name: &str| diagnose(&dir.join(format!("{name}.kif")));
    for name in ["connectFour", "simpleMutex", "ticTacToe"] {
        assert_eq!(found(name), [], "{name}");
    }
    for name in ["1b", "2a", "2b", "2c", "3c", "3d", "4a", "5a", "5b", "5c"] {
        let found = found(&format!("test_case_{name}"));
        assert!(!found.iter().any(Diagnostic::is_error), "{name}: {found:?}");
    }
    for name in [
        "test_case_1a",
        "test_case_3a",
        "test_invalid_function_arities_differ",
        "test_invalid_sentence_arities_differ",
        "test_clean_not_distinct",
    ] {
        let found = found(name);
        assert!(!found.is_empty() && !found.iter().any(Diagnostic::is_error), "{name}: {found:?}");
    }
    for name in ["test_case_3b", "test_case_3e", "test_case_3f"] {
        let found = found(name);
        assert!(found.iter().any(|d| d.is_error() && d.code == Code::Unsafe), "{name}: {found:?}");
    }
}

#[test]
fn mistakes_are_found_where_they_are() {
    let Some(dir) = shared("conformance/gdl/gdl-validation") else { return };
    for (name, code, start, end) in [
        ("badparens1", Code::Parenthesis, 4, 5),
        ("badparens2", Code::Parenthesis, 8, 9),
        ("badparens3", Code::Parenthesis, 16, 17),
        ("badparens4", Code::Malformed, 3, 4),
        ("badparens5", Code::Malformed, 2, 3),
        ("misplacedDatalogKeyword1", Code::Keyword, 0, 18),
        ("misplacedDatalogKeyword2", Code::Keyword, 5, 8),
        ("misplacedDatalogKeyword3", Code::Keyword, 6, 9),
        ("varInTopLevelSentence", Code::VariableInFact, 10, 15),
        ("emptyDisjunction", Code::EmptyOr, 31, 36),
        ("baseDependsOnTrue", Code::StateDependent, 15, 25),
    ] {
        let found = diagnose(&dir.join(format!("{name}.kif")));
        let place = (code, start, end);
        assert!(
            found.iter().any(|d| d.is_error() && (d.code, d.span.start, d.span.end) == place),
            "{name}: {place:?} not in {found:?}"
        );
    }
    assert_eq!(diagnose(&dir.join("ticTacToe.kif")), []);
    let found = diagnose(&dir.join("commentEof.kif"));
    assert!(!found.iter().any(Diagnostic::is_error), "{found:?}");
}

#[test]
fn recorded_games_of_the_game_controller_are_replayed() {
    let Some(dir) = shared("conformance/gdl/ggpserver-traces") else { return };
    let mut states = 0;
    for path in files_below(&dir, "lisp") {
        // The controller ran rules as Prolog programs; othello-fourway-teamswitch relies on it.
        let mut game = prover_as(&path, Reading::LeftToRight);
        let roles: Vec<String> =
            Role::all(game.role_count()).map(|role| game.role_name(role)).collect();
        let records = read_xml_trace(&path.with_extension("trace.xml"), &roles);
        states += replay(&mut game, &records).unwrap_or_else(|what| panic!("{path:?}: {what}"));
    }
    assert!(states >= 100, "only {states} states compared");
}

#[test]
fn recorded_random_games_are_replayed() {
    let Some(dir) = shared("conformance/gdl/traces/public") else { return };
    let Some(corpus) = shared("corpus/gdl/public") else { return };
    let (mut games, mut states, mut differing) = (0, 0, Vec::new());
    for path in files_below(&dir, "tsv") {
        let name = path.file_name().and_then(|n| n.to_str()).expect("a name");
        let name = name.trim_end_matches(".trace.tsv");
        match replay(&mut prover(&newest_version(&corpus.join(name))), &read_trace(&path)) {
            Ok(compared) => states += compared,
            Err(what) => differing.push(format!("{name}: {what:.300}")),
        }
        games += 1;
    }
    assert_eq!(differing, Vec::<String>::new(), "{} of {games} games differ", differing.len());
    assert!(games >= 190 && states > 10_000, "only {games} games, {states} states");
}

/// The rulesheet in the highest `vN` folder, or the one in the folder itself.
fn newest_version(dir: &Path) -> PathBuf {
    let version = |path: &PathBuf| -> Option<u32> {
        path.file_name()?.to_str()?.strip_prefix('v')?.parse().ok()
    };
    let folders = std::fs::read_dir(dir).expect("a game's folder");
    let newest = folders
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.is_dir() && version(path).is_some())
        .max_by_key(version);
    let folder = newest.unwrap_or_else(|| dir.to_path_buf());
    let files = std::fs::read_dir(&folder).expect("a game's folder");
    files
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .find(|path| path.extension().is_some_and(|e| e == "kif"))
        .expect("a rulesheet")
}
