//! Points of a match for the agents that played in it.

/// The points of each of `agents` that took part: one point, shared by the agents that hold a role
/// with the highest goal; with a single role a point for the best goal of all, 100
/// [Sironi 2019, 5.3.2]. `None` for agents that did not play.
pub fn points(assignment: &[usize], goals: &[f32], agents: usize) -> Vec<Option<f64>> {
    let mut points = vec![None; agents];
    for &agent in assignment {
        points[agent] = Some(0.0);
    }
    if let ([agent], [goal]) = (assignment, goals) {
        points[*agent] = Some(if *goal >= 100.0 { 1.0 } else { 0.0 });
        return points;
    }
    let best = goals.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut top: Vec<usize> = assignment
        .iter()
        .zip(goals)
        .filter(|&(_, &goal)| goal == best)
        .map(|(&agent, _)| agent)
        .collect();
    top.sort_unstable();
    top.dedup();
    for &agent in &top {
        points[agent] = Some(1.0 / top.len() as f64);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_role_counts_and_equals_share() {
        // [Sironi 2019, 5]
        let check = |goals: [f32; 3]| points(&[0, 1, 0], &goals, 2);
        assert_eq!(check([0.0, 50.0, 50.0]), [Some(0.5), Some(0.5)]);
        assert_eq!(check([50.0, 50.0, 100.0]), [Some(1.0), Some(0.0)]);
        assert_eq!(check([0.0, 0.0, 0.0]), [Some(0.5), Some(0.5)]);
        assert_eq!(points(&[2, 0], &[100.0, 0.0], 3), [Some(0.0), None, Some(1.0)]);
        assert_eq!(points(&[1], &[99.0], 2), [None, Some(0.0)]);
    }
}
