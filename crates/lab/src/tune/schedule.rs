//! Which game match number `n` is, who holds which role, and what its random choices depend on.
//!
//! Matches come in blocks. In a block every game comes up equally often and in it every way to share
//! the roles, in an order drawn for the block: a strategy that proposes values in some rhythm of its
//! own must not meet the same game or role again and again.

use gamegrove_agents::Agent;
use gamegrove_game::Rng;
use gamegrove_play::matches::assignments;
use sha2::{Digest, Sha256};

use super::Task;
use crate::plan::{Bout, hex, in_words, stored_name};
use crate::venue::{Cost, Outcome, Played, Venue};

/// What matches are played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To rate values.
    Tuning,
    /// To compare the tuned agent with the original.
    Check,
}

/// A match to be played: candidate 0 against opponent 1.
#[derive(Clone, Debug)]
pub(super) struct Fixture {
    pub purpose: Purpose,
    pub number: u32,
    pub game: usize,
    /// Who holds each role; with a single role each plays by itself.
    pub seats: Vec<usize>,
    pub seed: u64,
    pub candidate: Agent,
    /// Under which the store knows it.
    pub cell: String,
}

/// Blocks longer than this are not balanced any more.
const LONGEST_BLOCK: usize = 10_000;

impl Task {
    /// Every game with every way to share its roles, all games equally often.
    pub(super) fn block(&self) -> Vec<(usize, Vec<usize>)> {
        let ways: Vec<Vec<Vec<usize>>> = self
            .games
            .iter()
            .map(|game| match game.facts.as_ref().map_or(0, |facts| facts.roles) {
                0 | 1 => vec![vec![0]],
                roles => assignments(2, roles),
            })
            .collect();
        let each = ways.iter().map(Vec::len).fold(1, least_common_multiple);
        let balanced = each * ways.len() <= LONGEST_BLOCK;
        let repeats = |own: &[Vec<usize>]| if balanced { each / own.len() } else { 1 };
        let of_game = |(game, own): (usize, &Vec<Vec<usize>>)| {
            let seats = own.iter().cycle().take(own.len() * repeats(own)).cloned();
            seats.map(move |seats| (game, seats)).collect::<Vec<_>>()
        };
        ways.iter().enumerate().flat_map(of_game).collect()
    }

    /// The match number `number` of a candidate. `block` is [`Task::block`].
    pub(super) fn fixture(
        &self,
        block: &[(usize, Vec<usize>)],
        purpose: Purpose,
        number: u32,
        candidate: Agent,
    ) -> Fixture {
        // Streams of the seed: 0 is what strategies share, 1 draws proposals.
        let stream = match purpose {
            Purpose::Tuning => 2,
            Purpose::Check => 3,
        };
        let seed = Rng::stream(self.order.seed, stream).next_u64();
        let mut order: Vec<usize> = (0..block.len()).collect();
        let mut rng = Rng::stream(seed, u64::from(number) / block.len() as u64);
        for left in (2..=order.len()).rev() {
            order.swap(left - 1, rng.below(left));
        }
        let (game, seats) = block[order[number as usize % block.len()]].clone();
        let mut fixture = Fixture {
            purpose,
            number,
            game,
            seats,
            seed: Rng::stream(!seed, u64::from(number)).next_u64(),
            candidate,
            cell: String::new(),
        };
        fixture.cell = self.identity(&fixture);
        fixture
    }

    /// Who plays against the candidate of a match.
    fn opponent_in(&self, fixture: &Fixture) -> &Agent {
        match fixture.purpose {
            Purpose::Tuning => self.opponent(),
            Purpose::Check => &self.order.agent,
        }
    }

    /// The hash of everything that a match depends on.
    fn identity(&self, fixture: &Fixture) -> String {
        let game = &self.games[fixture.game];
        let mut hash = Sha256::new();
        let mut add = |part: &str| {
            // Lengths keep parts apart that could run into each other.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        };
        add("gamegrove tuning, form 1");
        add(&format!("{:?}", fixture.purpose));
        add(game.facts.as_ref().map_or("", |facts| &facts.fingerprint));
        add(stored_name(&self.order.reasoner));
        add(&in_words(&game.clocks));
        add(&self.order.step_limit.to_string());
        add(&format!("{:?}", fixture.seats));
        add(&fixture.seed.to_string());
        add(&fixture.candidate.part.to_string());
        add(&self.opponent_in(fixture).part.to_string());
        hex(&hash.finalize()[..16])
    }

    /// Plays a match.
    pub(super) fn play(&self, fixture: &Fixture, venue: &dyn Venue) -> Result<Played, String> {
        let bout = |seats: &[usize]| {
            let both = [&fixture.candidate, self.opponent_in(fixture)];
            let bout = Bout {
                cell: 0,
                run: fixture.number,
                seed: fixture.seed,
                game: &self.games[fixture.game],
                seats,
                agents: seats.iter().map(|&seat| both[seat]).collect(),
                reasoners: Vec::new(),
                patience: vec![1; seats.len()],
                counts_states: false,
                level: None,
                step_limit: self.order.step_limit as usize,
            };
            venue.play(&self.order.reasoner, &bout)
        };
        if fixture.seats.len() > 1 {
            return bout(&fixture.seats);
        }
        let (one, other) = (bout(&[0])?, bout(&[1])?);
        Ok(Played {
            outcome: Outcome {
                seats: vec![0, 1],
                goals: [one.outcome.goals, other.outcome.goals].concat(),
                scores: [one.outcome.scores, other.outcome.scores].concat(),
                steps: one.outcome.steps.saturating_add(other.outcome.steps),
                offences: one.outcome.offences.saturating_add(other.outcome.offences),
                ..one.outcome
            },
            cost: Cost {
                seconds: one.cost.seconds + other.cost.seconds,
                speeds: [one.cost.speeds, other.cost.speeds].concat(),
            },
        })
    }
}

/// What a match was worth to the candidate: 1, 0 or a half.
pub(super) fn points(outcome: &Outcome) -> f64 {
    gamegrove_play::matches::points(&outcome.seats, &outcome.goals, 2)[0].unwrap_or(0.0)
}

fn least_common_multiple(a: usize, b: usize) -> usize {
    let (mut divisor, mut rest) = (a, b);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    a / divisor.max(1) * b
}
