//! Which way of following changes suits a game: found by random play from the start.
//!
//! What is compared is how many counters are touched, not time, so a game gets the same settings on
//! every machine and in every run.

use std::sync::Arc;

use gamegrove_game::{Move, Rng, Role};

use super::{Forward, Settings};
use crate::circuit::{Circuit, Signal};
use crate::evaluate::Evaluator;
use crate::state::ones;

/// Steps of random play that are looked at.
const STEPS: u32 = 400;
/// Counters touched after which there are no more steps: large circuits.
const MOST_WORK: u64 = 4_000_000;
/// The fewest gates a guard is worth its trouble for.
const GUARD_FROM: usize = 16;
/// The cost of an input in partial evaluation, in counters touched.
const PARTIAL: u64 = 4;
/// The cost of five words of an effect's gates: they are read in order and end early.
const GATES: u64 = 2;

/// The evaluator with the settings that touch least.
pub(super) fn tune(circuit: &Circuit, start: &[u64]) -> Forward {
    let plain = Settings { effects: true, ..Settings::default() };
    let mut settings = Settings { guard_from: Some(GUARD_FROM), ..plain.clone() };
    let mut followed = Forward::with_settings(circuit, &Settings { effects: false, ..plain });
    let mut trial = Trial::new(circuit);
    trial.play(&mut followed, circuit, start);
    settings.effects = trial.effects_pay(&followed, circuit);
    settings.toggles = trial.toggles;
    settings.steps = trial.steps.max(1);
    Forward::with_settings(circuit, &settings)
}

struct Trial {
    steps: u32,
    /// How often each line of the circuit changed.
    toggles: Vec<u32>,
    joints: Vec<Vec<Move>>,
    work: u64,
}

impl Trial {
    fn new(circuit: &Circuit) -> Trial {
        let lines = circuit.first_gate() as usize + circuit.gates.len();
        Trial { steps: 0, toggles: vec![0; lines], joints: Vec::new(), work: 0 }
    }

    /// Plays at random and counts what changes.
    fn play(&mut self, game: &mut Forward, circuit: &Circuit, start: &[u64]) {
        let plan = Arc::clone(&game.plan);
        let numbering = &plan.numbering;
        // Lines of the plan back to lines of the circuit.
        let mut lines = vec![0u32; numbering.lines()];
        for line in 1..self.toggles.len() as u32 {
            if let Some(number) = numbering.line(Signal::new(line, false)) {
                lines[number as usize] = line;
            }
        }
        let mut rng = Rng::new(1);
        let (mut state, mut next) = (start.to_vec(), start.to_vec());
        let mut before = game.work.values.clone();
        let roles = circuit.legal.len();
        while self.steps < STEPS && self.work < MOST_WORK {
            let mut joint = Vec::new();
            if !game.is_terminal(&state) {
                for role in Role::all(roles) {
                    let legal: Vec<usize> = ones(game.legal(&state, role)).collect();
                    joint.extend(rng.pick(&legal).map(|at| Move(at as u32)));
                }
            }
            self.steps += 1;
            if joint.len() < roles {
                // The end, or a role cannot move: again from the start.
                if state == start {
                    return;
                }
                state.copy_from_slice(start);
                continue;
            }
            game.next(&state, &joint, &mut next);
            std::mem::swap(&mut state, &mut next);
            self.joints.push(joint);
            let changes = before.iter_mut().zip(&game.work.values).enumerate();
            for (word, (before, &now)) in changes {
                for bit in ones(&[std::mem::replace(before, now) ^ now]) {
                    let line = word * 64 + bit;
                    self.toggles[lines[line] as usize] += 1;
                    self.work += 1 + game.plan.targets(line).len() as u64;
                }
            }
        }
    }

    /// Whether working out effects costs less than following moves through the circuit.
    fn effects_pay(&self, followed: &Forward, circuit: &Circuit) -> bool {
        let with = Settings { effects: true, ..Settings::default() };
        let mut with = Forward::with_settings(circuit, &with);
        let Some(movers) = with.movers.clone() else { return false };
        let (mut follow, mut keep) = (0, 0);
        for line in 1..self.toggles.len() as u32 {
            let signal = Signal::new(line, false);
            let cost = |forward: &Forward| {
                let number = forward.plan.numbering.line(signal);
                number.map_or(0, |n| 2 + forward.plan.targets(n as usize).len() as u64)
            };
            let toggles = u64::from(self.toggles[line as usize]);
            follow += toggles * cost(followed);
            keep += toggles * cost(&with);
        }
        let mut gates = 0;
        for joint in &self.joints {
            let effect = with.effects.of(&movers, joint);
            gates += with.effects.length(effect) as u64;
            // Effects are worked out once; in the long run few are new.
            if keep + gates * GATES / 5 + with.effects.worked() * PARTIAL / 8 > follow {
                return false;
            }
        }
        true
    }
}
