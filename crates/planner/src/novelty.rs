//! Novelty [Sironi 2019, 3.2.4]: moves that show nothing that was not seen before, in the node
//! itself, after its earlier moves or on the way to it, are left out. What is seen are atoms: the
//! avatar, things on fields, numbers of things. Points and ends are always new. Moves that go
//! somewhere are left out only where the avatar can go in four directions, a field at a time.

use gamegrove_game::Game;

use super::Plan;
use super::tree::NONE;

impl<G: Game> Plan<G> {
    /// Remembers what the run sees in the new node `child`, and tests the moves of its parent once
    /// all of them were tried.
    pub(super) fn remember_atoms(&mut self, parent: u32, child: u32) {
        let mut atoms = std::mem::take(&mut self.run.atoms);
        self.model.atoms(&self.run.state, &mut atoms);
        self.tree.nodes[child as usize].atoms = atoms.as_slice().into();
        self.run.atoms = atoms;
        let risen = self.run.look.score > self.root.score || self.run.look.over;
        self.tree.nodes[child as usize].eventful = risen;
        let arms = &self.tree.nodes[parent as usize].arms;
        if arms.iter().all(|arm| arm.child != NONE) {
            self.test_novelty(parent);
        }
    }

    fn test_novelty(&mut self, parent: u32) {
        let free = self.moves_freely();
        let senses = &self.model.senses;
        let node = &self.tree.nodes[parent as usize];
        // What was seen on the way: the run's path leads through all ancestors.
        let mut sets: Vec<&[u64]> = Vec::new();
        for &(ancestor, _) in &self.run.path {
            sets.push(&self.tree.nodes[ancestor as usize].atoms);
        }
        let mut verdicts = Vec::with_capacity(node.arms.len());
        for arm in &node.arms {
            let child = &self.tree.nodes[arm.child as usize];
            let may_go = free || senses.direction(arm.mov).is_none();
            let new = |atom: &u64| !sets.iter().any(|set| set.binary_search(atom).is_ok());
            let novel = !may_go || child.eventful || child.atoms.iter().any(new);
            sets.push(&child.atoms);
            verdicts.push(novel);
        }
        let any = verdicts.contains(&true);
        let node = &mut self.tree.nodes[parent as usize];
        for (arm, novel) in node.arms.iter_mut().zip(verdicts) {
            arm.novel = Some(novel);
        }
        // A node after which nothing is new is not new either.
        if !any && let Some(&(before, arm)) = self.run.path.iter().rev().nth(1) {
            self.tree.nodes[before as usize].arms[arm as usize].novel = Some(false);
        }
    }

    /// Whether the avatar can go in four directions, at more than half a field a step.
    fn moves_freely(&self) -> bool {
        let arms = &self.tree.nodes[0].arms;
        let ways = arms.iter().filter(|arm| self.model.senses.direction(arm.mov).is_some()).count();
        let avatar = self.model.senses.avatar(&self.run.state, self.model.role);
        ways >= 4 && avatar.is_some_and(|avatar| avatar.speed > 0.5)
    }
}
