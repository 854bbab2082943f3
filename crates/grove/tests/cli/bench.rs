use super::grove;

#[test]
fn tools_get_every_field() {
    let args = ["bench", "tic_tac_toe", "tron", "--seconds", "100ms", "--threads", "2", "--json"];
    let run = grove(&args);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let json = run.json();
    let reports = json.as_array().expect("an array");
    let names: Vec<_> = reports.iter().filter_map(|report| report["game"].as_str()).collect();
    assert_eq!(names, ["tic_tac_toe", "tron"]);
    for report in reports {
        assert_eq!(report["reasoner"], "prover");
        assert_eq!(report["threads"], 2);
        for field in ["states_per_second", "playouts_per_second", "setup_seconds", "mean_length"] {
            assert!(report[field].as_f64().is_some_and(|value| value > 0.0), "{field}: {report}");
        }
        let goals = report["mean_goals"].as_array().expect("one goal per role");
        // Both games give 100 points to share.
        let sum: f64 = goals.iter().filter_map(serde_json::Value::as_f64).sum();
        assert!((sum - 100.0).abs() < 1e-6, "{report}");
        if cfg!(target_os = "linux") {
            assert!(report["memory_bytes"].as_u64().is_some_and(|bytes| bytes > 0), "{report}");
        }
    }
}

#[test]
fn people_get_a_table() {
    let run = grove(&["bench", "tic_tac_toe", "-s", "0.5", "--reasoner", "prover,prover"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{run:?}");
    assert!(lines[0].starts_with("game         reasoner"), "{run:?}");
    assert!(lines[1].starts_with("tic_tac_toe  prover"), "{run:?}");
}

#[test]
fn bad_options_are_explained_before_anything_is_measured() {
    let cases = [
        (&["bench"][..], "<GAME>"),
        (&["bench", "tron", "ches", "--seconds", "60"], "did you mean chess or chase?"),
        (&["bench", "tron", "--seconds", "soon"], "this is not a time"),
        (&["bench", "tron", "--seconds", "0"], "longer than 0"),
        (&["bench", "tron", "--reasoner", "prover,magic"], "there is prover"),
    ];
    for (args, expected) in cases {
        let run = grove(args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(run.stderr.contains(expected), "{args:?}: {run:?}");
    }
}
