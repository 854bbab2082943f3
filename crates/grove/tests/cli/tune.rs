//! Tuning before play: a whole run, killed runs, shared runs, mistakes.

use std::process::Child;
use std::time::{Duration, Instant};

use gamegrove_game::Rng;
use serde_json::Value;

use super::{command, folder, grove};

/// A folder of its own for a test.
fn place(name: &str) -> String {
    let _ = std::fs::remove_dir_all(folder().join(name));
    std::fs::create_dir_all(folder().join(name)).expect("the folder for tests can be written");
    name.to_owned()
}

/// Small, but every match takes some milliseconds, so that a kill finds one under way.
fn arguments(place: &str) -> Vec<String> {
    let words = "tune sp --parameters c,epsilon --games connect_four,tic_tac_toe --budget 40 --check 10 \
                 --simulations 60 --seed 3 --json";
    let mut arguments: Vec<String> =
        words.split(' ').filter(|w| !w.is_empty()).map(str::to_owned).collect();
    for (option, file) in
        [("--output", "tuned.toml"), ("--report", "tuned.md"), ("--store", "tuned.sqlite")]
    {
        arguments.extend([option.to_owned(), format!("{place}/{file}")]);
    }
    arguments
}

fn texts(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

fn start(arguments: &[String]) -> Child {
    command(&texts(arguments)).spawn().expect("grove starts")
}

/// What must not depend on how often a run was stopped.
fn result(report: &Value) -> Vec<Value> {
    let keys = ["tuned", "parameters", "candidates", "values", "check", "check_by_game", "matches"];
    keys.map(|key| report[key].clone()).to_vec()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(folder().join(path)).expect("the file is written")
}

#[test]
fn the_tuned_agent_plays_and_the_report_has_intervals() {
    let place = place("tune_whole");
    let run = grove(&texts(&arguments(&place)));
    assert_eq!(run.code, Some(0), "{run:?}");
    let report = run.json();
    assert_eq!(report["played"], 50);
    assert_eq!(report["complete"], true);
    assert_eq!(report["output"], format!("{place}/tuned.toml"));
    let check = &report["check"];
    assert_eq!(check["matches"], 10);
    assert!(check["points"]["low"].is_number(), "{check}");
    let markdown = read(&format!("{place}/tuned.md"));
    for wanted in
        ["# sp, tuned", "## Candidates", "95 % interval", "in 10 new matches", "grove tune sp"]
    {
        assert!(markdown.contains(wanted), "{wanted} in\n{markdown}");
    }
    let toml = read(&format!("{place}/tuned.toml"));
    assert!(
        toml.contains("title = \"SP, tuned\"") && toml.contains("ntbea in 40 matches"),
        "{toml}"
    );
    let agent = format!("{place}/tuned.toml");
    let played = grove(&[
        "match",
        "tic_tac_toe",
        &agent,
        "random",
        "--runs",
        "4",
        "--simulations",
        "50",
        "--json",
    ]);
    assert_eq!(played.code, Some(0), "{played:?}");
    assert_eq!(played.json()["agents"][0]["name"], "tuned");

    // What is there is not played again, and people read the same.
    let mut again = arguments(&place);
    again.retain(|word| word != "--json");
    let again = grove(&texts(&again));
    assert!(again.stdout.contains("the tuned agent is"), "{again:?}");
    assert!(again.stdout.contains("epsilon"), "{again:?}");
}

#[test]
fn killed_again_and_again_it_ends_as_if_undisturbed() {
    let whole = grove(&texts(&arguments(&place("tune_undisturbed"))));
    assert_eq!(whole.code, Some(0), "{whole:?}");

    let place = place("tune_killed");
    let arguments = arguments(&place);
    let store = folder().join(&place).join("tuned.sqlite");
    // Different moments every time the test runs.
    let seed = std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos() as u64);
    let mut rng = Rng::new(seed);
    let mut progress: Vec<u64> = Vec::new();
    for kill in 0..8 {
        let before = progress.last().copied().unwrap_or(0);
        let mut child = start(&arguments);
        if kill % 2 == 0 {
            std::thread::sleep(Duration::from_millis(rng.below(150) as u64));
        } else {
            let patience = Instant::now();
            while done(&store) == before && patience.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        progress.push(done(&store));
    }
    assert!(progress.windows(2).all(|pair| pair[0] <= pair[1]), "nothing is lost: {progress:?}");
    assert!(progress[1] > 0, "seed {seed}: {progress:?}");
    let last = grove(&texts(&arguments));
    assert_eq!(last.code, Some(0), "{last:?}");
    let played = last.json()["played"].as_u64().expect("a number");
    assert_eq!(played + progress[7], 50, "nothing is repeated: {progress:?}");
    assert_eq!(result(&last.json()), result(&whole.json()), "seed {seed}");
    assert_eq!(read("tune_killed/tuned.toml"), read("tune_undisturbed/tuned.toml"));
}

/// Finished matches in a store.
fn done(store: &std::path::Path) -> u64 {
    if !store.exists() {
        return 0;
    }
    gamegrove_lab::Store::open(store).and_then(|store| store.count()).expect("the store opens")
}

#[test]
fn threads_and_processes_make_no_difference() {
    let mut one = arguments(&place("tune_one"));
    one.extend(["--threads".to_owned(), "1".to_owned()]);
    let one = grove(&texts(&one));
    let shared = arguments(&place("tune_shared"));
    let children = [start(&shared), start(&shared)];
    let mut played = 0;
    for child in children {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{output:?}");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        played += report["played"].as_u64().expect("a number");
        assert_eq!(result(&report), result(&one.json()));
    }
    assert_eq!(played, 50, "every match once");
}

#[test]
fn mistakes_name_the_nearest_and_the_remedy() {
    let place = place("tune_wrong");
    let complaint = |words: &str| {
        let store = format!("{place}/wrong.sqlite");
        let mut arguments: Vec<&str> = words.split(' ').collect();
        arguments.extend(["--simulations", "5", "--store", &store]);
        let run = grove(&arguments);
        assert_eq!(run.code, Some(2), "{run:?}");
        run.stderr
    };
    let wrong = complaint("tune sp --parameters epsilom --games tic_tac_toe --budget 5");
    assert!(wrong.contains("did you mean `epsilon`?"), "{wrong}");
    let wrong = complaint("tune sp --parameters c --games tic_tac_to --budget 5");
    assert!(wrong.contains("tic_tac_toe"), "{wrong}");
    let wrong = complaint("tune spp --parameters c --games tic_tac_toe --budget 5");
    assert!(wrong.contains("did you mean `sp`?"), "{wrong}");
    let wrong = complaint("tune sp --parameters c --games tic_tac_toe --budget 5 --strategy nbtea");
    assert!(wrong.contains("did you mean `ntbea`?"), "{wrong}");
    let wrong =
        complaint("tune sp --parameters c --games tic_tac_toe --budget 5 --strategy ntbea(c=x)");
    assert!(wrong.contains("must be a number between 0"), "{wrong}");
    let wrong = complaint("tune sp --parameters c --games tic_tac_toe --budget 0");
    assert!(wrong.contains("it must be from 1"), "{wrong}");
    let wrong =
        complaint("tune sp --parameters c --games tic_tac_toe --budget 5 --output agent.txt");
    assert!(wrong.contains(".toml"), "{wrong}");
    let wrong = complaint("tune random --parameters c --games tic_tac_toe --budget 5");
    assert!(wrong.contains("random"), "{wrong}");
    let wrong = complaint("tune ap_ntbea --parameters c --games tic_tac_toe --budget 5");
    assert!(wrong.contains("while the agent plays"), "{wrong}");
    for empty in ["--parameters= --games tic_tac_toe", "--parameters c --games="] {
        let wrong = complaint(&format!("tune sp {empty} --budget 5"));
        assert!(wrong.contains("a value is required"), "{wrong}");
    }
    let run = grove(
        &["tune", "sp", "--parameters", "c", "--games", "tic_tac_toe", "--budget", "5"]
            .into_iter()
            .chain(["--simulations", "0"])
            .collect::<Vec<_>>(),
    );
    assert!(run.code == Some(2) && run.stderr.contains("at least one"), "{run:?}");
    let wrong = complaint("tune sp --games tic_tac_toe --budget 5");
    assert!(wrong.contains("--parameters"), "{wrong}");
    assert!(!folder().join(&place).join("wrong.sqlite").exists(), "nothing was begun");
    std::fs::write(folder().join(&place).join("wrong.sqlite"), "no store").expect("it is ours");
    let wrong = complaint("tune sp --parameters c --games tic_tac_toe --budget 5");
    assert!(wrong.contains("choose another file with --store"), "{wrong}");
}
