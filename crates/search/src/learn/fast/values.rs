//! Values of features by TD(lambda).
//!
//! `V(s)` is the sum of the values of the features of s. Every state of an episode is drawn to its
//! lambda-return, `R(T-1) = reward` and `R(t) = (1 - lambda) * V(t+1) + lambda * R(t+1)`
//! [Finnsson 2012, 4.1.4]: the sum over all states of `alpha * (R(t) - V(t)) * f(t)` is added
//! after the episode. The state in which play ended is drawn to the reward itself: what wins the game
//! by being reached, such as a cell of the last row, holds in no other state.
//!
//! Taken literally that diverges wherever `alpha` times the sum of all `f * f` of an episode is above
//! 2, which is every real game (eight pawns of a kind alone give 64 a state); so the published program must have
//! kept its steps small in a way that the thesis does not describe. By option (`scale`):
//!
//! - `each`, the default: every state's step is taken at once, last state first. That settles where
//!   `alpha` times the `f * f` of one state is below 2; where it is not, the step is shortened.
//! - `length`: the sum is divided by the number of states, or if that is too little to settle, by as
//!   much as makes one episode take its own error away. Slow for what holds in few states.
//! - `energy`: it is divided by the sum of all `f * f`, so that `alpha` is the share of the error that
//!   one episode takes away. Slow for what changes little.
//! - `none`: the letter.

/// By what the step of an episode is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Nothing, but every state's step is taken before the next state is looked at, last state first;
    /// and no step is so long that it overshoots.
    Each,
    /// The number of states, at least what keeps the step from overshooting.
    Length,
    /// The sum of all squared features of the episode.
    Energy,
    /// Nothing.
    None,
}

/// The features of one state: places and how often each holds.
pub(super) type Active = [(u32, f64)];

/// Values of features for one role.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Values {
    pub(super) theta: Vec<f64>,
    delta: Vec<f64>,
}

impl Values {
    pub(super) fn new(count: usize) -> Values {
        Values { theta: vec![0.0; count], delta: vec![0.0; count] }
    }

    fn value(&self, active: &Active) -> f64 {
        active.iter().map(|&(at, count)| self.theta[at as usize] * count).sum()
    }

    fn learn_at_once<'s>(
        &mut self,
        states: impl DoubleEndedIterator<Item = &'s Active>,
        end: &Active,
        reward: f64,
        (alpha, lambda): (f64, f64),
    ) {
        let mut step = |active: &Active, target: f64| {
            let value = self.value(active);
            let energy: f64 = active.iter().map(|&(_, count)| count * count).sum();
            let step = alpha / (alpha * energy).max(1.0);
            for &(at, count) in active {
                self.theta[at as usize] += step * (target - value) * count;
            }
            value
        };
        step(end, reward);
        let mut target = reward;
        for active in states.rev() {
            let value = step(active, target);
            target = (1.0 - lambda) * value + lambda * target;
        }
    }

    /// Notes by how much the features of a state have to change for an error.
    fn draw(&mut self, active: &Active, error: f64, step: f64) {
        for &(at, count) in active {
            self.delta[at as usize] += step * error * count;
        }
    }

    /// Learns from the states of one episode, in order, the state in which it ended, and what that
    /// was worth.
    pub(super) fn learn<'s>(
        &mut self,
        states: impl DoubleEndedIterator<Item = &'s Active> + Clone,
        end: &Active,
        reward: f64,
        (alpha, lambda): (f64, f64),
        scale: Scale,
    ) {
        let energy = || states.clone().flatten().map(|&(_, count)| count * count).sum::<f64>();
        let divisor = match scale {
            Scale::Each => return self.learn_at_once(states, end, reward, (alpha, lambda)),
            Scale::None => 1.0,
            Scale::Length => (states.clone().count() as f64).max(alpha * energy()),
            Scale::Energy => energy(),
        };
        if divisor <= 0.0 {
            return;
        }
        let step = alpha / divisor;
        self.draw(end, reward - self.value(end), step);
        let mut target = reward;
        for active in states.rev() {
            let value = self.value(active);
            self.draw(active, target - value, step);
            target = (1.0 - lambda) * value + lambda * target;
        }
        for (theta, delta) in self.theta.iter_mut().zip(&mut self.delta) {
            // Literal steps may overflow, and a value that is not a number would never become one again.
            let next = *theta + *delta;
            *theta = if next.is_finite() { next } else { 0.0 };
            *delta = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamegrove_game::Rng;

    #[test]
    fn backward_returns_equal_forward_returns() {
        // [Finnsson 2012, 4]
        let (alpha, lambda) = (0.01, 0.9);
        let mut rng = Rng::new(11);
        for _ in 0..50 {
            let steps = 1 + rng.below(12);
            let states: Vec<Vec<(u32, f64)>> =
                (0..steps).map(|_| (0..4).map(|at| (at, rng.below(3) as f64)).collect()).collect();
            let mut values = Values::new(4);
            values.theta = (0..4).map(|_| rng.unit() * 10.0 - 5.0).collect();
            let reward = rng.unit() * 200.0 - 100.0;
            let v: Vec<f64> = states.iter().map(|s| values.value(s)).collect();
            let mut expected = values.theta.clone();
            for t in 0..steps {
                let mut forward = lambda_power(lambda, steps - 1 - t) * reward;
                for n in 1..steps - t {
                    forward += (1.0 - lambda) * lambda_power(lambda, n - 1) * v[t + n];
                }
                for &(at, count) in &states[t] {
                    expected[at as usize] += alpha * (forward - v[t]) * count;
                }
            }
            let end = [(3, 2.0)];
            let error = reward - values.value(&end);
            expected[3] += alpha * error * 2.0;
            let episode = states.iter().map(Vec::as_slice);
            values.learn(episode, &end, reward, (alpha, lambda), Scale::None);
            for (a, b) in values.theta.iter().zip(&expected) {
                assert!((a - b).abs() < 1e-9, "{a} {b}");
            }
        }
    }

    fn lambda_power(lambda: f64, n: usize) -> f64 {
        lambda.powi(n as i32)
    }

    #[test]
    fn scaled_steps_settle_where_literal_ones_run_away() {
        // Sixteen pieces of one kind for sixty states, always worth 100.
        let states = vec![vec![(0u32, 16.0)]; 60];
        let run = |scale| {
            let mut values = Values::new(1);
            let mut greatest = 0.0f64;
            for _ in 0..2000 {
                values.learn(states.iter().map(Vec::as_slice), &[], 100.0, (0.01, 1.0), scale);
                greatest = greatest.max(values.theta[0].abs());
            }
            (values.theta[0] * 16.0, greatest)
        };
        for scale in [Scale::Each, Scale::Length, Scale::Energy] {
            let (value, _) = run(scale);
            assert!((value - 100.0).abs() < 1e-3, "{value}");
        }
        let (_, greatest) = run(Scale::None);
        assert!(greatest > 1e6, "{greatest}");
    }
}
