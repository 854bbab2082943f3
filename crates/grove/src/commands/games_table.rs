//! `grove games table`: the whole library on one page, which is how `docs/games.md` is made.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use gamegrove_gdl::Reading;
use gamegrove_view::{TextStyle, Theme};
use serde::Serialize;

use super::draw::{self, Way};
use super::games::{self, Entry};
use super::show_video;
use crate::failure::{Failure, Result};
use crate::machine::command_line;
use crate::output::Output;
use crate::progress::Progress;
use gamegrove_inspect::statistics::{Effort, GAMES, SEED, Statistics};
use gamegrove_play::library::Kind;
use gamegrove_play::load::Source;
use gamegrove_play::text::printable;
use gamegrove_play::units::{grouped, plural};
use gamegrove_play::{Board, Rules};

/// Random steps from the start to the position that is drawn as SVG: boards that start empty show
/// what is put on them.
const STEPS: u32 = 12;

/// Bytes for the network of one game; the largest that ships needs less.
const MEMORY: usize = 6 << 30;

/// What was asked for.
#[derive(Debug)]
pub struct Options<'a> {
    /// The file of the page.
    pub output: Option<&'a Path>,
    /// The folder of the drawings.
    pub drawings: Option<&'a Path>,
    /// Time for each game.
    pub seconds: Duration,
}

/// All there is to say.
#[derive(Debug, Serialize)]
struct Page {
    command: String,
    seed: u64,
    date: String,
    board_games: Vec<BoardGame>,
    video_games: Vec<show_video::Summary>,
}

/// A game in the Game Description Language.
#[derive(Debug, Serialize)]
struct BoardGame {
    #[serde(flatten)]
    entry: Entry,
    statistics: Statistics,
    /// The first state, one line a string.
    drawing: Vec<String>,
    /// Where the SVG drawing is, from the page.
    svg: Option<String>,
}

/// Runs the command.
pub fn run(options: &Options<'_>, entries: Vec<Entry>, out: &mut Output) -> Result<()> {
    if entries.is_empty() {
        return Err(Failure::usage("no shipped game is like that", "`grove games` lists all"));
    }
    if let Some(folder) = options.drawings {
        std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    }
    let mut page = Page {
        command: command_line(),
        seed: SEED,
        date: today(),
        board_games: Vec::new(),
        video_games: Vec::new(),
    };
    let (total, mut progress) = (entries.len() as u64, Progress::new(Instant::now()));
    for (done, entry) in entries.into_iter().enumerate() {
        progress.show(done as u64, total, &entry.name);
        let source = Source::open(&entry.name)?;
        match entry.kind {
            Kind::Gdl => page.board_games.push(board_game(&source, entry, options)?),
            Kind::Vgdl => page.video_games.push(show_video::summary(&source, entry)?),
            // It has a page of its own, docs/octagon.md.
            Kind::Native => {}
        }
    }
    drop(progress);
    let text = page.markdown();
    if let Some(file) = options.output {
        std::fs::write(file, &text).map_err(|error| unwritable(file, &error))?;
    }
    match (out.is_json(), options.output) {
        (true, _) => out.value(&page),
        (false, None) => out.text(&text),
        (false, Some(_)) => Ok(()),
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    let name = printable(&path.to_string_lossy());
    Failure::usage(format!("{name} could not be written: {error}"), "check the path")
}

/// The day in Greenwich, as year, month and day.
fn today() -> String {
    let now = humantime::format_rfc3339(SystemTime::now()).to_string();
    now.chars().take_while(|&c| c != 'T').collect()
}

impl Options<'_> {
    /// Where the page finds a drawing.
    fn link(&self, folder: &Path, file: &str) -> String {
        let page = self.output.and_then(Path::parent).unwrap_or(Path::new(""));
        let from_page = folder.strip_prefix(page).unwrap_or(folder).join(file);
        printable(&from_page.to_string_lossy().replace('\\', "/"))
    }
}

fn board_game(source: &Source, entry: Entry, options: &Options<'_>) -> Result<BoardGame> {
    let sheet = source.rulesheet(Reading::Logical)?;
    let effort = Effort { time: options.seconds, memory: MEMORY };
    let statistics = games::statistics(source, &sheet, effort)?;
    let board = games::prover_board(source, Rules::Sheet(Box::new(sheet)))?;
    let drawing = board.text(&board.start(SEED), None, TextStyle { unicode: false, width: 100 });
    let svg = options.drawings.and_then(|folder| Some((folder, later(&*board)?)));
    let svg = match svg {
        Some((folder, svg)) => {
            let file = format!("{}.svg", source.name);
            let path = folder.join(&file);
            std::fs::write(&path, svg?).map_err(|error| unwritable(&path, &error))?;
            Some(options.link(folder, &file))
        }
        None => None,
    };
    Ok(BoardGame { entry, statistics, drawing: drawing.lines().map(str::to_owned).collect(), svg })
}

/// The drawing of a position a few steps from the start, if a board can be seen.
fn later(board: &dyn Board) -> Option<Result<String>> {
    let Way { states, joints, .. } = match draw::position(board, &[], STEPS, SEED) {
        Ok(way) => way,
        Err(failure) => return Some(Err(failure)),
    };
    let (state, before) = states.split_last()?;
    let last = before.last().zip(joints.last().map(Vec::as_slice));
    let title = draw::svg_title(&board.about().game, joints.len());
    // Fixed colours: pages show drawings with a background of their own.
    board.svg(state, last, &title, Theme::Light).map(Ok)
}

impl Page {
    fn markdown(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut text);
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        writeln!(text, "# The games that ship\n")?;
        let boards = plural(self.board_games.len(), "game") + " in the Game Description Language";
        let videos = plural(self.video_games.len(), "video game");
        let parts = [(boards, self.board_games.len()), (videos, self.video_games.len())];
        let parts = parts.into_iter().filter(|(_, count)| *count > 0).map(|(words, _)| words);
        writeln!(text, "{}.\n", parts.collect::<Vec<_>>().join(" and "))?;
        writeln!(text, "Command: `{}` · seed {} · {}\n", self.command, self.seed, self.date)?;
        if !self.board_games.is_empty() {
            self.board_games_text(text)?;
        }
        if !self.video_games.is_empty() {
            self.video_games_text(text)?;
        }
        Ok(())
    }

    fn board_games_text(&self, text: &mut String) -> std::fmt::Result {
        writeln!(text, "## Board games and the like\n")?;
        writeln!(
            text,
            "Means over {} of each game, in which all roles choose at random: *steps* of a game, \
             with the least and the\nmost; *branching*, the joint moves of a state; *facts* that hold \
             in a state, *of* those that can hold and not hold.\n*Built* and *optimised* are the \
             components of the network. Below, the text shows the first state, the drawing the\nstate \
             after {} with the last move marked (`grove draw NAME --random {STEPS} --seed {SEED}`).\n",
            plural(GAMES as usize, "random game"),
            plural(STEPS as usize, "random step"),
        )?;
        writeln!(text, "| game | roles | steps | branching | facts | of | built | optimised |")?;
        writeln!(text, "|---|---|---:|---:|---:|---:|---:|---:|")?;
        for game in &self.board_games {
            writeln!(text, "{}", game.row())?;
        }
        for game in &self.board_games {
            heading(text, &game.entry)?;
            code(text, &game.drawing)?;
            if let Some(svg) = &game.svg {
                writeln!(text, "\n![{} in play]({svg})", game.entry.name)?;
            }
        }
        writeln!(text)
    }

    fn video_games_text(&self, text: &mut String) -> std::fmt::Result {
        writeln!(text, "## Video games\n")?;
        writeln!(text, "The size and the drawing are those of the first level.\n")?;
        writeln!(text, "| game | players | levels | columns | rows | actions |")?;
        writeln!(text, "|---|---:|---:|---:|---:|---|")?;
        for game in &self.video_games {
            let show_video::Summary { entry, actions, levels, columns, rows, .. } = game;
            let (link, players) = (link(&entry.name), entry.roles.len());
            let actions = actions.join(", ");
            writeln!(text, "| {link} | {players} | {levels} | {columns} | {rows} | {actions} |")?;
        }
        for game in &self.video_games {
            heading(text, &game.entry)?;
            code(text, &game.drawing)?;
        }
        Ok(())
    }
}

impl BoardGame {
    /// Its line of the table.
    fn row(&self) -> String {
        let games = &self.statistics.random_games;
        let mut steps =
            format!("{:.1} ({} to {})", games.mean_length, games.shortest, games.longest);
        if games.games < GAMES {
            steps += &format!(", {} only", plural(games.games as usize, "game"));
        }
        if games.finished < games.games {
            steps += &format!(", {} unfinished", games.games - games.finished);
        }
        let network = self.statistics.network.map_or_else(
            || "? | too large | ".to_owned(),
            |size| {
                let sizes = [size.facts, size.components, size.optimised_components];
                sizes.map(|size| grouped(size as u64)).join(" | ")
            },
        );
        format!(
            "| {} | {} | {steps} | {:.1} | {:.1} | {network} |",
            link(&self.entry.name),
            self.entry.roles.join(", "),
            games.mean_branching,
            games.mean_facts,
        )
    }
}

fn link(name: &str) -> String {
    format!("[{name}](#{name})")
}

fn heading(text: &mut String, entry: &Entry) -> std::fmt::Result {
    writeln!(text, "\n### {}\n\n{}. *{}*\n", entry.name, entry.title, entry.tags.join(", "))
}

/// Lines as they stand. No drawing has a line of marks that could end them.
fn code(text: &mut String, lines: &[String]) -> std::fmt::Result {
    writeln!(text, "```text\n{}\n```", lines.join("\n"))
}
