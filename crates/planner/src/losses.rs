//! Loss avoidance [Sironi 2019, 3.2.4]: when a simulation is lost, it is played again up to the
//! move before the loss, all moves are tried there, and the best of them counts instead. Moves of the
//! tree that were tried on the way learn what they brought, a little. A loss that nothing avoids is
//! backed up as it is.

use gamegrove_game::Game;

use super::Plan;
use super::simulate::Stage;
use super::stat::Payoff;

impl<G: Game> Plan<G> {
    /// The worth of the run if its last move is reconsidered.
    pub(super) fn avoid_loss(&mut self, root: &G::State, payoff: Payoff) -> Payoff {
        let lost = self.run.look.verdict == Some(false);
        if !lost || !self.parts.settings.loss_avoidance || self.run.moves.is_empty() {
            return payoff;
        }
        // A node that was visited before has taught its lesson.
        let in_tree = self.run.path.len() == self.run.moves.len();
        if in_tree && let Some(&(node, arm)) = self.run.path.last() {
            let arm = &self.tree.nodes[node as usize].arms[arm as usize];
            if arm.stat.visits > 0.0 {
                return payoff;
            }
        }
        let moves = std::mem::take(&mut self.run.moves);
        let elements = std::mem::take(&mut self.run.elements);
        let best = self.reconsider(root, &moves, in_tree, payoff);
        self.run.moves = moves;
        self.run.elements = elements;
        best
    }

    fn reconsider(
        &mut self,
        root: &G::State,
        moves: &[gamegrove_game::Move],
        in_tree: bool,
        payoff: Payoff,
    ) -> Payoff {
        let (&last, earlier) = moves.split_last().expect("a simulation that was lost has moves");
        self.model.copy(root, &mut self.run.state, &mut self.rng);
        self.run.look.clone_from(&self.root);
        let stage = if in_tree { Stage::Tree } else { Stage::PlayOut };
        for &mov in earlier {
            self.step(mov, stage);
            if self.run.look.over {
                return payoff;
            }
        }
        let mut spare = std::mem::replace(&mut self.run.spare, self.run.state.clone());
        let look = self.run.look.clone();
        let mut legal = Vec::new();
        self.model.moves(&self.run.state, &mut legal);
        let share = 1.0 / legal.len().max(1) as f64;
        let mut best = payoff;
        for &mov in legal.iter().filter(|&&mov| mov != last) {
            self.run.state.clone_from(&self.run.spare);
            let state = &mut self.run.state;
            self.model.game.resample(state, &mut self.rng);
            self.run.look.clone_from(&look);
            self.step(mov, stage);
            let found = self.appraise();
            self.bounds.see(&found);
            if in_tree && let Some(&(node, _)) = self.run.path.last() {
                let node = &mut self.tree.nodes[node as usize];
                if let Some(arm) = node.arms.iter_mut().find(|arm| arm.mov == mov) {
                    arm.stat.add(&found, share);
                }
            }
            if found.total() > best.total() {
                best = found;
            }
        }
        std::mem::swap(&mut self.run.spare, &mut spare);
        best
    }
}
