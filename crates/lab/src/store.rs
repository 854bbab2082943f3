//! The store: one SQLite file per experiment.
//!
//! A finished game is one transaction under the key (cell, number), so it counts once whoever plays
//! it, and a process that is killed loses the games it was playing and nothing else. Processes that
//! work on one experiment agree through claims: who wants to play a game claims it first. A claim
//! holds while its process lives, which the others see from a lock on a file beside the store; the
//! system drops that lock when the process ends, however it ends. No clock is involved, so nothing
//! waits for a claim of the dead and nothing takes a game from the slow.
//!
//! SQLite's write-ahead log works among processes of one machine. Machines that share nothing but
//! files exchange [chunks](crate::chunk) instead.

use std::collections::{HashMap, HashSet};
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use gamegrove_play::matches::Ending;
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};
use thiserror::Error;

use crate::venue::{Cost, Outcome, Row};

/// What the store cannot do.
#[derive(Debug, Error)]
pub enum StoreError {
    /// SQLite says no.
    #[error("{path}: {error}")]
    Sqlite {
        /// The store.
        path: String,
        /// Why.
        error: rusqlite::Error,
    },
    /// A file beside it cannot be used.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// A store of another program or version.
    #[error(
        "{path} is no store of experiments in form {FORM} (it says {found}); choose another file"
    )]
    Form {
        /// The store.
        path: String,
        /// What it says.
        found: i64,
    },
    /// The file is damaged.
    #[error(
        "{path} is damaged ({problem}); put a copy of it back, or move it away and play its games again"
    )]
    Damaged {
        /// The store.
        path: String,
        /// What is wrong.
        problem: String,
    },
    /// Something in it makes no sense.
    #[error("{path}: a row cannot be read: {problem}")]
    Row {
        /// The store.
        path: String,
        /// Why.
        problem: String,
    },
}

/// The form of the tables, kept in SQLite's `user_version`.
const FORM: i64 = 1;
/// Marks the file as ours, in SQLite's `application_id`: "GRVE".
const APPLICATION: i64 = 0x4752_5645;
/// How long a transaction may wait for another process's.
const PATIENCE: Duration = Duration::from_secs(60);

const TABLES: &str = "
    CREATE TABLE game (
        cell TEXT NOT NULL,
        run INTEGER NOT NULL,
        seed INTEGER NOT NULL,
        seats TEXT NOT NULL,
        goals TEXT NOT NULL,
        scores TEXT NOT NULL,
        steps INTEGER NOT NULL,
        ending TEXT NOT NULL,
        offences INTEGER NOT NULL,
        seconds REAL NOT NULL,
        speeds TEXT NOT NULL,
        finished INTEGER NOT NULL,
        PRIMARY KEY (cell, run)
    ) WITHOUT ROWID;
    CREATE TABLE claim (
        cell TEXT NOT NULL,
        run INTEGER NOT NULL,
        worker TEXT NOT NULL,
        PRIMARY KEY (cell, run)
    ) WITHOUT ROWID;
    CREATE TABLE session (
        worker TEXT PRIMARY KEY,
        started INTEGER NOT NULL,
        profile TEXT NOT NULL,
        command TEXT NOT NULL,
        machine TEXT NOT NULL,
        version TEXT NOT NULL,
        threads INTEGER NOT NULL
    ) WITHOUT ROWID;
";

/// A process that worked on an experiment.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Session {
    /// When it started, in seconds since 1970.
    pub started: u64,
    /// The profile.
    pub profile: String,
    /// The command as it was typed.
    pub command: String,
    /// The machine.
    pub machine: String,
    /// The program's version.
    pub version: String,
    /// Games at a time.
    pub threads: usize,
}

/// An open store.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    /// Who we are, while we work: the name under which games are claimed, and the locked file that
    /// says we live.
    worker: Option<(String, File)>,
    /// Whether nothing can be written.
    is_read_only: bool,
}

impl Store {
    /// Opens the store at `path`, and makes it if there is none.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        // SQLite would take these for stores that nobody can open again.
        let name = path.to_string_lossy();
        if name.is_empty() || name.starts_with(":memory:") || name.starts_with("file:") {
            let error = std::io::Error::other("results need a file to stay in; name one");
            return Err(StoreError::File { path: format!("`{name}`"), error });
        }
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| file_error(folder, error))?;
        }
        Store::over(Connection::open(path), path)
    }

    /// Opens the store at `path` to read it, also where nothing can be written.
    pub fn open_to_read(path: &Path) -> Result<Store, StoreError> {
        match Store::open(path) {
            Err(StoreError::Sqlite { error, .. }) if is_unwritable(&error) => {
                Store::read_only(path)
            }
            other => other,
        }
    }

    fn read_only(path: &Path) -> Result<Store, StoreError> {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        let has_log = std::fs::metadata(log).is_ok_and(|log| log.len() > 0);
        // Without a log the file is all there is, and needs none of the locks that cannot be made.
        let how = if has_log { "mode=ro" } else { "immutable=1" };
        let name = path.to_string_lossy();
        let name = name.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let connection = Connection::open_with_flags(format!("file:{name}?{how}"), flags)
            .map_err(|error| sqlite_error(path, error))?;
        let store = Store { connection, path: path.to_owned(), worker: None, is_read_only: true };
        match store.form()? {
            Some(FORM) => Ok(store),
            found => Err(store.of_other_form(found.unwrap_or(0))),
        }
    }

    /// A store without games, for those who only read where nothing was played yet. Nothing of it stays.
    pub fn empty() -> Result<Store, StoreError> {
        Store::over(Connection::open_in_memory(), Path::new(":memory:"))
    }

    fn over(connection: rusqlite::Result<Connection>, path: &Path) -> Result<Store, StoreError> {
        let connection = connection.map_err(|error| sqlite_error(path, error))?;
        let mut store =
            Store { connection, path: path.to_owned(), worker: None, is_read_only: false };
        store.prepare()?;
        Ok(store)
    }

    /// The form of the tables; `None` if there are none yet.
    fn form(&self) -> Result<Option<i64>, StoreError> {
        self.sql(|connection| {
            connection.busy_timeout(PATIENCE)?;
            let tables: i64 =
                connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
            let form: i64 =
                connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
            Ok(if tables == 0 && form == 0 { None } else { Some(form) })
        })
    }

    fn of_other_form(&self, found: i64) -> StoreError {
        StoreError::Form { path: self.path.display().to_string(), found }
    }

    fn prepare(&mut self) -> Result<(), StoreError> {
        match self.form()? {
            Some(FORM) => {}
            Some(found) => return Err(self.of_other_form(found)),
            None => self.create()?,
        }
        self.sql(|connection| {
            write_ahead(connection)?;
            // A killed process loses nothing of what it committed; a power cut may lose the last
            // games, never the file.
            connection.pragma_update(None, "synchronous", "NORMAL")
        })
    }

    fn create(&mut self) -> Result<(), StoreError> {
        self.transaction(|transaction| {
            // Another process may have been faster.
            let form: i64 =
                transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
            if form == FORM {
                return Ok(());
            }
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", FORM)
        })
    }

    /// Looks through the whole file for damage.
    fn check(&self) -> Result<(), StoreError> {
        let found: String = self.sql(|connection| {
            connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
        })?;
        if found == "ok" { Ok(()) } else { Err(self.damaged(&found)) }
    }

    /// The error that says what is damaged.
    pub(crate) fn damaged(&self, problem: &str) -> StoreError {
        let problem = problem.trim().replace('\n', " ");
        StoreError::Damaged { path: self.path.display().to_string(), problem }
    }

    /// Registers this process, so that it can claim games. A damaged file is refused.
    pub fn work(&mut self, session: &Session) -> Result<(), StoreError> {
        self.check()?;
        let folder = self.workers();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let name = format!("{}-{now}", std::process::id());
        let path = folder.join(&name);
        // Made under another name and locked before anybody can look for it.
        let making = folder.join(format!("{name}.new"));
        let make = || {
            std::fs::create_dir_all(&folder)?;
            File::create(&making)
        };
        // Whoever rests last takes the folder away, maybe just now.
        let mut file = make();
        for _ in 0..100 {
            match &file {
                Err(error) if error.kind() == ErrorKind::NotFound => file = make(),
                _ => break,
            }
        }
        let file = file.map_err(|error| file_error(&making, error))?;
        file.lock().map_err(|error| file_error(&making, error))?;
        std::fs::rename(&making, &path).map_err(|error| file_error(&path, error))?;
        self.insert_session(&name, session)?;
        self.worker = Some((name, file));
        self.drop_dead_claims()
    }

    /// Stops working: gives back what was claimed and not played.
    pub fn rest(&mut self) -> Result<(), StoreError> {
        let Some((name, file)) = self.worker.take() else { return Ok(()) };
        self.sql(|connection| connection.execute("DELETE FROM claim WHERE worker = ?1", [&name]))?;
        drop(file);
        let path = self.workers().join(name);
        // Who looks for the dead may have been faster.
        let _ = std::fs::remove_file(path);
        // Only if nobody else is in it.
        let _ = std::fs::remove_dir(self.workers());
        Ok(())
    }

    /// Claims a game. False if it is finished, or claimed by a process that lives.
    pub fn claim(&mut self, cell: &str, run: u32) -> Result<bool, StoreError> {
        let Some((worker, _)) = &self.worker else { return Ok(false) };
        let worker = worker.clone();
        self.transaction(|transaction| {
            let mut finished =
                transaction.prepare_cached("SELECT 1 FROM game WHERE cell = ?1 AND run = ?2")?;
            if finished.exists(params![cell, run])? {
                return Ok(false);
            }
            let mut claim =
                transaction.prepare_cached("INSERT OR IGNORE INTO claim VALUES (?1, ?2, ?3)")?;
            Ok(claim.execute(params![cell, run, worker])? == 1)
        })
    }

    /// Whether a game is claimed or finished, so that it cannot be claimed now: by looking at the rows, where
    /// a damaged file may say something else by its keys.
    pub(crate) fn is_taken(&self, cell: &str, run: u32) -> Result<bool, StoreError> {
        self.sql(|connection| {
            let mut taken = connection.prepare_cached(
                "SELECT 1 FROM claim WHERE +cell = ?1 AND +run = ?2 \
                 UNION ALL SELECT 1 FROM game WHERE cell = ?1 AND +run = ?2",
            )?;
            taken.exists(params![cell, run])
        })
    }

    /// Keeps a finished game. False if there was one already, which is then kept instead.
    pub fn finish(&mut self, row: &Row) -> Result<bool, StoreError> {
        self.transaction(|transaction| {
            let new = insert(transaction, row)?;
            transaction
                .prepare_cached("DELETE FROM claim WHERE cell = ?1 AND run = ?2")?
                .execute(params![row.cell, row.run])?;
            Ok(new)
        })
    }

    /// Keeps many games in one transaction; says how many were new.
    pub fn merge(&mut self, rows: &[Row]) -> Result<usize, StoreError> {
        self.transaction(|transaction| {
            let mut new = 0;
            for row in rows {
                new += usize::from(insert(transaction, row)?);
            }
            Ok(new)
        })
    }

    /// Drops the claims of processes that are gone.
    pub fn drop_dead_claims(&mut self) -> Result<(), StoreError> {
        if self.is_read_only {
            return Ok(());
        }
        let mut workers: HashSet<String> = self.sql(|connection| {
            let mut statement = connection.prepare("SELECT DISTINCT worker FROM claim")?;
            let rows = statement.query_map([], |row| row.get(0))?;
            rows.collect()
        })?;
        // Who died without a claim left a file all the same. What is still being made is let be.
        let files = std::fs::read_dir(self.workers()).into_iter().flatten().flatten();
        let names = files.filter_map(|file| file.file_name().into_string().ok());
        workers.extend(names.filter(|name| !name.ends_with(".new")));
        let own = self.worker.as_ref().map(|(name, _)| name.clone());
        for worker in workers.into_iter().filter(|worker| Some(worker) != own.as_ref()) {
            let path = self.workers().join(&worker);
            let gone = match File::options().read(true).write(true).open(&path) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
                Err(error) => return Err(file_error(&path, error)),
                Ok(file) => match file.try_lock() {
                    Ok(()) => true,
                    Err(TryLockError::WouldBlock) => false,
                    Err(TryLockError::Error(error)) => return Err(file_error(&path, error)),
                },
            };
            if gone {
                self.sql(|connection| {
                    connection.execute("DELETE FROM claim WHERE worker = ?1", [&worker])
                })?;
                let _ = std::fs::remove_file(&path);
            }
        }
        Ok(())
    }

    /// How many games are claimed: those that are played right now, once the dead are dropped.
    pub fn claimed(&self) -> Result<u64, StoreError> {
        self.sql(|connection| {
            connection.query_row("SELECT count(*) FROM claim", [], |row| row.get::<_, i64>(0))
        })
        .map(|count| count as u64)
    }

    /// How many games are finished.
    pub fn count(&self) -> Result<u64, StoreError> {
        self.sql(|connection| {
            connection.query_row("SELECT count(*) FROM game", [], |row| row.get::<_, i64>(0))
        })
        .map(|count| count as u64)
    }

    /// The numbers of the finished games of each cell, below the given numbers of runs.
    pub fn finished(
        &self,
        cells: &HashMap<String, u32>,
    ) -> Result<HashMap<String, HashSet<u32>>, StoreError> {
        let mut finished: HashMap<String, HashSet<u32>> = HashMap::new();
        self.sql(|connection| {
            let mut statement =
                connection.prepare("SELECT run FROM game WHERE cell = ?1 AND run < ?2")?;
            for (cell, runs) in cells {
                let found = statement.query_map(params![cell, runs], |row| row.get(0))?;
                finished.insert(cell.clone(), found.collect::<Result<_, _>>()?);
            }
            Ok(())
        })?;
        Ok(finished)
    }

    /// Games finished and the seconds they took, of a cell, below a number of runs.
    pub fn progress(&self, cell: &str, runs: u32) -> Result<(u32, f64), StoreError> {
        self.sql(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT count(*), total(seconds) FROM game WHERE cell = ?1 AND run < ?2",
            )?;
            statement.query_row(params![cell, runs], |row| Ok((row.get(0)?, row.get(1)?)))
        })
    }

    /// The finished games of a cell, below a number of runs, in order.
    pub fn rows(&self, cell: &str, runs: u32) -> Result<Vec<Row>, StoreError> {
        let raw = self.sql(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT run, seed, seats, goals, scores, steps, ending, offences, seconds, speeds, \
                 finished FROM game WHERE cell = ?1 AND run < ?2 ORDER BY run",
            )?;
            let rows = statement.query_map(params![cell, runs], Raw::read)?;
            rows.collect::<Result<Vec<Raw>, _>>()
        })?;
        raw.into_iter().map(|raw| self.parse(raw, cell)).collect()
    }

    /// One finished game.
    pub fn row(&self, cell: &str, run: u32) -> Result<Option<Row>, StoreError> {
        let raw = self.sql(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT run, seed, seats, goals, scores, steps, ending, offences, seconds, speeds, \
                 finished FROM game WHERE cell = ?1 AND run = ?2",
            )?;
            statement.query_row(params![cell, run], Raw::read).optional()
        })?;
        raw.map(|raw| self.parse(raw, cell)).transpose()
    }

    fn parse(&self, raw: Raw, cell: &str) -> Result<Row, StoreError> {
        raw.parse(cell).map_err(|error| StoreError::Row {
            path: self.path.display().to_string(),
            problem: error.to_string(),
        })
    }

    /// The processes that worked on it, first to last.
    pub fn sessions(&self) -> Result<Vec<Session>, StoreError> {
        self.sql(|connection| {
            let mut statement = connection.prepare(
                "SELECT started, profile, command, machine, version, threads FROM session \
                 ORDER BY started, worker",
            )?;
            let rows = statement.query_map([], |row| {
                Ok(Session {
                    started: row.get::<_, i64>(0)? as u64,
                    profile: row.get(1)?,
                    command: row.get(2)?,
                    machine: row.get(3)?,
                    version: row.get(4)?,
                    threads: row.get::<_, i64>(5)? as usize,
                })
            })?;
            rows.collect()
        })
    }

    /// Notes processes that worked elsewhere, each once.
    pub fn add_sessions(&mut self, sessions: &[Session]) -> Result<(), StoreError> {
        let known = self.sessions()?;
        for (at, session) in sessions.iter().enumerate().filter(|(_, one)| !known.contains(one)) {
            let worker = format!("elsewhere-{}-{}", session.started, known.len() + at);
            self.insert_session(&worker, session)?;
        }
        Ok(())
    }

    fn insert_session(&self, worker: &str, session: &Session) -> Result<(), StoreError> {
        self.sql(|connection| {
            connection.execute(
                "INSERT INTO session VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![
                    worker,
                    session.started as i64,
                    session.profile,
                    session.command,
                    session.machine,
                    session.version,
                    session.threads as i64
                ],
            )
        })?;
        Ok(())
    }

    fn workers(&self) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(".workers");
        self.path.with_file_name(name)
    }

    fn sql<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        work(&self.connection).map_err(|error| sqlite_error(&self.path, error))
    }

    /// Takes the right to write at once: what was read stays true until the end.
    fn transaction<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let run = |connection: &mut Connection| {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        };
        run(&mut self.connection).map_err(|error| sqlite_error(&self.path, error))
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // Claims of a process that is gone are void anyway; this only tidies up.
        let _ = self.rest();
    }
}

/// Switches to the write-ahead log. SQLite refuses that at once while another process looks, without
/// the wait it grants to everything else.
fn write_ahead(connection: &Connection) -> rusqlite::Result<()> {
    let start = Instant::now();
    loop {
        let mode: rusqlite::Result<String> =
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0));
        match mode {
            Err(error) if is_busy(&error) && start.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            other => return other.map(|_| ()),
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn insert(transaction: &Transaction<'_>, row: &Row) -> rusqlite::Result<bool> {
    let json = |value: serde_json::Result<String>| {
        value.map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
    };
    let outcome = &row.outcome;
    let mut statement = transaction.prepare_cached(
        "INSERT OR IGNORE INTO game VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    )?;
    let count = statement.execute(params![
        row.cell,
        row.run,
        outcome.seed.cast_signed(),
        json(serde_json::to_string(&outcome.seats))?,
        json(serde_json::to_string(&outcome.goals))?,
        json(serde_json::to_string(&outcome.scores))?,
        outcome.steps,
        json(serde_json::to_string(&outcome.ending))?.trim_matches('"'),
        outcome.offences,
        row.cost.seconds,
        json(serde_json::to_string(&row.cost.speeds))?,
        row.finished.cast_signed(),
    ])?;
    Ok(count == 1)
}

/// A row as SQLite has it.
struct Raw {
    run: u32,
    seed: i64,
    texts: [String; 4],
    steps: u32,
    ending: String,
    offences: u32,
    seconds: f64,
    finished: i64,
}

impl Raw {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Raw> {
        Ok(Raw {
            run: row.get(0)?,
            seed: row.get(1)?,
            texts: [row.get(2)?, row.get(3)?, row.get(4)?, row.get(9)?],
            steps: row.get(5)?,
            ending: row.get(6)?,
            offences: row.get(7)?,
            seconds: row.get(8)?,
            finished: row.get(10)?,
        })
    }

    fn parse(self, cell: &str) -> serde_json::Result<Row> {
        let [seats, goals, scores, speeds] = &self.texts;
        let ending: Ending = serde_json::from_value(self.ending.into())?;
        Ok(Row {
            cell: cell.to_owned(),
            run: self.run,
            outcome: Outcome {
                seed: self.seed.cast_unsigned(),
                seats: serde_json::from_str(seats)?,
                goals: serde_json::from_str(goals)?,
                scores: serde_json::from_str(scores)?,
                steps: self.steps,
                ending,
                offences: self.offences,
            },
            cost: Cost { seconds: self.seconds, speeds: serde_json::from_str(speeds)? },
            finished: self.finished.cast_unsigned(),
        })
    }
}

/// Whether something could not be written where reading may be possible.
fn is_unwritable(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen))
}

fn sqlite_error(path: &Path, error: rusqlite::Error) -> StoreError {
    let path = path.display().to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt) => {
            StoreError::Damaged { path, problem: error.to_string() }
        }
        _ => StoreError::Sqlite { path, error },
    }
}

fn file_error(path: &Path, error: std::io::Error) -> StoreError {
    StoreError::File { path: path.display().to_string(), error }
}
