use super::{file, folder, grove};

#[test]
fn positions_are_drawn_as_text() {
    let run = grove(&["draw", "tic_tac_toe", "--moves", "(mark 2 2)", "mark 1 1"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn positions_are_drawn_as_svg() {
    let run = grove(&["draw", "chess", "--random", "10", "--seed", "3", "--svg", "drawn.svg"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    let svg = std::fs::read_to_string(folder().join("drawn.svg")).expect("a drawing");
    assert!(svg.starts_with("<svg") && svg.contains("data-key=\"e 1\""), "{svg:.300}");
    let run =
        grove(&["draw", "chess", "--random", "10", "--seed", "3", "--svg", "-", "--theme", "auto"]);
    assert_eq!(run.stdout, svg);
    let json = grove(&["draw", "chess", "--random", "10", "--seed", "3", "--json"]).json();
    assert_eq!((&json["game"], &json["board"]), (&"chess".into(), &true.into()));
    assert_eq!(json["moves"].as_array().map(Vec::len), Some(10));
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let run = grove(&["draw", "tic_tac_toe", "--moves", "(mark 2 2)", "(mark 2 2)"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("step 2: (mark 2 2) is no legal move of o"), "{run:?}");
    let run = grove(&["draw", "zelda"]);
    assert_eq!(run.code, Some(2), "{run:?}");
}

#[test]
fn hints_beside_the_rules_are_used() {
    let rules = b"(role r) (init (p a1)) (init (p c3)) (init (q b2)) (<= terminal (true (p b2)))
        (legal r stay) (goal r 100) (<= (next (p ?x)) (true (p ?x))) (<= (next (q ?x)) (true (q ?x)))";
    let path = file("hinted.kif", rules);
    file("hinted.toml", b"title = 'x'\n[board.fields]\na1 = [0, 2]\nb2 = [1, 1]\nc3 = [2, 0]\n");
    let run = grove(&["draw", path]);
    assert_eq!(run.code, Some(0), "{run:?}");
    insta::assert_snapshot!(run.stdout);
    file("hinted.toml", b"[board]\nshap = 'hexagons'\n");
    let run = grove(&["draw", path]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("shap"), "{run:?}");
}
