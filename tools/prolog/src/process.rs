//! A running `swipl` that answers for one rulesheet.
//!
//! The program goes in as a temporary file, then one command a line on standard input; answers
//! come back as lines of tab-separated fields, closed by `ok`, `timeout` or `error`. Prolog itself
//! watches the clock, so a slow answer leaves the process usable; should it fail to, it is killed
//! a little later. It ends when its standard input closes, and is killed when dropped.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::emit::{FactStyle, Program, Tabling, term};
use crate::rules::ground_term;
use crate::{Error, Speed};

/// How long Prolog may overrun its own time limit before it is killed.
const GRACE: Duration = Duration::from_secs(10);

/// How a process is run.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Which relations are tabled.
    pub tabling: Tabling,
    /// Longest wait for one answer.
    pub timeout: Duration,
    /// Prolog's limit for its stacks and, again, for its tables, in mebibytes.
    pub memory: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { tabling: Tabling::Recursive, timeout: Duration::from_secs(60), memory: 1024 }
    }
}

/// The facts of one state. Terms are text as in `(cell 1 1 b)`, sorted, without duplicates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answers {
    /// Whether the game is over.
    pub terminal: bool,
    /// The legal moves of each role, in role order.
    pub legal: Vec<Vec<String>>,
    /// The goal values of each role, in role order; none or several where the rules say so.
    pub goals: Vec<Vec<String>>,
}

/// A Prolog process that knows one rulesheet.
pub struct Prolog {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Collects the end of standard error; joined once the process is gone.
    complaints: Option<JoinHandle<String>>,
    settings: Settings,
    style: FactStyle,
    roles: Vec<String>,
    init: Vec<String>,
}

/// Whether `swipl` is there. Without it the test is skipped.
///
/// # Panics
/// When `swipl` is missing although `CI` is set.
pub fn installed() -> bool {
    let found = Command::new("swipl").arg("--version").output().is_ok_and(|o| o.status.success());
    gamegrove_testdata::has_tool(found, "swipl", "swi-prolog-nox")
}

impl Prolog {
    /// Translates `rulesheet`, starts a process on it and asks for its roles and initial state.
    pub fn start(rulesheet: &str, settings: Settings) -> Result<Self, Error> {
        Self::run(&Program::new(rulesheet, settings.tabling)?, settings)
    }

    /// Starts a process on a translated program.
    pub(crate) fn run(program: &Program, settings: Settings) -> Result<Self, Error> {
        let file = ProgramFile::new(&program.text).map_err(Error::Start)?;
        let memory = settings.memory;
        let mut child = Command::new("swipl")
            .args(["-q", "-f", "none", "-O", "--no-tty", "-g", "main", "-t", "halt(1)"])
            .arg(format!("--stack-limit={memory}m"))
            .arg(format!("--table-space={memory}m"))
            .arg(format!("--shared-table-space={memory}m"))
            .arg(&file.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(Error::Start)?;
        let (sender, lines) = channel();
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        let complaints = child.stderr.take().map(|errors| thread::spawn(|| beginning(errors)));
        let mut process = Self {
            input: child.stdin.take(),
            child,
            lines,
            complaints,
            settings,
            style: program.style,
            roles: Vec::new(),
            init: Vec::new(),
        };
        for role in process.ask("roles", settings.timeout)?.iter().filter_map(|l| field(l, "role"))
        {
            if !process.roles.iter().any(|known| known == role) {
                process.roles.push(role.into());
            }
        }
        process.init = facts(&process.ask("init", settings.timeout)?);
        Ok(process)
    }

    /// The roles in the order of the rulesheet.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The facts of the initial state, sorted.
    pub fn init(&self) -> &[String] {
        &self.init
    }

    /// The answers about the state of these facts.
    pub fn state(&mut self, facts: &[String]) -> Result<Answers, Error> {
        let command = format!("state({})", self.facts_term(facts)?);
        let lines = self.ask(&command, self.settings.timeout)?;
        let by_role = |kind: &str| {
            self.roles
                .iter()
                .map(|role| {
                    let mut found: Vec<String> = lines
                        .iter()
                        .filter_map(|line| field(line, kind)?.split_once('\t'))
                        .filter(|(of, _)| of == role)
                        .map(|(_, what)| what.into())
                        .collect();
                    found.sort();
                    found
                })
                .collect()
        };
        Ok(Answers {
            terminal: lines.iter().any(|line| line == "terminal"),
            legal: by_role("legal"),
            goals: by_role("goal"),
        })
    }

    /// The facts of the state that follows when each role, in role order, makes its move of `joint`.
    pub fn next(&mut self, facts_now: &[String], joint: &[String]) -> Result<Vec<String>, Error> {
        let mut does = Vec::with_capacity(joint.len());
        for (role, made) in self.roles.iter().zip(joint) {
            does.push(format!("does({},{})", ground(role)?, ground(made)?));
        }
        let command = format!("next({},[{}])", self.facts_term(facts_now)?, does.join(","));
        Ok(facts(&self.ask(&command, self.settings.timeout)?))
    }

    /// Plays uniformly random games from the start for `seconds` of the process's CPU time.
    pub fn random_games(&mut self, seconds: f64, seed: u64) -> Result<Speed, Error> {
        // CPU time may pass slower than the clock on a busy machine.
        let limit = self.settings.timeout + Duration::from_secs_f64(4.0 * seconds.max(0.0));
        let lines = self.ask(&format!("random_games({seconds},{seed})"), limit)?;
        let unreadable = || Error::Gone(format!("unreadable speed: {lines:?}"));
        Speed::read(lines.first().map_or("", String::as_str), self.settings.tabling)
            .ok_or_else(unreadable)
    }

    fn facts_term(&self, facts: &[String]) -> Result<String, Error> {
        let facts: Vec<String> = facts
            .iter()
            .map(|fact| Ok(self.style.fact(&ground_term(fact)?)))
            .collect::<Result<_, Error>>()?;
        Ok(format!("[{}]", facts.join(",")))
    }

    /// Sends one command and collects the lines of its answer.
    fn ask(&mut self, command: &str, limit: Duration) -> Result<Vec<String>, Error> {
        let sent = self.input.as_mut().is_some_and(|input| {
            let line = format!("within({}, {command}).\n", limit.as_secs_f64());
            input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_ok()
        });
        if !sent {
            return Err(self.gone());
        }
        let mut answer = Vec::new();
        loop {
            match self.lines.recv_timeout(limit + GRACE) {
                Ok(line) => match line.as_str() {
                    "ok" => return Ok(answer),
                    "timeout" => return Err(Error::Timeout(limit)),
                    _ => match line.strip_prefix("error ") {
                        Some(why) => return Err(Error::Raised(why.into())),
                        None => answer.push(line),
                    },
                },
                Err(RecvTimeoutError::Timeout) => {
                    self.end();
                    return Err(Error::Timeout(limit));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
            }
        }
    }

    /// The error of a process that does not answer any more, with what it said last.
    fn gone(&mut self) -> Error {
        self.end();
        let said = self.complaints.take().and_then(|thread| thread.join().ok());
        Error::Gone(said.filter(|said| !said.is_empty()).unwrap_or_else(|| "it ended".into()))
    }

    fn end(&mut self) {
        self.input = None;
        // Both fail only for a process that has ended and been waited for, which is the aim.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

impl Drop for Prolog {
    fn drop(&mut self) {
        self.end();
    }
}

/// A temporary file that is removed when dropped.
struct ProgramFile(PathBuf);

impl ProgramFile {
    fn new(program: &str) -> std::io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("gamegrove-{}-{number}.pl", std::process::id());
        let path = std::env::temp_dir().join(name);
        // A leftover of an earlier process with our number would otherwise be in the way.
        _ = fs::remove_file(&path);
        File::create_new(&path)?.write_all(program.as_bytes())?;
        Ok(Self(path))
    }
}

impl Drop for ProgramFile {
    fn drop(&mut self) {
        _ = fs::remove_file(&self.0);
    }
}

/// The first kilobytes of a stream, which is read to its end so that the writer never blocks.
fn beginning(mut stream: impl Read) -> String {
    let mut kept = Vec::new();
    _ = stream.by_ref().take(4096).read_to_end(&mut kept);
    _ = std::io::copy(&mut stream, &mut std::io::sink());
    String::from_utf8_lossy(&kept).trim().into()
}

/// The text after `kind` and a tab in an answer's line.
fn field<'a>(line: &'a str, kind: &str) -> Option<&'a str> {
    line.strip_prefix(kind)?.strip_prefix('\t')
}

fn facts(lines: &[String]) -> Vec<String> {
    let mut facts: Vec<String> =
        lines.iter().filter_map(|line| field(line, "fact")).map(String::from).collect();
    facts.sort();
    facts
}

fn ground(text: &str) -> Result<String, Error> {
    Ok(term(&ground_term(text)?))
}
