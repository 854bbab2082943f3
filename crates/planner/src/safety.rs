//! Breadth first before the search: every move is tried a few times, and only those that lose the
//! least go on [Sironi 2019, 3.2.4].

use gamegrove_game::Game;
use gamegrove_search::Budget;

use super::Plan;
use super::simulate::Stage;

impl<G: Game> Plan<G> {
    /// Tries all moves of the root and leaves out the unsafe ones. A new root gets what was found as
    /// its first visit. These trials are no simulations: no tuner chooses for them or learns from them.
    pub(super) fn make_safe(&mut self, root: &G::State, budget: &Budget<'_>, limit: u64) {
        let rounds = match self.parts.settings.safety {
            0 => return,
            _ if self.is_deterministic() => 1,
            rounds => rounds,
        };
        let arms = self.tree.nodes[0].arms.len();
        if arms < 2 {
            return;
        }
        let fresh = self.tree.nodes[0].visits <= 0.0;
        let mut lost = vec![0u32; arms];
        for _ in 0..rounds {
            if budget.is_late() || self.model.advances + arms as u64 > limit {
                break;
            }
            for (arm, lost) in lost.iter_mut().enumerate() {
                self.begin(root);
                let mov = self.tree.nodes[0].arms[arm].mov;
                self.step(mov, Stage::Tree);
                *lost += u32::from(self.run.look.verdict == Some(false));
                let payoff = self.appraise();
                self.bounds.see(&payoff);
                if fresh {
                    let node = &mut self.tree.nodes[0];
                    node.bounds.see(&payoff);
                    node.arms[arm].stat.add(&payoff, 1.0 / f64::from(rounds));
                    node.visits += 1.0 / f64::from(rounds);
                }
            }
        }
        let least = lost.iter().copied().min().unwrap_or(0);
        for (arm, lost) in self.tree.nodes[0].arms.iter_mut().zip(lost) {
            arm.unsafe_ = lost > least;
        }
    }
}
