//! `grove propnet`: the network of a game, step by step.

use std::fs;
use std::time::{Duration, Instant};

use gamegrove_gdl::{LimitHit, Limits, Meter};
use gamegrove_propnet::{
    Bits, Circuit, Forward, Kind as Component, Network, Statistics, build, ground, write_dot,
};
use indicatif::HumanBytes;
use serde::Serialize;
use serde_json::{Map, Value};

use super::propnet_hardware::{self, HardwareReport};
use super::rules;
use crate::cli::PropnetArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::memory;
use crate::output::{Output, Table};
use gamegrove_play::library::Kind;
use gamegrove_play::load::Source;
use gamegrove_play::reasoner::no_network;
use gamegrove_play::units::{grouped, plural, time};
use gamegrove_play::video;

/// What is reported to tools.
#[derive(Debug, Serialize)]
struct Report {
    game: String,
    optimise: String,
    seed: u64,
    /// Rules without variables, and the time to find them.
    ground_rules: usize,
    ground_seconds: f64,
    /// The network as built, and after each pass.
    stages: Vec<Stage>,
    circuit: CircuitReport,
    /// From the text of the rules to a game ready for its first question.
    setup_seconds: f64,
    /// The most that the process held in memory; none where the system does not tell.
    memory_bytes: Option<u64>,
    /// The network in hardware, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    hardware: Option<HardwareReport>,
}

/// The network at one stage.
#[derive(Debug, Serialize)]
struct Stage {
    stage: String,
    seconds: f64,
    components: usize,
    /// How many there are of each kind.
    kinds: Map<String, Value>,
    connections: usize,
    depth: u32,
    cycles: usize,
    components_in_cycles: usize,
    fixed_facts: usize,
    bytes: usize,
}

/// What play runs on.
#[derive(Debug, Serialize)]
struct CircuitReport {
    seconds: f64,
    gates: usize,
    /// The gates that only the next state needs.
    late_gates: usize,
    inputs: usize,
    cycles: usize,
    facts: usize,
    moves: usize,
    /// Whether it is worked out once per joint move what it does.
    effects: bool,
    /// Inputs that are kept apart because they change all the time.
    guards: usize,
}

/// Runs the command.
pub fn run(args: &PropnetArgs, out: &mut Output) -> Result {
    out.only_json();
    memory::forget_peak();
    let start = Instant::now();
    let source = Source::open(&args.game)?;
    video::require(&source, Kind::Gdl)?;
    let sheet = rules(&source, args.rules, out)?;
    let stopped = |hit: LimitHit| {
        let help = "give it more with --time-limit, or play it with --reasoner prover";
        Failure::broken(format!("{} has no network: {hit}", source.name), help)
    };
    let limits = Limits { time: Some(args.time_limit), ..Limits::default() };
    let grounding = ground(&sheet.program, &limits).map_err(stopped)?.0;
    let (ground_rules, ground_seconds) = (grounding.rule_count(), start.elapsed().as_secs_f64());
    let mut stages = Vec::new();
    let mut clock = Instant::now();
    let mut network = build(&grounding, args.seed, &limits.left(start))
        .map_err(|error| no_network(&source.name, &error))?;
    drop(grounding);
    stages.push(Stage::new("built".to_owned(), clock.elapsed(), &network));
    let mut meter = Meter::new(&limits.left(start));
    for pass in args.optimise.passes() {
        clock = Instant::now();
        network = pass.run_within(&network, &mut meter).map_err(stopped)?;
        stages.push(Stage::new(pass.to_string(), clock.elapsed(), &network));
    }
    clock = Instant::now();
    let circuit = Circuit::new(&network).map_err(|flaw| no_network(&source.name, &flaw))?;
    let forward = Forward::tuned(&circuit, Bits::initial(&network).words());
    let mut report = Report {
        game: source.name.clone(),
        optimise: args.optimise.to_string(),
        seed: args.seed,
        ground_rules,
        ground_seconds,
        stages,
        circuit: CircuitReport::new(&circuit, &forward, clock.elapsed()),
        setup_seconds: start.elapsed().as_secs_f64(),
        memory_bytes: memory::peak(),
        hardware: None,
    };
    report.show(args.stats, out)?;
    if let Some(path) = &args.dot {
        let mut picture = String::new();
        // A string takes everything.
        let _ = write_dot(&network, &mut picture);
        fs::write(path, picture).map_err(|error| {
            let message = format!("{} could not be written: {error}", path.display());
            Failure::usage(message, "give --dot the path of a file in a folder that can be written")
        })?;
        let size = plural(network.len(), "component");
        out.line(format!("{size} drawn in {}", path.display()))?;
    }
    report.hardware = propnet_hardware::run(args, &source.name, &network, out)?;
    if out.is_json() {
        out.value(&report)?;
    }
    Ok(Outcome::Fine)
}

impl Stage {
    fn new(stage: String, taken: Duration, network: &Network) -> Stage {
        let numbers = Statistics::of(network);
        let kind = |kind: Component| (kind.word().to_owned(), numbers.count(kind).into());
        Stage {
            stage,
            seconds: taken.as_secs_f64(),
            components: numbers.components(),
            kinds: Component::ALL.into_iter().map(kind).collect(),
            connections: numbers.edges,
            depth: numbers.depth,
            cycles: numbers.cycles,
            components_in_cycles: numbers.cyclic_components,
            fixed_facts: numbers.fixed_facts,
            bytes: numbers.bytes,
        }
    }
}

impl CircuitReport {
    fn new(circuit: &Circuit, forward: &Forward, taken: Duration) -> CircuitReport {
        CircuitReport {
            seconds: taken.as_secs_f64(),
            gates: circuit.gates.len(),
            late_gates: circuit.gates.len() - circuit.early,
            inputs: circuit.input_count(),
            cycles: circuit.cycles.len(),
            facts: circuit.bases,
            moves: circuit.legal.iter().map(Vec::len).sum(),
            effects: forward.settings().effects,
            guards: forward.guard_count(),
        }
    }
}

impl Report {
    fn show(&self, by_kind: bool, out: &mut Output) -> Result<()> {
        let seconds = |seconds: f64| time(Duration::from_secs_f64(seconds));
        let count = |number: usize| grouped(number as u64);
        let mut table = Table::new(&[
            "stage",
            ">components",
            ">change",
            ">connections",
            ">depth",
            ">cycles",
            ">memory",
            ">time",
        ]);
        let first = self.stages.first().map_or(1, |stage| stage.components);
        for stage in &self.stages {
            let change = 100.0 * (stage.components as f64 / first as f64 - 1.0);
            table.row(vec![
                stage.stage.clone(),
                count(stage.components),
                if stage.components == first { "-".to_owned() } else { format!("{change:+.1} %") },
                count(stage.connections),
                stage.depth.to_string(),
                stage.cycles.to_string(),
                HumanBytes(stage.bytes as u64).to_string(),
                seconds(stage.seconds),
            ]);
        }
        out.line(format!(
            "{}: {} in {}",
            self.game,
            plural(self.ground_rules, "ground rule"),
            seconds(self.ground_seconds)
        ))?;
        out.line(&table)?;
        if by_kind {
            out.line("")?;
            out.line(self.kinds())?;
        }
        let circuit = &self.circuit;
        out.line(format!(
            "\nFor play: {} with {}, {} of them only for the next state; {}, {}; made in {}",
            plural(circuit.gates, "gate"),
            plural(circuit.inputs, "input"),
            count(circuit.late_gates),
            plural(circuit.facts, "fact"),
            plural(circuit.moves, "move"),
            seconds(circuit.seconds)
        ))?;
        let moves = match circuit.effects {
            true => "worked out once per joint move",
            false => "followed through the circuit",
        };
        let guards = plural(circuit.guards, "guard");
        let whole = seconds(self.setup_seconds);
        out.line(format!("Moves are {moves}; {guards}; from text to play in {whole}"))
    }

    /// Components by kind, one column for each stage.
    fn kinds(&self) -> Table {
        let headings: Vec<String> = std::iter::once("kind".to_owned())
            .chain(self.stages.iter().map(|stage| format!(">{}", stage.stage)))
            .collect();
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        let mut table = Table::new(&headings);
        for kind in Component::ALL {
            let counts = self.stages.iter().map(|stage| {
                let number = stage.kinds.get(kind.word()).and_then(Value::as_u64);
                grouped(number.unwrap_or(0))
            });
            table.row(std::iter::once(kind.word().to_owned()).chain(counts).collect());
        }
        table
    }
}
