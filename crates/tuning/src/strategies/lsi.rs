//! LSI: linear side information [Sironi 2019, 6.3.1].
//!
//! 1. *Generation*, `generation` of all samples: whole passes over all values of all parameters in
//!    random order. A value is tried in a combination completed at random, and only this value is
//!    credited. Passes go on while another one fits; there is at least one. Without a budget
//!    (during the start clock) they go on until [`Strategy::set_budget`] tells it.
//! 2. *Candidates*: `candidates` times a combination is drawn, value after value over all open
//!    parameters, with probabilities proportional to the values' means. Duplicates collapse.
//! 3. *Evaluation*, the remaining samples: sequential halving (`bracket`). Then the winner is all
//!    that is ever proposed.
//!
//! The publication leaves two choices open: negative means weigh nothing; if all weights are 0 the draw
//! is uniform. "Unset" counts as a value of a parameter that can be switched off.
//!
//! With `per=move` every move is a problem of its own with the samples of its time, shared out among both
//! phases in the same way: the alternative of [Sironi 2019, 6.3.1, after formula 6.2], which was
//! not better in the published experiments. Until it is known how many samples a move has (in a start clock)
//! generation goes on.
//!
//! In flight: generation ends when every value has a reward; values without one are proposed again
//! until then. Rewards that come after their phase change nothing.

use std::sync::Arc;

use gamegrove_game::Rng;
use gamegrove_settings::{Parameter, Record, bad_value};
use rustc_hash::FxHashSet;

use crate::bracket::{Bracket, Candidate, shuffle};
use crate::combination::Ticket;
use crate::registry::{BuildError, Context, StrategySpec};
use crate::space::OPEN;
use crate::{Combination, Index, Indices, Rewards, Space, Strategy};

/// The entry in the registry.
pub(crate) const SPEC: StrategySpec = StrategySpec {
    name: "lsi",
    sentence: "Linear side information: rates single values, draws candidates from them, halves these until one is left.",
    source: "Algorithm 12; settings of section 6.4.1, Table E.4",
    continuous: false,
    plans: true,
    parameters: &[
        Parameter::real("generation", 0.75, (0.0, 1.0), "The share of samples that rates single values; the rest compares candidates.").with_source("section 6.4.1"),
        Parameter::text("candidates", "auto", "a whole number from 1 to 1000000, or `auto`", "How many candidates are drawn; auto is 20 for up to two parameters and 2000 for more.").with_source("section 6.4.1"),
        Parameter::real("kappa", 3.0, (0.0, 1e6), "What a forecast made from the first simulations is multiplied with: these are longer than average.").with_source("section 6.4.1, Table E.4"),
        Parameter::word("per", &["game", "move"], "Whether the samples of the whole game are planned with, or every move is tuned by itself.").with_source("section 6.3.1, after formula (6.2)"),
    ],
    build: |settings, context| Ok(Box::new(Lsi::new(settings, context)?)),
};

/// The budget if no simulation of the start clock finished.
pub const FALLBACK_BUDGET: u64 = 100_000;

/// The number of samples to expect in a game, formula (6.2): `kappa` times what the pace and the
/// length of the start clock's simulations forecast. [`FALLBACK_BUDGET`] if that is not a positive
/// number.
fn budget(kappa: f64, forecast: f64) -> u64 {
    let samples = kappa * forecast;
    if samples.is_finite() && samples > 0.0 { samples.round() as u64 } else { FALLBACK_BUDGET }
}

/// The state.
#[derive(Clone, Debug)]
pub struct Lsi {
    space: Arc<Space>,
    rewards: Rewards,
    share: f64,
    candidates: usize,
    kappa: f64,
    per_move: bool,
    /// Moves begun, with `per_move`; part of the tickets.
    moves: u32,
    budget: Option<u64>,
    /// All values of all parameters.
    values: Vec<Rated>,
    /// The values in the order of the current pass, and the place in it.
    order: Vec<u32>,
    cursor: usize,
    proposed: u64,
    phase: Phase,
    samples: u64,
}

#[derive(Clone, Debug)]
enum Phase {
    Generation,
    Evaluation(Bracket),
    Settled(Indices),
}

/// A value and what it earned when it was under test.
#[derive(Clone, Copy, Debug)]
struct Rated {
    parameter: usize,
    index: Index,
    sum: f64,
    samples: u32,
}

impl Rated {
    fn weight(&self) -> f64 {
        (self.sum / f64::from(self.samples.max(1))).max(0.0)
    }
}

impl Lsi {
    pub(crate) fn new(settings: &Record, context: &Context) -> Result<Self, BuildError> {
        let space = Arc::clone(&context.space);
        let candidates = match settings.word("candidates") {
            "auto" if space.dimension() <= 2 => 20,
            "auto" => 2000,
            text => text.parse().ok().filter(|count| (1..=1_000_000).contains(count)).ok_or_else(
                || {
                    bad_value(
                        "lsi",
                        "candidates",
                        "a whole number from 1 to 1000000, or `auto`".to_string(),
                        text,
                    )
                },
            )?,
        };
        let value = |parameter, index| Rated { parameter, index, sum: 0.0, samples: 0 };
        let values: Vec<Rated> = (0..space.dimension())
            .flat_map(|parameter| {
                space.indices(parameter).map(move |index| value(parameter, index))
            })
            .collect();
        Ok(Lsi {
            rewards: context.rewards,
            share: settings.real("generation"),
            candidates,
            kappa: settings.real("kappa"),
            per_move: settings.word("per") == "move",
            moves: 0,
            budget: None,
            order: (0..values.len() as u32).collect(),
            cursor: values.len(),
            values,
            proposed: 0,
            phase: Phase::Generation,
            samples: 0,
            space,
        })
    }

    /// The samples of the first phase.
    fn generation_budget(&self) -> Option<u64> {
        self.budget.map(|budget| (budget as f64 * self.share).round() as u64)
    }

    /// The value to test next; `None` if the phase is over.
    fn next_value(&mut self, rng: &mut Rng) -> Option<u32> {
        let count = self.values.len();
        if self.cursor == count {
            let fits = |budget| self.proposed + count as u64 <= budget;
            if self.proposed == 0 || self.generation_budget().is_none_or(fits) {
                shuffle(&mut self.order, rng);
                self.cursor = 0;
            } else {
                let missing = |&&value: &&u32| self.values[value as usize].samples == 0;
                let found = self.order.iter().filter(missing).count();
                if found == 0 {
                    return None;
                }
                let wanted = rng.below(found);
                return self.order.iter().filter(missing).nth(wanted).copied();
            }
        }
        self.cursor += 1;
        self.proposed += 1;
        Some(self.order[self.cursor - 1])
    }

    fn draw_candidates(&self, rng: &mut Rng) -> Vec<Candidate> {
        let weights: Vec<f64> = self.values.iter().map(Rated::weight).collect();
        let mut possible = Vec::with_capacity(weights.len());
        let mut seen = FxHashSet::default();
        let mut candidates = Vec::new();
        for _ in 0..self.candidates {
            let candidate = self.draw_candidate(&weights, &mut possible, rng);
            if seen.insert(candidate.clone()) {
                candidates.push(Candidate::new(candidate));
            }
        }
        candidates
    }

    /// Draws value after value of parameters that have none yet, by weight. `possible` is a buffer.
    fn draw_candidate(&self, weights: &[f64], possible: &mut Vec<usize>, rng: &mut Rng) -> Indices {
        let mut partial = Indices::from_elem(OPEN, self.space.dimension());
        for _ in 0..self.space.dimension() {
            possible.clear();
            possible.extend((0..self.values.len()).filter(|&at| {
                let Rated { parameter, index, .. } = self.values[at];
                partial[parameter] == OPEN && self.space.allows(&partial, parameter, index)
            }));
            let total: f64 = possible.iter().map(|&at| weights[at]).sum();
            let drawn = if total > 0.0 {
                let mut left = rng.unit() * total;
                let drawn = possible.iter().find(|&&at| {
                    left -= weights[at];
                    left < 0.0
                });
                // Rounding may leave a remainder at the end.
                drawn.or_else(|| possible.iter().rfind(|&&at| weights[at] > 0.0))
            } else {
                possible.get(rng.below(possible.len().max(1)))
            };
            let Some(&at) = drawn else { break };
            partial[self.values[at].parameter] = self.values[at].index;
        }
        debug_assert!(self.space.is_legal(&partial), "values fill a combination legally");
        partial
    }
}

/// Tickets: the number of the move above; below even for value `n` under test, odd for candidate `n`.
/// 1 once settled.
fn value_ticket(moves: u32, value: u32) -> Ticket {
    Ticket(u64::from(moves) << 32 | (2 * u64::from(value) + 2))
}

fn candidate_ticket(moves: u32, candidate: u32) -> Ticket {
    Ticket(u64::from(moves) << 32 | (2 * u64::from(candidate) + 3))
}

impl Strategy for Lsi {
    fn next(&mut self, rng: &mut Rng) -> Combination {
        if let Phase::Generation = self.phase {
            if let Some(value) = self.next_value(rng) {
                let Rated { parameter, index, .. } = self.values[value as usize];
                let mut partial = Indices::from_elem(OPEN, self.space.dimension());
                partial[parameter] = index;
                self.space.complete(&mut partial, rng);
                return Combination::proposed(partial, value_ticket(self.moves, value));
            }
            let candidates = self.draw_candidates(rng);
            let budget = self.budget.unwrap_or(FALLBACK_BUDGET);
            let rest = budget - self.generation_budget().unwrap_or(0).min(budget);
            self.phase = Phase::Evaluation(Bracket::new(candidates, rest));
        }
        if let Phase::Evaluation(bracket) = &mut self.phase {
            if let Some(number) = bracket.next(rng) {
                let indices = &bracket.candidate(number).indices;
                return Combination::proposed(
                    indices.clone(),
                    candidate_ticket(self.moves, number),
                );
            }
            let winner = bracket.winner().map(|winner| winner.indices.clone());
            self.phase = Phase::Settled(winner.unwrap_or_else(|| self.space.numbered(0)));
        }
        match &self.phase {
            Phase::Settled(winner) => Combination::proposed(winner.clone(), Ticket::PROPOSED),
            _ => unreachable!("the other phases have returned"),
        }
    }

    fn update(&mut self, combination: &Combination, reward: f64) {
        self.samples += 1;
        let reward = self.rewards.unit(reward);
        let Ticket(ticket) = combination.ticket();
        if ticket >> 32 != u64::from(self.moves) {
            return;
        }
        let ticket = ticket & u64::from(u32::MAX);
        match &mut self.phase {
            Phase::Generation if ticket >= 2 && ticket.is_multiple_of(2) => {
                if let Some(value) = self.values.get_mut((ticket / 2 - 1) as usize) {
                    value.sum += reward;
                    value.samples = value.samples.saturating_add(1);
                }
            }
            Phase::Evaluation(bracket) if ticket >= 3 && !ticket.is_multiple_of(2) => {
                bracket.learn((ticket / 2 - 1) as u32, reward);
            }
            _ => {}
        }
    }

    fn samples(&self) -> u64 {
        self.samples
    }

    /// The winner, or the leader so far; while single values are rated, the best value of each
    /// parameter, one by one.
    fn best(&self) -> Option<Combination> {
        match &self.phase {
            Phase::Settled(winner) => Some(Combination::from_indices(winner)),
            Phase::Evaluation(bracket) => {
                bracket.leader().map(|leader| Combination::from_indices(&leader.indices))
            }
            Phase::Generation => {
                let mut partial = Indices::from_elem(OPEN, self.space.dimension());
                for parameter in 0..self.space.dimension() {
                    let best = self
                        .values
                        .iter()
                        .filter(|value| value.parameter == parameter && value.samples > 0)
                        .filter(|value| self.space.allows(&partial, parameter, value.index))
                        .max_by(|a, b| a.weight().total_cmp(&b.weight()))?;
                    partial[parameter] = best.index;
                }
                Some(Combination::from_indices(&partial))
            }
        }
    }

    fn set_budget(&mut self, samples: u64) {
        if !self.per_move {
            self.budget = Some(samples);
        }
    }

    fn forecast(&mut self, samples: f64) {
        if !self.per_move {
            self.budget = Some(budget(self.kappa, samples));
        }
    }

    fn begin_move(&mut self, samples: Option<f64>) {
        if !self.per_move {
            return;
        }
        self.budget = samples.filter(|n| n.is_finite()).map(|n| n.max(0.0).round() as u64);
        self.moves = self.moves.wrapping_add(1);
        self.phase = Phase::Generation;
        (self.cursor, self.proposed) = (self.values.len(), 0);
        self.values.iter_mut().for_each(|value| (value.sum, value.samples) = (0.0, 0));
    }

    fn is_settled(&self) -> bool {
        matches!(self.phase, Phase::Settled(_))
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_settings::Part;

    use super::*;
    use crate::published;

    fn lsi(set: published::TunedSet) -> Lsi {
        lsi_with(set, &[])
    }

    fn lsi_with(set: published::TunedSet, given: &[(&str, &str)]) -> Lsi {
        let settings =
            Record::read(&Part::from_texts("lsi", given).unwrap(), SPEC.parameters).unwrap();
        let space = Arc::new(set.space());
        let context = Context { space, rewards: Rewards::GOALS, shared: Rng::new(0) };
        Lsi::new(&settings, &context).unwrap()
    }

    fn draw(lsi: &Lsi, rng: &mut Rng) -> Indices {
        let weights: Vec<f64> = lsi.values.iter().map(Rated::weight).collect();
        lsi.draw_candidate(&weights, &mut Vec::new(), rng)
    }

    #[test]
    fn the_budget_by_hand() {
        // 3 * 5000 / 1 s * 1 s * 40 turns.
        let mut lsi = lsi(published::AP_4);
        lsi.forecast(5000.0 * 40.0);
        assert_eq!(lsi.budget, Some(600_000));
        assert_eq!(budget(2.0, 333.0 / 10.0 * 2.5 * 7.0), 1166);
        assert_eq!(budget(3.0, 0.0), FALLBACK_BUDGET);
        assert_eq!(budget(3.0, f64::NAN), FALLBACK_BUDGET);
    }

    #[test]
    fn phases_keep_to_their_budgets() {
        for (set, values, candidates) in [(published::AP_2, 19, 20), (published::AP_4, 39, 2000)] {
            for budget in [0, 30, 1_000, 20_000, 200_000] {
                let mut lsi = lsi(set);
                let mut rng = Rng::new(budget);
                assert_eq!(lsi.values.len(), values);
                lsi.set_budget(budget);
                let (mut generation, mut evaluation, mut drawn) = (0u64, 0u64, 0);
                while !lsi.is_settled() {
                    let combination = lsi.next(&mut rng);
                    lsi.update(&combination, 100.0 * rng.unit());
                    match &lsi.phase {
                        Phase::Generation => generation += 1,
                        Phase::Evaluation(bracket) => {
                            evaluation += 1;
                            drawn = bracket.proposed().max(drawn);
                        }
                        Phase::Settled(_) => {}
                    }
                }
                let whole = (budget * 3 / 4 / values as u64).max(1) * values as u64;
                assert_eq!(generation, whole);
                // The minimum of halving k candidates is below 2 k plus one per round.
                let allowed = budget - budget * 3 / 4 + 2 * candidates + 12;
                assert!(evaluation <= allowed, "{evaluation} > {allowed}");
                assert_eq!(evaluation, drawn);
                let best = lsi.best().unwrap();
                assert_eq!(lsi.next(&mut rng), best);
            }
        }
    }

    #[test]
    fn generation_goes_on_until_the_budget_is_known() {
        let mut lsi = lsi(published::AP_2);
        let mut rng = Rng::new(5);
        for _ in 0..1_000 {
            let combination = lsi.next(&mut rng);
            lsi.update(&combination, 50.0);
        }
        // 52 whole passes of 19 are 988; the one that was begun is finished.
        lsi.set_budget(100);
        let mut more = 0;
        while matches!(lsi.phase, Phase::Generation) {
            let combination = lsi.next(&mut rng);
            lsi.update(&combination, 50.0);
            more += 1;
        }
        assert_eq!(more, 7 + 1);
        assert!(lsi.values.iter().all(|value| value.samples == 53));
    }

    #[test]
    fn each_move_can_be_tuned_by_itself() {
        let mut lsi = lsi_with(published::SP_2, &[("per", "move")]);
        let mut rng = Rng::new(8);
        // Not known how many samples: generation goes on, whatever the game as a whole is said to have.
        lsi.begin_move(None);
        lsi.forecast(1.0);
        for _ in 0..500 {
            let combination = lsi.next(&mut rng);
            lsi.update(&combination, 50.0);
        }
        assert!(matches!(lsi.phase, Phase::Generation));
        let late = lsi.next(&mut rng);
        // In one move the first value of C wins, in the next the last; each forgets the one before.
        for best in [0, 8] {
            lsi.begin_move(Some(2_000.0));
            lsi.update(&late, 100.0);
            assert!(lsi.values.iter().all(|value| value.samples == 0));
            let mut samples = 0;
            while !lsi.is_settled() {
                let combination = lsi.next(&mut rng);
                let won = combination.indices().unwrap()[0] == best;
                lsi.update(&combination, if won { 100.0 } else { 0.0 });
                samples += 1;
            }
            // 75 passes of 20 values are 1500 samples, the rest halves at most 20 candidates.
            assert!((1_500..=2_001).contains(&samples), "{samples}");
            assert_eq!(lsi.best().unwrap().indices().unwrap()[0], best);
        }
        let mut whole = lsi_with(published::SP_2, &[]);
        whole.begin_move(Some(10.0));
        assert_eq!((whole.budget, whole.moves), (None, 0));
    }

    #[test]
    fn worthless_values_are_drawn_uniformly() {
        let mut lsi = lsi(published::AP_2);
        let mut rng = Rng::new(6);
        lsi.set_budget(0);
        for _ in 0..19 {
            let combination = lsi.next(&mut rng);
            lsi.update(&combination, 0.0);
        }
        let off = (0..3_000).filter(|_| draw(&lsi, &mut rng)[0] == 0).count();
        // K = 0 or unset first: 2 of 19 values.
        assert!((220..420).contains(&off), "{off}");
        lsi.values
            .iter_mut()
            .for_each(|value| value.sum = f64::from(value.parameter as u8 * 8 + 1));
        assert!((0..500).all(|_| lsi.space.is_legal(&draw(&lsi, &mut rng))));
    }
}
