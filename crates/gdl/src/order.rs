//! In which order to test the conditions of a rule.
//!
//! Greedy: a test whose variables all have values comes at once; among the literals that bind
//! variables the one expected to match the fewest rows comes next, and in case of doubt the one
//! the author wrote first.

use crate::program::Literal;

/// The order in which to take `literals` when the variables marked in `bound` have values.
/// `expected` estimates how many rows match a positive literal under the current bindings.
pub(crate) fn order(
    literals: &[Literal],
    bound: &[bool],
    mut expected: impl FnMut(&Literal, &[bool]) -> f64,
) -> Vec<usize> {
    let mut bound = bound.to_vec();
    let mut rest: Vec<usize> = (0..literals.len()).collect();
    let mut order = Vec::with_capacity(literals.len());
    while !rest.is_empty() {
        let mut best: Option<(f64, usize)> = None;
        for (place, &index) in rest.iter().enumerate() {
            let literal = &literals[index];
            let ready = literal.variables().all(|v| bound[usize::from(v)]);
            let cost = match literal {
                Literal::Distinct(..) | Literal::Equal(..) if ready => 0.0,
                Literal::Any(_) if ready => 0.05,
                Literal::Negative(_) if ready => 0.6 * expected(literal, &bound).max(0.1),
                Literal::Positive(_) => expected(literal, &bound),
                _ => continue,
            };
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, place));
            }
        }
        // Safety was checked, so some literal is always ready; should it not be, take any.
        let place = best.map_or(0, |(_, place)| place);
        let index = rest.remove(place);
        literals[index].variables().for_each(|v| bound[usize::from(v)] = true);
        order.push(index);
    }
    order
}
