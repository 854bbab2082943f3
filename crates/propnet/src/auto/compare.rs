//! Whether a network answers like the prover, along random play [Sironi 2019, 4.3.4].

use gamegrove_game::{Describe, Game, Goal, Move, Rng, Role};
use gamegrove_gdl::{FactSet, Prover};
use thiserror::Error;

use crate::evaluate::Evaluator;
use crate::game::Propnet;
use crate::state::Bits;

/// A question that network and prover answer differently.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("network and prover disagree on {what}, {step} steps into a random game")]
pub struct Disagreement {
    /// The question.
    pub what: &'static str,
    /// The steps made.
    pub step: u32,
}

/// Plays at random on both from the same position as long as `goes_on` says, and compares facts, end,
/// goals and legal moves in every state. Returns the number of states compared. A prover that hits a
/// limit ends the comparison.
pub fn compare<E: Evaluator>(
    prover: &mut Prover,
    facts: &FactSet,
    network: &mut Propnet<E>,
    bits: &Bits,
    rng: &mut Rng,
    goes_on: impl Fn(u32) -> bool,
) -> Result<u32, Disagreement> {
    let roles: Vec<Role> = Role::all(prover.role_count()).collect();
    let (mut state, mut twin) = (facts.clone(), bits.clone());
    let (mut next, mut twin_next) = (state.clone(), twin.clone());
    let mut step = 0;
    while goes_on(step) {
        let wrong = |what| Err(Disagreement { what, step });
        let over = prover.is_terminal(&state);
        let goals = goals_of(prover, &state);
        let mut joints: (Vec<Move>, Vec<Move>) = (Vec::new(), Vec::new());
        let mut same_moves = network.role_count() == roles.len();
        for &role in &roles {
            if !same_moves {
                break;
            }
            let legal = legal(prover, &state, role);
            same_moves &= same_names(&legal, &self::legal(network, &twin, role));
            let picked = legal.get(rng.below(legal.len().max(1)));
            joints.0.extend(picked.map(|(_, mov)| *mov));
            let name = picked.map_or("", |(name, _)| name.as_str());
            joints.1.extend(network.find_move(role, name));
        }
        if prover.take_fault().is_some() {
            return Ok(step);
        }
        if network.facts(&twin) != prover.facts(&state) {
            return wrong("facts");
        }
        if network.is_terminal(&twin) != over {
            return wrong("the end");
        }
        if goals_of(network, &twin) != goals {
            return wrong("goals");
        }
        if !same_moves {
            return wrong("legal moves");
        }
        if over || joints.0.len() < roles.len() || joints.1.len() < roles.len() {
            return Ok(step + 1);
        }
        prover.apply(&state, &joints.0, &mut next);
        network.apply(&twin, &joints.1, &mut twin_next);
        if prover.take_fault().is_some() {
            return Ok(step + 1);
        }
        std::mem::swap(&mut state, &mut next);
        std::mem::swap(&mut twin, &mut twin_next);
        step += 1;
    }
    Ok(step)
}

fn goals_of<G: Game>(game: &mut G, state: &G::State) -> Vec<Goal> {
    let mut goals = vec![Goal::default(); game.role_count()];
    game.goals(state, &mut goals);
    goals
}

/// The legal moves with their names, sorted.
fn legal<G: Describe>(game: &mut G, state: &G::State, role: Role) -> Vec<(String, Move)> {
    let mut moves = Vec::new();
    game.legal_moves(state, role, &mut moves);
    let mut named: Vec<(String, Move)> =
        moves.into_iter().map(|mov| (game.move_name(role, mov), mov)).collect();
    named.sort_unstable();
    named
}

fn same_names(one: &[(String, Move)], other: &[(String, Move)]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.0 == b.0)
}
