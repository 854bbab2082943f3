//! The tables of `docs/hardware.md`: exports games, plays random games on the emulated hardware and
//! in software, simulates, holds all three against each other state by state, and synthesises.
//!
//! `hardware FOLDER PLAYOUTS SECONDS FAMILY|- FILE...`; with `-` nothing is synthesised.
#![expect(clippy::print_stdout, reason = "an example shows its results")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gamegrove_game::{Game, Move, Player, Rng, Role};
use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_hardware::{
    Board, Driver, Emulation, Family, Hardware, Scores, Simulation, run_testbench, synthesise,
    verilator_installed,
};
use gamegrove_propnet::{Network, Propnet, Sequence, build_from_rules};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, playouts, seconds, family, files @ ..] = args.as_slice() else {
        return Err("usage: hardware FOLDER PLAYOUTS SECONDS FAMILY|- FILE...".into());
    };
    let family = if family == "-" { None } else { Some(family.parse::<Family>()?) };
    let limit = Duration::from_secs(seconds.parse()?);
    for file in files {
        let name = Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or("game");
        let folder = Path::new(folder).join(name);
        if let Err(error) = row(name, file, &folder, playouts.parse()?, limit, family) {
            println!("{name}: {error}");
        }
    }
    Ok(())
}

fn row(
    name: &str,
    file: &str,
    folder: &Path,
    playouts: u32,
    limit: Duration,
    family: Option<Family>,
) -> Result<(), Box<dyn Error>> {
    let sheet = Rulesheet::load(&std::fs::read(file)?).map_err(|_| "the rules are broken")?;
    let network = build_from_rules(&sheet.program, 0, &Limits::default())?;
    let network = Arc::new(Sequence::default().run(&network));
    let mut hardware = Hardware::new(name, &network)?;
    hardware.write(folder)?;
    let size = &hardware.meta.size;
    println!(
        "{name}: components {}, flip-flops {}, gates {}, depth {}, estimated tables {}, loops {}",
        size.components,
        size.flip_flops,
        size.gates,
        size.depth,
        size.estimated_tables,
        size.unrolled.len()
    );
    let state = hardware.emulation.initial_state()?;
    hardware.emulation.seed(1)?;
    let clock = Instant::now();
    let emulated = hardware.emulation.scores(&state, playouts)?;
    show(name, "emulated", &emulated, clock.elapsed());
    software(name, &network, playouts)?;
    if verilator_installed() {
        let clock = Instant::now();
        let simulation = Simulation::build(folder, limit)?;
        println!("{name}: simulation compiled in {:.1} s", clock.elapsed().as_secs_f64());
        let mut board = Board::new(&hardware.meta, simulation)?;
        board.seed(1)?;
        let clock = Instant::now();
        let simulated = board.scores(&state, playouts)?;
        show(name, "simulated", &simulated, clock.elapsed());
        println!("{name}: equal bit by bit: {}", simulated == emulated);
        let clock = Instant::now();
        let (states, successors) = agree(&mut board, &mut hardware.emulation, &network)?;
        println!(
            "{name}: Verilator, emulation and software agree on {states} states and {successors} \
             successors along random games, compared in {:.1} s",
            clock.elapsed().as_secs_f64()
        );
        println!("{name}: test bench: {}", run_testbench(folder, limit)?);
    }
    let Some(family) = family else { return Ok(()) };
    let found = synthesise(folder, family, limit)?;
    let rate = found.states_per_second(emulated.cycles_per_state());
    println!(
        "{name}: {family}: tables {}, flip-flops {}, clock {:.2?} MHz, longest path {:.1?} ns \
         through {:?} cells, M states/s {:.2?}, mapping {:.0} s, routing {:.0?} s",
        found.tables(),
        found.flip_flops(),
        found.max_clock_mhz,
        found.longest_path_ns,
        found.longest_path_cells,
        rate.map(|rate| rate / 1e6),
        found.mapping_seconds,
        found.routing_seconds,
    );
    for part in &found.utilisation {
        let share = 100.0 * part.used as f64 / part.available.max(1) as f64;
        println!("{name}:   {} {} of {} ({share:.1} %)", part.kind, part.used, part.available);
    }
    Ok(())
}

fn show(name: &str, way: &str, scores: &Scores, taken: Duration) {
    let roles = 0..scores.totals.sums.len();
    let means: Vec<String> = roles.map(|role| format!("{:.2}", scores.mean(role))).collect();
    println!(
        "{name}: {way}: mean goals {}, {:.3} cycles per state, {} states, {} cut, {} stuck, \
         {:.0} states/s",
        means.join(" "),
        scores.cycles_per_state(),
        scores.totals.steps,
        scores.totals.cut,
        scores.totals.stuck,
        scores.totals.steps as f64 / taken.as_secs_f64(),
    );
}

/// Random games along which all three are asked about every state, their longest, and how many joint
/// moves are tried in each state.
const GAMES: u64 = 5;
const LONGEST: usize = 150;
const TRIED: usize = 6;

/// Holds simulation, emulation and software against each other along random games: ends, goals, legal
/// moves and successors. Counts the states and successors; the first difference is an error.
fn agree(
    board: &mut Board<Simulation>,
    emulation: &mut Emulation,
    network: &Arc<Network>,
) -> Result<(usize, usize), Box<dyn Error>> {
    let mut game: Propnet = Propnet::new(network)?;
    let roles: Vec<Role> = Role::all(game.role_count()).collect();
    let require = |same: bool, what: &str| match same {
        true => Ok(()),
        false => Err(format!("{what} differ")),
    };
    let (mut states, mut successors) = (0, 0);
    for number in 0..GAMES {
        let mut rng = Rng::stream(3, number);
        let mut state = game.initial_state();
        for _ in 0..LONGEST {
            states += 1;
            let simulated = board.look(&state)?;
            emulation.load(&state);
            let terminal = game.is_terminal(&state);
            require(simulated.terminal == terminal && emulation.is_terminal() == terminal, "ends")?;
            let mut legal = vec![Vec::new(); roles.len()];
            for &role in &roles {
                let at = role.index();
                let held = game.goal_values(&state, role);
                let first = emulation.goal(at);
                // Where rules give a role several goals, hardware takes the first, software the mean.
                let known = held.is_empty() && first == 0 || held.contains(&first.to_string());
                require(known && simulated.goals[at] == first, "goals")?;
                game.legal_moves(&state, role, &mut legal[at]);
                let numbers: Vec<u32> = legal[at].iter().map(|mov| mov.0).collect();
                let same = emulation.legal(at).eq(numbers.iter().copied());
                require(same && simulated.legal[at] == numbers, "legal moves")?;
            }
            let mut next = state.clone();
            for _ in 0..TRIED {
                let joint: Option<Vec<Move>> = legal.iter().map(|moves| rng.pick(moves)).collect();
                let Some(joint) = joint.filter(|_| !terminal) else { break };
                successors += 1;
                game.apply(&state, &joint, &mut next);
                emulation.load(&state);
                emulation.step(|role, number| joint[role].index() == number);
                let numbers: Vec<u32> = joint.iter().map(|mov| mov.0).collect();
                let same = emulation.state() == next && board.step(&numbers)? == next;
                require(same, "successors")?;
            }
            if terminal || legal.iter().any(Vec::is_empty) {
                break;
            }
            state = next;
        }
    }
    Ok((states, successors))
}

/// Mean goals in software, with 95 % intervals.
fn software(name: &str, network: &Arc<Network>, playouts: u32) -> Result<(), Box<dyn Error>> {
    let game: Propnet = Propnet::new(network)?;
    let roles = game.role_count();
    let mut player = Player::new(game);
    let start = player.game.initial_state();
    let (mut sums, mut squares) = (vec![0.0; roles], vec![0.0; roles]);
    for number in 0..playouts {
        player.random_game(&start, 10_000, &mut Rng::stream(2, u64::from(number)));
        for (role, goal) in player.goals().iter().enumerate() {
            sums[role] += f64::from(goal.0);
            squares[role] += f64::from(goal.0) * f64::from(goal.0);
        }
    }
    let number = f64::from(playouts.max(2));
    let text = sums.iter().zip(&squares).map(|(sum, square)| {
        let mean = sum / number;
        let variance = (square / number - mean * mean).max(0.0);
        format!("{mean:.2} ±{:.2}", 1.96 * (variance / (number - 1.0)).sqrt())
    });
    println!("{name}: software: mean goals {}", text.collect::<Vec<_>>().join(" "));
    Ok(())
}
