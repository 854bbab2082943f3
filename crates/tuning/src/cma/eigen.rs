//! Eigenvalues and eigenvectors of small symmetric matrices, by Jacobi's cyclic rotations.
//!
//! For the few dimensions of a tuning problem this is as fast as any method and more exact for
//! small eigenvalues; a library for large matrices would be the largest dependency of the project.

/// Decomposes the symmetric `matrix` (`n` x `n`, row by row) into `vectors * diag(values) *
/// vectors^T`. The eigenvectors are the columns. `matrix` is destroyed.
pub(crate) fn decompose(matrix: &mut [f64], n: usize, vectors: &mut [f64], values: &mut [f64]) {
    vectors.fill(0.0);
    for i in 0..n {
        vectors[i * n + i] = 1.0;
    }
    // Convergence is quadratic: a handful of sweeps suffices; the limit is for matrices with
    // infinities, which have no decomposition.
    for _ in 0..40 {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                rotated |= rotate(matrix, n, vectors, p, q);
            }
        }
        if !rotated {
            break;
        }
    }
    for i in 0..n {
        values[i] = matrix[i * n + i];
    }
}

/// Turns the plane of axes `p` and `q` so that their mixed entry vanishes; false if it is too small
/// to matter to either axis.
fn rotate(matrix: &mut [f64], n: usize, vectors: &mut [f64], p: usize, q: usize) -> bool {
    let mixed = matrix[p * n + q];
    let size = (matrix[p * n + p].abs() * matrix[q * n + q].abs()).sqrt();
    if mixed == 0.0 || mixed.abs() <= f64::EPSILON * size {
        return false;
    }
    let theta = (matrix[q * n + q] - matrix[p * n + p]) / (2.0 * mixed);
    // Where the square of theta overflows the tangent is 0, as it should be.
    let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = (tangent * tangent + 1.0).sqrt().recip();
    let sine = tangent * cosine;
    // The matrix stays symmetric: what one half says is copied to the other.
    matrix[p * n + p] -= tangent * mixed;
    matrix[q * n + q] += tangent * mixed;
    (matrix[p * n + q], matrix[q * n + p]) = (0.0, 0.0);
    for k in (0..n).filter(|&k| k != p && k != q) {
        let (a, b) = (matrix[k * n + p], matrix[k * n + q]);
        let (a, b) = (cosine * a - sine * b, sine * a + cosine * b);
        (matrix[k * n + p], matrix[p * n + k]) = (a, a);
        (matrix[k * n + q], matrix[q * n + k]) = (b, b);
    }
    for k in 0..n {
        let (a, b) = (vectors[k * n + p], vectors[k * n + q]);
        vectors[k * n + p] = cosine * a - sine * b;
        vectors[k * n + q] = sine * a + cosine * b;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamegrove_game::Rng;

    #[test]
    fn the_parts_make_the_whole() {
        let mut rng = Rng::new(1);
        for n in [1, 2, 3, 6, 12] {
            let root: Vec<f64> = (0..n * n).map(|_| rng.unit() - 0.5).collect();
            let entry =
                |i: usize, j: usize| (0..n).map(|k| root[i * n + k] * root[j * n + k]).sum();
            let matrix: Vec<f64> = (0..n * n).map(|at| entry(at / n, at % n)).collect();
            let (mut vectors, mut values) = (vec![0.0; n * n], vec![0.0; n]);
            decompose(&mut matrix.clone(), n, &mut vectors, &mut values);
            for i in 0..n {
                for j in 0..n {
                    let again: f64 =
                        (0..n).map(|k| vectors[i * n + k] * values[k] * vectors[j * n + k]).sum();
                    assert!((again - matrix[i * n + j]).abs() < 1e-12);
                    let dot: f64 = (0..n).map(|k| vectors[k * n + i] * vectors[k * n + j]).sum();
                    assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn known_eigenvalues() {
        // 2 on the diagonal and 1 beside it: 2 + sqrt(2), 2, 2 - sqrt(2).
        let mut matrix = [2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0];
        let (mut vectors, mut values) = ([0.0; 9], [0.0; 3]);
        decompose(&mut matrix, 3, &mut vectors, &mut values);
        values.sort_by(f64::total_cmp);
        let expected = [2.0 - 2f64.sqrt(), 2.0, 2.0 + 2f64.sqrt()];
        assert!(values.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14));
    }

    #[test]
    fn infinities_end() {
        let mut matrix = [f64::INFINITY, f64::NAN, f64::NAN, 1.0];
        decompose(&mut matrix, 2, &mut [0.0; 4], &mut [0.0; 2]);
    }
}
