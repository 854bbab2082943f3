//! How a literal is matched against rows of terms when some of its variables have values.
//!
//! A row of a relation holds one term per argument. Function terms inside a literal are followed
//! by *paths* into the terms of the row, so `(true (cell ?x ?y b))` is matched against a row of one
//! term without taking terms apart in advance.

use smallvec::SmallVec;

use crate::program::Term;
use crate::term::{Functor, TermId, Terms};

/// A variable's place in the values of a rule.
pub(crate) type Register = u16;

/// Where to find a term in a row: a column, or an argument within the term in a column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Path {
    Column(u16),
    Argument(u16, u16),
    Deep(Box<[u16]>),
}

impl Path {
    fn new(steps: &[u16]) -> Path {
        match *steps {
            [column] => Path::Column(column),
            [column, arg] => Path::Argument(column, arg),
            _ => Path::Deep(steps.into()),
        }
    }

    #[inline(always)]
    pub fn get(&self, terms: &Terms, row: &[TermId]) -> TermId {
        match self {
            Path::Column(column) => row[usize::from(*column)],
            Path::Argument(column, arg) => terms.arg(row[usize::from(*column)], usize::from(*arg)),
            Path::Deep(steps) => deep(steps, terms, row),
        }
    }
}

#[cold]
fn deep(steps: &[u16], terms: &Terms, row: &[TermId]) -> TermId {
    let start = row[usize::from(steps[0])];
    steps[1..].iter().fold(start, |term, &arg| terms.arg(term, usize::from(arg)))
}

/// How to compute a term from values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    Register(Register),
    Constant(TermId),
    /// A function of variables and constants.
    Flat(Functor, Box<[Build]>),
    /// A function with a function inside.
    Nested(Functor, Box<[Build]>),
}

impl Build {
    pub fn new(term: &Term) -> Build {
        match term {
            Term::Variable(register) => Build::Register(*register),
            Term::Constant(id) => Build::Constant(*id),
            Term::Function(functor, args) => {
                let args: Box<[Build]> = args.iter().map(Build::new).collect();
                if args.iter().all(Build::is_simple) {
                    Build::Flat(*functor, args)
                } else {
                    Build::Nested(*functor, args)
                }
            }
        }
    }

    /// The term, if it has been met before; a term that has not cannot be in any row.
    #[inline(always)]
    pub fn find(&self, terms: &Terms, values: &[TermId]) -> Option<TermId> {
        match self {
            Build::Register(register) => Some(values[usize::from(*register)]),
            Build::Constant(id) => Some(*id),
            Build::Flat(functor, args) => {
                terms.find_each(*functor, args.iter().map(|arg| arg.simple(values)))
            }
            Build::Nested(functor, args) => Build::find_nested(*functor, args, terms, values),
        }
    }

    fn is_simple(&self) -> bool {
        matches!(self, Build::Register(_) | Build::Constant(_))
    }

    /// The value of a variable or constant.
    #[inline(always)]
    fn simple(&self, values: &[TermId]) -> TermId {
        match self {
            Build::Register(register) => values[usize::from(*register)],
            Build::Constant(id) => *id,
            Build::Flat(..) | Build::Nested(..) => unreachable!("functions are looked up"),
        }
    }

    #[cold]
    fn find_nested(
        functor: Functor,
        args: &[Build],
        terms: &Terms,
        values: &[TermId],
    ) -> Option<TermId> {
        let args: Option<SmallVec<[TermId; 8]>> =
            args.iter().map(|arg| arg.find(terms, values)).collect();
        terms.find(functor, &args?)
    }

    /// Whether both are the same term under these values.
    #[inline]
    pub fn same(&self, other: &Build, terms: &Terms, values: &[TermId]) -> bool {
        match (self.find(terms, values), other.find(terms, values)) {
            // Terms not met before are compared part by part.
            (None, None) => match (self, other) {
                (
                    Build::Flat(f, a) | Build::Nested(f, a),
                    Build::Flat(g, b) | Build::Nested(g, b),
                ) => f == g && a.iter().zip(b).all(|(a, b)| a.same(b, terms, values)),
                _ => false,
            },
            (a, b) => a == b,
        }
    }

    /// The term, made if it is new; `None` if it would be nested too deeply.
    pub fn make(&self, terms: &mut Terms, values: &[TermId]) -> Option<TermId> {
        match self {
            Build::Register(register) => Some(values[usize::from(*register)]),
            Build::Constant(id) => Some(*id),
            Build::Flat(functor, args) | Build::Nested(functor, args) => {
                let args: Option<Vec<_>> = args.iter().map(|a| a.make(terms, values)).collect();
                terms.intern(*functor, &args?)
            }
        }
    }
}

/// A literal's arguments, split by what is known about them before a row is looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pattern {
    /// Terms that must have this functor; outer ones first.
    pub guards: Vec<(Path, Functor)>,
    /// Terms whose value is known.
    pub keys: Vec<(Path, Build)>,
    /// Terms that give a variable its value.
    pub binds: Vec<(Path, Register)>,
    /// Terms that must equal a variable bound by the same row.
    pub checks: Vec<(Path, Register)>,
    /// Whether all known terms are variables or constants, as they nearly always are.
    pub simple_keys: bool,
}

impl Pattern {
    /// The pattern of `args` when the variables for which `bound` is true have values. Marks the
    /// variables that a match binds.
    pub fn new(args: &[Term], bound: &mut [bool]) -> Pattern {
        let mut pattern = Pattern::default();
        let known = bound.to_vec();
        let mut path = Vec::new();
        for (column, arg) in args.iter().enumerate() {
            path.push(column as u16);
            pattern.visit(arg, &known, bound, &mut path);
            path.pop();
        }
        pattern.simple_keys = pattern.keys.iter().all(|(_, build)| build.is_simple());
        pattern
    }

    /// The known terms, if [`simple_keys`](Pattern::simple_keys).
    #[inline(always)]
    pub fn known(&self, values: &[TermId]) -> impl Iterator<Item = TermId> {
        self.keys.iter().map(|(_, build)| build.simple(values))
    }

    fn visit(&mut self, term: &Term, known: &[bool], bound: &mut [bool], path: &mut Vec<u16>) {
        if term.variables().all(|register| known[usize::from(register)]) {
            self.keys.push((Path::new(path), Build::new(term)));
            return;
        }
        match term {
            Term::Variable(register) => {
                let first = !std::mem::replace(&mut bound[usize::from(*register)], true);
                let list = if first { &mut self.binds } else { &mut self.checks };
                list.push((Path::new(path), *register));
            }
            Term::Function(functor, args) => {
                self.guards.push((Path::new(path), *functor));
                for (index, arg) in args.iter().enumerate() {
                    path.push(index as u16);
                    self.visit(arg, known, bound, path);
                    path.pop();
                }
            }
            Term::Constant(_) => {}
        }
    }

    /// Whether the known terms are all columns of a row with `width` columns.
    pub fn covers_row(&self, width: usize) -> bool {
        self.keys.len() == width
            && self.keys.iter().all(|(path, _)| matches!(path, Path::Column(_)))
    }

    /// The arguments that an index for this pattern uses.
    pub fn shape(&self) -> Shape {
        Shape {
            guards: self.guards.clone(),
            keys: self.keys.iter().map(|(path, _)| path.clone()).collect(),
        }
    }

    /// Binds variables from a row that has passed the guards and keys; false if the row does not
    /// fit after all.
    #[inline(always)]
    pub fn bind(&self, terms: &Terms, row: &[TermId], values: &mut [TermId]) -> bool {
        for (path, register) in &self.binds {
            values[usize::from(*register)] = path.get(terms, row);
        }
        self.checks
            .iter()
            .all(|(path, register)| path.get(terms, row) == values[usize::from(*register)])
    }
}

/// The part of a [`Pattern`] that decides which rows of an index can match.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    pub guards: Vec<(Path, Functor)>,
    pub keys: Vec<Path>,
}

impl Shape {
    /// Writes the row's key to `key`; false if the row fails a guard.
    #[inline]
    pub fn key(&self, terms: &Terms, row: &[TermId], key: &mut Vec<TermId>) -> bool {
        for (path, functor) in &self.guards {
            if terms.functor_of(path.get(terms, row)) != *functor {
                return false;
            }
        }
        key.clear();
        key.extend(self.keys.iter().map(|path| path.get(terms, row)));
        true
    }
}
