//! What tuning four parameters costs: visited states and simulations per second of processor time,
//! against the same agent untuned (parameter-tuning, section 7.5, Tables 6.7 and 6.8).
//!
//! `tuning_overhead [SIMULATIONS] [ROUNDS] [GAME...]`: in each round every agent searches the same
//! first steps of one random game, so many simulations a step (300), one state at a time. Shown is
//! the median over rounds (9) of the ratio to the untuned agent in the same round, less one.
//!
//! Tuned values change how long simulations are, so neither column of the source is the price of
//! tuning alone. The third number is: the strategies without a game, for as many roles, as a share
//! of the time of an untuned simulation.
#![allow(clippy::print_stdout, reason = "a tool for people")]

use std::error::Error;
use std::sync::Arc;

use cpu_time::ThreadTime;
use gamegrove_agents::{Agent, Budget, Player};
use gamegrove_game::{Describe, Move, Rng, Role};
use gamegrove_gdl::Reading;
use gamegrove_shelf::load::Source;
use gamegrove_shelf::reasoner::{Reasoner, Work, with_game};
use gamegrove_tuning::{PerRole, Rewards, published};

const STRATEGIES: [&str; 8] = ["mab", "he", "nmc", "lsi", "ea", "ntbea", "cma-es", "sim-rnd"];
const GAMES: [&str; 8] = [
    "three_d_tic_tac_toe",
    "breakthrough",
    "knightthrough",
    "chinese_checkers_3p",
    "connect_five",
    "quad",
    "connect_four",
    "pentago",
];
/// Steps of a game that are searched.
const STEPS: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let simulations: u64 = arguments.next().map_or(Ok(300), |text| text.parse())?;
    let rounds: u64 = arguments.next().map_or(Ok(9), |text| text.parse())?;
    let named: Vec<String> = arguments.collect();
    let games = if named.is_empty() { GAMES.map(str::to_owned).to_vec() } else { named };
    let mut agents = vec![Agent::find("ap")?];
    for strategy in STRATEGIES {
        agents.push(Agent::find(&format!("ap(tune={strategy}(parameters=[c, epsilon, k, ref]))"))?);
    }
    println!("states per second / simulations per second / own, in % of the untuned agent\n");
    println!("| Game | µs a simulation | {} |", STRATEGIES.join(" | "));
    println!("|---|---|{}", "---|".repeat(STRATEGIES.len()));
    let mut sums = [[0.0; 3]; STRATEGIES.len()];
    for game in &games {
        let source = Source::open(game).map_err(|problem| problem.to_string())?;
        let rules = source.rulesheet(Reading::Logical).map_err(|problem| problem.to_string())?;
        let measure = Measure { agents: &agents, simulations, rounds };
        let found = with_game(game, &rules, Reasoner::Propnet, measure);
        let Measured { roles, seconds, ratios } =
            found.map_err(|problem| problem.to_string())??;
        print!("| {game} | {:.1} |", 1e6 * seconds);
        for (at, [states, sims]) in ratios.into_iter().enumerate() {
            let samples = simulations * STEPS as u64;
            let own = own_cost(STRATEGIES[at], roles, samples)? / seconds;
            let cell = [states - 1.0, sims - 1.0, own].map(|share| 100.0 * share);
            print!(" {:+.1} / {:+.1} / {:.1} |", cell[0], cell[1], cell[2]);
            (0..3).for_each(|kind| sums[at][kind] += cell[kind] / games.len() as f64);
        }
        println!();
    }
    print!("| **mean** | |");
    for [states, sims, own] in sums {
        print!(" {states:+.1} / {sims:+.1} / {own:.1} |");
    }
    println!();
    Ok(())
}

struct Measure<'a> {
    agents: &'a [Agent],
    simulations: u64,
    rounds: u64,
}

struct Measured {
    roles: usize,
    /// Of an untuned simulation.
    seconds: f64,
    /// States and simulations per second of each tuned agent, as parts of the untuned one's.
    ratios: Vec<[f64; 2]>,
}

impl Work for Measure<'_> {
    type Output = Result<Measured, String>;

    fn run<G: Describe + 'static>(self, mut game: G) -> Result<Measured, String> {
        let roles = game.role_count();
        let mut speeds: Vec<Vec<[f64; 2]>> = vec![Vec::new(); self.agents.len()];
        for round in 0..self.rounds {
            let line = random_line(&mut game, &mut Rng::stream(1, round));
            // Every agent comes first sometimes.
            for at in 0..self.agents.len() {
                let at = (at + round as usize) % self.agents.len();
                let speed = search(&self.agents[at], &game, &line, self.simulations, round)?;
                speeds[at].push(speed);
            }
        }
        let ratio = |of: &[[f64; 2]], kind: usize| {
            median(of.iter().zip(&speeds[0]).map(|(own, base)| own[kind] / base[kind]).collect())
        };
        let ratios = speeds[1..].iter().map(|of| [ratio(of, 0), ratio(of, 1)]).collect();
        let seconds = median(speeds[0].iter().map(|speed| 1.0 / speed[1]).collect());
        Ok(Measured { roles, seconds, ratios })
    }
}

/// The first states of a random game, each with the joint move that leads on.
fn random_line<G: Describe>(game: &mut G, rng: &mut Rng) -> Vec<(G::State, Vec<Move>)> {
    let mut line = Vec::new();
    let mut state = game.initial_state();
    let mut legal = Vec::new();
    while line.len() < STEPS && !game.is_terminal(&state) {
        let joint: Vec<Move> = Role::all(game.role_count())
            .map(|role| {
                legal.clear();
                game.legal_moves(&state, role, &mut legal);
                legal[rng.below(legal.len())]
            })
            .collect();
        let before = state.clone();
        game.apply(&before, &joint, &mut state);
        line.push((before, joint));
    }
    line
}

/// States and simulations per second of processor time.
fn search<G: Describe + 'static>(
    agent: &Agent,
    game: &G,
    line: &[(G::State, Vec<Move>)],
    simulations: u64,
    seed: u64,
) -> Result<[f64; 2], String> {
    let player = agent.player(game.clone(), Role(0), seed);
    let mut player: Box<dyn Player<G>> = player.map_err(|error| error.to_string())?;
    let (mut steps, mut sims) = (0, 0);
    let mut seconds = 0.0;
    for (state, joint) in line {
        let clock = ThreadTime::now();
        player.choose(state, &Budget::simulations(simulations)).ok_or("no move was found")?;
        seconds += clock.elapsed().as_secs_f64();
        let report = player.report().ok_or("no report")?;
        steps += report.steps;
        sims += report.simulations;
        player.played(joint);
    }
    Ok([steps, sims].map(|count| count as f64 / seconds))
}

/// Seconds of processor time a strategy takes for one simulation.
fn own_cost(strategy: &str, roles: usize, samples: u64) -> Result<f64, String> {
    if strategy == "sim-rnd" {
        return Ok(0.0);
    }
    let space = Arc::new(published::AP_4.space());
    let make = |seed| PerRole::new(strategy, &[], &space, Rewards::GOALS, roles, seed);
    let mut costs = Vec::new();
    for seed in 0..5 {
        let mut tuned = make(seed).map_err(|error| error.to_string())?;
        let (mut combinations, mut rewards) = (Vec::new(), vec![0.0; roles]);
        let mut rng = Rng::new(seed);
        let clock = ThreadTime::now();
        for sample in 0..samples {
            if sample == samples / STEPS as u64 {
                // What a search forecasts after its first turn, for simulations of 30 steps.
                tuned.forecast(30.0 * sample as f64);
            }
            tuned.next(&mut combinations);
            rewards.fill_with(|| 100.0 * rng.below(2) as f64);
            tuned.update(&combinations, &rewards);
        }
        costs.push(clock.elapsed().as_secs_f64() / samples as f64);
    }
    Ok(median(costs))
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
