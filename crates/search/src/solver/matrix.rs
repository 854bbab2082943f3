//! Values of matrix games, by linear programming [Finnsson 2012, 6.4].
//!
//! The row player wants much, the column player little. Most matrices of real games have a pure
//! solution or a dominated row; both are seen without a linear program.

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome, Variable};

/// Bounds that differ by less than this are equal.
pub(crate) const TOLERANCE: f64 = 1e-7;

/// A matrix of the row player's scores.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matrix {
    columns: usize,
    cells: Vec<f64>,
}

impl Matrix {
    /// A matrix with `rows` and `columns`, its cells from `cell(row, column)`.
    pub(crate) fn new(rows: usize, columns: usize, cell: impl Fn(usize, usize) -> f64) -> Matrix {
        let cells = (0..rows * columns).map(|at| cell(at / columns, at % columns)).collect();
        Matrix { columns, cells }
    }

    fn rows(&self) -> usize {
        self.cells.len() / self.columns
    }

    pub(crate) fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.columns + column]
    }

    fn column(&self, column: usize) -> impl Iterator<Item = f64> + '_ {
        self.cells.iter().copied().skip(column).step_by(self.columns)
    }

    /// The value of the game and a best mixed strategy of the row player.
    pub(crate) fn solve(&self) -> (f64, Vec<f64>) {
        let least = |row: usize| self.cells[row * self.columns..][..self.columns].iter().copied();
        let lows = (0..self.rows()).map(|row| least(row).fold(f64::INFINITY, f64::min));
        let (row, maximin) = lows
            .enumerate()
            .fold((0, f64::NEG_INFINITY), |best, each| if each.1 > best.1 { each } else { best });
        let highs = (0..self.columns).map(|c| self.column(c).fold(f64::NEG_INFINITY, f64::max));
        let minimax = highs.fold(f64::INFINITY, f64::min);
        let pure = || (0..self.rows()).map(|at| f64::from(u8::from(at == row))).collect();
        if minimax - maximin <= TOLERANCE {
            return (maximin, pure());
        }
        self.solve_mixed().unwrap_or_else(|| (maximin, pure()))
    }

    /// The value and mixed strategy by the linear program
    /// `min sum u, sum_i u_i (A_ij + 1) >= 1 for all j, u >= 0`; then the value is `1 / sum u - 1`
    /// and the strategy is `u / sum u`. `None` if numbers fail.
    fn solve_mixed(&self) -> Option<(f64, Vec<f64>)> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let weights: Vec<Variable> =
            (0..self.rows()).map(|_| problem.add_var(1.0, (0.0, f64::INFINITY))).collect();
        for column in 0..self.columns {
            let row = weights.iter().copied().zip(self.column(column).map(|cell| cell + 1.0));
            problem.add_constraint(row.collect::<Vec<_>>().as_slice(), ComparisonOp::Ge, 1.0);
        }
        let SolveOutcome::Solution(solution) = problem.solve().ok()? else { return None };
        let sum = solution.objective();
        if !(sum.is_finite() && sum > 0.0) {
            return None;
        }
        let strategy = weights.iter().map(|&weight| (solution[weight] / sum).max(0.0));
        Some((1.0 / sum - 1.0, strategy.collect()))
    }

    /// The same game with the players exchanged: their scores are what is missing to 100.
    pub(crate) fn exchanged(&self) -> Matrix {
        Matrix::new(self.columns, self.rows(), |row, column| 100.0 - self.get(column, row))
    }
}

/// Whether a mixture of `others` is in every column at least as good for the row player as the upper bound
/// `best` of a row.
pub(crate) fn is_dominated(best: &[f64], others: &[Vec<f64>]) -> bool {
    if others.is_empty() {
        return false;
    }
    let covers = |other: &Vec<f64>| other.iter().zip(best).all(|(o, b)| *o >= b - TOLERANCE);
    if others.iter().any(covers) {
        return true;
    }
    // A mixture is at most as good as its best part in any column.
    let hopeless = (0..best.len())
        .any(|column| others.iter().all(|other| other[column] < best[column] - TOLERANCE));
    if hopeless || others.len() == 1 {
        return false;
    }
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let weights: Vec<Variable> =
        others.iter().map(|_| problem.add_var(0.0, (0.0, f64::INFINITY))).collect();
    let all: Vec<(Variable, f64)> = weights.iter().map(|&weight| (weight, 1.0)).collect();
    problem.add_constraint(all.as_slice(), ComparisonOp::Eq, 1.0);
    for (column, &best) in best.iter().enumerate() {
        let row: Vec<(Variable, f64)> =
            weights.iter().zip(others).map(|(&weight, other)| (weight, other[column])).collect();
        problem.add_constraint(row.as_slice(), ComparisonOp::Ge, best - TOLERANCE);
    }
    matches!(problem.solve(), Ok(SolveOutcome::Solution(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(rows: &[&[f64]]) -> f64 {
        Matrix::new(rows.len(), rows[0].len(), |r, c| rows[r][c]).solve().0
    }

    #[track_caller]
    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }

    #[test]
    fn known_values() {
        // [Finnsson 2012, 4]
        near(value(&[&[100.0, 0.0], &[0.0, 100.0]]), 50.0);
        let scissors: &[&[f64]] = &[&[50.0, 0.0, 100.0], &[100.0, 50.0, 0.0], &[0.0, 100.0, 50.0]];
        near(value(scissors), 50.0);
        near(value(&[&[30.0, 20.0, 70.0]]), 20.0);
        near(value(&[&[30.0], &[20.0], &[70.0]]), 70.0);
        near(value(&[&[0.0, 0.0], &[0.0, 0.0]]), 0.0);
        near(value(&[&[30.0, 10.0], &[20.0, 40.0]]), 25.0);
    }

    #[test]
    fn strategies_reach_the_value_whatever_the_other_does() {
        let mut rng = gamegrove_game::Rng::new(4);
        for _ in 0..300 {
            let (rows, columns) = (1 + rng.below(5), 1 + rng.below(5));
            let cells: Vec<f64> = (0..25).map(|_| rng.below(101) as f64).collect();
            let matrix = Matrix::new(rows, columns, |r, c| cells[r * 5 + c]);
            let (value, strategy) = matrix.solve();
            near(strategy.iter().sum::<f64>(), 1.0);
            for column in 0..columns {
                let mean: f64 = matrix.column(column).zip(&strategy).map(|(a, x)| a * x).sum();
                assert!(mean >= value - 1e-6, "{matrix:?}");
            }
            // The other side cannot be held below what is missing to 100.
            near(matrix.exchanged().solve().0, 100.0 - value);
        }
    }

    #[test]
    fn the_example_of_the_specification_is_dominated() {
        // [Finnsson 2012, 6.4]: row a1 is worth 50, row a2 at most 40
        assert!(is_dominated(&[40.0], &[vec![50.0]]));
        assert!(!is_dominated(&[60.0], &[vec![50.0]]));
        // Only a mixture of the two covers the third.
        let others = [vec![100.0, 0.0], vec![0.0, 100.0]];
        assert!(is_dominated(&[45.0, 45.0], &others));
        assert!(!is_dominated(&[55.0, 55.0], &others));
        assert!(!is_dominated(&[0.0], &[]));
    }
}
