//! Tails of the normal and the chi-squared distribution, and Holm's correction.

/// The probability that a standard normal number is above `z`.
pub fn normal_tail(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - normal_tail(-z);
    }
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z < 3.0 {
        // The series of the distribution function.
        let (mut term, mut sum, mut odd) = (z, z, 1.0);
        while term > 1e-17 * sum {
            odd += 2.0;
            term *= z * z / odd;
            sum += term;
        }
        return 0.5 - density * sum;
    }
    // Laplace's continued fraction, from its far end.
    let fraction = (1..=60).rev().fold(z, |fraction, k| z + f64::from(k) / fraction);
    density / fraction
}

/// The number above which a standard normal number is with probability `tail`, at most one half.
pub fn normal_quantile(tail: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if normal_tail(middle) > tail { low = middle } else { high = middle }
    }
    low
}

/// The probability that the sum of the squares of `count` independent standard normal numbers is above
/// `sum`.
pub fn chi_squared_tail(count: usize, sum: f64) -> f64 {
    let x = sum / 2.0;
    if count == 0 || x <= 0.0 {
        return 1.0;
    }
    // The incomplete gamma function Q(a, x), from a = 1/2 or 1 up by Q(a + 1) = Q(a) + x^a e^-x / gamma(a + 1).
    let (mut a, mut tail, mut log_gamma) = match count % 2 {
        0 => (1.0, (-x).exp(), 0.0),
        _ => (0.5, 2.0 * normal_tail(sum.sqrt()), (std::f64::consts::PI.sqrt() / 2.0).ln()),
    };
    while 2.0 * a < count as f64 {
        tail += (a * x.ln() - x - log_gamma).exp();
        a += 1.0;
        log_gamma += a.ln();
    }
    tail.min(1.0)
}

/// Holm's correction: p-values which, compared with 5 % each, lead to a wrong rejection anywhere in at
/// most 5 % of the families.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![1.0; p_values.len()];
    let mut least: f64 = 0.0;
    for (rank, &at) in order.iter().enumerate() {
        least = least.max(p_values[at] * (p_values.len() - rank) as f64).min(1.0);
        corrected[at] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) -> bool {
        (one / other - 1.0).abs() < 1e-6
    }

    #[test]
    fn tails_are_those_of_tables() {
        assert!((normal_tail(0.0) - 0.5).abs() < 1e-15);
        assert!(near(normal_tail(1.959_963_985), 0.025));
        assert!(near(normal_tail(-1.0), 0.841_344_746));
        assert!(near(normal_tail(2.999_999), normal_tail(3.000_001) * 1.000_006_56));
        assert!(near(normal_tail(5.0), 2.866_515_72e-7));
        assert!(near(normal_tail(10.0), 7.619_853_02e-24));
        assert!(near(normal_quantile(0.025), 1.959_963_985));
        assert!(near(normal_quantile(0.0005), 3.290_526_73));
    }

    #[test]
    fn sums_of_squares_have_the_tails_of_tables() {
        for (count, sum) in [(1, 3.841_458_8), (2, 5.991_464_5), (3, 7.814_727_9), (10, 18.307_038)]
        {
            assert!(near(chi_squared_tail(count, sum), 0.05), "{count}");
        }
        assert!(near(chi_squared_tail(45, 61.656_233), 0.05));
        assert_eq!(chi_squared_tail(3, 0.0), 1.0);
    }

    #[test]
    fn the_least_of_many_is_corrected_most() {
        assert_eq!(holm(&[0.01, 0.04, 0.03]), [0.03, 0.06, 0.06]);
        assert_eq!(holm(&[0.9, 0.5]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
