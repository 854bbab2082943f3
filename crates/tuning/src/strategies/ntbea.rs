//! NTBEA: the n-tuple bandit evolutionary algorithm [Sironi 2019, 6.3.1].
//!
//! One individual walks. After each sample the landscape model learns it, and the walk goes to that
//! of `neighbours` random mutations whose upper confidence bound in the model is the highest, ties
//! at random; staying is no candidate.
//!
//! In flight: the walk goes on from the combination whose reward came last, so a searcher with many
//! simulations at once has as many walks that share one model.

use std::sync::Arc;

use gamegrove_game::Rng;
use gamegrove_settings::{Parameter, Record, bad_value};

use crate::combination::Ticket;
use crate::landscape::{Landscape, MAX_TUPLES};
use crate::registry::{BuildError, Context, StrategySpec, exploration};
use crate::space::MAX_PARAMETERS;
use crate::{Combination, Index, Indices, Rewards, Space, Strategy};

/// The entry in the registry.
pub(crate) const SPEC: StrategySpec = StrategySpec {
    name: "ntbea",
    sentence: "N-tuple bandit evolutionary algorithm: a walk by mutations, guided by a model of how values go together.",
    source: "Algorithms 14 and 15; settings of section 6.4.1, Tables E.6 and E.7",
    continuous: false,
    plans: false,
    parameters: &[
        Parameter::whole(
            "neighbours",
            5.0,
            (1.0, 100_000.0),
            "How many mutations are compared per step.",
        )
        .with_source("section 6.4.1, Table E.6"),
        Parameter::text(
            "lengths",
            "1,d",
            "lengths with commas between, `d` for all parameters, or `all`",
            "The lengths of tuples that the model keeps.",
        )
        .with_source("section 6.4.1, Table E.7"),
        exploration("c", 0.2, "How much it explores: the constant of the bounds."),
    ],
    build: |settings, context| Ok(Box::new(Ntbea::new(settings, context)?)),
};

/// The state.
#[derive(Clone, Debug)]
pub struct Ntbea {
    space: Arc<Space>,
    rewards: Rewards,
    c: f64,
    neighbours: usize,
    model: Landscape,
    /// The combination whose reward came last.
    current: Option<Indices>,
}

impl Ntbea {
    pub(crate) fn new(settings: &Record, context: &Context) -> Result<Self, BuildError> {
        let dimension = context.space.dimension();
        let text = settings.word("lengths");
        let lengths = lengths(text, dimension).ok_or_else(|| bad_value("ntbea", "lengths", format!("lengths of tuples with commas between, each from 1 to {dimension} or `d` for all parameters, or `all`"), text))?;
        let model = Landscape::new(&context.space, &lengths)
            .ok_or(BuildError::TooManyTuples { most: MAX_TUPLES })?;
        Ok(Ntbea {
            space: Arc::clone(&context.space),
            rewards: context.rewards,
            c: settings.real("c"),
            neighbours: settings.whole("neighbours") as usize,
            model,
            current: None,
        })
    }
}

/// The lengths that `text` lists.
fn lengths(text: &str, dimension: usize) -> Option<Vec<usize>> {
    if text == "all" {
        return Some((1..=dimension).collect());
    }
    let length = |word: &str| match word.trim() {
        "d" => Some(dimension),
        word => word.parse().ok().filter(|length| (1..=dimension).contains(length)),
    };
    text.split(',').map(length).collect()
}

/// So many neighbours are drawn, then rated, then compared. The processor cannot predict what is drawn and which one
/// wins, so mixed work would wait for it.
const GROUP: usize = 8;

impl Ntbea {
    /// The best neighbour of the combination. It has at most `N` parameters: combinations of a known
    /// size are copied in no time.
    fn step<const N: usize>(&self, current: &[Index], rng: &mut Rng) -> Indices {
        let d = current.len();
        let scaled = self.model.scaled(self.c);
        let mut centre = [0; N];
        centre[..d].copy_from_slice(current);
        let (mut best, mut value, mut ties) = (centre, f64::NEG_INFINITY, 0);
        let mut group = [centre; GROUP];
        let mut left = self.neighbours;
        while left > 0 {
            let group = &mut group[..left.min(GROUP)];
            left -= group.len();
            for neighbour in group.iter_mut() {
                *neighbour = centre;
                self.space.mutate(&mut neighbour[..d], rng);
            }
            let mut bounds = [0.0; GROUP];
            for (bound, neighbour) in bounds.iter_mut().zip(group.iter()) {
                *bound = self.model.bound(&neighbour[..d], scaled);
            }
            for (&bound, neighbour) in bounds.iter().zip(group.iter()) {
                if bound > value || ties == 0 {
                    (best, value, ties) = (*neighbour, bound, 1);
                } else if bound == value {
                    ties += 1;
                    if rng.below(ties) == 0 {
                        best = *neighbour;
                    }
                }
            }
        }
        Indices::from_slice(&best[..d])
    }
}

impl Strategy for Ntbea {
    fn next(&mut self, rng: &mut Rng) -> Combination {
        let indices = match &self.current {
            None => self.space.draw(rng),
            Some(current) if current.len() <= 8 => self.step::<8>(current, rng),
            Some(current) => self.step::<MAX_PARAMETERS>(current, rng),
        };
        Combination::proposed(indices, Ticket::PROPOSED)
    }

    fn update(&mut self, combination: &Combination, reward: f64) {
        let Some(indices) = combination.indices().filter(|i| self.space.is_legal(i)) else {
            return;
        };
        self.model.learn(indices, self.rewards.unit(reward));
        if combination.ticket() != Ticket::NONE {
            match &mut self.current {
                Some(current) => current.copy_from_slice(indices),
                None => self.current = Some(Indices::from_slice(indices)),
            }
        }
    }

    fn samples(&self) -> u64 {
        self.model.samples()
    }

    fn best(&self) -> Option<Combination> {
        self.model.best().map(|indices| Combination::from_indices(indices))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::{PerRole, published};

    /// Algorithms 14 and 15 as they are written: sums by tuple, looked up for every neighbour.
    struct Plain {
        tables: HashMap<Vec<(usize, Index)>, (f64, f64)>,
        samples: f64,
    }

    impl Plain {
        fn tuples(indices: &[Index]) -> Vec<Vec<(usize, Index)>> {
            let all: Vec<(usize, Index)> = indices.iter().copied().enumerate().collect();
            all.iter().map(|&one| vec![one]).chain([all.clone()]).collect()
        }

        fn learn(&mut self, indices: &[Index], reward: f64) {
            self.samples += 1.0;
            for tuple in Plain::tuples(indices) {
                let (sum, n) = self.tables.entry(tuple).or_default();
                (*sum, *n) = (*sum + reward, *n + 1.0);
            }
        }

        fn bound(&self, indices: &[Index]) -> f64 {
            let (mut total, mut known) = (0.0, 0.0);
            for tuple in Plain::tuples(indices) {
                if let Some((sum, n)) = self.tables.get(&tuple) {
                    total += sum / n + 0.2 * self.samples.ln().sqrt() * n.sqrt().recip();
                    known += 1.0;
                }
            }
            total / f64::max(known, 1.0)
        }
    }

    #[test]
    fn the_same_proposals_as_the_plain_algorithm() {
        let space = Arc::new(published::AP_4.space());
        for seed in 0..20 {
            // More than one group, too.
            let (neighbours, text) = if seed % 2 == 0 { (5, "5") } else { (19, "19") };
            let options = [("neighbours", text)];
            let mut fast = PerRole::new(
                &gamegrove_settings::Part::from_texts("ntbea", &options).unwrap(),
                &space,
                Rewards::GOALS,
                1,
                seed,
            )
            .unwrap();
            let mut rng = Rng::stream(seed, 1);
            let mut plain = Plain { tables: HashMap::new(), samples: 0.0 };
            let mut current: Option<Indices> = None;
            let (mut proposals, mut rewards) = (Vec::new(), Rng::new(seed));
            for _ in 0..400 {
                let expected = match &current {
                    None => space.draw(&mut rng),
                    Some(current) => {
                        let (mut best, mut value, mut ties) = (None, f64::NEG_INFINITY, 0);
                        let mut all = vec![current.clone(); neighbours];
                        for group in all.chunks_mut(GROUP) {
                            group.iter_mut().for_each(|one| space.mutate(one, &mut rng));
                            for neighbour in group {
                                let bound = plain.bound(neighbour);
                                if best.is_none() || bound > value {
                                    (best, value, ties) = (Some(neighbour.clone()), bound, 1);
                                } else if bound == value {
                                    ties += 1;
                                    if rng.below(ties) == 0 {
                                        best = Some(neighbour.clone());
                                    }
                                }
                            }
                        }
                        best.expect("there are neighbours")
                    }
                };
                fast.next(&mut proposals);
                assert_eq!(proposals[0].indices(), Some(expected.as_slice()), "seed {seed}");
                let reward = rewards.below(2) as f64;
                fast.update(&proposals, &[100.0 * reward]);
                plain.learn(&expected, reward);
                current = Some(expected);
            }
        }
    }
}
