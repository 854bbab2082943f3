//! The move to play when the time is over, and what is told about it.

use gamegrove_game::{Game, Move};
use gamegrove_search::{MoveReport, Report, Shape};

use super::Plan;
use super::settings::Final;

impl<G: Game> Plan<G> {
    /// The move to play.
    pub(super) fn decide(&mut self, root: &G::State) -> Move {
        let found =
            if self.parts.settings.decisive { self.try_each(root) } else { Decisive::default() };
        if let Some(mov) = found.play {
            return mov;
        }
        let node = &self.tree.nodes[0];
        let bad = |mov: Move| found.lose.contains(&mov);
        let safe = node.arms.iter().any(|arm| !bad(arm.mov));
        // Only where no move has more visits than another does the mean decide ([van Eeden 2015, 4.1]).
        let alike = node.arms.windows(2).all(|pair| pair[0].stat.visits == pair[1].stat.visits);
        let (mut best, mut top) = (0, (f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY));
        for (place, arm) in node.arms.iter().enumerate() {
            if arm.unsafe_ || (safe && bad(arm.mov)) {
                continue;
            }
            let mean = if arm.stat.visits > 0.0 { self.bounds.mean(&arm.stat) } else { -1.0 };
            // Losing is worse than bringing nothing new.
            let fresh = f64::from(u8::from(arm.novel != Some(false) || mean > 0.75));
            let chance = self.rng.unit();
            let key = match self.parts.settings.last {
                Final::Visits => (arm.stat.visits, if alike { mean } else { 0.0 }, chance),
                Final::Mean => {
                    (if mean < 0.1 { mean - 1.0 } else { fresh + mean }, arm.stat.visits, chance)
                }
            };
            if key > top {
                (best, top) = (place, key);
            }
        }
        self.tree.nodes[0].arms[best].mov
    }

    /// Plays every move once ([van Eeden 2015, 6.3]): a win is taken, then the greatest gain of
    /// points; moves that lose are told.
    fn try_each(&mut self, root: &G::State) -> Decisive {
        let mut found = Decisive::default();
        let mut top = 0.0;
        let mut equals = 0;
        for place in 0..self.tree.nodes[0].arms.len() {
            let mov = self.tree.nodes[0].arms[place].mov;
            self.model.copy(root, &mut self.run.state, &mut self.rng);
            self.model.advance(&mut self.run.state, mov, &mut self.rng);
            self.model.glance(&self.run.state, &mut self.run.look);
            let gain = match self.run.look.verdict {
                Some(true) => f64::INFINITY,
                Some(false) => {
                    found.lose.push(mov);
                    continue;
                }
                None => self.run.look.score - self.root.score,
            };
            if gain > top {
                (top, equals, found.play) = (gain, 1, Some(mov));
            } else if gain == top && gain > 0.0 {
                equals += 1;
                if self.rng.below(equals) == 0 {
                    found.play = Some(mov);
                }
            }
        }
        found
    }

    pub(super) fn describe(&self) -> Report {
        let arms = self.tree.nodes.first().map_or(&[][..], |node| &node.arms);
        let mut moves: Vec<MoveReport> = arms
            .iter()
            .map(|arm| MoveReport {
                mov: arm.mov,
                visits: arm.stat.visits.round() as u32,
                mean: (arm.stat.visits > 0.0).then(|| 100.0 * self.bounds.mean(&arm.stat)),
                half_width: None,
                bounds: None,
                line: Vec::new(),
            })
            .collect();
        moves.sort_by_key(|report| std::cmp::Reverse(report.visits));
        Report {
            moves,
            simulations: self.iterations,
            steps: self.model.advances,
            nodes: self.tree.nodes.len(),
            dropped: 0,
            merged: 0,
            depth: self.deepest,
            bytes: 0,
            shape: Shape::default(),
            account: None,
            proved: None,
            solver_nodes: 0,
            tuned: None,
            stop: None,
        }
    }
}

/// The decision from single steps.
#[derive(Default)]
struct Decisive {
    play: Option<Move>,
    lose: Vec<Move>,
}
