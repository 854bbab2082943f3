//! Experiments: who plays whom, how often, and what comes out.
//!
//! ```text
//! experiments/*.toml ─ Spec ─ Plan ─ run ─ Store ─ Report ─ Markdown, CSV, JSON, HTML
//!                      (spec) (plan) (run) (store) (report)
//!                                └── chunk ──┘
//! ```
//!
//! A [`Spec`] is a published table as data. A [`Plan`] is the list of its games, each of which depends
//! on its own seed alone. [`run()`] plays what the [`Store`] lacks, on all cores, alone or beside other
//! processes; [`chunk`] carries the same work to other machines. A [`Report`](report::Report) can be
//! made at any time from what is there.
//!
//! [`tune`] finds values for an agent's parameters by matches, on the same venues and stores.
//!
//! How games are played is a [`Venue`]'s business: [`Boards`] opens what crate `play` knows, a [`Folder`]
//! has rules of its own.
//!
//! # Modules
//!
//! - [`spec`] reads the file key by key, [`plan`] lists the matches, [`store`] keeps them in SQLite,
//!   [`mod@run`] plays what is missing, [`status`] counts. [`chunk`] carries work to other machines as
//!   text, a [`Ledger`] keeps results as text. [`library`] has the experiments that ship.
//! - [`report`] gathers results and writes them, [`stats`] is the arithmetic, [`mod@machine`] says where
//!   they were made.
//! - [`mod@venue`] is the interface to games; [`boards`] and [`folder`] implement it.
//! - [`tune`]: `tune/driver` decides which values a match gets, from the results of earlier matches.
//!
//! # Invariants
//!
//! A cell's identity is a hash of all that its matches depend on. A finished match is one transaction
//! and counts once. A claim on a match holds while the process lives, which a file lock shows; no clock
//! decides anything.

mod agenda;
mod boards;
pub mod chunk;
mod folder;
mod ledger;
mod library;
mod machine;
mod plan;
pub mod report;
mod run;
mod spec;
pub mod stats;
mod status;
mod store;
pub mod tune;
mod venue;

pub use agenda::Agenda;
pub use boards::Boards;
pub use folder::{Folder, venue};
pub use ledger::{Ledger, LedgerError};
pub use library::{Shipped, open_experiment, shipped};
pub use machine::machine;
pub use plan::{
    Bout, Cell, Column, Matchup, Plan, PlanError, PlannedGame, budget_in_words, named_agent,
};
pub use run::{Done, RunError, now, run};
pub use spec::{
    AgentEntry, Assignment, Budget, ColumnEntry, GameEntry, GameProfile, Layout, MAX_TEXT, Profile,
    Published, Scoring, Source, Spec, Summary, TextError,
};
pub use status::{CellStatus, Status};
pub use store::{Session, Store, StoreError};
pub use venue::{Cost, Facts, Outcome, Played, Row, Venue};
