use serde_json::json;

use super::{file, grove, grove_with};

/// One mistake of several kinds.
const BROKEN: &str = "\
; a broken game
(role x) (role o)
(init (cell 1 1 b))
(<= (legal ?p (mark ?x ?y))
    (true (cell ?x ?y b))
    (role ?p)
    (not (taken ?z)))
(<= (next (cell ?x ?y ?p)) (does ?p (mark ?x ?y)))
(<= (goal x 150) (true (cell 1 1 x)))
(<= (bar ?x) (not (baz ?x)) (role ?x))
(<= (baz ?x) (bar ?x) (role ?x))
(<= terminal (true (cell 1 1 x))
";

/// Playable, but o is stuck in step 3, and goals are missing or ambiguous.
const FAULTY: &str = "
(role x) (role o)
(init (step 1))
(succ 1 2) (succ 2 3) (succ 3 4)
(choice a) (choice b) (choice c)
(<= (legal ?r (go ?m)) (role ?r) (choice ?m) (not (true (step 3))))
(<= (legal x wait) (true (step 3)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (last ?r ?m)) (does ?r (go ?m)))
(<= terminal (true (last x c)))
(<= (goal ?r 50) (role ?r) (true (last ?r c)))
(<= (goal o 10) (true (last o c)))
";

#[test]
fn mistakes_are_shown_where_they_are() {
    let run = grove(&["check", file("broken.kif", BROKEN)]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn tools_get_every_field() {
    let run = grove(&["check", file("fields.kif", BROKEN), "--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    let json = run.json();
    let report = &json[0];
    assert_eq!(report["file"], "fields.kif");
    assert_eq!(report["kind"], "gdl");
    assert_eq!(report["ok"], false);
    assert_eq!((&report["errors"], &report["warnings"]), (&json!(4), &json!(0)));
    let unsafe_one = report["diagnostics"]
        .as_array()
        .and_then(|all| all.iter().find(|one| one["code"] == "unsafe"))
        .expect("the unsafe variable is found");
    let start = BROKEN.find("?z").expect("it is there");
    assert_eq!(
        *unsafe_one,
        json!({
            "severity": "error",
            "code": "unsafe",
            "message": unsafe_one["message"],
            "file": "fields.kif",
            "line": 7, "column": 17, "end_line": 7, "end_column": 19,
            "span": { "start": start, "end": start + 2 },
            "label": unsafe_one["label"],
            "help": unsafe_one["help"],
            "related": [],
        })
    );
    assert!(unsafe_one["help"].as_str().is_some_and(|help| help.contains("?z")));
}

#[test]
fn other_places_are_listed_with_their_own_lines() {
    let text = "(role x) (legal x a) (goal x 1) (<= terminal (p a))\n(p a)\n(p a b)\n";
    let json = grove(&["check", file("related.kif", text), "--json"]).json();
    let found = &json[0]["diagnostics"][0];
    assert_eq!((&found["code"], &found["line"]), (&json!("arity"), &json!(3)));
    let related = &found["related"][0];
    assert_eq!((&related["line"], &related["column"]), (&json!(1), &json!(46)));
    assert_eq!(related["span"], json!({ "start": 45, "end": 50 }));
}

#[test]
fn good_games_pass_by_name_by_path_and_from_standard_input() {
    let run = grove(&["check", "tic_tac_toe", "Connect-Four"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout, @r"
    tic_tac_toe: nothing wrong
    connect_four: nothing wrong
    2 files: 0 errors, 0 warnings
    ");
    let rules = grove(&["games", "show", "tron", "--rules"]).stdout;
    assert_eq!(grove(&["check", file("tron_copy.kif", &rules)]).code, Some(0));
    let run = grove_with(&["check", "-"], rules.as_bytes());
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains("-: nothing wrong"), "{run:?}");
}

#[test]
fn warnings_are_no_errors() {
    let text = "(role x) (legal x a) (goal x 1) (<= terminal (missing ?x))";
    let run = grove(&["check", file("warned.kif", text)]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains("warning[undefined]"), "{run:?}");
    assert!(run.stdout.ends_with("1 file: 0 errors, 1 warning\n"), "{run:?}");
}

#[test]
fn unreadable_files_do_not_stop_the_others() {
    let run = grove(&["check", "chss", "no/such.kif", ".", "tron"]);
    assert_eq!(run.code, Some(2));
    insta::assert_snapshot!(run.stdout, @r"
    tron: nothing wrong
    4 files: 0 errors, 0 warnings, 3 could not be read
    ");
    insta::assert_snapshot!(run.stderr, @r"
    error: there is no game called chss, and no file either
      help: did you mean chess or chase?
    error: there is no file no/such.kif
      help: check the path
    error: . is a directory, not a file with rules
      help: name the files in it, for example ./*.kif
    ");
    let json = grove(&["check", "chss", "tron", "--json"]).json();
    assert_eq!(json[0]["error"], "there is no game called chss, and no file either");
    assert_eq!((&json[0]["ok"], &json[1]["ok"]), (&json!(false), &json!(true)));
    assert_eq!(json[1]["error"], json!(null));
}

#[test]
fn random_games_show_what_the_text_cannot() {
    let run = grove(&["check", file("faulty.kif", FAULTY), "--play", "20", "--seed", "1"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn random_games_are_reported_to_tools_and_repeat_with_their_seed() {
    let name = file("faulty_json.kif", FAULTY);
    let check = |seed: &str, threads: &str| {
        let args = ["check", name, "--play", "30", "--json", "--seed", seed, "--threads", threads];
        let run = grove(&args);
        assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
        run.json()
    };
    let json = check("5", "1");
    assert_eq!(json, check("5", "3"));
    assert_ne!(json, check("6", "1"));
    let play = &json[0]["play"];
    assert_eq!((&play["games"], &play["seed"]), (&json!(30), &json!(5)));
    assert_eq!(play["roles"], json!(["x", "o"]));
    let findings = play["findings"].as_array().expect("a list");
    assert_eq!(json[0]["errors"], json!(findings.len()));
    let stuck = findings
        .iter()
        .find(|finding| finding["code"] == "no-legal-move")
        .expect("o gets stuck in one of 30 games");
    assert_eq!((&stuck["role"], &stuck["severity"]), (&json!("o"), &json!("error")));
    assert_eq!(stuck["moves"].as_array().map(Vec::len), Some(2));
    assert!(stuck["facts"].as_array().is_some_and(|facts| facts.contains(&json!("(step 3)"))));
}

#[test]
fn long_games_are_only_warned_about() {
    let args = ["check", "tron", "eight_puzzle", "--play", "3", "--step-limit", "50"];
    let run = grove(&args);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains("warning[too-long] in eight_puzzle"), "{run:?}");
    assert!(run.stdout.contains("tron: 3 random games played, 3 finished"), "{run:?}");
    assert!(run.stdout.ends_with("2 files: 0 errors, 1 warning\n"), "{run:?}");
}

#[test]
fn the_reading_of_negations_can_be_chosen() {
    // Whether there is *some* y without r, or *no* y with it, decides about the move.
    let text = "(role x) (init a) (<= (legal x go) (not (r ?y)) (s ?y)) (r 1) (s 1) (s 2)
        (<= (legal x wait) (true a)) (<= (next b) (true a)) (<= terminal (true b)) (goal x 1)";
    let name = file("reading.kif", text);
    let moves = |reading: &str| {
        let args = ["perft", name, "--depth", "1", "--json", "--reading", reading];
        grove(&args).json()["nodes"].clone()
    };
    assert_eq!((moves("logic"), moves("left-to-right")), (json!(2), json!(1)));
    assert_eq!(grove(&["check", name, "--reading", "left-to-right"]).code, Some(0));
}
