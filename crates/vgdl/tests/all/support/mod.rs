//! Recorded runs of the public framework and how to hold the engine against them.
#![allow(dead_code, reason = "each test uses its part")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gamegrove_vgdl::Scratch;
use gamegrove_vgdl::chance::Chance;
use gamegrove_vgdl::level::World;
use gamegrove_vgdl::ontology::Action;
use gamegrove_vgdl::rules::compile;
use gamegrove_vgdl::trace::Tracer;
use serde_json::Value;

/// One recorded run.
pub struct Record {
    pub name: String,
    pub level: usize,
    pub seq: String,
    pub header: Value,
    pub ticks: Vec<Value>,
}

impl Record {
    pub fn label(&self) -> String {
        format!("{} level {} {}", self.name, self.level, self.seq)
    }
}

/// All records of one compressed file.
pub fn read_records(path: &Path) -> Vec<Record> {
    let file = std::fs::File::open(path).expect("a record opens");
    let mut records: Vec<Record> = Vec::new();
    for line in BufReader::new(flate2::read::GzDecoder::new(file)).lines() {
        let value: Value =
            serde_json::from_str(&line.expect("a record is text")).expect("a record is JSON");
        if let Some(name) = value["trace"].as_str() {
            records.push(Record {
                name: name.to_owned(),
                level: value["level"].as_u64().expect("a level") as usize,
                seq: value["seq"].as_str().unwrap_or("").to_owned(),
                header: value,
                ticks: Vec::new(),
            });
        } else {
            records.last_mut().expect("a header comes first").ticks.push(value);
        }
    }
    records
}

/// All descriptions of the corpus.
pub fn descriptions(corpus: &Path) -> Vec<PathBuf> {
    let mut all = gamegrove_testdata::files_below(corpus, "txt");
    all.retain(|path| !path.to_string_lossy().contains("_lvl"));
    all
}

/// The levels beside a description.
pub fn levels(description: &Path) -> Vec<PathBuf> {
    let stem = description.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    (0..10)
        .map(|n| description.with_file_name(format!("{stem}_lvl{n}.txt")))
        .filter(|path| path.exists())
        .collect()
}

/// The description and the level of a record.
pub fn files(corpus: &Path, name: &str, level: usize) -> (PathBuf, PathBuf) {
    let folder =
        if name.ends_with("_nostoch") { corpus.join("no-random") } else { corpus.to_owned() };
    (folder.join(format!("{name}.txt")), folder.join(format!("{name}_lvl{level}.txt")))
}

pub fn load(description: &Path, level: &Path) -> Result<Arc<World>, String> {
    let read = |path: &Path| {
        let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok::<_, String>(String::from_utf8_lossy(&bytes).into_owned())
    };
    let rules = compile(&read(description)?).rules;
    let loaded = World::load(&rules, &read(level)?);
    loaded.world.ok_or_else(|| format!("{:?}", loaded.findings))
}

/// Replays a record; the first difference, if there is one.
pub fn replay(corpus: &Path, record: &Record) -> Result<(), String> {
    let (description, level) = files(corpus, &record.name, record.level);
    let world = load(&description, &level)?;
    let mut tracer = Tracer::new(&world);
    let own = tracer.header(&record.name, Some(record.level));
    for key in [
        "players",
        "block",
        "cols",
        "rows",
        "types",
        "update_order",
        "actions",
        "engine_stochastic_flag",
    ] {
        if own[key] != record.header[key] {
            return Err(format!("header {key}: {} instead of {}", own[key], record.header[key]));
        }
    }
    let mut state = world.start().clone();
    state.set_chance(Chance::framework(record.header["seed"].as_u64().unwrap_or(1)));
    let mut scratch = Scratch::default();
    let mut expected: BTreeMap<String, Value> = BTreeMap::new();
    let mut actual: BTreeMap<String, Value> = BTreeMap::new();
    for line in &record.ticks {
        let actions: Option<Vec<Action>> = line["a"].as_array().map(|names| {
            names.iter().map(|n| n.as_str().and_then(Action::named).unwrap_or_default()).collect()
        });
        if let Some(actions) = &actions {
            world.advance(&mut state, actions, &mut scratch);
        }
        let own = tracer.line(&state, actions.as_deref());
        compare(line, &own, &mut expected, &mut actual, &world)
            .map_err(|e| format!("tick {}: {e}", line["t"]))?;
    }
    Ok(())
}

fn compare(
    line: &Value,
    own: &Value,
    expected: &mut BTreeMap<String, Value>,
    actual: &mut BTreeMap<String, Value>,
    world: &World,
) -> Result<(), String> {
    for key in ["score", "over", "win", "av"] {
        if !same(&line[key], &own[key]) {
            return Err(format!("{key}: {} instead of {}", own[key], line[key]));
        }
    }
    for (target, source) in [(&mut *expected, line), (&mut *actual, own)] {
        for (ty, list) in source["sp"].as_object().expect("sprites by type") {
            target.insert(ty.clone(), list.clone());
        }
    }
    let touched = line["sp"].as_object().into_iter().chain(own["sp"].as_object());
    for ty in touched.flat_map(|lists| lists.keys()) {
        let empty = Value::Array(Vec::new());
        let (want, have) = (expected.get(ty).unwrap_or(&empty), actual.get(ty).unwrap_or(&empty));
        if !same(want, have) {
            let number: usize = ty.parse().expect("types are numbers");
            let name = &world.rules.types.types[number].name;
            return Err(format!("{name}: {} instead of {}", shorten(have), shorten(want)));
        }
    }
    Ok(())
}

fn shorten(value: &Value) -> String {
    let text = value.to_string();
    if text.len() > 300 { format!("{}...", &text[..300]) } else { text }
}

/// Equal, numbers up to the digits that are recorded.
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
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| same(v, w)))
        }
        _ => a == b,
    }
}
