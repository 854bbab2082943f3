//! The mean return of every move of every role, wherever it was played.
//!
//! The table of MAST ([Sironi 2019, 2.5.2]; [Finnsson 2012, 4.1.1]), of TO-MAST when it
//! looks at the tree part only [Finnsson 2012, 4.1.2], and of Progressive History. A move that
//! occurs several times in a simulation counts each time.

use gamegrove_game::{Move, Role};

use super::{Decay, DecayWhen, Learner};
use crate::trace::Trace;

/// Which part of a simulation is learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of it.
    Whole,
    /// The moves chosen in states of the tree.
    Tree,
}

/// Visits and mean of one move. Visits are fractions when decay does not round.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Average {
    /// The sum of all returns.
    pub sum: f64,
    /// How many there were; 0 means the move is unknown.
    pub visits: f64,
}

impl Average {
    /// The mean return, or `unknown` if there is none.
    #[inline]
    pub fn mean_or(self, unknown: f64) -> f64 {
        if self.visits > 0.0 { self.sum / self.visits } else { unknown }
    }

    /// Adds a return.
    #[inline]
    pub fn add(&mut self, value: f64) {
        self.sum += value;
        self.visits += 1.0;
    }

    /// Keeps a share of the evidence.
    pub fn decay(&mut self, keep: f64, round: bool) {
        if self.visits == 0.0 {
            return;
        }
        let mean = self.sum / self.visits;
        self.visits *= keep;
        if round {
            self.visits = self.visits.round();
        }
        self.sum = mean * self.visits;
    }
}

/// The mean return of every move of every role.
#[derive(Clone, Debug)]
pub struct MoveAverages {
    scope: Scope,
    decay: Decay,
    since_decay: u64,
    by_role: Vec<Vec<Average>>,
    /// What the last simulation touched, if that matters.
    touched: Vec<(Role, Move)>,
    /// The same means ready to be compared: they are read far more often than they change. No number
    /// where a move is unknown.
    means: Vec<Vec<f64>>,
}

impl PartialEq for MoveAverages {
    fn eq(&self, other: &Self) -> bool {
        (self.scope, self.decay) == (other.scope, other.decay)
    }
}

impl MoveAverages {
    /// An empty table.
    pub fn new(scope: Scope, decay: Decay) -> MoveAverages {
        let (by_role, means, touched) = (Vec::new(), Vec::new(), Vec::new());
        MoveAverages { scope, decay, since_decay: 0, by_role, touched, means }
    }

    /// What is known of a move of a role.
    #[inline]
    pub fn get(&self, role: Role, mov: Move) -> Average {
        self.by_role
            .get(role.index())
            .and_then(|moves| moves.get(mov.index()))
            .copied()
            .unwrap_or_default()
    }

    /// The mean returns of a role's moves; unknown moves have none, and lie beyond the end or are no
    /// number.
    #[inline]
    pub fn means(&self, role: Role) -> &[f64] {
        self.means.get(role.index()).map_or(&[], Vec::as_slice)
    }

    /// Changes what is known of a move.
    #[inline]
    fn change(&mut self, role: usize, mov: Move, change: impl FnOnce(&mut Average)) {
        let (moves, means) = (&mut self.by_role[role], &mut self.means[role]);
        if moves.len() <= mov.index() {
            moves.resize(mov.index() + 1, Average::default());
            means.resize(mov.index() + 1, f64::NAN);
        }
        let average = &mut moves[mov.index()];
        change(average);
        means[mov.index()] = average.mean_or(f64::NAN);
    }

    fn decay_all(&mut self) {
        let Decay { keep, round, .. } = self.decay;
        for (moves, means) in self.by_role.iter_mut().zip(&mut self.means) {
            for (average, mean) in moves.iter_mut().zip(means) {
                average.decay(keep, round);
                *mean = average.mean_or(f64::NAN);
            }
        }
    }
}

impl Learner for MoveAverages {
    fn learn(&mut self, trace: &Trace) {
        self.by_role.resize(trace.roles(), Vec::new());
        self.means.resize(trace.roles(), Vec::new());
        let steps = match self.scope {
            Scope::Whole => trace.steps(),
            Scope::Tree => trace.tree_steps(),
        };
        for step in 0..steps {
            for (role, &mov) in trace.joint(step).iter().enumerate() {
                let value = trace.value(step, Role(role as u8));
                self.change(role, mov, |average| average.add(value));
            }
        }
        self.since_decay += 1;
        match self.decay.when {
            DecayWhen::Move => {}
            DecayWhen::Batch => {
                if self.since_decay >= self.decay.batch {
                    self.since_decay = 0;
                    self.decay_all();
                }
            }
            DecayWhen::Simulation => {
                // Each move once, however often it was played [Sironi 2019, 2.4.2].
                let Decay { keep, round, .. } = self.decay;
                let mut touched = std::mem::take(&mut self.touched);
                touched.clear();
                for step in 0..steps {
                    touched.extend(Role::all(trace.roles()).zip(trace.joint(step).iter().copied()));
                }
                touched.sort_unstable();
                touched.dedup();
                for &(role, mov) in &touched {
                    self.change(role.index(), mov, |average| average.decay(keep, round));
                }
                self.touched = touched;
            }
        }
    }

    fn new_step(&mut self) {
        if self.decay.when == DecayWhen::Move && self.decay.keep != 1.0 {
            self.decay_all();
        }
    }

    fn bytes(&self) -> usize {
        let each = size_of::<Average>() + size_of::<f64>();
        self.by_role.iter().map(|moves| moves.capacity() * each).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(joints: &[[u32; 2]], tree_steps: usize, goals: [f64; 2]) -> Trace {
        let mut trace = Trace::default();
        trace.begin(2, 1.0);
        for (at, joint) in joints.iter().enumerate() {
            if at == tree_steps {
                trace.leave_tree();
            }
            trace.push(&joint.map(Move));
        }
        trace.finish(goals.into_iter());
        trace
    }

    #[test]
    fn every_occurrence_counts_for_its_role() {
        let mut table = MoveAverages::new(Scope::Whole, Decay::NONE);
        table.learn(&trace(&[[1, 0], [0, 1], [1, 0]], 1, [100.0, 20.0]));
        assert_eq!(table.get(Role(0), Move(1)), Average { sum: 200.0, visits: 2.0 });
        assert_eq!(table.get(Role(1), Move(1)), Average { sum: 20.0, visits: 1.0 });
        assert_eq!(table.get(Role(1), Move(7)).mean_or(50.0), 50.0);
        assert_eq!(table.means(Role(0)), [100.0, 100.0]);
        assert!(table.means(Role(2)).is_empty());
    }

    #[test]
    fn tree_only_learns_from_tree_steps() {
        // [Finnsson 2012, 4]
        let mut table = MoveAverages::new(Scope::Tree, Decay::NONE);
        table.learn(&trace(&[[1, 0], [2, 1]], 1, [100.0, 0.0]));
        assert_eq!(table.get(Role(0), Move(1)).visits, 1.0);
        assert_eq!(table.get(Role(0), Move(2)).visits, 0.0);
    }

    #[test]
    fn decay_rounds_visits_keeps_the_mean_and_drops_the_rest() {
        // [Sironi 2019, 5]
        let mut average = Average { sum: 840.0, visits: 12.0 };
        average.decay(0.2, true);
        assert_eq!((average.visits, average.sum), (2.0, 140.0));
        average.decay(0.2, true);
        assert_eq!(average.visits, 0.0);
        let mut fraction = Average { sum: 840.0, visits: 12.0 };
        fraction.decay(0.2, false);
        assert!(
            (fraction.visits - 2.4).abs() < 1e-12 && (fraction.mean_or(0.0) - 70.0).abs() < 1e-9
        );
    }

    #[test]
    fn decay_comes_when_it_should() {
        let keep = Decay { keep: 0.5, ..Decay::NONE };
        let simulation = trace(&[[1, 0], [2, 0]], 2, [100.0, 100.0]);
        let visits = |when, batch| {
            let mut table = MoveAverages::new(Scope::Whole, Decay { when, batch, ..keep });
            for _ in 0..4 {
                table.learn(&simulation);
            }
            table.get(Role(0), Move(1)).visits
        };
        assert_eq!(visits(DecayWhen::Move, 1), 4.0);
        assert_eq!(visits(DecayWhen::Batch, 4), 2.0);
        // 1 -> round(0.5) = 1 (halves away from zero), then 2 -> 1 each time
        assert_eq!(visits(DecayWhen::Simulation, 1), 1.0);
    }

    #[test]
    fn a_move_decays_once_a_simulation_however_often_it_was_played() {
        let decay = Decay { keep: 0.5, when: DecayWhen::Simulation, round: false, ..Decay::NONE };
        let mut table = MoveAverages::new(Scope::Whole, decay);
        table.learn(&trace(&[[1, 0], [1, 0], [2, 0]], 3, [80.0, 20.0]));
        assert_eq!(table.get(Role(0), Move(1)), Average { sum: 80.0, visits: 1.0 });
        assert_eq!(table.get(Role(0), Move(2)), Average { sum: 40.0, visits: 0.5 });
        assert_eq!(table.get(Role(1), Move(0)), Average { sum: 30.0, visits: 1.5 });
    }
}
