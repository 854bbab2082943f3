//! The mean return of every move in states in which a feature held: the table of PAST.
//!
//! When a move is played, the pair of each feature of the state and the move gets the return
//! [Finnsson 2012, 4.1.3]. The whole simulation counts.

use gamegrove_game::{Move, Role};

use super::sparse::Sparse;
use super::{Average, Decay, DecayWhen, Learner};
use crate::trace::{Needs, Trace};

/// The mean return of every move of every role in states in which a feature held.
#[derive(Clone, Debug)]
pub struct FactAverages {
    decay: Decay,
    since_decay: u64,
    /// By role and move: the averages by feature.
    by_role: Vec<Vec<Sparse<Average>>>,
}

impl PartialEq for FactAverages {
    fn eq(&self, other: &Self) -> bool {
        self.decay == other.decay
    }
}

impl FactAverages {
    /// An empty table.
    pub fn new(decay: Decay) -> FactAverages {
        FactAverages { decay, since_decay: 0, by_role: Vec::new() }
    }

    /// What is known of a role's move in states in which `feature` held.
    #[inline]
    pub fn get(&self, role: Role, mov: Move, feature: u32) -> Option<Average> {
        self.by_role.get(role.index())?.get(mov.index())?.get(feature).copied()
    }

    fn retain(&mut self, keep: impl Fn(&Average) -> bool) {
        for table in self.by_role.iter_mut().flatten() {
            table.retain(&keep);
        }
    }

    fn decay_all(&mut self) {
        let Decay { keep, round, .. } = self.decay;
        for average in self.by_role.iter_mut().flatten().flat_map(Sparse::entries_mut) {
            average.decay(keep, round);
        }
        self.retain(|average| average.visits > 0.0);
    }

    fn each(&mut self, trace: &Trace, mut change: impl FnMut(&mut Average, f64)) {
        for step in 0..trace.steps() {
            for role in Role::all(trace.roles()) {
                let mov = trace.joint(step)[role.index()];
                let moves = &mut self.by_role[role.index()];
                if moves.len() <= mov.index() {
                    moves.resize_with(mov.index() + 1, Sparse::default);
                }
                let value = trace.value(step, role);
                for &feature in trace.features(step) {
                    change(moves[mov.index()].entry(feature), value);
                }
            }
        }
    }
}

impl Learner for FactAverages {
    fn needs(&self) -> Needs {
        Needs { features: true, ..Needs::default() }
    }

    fn learn(&mut self, trace: &Trace) {
        self.by_role.resize(trace.roles(), Vec::new());
        self.each(trace, Average::add);
        self.since_decay += 1;
        let Decay { when, keep, round, batch } = self.decay;
        match when {
            DecayWhen::Move => {}
            DecayWhen::Batch => {
                if self.since_decay >= batch {
                    self.since_decay = 0;
                    self.decay_all();
                }
            }
            DecayWhen::Simulation => self.each(trace, |average, _| average.decay(keep, round)),
        }
    }

    fn new_step(&mut self) {
        if self.decay.when == DecayWhen::Move && self.decay.keep != 1.0 {
            self.decay_all();
        }
    }

    fn forget_rare(&mut self) {
        let len = |tables: &[Vec<Sparse<Average>>]| {
            tables.iter().flatten().map(Sparse::len).sum::<usize>()
        };
        let most = len(&self.by_role) / 2;
        let mut threshold = 1.0;
        while len(&self.by_role) > most {
            self.retain(|average| average.visits > threshold);
            threshold *= 2.0;
        }
    }

    fn bytes(&self) -> usize {
        self.by_role.iter().flatten().map(Sparse::bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_entry_for_each_fact_and_ply() {
        // [Finnsson 2012, 4]
        let mut table = FactAverages::new(Decay::NONE);
        let mut trace = Trace::default();
        trace.begin(1, 1.0);
        trace.note_features(&[3, 8]);
        trace.push(&[Move(1)]);
        trace.note_features(&[8]);
        trace.push(&[Move(1)]);
        trace.note_features(&[9]);
        trace.finish([80.0].into_iter());
        table.learn(&trace);
        let get = |feature| table.get(Role(0), Move(1), feature);
        assert_eq!(get(3), Some(Average { sum: 80.0, visits: 1.0 }));
        assert_eq!(get(8), Some(Average { sum: 160.0, visits: 2.0 }));
        assert_eq!(get(9), None);
        assert_eq!(table.get(Role(0), Move(0), 3), None);
    }
}
