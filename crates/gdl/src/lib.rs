//! Game Description Language: from text to a game that can be played.
//!
//! ```text
//! bytes ─ parse ─ check ─ Program ─┬─ Prover            (answers straight from the rules)
//!                                  └─ Grounding         (rules without variables, for networks)
//! ```
//!
//! [`Rulesheet::load`] does the first three steps. Every stage takes a value and returns a value;
//! nothing here prints or reads a file.

mod automaton;
mod check;
mod condense;
mod demand;
mod diagnostic;
mod ground;
mod grounder;
mod keymap;
mod limits;
mod order;
mod parse;
mod pattern;
mod program;
mod prover;
mod reading;
mod relation;
mod rulesheet;
mod saturate;
mod scc;
pub mod sexpr;
mod stratify;
mod symbol;
pub mod syntax;
mod term;
mod unfold;

pub use check::check;
pub use diagnostic::{Code, Diagnostic, Severity, Span};
pub use ground::{AtomId, GroundLiteral, Grounding, Unfinished};
pub use grounder::{Way, ground};
pub use limits::{LimitHit, Limits, Meter};
pub use parse::{Parsed, parse, parse_term};
pub use program::{Atom, Class, Literal, Pred, Predicate, Program, Rule, Term};
pub use prover::{FactSet, Prover, ProverError, ProverLimits};
pub use rulesheet::{Reading, Rulesheet};
pub use scc::{Components, Graph};
pub use sexpr::{MAX_BYTES, MAX_DEPTH};
pub use symbol::{Symbol, Symbols};
pub use term::{Functor, TermId, Terms};
