//! Repeated sequential halving for budgets that are not known in advance.
//!
//! Not one of the published on-line strategies: it is for tuning before play, where a sample is a
//! whole match. A round of halving (`bracket`) among random combinations finds a winner; then come
//! rounds with twice the samples each, in which the winner so far defends itself, with all its
//! samples, against new challengers: random ones and mutations of the winner, half and half. So
//! the answer is there early and gets better for as long as there is time, and by the doubling no
//! more than a constant factor of the samples is spent in rounds too short.
//!
//! Sources: Karnin, Koren, Somekh, Almost optimal exploration in multi-armed bandits (2013) for the
//! halving; incumbent and challengers follow the idea of SMAC (Hutter, Hoos, Leyton-Brown 2011).
//!
//! In flight: as in `bracket`; rewards of a former round count for the winner only.

use std::sync::Arc;

use gamegrove_game::Rng;
use gamegrove_settings::{Parameter, Record};

use crate::bracket::{Bracket, Candidate};
use crate::combination::Ticket;
use crate::registry::{BuildError, Context, StrategySpec};
use crate::{Combination, Indices, Rewards, Space, Strategy};

/// The entry in the registry.
pub(crate) const SPEC: StrategySpec = StrategySpec {
    name: "halving",
    sentence: "Halves random challengers of the best so far until one is left, again and again with twice the samples; for tuning before play.",
    source: "Karnin, Koren, Somekh 2013; Hutter, Hoos, Leyton-Brown 2011",
    continuous: false,
    plans: false,
    parameters: &[
        Parameter::whole(
            "candidates",
            32.0,
            (2.0, 100_000.0),
            "How many combinations compete in a round.",
        )
        .with_source("ours"),
        Parameter::whole(
            "passes",
            2.0,
            (1.0, 1_000_000.0),
            "How often the first round samples every candidate before it halves them.",
        )
        .with_source("ours"),
    ],
    build: |settings, context| Ok(Box::new(Halving::new(settings, context)?)),
};

/// The state.
#[derive(Clone, Debug)]
pub struct Halving {
    space: Arc<Space>,
    rewards: Rewards,
    candidates: usize,
    budget: u64,
    bracket: Option<Bracket>,
    round: u64,
    best: Option<Indices>,
    samples: u64,
}

impl Halving {
    pub(crate) fn new(settings: &Record, context: &Context) -> Result<Self, BuildError> {
        let candidates = settings.whole("candidates") as u64;
        let halvings = u64::from(candidates.next_power_of_two().trailing_zeros());
        Ok(Halving {
            space: Arc::clone(&context.space),
            rewards: context.rewards,
            candidates: candidates as usize,
            budget: candidates * halvings * settings.whole("passes") as u64,
            bracket: None,
            round: 0,
            best: None,
            samples: 0,
        })
    }

    /// Begins a round with the winner of the last one.
    fn begin(&mut self, rng: &mut Rng) {
        let winner = self.bracket.as_ref().and_then(|bracket| bracket.winner().cloned());
        let mut candidates: Vec<Candidate> = winner.into_iter().collect();
        let mut indices = Indices::new();
        // Small spaces have fewer combinations than there could be candidates.
        for attempt in 0..4 * self.candidates {
            if candidates.len() == self.candidates {
                break;
            }
            match &self.best {
                Some(best) if attempt % 2 == 1 => {
                    indices.clone_from(best);
                    self.space.mutate(&mut indices, rng);
                }
                _ => self.space.draw_into(&mut indices, rng),
            }
            if candidates.iter().all(|candidate| candidate.indices != indices) {
                candidates.push(Candidate::new(indices.clone()));
            }
        }
        self.bracket = Some(Bracket::new(candidates, self.budget));
        self.budget = self.budget.saturating_mul(2);
        self.round += 1;
    }

    /// The ticket of a candidate of the current round.
    fn ticket(&self, number: u32) -> Ticket {
        Ticket(self.round << 32 | (u64::from(number) + 1))
    }
}

impl Strategy for Halving {
    fn next(&mut self, rng: &mut Rng) -> Combination {
        // A round of a space with one combination is over before it begins.
        for _ in 0..2 {
            if let Some(bracket) = &mut self.bracket {
                if let Some(number) = bracket.next(rng) {
                    let indices = bracket.candidate(number).indices.clone();
                    return Combination::proposed(indices, self.ticket(number));
                }
                self.best = bracket.winner().map(|winner| winner.indices.clone());
            }
            self.begin(rng);
        }
        let only = self.best.clone().unwrap_or_else(|| self.space.draw(rng));
        Combination::proposed(only, self.ticket(0))
    }

    fn update(&mut self, combination: &Combination, reward: f64) {
        self.samples += 1;
        let reward = self.rewards.unit(reward);
        let Some(bracket) = &mut self.bracket else { return };
        let (round, number) = (combination.ticket().0 >> 32, combination.ticket().0 as u32);
        if round == self.round && number > 0 {
            bracket.learn(number - 1, reward);
        } else if combination.indices() == self.best.as_deref() {
            // The winner of the last round is the first candidate of this one.
            bracket.learn(0, reward);
        }
    }

    fn samples(&self) -> u64 {
        self.samples
    }

    fn best(&self) -> Option<Combination> {
        let bracket = self.bracket.as_ref()?;
        let leader = || bracket.leader().map(|leader| leader.indices.clone());
        let best = bracket.winner().map(|winner| winner.indices.clone()).or(self.best.clone());
        best.or_else(leader).map(|indices| Combination::from_indices(&indices))
    }
}
