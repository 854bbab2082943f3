//! MAB: one bandit whose arms are all legal combinations [Sironi 2019, 6.3.1].
//!
//! Each chosen combination is proposed `batch` times in a row; all rewards are credited. The
//! published agent looks at all arms for each choice, which is what slows it down
//! [Sironi 2019, 6.4.1, Tables 6.7 and E.1]: `find=scan`. By default the choice is the same but costs
//! the logarithm of the number of arms (`bandit::field`, checked against the scan).
//!
//! In flight: visits, see `bandit`.

use std::sync::Arc;

use gamegrove_game::Rng;
use gamegrove_settings::{Parameter, Record};

use crate::bandit::Ucb;
use crate::bandit::field::{Choice, Field, MAX_ARMS};
use crate::bandit::scan::Scan;
use crate::combination::Ticket;
use crate::registry::{BuildError, Context, FPU, StrategySpec, exploration};
use crate::{Combination, Indices, Rewards, Space, Strategy};

/// The entry in the registry.
pub(crate) const SPEC: StrategySpec = StrategySpec {
    name: "mab",
    sentence: "One UCB1 bandit over all legal combinations.",
    source: "Algorithm 9; settings of section 6.4.1",
    continuous: false,
    plans: false,
    parameters: &[
        exploration("c", 0.7, "How much it explores: the constant of UCB1."),
        Parameter::whole("batch", 10.0, (1.0, 1_000_000.0), "How often each chosen combination is used; published: 10 for board games, 1 for video games.").with_source("section 6.4.1, Table E.1"),
        Parameter::word("find", &["tournament", "scan"], "How the best combination is found: by a tournament, or by a scan of all as in the author's program, with the same choices.").with_source("section 6.4.1, Tables 6.7 and E.1"),
        FPU,
    ],
    build: |settings, context| Ok(Box::new(Mab::new(settings, context)?)),
};

/// Ticket of a proposal that the bandit counts as in flight.
const COUNTED: Ticket = Ticket(2);

/// The state.
#[derive(Clone, Debug)]
pub struct Mab {
    space: Arc<Space>,
    rewards: Rewards,
    arms: Bandit,
    batch: u32,
    current: Indices,
    choice: Choice,
    /// How often the current combination is still to be proposed.
    left: u32,
    samples: u64,
}

/// The arms, and how the best is found.
#[derive(Clone, Debug)]
enum Bandit {
    Tournament(Field),
    Scan(Scan),
}

impl Bandit {
    fn choose(&mut self, proposals: u32, rng: &mut Rng) -> Choice {
        match self {
            Bandit::Tournament(field) => field.choose(proposals, rng),
            Bandit::Scan(scan) => scan.choose(proposals, rng),
        }
    }

    fn learn(&mut self, arm: u32, reward: f64, counted: bool) {
        match self {
            Bandit::Tournament(field) => field.learn(arm, reward, counted),
            Bandit::Scan(scan) => scan.learn(arm, reward, counted),
        }
    }

    fn cancel(&mut self, arm: u32) {
        match self {
            Bandit::Tournament(field) => field.cancel(arm),
            Bandit::Scan(scan) => scan.cancel(arm),
        }
    }

    fn best(&self) -> Option<u32> {
        match self {
            Bandit::Tournament(field) => field.best(),
            Bandit::Scan(scan) => scan.best(),
        }
    }
}

impl Mab {
    pub(crate) fn new(settings: &Record, context: &Context) -> Result<Self, BuildError> {
        let space = Arc::clone(&context.space);
        let arms = space.count().filter(|&count| count <= MAX_ARMS).ok_or(
            BuildError::TooManyCombinations {
                strategy: "mab",
                count: space.count(),
                most: MAX_ARMS,
            },
        )?;
        let ucb = Ucb { c: settings.real("c"), fpu: settings.real("fpu") };
        Ok(Mab {
            current: space.numbered(0),
            space,
            rewards: context.rewards,
            arms: match settings.word("find") {
                "scan" => Bandit::Scan(Scan::new(ucb, arms as u32)),
                _ => Bandit::Tournament(Field::new(ucb, arms as u32)),
            },
            batch: settings.whole("batch"),
            choice: Choice { arm: 0, counted: false },
            left: 0,
            samples: 0,
        })
    }
}

impl Strategy for Mab {
    fn next(&mut self, rng: &mut Rng) -> Combination {
        if self.left == 0 {
            self.left = self.batch;
            self.choice = self.arms.choose(self.batch, rng);
            self.current = self.space.numbered(u64::from(self.choice.arm));
        }
        self.left -= 1;
        let ticket = if self.choice.counted { COUNTED } else { Ticket::PROPOSED };
        Combination::proposed(self.current.clone(), ticket)
    }

    fn update(&mut self, combination: &Combination, reward: f64) {
        let Some(arm) = combination.indices().and_then(|indices| self.space.number(indices)) else {
            return;
        };
        self.samples += 1;
        self.arms.learn(arm as u32, self.rewards.unit(reward), combination.ticket() == COUNTED);
    }

    fn cancel(&mut self, combination: &Combination) {
        if combination.ticket() == COUNTED
            && let Some(arm) = combination.indices().and_then(|indices| self.space.number(indices))
        {
            self.arms.cancel(arm as u32);
        }
    }

    fn samples(&self) -> u64 {
        self.samples
    }

    fn best(&self) -> Option<Combination> {
        let arm = self.arms.best()?;
        Some(Combination::from_indices(&self.space.numbered(u64::from(arm))))
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_settings::Part;

    use super::*;
    use crate::published;

    #[test]
    fn a_scan_and_the_tournament_choose_alike() {
        // Where the highest value is one arm's alone both propose that arm: rewards that are no multiples of
        // each other leave no ties among tried arms, and fpu = 0 keeps untried ones back.
        let propose = |find: &str| {
            let given = [("find", find), ("batch", "1"), ("fpu", "0")];
            let settings =
                Record::read(&Part::from_texts("mab", &given).unwrap(), SPEC.parameters).unwrap();
            let space = Arc::new(published::SP_2.space());
            let context = Context { space, rewards: Rewards::UNIT, shared: Rng::new(0) };
            let mut mab = Mab::new(&settings, &context).unwrap();
            let worth = |c: &[u16]| 0.3 + 0.05 * f64::from(c[0]) + 0.0173 * f64::from(c[1]);
            for number in 0..99 {
                let indices = mab.space.numbered(number);
                mab.update(&Combination::from_indices(&indices), worth(&indices));
            }
            let mut rng = Rng::new(7);
            let mut proposals = Vec::new();
            for _ in 0..500 {
                let combination = mab.next(&mut rng);
                let indices = combination.indices().unwrap().to_vec();
                mab.update(&combination, worth(&indices));
                proposals.push(indices);
            }
            assert_eq!(mab.best().unwrap().indices().unwrap(), [8, 10], "{find}");
            proposals
        };
        assert_eq!(propose("scan"), propose("tournament"));
    }
}
