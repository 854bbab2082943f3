//! Game Description Language: from text to a game that can be played.
//!
//! ```text
//! bytes ─ parse ─ check ─ Program ─┬─ Prover            (answers straight from the rules)
//!                                  └─ Grounding         (rules without variables, for networks)
//! ```
//!
//! [`Rulesheet::load`] does the first three steps. Every stage takes a value and returns a value;
//! nothing here prints or reads a file.
//!
//! # Modules
//!
//! - Text: [`sexpr`] reads nested lists, [`mod@parse`] makes sentences of them, [`syntax`] is the tree,
//!   [`symbol`] has the names.
//! - Checks: [`mod@check`] has one file per question, [`diagnostic`] is a finding.
//! - Rewritings before sentences become rules: [`reading`] (negations from left to right), [`stratify`].
//!   [`rulesheet`] is the whole way from text to [`program`], where relations, variables and terms are
//!   numbers.
//! - Used by both evaluators: [`term`], [`keymap`], [`pattern`], [`relation`], [`order`], [`scc`],
//!   [`limits`].
//! - Bottom-up evaluation: [`saturate`] derives rows, [`mod@ground`] makes rules without variables.
//!   [`grounder`] says which of these is tried in which order: [`condense`] (fewer variables per rule),
//!   [`unfold`] (wide relations of constants written out), [`automaton`] (wide constraints read variable
//!   by variable), [`demand`] (only what is asked for).
//! - [`prover`] is top-down evaluation with tables.
//!
//! # Invariants
//!
//! Parsing never fails: it returns what it understood, with diagnostics. No function recurses beyond a
//! fixed depth. Set-up of the prover is limited in steps, not in time, so it is the same on every
//! machine.

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
