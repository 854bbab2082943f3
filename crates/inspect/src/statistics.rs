//! What a game is like in numbers: random games, the size of a state, the size of the network.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gamegrove_game::{Describe, Ending, Fault, Player, Rng, Role};
use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_propnet::{Forward, Network, Propnet, Sequence, build_from_rules};
use serde::Serialize;

use crate::Result;
use gamegrove_play::reasoner::prover;

/// Random games looked at.
pub const GAMES: u32 = 100;

/// The settings of the games.
pub const SEED: u64 = 1;

/// A random game is given up after so many steps.
const LONGEST: u32 = 1_000;

/// How much may go into the numbers of a game.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Time for the network, and after which no further random game is started; a slow game gets one
    /// all the same.
    pub time: Duration,
    /// Bytes for the network.
    pub memory: usize,
}

impl Effort {
    /// Enough for nearly all games, in a time that a user waits for.
    pub const SHORT: Effort = Effort { time: Duration::from_secs(5), memory: 1 << 30 };
}

/// A game in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Statistics {
    /// Its random games.
    pub random_games: RandomGames,
    /// Its network; none where it would be too large.
    pub network: Option<NetworkSize>,
}

/// Statistics of random games of seed 1.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RandomGames {
    /// How many were played.
    pub games: u32,
    /// Those that came to their end within 1000 steps.
    pub finished: u32,
    /// Steps on average.
    pub mean_length: f64,
    /// The fewest steps.
    pub shortest: u32,
    /// The most steps.
    pub longest: u32,
    /// Joint moves of a state on average.
    pub mean_branching: f64,
    /// Facts of a state on average.
    pub mean_facts: f64,
    /// The goals at the end on average, by role.
    pub mean_goals: Vec<f64>,
}

/// The size of a network.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct NetworkSize {
    /// Facts that can hold and not hold.
    pub facts: usize,
    /// Components as built.
    pub components: usize,
    /// Components after optimisation.
    pub optimised_components: usize,
}

impl Statistics {
    /// The numbers of the game called `name`.
    pub fn of(
        name: &str,
        rules: &Rulesheet,
        effort: Effort,
    ) -> Result<std::result::Result<Statistics, Fault>> {
        let Effort { time, memory } = effort;
        let limits = Limits { time: Some(time), memory, steps: None, cancel: None };
        let basic = build_from_rules(&rules.program, 0, &limits).ok();
        let networks = basic.map(|basic| {
            let optimised = Arc::new(Sequence::default().run(&basic));
            (NetworkSize::of(&basic, &optimised), optimised)
        });
        let size = networks.as_ref().map(|(size, _)| *size);
        let game = networks.and_then(|(_, network)| Propnet::<Forward>::new(&network).ok());
        let played = match game {
            Some(game) => play(game, time),
            None => play(prover(name, rules)?, time),
        };
        Ok(played.map(|random_games| Statistics { random_games, network: size }))
    }
}

impl NetworkSize {
    fn of(basic: &Network, optimised: &Network) -> NetworkSize {
        NetworkSize {
            facts: basic.bases().len(),
            components: basic.len(),
            optimised_components: optimised.len(),
        }
    }
}

/// Plays random games; no further one is started after `time`.
fn play<G: Describe>(game: G, time: Duration) -> std::result::Result<RandomGames, Fault> {
    let roles = game.role_count();
    let mut player = Player::new(game);
    let start = player.game.initial_state();
    let mut found = RandomGames { shortest: u32::MAX, ..RandomGames::default() };
    let (mut steps, mut joints, mut facts) = (0u64, 0.0, 0usize);
    let (mut goals, mut legal) = (vec![0.0; roles], Vec::new());
    let clock = Instant::now();
    for number in 0..GAMES {
        if number > 0 && clock.elapsed() > time {
            break;
        }
        let mut rng = Rng::stream(SEED, u64::from(number));
        let playout = player.random_game_with(&start, LONGEST, &mut rng, |game, state, _| {
            facts += game.facts(state).len();
            joints += Role::all(roles).fold(1.0, |product, role| {
                game.legal_moves(state, role, &mut legal);
                product * legal.len() as f64
            });
        });
        if let Some(fault) = player.game.take_fault() {
            return Err(fault);
        }
        found.games += 1;
        steps += u64::from(playout.steps);
        found.shortest = found.shortest.min(playout.steps);
        found.longest = found.longest.max(playout.steps);
        if playout.ending == Ending::Terminal {
            found.finished += 1;
            let ends = player.goals();
            goals.iter_mut().zip(ends).for_each(|(sum, goal)| *sum += f64::from(goal.0));
        }
    }
    let of_states = |sum: f64| sum / (steps.max(1) as f64);
    found.mean_length = steps as f64 / f64::from(found.games);
    found.mean_branching = of_states(joints);
    found.mean_facts = of_states(facts as f64);
    found.mean_goals = goals.iter().map(|sum| sum / f64::from(found.finished.max(1))).collect();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamegrove_play::library::{self, Kind};

    fn statistics(name: &str) -> Statistics {
        let game = library::find(name).expect("a shipped game");
        let rules = Rulesheet::load(game.text.as_bytes()).expect("a sound rulesheet");
        let found = Statistics::of(name, &rules, Effort::SHORT).expect("a playable game");
        found.expect("no limit is hit")
    }

    #[test]
    fn the_numbers_of_a_small_game_are_right() {
        let found = statistics("horseshoe");
        let games = &found.random_games;
        assert_eq!((games.games, games.finished, games.longest), (100, 100, 19));
        // Four pieces, whose turn it is, and the number of the move.
        assert_eq!(games.mean_facts, 6.0);
        assert!(games.mean_branching > 1.0 && games.mean_branching <= 4.0, "{games:?}");
        let network = found.network.expect("a small network");
        assert!(network.optimised_components < network.components, "{network:?}");
    }

    #[test]
    fn the_length_that_metadata_gives_is_true() {
        for game in library::games().into_iter().filter(|game| game.kind == Kind::Gdl) {
            let about = game.metadata().expect("every shipped game has metadata");
            let mean = statistics(game.name).random_games.mean_length;
            let said = f64::from(about.length);
            assert!(
                (said - mean).abs() <= 1.0 + mean * 0.2,
                "{}: `length` is {said}, but random games have {mean} steps on average",
                game.name
            );
        }
    }
}
