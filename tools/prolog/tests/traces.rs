//! The oracle against matches that another system recorded: counts, hashes, ends and goals.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gamegrove_prolog::{Prolog, Settings, installed};
use gamegrove_testdata::{files_below, shared};
use sha1::{Digest, Sha1};

#[test]
fn every_recorded_match() {
    let (Some(traces), Some(corpus)) =
        (shared("conformance/gdl/traces/public"), shared("corpus/gdl/public"))
    else {
        return;
    };
    if !installed() {
        return;
    }
    let names: Vec<String> = files_below(&traces, "tsv")
        .iter()
        .filter_map(|path| path.file_name()?.to_str()?.strip_suffix(".trace.tsv"))
        .map(String::from)
        .collect();
    assert!(names.len() >= 190, "only {} traces", names.len());
    let failures = replay_all(&names, &traces, &corpus);
    assert!(failures.is_empty(), "{failures}");
}

/// Replays the games and lists what differs, one line a game.
fn replay_all(names: &[String], traces: &Path, corpus: &Path) -> String {
    let mut failures = String::new();
    for name in names {
        let trace = fs::read_to_string(traces.join(format!("{name}.trace.tsv"))).unwrap();
        let rulesheet = newest_version(&corpus.join(name));
        let text = String::from_utf8_lossy(&fs::read(&rulesheet).unwrap()).into_owned();
        if let Err(difference) = replay(&text, &trace) {
            _ = writeln!(failures, "{name}: {difference}");
        }
    }
    failures
}

/// The rulesheet in the highest `vN` folder, else the one in `folder` itself.
fn newest_version(folder: &Path) -> PathBuf {
    let number = |path: &PathBuf| -> u32 {
        let parent = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        parent.and_then(|name| name.strip_prefix('v')?.parse().ok()).unwrap_or(0)
    };
    files_below(folder, "kif").into_iter().max_by_key(number).expect("a rulesheet")
}

fn replay(rulesheet: &str, trace: &str) -> Result<(), String> {
    let settings = Settings { timeout: Duration::from_secs(60), ..Settings::default() };
    let mut prolog = Prolog::start(rulesheet, settings).map_err(|error| error.to_string())?;
    let mut state = Vec::new();
    for line in trace.lines().skip(1) {
        let mut columns = line.split('\t');
        let mut column = || columns.next().unwrap_or_default();
        let (game, step) = (column(), column());
        if step == "0" {
            state = prolog.init().to_vec();
        }
        let at = |what: &str| format!("match {game} step {step}: {what}");
        let answers = prolog.state(&state).map_err(|error| at(&error.to_string()))?;
        let check = |what: &str, ours: String, theirs: &str| {
            if ours == theirs { Ok(()) } else { Err(at(&format!("{what} {ours}, not {theirs}"))) }
        };
        check("facts", state.len().to_string(), column())?;
        check("hash of facts", hash(state.clone()), column())?;
        check("end", u8::from(answers.terminal).to_string(), column())?;
        let (counts, legal_hash, joint, goals) = (column(), column(), column(), column());
        if answers.terminal {
            let ours: Vec<&str> = answers
                .goals
                .iter()
                .map(|values| values.first().map_or("", String::as_str))
                .collect();
            check("goals", ours.join(","), goals)?;
            continue;
        }
        let ours: Vec<String> = answers.legal.iter().map(|moves| moves.len().to_string()).collect();
        check("numbers of moves", ours.join(","), counts)?;
        let lines = prolog.roles().iter().zip(&answers.legal);
        let lines =
            lines.flat_map(|(role, moves)| moves.iter().map(move |made| format!("{role} {made}")));
        check("hash of moves", hash(lines.collect()), legal_hash)?;
        let joint: Vec<String> = joint.split(" | ").map(|made| made.trim().into()).collect();
        for (made, legal) in joint.iter().zip(&answers.legal) {
            if !legal.contains(made) {
                return Err(at(&format!("{made} is not legal")));
            }
        }
        state = prolog.next(&state, &joint).map_err(|error| at(&error.to_string()))?;
    }
    Ok(())
}

/// The hash of the traces: the first twelve digits of the SHA-1 of the sorted lines.
fn hash(mut lines: Vec<String>) -> String {
    lines.sort();
    let digest = Sha1::digest(lines.join("\n").as_bytes());
    digest.iter().take(6).fold(String::new(), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}
