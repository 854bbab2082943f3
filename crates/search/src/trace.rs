//! One simulation, as learners see it.

use gamegrove_game::{Move, Role};

/// What strategies need to be kept or recorded. The search keeps the union of what its parts ask
/// for, so plain UCT pays for nothing it does not use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Needs {
    /// Statistics of all moves played below each node.
    pub amaf: bool,
    /// The legal moves of every role in every state of a simulation.
    pub legal: bool,
    /// The features that hold in every state of a simulation.
    pub features: bool,
    /// The types of the moves of all roles but the one the search is for.
    pub types: bool,
    /// The types of the moves of the role the search is for.
    pub own_types: bool,
    /// One more number for each action of each node, whose meaning belongs to the selection.
    pub extra: bool,
    /// Whether a move that is played several times below a node counts once for it.
    pub amaf_once: bool,
    /// The greatest return of each action of each node.
    pub best: bool,
}

impl Needs {
    /// What either needs.
    pub fn and(self, other: Needs) -> Needs {
        Needs {
            amaf: self.amaf || other.amaf,
            legal: self.legal || other.legal,
            features: self.features || other.features,
            types: self.types || other.types,
            own_types: self.own_types || other.own_types,
            extra: self.extra || other.extra,
            amaf_once: self.amaf_once || other.amaf_once,
            best: self.best || other.best,
        }
    }
}

/// One simulation: all moves from the root to the last state, and what that state was worth.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    roles: usize,
    moves: Vec<Move>,
    /// The number of joint moves.
    steps: usize,
    /// Steps whose state was in the tree before the simulation.
    tree_steps: usize,
    goals: Vec<f64>,
    discount: f64,
    legal: Lists,
    features: Lists,
}

/// A function of its own: the compiler would work out powers of 1 rather than ask.
#[inline(never)]
fn power(discount: f64, steps: usize) -> f64 {
    discount.powi(steps as i32)
}

/// Many lists in one.
#[derive(Clone, Debug, Default)]
struct Lists {
    items: Vec<u32>,
    ends: Vec<u32>,
}

impl Lists {
    fn copy(&mut self, other: &Lists) {
        self.items.clone_from(&other.items);
        self.ends.clone_from(&other.ends);
    }

    fn clear(&mut self) {
        self.items.clear();
        self.ends.clear();
    }

    fn push(&mut self, items: impl Iterator<Item = u32>) {
        self.items.extend(items);
        self.ends.push(self.items.len() as u32);
    }

    fn get(&self, at: usize) -> &[u32] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.items[start..self.ends[at] as usize]
    }
}

impl Trace {
    /// Begins a new simulation of a game with `roles`.
    pub fn begin(&mut self, roles: usize, discount: f64) {
        self.roles = roles;
        self.discount = discount;
        (self.steps, self.tree_steps) = (0, 0);
        self.moves.clear();
        self.goals.clear();
        self.goals.resize(roles, 0.0);
        self.legal.clear();
        self.features.clear();
    }

    /// Becomes a copy of another trace, in the memory it has.
    pub(crate) fn copy(&mut self, other: &Trace) {
        let Trace { roles, moves, steps, tree_steps, goals, discount, legal, features } = other;
        (self.roles, self.discount) = (*roles, *discount);
        (self.steps, self.tree_steps) = (*steps, *tree_steps);
        self.moves.clone_from(moves);
        self.goals.clone_from(goals);
        self.legal.copy(legal);
        self.features.copy(features);
    }

    /// Notes the legal moves of the next role of the current state; roles in order, before
    /// [`push`](Trace::push).
    pub fn note_legal(&mut self, legal: &[Move]) {
        self.legal.push(legal.iter().map(|mov| mov.0));
    }

    /// Notes the features of the current state, before [`push`](Trace::push).
    pub fn note_features(&mut self, features: &[u32]) {
        self.features.push(features.iter().copied());
    }

    /// How many legal moves were noted.
    pub(crate) fn noted(&self) -> usize {
        self.legal.items.len()
    }

    /// Adds the joint move played in the current state.
    #[inline]
    pub fn push(&mut self, joint: &[Move]) {
        debug_assert_eq!(joint.len(), self.roles);
        // They are few: one by one is faster than a copy.
        joint.iter().for_each(|&mov| self.moves.push(mov));
        self.steps += 1;
    }

    /// Adds joint moves, role by role within each.
    pub fn extend(&mut self, joints: &[Move]) {
        debug_assert_eq!(joints.len() % self.roles, 0);
        self.moves.extend_from_slice(joints);
        self.steps += joints.len() / self.roles;
    }

    /// All steps so far were made in states of the tree.
    pub fn leave_tree(&mut self) {
        self.tree_steps = self.steps();
    }

    /// Ends the simulation with the worth of its last state for each role, from 0 to 100.
    pub fn finish(&mut self, goals: impl Iterator<Item = f64>) {
        self.goals.clear();
        self.goals.extend(goals);
        debug_assert_eq!(self.goals.len(), self.roles);
    }

    /// The number of roles.
    pub fn roles(&self) -> usize {
        self.roles
    }

    /// The number of joint moves.
    #[inline]
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The number of joint moves that were chosen in states of the tree.
    pub fn tree_steps(&self) -> usize {
        self.tree_steps
    }

    /// The joint move of a step.
    pub fn joint(&self, step: usize) -> &[Move] {
        &self.moves[step * self.roles..][..self.roles]
    }

    /// All moves, role by role within each step.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// What the last state was worth for each role, from 0 to 100.
    pub fn goals(&self) -> &[f64] {
        &self.goals
    }

    /// The return of `role`'s move in `step`: its goal, discounted once per step from there to the
    /// end, so that the last move gets one discount [Finnsson 2012, 3.3.2].
    #[inline]
    pub fn value(&self, step: usize, role: Role) -> f64 {
        Trace::discounted(self.goals[role.index()], self.discount, self.steps - step)
    }

    /// What a goal so many steps ahead is worth.
    #[inline]
    pub(crate) fn discounted(goal: f64, discount: f64, steps: usize) -> f64 {
        if discount == 1.0 { goal } else { goal * power(discount, steps) }
    }

    /// What is left of a goal with each step to it.
    pub(crate) fn discount(&self) -> f64 {
        self.discount
    }

    /// The legal moves of `role` in the state of `step`, as numbers; only if a part needs them.
    pub fn legal(&self, step: usize, role: Role) -> &[u32] {
        self.legal.get(step * self.roles + role.index())
    }

    /// The number of states whose features were noted, from the first on.
    pub fn feature_states(&self) -> usize {
        self.features.ends.len()
    }

    /// The features of the state of `step`; only if a part needs them. The list after the last
    /// move is the last state's.
    pub fn features(&self, step: usize) -> &[u32] {
        self.features.get(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_move_of_three_plies_is_discounted_three_times() {
        // [Finnsson 2012, 4]
        let mut trace = Trace::default();
        trace.begin(1, 0.999);
        for at in 0..3 {
            trace.push(&[Move(at)]);
        }
        trace.finish([100.0].into_iter());
        assert!((trace.value(0, Role(0)) - 100.0 * 0.999f64.powi(3)).abs() < 1e-12);
        assert!((trace.value(2, Role(0)) - 99.9).abs() < 1e-12);
    }

    #[test]
    fn lists_are_found_by_step_and_role() {
        let mut trace = Trace::default();
        trace.begin(2, 1.0);
        for step in 0..3u32 {
            trace.note_legal(&[Move(step), Move(10 + step)]);
            trace.note_legal(&[]);
            trace.note_features(&[step]);
            trace.push(&[Move(step), Move(0)]);
        }
        assert_eq!(trace.legal(1, Role(0)), [1, 11]);
        assert!(trace.legal(1, Role(1)).is_empty());
        assert_eq!(trace.features(2), [2]);
        assert_eq!(trace.joint(2), [Move(2), Move(0)]);
    }
}
