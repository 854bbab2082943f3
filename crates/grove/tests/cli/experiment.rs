//! Experiments: run, killed, shared, followed, reported.

use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

use gamegrove_game::Rng;
use gamegrove_lab::{Boards, Outcome, Plan, Spec, Status, Store, named_agent};

use super::{Run, command, file, folder, grove};

/// Small and fast, but every game takes some milliseconds, so that a kill finds one under way.
const SMALL: &str = r#"
title = "Search against chance"
runs = 60
reasoner = "propnet"
budget = { simulations = 60 }
agents = [{ name = "grave_mast" }, { name = "uct" }, { name = "random" }]
columns = [
    { label = "GRAVE-MAST", of = "grave_mast", against = ["uct"] },
    { label = "UCT", of = "uct", against = ["random"] },
]

[[games]]
name = "connect_four"
published = ["60.0 ±2.00", "99.0 ±1.00"]

[[games]]
name = "tic_tac_toe"

[profiles.smoke]
runs = 2
"#;

/// A folder of its own for a test, with the experiment in it; gives the store's path too.
fn place(name: &str, text: &str) -> (String, PathBuf) {
    let _ = std::fs::remove_dir_all(folder().join(name));
    std::fs::create_dir_all(folder().join(name)).expect("the folder for tests can be written");
    let experiment = format!("{name}/small.toml");
    (file(&experiment, text).to_owned(), folder().join(name).join("small.sqlite"))
}

fn arguments<'a>(experiment: &'a str, store: &'a Path) -> Vec<&'a str> {
    let store = store.to_str().expect("a path of letters");
    vec!["experiment", "run", experiment, "--profile", "full", "--store", store, "--json"]
}

fn start(experiment: &str, store: &Path) -> Child {
    command(&arguments(experiment, store)).spawn().expect("grove starts")
}

fn plan(text: &str, profile: &str) -> Plan {
    let spec = Spec::read(text).expect("the experiment is sound");
    Plan::new("small", spec, profile, &named_agent, &Boards::default())
        .expect("the games are there")
}

fn outcomes(plan: &Plan, store: &Path) -> Vec<(String, u32, Outcome)> {
    let store = Store::open(store).expect("the store opens");
    let rows = plan.cells.iter().flat_map(|cell| store.rows(&cell.id, cell.runs).expect("rows"));
    rows.map(|row| (row.cell, row.run, row.outcome)).collect()
}

#[test]
fn killed_twenty_times_it_ends_as_if_undisturbed() {
    let (experiment, undisturbed) = place("undisturbed", SMALL);
    let whole = grove(&arguments(&experiment, &undisturbed));
    assert_eq!(whole.code, Some(0), "{whole:?}");
    let plan = plan(SMALL, "full");
    assert_eq!(whole.json()["played"], plan.total());

    let (experiment, killed) = place("killed", SMALL);
    // Different moments every time the test runs.
    let seed = std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos() as u64);
    let mut rng = Rng::new(seed);
    let mut progress = Vec::new();
    for kill in 0..20 {
        let before = progress.last().copied().unwrap_or(0);
        let mut child = start(&experiment, &killed);
        if kill % 2 == 0 {
            // Any moment of its life, from before the store is there.
            std::thread::sleep(Duration::from_millis(rng.below(120) as u64));
        } else {
            // Soon after it finished a game.
            let patience = Instant::now();
            while done(&plan, &killed) == before && patience.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_micros(rng.below(20_000) as u64));
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        progress.push(done(&plan, &killed));
    }
    assert!(progress.windows(2).all(|pair| pair[0] <= pair[1]), "nothing is lost: {progress:?}");
    assert!(progress[1] > 0 && progress[19] > progress[1], "seed {seed}: {progress:?}");
    let last = grove(&arguments(&experiment, &killed));
    assert_eq!(last.code, Some(0), "{last:?}");
    let played = last.json()["played"].as_u64().expect("a number");
    assert_eq!(played + progress[19], plan.total(), "nothing is repeated: {progress:?}");
    assert_eq!(outcomes(&plan, &killed), outcomes(&plan, &undisturbed), "seed {seed}");
}

fn done(plan: &Plan, store: &Path) -> u64 {
    if !store.exists() {
        return 0;
    }
    let store = Store::open(store).expect("the store opens while others write");
    Status::read(plan, &store).expect("the store can be read").done
}

#[test]
fn two_processes_share_an_experiment() {
    let text = SMALL.replace("runs = 60", "runs = 30");
    let (experiment, store) = place("shared", &text);
    let children = [start(&experiment, &store), start(&experiment, &store)];
    let mut played = Vec::new();
    for child in children {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{output:?}");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        played.push(report["played"].as_u64().expect("a number"));
    }
    let plan = plan(&text, "full");
    assert_eq!(played.iter().sum::<u64>(), plan.total(), "{played:?}");
    let (experiment, alone) = place("unshared", &text);
    assert_eq!(grove(&arguments(&experiment, &alone)).code, Some(0));
    assert_eq!(outcomes(&plan, &store), outcomes(&plan, &alone));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_tidily() {
    let text = SMALL.replace("runs = 60", "runs = 100000");
    let (experiment, store) = place("interrupted", &text);
    let child = start(&experiment, &store);
    let plan = plan(&text, "full");
    let patience = Instant::now();
    while done(&plan, &store) == 0 && patience.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let told = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(told.expect("kill is there").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["done"], done(&plan, &store));
    let workers = store.with_file_name("small.sqlite.workers");
    assert!(!workers.exists(), "nobody is left: {workers:?}");
    assert_eq!(Store::open(&store).expect("it opens").claimed().expect("it counts"), 0);
}

#[test]
fn a_shipped_experiment_is_run_followed_and_reported() {
    let name = "sironi_2019_table_d_1";
    let (_, store) = place("shipped", "");
    let store = store.to_str().expect("a path of letters");
    let choice = [name, "--profile", "smoke", "--store", store];
    let experiment = |action: &str, more: &[&str]| {
        let args = [&["experiment", action], &choice[..], more].concat();
        let run = grove(&args);
        assert_eq!(run.code, Some(0), "{run:?}");
        run
    };
    let before = experiment("report", &[]);
    assert!(before.stdout.contains("0 undecided, 15 not run."), "{before:?}");
    assert!(before.stderr.contains("there is no file"), "{before:?}");
    assert!(!Path::new(store).exists(), "who reads makes no store");
    let ran = experiment("run", &["--json"]).json();
    assert_eq!((&ran["played"], &ran["done"]), (&ran["total"], &ran["total"]));
    let again = experiment("run", &["--json"]).json();
    assert_eq!(again["played"], 0);
    let status = experiment("status", &["--json"]).json();
    assert_eq!(status["done"], ran["total"]);
    assert_eq!(status["cells"].as_array().map(Vec::len), Some(2));
    assert!(experiment("status", &[]).stdout.contains("games done, 0 under way"));
    let report = experiment("report", &["--json"]).json();
    assert_eq!(report["rows"][2]["game"], "knightthrough");
    assert_eq!(report["rows"][2]["cells"][0]["runs"], 2);
    assert_eq!(report["rows"][2]["cells"][0]["published"]["mean"], 89.0);
    assert_eq!(report["rows"][0]["cells"][0]["verdict"], "not_run");
    assert_eq!(report["sessions"].as_array().map(Vec::len), Some(2));
    let output = folder().join("shipped/report");
    let written = experiment("report", &["--output", output.to_str().expect("a path of letters")]);
    assert_eq!(written.stdout.lines().count(), 6);
    for extension in ["md", "csv", "json", "html", "tex"] {
        let text = std::fs::read_to_string(output.join(format!("{name}.{extension}")));
        assert!(text.expect("it is written").contains("Knightthrough"), "{extension}");
    }
}

#[test]
fn chunks_travel_and_come_home() {
    let text = SMALL.replace("runs = 60", "runs = 4");
    let (experiment, store) = place("chunks", &text);
    let store_text = store.to_str().expect("a path of letters");
    let common = ["--profile", "full", "--store", store_text, "--json"];
    let run = |args: &[&str]| {
        let run = grove(&[args, &common].concat());
        assert_eq!(run.code, Some(0), "{run:?}");
        run.json()
    };
    let chunks = run(&["experiment", "chunks", &experiment, "--size", "6", "-o", "chunks/parts"]);
    let chunks = chunks["chunks"].as_array().expect("a list").clone();
    assert_eq!(chunks.len(), 3);
    let mut rows = Vec::new();
    for (at, chunk) in chunks.iter().enumerate() {
        let output = format!("chunks/rows-{at}.jsonl");
        let chunk = chunk.as_str().expect("a path");
        run(&["experiment", "run-chunk", &experiment, chunk, "--output", &output]);
        rows.push(output);
    }
    let mut merge = vec!["experiment", "merge", &experiment];
    merge.extend(rows.iter().map(String::as_str));
    assert_eq!(run(&merge)["new"], 16);
    assert_eq!(run(&merge)["new"], 0);
    let (experiment, local) = place("unchunked", &text);
    assert_eq!(grove(&arguments(&experiment, &local)).code, Some(0));
    let plan = plan(&text, "full");
    assert_eq!(outcomes(&plan, &store), outcomes(&plan, &local));
}

#[test]
fn mistakes_are_explained() {
    let complaint = |args: &[&str]| {
        let run = grove(args);
        assert_eq!(run.code, Some(2), "{run:?}");
        run.stderr
    };
    let run = |file: &str| complaint(&["experiment", "run", file]);
    let unknown = run("sironi_2019_table_5_1");
    assert!(unknown.contains("no experiment is called"), "{unknown}");
    assert!(unknown.contains("did you mean sironi_2019_table_5_2"), "{unknown}");
    assert!(run("nowhere.toml").contains("nowhere.toml"));
    let bad = file("bad_experiment.toml", SMALL.replace("runs = 60", "rns = 60"));
    let message = run(bad);
    assert!(message.contains("line 3, column 1: unknown key `rns`"), "{message}");
    assert!(message.contains("did you mean `runs`?"), "{message}");
    let bad = file("bad_game.toml", SMALL.replace("\"tic_tac_toe\"", "\"tic_tac_to\""));
    let message = complaint(&["experiment", "run", bad, "--profile", "full"]);
    assert!(message.contains("game `tic_tac_to`"), "{message}");
    let message = complaint(&["experiment", "run", "ppa_2021_table_1", "--profile", "qick"]);
    assert!(message.contains("did you mean `quick`?"), "{message}");
    let bad = file("binary.toml", [0xff, 0xfe, 0x00]);
    assert!(run(bad).contains("is not text"));
    let not_a_store = file("not_a_store.sqlite", "x".repeat(5000));
    let message = complaint(&["experiment", "status", "ppa_2021_table_1", "--store", not_a_store]);
    assert!(message.contains("not a database"), "{message}");
}

#[test]
fn the_shipped_experiments_are_listed() {
    let listed = grove(&["experiments", "--json"]).json();
    let names: Vec<&str> =
        listed.as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    for table in ["sironi_2019_table_5_2", "finnsson_2012_table_4_4", "ppa_2021_table_3"] {
        assert!(names.contains(&table), "{names:?}");
    }
    assert!(grove(&["experiments"]).stdout.contains("Finnsson (2012), 4.1"));
}

#[test]
#[cfg(target_os = "linux")]
fn results_without_an_end_are_refused() {
    let (experiment, store) = place("endless_rows", SMALL);
    let store = store.to_str().expect("a path of letters");
    let merge =
        ["experiment", "merge", &experiment, "--profile", "smoke", "--store", store, "/dev/zero"];
    let run = grove(&merge);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("line 1: a row has at most"), "{run:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn results_that_may_not_be_written_can_be_read() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    let (experiment, store) = place("read_only", SMALL);
    let path = store.to_str().expect("a path of letters");
    let run = grove(&["experiment", "run", &experiment, "--profile", "smoke", "--store", path]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let place = store.parent().expect("a folder");
    let allow = |path: &Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("our files");
    };
    allow(&store, 0o444);
    allow(place, 0o555);
    for what in ["status", "report"] {
        let mut command =
            command(&["experiment", what, &experiment, "--profile", "smoke", "--store", path]);
        if std::fs::metadata("/proc/self")
            .is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
        {
            // The administrator may write everywhere.
            command.uid(65_534);
        }
        let output = command.output().expect("grove runs");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{what}: {error}");
    }
    allow(place, 0o755);
    allow(&store, 0o644);
}

#[test]
fn a_ledger_beside_the_report_carries_the_games_to_another_machine() {
    let (experiment, here) = place("ledger_here", SMALL);
    let results = here.with_file_name("results");
    let run = grove(&arguments(&experiment, &here));
    assert_eq!(run.code, Some(0), "{run:?}");
    let total = plan(SMALL, "full").total();
    let text = |path: &Path| path.to_str().expect("a path of letters").to_owned();
    let report = |store: &Path| {
        let (store, results) = (text(store), text(&results));
        let args = ["experiment", "report", &experiment, "--profile", "full", "--output", &results];
        grove(&[&args[..], &["--store", &store, "--json"]].concat())
    };
    let first = report(&here);
    assert_eq!(first.code, Some(0), "{first:?}");
    let ledger = results.join(Path::new(&experiment).with_extension("ledger").file_name().unwrap());
    assert!(ledger.exists());
    // Elsewhere nobody has the store: the ledger is enough for the report, and nothing is left to play.
    let (_, there) = place("ledger_there", SMALL);
    let again = report(&there);
    // Speeds are rounded in a ledger; results are not.
    let results = |run: &Run| {
        let mut rows = run.json()["rows"].take();
        for row in rows.as_array_mut().expect("rows") {
            for cell in row["cells"].as_array_mut().expect("cells") {
                cell["simulations_per_second"].take();
            }
        }
        rows
    };
    assert_eq!(results(&again), results(&first));
    let merged = grove(&[
        "experiment",
        "merge",
        &experiment,
        "--profile",
        "full",
        "--store",
        &text(&there),
        &text(&ledger),
        &text(&ledger),
        "--json",
    ]);
    assert_eq!(merged.json(), serde_json::json!({ "read": 2 * total, "new": total }), "{merged:?}");
    let ledger = text(&ledger);
    let more = [&arguments(&experiment, &there)[..], &["--ledger", &ledger]].concat();
    assert_eq!(grove(&more).json()["played"], 0);
    assert_eq!(outcomes(&plan(SMALL, "full"), &there), outcomes(&plan(SMALL, "full"), &here));
}

#[test]
fn the_example_of_the_documentation_runs_as_printed_and_without_profiles() {
    let page = include_str!("../../../../docs/experiments.md");
    let example = page.split_once("```toml\n").and_then(|(_, rest)| rest.split_once("```"));
    let (example, _) = example.expect("the page has an example");
    let run = |name: &str, text: &str, action: &str| {
        let (experiment, store) = place(name, text);
        let store = store.to_str().expect("a path of letters").to_owned();
        grove(&["experiment", action, &experiment, "--store", &store, "--json"])
    };
    let played = run("documented", example, "run");
    assert_eq!(played.code, Some(0), "{played:?}");
    assert_eq!((&played.json()["played"], &played.json()["profile"]), (&6.into(), &"quick".into()));
    let (bare, _) = example.split_once("[profiles").expect("it has profiles");
    let bare = bare
        .replace("runs = 1000 ", "runs = 2 ")
        .replace("{ clock = \"1s\" }", "{ simulations = 20 }");
    let played = run("bare", &bare, "run");
    assert_eq!(played.code, Some(0), "{played:?}");
    assert_eq!((&played.json()["played"], &played.json()["profile"]), (&2.into(), &"full".into()));
    // One game of the only cell is measured, the other is left.
    let planned = run("planned", &bare, "plan");
    assert_eq!(planned.code, Some(0), "{planned:?}");
    assert_eq!(planned.json()["status"]["done"], 1);
    assert!(planned.json()["seconds"].as_f64() > Some(0.0), "{planned:?}");
    let wrong = run("wrong", &bare.replace("margin = 10", "margn = 10"), "run");
    let line = bare.lines().position(|line| line.starts_with("margin")).expect("it is there") + 1;
    assert!(wrong.code == Some(2) && wrong.stderr.contains("margn"), "{wrong:?}");
    assert!(wrong.stderr.contains(&format!("line {line}")), "{wrong:?}");
}

#[test]
fn cells_are_played_beyond_their_runs_until_the_interval_is_narrow() {
    let small =
        SMALL.replace("runs = 60", "runs = 4").replace("simulations = 60", "simulations = 10");
    let (experiment, store) = place("until", &small);
    let args = [&arguments(&experiment, &store)[..], &["--until", "±15"]].concat();
    let run = grove(&args);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.json()["played"].as_u64() > Some(4 * 16), "{run:?}");
    let store = store.to_str().expect("a path of letters");
    let report = grove(&[
        "experiment",
        "report",
        &experiment,
        "--profile",
        "full",
        "--store",
        store,
        "--json",
    ]);
    for row in report.json()["rows"].as_array().expect("rows") {
        for cell in row["cells"].as_array().expect("cells") {
            let width =
                cell["ours"]["high"].as_f64().unwrap() - cell["ours"]["low"].as_f64().unwrap();
            assert!(width <= 30.0, "{cell}");
        }
    }
    let wrong = grove(&["experiment", "run", &experiment, "--until", "0"]);
    assert!(wrong.code == Some(2) && wrong.stderr.contains("like 4 or ±4"), "{wrong:?}");
}
