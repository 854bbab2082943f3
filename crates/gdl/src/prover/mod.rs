//! The prover: answers straight from the rules, for any rulesheet, without grounding it first.
//!
//! Relations that do not depend on the state are computed once, as far as they are small. The rest
//! is evaluated for the present state, on demand (see [`machine`]), by rules that were ordered by
//! what a few random steps showed (see [`setup`]).

mod code;
mod facts;
mod features;
mod machine;
mod setup;
mod table;
mod vocabulary;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gamegrove_game::{Describe, Fault, Features, Game, Goal, Move, Role};
use thiserror::Error;

use self::code::Code;
use self::machine::{Machine, Rules};
use crate::check::goal_value;
use crate::parse::parse_term;
use crate::program::Program;
use crate::relation::Relation;
use crate::symbol::Symbols;
use crate::syntax::{self, TermKind};
use crate::term::TermId;

/// Answers questions about a game from its rules.
#[derive(Clone, Debug)]
pub struct Prover {
    shared: Arc<Shared>,
    machine: Machine,
    /// The legal moves of each role in the state they were last asked for.
    legal: Vec<Vec<Move>>,
    /// Whether `legal` belongs to the machine's current state.
    legal_known: bool,
}

#[derive(Debug)]
struct Shared {
    program: Arc<Program>,
    code: Code,
    statics: Vec<Relation>,
    roles: Vec<TermId>,
    init: FactSet,
}

/// A state of a game: the facts that hold, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FactSet(Vec<TermId>);

impl FactSet {
    /// The facts.
    pub fn facts(&self) -> &[TermId] {
        &self.0
    }
}

/// How much a prover may use.
#[derive(Clone, Copy, Debug)]
pub struct ProverLimits {
    /// Elementary steps in one query. A step takes a few nanoseconds to a few tens.
    pub work: u64,
    /// States that set-up looks at to see how to order the rules. Fewer give a prover sooner, and a
    /// slower one.
    pub samples: usize,
    /// Bytes of remembered answers and terms. The facts of one state may take an eighth of it as texts.
    pub memory: usize,
    /// Elementary steps to compute one relation that does not depend on the state; a larger one is
    /// evaluated on demand.
    pub static_steps: u64,
}

impl Default for ProverLimits {
    fn default() -> Self {
        ProverLimits { work: 100_000_000, samples: 48, memory: 512 << 20, static_steps: 4_000_000 }
    }
}

/// The reason why a rulesheet cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProverError {
    /// No role holds.
    #[error("the rules define no role")]
    NoRoles,
    /// More roles than a game can have.
    #[error("the rules give {0} roles; at most 255 are possible")]
    TooManyRoles(usize),
    /// A limit was hit before the game could start.
    #[error("the start of the game could not be worked out: {0}")]
    Limit(Fault),
}

impl Prover {
    /// A prover with the default limits.
    pub fn new(program: &Arc<Program>) -> Result<Prover, ProverError> {
        Prover::with_limits(program, ProverLimits::default())
    }

    /// A prover with the given limits.
    pub fn with_limits(
        program: &Arc<Program>,
        limits: ProverLimits,
    ) -> Result<Prover, ProverError> {
        setup::prover(program, limits, None)
    }

    /// As [`with_limits`](Prover::with_limits), but set-up and all later queries end soon after
    /// `stop` is set: with [`Fault::Stopped`].
    pub fn stoppable(
        program: &Arc<Program>,
        limits: ProverLimits,
        stop: &Arc<AtomicBool>,
    ) -> Result<Prover, ProverError> {
        setup::prover(program, limits, Some(Arc::clone(stop)))
    }

    /// Makes queries of this worker, and of its clones to come, end when `stop` is set.
    pub fn stop_with(&mut self, stop: Option<&Arc<AtomicBool>>) {
        self.machine.allowance.stop = stop.cloned();
    }

    /// The same game for work that shares no numbering of moves with this one: what a worker
    /// meets then depends on nothing but its own queries.
    pub fn detached(&self) -> Prover {
        let mut copy = self.clone();
        copy.machine.words = self.machine.words.detached();
        copy
    }

    /// The rules.
    pub fn program(&self) -> &Arc<Program> {
        &self.shared.program
    }

    /// The goal values that the rules give a role in `state`: exactly one in a sound game's
    /// terminal states.
    pub fn goal_values(&mut self, state: &FactSet, role: Role) -> Vec<String> {
        let player = self.shared.roles[role.index()];
        self.with_answers(
            state,
            |code| code.goal,
            |machine, shared, rows| {
                rows.filter(|row| row[0] == player)
                    .map(|row| shared.program.term_text(machine.words.terms(), row[1]))
                    .collect()
            },
        )
    }

    /// The state in which these facts hold, as [`Describe::facts`] writes them; `None` if one is no
    /// fact that the rules could name.
    pub fn state_of(&mut self, facts: &[String]) -> Option<FactSet> {
        let mut terms = Vec::with_capacity(facts.len());
        for fact in facts {
            let mut names = Symbols::default();
            let term = parse_term(fact, &mut names).ok()?;
            terms.push(self.make_term(&term, &names)?);
        }
        terms.sort_unstable();
        terms.dedup();
        Some(FactSet(terms))
    }

    /// The parser limits how deep a term is.
    fn make_term(&mut self, term: &syntax::Term, names: &Symbols) -> Option<TermId> {
        let (name, args): (_, &[syntax::Term]) = match &term.kind {
            TermKind::Variable(_) => return None,
            TermKind::Constant(name) => (*name, &[]),
            TermKind::Function(name, args) => (*name, args),
        };
        let symbol = self.shared.program.symbols.find(names.name(name))?;
        let args: Option<Vec<TermId>> = args.iter().map(|arg| self.make_term(arg, names)).collect();
        self.machine.words.term(symbol, &args?)
    }

    /// Turns to a state.
    fn look_at(&mut self, state: &FactSet) {
        if !self.machine.facts.is(&state.0) {
            self.machine.set_state(&state.0);
            self.legal_known = false;
        }
    }

    fn ask(&mut self, state: &FactSet, question: impl Fn(&Code) -> usize) -> machine::Answered {
        self.look_at(state);
        let rules = Rules { code: &self.shared.code, statics: &self.shared.statics };
        self.machine.ask(&rules, question(&self.shared.code))
    }

    fn with_answers<T>(
        &mut self,
        state: &FactSet,
        question: impl Fn(&Code) -> usize,
        read: impl FnOnce(&Machine, &Shared, &mut dyn Iterator<Item = &[TermId]>) -> T,
    ) -> T {
        let answered = self.ask(state, question);
        read(&self.machine, &self.shared, &mut self.machine.answers(answered))
    }

    fn find_legal(&mut self, state: &FactSet) {
        let answered = self.ask(state, |code| code.legal);
        if self.legal_known {
            return;
        }
        self.legal.iter_mut().for_each(Vec::clear);
        let rows: Vec<[TermId; 2]> =
            self.machine.answers(answered).map(|row| [row[0], row[1]]).collect();
        for [player, mov] in rows {
            // A legal move of something that is not a role has no effect.
            if let Some(role) = self.shared.roles.iter().position(|&role| role == player) {
                let number = self.machine.words.move_number(Role(role as u8), mov);
                self.legal[role].push(number);
            }
        }
        // Recursive relations give their answers in an order that depends on what was asked before.
        self.legal.iter_mut().for_each(|moves| moves.sort_unstable());
        self.legal_known = true;
    }

    fn find_term(&self, term: &syntax::Term, names: &Symbols) -> Option<TermId> {
        let terms = self.machine.words.terms();
        let symbol = |name| self.shared.program.symbols.find(names.name(name));
        match &term.kind {
            TermKind::Variable(_) => None,
            TermKind::Constant(name) => terms.find(terms.find_functor(symbol(*name)?, 0)?, &[]),
            TermKind::Function(name, args) => {
                let functor = terms.find_functor(symbol(*name)?, args.len())?;
                let args: Option<Vec<_>> =
                    args.iter().map(|arg| self.find_term(arg, names)).collect();
                terms.find(functor, &args?)
            }
        }
    }
}

impl Game for Prover {
    type State = FactSet;

    fn role_count(&self) -> usize {
        self.shared.roles.len()
    }

    fn move_bound(&self, role: Role) -> usize {
        self.machine.words.move_count(role)
    }

    fn initial_state(&mut self) -> FactSet {
        self.shared.init.clone()
    }

    fn is_terminal(&mut self, state: &FactSet) -> bool {
        self.look_at(state);
        let rules = Rules { code: &self.shared.code, statics: &self.shared.statics };
        self.machine.ask_whether(&rules, self.shared.code.terminal) || self.machine.fault.is_some()
    }

    fn legal_moves(&mut self, state: &FactSet, role: Role, moves: &mut Vec<Move>) {
        self.find_legal(state);
        moves.clear();
        moves.extend_from_slice(&self.legal[role.index()]);
    }

    fn any_move(&mut self, state: &FactSet, role: Role) -> Option<Move> {
        self.look_at(state);
        if self.legal_known {
            return self.legal[role.index()].first().copied();
        }
        let rules = Rules { code: &self.shared.code, statics: &self.shared.statics };
        let (question, player) = (self.shared.code.legal, self.shared.roles[role.index()]);
        let found = self.machine.ask_for_one(&rules, question, player)?;
        Some(self.machine.words.move_number(role, found))
    }

    fn apply(&mut self, state: &FactSet, joint: &[Move], next: &mut FactSet) {
        self.look_at(state);
        let mut does: Vec<[TermId; 2]> = Vec::with_capacity(joint.len());
        for ((role, &player), &mov) in Role::all(joint.len()).zip(&self.shared.roles).zip(joint) {
            does.extend(self.machine.words.move_term(role, mov).map(|term| [player, term]));
        }
        self.machine.set_does(does.into_iter());
        let answered = self.ask(state, |code| code.next);
        next.0.clear();
        next.0.extend(self.machine.answers(answered).map(|row| row[0]));
        if let Err(fault) = self.machine.check_state(&next.0) {
            self.machine.fault.get_or_insert(fault);
            next.0.clear();
        }
        next.0.sort_unstable();
    }

    fn goals(&mut self, state: &FactSet, goals: &mut [Goal]) {
        let answered = self.ask(state, |code| code.goal);
        let mut counts = vec![0u32; goals.len()];
        goals.fill(Goal::WORST);
        for row in self.machine.answers(answered) {
            let Some(role) = self.shared.roles.iter().position(|&role| role == row[0]) else {
                continue;
            };
            let terms = self.machine.words.terms();
            let value = self.shared.program.term_text(terms, row[1]);
            if let Some(value) = goal_value(&value) {
                counts[role] += 1;
                goals[role].0 += f32::from(value);
            }
        }
        for (goal, count) in goals.iter_mut().zip(counts) {
            goal.0 /= count.max(1) as f32;
        }
    }

    fn features(&self) -> Option<Box<dyn Features<FactSet>>> {
        let (shared, words) = (Arc::clone(&self.shared), self.machine.words.clone());
        Some(Box::new(features::FactFeatures { shared, words }))
    }

    fn stop_when(&mut self, stop: &Arc<AtomicBool>) {
        self.stop_with(Some(stop));
    }

    fn take_fault(&mut self) -> Option<Fault> {
        let fault = self.machine.fault.take();
        if fault.is_some() {
            // What was found out before the limit is incomplete.
            self.machine.forget_state();
            self.legal_known = false;
        }
        fault
    }
}

impl Describe for Prover {
    fn role_name(&self, role: Role) -> String {
        let terms = self.machine.words.terms();
        self.shared.program.term_text(terms, self.shared.roles[role.index()])
    }

    fn move_name(&self, role: Role, mov: Move) -> String {
        match self.machine.words.any_move_term(role, mov) {
            Some(term) => self.shared.program.term_text(&self.machine.words.terms_with(term), term),
            None => format!("unknown move {}", mov.0),
        }
    }

    fn find_move(&mut self, role: Role, name: &str) -> Option<Move> {
        let mut names = Symbols::default();
        let term = parse_term(name, &mut names).ok()?;
        let term = self.find_term(&term, &names)?;
        self.machine.words.find_move(role, term)
    }

    fn facts(&self, state: &FactSet) -> Vec<String> {
        // Facts are numbered in order, so words that include the last fact include all.
        let Some(&last) = state.0.last() else { return Vec::new() };
        let terms = self.machine.words.terms_with(last);
        let mut facts: Vec<String> =
            state.0.iter().map(|&fact| self.shared.program.term_text(&terms, fact)).collect();
        facts.sort_unstable();
        facts
    }
}
