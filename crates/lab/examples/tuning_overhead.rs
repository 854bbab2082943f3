//! What tuning four parameters costs: simulations and visited states per second of processor time,
//! against the same agent untuned ([Sironi 2019, 6.4.3], Tables 6.7 and 6.8).
//!
//! `tuning_overhead [SIMULATIONS] [ROUNDS] [STRATEGY...] [GAME...]`: in each round every agent searches all steps of
//! one game that the untuned agent plays with itself, so many simulations a step (300), one state at a
//! time. Whole games, because strategies begin with random combinations and end with good ones. Shown
//! are medians over rounds (9), in percent:
//!
//! - the change of simulations per second against the untuned agent, and of visited states per second
//!   in parentheses: the source's two tables;
//! - its part that comes from *choosing*: the tuned search against one that is given the same
//!   combinations again from a list, so that the two do the very same simulations;
//! - its part that comes from the *values*: the search with the list against the untuned agent. Other
//!   values make longer or shorter simulations, whoever chose them.
#![allow(clippy::print_stdout, reason = "a tool for people")]

use std::error::Error;
use std::time::Duration;

use cpu_time::ThreadTime;
use gamegrove_agents::{Agent, Budget};
use gamegrove_game::{Describe, Move, Role};
use gamegrove_gdl::Reading;
use gamegrove_play::load::Source;
use gamegrove_play::reasoner::{Ready, Reasoner, ready};
use gamegrove_search::{Choices, Search};

const STRATEGIES: [&str; 7] = ["mab", "he", "nmc", "lsi", "ea", "ntbea", "cma-es"];
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
/// Steps of a game that are searched, and the simulations by which each of them is chosen.
const STEPS: usize = 200;
const CHOOSING: u64 = 50;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let simulations: u64 = arguments.next().map_or(Ok(300), |text| text.parse())?;
    let rounds: u64 = arguments.next().map_or(Ok(9), |text| text.parse())?;
    let (mut strategies, mut games): (Vec<String>, Vec<String>) =
        arguments.partition(|name| STRATEGIES.contains(&name.as_str()));
    if strategies.is_empty() {
        strategies = STRATEGIES.map(str::to_owned).to_vec();
    }
    if games.is_empty() {
        games = GAMES.map(str::to_owned).to_vec();
    }
    let untuned = Agent::find("ap")?;
    let mut tuned = Vec::new();
    for strategy in &strategies {
        tuned.push(Agent::find(&format!("ap(tune={strategy}(parameters=[c, epsilon, k, ref]))"))?);
    }
    println!("simulations (states) per second / choosing / values, in % of the untuned agent\n");
    println!("| Game | µs a simulation | {} |", strategies.join(" | "));
    println!("|---|---|{}", "---|".repeat(strategies.len()));
    let mut sums = vec![[0.0; 4]; strategies.len()];
    for game in &games {
        let source = Source::open(game).map_err(|problem| problem.to_string())?;
        let rules = source.rulesheet(Reading::Logical).map_err(|problem| problem.to_string())?;
        let measure = Measure { untuned: &untuned, tuned: &tuned, simulations, rounds };
        let network = ready(game, &rules, Reasoner::Propnet, Duration::ZERO);
        let (Ready::Network(network), _) = network.map_err(|problem| problem.to_string())? else {
            return Err("a network was asked for".into());
        };
        let Measured { seconds, changes } = measure.run(*network)?;
        print!("| {game} | {:.1} |", 1e6 * seconds);
        for (sum, change) in sums.iter_mut().zip(changes) {
            print!(" {} |", cell(change));
            sum.iter_mut().zip(change).for_each(|(sum, part)| *sum += part / games.len() as f64);
        }
        println!();
    }
    print!("| **mean** | |");
    sums.into_iter().for_each(|mean| print!(" {} |", cell(mean)));
    println!();
    Ok(())
}

fn cell([simulations, states, choosing, values]: [f64; 4]) -> String {
    format!("{simulations:+.1} ({states:+.1}) / {choosing:+.1} / {values:+.1}")
}

struct Measure<'a> {
    untuned: &'a Agent,
    tuned: &'a [Agent],
    simulations: u64,
    rounds: u64,
}

struct Measured {
    /// Of an untuned simulation.
    seconds: f64,
    /// Of each tuned agent in percent: simulations per second, states per second, the part of the
    /// former that choosing has and that of the values.
    changes: Vec<[f64; 4]>,
}

impl Measure<'_> {
    fn run<G: Describe + 'static>(self, mut game: G) -> Result<Measured, String> {
        let mut seconds = Vec::new();
        let mut changes: Vec<[Vec<f64>; 4]> = vec![Default::default(); self.tuned.len()];
        for round in 0..self.rounds {
            let line = line_of_play(self.untuned, &mut game, round)?;
            let searched = |agent: &Agent, way: Way<'_>| {
                search(agent, &game, &line, self.simulations, round, way)
            };
            for (agent, changes) in self.tuned.iter().zip(&mut changes) {
                let noted = searched(agent, Way::Noting)?.choices;
                // What is compared comes one after the other, and each comes first sometimes.
                let [mut tuned, mut repeated, mut untuned] = [const { None }; 3];
                for turn in 0..3 {
                    match (turn + round) % 3 {
                        0 => tuned = Some(searched(agent, Way::Plain)?),
                        1 => repeated = Some(searched(agent, Way::Repeating(&noted))?),
                        _ => untuned = Some(searched(self.untuned, Way::Plain)?),
                    }
                }
                let (Some(tuned), Some(repeated), Some(untuned)) = (tuned, repeated, untuned)
                else {
                    return Err("three turns are three searches".to_owned());
                };
                if (tuned.simulations, tuned.steps) != (repeated.simulations, repeated.steps) {
                    return Err("repeated choices gave another search".to_owned());
                }
                let change = |a: f64, b: f64| 100.0 * (a / b - 1.0);
                changes[0].push(change(tuned.speed(), untuned.speed()));
                changes[1].push(change(tuned.step_speed(), untuned.step_speed()));
                changes[2].push(change(tuned.speed(), repeated.speed()));
                changes[3].push(change(repeated.speed(), untuned.speed()));
                seconds.push(untuned.speed().recip());
            }
        }
        let changes = changes.into_iter().map(|of| of.map(median)).collect();
        Ok(Measured { seconds: median(seconds), changes })
    }
}

/// States and the joint moves that were made in them.
type Line<S> = Vec<(S, Vec<Move>)>;

/// The states of a game that `agent` plays with itself, each with the joint move that leads on.
fn line_of_play<G: Describe + 'static>(
    agent: &Agent,
    game: &mut G,
    seed: u64,
) -> Result<Line<G::State>, String> {
    let search = Search::new(game.clone(), agent.part_for(game), seed);
    let mut search = search.map_err(|error| error.to_string())?;
    let mut line = Vec::new();
    let mut state = game.initial_state();
    while line.len() < STEPS && !game.is_terminal(&state) {
        search.set_root(&state);
        search.run(&Budget::simulations(CHOOSING));
        let joint: Option<Vec<Move>> =
            Role::all(game.role_count()).map(|role| search.best_move(role)).collect();
        let joint = joint.ok_or("no move was found")?;
        let before = state.clone();
        game.apply(&before, &joint, &mut state);
        search.played(&joint);
        line.push((before, joint));
    }
    Ok(line)
}

/// What a search does about its choices.
#[derive(Clone, Copy)]
enum Way<'a> {
    Plain,
    Noting,
    Repeating(&'a Choices),
}

/// What the search of one line of play took.
struct Searched {
    seconds: f64,
    simulations: u64,
    steps: u64,
    choices: Choices,
}

impl Searched {
    fn speed(&self) -> f64 {
        self.simulations as f64 / self.seconds
    }

    fn step_speed(&self) -> f64 {
        self.steps as f64 / self.seconds
    }
}

fn search<G: Describe + 'static>(
    agent: &Agent,
    game: &G,
    line: &[(G::State, Vec<Move>)],
    simulations: u64,
    seed: u64,
    way: Way<'_>,
) -> Result<Searched, String> {
    let search = Search::new(game.clone(), agent.part_for(game), seed);
    let mut search = search.map_err(|error| error.to_string())?;
    match way {
        Way::Plain => {}
        Way::Noting => search.note_choices(),
        Way::Repeating(choices) => search.repeat_choices(choices.clone()),
    }
    let mut searched =
        Searched { seconds: 0.0, simulations: 0, steps: 0, choices: Choices::default() };
    for (state, joint) in line {
        let clock = ThreadTime::now();
        search.set_root(state);
        search.run(&Budget::simulations(simulations));
        search.best_move(Role(0)).ok_or("no move was found")?;
        searched.seconds += clock.elapsed().as_secs_f64();
        let report = search.report(Role(0));
        searched.steps += report.steps;
        searched.simulations += report.simulations;
        search.played(joint);
    }
    searched.choices = search.noted_choices();
    Ok(searched)
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
