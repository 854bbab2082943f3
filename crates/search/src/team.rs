//! Threads side by side. Root parallelism: searches that know nothing of each other, pooled when a move
//! is chosen [Finnsson 2012, 3.3.6]. Or one search whose tree they share (`together`).
//!
//! Every member has its own tree, statistics and chance. Pooling adds visits and returns of each root
//! move; the final-move rule then chooses from the sums.

use gamegrove_game::{BoxedLanes, Game, Move, Rng, Role};

use crate::budget::{Budget, Stop};
use crate::no_effect::NoEffect;
use crate::part::{Part, SettingsError};
use crate::report::Report;
use crate::search::Search;
use crate::together::Partner;
use crate::tree::Statistic;

/// Several searches of one game, one thread each.
pub struct Team<G: Game> {
    members: Vec<Search<G>>,
    /// Searches that share the tree of the only member.
    partners: Vec<Partner<G>>,
    rng: Rng,
}

impl<G: Game> Team<G> {
    /// A team with as many members as the option `threads` of the settings says.
    pub fn new(game: &G, settings: &Part, seed: u64) -> Result<Self, SettingsError> {
        let first = Search::new(game.clone(), settings, seed)?;
        let threads = first.known.core.settings.threads;
        let shares_tree = first.known.core.settings.shares_tree;
        let mut team =
            Team { members: vec![first], partners: Vec::new(), rng: Rng::stream(seed, u64::MAX) };
        for number in 1..threads as u64 {
            let seed = Rng::stream(seed, number).next_u64();
            if shares_tree {
                team.partners.push(team.members[0].partner(seed));
            } else {
                team.members.push(Search::new(game.clone(), settings, seed)?);
            }
        }
        Ok(team)
    }

    /// Says for which role the searches are.
    pub fn for_role(self, role: Role) -> Self {
        let members = self.members.into_iter().map(|member| member.for_role(role)).collect();
        Team { members, ..self }
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// The first member, whose tree stands for all.
    pub fn first(&self) -> &Search<G> {
        &self.members[0]
    }

    /// Simulations of all members since the root was set.
    pub fn simulations(&self) -> u64 {
        self.members.iter().map(Search::simulations).sum()
    }

    /// Whether there is no member; there always is one.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Whether the members' parts can play out on lanes, and should.
    pub fn suits_lanes(&self) -> bool {
        self.members[0].suits_lanes()
    }

    /// The given settings that have no effect in this game; see [`Search::without_effect`].
    pub fn without_effect(&mut self, lanes: bool) -> Vec<NoEffect> {
        self.members[0].without_effect(lanes)
    }

    /// Makes `state` the root of what follows; see [`Search::set_root`].
    pub fn set_root(&mut self, state: &G::State) {
        self.members.iter_mut().for_each(|member| member.set_root(state));
    }

    /// The start clock is over; see [`Search::end_start_clock`].
    pub fn end_start_clock(&mut self) {
        self.members.iter_mut().for_each(Search::end_start_clock);
    }

    /// Tells which joint move was played; see [`Search::played`].
    pub fn played(&mut self, joint: &[Move]) {
        self.members.iter_mut().for_each(|member| member.played(joint));
    }

    /// Searches until the budget is spent; simulations are shared out evenly. `lanes` has one worker
    /// for each member, or none.
    pub fn run(&mut self, lanes: &mut [BoxedLanes<G::State>], budget: &Budget<'_>) -> Stop {
        let several = self.members.len() + self.partners.len() > 1;
        let budget = if several { &budget.for_threads() } else { budget };
        let count = self.members.len() as u64;
        let limit = budget.simulation_limit();
        let share = |number: u64| match limit {
            u64::MAX => *budget,
            limit => budget.and_simulations(limit / count + u64::from(number < limit % count)),
        };
        if let [only] = self.members.as_mut_slice() {
            if !self.partners.is_empty() {
                if let Some(stop) = only.settle(budget) {
                    return stop;
                }
                return only.run_together(&mut self.partners, budget);
            }
            return only.run_on_any(lanes.first_mut(), budget);
        }
        let mut lanes = lanes.iter_mut();
        let stops: Vec<Stop> = std::thread::scope(|scope| {
            let running: Vec<_> = (0..)
                .zip(&mut self.members)
                .map(|(number, member)| {
                    let (own, budget) = (lanes.next(), share(number));
                    scope.spawn(move || member.run_on_any(own, &budget))
                })
                .collect();
            running.into_iter().filter_map(|thread| thread.join().ok()).collect()
        });
        let solved = stops.iter().find(|stop| **stop == Stop::Solved);
        *solved.or(stops.first()).unwrap_or(&Stop::Asked)
    }

    /// The move `role` should play, by the pooled statistics; see [`Search::best_move`].
    pub fn best_move(&mut self, role: Role) -> Option<Move> {
        // What one member has proved is true for all.
        let solved = self.members.iter().position(Search::is_settled);
        if self.members.len() == 1 || solved.is_some() {
            return self.members[solved.unwrap_or(0)].best_move(role);
        }
        let pooled = self.pooled(role);
        let statistics: Vec<Statistic> =
            pooled.iter().map(|&(_, statistic, _)| statistic).collect();
        let best: Vec<f32> = pooled.iter().filter_map(|&(_, _, best)| best).collect();
        if statistics.is_empty() {
            return None;
        }
        let rule = self.members[0].known.core.settings.final_move;
        Some(pooled[rule.choose(&statistics, &best, &mut self.rng)].0)
    }

    /// Moves of a role at the root, with the sums of all members and their best.
    fn pooled(&self, role: Role) -> Vec<(Move, Statistic, Option<f32>)> {
        let mut pooled: Vec<(Move, Statistic, Option<f32>)> = Vec::new();
        for core in self.members.iter().map(|member| &member.known.core) {
            let Some(root) = core.run.root else { continue };
            let (statistics, best) = (core.tree.statistics(root, role), core.tree.best(root, role));
            for (place, (&mov, own)) in
                core.tree.moves(root, role).iter().zip(statistics).enumerate()
            {
                let best = best.get(place).copied();
                match pooled.iter_mut().find(|(known, ..)| *known == mov) {
                    Some((_, sum, top)) => {
                        sum.sum += own.sum;
                        sum.visits += own.visits;
                        *top = top.map(|top| best.map_or(top, |best| top.max(best)));
                    }
                    None => pooled.push((mov, *own, best)),
                }
            }
        }
        pooled
    }

    /// What the searches found out for `role`: moves and counts of all, depth of the deepest, lines
    /// and intervals of the first.
    pub fn report(&self, role: Role) -> Report {
        let mut report = self.members[0].report(role);
        for other in self.members[1..].iter().map(|member| member.report(role)) {
            report.simulations += other.simulations;
            report.steps += other.steps;
            report.nodes += other.nodes;
            report.dropped += other.dropped;
            report.merged += other.merged;
            report.bytes += other.bytes;
            report.depth = report.depth.max(other.depth);
            report.add_proofs(&other);
            if let (Some(account), Some(other)) = (&mut report.account, other.account) {
                *account += other;
            }
        }
        let pooled = self.pooled(role);
        for found in &mut report.moves {
            if let Some((_, sum, _)) = pooled.iter().find(|(mov, ..)| *mov == found.mov) {
                found.visits = sum.visits;
                found.mean = (sum.visits > 0).then(|| sum.sum / f64::from(sum.visits));
            }
        }
        report.moves.sort_by_key(|found| std::cmp::Reverse(found.visits));
        report
    }
}

impl<G: Game> Search<G> {
    fn run_on_any(
        &mut self,
        lanes: Option<&mut BoxedLanes<G::State>>,
        budget: &Budget<'_>,
    ) -> Stop {
        match lanes {
            Some(lanes) => self.run_on(lanes.as_mut(), budget),
            None => self.run(budget),
        }
    }
}
