//! A bandit with many arms that costs the logarithm of their number per sample.
//!
//! Arms without a finished sample all have the same value, so they wait in a pool from which one is
//! drawn; the others compete in a [`Tournament`].

use gamegrove_game::Rng;

use super::kinetic::{Line, Tournament};
use super::{Ucb, reach};
use crate::rewards::cautious;

/// Set in an arm's place if the arm is in the tournament; otherwise the place is in the pool.
const IN_TOURNAMENT: u32 = 1 << 31;

/// The most arms a field can have.
pub(crate) const MAX_ARMS: u64 = 1 << 24;

/// The arms.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    ucb: Ucb,
    pool: Vec<u32>,
    place: Vec<u32>,
    tournament: Tournament,
    tried: Vec<Tried>,
    /// Samples finished or in flight, those of arms in the pool not counted.
    samples: u64,
    /// Drawn with every arm from the pool. Its first priority is derived from it, because learning has
    /// no random generator.
    salt: u64,
}

/// An arm with a finished sample.
#[derive(Clone, Copy, Debug)]
struct Tried {
    arm: u32,
    done: u32,
    pending: u32,
    sum: f64,
}

/// The chosen arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub arm: u32,
    /// Whether the proposals were counted as in flight; [`Field::learn`] wants to know.
    pub counted: bool,
}

impl Field {
    /// A bandit with `arms` arms.
    pub fn new(ucb: Ucb, arms: u32) -> Self {
        let (pool, place) = ((0..arms).collect(), (0..arms).collect());
        let tournament = Tournament::default();
        Field { ucb, pool, place, tournament, tried: Vec::new(), samples: 0, salt: 0 }
    }

    /// Adds an arm and returns its number.
    pub fn add(&mut self) -> u32 {
        let arm = self.place.len() as u32;
        self.place.push(self.pool.len() as u32);
        self.pool.push(arm);
        arm
    }

    /// The number of arms.
    pub fn len(&self) -> usize {
        self.place.len()
    }

    /// The arm of the highest UCB1, for `proposals` samples; arm 0 if there is none.
    pub fn choose(&mut self, proposals: u32, rng: &mut Rng) -> Choice {
        let x = reach(self.samples);
        let best = self.tournament.highest(x);
        let from_pool = !self.pool.is_empty()
            && best.is_none_or(|best| {
                let line = self.tournament.line(best);
                match self.ucb.fpu.total_cmp(&line.at(x)) {
                    std::cmp::Ordering::Greater => true,
                    std::cmp::Ordering::Less => false,
                    // The highest priority of the whole pool, as if every arm had drawn one.
                    std::cmp::Ordering::Equal => {
                        let pool = rng.unit().powf((self.pool.len() as f64).recip());
                        pool > f64::from(line.priority) / f64::from(u32::MAX)
                    }
                }
            });
        if from_pool {
            self.salt = rng.next_u64();
            return Choice { arm: self.pool[rng.below(self.pool.len())], counted: false };
        }
        let Some(best) = best else { return Choice { arm: 0, counted: false } };
        self.count(best, proposals, rng);
        Choice { arm: self.tried[best as usize].arm, counted: true }
    }

    /// Counts `proposals` of `arm` as in flight, as [`Field::choose`] does with what it chooses.
    pub fn propose(&mut self, arm: u32, proposals: u32, rng: &mut Rng) -> Choice {
        let place = self.place[arm as usize];
        let counted = place & IN_TOURNAMENT != 0;
        if counted {
            self.count(place & !IN_TOURNAMENT, proposals, rng);
        } else {
            self.salt = rng.next_u64();
        }
        Choice { arm, counted }
    }

    fn count(&mut self, number: u32, proposals: u32, rng: &mut Rng) {
        let tried = &mut self.tried[number as usize];
        tried.pending = tried.pending.saturating_add(proposals);
        self.samples += u64::from(proposals);
        let line = tried.line(self.ucb.c, rng.next_u64() as u32);
        self.tournament.set(number, line);
    }

    /// Learns a finished sample.
    pub fn learn(&mut self, arm: u32, reward: f64, counted: bool) {
        let place = self.place[arm as usize];
        if place & IN_TOURNAMENT == 0 {
            // The arm has left the pool for good; the last one takes its place.
            self.pool.swap_remove(place as usize);
            if let Some(&moved) = self.pool.get(place as usize) {
                self.place[moved as usize] = place;
            }
            let tried = Tried { arm, done: 1, pending: 0, sum: reward };
            let number = self.tournament.push(tried.line(self.ucb.c, scatter(self.salt, arm)));
            self.place[arm as usize] = number | IN_TOURNAMENT;
            self.tried.push(tried);
            self.samples += 1;
            return;
        }
        let number = place & !IN_TOURNAMENT;
        let tried = &mut self.tried[number as usize];
        tried.sum += reward;
        tried.done = tried.done.saturating_add(1);
        if counted && tried.pending > 0 {
            tried.pending -= 1;
        } else {
            self.samples += 1;
        }
        let line = tried.line(self.ucb.c, self.tournament.line(number).priority);
        self.tournament.set(number, line);
    }

    /// Takes back a proposal that was counted as in flight.
    pub fn cancel(&mut self, arm: u32) {
        let place = self.place[arm as usize];
        if place & IN_TOURNAMENT == 0 {
            return;
        }
        let number = place & !IN_TOURNAMENT;
        let tried = &mut self.tried[number as usize];
        if tried.pending > 0 {
            tried.pending -= 1;
            self.samples -= 1;
            let line = tried.line(self.ucb.c, self.tournament.line(number).priority);
            self.tournament.set(number, line);
        }
    }

    /// The arm to recommend.
    pub fn best(&self) -> Option<u32> {
        let worth =
            |tried: &Tried| cautious(tried.sum / f64::from(tried.done), f64::from(tried.done));
        self.tried.iter().max_by(|a, b| worth(a).total_cmp(&worth(b))).map(|tried| tried.arm)
    }
}

impl Tried {
    fn line(&self, c: f64, priority: u32) -> Line {
        let visits = f64::from(self.done) + f64::from(self.pending);
        Line { start: self.sum / f64::from(self.done), slope: c / visits.sqrt(), priority }
    }
}

/// A priority made of the random `salt`, different for different arms.
fn scatter(salt: u64, arm: u32) -> u32 {
    let mixed = (salt ^ u64::from(arm)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::super::scan::Scan;
    use super::*;

    fn agree(ucb: Ucb, arms: u32, in_flight: usize, seed: u64) {
        let mut rng = Rng::new(seed);
        let mut field = Field::new(ucb, arms);
        let mut scan = Scan::new(ucb, arms);
        let mut waiting: Vec<Choice> = Vec::new();
        for _ in 0..1_000 {
            let batch = 1 + rng.below(3) as u32;
            let choice = field.choose(batch, &mut rng);
            let reach = reach(scan.samples());
            let values = (0..arms).map(|arm| scan.value(arm, reach));
            let best = values.fold(f64::NEG_INFINITY, f64::max);
            let value = scan.value(choice.arm, reach);
            assert!(value >= best - 1e-12, "seed {seed}: {value} < {best}");
            if choice.counted {
                scan.count(choice.arm, batch);
            }
            waiting.extend((0..batch).map(|_| choice));
            while waiting.len() > in_flight {
                let choice = waiting.swap_remove(rng.below(waiting.len()));
                if rng.below(20) == 0 && choice.counted {
                    field.cancel(choice.arm);
                    scan.cancel(choice.arm);
                    continue;
                }
                let reward = rng.below(3) as f64 / 2.0;
                field.learn(choice.arm, reward, choice.counted);
                scan.learn(choice.arm, reward, choice.counted);
            }
        }
        assert_eq!(field.samples, scan.samples());
        assert_eq!(field.best().is_some(), scan.best().is_some());
    }

    #[test]
    fn the_same_as_a_scan_of_all_arms() {
        for seed in 0..4 {
            for fpu in [1.0, f64::INFINITY, 0.0] {
                for (arms, c) in [(1, 0.7), (10, 0.7), (300, 0.7), (300, 0.0), (2_000, 0.2)] {
                    agree(Ucb { c, fpu }, arms, 0, seed);
                    agree(Ucb { c, fpu }, arms, 40, seed);
                }
            }
        }
    }

    #[test]
    fn equal_arms_are_chosen_equally_often() {
        let mut rng = Rng::new(9);
        let mut counts = [0u32; 8];
        for _ in 0..8_000 {
            let mut field = Field::new(Ucb { c: 1.0, fpu: 0.5 }, 8);
            // Half of the arms are tried and worth what the untried ones are: ln(1) = 0.
            for arm in 0..4 {
                field.propose(arm, 1, &mut rng);
                field.learn(arm, 0.5, false);
            }
            field.samples = 1;
            counts[field.choose(1, &mut rng).arm as usize] += 1;
        }
        assert!(counts.iter().all(|&count| count.abs_diff(1000) < 180), "{counts:?}");
    }
}
