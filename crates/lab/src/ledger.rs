//! A ledger: the finished games of an experiment as compact text, to be kept beside its report.
//!
//! ```text
//! Store ─ Ledger::of ─ text ─ Ledger::read ─ Ledger::keep ─ Store, on any machine
//! ```
//!
//! The text has one line for every process that played, cell and game:
//!
//! ```text
//! gamegrove ledger 1
//! by {"started":1700000000,"profile":"quick","command":"grove experiment run x", ...}
//! cell 0123456789abcdef0123456789abcdef 81985529216486895
//! 0 100,0 34 0.52 v=1000,990
//! 1 50,50 61 0.97 v=1010,- e=step-limit
//! ```
//!
//! A cell has its identity and the seed of its first game; a game its number, the goals of the roles, the
//! steps, the seconds it took, and, where there is something to say, speeds `v`, scores `s`, the ending `e`
//! and the number of offences `o`. Seed and roles of a game follow from its cell and number. Seconds and
//! speeds have three digits; the rest is exact.
//!
//! Merging counts each game once: what is there already stays. A last line without its end, which an
//! interrupted copy leaves, is not counted.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::str::FromStr;

use gamegrove_play::matches::Ending;
use thiserror::Error;

use crate::plan::Plan;
use crate::store::{Session, Store, StoreError};
use crate::venue::{Cost, Outcome, Row};

const HEAD: &str = "gamegrove ledger 1";

/// Why a text is no ledger, or not one of this plan.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// A line cannot be read.
    #[error("line {line}: {problem}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// Why.
        problem: String,
    },
    /// A game cannot be one of its cell.
    #[error("game {run} of cell {cell}: {problem}")]
    Game {
        /// The cell.
        cell: String,
        /// The number.
        run: u32,
        /// Why.
        problem: &'static str,
    },
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Finished games by cell and number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    /// The processes that played, first to last.
    sessions: Vec<Session>,
    cells: BTreeMap<String, OfCell>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct OfCell {
    seed: u64,
    games: BTreeMap<u32, Game>,
}

/// What is kept of a game.
#[derive(Clone, Debug, PartialEq)]
struct Game {
    goals: Vec<f32>,
    steps: u32,
    seconds: f64,
    speeds: Vec<Option<f64>>,
    scores: Vec<f64>,
    ending: Ending,
    offences: u32,
}

impl Ledger {
    /// All games of a plan's cells that a store has.
    pub fn of(plan: &Plan, store: &Store) -> Result<Ledger, StoreError> {
        let mut ledger = Ledger { sessions: store.sessions()?, cells: BTreeMap::new() };
        for (index, cell) in plan.cells.iter().enumerate() {
            let rows = store.rows(&cell.id, u32::MAX)?;
            if rows.is_empty() {
                continue;
            }
            let games = rows.into_iter().map(|row| {
                let Row { run, outcome, cost, .. } = row;
                let game = Game {
                    goals: outcome.goals,
                    steps: outcome.steps,
                    seconds: cost.seconds,
                    speeds: cost.speeds,
                    scores: outcome.scores,
                    ending: outcome.ending,
                    offences: outcome.offences,
                };
                (run, game)
            });
            let of_cell = OfCell { seed: plan.bout(index, 0).seed, games: games.collect() };
            ledger.cells.insert(cell.id.clone(), of_cell);
        }
        Ok(ledger)
    }

    /// How many games it has.
    pub fn games(&self) -> usize {
        self.cells.values().map(|cell| cell.games.len()).sum()
    }

    /// Adds what another ledger has and this one lacks; says how many games were new.
    pub fn merge(&mut self, other: Ledger) -> usize {
        let before = self.games();
        for session in other.sessions {
            if !self.sessions.contains(&session) {
                self.sessions.push(session);
            }
        }
        self.sessions.sort_by_key(|session| session.started);
        for (id, cell) in other.cells {
            let own =
                self.cells.entry(id).or_insert(OfCell { seed: cell.seed, ..OfCell::default() });
            for (run, game) in cell.games {
                own.games.entry(run).or_insert(game);
            }
        }
        self.games() - before
    }

    /// Puts the games of the plan's cells into a store; says how many were new. Games of other cells, as
    /// another profile has them, are left out.
    pub fn keep(&self, plan: &Plan, store: &mut Store) -> Result<usize, LedgerError> {
        let mut rows = Vec::new();
        for (index, cell) in plan.cells.iter().enumerate() {
            let Some(found) = self.cells.get(&cell.id) else { continue };
            for (&run, game) in &found.games {
                let bout = plan.bout(index, run);
                let wrong = |problem| LedgerError::Game { cell: cell.id.clone(), run, problem };
                if found.seed != plan.bout(index, 0).seed {
                    return Err(wrong("its cell has another seed"));
                }
                if game.goals.len() != bout.seats.len() {
                    return Err(wrong("every role needs a goal"));
                }
                let game = game.clone();
                let row = Row {
                    cell: cell.id.clone(),
                    run,
                    outcome: Outcome {
                        seed: bout.seed,
                        seats: bout.seats.to_vec(),
                        goals: game.goals,
                        scores: game.scores,
                        steps: game.steps,
                        ending: game.ending,
                        offences: game.offences,
                    },
                    cost: Cost { seconds: game.seconds, speeds: game.speeds },
                    finished: 0,
                };
                if let Some(problem) = row.impossible() {
                    return Err(wrong(problem));
                }
                rows.push(row);
            }
        }
        if !rows.is_empty() {
            store.add_sessions(&self.sessions)?;
        }
        Ok(store.merge(&rows)?)
    }

    /// The ledger as text.
    pub fn text(&self) -> String {
        let mut text = format!("{HEAD}\n");
        for session in &self.sessions {
            let _ = writeln!(text, "by {}", serde_json::json!(session));
        }
        for (id, cell) in &self.cells {
            let _ = writeln!(text, "cell {id} {}", cell.seed);
            for (run, game) in &cell.games {
                let _ = write!(
                    text,
                    "{run} {} {} {}",
                    list(&game.goals),
                    game.steps,
                    short(game.seconds)
                );
                if game.speeds.iter().any(Option::is_some) {
                    let speeds = game.speeds.iter();
                    let speeds: Vec<String> =
                        speeds.map(|speed| speed.map_or("-".to_owned(), short)).collect();
                    let _ = write!(text, " v={}", speeds.join(","));
                }
                if !game.scores.is_empty() {
                    let _ = write!(text, " s={}", list(&game.scores));
                }
                if game.ending != Ending::Terminal {
                    let ending = serde_json::json!(game.ending);
                    let _ = write!(text, " e={}", ending.as_str().unwrap_or_default());
                }
                if game.offences > 0 {
                    let _ = write!(text, " o={}", game.offences);
                }
                text.push('\n');
            }
        }
        text
    }

    /// Reads a ledger.
    pub fn read(text: &str) -> Result<Ledger, LedgerError> {
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut ledger = Ledger::default();
        let mut cell: Option<&mut OfCell> = None;
        for (at, line) in whole.lines().enumerate() {
            let wrong = |problem: String| LedgerError::Line { line: at + 1, problem };
            if at == 0 {
                if line != HEAD {
                    return Err(wrong(format!("a ledger begins with `{HEAD}`")));
                }
            } else if let Some(session) = line.strip_prefix("by ") {
                let session = serde_json::from_str(session);
                ledger.sessions.push(session.map_err(|error| wrong(error.to_string()))?);
            } else if let Some(named) = line.strip_prefix("cell ") {
                let (id, seed) =
                    named.split_once(' ').ok_or_else(|| wrong("no seed".to_owned()))?;
                let seed = number(seed).map_err(wrong)?;
                let of_cell = ledger.cells.entry(id.to_owned()).or_default();
                of_cell.seed = seed;
                cell = Some(of_cell);
            } else {
                let (run, game) = read_game(line).map_err(wrong)?;
                let cell =
                    cell.as_mut().ok_or_else(|| wrong("a game before any cell".to_owned()))?;
                cell.games.entry(run).or_insert(game);
            }
        }
        Ok(ledger)
    }
}

/// Three digits are enough for times and speeds.
fn short(number: f64) -> String {
    let rounded: f64 = format!("{number:.2e}").parse().unwrap_or(number);
    rounded.to_string()
}

fn list<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

fn numbers<T: FromStr>(text: &str) -> Result<Vec<T>, String> {
    text.split(',').map(number).collect()
}

fn read_game(line: &str) -> Result<(u32, Game), String> {
    let mut parts = line.split(' ');
    let mut next = || parts.next().ok_or("a game has a number, goals, steps and seconds");
    let run = number(next()?)?;
    let mut game = Game {
        goals: numbers(next()?)?,
        steps: number(next()?)?,
        seconds: number(next()?)?,
        speeds: Vec::new(),
        scores: Vec::new(),
        ending: Ending::Terminal,
        offences: 0,
    };
    game.speeds = vec![None; game.goals.len()];
    for part in parts {
        match part.split_once('=') {
            Some(("v", speeds)) => {
                let speed =
                    |text: &str| if text == "-" { Ok(None) } else { number(text).map(Some) };
                game.speeds = speeds.split(',').map(speed).collect::<Result<_, String>>()?;
            }
            Some(("s", scores)) => game.scores = numbers(scores)?,
            Some(("o", offences)) => game.offences = number(offences)?,
            Some(("e", ending)) => {
                game.ending = serde_json::from_value(ending.into())
                    .map_err(|_| format!("`{ending}` is no ending"))?;
            }
            _ => return Err(format!("`{part}` is nothing a game has")),
        }
    }
    Ok((run, game))
}
