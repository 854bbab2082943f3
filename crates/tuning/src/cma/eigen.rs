//! Eigenvalues and eigenvectors of small symmetric matrices, by Jacobi's cyclic rotations.
//!
//! For the few dimensions of a tuning problem this is as fast as any method and more exact for
//! small eigenvalues; a library for large matrices would be the largest dependency of the project.

use smallvec::SmallVec;

/// Mixed entries this small against their axes are left alone: eigenvalues are exact all the same,
/// because they change with the square.
const TOLERANCE: f64 = 1e-9;

/// Decomposes the symmetric `matrix` (`n` x `n`, row by row) into `vectors * diag(values) *
/// vectors^T`. The eigenvectors are the columns. Begins with the orthogonal matrix that `vectors` is:
/// the nearer to the answer, the less there is to do. `matrix` is destroyed.
pub(crate) fn decompose(matrix: &mut [f64], n: usize, vectors: &mut [f64], values: &mut [f64]) {
    turn(matrix, n, vectors);
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

/// Replaces the symmetric `matrix` by `vectors^T * matrix * vectors`.
fn turn(matrix: &mut [f64], n: usize, vectors: &[f64]) {
    let mut product: SmallVec<[f64; 36]> = SmallVec::from_elem(0.0, n * n);
    for i in 0..n {
        for k in 0..n {
            let factor = matrix[i * n + k];
            for j in 0..n {
                product[i * n + j] += factor * vectors[k * n + j];
            }
        }
    }
    for i in 0..n {
        for j in 0..=i {
            let entry: f64 = (0..n).map(|k| vectors[k * n + i] * product[k * n + j]).sum();
            (matrix[i * n + j], matrix[j * n + i]) = (entry, entry);
        }
    }
}

/// Turns the plane of axes `p` and `q` so that their mixed entry vanishes; false if it is too small
/// to matter to either axis.
fn rotate(matrix: &mut [f64], n: usize, vectors: &mut [f64], p: usize, q: usize) -> bool {
    let mixed = matrix[p * n + q];
    let size = (matrix[p * n + p].abs() * matrix[q * n + q].abs()).sqrt();
    if mixed == 0.0 || mixed.abs() <= TOLERANCE * size {
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
    use crate::cma::identity;
    use gamegrove_game::Rng;

    #[test]
    fn the_parts_make_the_whole() {
        let mut rng = Rng::new(1);
        for n in [1, 2, 3, 6, 12] {
            let root: Vec<f64> = (0..n * n).map(|_| rng.unit() - 0.5).collect();
            let entry =
                |i: usize, j: usize| (0..n).map(|k| root[i * n + k] * root[j * n + k]).sum();
            let matrix: Vec<f64> = (0..n * n).map(|at| entry(at / n, at % n)).collect();
            let (mut vectors, mut values) = (identity(n), vec![0.0; n]);
            decompose(&mut matrix.clone(), n, &mut vectors, &mut values);
            // From where it is it goes nowhere, however often.
            let before = values.clone();
            for _ in 0..100 {
                decompose(&mut matrix.clone(), n, &mut vectors, &mut values);
            }
            assert!(values.iter().zip(before).all(|(a, b)| (a - b).abs() < 1e-13));
            for i in 0..n {
                for j in 0..n {
                    let again: f64 =
                        (0..n).map(|k| vectors[i * n + k] * values[k] * vectors[j * n + k]).sum();
                    assert!((again - matrix[i * n + j]).abs() < 1e-7);
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
        let (mut vectors, mut values) = (identity(3), [0.0; 3]);
        decompose(&mut matrix, 3, &mut vectors, &mut values);
        values.sort_by(f64::total_cmp);
        let expected = [2.0 - 2f64.sqrt(), 2.0, 2.0 + 2f64.sqrt()];
        assert!(values.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14));
    }

    #[test]
    fn infinities_end() {
        let mut matrix = [f64::INFINITY, f64::NAN, f64::NAN, 1.0];
        decompose(&mut matrix, 2, &mut identity(2), &mut [0.0; 2]);
    }
}
