//! EITHER: decides on line whether to tune or to randomise (source: Gamegrove; [Sironi 2019, 8.3.1] asks for
//! "a mechanism to detect on-line if, for a given game, it is better to randomize or tune").
//!
//! A UCB1 bandit with two arms chooses for every sample: a proposal of the strategy `tuner`, or a
//! combination drawn uniformly from all legal ones (SIM-RND). The reward counts for the arm, and for the
//! tuner if it made the proposal. The recommendation is the tuner's.
//!
//! In flight: visits, see `bandit`; what the tuner does then is said in its file.

use std::sync::Arc;

use gamegrove_game::Rng;
use gamegrove_settings::{Parameter, Part, Record, bad_value};

use crate::bandit::{Arms, Ucb, reach};
use crate::combination::Ticket;
use crate::registry::{self, BuildError, Context, FPU, StrategySpec, exploration};
use crate::space::Legal;
use crate::{Combination, Rewards, Space, Strategy};

/// The entry in the registry.
pub(crate) const SPEC: StrategySpec = StrategySpec {
    name: "either",
    sentence: "Tunes or draws at random, whichever has brought more so far.",
    source: "Gamegrove; recommended in section 8.3.1",
    continuous: false,
    plans: false,
    parameters: &[
        Parameter::text(
            "tuner",
            "ntbea",
            "the name of another strategy",
            "The strategy that tunes, with its defaults.",
        )
        .with_source("section 7.3.1"),
        exploration("c", 0.7, "How much the choice between both explores."),
        FPU,
    ],
    build: |settings, context| Ok(Box::new(Either::new(settings, context)?)),
};

/// Ticket of a combination that was drawn; no tuner has as many proposals.
const DRAWN: Ticket = Ticket(u64::MAX);

/// The arms.
const TUNED: usize = 0;
const RANDOM: usize = 1;

/// The state.
#[derive(Debug)]
pub struct Either {
    space: Arc<Space>,
    rewards: Rewards,
    tuner: Box<dyn Strategy>,
    c: f64,
    arms: Arms,
    /// Samples finished or in flight.
    count: u64,
    samples: u64,
}

impl Either {
    pub(crate) fn new(settings: &Record, context: &Context) -> Result<Self, BuildError> {
        let name = settings.word("tuner");
        if name == SPEC.name {
            return Err(bad_value(
                SPEC.name,
                "tuner",
                "the name of another strategy".to_string(),
                name.to_string(),
            )
            .into());
        }
        let Context { space, rewards, shared } = context;
        let mut arms = Arms::default();
        arms.add(Ucb { c: settings.real("c"), fpu: settings.real("fpu") }, 2);
        Ok(Either {
            tuner: registry::build(&Part::named(name), space, *rewards, shared)?,
            space: Arc::clone(space),
            rewards: *rewards,
            c: settings.real("c"),
            arms,
            count: 0,
            samples: 0,
        })
    }

    /// The arm that a combination belongs to; `None` if it was not proposed here.
    fn arm(combination: &Combination) -> Option<usize> {
        match combination.ticket() {
            Ticket::NONE => None,
            DRAWN => Some(RANDOM),
            _ => Some(TUNED),
        }
    }
}

impl Strategy for Either {
    fn next(&mut self, rng: &mut Rng) -> Combination {
        let arm = self.arms.choose(0..2, self.c * reach(self.count), Legal::All, rng);
        let arm = usize::from(arm);
        self.arms.propose(arm);
        self.count += 1;
        match arm {
            TUNED => self.tuner.next(rng),
            _ => Combination::proposed(self.space.draw(rng), DRAWN),
        }
    }

    fn update(&mut self, combination: &Combination, reward: f64) {
        self.samples += 1;
        let arm = Either::arm(combination);
        if arm != Some(RANDOM) {
            self.tuner.update(combination, reward);
        }
        if let Some(arm) = arm {
            self.arms.learn(arm, self.rewards.unit(reward), true);
        }
    }

    fn cancel(&mut self, combination: &Combination) {
        let Some(arm) = Either::arm(combination) else { return };
        if arm == TUNED {
            self.tuner.cancel(combination);
        }
        self.arms.cancel(arm);
        self.count = self.count.saturating_sub(1);
    }

    fn samples(&self) -> u64 {
        self.samples
    }

    fn best(&self) -> Option<Combination> {
        self.tuner.best()
    }

    fn set_budget(&mut self, samples: u64) {
        self.tuner.set_budget(samples);
    }

    fn forecast(&mut self, samples: f64) {
        self.tuner.forecast(samples);
    }

    fn begin_move(&mut self, samples: Option<f64>) {
        self.tuner.begin_move(samples);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published;

    /// The share of the last of 4000 samples that were drawn, where `worth` says what a combination brings
    /// after the one before.
    fn share_drawn(worth: impl Fn(&[u16], &[u16]) -> f64) -> f64 {
        let space = Arc::new(published::SP_2.space());
        let mut rng = Rng::new(4);
        let given = [("tuner", "ntbea"), ("c", "0.2")];
        let mut either = registry::build(
            &Part::from_texts("either", &given).unwrap(),
            &space,
            Rewards::UNIT,
            &Rng::new(0),
        )
        .unwrap();
        let (mut before, mut drawn) = (vec![0, 0], 0);
        for sample in 0..4_000 {
            let combination = either.next(&mut rng);
            drawn += usize::from(sample >= 3_000 && combination.ticket() == DRAWN);
            let indices = combination.indices().unwrap().to_vec();
            either.update(&combination, worth(&indices, &before));
            before = indices;
        }
        drawn as f64 / 1_000.0
    }

    #[test]
    fn it_tunes_where_values_matter_and_draws_where_change_does() {
        // One value of C is good and the others are bad.
        let tuning = share_drawn(|now, _| if now[0] == 3 { 0.9 } else { 0.1 });
        assert!(tuning < 0.2, "{tuning}");
        // Good is what differs in every value from the combination before. A mutation changes one.
        let new = |now: &[u16], before: &[u16]| now.iter().zip(before).all(|(a, b)| a != b);
        let changing = share_drawn(|now, before| f64::from(u8::from(new(now, before))));
        assert!(changing > 0.8, "{changing}");
    }

    #[test]
    fn it_does_not_tune_itself() {
        let space = Arc::new(published::SP_2.space());
        let build = |name| {
            registry::build(
                &Part::named("either").with("tuner", name),
                &space,
                Rewards::UNIT,
                &Rng::new(0),
            )
        };
        assert!(build("either").unwrap_err().to_string().contains("another strategy"));
        assert!(build("ntbae").unwrap_err().to_string().contains("ntbea"));
        assert!(build("cma-es").is_ok());
    }
}
