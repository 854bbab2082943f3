use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Run, file, grove, grove_with};

/// The JSON objects of a run, one a line.
fn lines(run: &Run) -> Vec<Value> {
    assert_eq!(run.code, Some(0), "{run:?}");
    run.stdout.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

/// One recorded run of the public framework.
struct Record {
    header: Value,
    ticks: Vec<Value>,
}

fn records(path: &Path) -> Vec<Record> {
    let mut text = String::new();
    let file = std::fs::File::open(path).expect("a file of records");
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("text");
    let mut records: Vec<Record> = Vec::new();
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).expect("a record is JSON");
        match value.get("trace") {
            Some(_) => records.push(Record { header: value, ticks: Vec::new() }),
            None => records.last_mut().expect("a header comes first").ticks.push(value),
        }
    }
    records
}

/// The records are written with six digits.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap_or(f64::NAN), b.as_f64().unwrap_or(f64::NAN));
            (a - b).abs() < 2e-6
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// Every 23rd file of each part, its first and its last record, through the binary and by path.
#[test]
fn recorded_runs_of_the_framework_come_out_the_same() {
    let Some(shared) = gamegrove_testdata::shared("conformance/vgdl") else { return };
    let corpus = gamegrove_testdata::shared("corpus/vgdl").expect("the corpus beside the records");
    let mut compared = 0;
    for part in ["det", "seeded", "micro"] {
        let paths = gamegrove_testdata::files_below(&shared.join(part), "gz");
        let sample: Vec<&PathBuf> = paths.iter().step_by(23).collect();
        assert!(!sample.is_empty(), "{part}");
        for path in sample {
            let all = records(path);
            for record in [all.first(), all.last()].into_iter().flatten() {
                compare(record, &corpus);
                compared += 1;
            }
        }
    }
    assert!(compared >= 20, "{compared} records");
}

fn compare(record: &Record, corpus: &Path) {
    let name = record.header["trace"].as_str().expect("a name");
    let level = record.header["level"].as_u64().expect("a level").to_string();
    let folder =
        if name.ends_with("_nostoch") { corpus.join("no-random") } else { corpus.to_owned() };
    let game = folder.join(format!("{name}.txt"));
    let actions: String = record
        .ticks
        .iter()
        .filter_map(|tick| tick["a"].as_array())
        .map(|joint| {
            let names: Vec<&str> = joint.iter().filter_map(Value::as_str).collect();
            names.join(" ") + "\n"
        })
        .collect();
    let seed = record.header["seed"].as_u64().unwrap_or(1).to_string();
    let game = game.to_str().expect("a path that is text");
    let args = ["trace", game, "--level", &level, "--actions", "-", "--seed", &seed];
    let own = lines(&grove_with(&args, actions.as_bytes()));
    let header = record.header.as_object().expect("an object");
    // Names differ by where the game lies; `seq` names how the actions were found.
    for (key, value) in header.iter().filter(|(key, _)| !matches!(&***key, "trace" | "seq")) {
        assert_eq!(own[0][key], *value, "{name} level {level}: {key}");
    }
    assert_eq!(own.len() - 1, record.ticks.len(), "{name} level {level}");
    for (own, recorded) in own[1..].iter().zip(&record.ticks) {
        assert!(same(own, recorded), "{name} level {level}:\n{own}\ninstead of\n{recorded}");
    }
}

#[test]
fn shipped_games_are_won_by_their_sequences() {
    for game in ["zelda", "sokoban", "dig_dug"] {
        let actions = format!("{}/../../games/vgdl/{game}/win3.txt", env!("CARGO_MANIFEST_DIR"));
        let all = lines(&grove(&["trace", game, "--level", "3", "--actions", &actions]));
        assert_eq!((&all[0]["trace"], &all[0]["level"]), (&json!(game), &json!(3)));
        assert_eq!((&all[0]["seed"], &all[0]["players"]), (&json!(1), &json!(1)));
        assert_eq!((&all[1]["t"], all[1].get("a")), (&json!(-1), None));
        let last = &all[all.len() - 1];
        assert_eq!((&last["over"], &last["win"]), (&json!(1), &json!([1])), "{game}");
    }
}

#[test]
fn played_games_can_be_traced() {
    let played = grove(&["play", "aliens", "--level", "1", "--seed", "9", "--json"]);
    let record = played.json();
    let name = file("played.json", &played.stdout);
    let args = ["trace", "aliens", "--level", "1", "--actions", name, "--seed", "9", "--no-header"];
    let all = lines(&grove(&args));
    let last = &all[all.len() - 1];
    assert_eq!(all[0]["t"], -1);
    assert_eq!(record["ticks"].as_u64(), Some(all.len() as u64 - 1));
    assert!(same(&last["score"], &record["scores"]), "{last} {}", record["scores"]);
    assert_eq!(last["win"][0] == 1, record["won"][0] == true);
    assert_ne!(grove(&[&args[..7], &["8"]].concat()).stdout, "");
}

#[test]
fn levels_are_found_beside_the_rules_or_named() {
    let rules = "BasicGame\n SpriteSet\n  a > MovingAvatar\n LevelMapping\n  A > a\n \
                 InteractionSet\n  a EOS > stepBack\n TerminationSet\n  Timeout limit=5\n";
    let folder = "beside";
    std::fs::create_dir_all(super::folder().join(folder)).expect("a folder");
    let game = file("beside/mine.txt", rules);
    file("beside/mine_lvl7.txt", "A  \n");
    let level = file("beside/other.txt", " A\n  \n");
    let actions = file("beside/actions.txt", "RIGHT\nRIGHT\n");
    let by_number = lines(&grove(&["trace", game, "--level", "7", "--actions", actions]));
    assert_eq!((&by_number[0]["cols"], &by_number[0]["level"]), (&json!(3), &json!(7)));
    let by_path = lines(&grove(&["trace", game, "--level", level, "--actions", actions]));
    assert_eq!((&by_path[0]["rows"], &by_path[0]["level"]), (&json!(2), &json!(null)));
    let run = grove_with(&["trace", "-", "--level", level, "--actions", actions], rules.as_bytes());
    assert_eq!(lines(&run)[1..], by_path[1..]);
}

#[test]
fn mistakes_are_explained() {
    let rules = file("lonely.vgdl", "BasicGame\n SpriteSet\n  a > MovingAvatar\n");
    let broken = file("broken_actions.txt", "UP\nDOWN\nJUMP\n");
    let fine = file("fine_actions.txt", "UP\n");
    let binary = file("binary.bin", [0u8, 159, 146, 150, 255, 10, 0, 1].repeat(50));
    let cases: [(&[&str], i32, &str); 12] = [
        (&["zelda", "--level", "5", "--actions", fine], 2, "there are levels 0 to 4"),
        (&["zelda", "--level", "no.txt", "--actions", fine], 2, "there is no file no.txt"),
        (&["zelda", "--level", "-1", "--actions", fine], 2, "unexpected argument"),
        (&[rules, "--actions", fine], 2, "lonely_lvl0.txt or level0.txt"),
        (&["zelda", "--actions", broken], 2, "line 3: `JUMP` is not an action"),
        (&["zelda", "--actions", "nowhere.txt"], 2, "there is no file nowhere.txt"),
        (&["zelda"], 2, "--actions <FILE>"),
        (&["zelda", "--actions", binary], 2, "is no list of actions: line 1"),
        (&[binary, "--level", binary, "--actions", fine], 1, "no SpriteSet"),
        (&["chess", "--actions", fine], 2, "chess is no video game"),
        (&["zeldo", "--actions", fine], 2, "did you mean zelda?"),
        (&["-", "--level", "x", "--actions", "-"], 2, "can be standard input"),
    ];
    for (args, code, expected) in cases {
        let run = grove(&[&["trace"][..], args].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(code), ""), "{args:?}: {run:?}");
        assert!(run.stderr.contains(expected), "{args:?}: {run:?}");
    }
    // A level of noise has no avatar; the game runs all the same, and says so.
    let run = grove(&["trace", "zelda", "--level", binary, "--actions", fine]);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("error"), "{run:?}");
}
