//! `grove check`: what is wrong with rulesheets.

use std::time::{Duration, Instant};

use gamegrove_gdl::Rulesheet;
use gamegrove_vgdl::ending::MAX_TICKS;
use gamegrove_view::{facts_text, paragraph};
use serde::Serialize;

use super::complain;
use crate::cli::CheckArgs;
use crate::failure::{Failure, Outcome, Result};
use crate::output::Output;
use crate::progress::Progress;
use crate::render::{Renderer, Style};
use gamegrove_game::parallel::cores;
use gamegrove_inspect::trial::{self, Finding, Subject};
use gamegrove_play::Problem;
use gamegrove_play::library::Kind;
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::native;
use gamegrove_play::notice::{Notice, Severity, Span};
use gamegrove_play::text::SourceText;
use gamegrove_play::units::plural;
use gamegrove_play::video;

/// How long to wait for a network where the prover would do.
const PATIENCE: Duration = Duration::from_secs(20);
/// Processor time of each thread for the random games of a file.
const PLAY_TIME: Duration = Duration::from_secs(60);
/// The most findings shown to people, per file.
const SHOWN: usize = 50;
/// The most findings given to tools, per file: a megabyte of parentheses has a million.
const LISTED: usize = 1000;

/// What is wrong with one file.
#[derive(Debug, Serialize)]
struct FileReport {
    file: String,
    /// None if it could not be read.
    kind: Option<Kind>,
    /// Whether it can be played.
    ok: bool,
    errors: usize,
    warnings: usize,
    /// Findings that are counted but not listed.
    omitted: usize,
    diagnostics: Vec<Listed>,
    /// The levels of a video game that were checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<Vec<String>>,
    /// What random games showed.
    play: Option<trial::Report>,
    /// Why the file could not be read.
    error: Option<String>,
}

/// A finding for tools. Lines and columns start at 1, columns count characters, ends are exclusive.
#[derive(Debug, Serialize)]
struct Listed {
    severity: Severity,
    code: &'static str,
    message: String,
    file: String,
    #[serde(flatten)]
    place: Region,
    label: String,
    help: String,
    related: Vec<Related>,
}

#[derive(Debug, Serialize)]
struct Region {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    /// In bytes.
    span: Span,
}

#[derive(Debug, Serialize)]
struct Related {
    label: String,
    #[serde(flatten)]
    place: Region,
}

/// Runs the command.
pub fn run(args: &CheckArgs, out: &mut Output) -> Result {
    let since = Instant::now();
    out.only_json();
    let mut reports: Vec<FileReport> = Vec::new();
    let mut outcome = Outcome::Fine;
    for file in &args.files {
        let report = match Source::open_as(file, args.kind.kind)
            .map_err(Failure::from)
            .and_then(|source| check(&source, args, since, out))
        {
            Ok(report) => report,
            Err(failure @ Failure::Output(_)) => return Err(failure),
            Err(failure) => {
                outcome = Outcome::Unreadable;
                complain(&failure.to_string(), failure.help(), out);
                FileReport::unreadable(file, failure.to_string())
            }
        };
        out.flush()?;
        if !report.ok {
            outcome = outcome.max(Outcome::Broken);
        }
        reports.push(report);
    }
    let count = |of: fn(&FileReport) -> usize| reports.iter().map(of).sum::<usize>();
    let unreadable = reports.iter().filter(|report| report.error.is_some()).count();
    let mut summary = format!(
        "{}: {}, {}",
        plural(reports.len(), "file"),
        plural(count(|report| report.errors), "error"),
        plural(count(|report| report.warnings), "warning"),
    );
    if unreadable > 0 {
        summary += &format!(", {unreadable} could not be read");
    }
    out.line(summary)?;
    if out.is_json() {
        out.value(&reports)?;
    }
    Ok(outcome)
}

fn check(
    source: &Source,
    args: &CheckArgs,
    since: Instant,
    out: &mut Output,
) -> Result<FileReport> {
    let report = match source.kind {
        Kind::Gdl => check_rulesheet(source, args, since, out)?,
        Kind::Vgdl => check_video(source, args, since, out)?,
        Kind::Native => check_native(source, args, since, out)?,
    };
    if report.errors + report.warnings == 0 {
        let levels = report.levels.as_ref().filter(|levels| !levels.is_empty());
        let with = levels.map_or_else(String::new, |levels| {
            format!(", also with {}", plural(levels.len(), "level"))
        });
        out.line(format!("{}: nothing wrong{with}", source.name))?;
    }
    Ok(report)
}

fn check_rulesheet(
    source: &Source,
    args: &CheckArgs,
    since: Instant,
    out: &mut Output,
) -> Result<FileReport> {
    if !args.level.is_empty() {
        video::require(source, Kind::Vgdl)?;
    }
    let text = SourceText::new(&source.name, &source.text);
    let (sheet, found) = match Rulesheet::load_as(&source.text, args.rules.reading.into()) {
        Ok(sheet) => {
            let warnings = sheet.warnings.clone();
            (Some(sheet), warnings)
        }
        Err(found) => (None, found),
    };
    let mut report = FileReport::new(source);
    report.add(&text, &Notice::all(found), out)?;
    if let (Some(sheet), Some(games)) = (sheet, args.play) {
        match Subject::of_rules(&report.file, &sheet, args.reasoner, PATIENCE) {
            Ok((subject, told)) => {
                told.iter().for_each(|told| out.note(told));
                play(&subject, games, 1000, args, since, &mut report, out)?;
            }
            Err(problem @ Problem::Usage { .. }) => return Err(problem.into()),
            Err(problem) => report.unplayable(&problem.into(), out)?,
        }
    }
    Ok(report)
}

/// Checks the data file of a program.
fn check_native(
    source: &Source,
    args: &CheckArgs,
    since: Instant,
    out: &mut Output,
) -> Result<FileReport> {
    if !args.level.is_empty() {
        video::require(source, Kind::Vgdl)?;
    }
    let mut report = FileReport::new(source);
    match native::load(source) {
        Ok(game) => {
            if let Some(games) = args.play {
                play(&Subject::Native(game), games, 1000, args, since, &mut report, out)?;
            }
        }
        Err(Problem::Rules { text, found, .. }) => report.add(&text, &found, out)?,
        Err(problem) => return Err(problem.into()),
    }
    Ok(report)
}

/// Checks a description and its levels.
fn check_video(
    source: &Source,
    args: &CheckArgs,
    since: Instant,
    out: &mut Output,
) -> Result<FileReport> {
    let choices = match args.level.is_empty() {
        true => source.level_numbers().into_iter().map(LevelChoice::Number).collect(),
        false => args.level.clone(),
    };
    // A level that cannot be read is found before anything is shown.
    let levels = choices
        .iter()
        .map(|choice| source.level(choice))
        .collect::<gamegrove_play::Result<Vec<_>>>()?;
    let rules = video::read_rules(source);
    let mut report = FileReport::new(source);
    report.add(&rules.text, &rules.found, out)?;
    let mut games = Vec::new();
    for level in &levels {
        let read = video::read_level(&rules.value, level);
        report.add(&read.text, &read.found, out)?;
        games.extend(read.value);
    }
    report.levels = Some(levels.into_iter().map(|level| level.name).collect());
    if let (Some(count), false) = (args.play, games.is_empty()) {
        play(&Subject::Levels(games), count, MAX_TICKS as u32 + 1, args, since, &mut report, out)?;
    }
    Ok(report)
}

fn show(text: &SourceText, found: &[Notice], out: &mut Output) -> Result<()> {
    let renderer = Renderer::new(out.style);
    // Where not all can be shown, errors come first.
    let all_fit = found.len() <= SHOWN;
    let errors = found.iter().filter(|found| all_fit || found.is_error());
    let warnings = found.iter().filter(|found| !all_fit && !found.is_error());
    for diagnostic in errors.chain(warnings).take(SHOWN) {
        out.picture(&format!("{}\n", renderer.diagnostic(text, diagnostic)))?;
    }
    if !all_fit {
        let more = plural(found.len() - SHOWN, "finding");
        out.line(format!("{}: and {more} more\n", text.name))?;
    }
    Ok(())
}

/// Plays random games and adds what they show to the report.
fn play(
    subject: &Subject,
    games: u32,
    usual_limit: u32,
    args: &CheckArgs,
    since: Instant,
    report: &mut FileReport,
    out: &mut Output,
) -> Result<()> {
    let setup = trial::Setup {
        games: games as usize,
        step_limit: args.step_limit.unwrap_or(usual_limit),
        seed: args.seed,
        threads: args.threads.map_or_else(cores, |threads| threads as usize),
        time: PLAY_TIME,
    };
    let mut progress = Progress::new(since);
    let mut heard = |done, games| progress.show(done, games, "random games");
    let trial = subject.try_out(setup, &mut heard);
    drop(progress);
    for finding in &trial.findings {
        let is_error = finding.severity == Severity::Error;
        report.errors += usize::from(is_error);
        report.warnings += usize::from(!is_error);
        report.ok &= !is_error;
        show_finding(finding, &report.file, &trial, out)?;
    }
    let length = trial.mean_length.map_or_else(
        || "none finished".to_owned(),
        |mean| {
            let (done, longest) = (trial.finished, trial.longest);
            format!("{done} finished, {mean:.1} steps on average, {longest} at most")
        },
    );
    let games = plural(trial.games, "random game");
    out.line(format!("{}: {games} played, {length}", report.file))?;
    report.play = Some(trial);
    Ok(())
}

fn draw_finding(found: &Finding, file: &str, message: &str, style: Style) -> String {
    Renderer::new(style).finding(found.severity, found.code, file, message, &found.help)
}

fn show_finding(
    found: &Finding,
    file: &str,
    trial: &trial::Report,
    out: &mut Output,
) -> Result<()> {
    /// The most steps and lines of facts shown; the JSON report has all.
    const MOST: usize = 12;
    let message = format!("{} (in {} of {} games)", found.message, found.games, trial.games);
    out.picture(&draw_finding(found, file, &message, out.style))?;
    let width = out.style.width;
    let steps = found.moves.len();
    out.line(format!("  seen in game {}, after {}", found.game + 1, plural(steps, "step")))?;
    for (step, joint) in found.moves.iter().enumerate().skip(steps.saturating_sub(MOST)) {
        let moves: Vec<String> =
            trial.roles.iter().zip(joint).map(|(role, mov)| format!("{role} {mov}")).collect();
        out.text(&paragraph(&format!("  {:>4}. ", step + 1), &moves, ", ", width))?;
    }
    if found.code != "too-long" {
        out.line("  with the facts")?;
        let facts = facts_text(found.facts.iter().map(String::as_str), width - 2);
        for line in facts.lines().take(MOST) {
            out.line(format!("  {line}"))?;
        }
        if facts.lines().count() > MOST {
            out.line("    and more; --json lists all")?;
        }
    }
    out.line("")
}

impl FileReport {
    /// A report without findings.
    fn new(source: &Source) -> FileReport {
        FileReport {
            file: source.name.clone(),
            kind: Some(source.kind),
            ok: true,
            errors: 0,
            warnings: 0,
            omitted: 0,
            diagnostics: Vec::new(),
            levels: None,
            play: None,
            error: None,
        }
    }

    fn unreadable(file: &str, error: String) -> FileReport {
        FileReport {
            file: file.to_owned(),
            kind: None,
            ok: false,
            errors: 0,
            warnings: 0,
            omitted: 0,
            diagnostics: Vec::new(),
            levels: None,
            play: None,
            error: Some(error),
        }
    }

    /// Adds and shows findings about a text.
    fn add(&mut self, text: &SourceText, found: &[Notice], out: &mut Output) -> Result<()> {
        show(text, found, out)?;
        let errors = found.iter().filter(|found| found.is_error()).count();
        self.errors += errors;
        self.warnings += found.len() - errors;
        self.ok &= errors == 0;
        let room = LISTED.saturating_sub(self.diagnostics.len());
        self.omitted += found.len().saturating_sub(room);
        self.diagnostics.extend(found.iter().take(room).map(|found| Listed::new(text, found)));
        Ok(())
    }

    /// Adds and shows that the rules could not even be set up.
    fn unplayable(&mut self, failure: &Failure, out: &mut Output) -> Result<()> {
        let finding = Finding::unplayable(failure.to_string(), failure.help());
        self.errors += 1;
        self.ok = false;
        let drawn = draw_finding(&finding, &self.file, &finding.message, out.style);
        out.picture(&format!("{drawn}\n"))?;
        let findings = vec![finding];
        self.play = Some(trial::Report { findings, ..trial::Report::default() });
        Ok(())
    }
}

impl Listed {
    fn new(text: &SourceText, found: &Notice) -> Listed {
        let related = found
            .related
            .iter()
            .map(|(span, label)| Related { label: label.clone(), place: Region::new(text, span) });
        Listed {
            severity: found.severity,
            code: found.code,
            message: found.message.clone(),
            file: text.name.clone(),
            place: Region::new(text, &found.span),
            label: found.label.clone(),
            help: found.help.clone(),
            related: related.collect(),
        }
    }
}

impl Region {
    fn new(text: &SourceText, span: &Span) -> Region {
        let (start, end) = (text.place(span.start), text.place(span.end));
        Region {
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            span: span.clone(),
        }
    }
}
