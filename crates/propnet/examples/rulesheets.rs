//! A table of rulesheets: how their networks are made, what each stage takes in processor time, how
//! large the result is, and how fast prover, network and lanes are. Prints Markdown.
//!
//! `cargo run --release -p gamegrove-propnet --example rulesheets -- FOLDER_OR_FILE...`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use cpu_time::ThreadTime;
use gamegrove_gdl::{Limits, Meter, Program, Prover, Rulesheet, ground};
use gamegrove_propnet::{
    Bits, BuildError, Circuit, Forward, Propnet, PropnetLanes, Rates, Sequence, build,
};
use gamegrove_testdata::files_below;

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]
fn main() -> ExitCode {
    let paths: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    if paths.is_empty() {
        eprintln!("usage: rulesheets FOLDER_OR_FILE...");
        return ExitCode::FAILURE;
    }
    println!(
        "| rulesheet | ground rules | components | gates | inputs | ground s | build s | passes s \
         | circuit s | lanes s | prover k/s | network k/s | lanes k/s | grounded |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|"
    );
    for path in &paths {
        let files = if path.is_dir() { files_below(path, "kif") } else { vec![path.clone()] };
        for file in files {
            let root = if path.is_dir() { path.as_path() } else { Path::new("") };
            let name = file.strip_prefix(root).unwrap_or(&file).display();
            match row(&file) {
                Ok(row) => println!("| {name} | {row} |"),
                Err(why) => println!("| {name} | {why} |"),
            }
        }
    }
    ExitCode::SUCCESS
}

/// Measures stages in processor time.
struct Stages {
    start: ThreadTime,
    seconds: Vec<f64>,
}

impl Stages {
    fn done(&mut self) {
        self.seconds.push(self.start.elapsed().as_secs_f64());
        self.start = ThreadTime::now();
    }
}

fn row(file: &Path) -> Result<String, String> {
    let text = std::fs::read(file).map_err(|error| error.to_string())?;
    let sheet = Rulesheet::load(&text).map_err(|_| "errors in the rules".to_owned())?;
    let mut stages = Stages { start: ThreadTime::now(), seconds: Vec::new() };
    let row = measured(&sheet.program, &mut stages);
    row.map_err(|error| {
        let spent: f64 = stages.seconds.iter().sum::<f64>() + stages.start.elapsed().as_secs_f64();
        format!("{error}, after {spent:.1} s of processor time")
    })
}

fn measured(program: &Arc<Program>, stages: &mut Stages) -> Result<String, BuildError> {
    let limits = Limits::default();
    let (grounding, way) = ground(program, &limits)?;
    let rules = grounding.rule_count();
    stages.done();
    let mut network = build(&grounding, 0, &limits)?;
    drop(grounding);
    stages.done();
    let meter = &mut Meter::new(&limits);
    for pass in Sequence::default().passes() {
        network = pass.run_within(&network, meter)?;
    }
    let network = Arc::new(network);
    stages.done();
    let circuit = Circuit::new_within(&network, &mut Meter::new(&limits))?;
    let (gates, inputs) = (circuit.gates.len(), circuit.input_count());
    let evaluator = Forward::tuned(&circuit, Bits::initial(&network).words());
    let mut game: Propnet = Propnet::with_evaluator(&network, evaluator);
    stages.done();
    let lanes = PropnetLanes::new_within(&network, &limits).ok();
    stages.done();
    let rates =
        Prover::new(program).ok().map(|mut prover| Rates::of(&mut prover, &mut game, lanes));
    let sizes = [rules, network.len(), gates, inputs];
    let mut cells: Vec<String> = sizes.iter().map(usize::to_string).collect();
    cells.extend(stages.seconds.iter().map(|seconds| format!("{seconds:.3}")));
    let rate = |rate: Option<u64>| rate.map_or("-".to_owned(), |rate| (rate / 1000).to_string());
    let (prover, network, lanes) = match rates {
        Some(rates) => (Some(rates.prover), Some(rates.network), rates.lanes),
        None => (None, None, None),
    };
    cells.extend([prover, network, lanes].into_iter().map(rate));
    cells.push(way.to_string());
    Ok(cells.join(" | "))
}
