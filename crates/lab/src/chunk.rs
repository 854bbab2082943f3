//! Work for other machines: a part of an experiment as text, and its results as text.
//!
//! ```text
//! Plan ─ chunks ─ Chunk (JSON) ─ play, anywhere ─ Rows (one JSON object a line) ─ merge ─ Store
//! ```
//!
//! A chunk knows nothing of the engine that carries it: it names its experiment by the hash of the
//! plan and its games by cell and number. Whoever plays it makes the same plan from the same file; if
//! the hashes differ, rules, agents or budget differ, and the chunk is refused. Results are checked
//! against the plan again when they are merged, and a game that was played twice counts once.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::plan::Plan;
use crate::run::now;
use crate::store::{Store, StoreError};
use crate::venue::{Row, Venue};

/// A part of an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chunk {
    /// What the experiment is called.
    pub experiment: String,
    /// The profile.
    pub profile: String,
    /// The hash of the plan.
    pub plan: String,
    /// The chunk's number, from 0.
    pub number: usize,
    /// How many chunks there are.
    pub of: usize,
    /// The games.
    pub games: Vec<Games>,
}

/// Successive games of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Games {
    /// The cell's identity.
    pub cell: String,
    /// The first game's number.
    pub first: u32,
    /// How many games.
    pub count: u32,
}

/// Why a chunk or its results are refused.
#[derive(Debug, Error)]
pub enum ChunkError {
    /// Made from another plan.
    #[error(
        "the chunk belongs to plan {found}, but this file and profile make plan {wanted}: rules, \
         agents or budgets differ; use the same files and version on all machines"
    )]
    OtherPlan {
        /// What the chunk says.
        found: String,
        /// What we have.
        wanted: String,
    },
    /// A game that the plan does not have.
    #[error("the plan has no game {run} of cell {cell}")]
    NoSuchGame {
        /// The cell.
        cell: String,
        /// The number.
        run: u32,
    },
    /// A result that cannot be that game's.
    #[error("game {run} of cell {cell}: {problem}")]
    Wrong {
        /// The cell.
        cell: String,
        /// The number.
        run: u32,
        /// Why.
        problem: String,
    },
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Cuts a plan into chunks of about `size` games each. Chunks keep to one cell as far as they can,
/// so that whoever plays one makes few games ready.
pub fn chunks(plan: &Plan, size: u32) -> Vec<Chunk> {
    let all = plan.cells.iter().map(|cell| (cell.id.as_str(), 0..cell.runs));
    cut(plan, size, all)
}

/// As [`chunks`], of the games that a store lacks.
pub fn missing(plan: &Plan, store: &Store, size: u32) -> Result<Vec<Chunk>, StoreError> {
    let cells = plan.cells.iter().map(|cell| (cell.id.clone(), cell.runs)).collect();
    let finished = store.finished(&cells)?;
    let mut open: Vec<(&str, Range<u32>)> = Vec::new();
    for cell in &plan.cells {
        let done = finished.get(&cell.id);
        for run in (0..cell.runs).filter(|run| done.is_none_or(|done| !done.contains(run))) {
            match open.last_mut() {
                Some((id, runs)) if *id == cell.id && runs.end == run => runs.end += 1,
                _ => open.push((&cell.id, run..run + 1)),
            }
        }
    }
    Ok(cut(plan, size, open.into_iter()))
}

/// Chunks of about `size` games each, of these games.
fn cut<'a>(
    plan: &Plan,
    size: u32,
    games: impl Iterator<Item = (&'a str, Range<u32>)>,
) -> Vec<Chunk> {
    let size = size.max(1);
    let mut parts: Vec<Vec<Games>> = Vec::new();
    let mut room = 0;
    for (cell, runs) in games {
        let mut first = runs.start;
        while first < runs.end {
            if room == 0 {
                parts.push(Vec::new());
                room = size;
            }
            let count = room.min(runs.end - first);
            if let Some(part) = parts.last_mut() {
                part.push(Games { cell: cell.to_owned(), first, count });
            }
            first += count;
            room -= count;
        }
    }
    let of = parts.len();
    let chunk = |(number, games)| Chunk {
        experiment: plan.name.clone(),
        profile: plan.profile.clone(),
        plan: plan.hash.clone(),
        number,
        of,
        games,
    };
    parts.into_iter().enumerate().map(chunk).collect()
}

/// Plays a chunk, one game after another. `keep` gets every finished game and may stop it by an
/// error.
pub fn play<E: From<ChunkError>>(
    plan: &Plan,
    chunk: &Chunk,
    venue: &dyn Venue,
    mut keep: impl FnMut(Row) -> Result<(), E>,
) -> Result<(), E> {
    if chunk.plan != plan.hash {
        let (found, wanted) = (chunk.plan.clone(), plan.hash.clone());
        return Err(ChunkError::OtherPlan { found, wanted }.into());
    }
    for games in &chunk.games {
        // A number too large for its type is no game either.
        let end = games.first.checked_add(games.count);
        let end = end.ok_or_else(|| no_such_game(&games.cell, games.first))?;
        for run in games.first..end {
            let cell = find(plan, &games.cell, run)?;
            let wrong =
                |problem: String| ChunkError::Wrong { cell: games.cell.clone(), run, problem };
            let reasoner = plan.spec.reasoner.get_ref();
            let played = venue.play(reasoner, &plan.bout(cell, run)).map_err(wrong)?;
            keep(Row {
                cell: games.cell.clone(),
                run,
                outcome: played.outcome,
                cost: played.cost,
                finished: now(),
            })?;
        }
    }
    Ok(())
}

/// Puts results into the store, all or none; says how many were new.
pub fn merge(plan: &Plan, store: &mut Store, rows: &[Row]) -> Result<usize, ChunkError> {
    for row in rows {
        let cell = find(plan, &row.cell, row.run)?;
        let bout = plan.bout(cell, row.run);
        let wrong = |problem: &str| ChunkError::Wrong {
            cell: row.cell.clone(),
            run: row.run,
            problem: problem.to_owned(),
        };
        if row.outcome.seed != bout.seed || row.outcome.seats != bout.seats {
            return Err(wrong("seed or roles are not those of this game"));
        }
        if row.outcome.goals.len() != bout.seats.len() {
            return Err(wrong("every role needs a goal"));
        }
        if let Some(problem) = row.impossible() {
            return Err(wrong(problem));
        }
    }
    Ok(store.merge(rows)?)
}

fn find(plan: &Plan, cell: &str, run: u32) -> Result<usize, ChunkError> {
    plan.cells
        .iter()
        .position(|planned| planned.id == cell && run < planned.runs)
        .ok_or_else(|| no_such_game(cell, run))
}

fn no_such_game(cell: &str, run: u32) -> ChunkError {
    ChunkError::NoSuchGame { cell: cell.to_owned(), run }
}
