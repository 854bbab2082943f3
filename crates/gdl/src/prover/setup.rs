//! How a prover comes to be: relations that never change are computed, then a few random steps show
//! how many rows match which conditions and which calls repeat, and the rules are compiled by that.
//!
//! All of it is deterministic: limits are in steps, not in time.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gamegrove_game::{Game, Move, Rng, Role};

use super::code::{Code, Experience, Knowledge, compile};
use super::machine::{Allowance, Machine, Rules};
use super::vocabulary::Vocabulary;
use super::{FactSet, Prover, ProverError, ProverLimits, Shared};
use crate::limits::Limits;
use crate::program::{Class, Pred, Program};
use crate::relation::Relation;
use crate::saturate::Saturation;
use crate::term::{TermId, Terms};

/// In one of so many states that are looked at all rows of derived relations are looked for.
const STATES_PER_EXTENSION: usize = 16;
/// Steps that one query may take while the rules are not ordered well yet.
const EARLY_WORK: u64 = 1 << 20;
/// Steps to find all rows of one derived relation in one state; a larger one stays unknown.
const EXTENSION_WORK: u64 = 1 << 16;
/// Answers are remembered if at least one call in this many repeats an earlier one.
const REPEATS_WORTH_A_TABLE: u32 = 4;

/// Makes a prover.
pub(super) fn prover(
    program: &Arc<Program>,
    limits: ProverLimits,
    stop: Option<Arc<AtomicBool>>,
) -> Result<Prover, ProverError> {
    let component = Limits {
        time: None,
        memory: limits.memory / 2,
        steps: Some(limits.static_steps),
        cancel: stop.clone(),
    };
    let mut saturation = Saturation::new(program, &component);
    let total = limits.static_steps.saturating_mul(5);
    let complete = saturation.complete_static_within(program, &component, total);
    let mut setup = Setup {
        program,
        complete,
        statics: saturation.relations,
        experience: Experience::default(),
        roles: 1,
        samples: limits.samples,
        allowance: Allowance { work: limits.work, memory: limits.memory, stop },
    };
    let (roles, init, terms) = setup.start(saturation.terms)?;
    setup.roles = roles.len();
    setup.experience.states.push(init.0.clone());
    let mut words = Vocabulary::new(terms, roles.len());
    setup.number_inputs(&roles, &mut words);

    let early = Allowance { work: EARLY_WORK.min(limits.work), ..setup.allowance.clone() };
    let (words, steps) = setup.play(words, &roles, &init, early.clone());
    let words = setup.find_extensions(words, &roles, &steps);
    // The better order calls relations in other ways; see which of these repeat.
    let (words, _) = setup.play(words, &roles, &init, early);
    let (code, _) = setup.compile(words.terms(), &[]);
    let Setup { statics, allowance, .. } = setup;
    let shared = Shared { program: Arc::clone(program), code, statics, roles, init };
    Ok(assemble(shared, words, allowance))
}

fn assemble(shared: Shared, words: Vocabulary, allowance: Allowance) -> Prover {
    let machine = Machine::new(words, &shared.code, allowance);
    let legal = vec![Vec::new(); shared.roles.len()];
    Prover { shared: Arc::new(shared), machine, legal, legal_known: false }
}

/// The knowledge so far.
struct Setup<'a> {
    program: &'a Arc<Program>,
    complete: Vec<bool>,
    statics: Vec<Relation>,
    experience: Experience,
    roles: usize,
    samples: usize,
    allowance: Allowance,
}

/// A state met in play and the moves made there.
type SampleStep = (FactSet, Vec<Move>);

impl Setup<'_> {
    fn compile(&mut self, terms: &Terms, preds: &[Pred]) -> (Code, Vec<usize>) {
        let knowledge = Knowledge {
            program: self.program,
            terms,
            statics: &mut self.statics,
            complete: &self.complete,
            experience: &mut self.experience,
            roles: self.roles,
        };
        compile(knowledge, preds)
    }

    /// The roles and the first state.
    fn start(&mut self, terms: Terms) -> Result<(Vec<TermId>, FactSet, Terms), ProverError> {
        let (code, _) = self.compile(&terms, &[]);
        let mut machine = Machine::new(Vocabulary::new(terms, 0), &code, self.allowance.clone());
        let rules = Rules { code: &code, statics: &self.statics };
        let mut column = |pred: Pred, procedure: usize| -> Result<Vec<TermId>, ProverError> {
            if self.complete[pred.index()] {
                let relation = &self.statics[pred.index()];
                return Ok((0..relation.len() as u32).map(|row| relation.row(row)[0]).collect());
            }
            let answered = machine.ask(&rules, procedure);
            match machine.fault.take() {
                Some(fault) => Err(ProverError::Limit(fault)),
                None => Ok(machine.answers(answered).map(|row| row[0]).collect()),
            }
        };
        let roles = column(Pred::ROLE, code.role)?;
        let mut init = FactSet(column(Pred::INIT, code.init)?);
        machine.check_state(&init.0).map_err(ProverError::Limit)?;
        init.0.sort_unstable();
        match roles.len() {
            0 => Err(ProverError::NoRoles),
            n if n > 255 => Err(ProverError::TooManyRoles(n)),
            _ => Ok((roles, init, machine.words.terms().clone())),
        }
    }

    /// Moves the rules announce are numbered in the order they announce them.
    fn number_inputs(&self, roles: &[TermId], words: &mut Vocabulary) {
        if !self.complete[Pred::INPUT.index()] {
            return;
        }
        let input = &self.statics[Pred::INPUT.index()];
        for row in 0..input.len() as u32 {
            let &[player, mov] = input.row(row) else { continue };
            if let Some(role) = roles.iter().position(|&role| role == player) {
                words.move_number(Role(role as u8), mov);
            }
        }
    }

    /// Plays a few random steps and remembers the states met and the calls that did not repeat.
    fn play(
        &mut self,
        words: Vocabulary,
        roles: &[TermId],
        init: &FactSet,
        allowance: Allowance,
    ) -> (Vocabulary, Vec<SampleStep>) {
        let (code, _) = self.compile(words.terms(), &[]);
        let shared = Shared {
            program: Arc::clone(self.program),
            code,
            statics: std::mem::take(&mut self.statics),
            roles: roles.to_vec(),
            init: init.clone(),
        };
        let mut prover = assemble(shared, words, allowance);
        let steps = random_steps(&mut prover, self.samples);
        let Prover { shared, machine, .. } = prover;
        for (procedure, [calls, known]) in shared.code.procedures.iter().zip(&machine.uses) {
            if *calls >= 16 && known * REPEATS_WORTH_A_TABLE < *calls {
                self.experience.fleeting.insert(procedure.call.clone());
            }
        }
        self.experience.states = steps.iter().map(|(state, _)| state.0.clone()).collect();
        // The prover was the only owner.
        if let Some(shared) = Arc::into_inner(shared) {
            self.statics = shared.statics;
        }
        (machine.words.detached(), steps)
    }

    /// Looks for all rows of derived relations in some states.
    fn find_extensions(
        &mut self,
        words: Vocabulary,
        roles: &[TermId],
        steps: &[SampleStep],
    ) -> Vocabulary {
        let derived = |index: &usize| {
            let pred = Pred(*index as u32);
            let predicate = &self.program.predicates[*index];
            let given = pred == Pred::TRUE || pred == Pred::DOES;
            predicate.class != Class::Static && predicate.arity > 0 && !given
        };
        let preds: Vec<Pred> = (0..self.program.predicates.len())
            .filter(derived)
            .map(|index| Pred(index as u32))
            .collect();
        let (code, questions) = self.compile(words.terms(), &preds);
        let allowance = Allowance { work: EXTENSION_WORK, ..self.allowance.clone() };
        let mut machine = Machine::new(words, &code, allowance);
        let rules = Rules { code: &code, statics: &self.statics };
        let count = self.samples / STATES_PER_EXTENSION;
        let chosen = (1..=count).map(|n| n * steps.len() / (count + 1));
        for (state, joint) in chosen.filter_map(|at| steps.get(at)) {
            machine.set_state(&state.0);
            let does: Vec<[TermId; 2]> = Role::all(joint.len())
                .zip(joint)
                .filter_map(|(role, &mov)| {
                    Some([roles[role.index()], machine.words.move_term(role, mov)?])
                })
                .collect();
            machine.set_does(does.into_iter());
            for (&pred, &question) in preds.iter().zip(&questions) {
                let answered = machine.ask(&rules, question);
                if machine.fault.take().is_some() {
                    machine.forget_state();
                    continue;
                }
                let mut rows = Relation::new(self.program.predicate(pred).arity);
                for row in machine.answers(answered) {
                    rows.insert(machine.words.terms(), row, 0);
                }
                self.experience.extensions.entry(pred).or_default().push(rows);
            }
        }
        machine.words.detached()
    }
}

/// States and moves of random play, from the start again whenever it ends.
fn random_steps(prover: &mut Prover, samples: usize) -> Vec<SampleStep> {
    let mut rng = Rng::new(0);
    let mut steps: Vec<SampleStep> = Vec::new();
    let mut state = prover.initial_state();
    let mut next = state.clone();
    let mut moves = Vec::new();
    while steps.len() < samples {
        let mut joint = Vec::new();
        if !prover.is_terminal(&state) {
            for role in Role::all(prover.role_count()) {
                prover.legal_moves(&state, role, &mut moves);
                joint.extend(rng.pick(&moves));
            }
        }
        steps.push((state.clone(), joint.clone()));
        if joint.len() == prover.role_count() {
            prover.apply(&state, &joint, &mut next);
            std::mem::swap(&mut state, &mut next);
        } else {
            state = prover.initial_state();
        }
        if prover.take_fault().is_some() {
            break;
        }
    }
    steps
}
