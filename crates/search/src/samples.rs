//! Returns of single simulations at the root, for intervals.

use gamegrove_game::Role;

/// Returns of the root's actions since it became the root, for intervals.
#[derive(Clone, Debug, Default)]
pub(crate) struct RootSamples {
    by_role: Vec<Vec<Sample>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    count: f64,
    sum: f64,
    squares: f64,
}

impl RootSamples {
    pub(crate) fn reset(&mut self, roles: usize) {
        self.by_role.clear();
        self.by_role.resize(roles, Vec::new());
    }

    pub(crate) fn add(&mut self, role: Role, place: usize, value: f64) {
        let samples = &mut self.by_role[role.index()];
        if samples.len() <= place {
            samples.resize(place + 1, Sample::default());
        }
        let sample = &mut samples[place];
        sample.count += 1.0;
        sample.sum += value;
        sample.squares += value * value;
    }

    /// Half the width of the 95 % interval of an action's mean; `None` below two samples.
    pub(crate) fn half_width(&self, role: Role, place: usize) -> Option<f64> {
        let sample = self.by_role.get(role.index())?.get(place)?;
        if sample.count < 2.0 {
            return None;
        }
        let mean = sample.sum / sample.count;
        let variance =
            (sample.squares - sample.count * mean * mean).max(0.0) / (sample.count - 1.0);
        Some(1.96 * (variance / sample.count).sqrt())
    }
}
