//! Terms and moves that all workers of a prover number alike.
//!
//! The master copy only grows. Each worker reads its own copy without a lock and goes to the
//! master when it meets something its copy lacks.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamegrove_game::{Move, Role};

use crate::keymap::KeyMap;
use crate::pattern::Build;
use crate::symbol::Symbol;
use crate::term::{TermId, Terms};

#[derive(Clone, Debug)]
struct Words {
    terms: Terms,
    /// The moves of each role.
    moves: Vec<KeyMap>,
}

/// One worker's view of the terms and moves.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary {
    local: Words,
    master: Arc<Mutex<Words>>,
}

/// A term is nested too deeply.
#[derive(Debug)]
pub(super) struct TooDeep;

impl Vocabulary {
    pub fn new(terms: Terms, roles: usize) -> Vocabulary {
        let words = Words { terms, moves: vec![KeyMap::new(1); roles] };
        Vocabulary { local: words.clone(), master: Arc::new(Mutex::new(words)) }
    }

    /// The same words in a copy of their own.
    pub fn detached(&self) -> Vocabulary {
        let words = self.local.clone();
        Vocabulary { local: words.clone(), master: Arc::new(Mutex::new(words)) }
    }

    #[inline]
    pub fn terms(&self) -> &Terms {
        &self.local.terms
    }

    /// Makes sure that `term`, which another worker may have met, is known here.
    #[inline]
    pub fn learn(&mut self, term: TermId) {
        if term.index() >= self.local.terms.len() {
            let master = lock(&self.master);
            self.local.terms.catch_up(&master.terms);
        }
    }

    /// The term that `build` describes.
    #[inline]
    pub fn make(&mut self, build: &Build, values: &[TermId]) -> Result<TermId, TooDeep> {
        match build.find(&self.local.terms, values) {
            Some(known) => Ok(known),
            None => self.make_new(build, values),
        }
    }

    /// The term with this name and these arguments; `None` if it would be too deep or too large.
    pub fn term(&mut self, name: Symbol, args: &[TermId]) -> Option<TermId> {
        let known = self.local.terms.find_functor(name, args.len());
        if let Some(term) = known.and_then(|functor| self.local.terms.find(functor, args)) {
            return Some(term);
        }
        let mut master = lock(&self.master);
        let functor = master.terms.functor(name, args.len());
        let made = master.terms.intern(functor, args);
        self.local.terms.catch_up(&master.terms);
        made
    }

    #[cold]
    fn make_new(&mut self, build: &Build, values: &[TermId]) -> Result<TermId, TooDeep> {
        let mut master = lock(&self.master);
        let made = build.make(&mut master.terms, values).ok_or(TooDeep);
        self.local.terms.catch_up(&master.terms);
        made
    }

    /// The number of a role's move.
    #[inline]
    pub fn move_number(&mut self, role: Role, term: TermId) -> Move {
        if let Some(known) = self.local.moves[role.index()].find(&[term]) {
            return Move(known);
        }
        let mut master = lock(&self.master);
        let (number, _) = master.moves[role.index()].insert(&[term]);
        self.local.catch_up_moves(&master, role);
        Move(number)
    }

    /// The number of a role's move, if it has been met.
    pub fn find_move(&mut self, role: Role, term: TermId) -> Option<Move> {
        let master = lock(&self.master);
        self.local.catch_up_moves(&master, role);
        self.local.moves[role.index()].find(&[term]).map(Move)
    }

    /// The term of a role's move.
    #[inline]
    pub fn move_term(&mut self, role: Role, mov: Move) -> Option<TermId> {
        if mov.index() >= self.local.moves[role.index()].len() {
            let master = lock(&self.master);
            self.local.catch_up_moves(&master, role);
        }
        let moves = &self.local.moves[role.index()];
        (mov.index() < moves.len()).then(|| moves.key(mov.0)[0])
    }

    /// As [`move_term`](Vocabulary::move_term), for callers that may not change the local copy.
    pub fn any_move_term(&self, role: Role, mov: Move) -> Option<TermId> {
        let known = |moves: &KeyMap| (mov.index() < moves.len()).then(|| moves.key(mov.0)[0]);
        known(&self.local.moves[role.index()])
            .or_else(|| known(&lock(&self.master).moves[role.index()]))
    }

    /// A table that knows `term`, which another worker may have met.
    pub fn terms_with(&self, term: TermId) -> Cow<'_, Terms> {
        if term.index() < self.local.terms.len() {
            Cow::Borrowed(&self.local.terms)
        } else {
            Cow::Owned(lock(&self.master).terms.clone())
        }
    }

    /// How many moves of `role` have been met.
    pub fn move_count(&self, role: Role) -> usize {
        lock(&self.master).moves[role.index()].len()
    }
}

impl Words {
    fn catch_up_moves(&mut self, newer: &Words, role: Role) {
        self.terms.catch_up(&newer.terms);
        let (own, all) = (&mut self.moves[role.index()], &newer.moves[role.index()]);
        for number in own.len()..all.len() {
            own.insert(all.key(number as u32));
        }
    }
}

/// The words are whole even if a worker stopped in the middle: they only ever grow.
fn lock(master: &Mutex<Words>) -> MutexGuard<'_, Words> {
    master.lock().unwrap_or_else(PoisonError::into_inner)
}
