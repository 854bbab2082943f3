//! SWI-Prolog as an independent oracle for our reasoners, and as their yardstick of speed.
//!
//! A rulesheet is translated to a Prolog program ([`translate`]) and a `swipl` process answers for
//! any state what is legal, what comes next, whether the game is over and what it is worth
//! ([`Prolog`]). Nothing here uses our own reader or rules of GDL, so a mistake there cannot hide
//! here. The same process plays random games on its own ([`Prolog::random_games`]): the figure that
//! a plain Prolog player would reach.
//!
//! The way of the data: `sexpr` (text to lists) → `rules` (lists to rules) → `order` (when a
//! negation may be asked) → `depend` (what is recursive, what depends on the state) → `emit`
//! (Prolog text, completed by `runtime.pl`) → `process` (a running `swipl`).

mod depend;
mod emit;
mod error;
mod order;
mod process;
mod rules;
mod sexpr;
mod speed;

pub use emit::{Tabling, translate, translate_with};
pub use error::Error;
pub use process::{Answers, Prolog, Settings, installed};
pub use speed::{Speed, fastest};
