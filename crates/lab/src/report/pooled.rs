//! Tests over many cells: a row of the table, a column, the whole. What single cells are too few games
//! to show, their mean may show; where differences cancel in the mean, the sum of their squares shows them.

use serde::Serialize;

use super::verdict::{ALPHA, Pair, Verdict, compare};
use crate::stats::{Estimate, Measured, chi_squared_tail, holm};

/// The tests over the cells of a row, of a column or of the whole table that can be compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pooled {
    /// The game, the column, or "all cells".
    pub over: String,
    /// How many cells.
    pub cells: usize,
    /// The mean of ours less the published values, with its 95 % interval.
    pub difference: Estimate,
    /// What the mean shows.
    pub verdict: Verdict,
    /// The corrected p-value of the test that the mean is not 0.
    pub p_mean: f64,
    /// The corrected p-value of the test that not all cells have the published value: the sum of the
    /// squares of their differences in standard errors against the chi-squared distribution.
    pub p_cells: f64,
}

impl Pooled {
    /// Whether some cells are shown to differ although their mean is not.
    pub fn cancels(&self) -> bool {
        self.p_cells <= ALPHA && self.p_mean > ALPHA
    }
}

/// The tests over groups of at least two cells that can be compared; corrected over the groups.
pub(super) fn pool(groups: Vec<(String, Vec<&Pair>)>, margin: f64) -> Vec<Pooled> {
    let groups: Vec<_> = groups.into_iter().filter(|(_, pairs)| pairs.len() > 1).collect();
    let mean = |pairs: &[&Pair]| {
        let mean = |side: &dyn Fn(&Pair) -> &Measured| {
            Measured::Mean(pairs.iter().map(|pair| side(pair).clone()).collect())
        };
        let games = pairs.iter().map(|pair| pair.games).sum();
        Some(Pair {
            ours: mean(&|pair| &pair.ours),
            published: mean(&|pair| &pair.published),
            games,
        })
    };
    let means: Vec<Option<Pair>> = groups.iter().map(|(_, pairs)| mean(pairs)).collect();
    let compared = compare(&means, None, margin);
    let squares = groups.iter().map(|(_, pairs)| {
        let deviates = pairs.iter().map(|pair| pair.ours.less(&pair.published).deviate(0.0));
        chi_squared_tail(pairs.len(), deviates.map(|deviate| deviate * deviate).sum())
    });
    let squares = holm(&squares.collect::<Vec<f64>>());
    let all = groups.into_iter().zip(compared.into_iter().flatten()).zip(squares);
    let pooled = all.map(|(((over, pairs), (verdict, comparison)), p_cells)| Pooled {
        over,
        cells: pairs.len(),
        difference: comparison.difference,
        verdict,
        p_mean: comparison.p_differs,
        p_cells,
    });
    pooled.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Proportion;

    fn pair(ours: f64, published: f64) -> Pair {
        let ours = Measured::Games(Proportion { mean: ours / 100.0, games: 20.0 });
        Pair { ours, published: Measured::Normal { mean: published, error: 1.0 }, games: 20 }
    }

    #[test]
    fn many_small_differences_add_up_and_opposite_ones_cancel() {
        let small: Vec<Pair> = (0..16).map(|_| pair(65.0, 50.0)).collect();
        let opposite: Vec<Pair> = (0..16)
            .map(|at| if at % 2 == 0 { pair(75.0, 50.0) } else { pair(25.0, 50.0) })
            .collect();
        let alike: Vec<Pair> = (0..16).map(|_| pair(50.0, 50.0)).collect();
        let group = |name: &str, pairs: &'static [Pair]| (name.to_owned(), pairs.iter().collect());
        let [small, opposite, alike] =
            [small, opposite, alike].map(|pairs| &*Box::leak(pairs.into_boxed_slice()));
        let groups = vec![
            group("small", small),
            group("opposite", opposite),
            group("alike", alike),
            group("one", &alike[..1]),
        ];
        let found = pool(groups, 10.0);
        assert_eq!(found.len(), 3, "a single cell has its own tests");
        // 15 points with a standard error of 10.9 each, 2.7 together.
        assert_eq!(found[0].verdict, Verdict::Differs);
        assert!(found[0].p_mean < 1e-4 && found[0].p_cells < 0.2);
        assert!(found[1].cancels() && found[1].difference.mean.abs() < 1e-9);
        assert_eq!(found[2].verdict, Verdict::Agrees);
        assert_eq!((found[2].p_mean, found[2].p_cells), (1.0, 1.0));
    }
}
