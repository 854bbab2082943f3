//! `grove games`: what there is to play.

use std::collections::BTreeSet;
use std::sync::Arc;

use gamegrove_game::{Fault, Role};
use gamegrove_gdl::{Reading, Rulesheet};
use gamegrove_view::{TextStyle, paragraph};
use serde::Serialize;

use super::{compare_games, games_table, make_game, show_native, show_video};
use crate::cli::{GamesAction, GamesArgs, GamesFilter};
use crate::failure::{Failure, Outcome, Result};
use crate::output::{Output, Table};
use gamegrove_inspect::compare::Care;
use gamegrove_inspect::statistics::{Effort, NetworkSize, RandomGames, Statistics};
use gamegrove_play::library::{self, Header, Kind, Shipped};
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::metadata::Metadata;
use gamegrove_play::names::{did_you_mean, natural, nearest};
use gamegrove_play::picture;
use gamegrove_play::reasoner::Reasoner;
use gamegrove_play::text::{SourceText, printable};
use gamegrove_play::units::{grouped, plural};
use gamegrove_play::video;
use gamegrove_play::{Board, Rules, Setup, open_rules};

/// A line of the list.
#[derive(Debug, Serialize)]
pub struct Entry {
    pub name: String,
    pub kind: Kind,
    pub roles: Vec<String>,
    pub title: String,
    pub tags: Vec<String>,
}

/// One game in detail.
#[derive(Debug, Serialize)]
struct Details {
    #[serde(flatten)]
    entry: Entry,
    /// What the comment at the top says.
    description: Vec<String>,
    /// What is known beside the rules of a shipped game.
    metadata: Option<Metadata>,
    statistics: Statistics,
    #[serde(flatten)]
    start: Start,
    /// The rulesheet.
    rules: String,
}

/// How a game starts.
#[derive(Debug, Serialize)]
pub(super) struct Start {
    #[serde(skip)]
    pub roles: Vec<String>,
    /// The facts of the first state.
    initial_facts: Vec<String>,
    /// The first moves, by role.
    pub initial_moves: Vec<Moves>,
}

#[derive(Debug, Serialize)]
pub(super) struct Moves {
    pub role: String,
    pub moves: Vec<String>,
}

/// Runs the command.
pub fn run(args: &GamesArgs, out: &mut Output) -> Result {
    match &args.action {
        None => list(&args.filter, out)?,
        Some(GamesAction::Table { output, drawings, seconds }) => {
            let page = games_table::Options {
                output: output.as_deref(),
                drawings: drawings.as_deref(),
                seconds: *seconds,
            };
            games_table::run(&page, entries(&args.filter)?, out)?;
        }
        Some(GamesAction::Show { game, rules, level, kind }) => {
            let source = Source::open_as(game, kind.kind)?;
            show(&source, *rules, level.as_ref(), out)?;
        }
        Some(GamesAction::Compare { game, other, seconds, games, seed }) => {
            let care = Care { steps: u64::MAX, time: Some(*seconds), games: *games, seed: *seed };
            return compare_games::run([game, other], care, out);
        }
        Some(GamesAction::Make { choice, output }) => {
            return make_game::run(choice, output.as_deref(), out);
        }
    }
    Ok(Outcome::Fine)
}

/// The shipped games that pass the filter.
fn entries(filter: &GamesFilter) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    let of_kind = |game: &Shipped| filter.kind.is_none_or(|kind| kind == game.kind);
    for game in library::games().into_iter().filter(of_kind) {
        let source = Source::open(game.name)?;
        let header = Header::read(game.text, game.kind);
        entries.push(match game.kind {
            Kind::Vgdl => show_video::entry(&source, &header)?,
            Kind::Gdl | Kind::Native => {
                let board = prover_board(&source, source.rules(Reading::Logical)?)?;
                entry(&source, &header, board.about().roles.clone())?
            }
        });
    }
    let tags: BTreeSet<&str> =
        entries.iter().flat_map(|entry| entry.tags.iter().map(String::as_str)).collect();
    if let Some(unknown) = filter.tag.iter().find(|tag| !tags.contains(tag.as_str())) {
        let near = did_you_mean(&nearest(unknown, tags.iter().copied()));
        let all = || format!("there is {}", tags.iter().copied().collect::<Vec<_>>().join(", "));
        let message = format!("no game has the tag {}", printable(unknown));
        return Err(Failure::usage(message, near.unwrap_or_else(all)));
    }
    entries.retain(|entry| {
        filter.tag.iter().all(|tag| entry.tags.contains(tag))
            && filter.players.is_none_or(|players| entry.roles.len() == players as usize)
    });
    Ok(entries)
}

fn list(filter: &GamesFilter, out: &mut Output) -> Result<()> {
    let entries = entries(filter)?;
    if entries.is_empty() && !out.is_json() {
        out.note("no shipped game is like that; `grove games` lists all");
    }
    if out.is_json() {
        return out.value(&entries);
    }
    let mut table = Table::new(&["name", "kind", "roles", "title", "tags"]);
    for entry in entries {
        table.row(vec![
            entry.name,
            entry.kind.name().to_owned(),
            entry.roles.join(", "),
            entry.title,
            entry.tags.join(", "),
        ]);
    }
    out.line(table)
}

fn show(
    source: &Source,
    rules_only: bool,
    level: Option<&LevelChoice>,
    out: &mut Output,
) -> Result<()> {
    let text = SourceText::new(&source.name, &source.text);
    if rules_only && !out.is_json() {
        return out.text(text.shown());
    }
    let header = Header::read(text.shown(), source.kind);
    if source.kind == Kind::Vgdl {
        return show_video::show(source, &header, level, out);
    }
    if level.is_some() {
        video::require(source, Kind::Vgdl)?;
    }
    if source.kind == Kind::Native {
        return show_native::show(source, &header, out);
    }
    let sheet = source.rulesheet(Reading::Logical)?;
    let statistics = statistics(source, &sheet, Effort::SHORT)?;
    picture::layout(source, &sheet)?;
    let board = prover_board(source, Rules::Sheet(Box::new(sheet)))?;
    let start = start(&*board)?;
    let about = source.metadata()?;
    let entry = entry(source, &header, start.roles.clone())?;
    if out.is_json() {
        let rules = String::from_utf8_lossy(&source.text).into_owned();
        let description = header.lines;
        return out.value(&Details {
            entry,
            description,
            metadata: about,
            statistics,
            start,
            rules,
        });
    }
    let width = out.style.width;
    entry.introduce(&header, out)?;
    if let Some(about) = &about {
        out.text(&paragraph("Source   ", &about.source, "; ", width))?;
        out.line(format!("Length   about {} steps in random games", about.length))?;
        if let Some(twin) = about.equal_twin() {
            out.line(format!("Equals   {twin} of the public rulesheets"))?;
        }
    }
    show_statistics(&statistics, &start.roles, out)?;
    out.line(format!("\nThe first state: {}", plural(start.initial_facts.len(), "fact")))?;
    let style = TextStyle { unicode: out.style.unicode, width };
    out.text(&board.text(&board.start(0), None, style))?;
    for Moves { role, moves } in &start.initial_moves {
        out.line(format!("\nFirst moves of {role}: {}", moves.len()))?;
        out.text(&paragraph("  ", moves, ", ", width))?;
    }
    Ok(())
}

fn show_statistics(found: &Statistics, roles: &[String], out: &mut Output) -> Result<()> {
    let RandomGames { games, finished, mean_length, shortest, longest, .. } = found.random_games;
    let goals = roles.iter().zip(&found.random_games.mean_goals);
    let goals: Vec<String> = goals.map(|(role, goal)| format!("{role} {goal:.1}")).collect();
    let branching = found.random_games.mean_branching;
    out.line(format!("\nIn {}", plural(games as usize, "random game")))?;
    out.line(format!("  length     {mean_length:.1} steps on average, {shortest} to {longest}"))?;
    if finished < games {
        let unfinished = plural((games - finished) as usize, "game");
        out.line(format!("             {unfinished} did not come to an end"))?;
    }
    out.line(format!("  branching  {branching:.1} joint moves a state on average"))?;
    out.line(format!("  goals      {} on average", goals.join(", ")))?;
    let facts = found.random_games.mean_facts;
    match &found.network {
        Some(NetworkSize { facts: possible, components, optimised_components }) => {
            let possible = grouped(*possible as u64);
            out.line(format!(
                "  state      {facts:.1} facts on average of {possible} that can hold"
            ))?;
            let [built, left] = [components, optimised_components].map(|n| grouped(*n as u64));
            out.line(format!("  network    {built} components, {left} after optimisation"))
        }
        None => {
            out.line(format!("  state      {facts:.1} facts on average"))?;
            out.line("  network    too large to be built quickly")
        }
    }
}

impl Entry {
    /// The comment at the top of the rules, and what every game has.
    pub fn introduce(&self, header: &Header, out: &mut Output) -> Result<()> {
        let width = out.style.width;
        match header.lines.is_empty() {
            true => out.line(&self.name)?,
            false => out.line(header.lines.join("\n"))?,
        }
        out.line("")?;
        out.text(&paragraph("Name     ", std::slice::from_ref(&self.name), ", ", width))?;
        out.text(&paragraph("Kind     ", &[self.kind.name().to_owned()], ", ", width))?;
        out.text(&paragraph("Roles    ", &self.roles, ", ", width))?;
        out.text(&paragraph("Tags     ", &self.tags, ", ", width))
    }
}

pub(super) fn entry(source: &Source, header: &Header, roles: Vec<String>) -> Result<Entry> {
    let mut tags = header.tags(roles.len());
    tags.extend(source.metadata()?.map(|about| about.tags).unwrap_or_default());
    Ok(Entry {
        name: source.name.clone(),
        kind: source.kind,
        title: header.title().unwrap_or(&source.name).to_owned(),
        tags,
        roles,
    })
}

/// The game as its prover plays it; a program plays itself.
pub(super) fn prover_board(source: &Source, rules: Rules) -> Result<Arc<dyn Board>> {
    Ok(open_rules(source, rules, &Setup::new(Reasoner::Prover))?)
}

/// Looks at the first state.
pub(super) fn start(board: &dyn Board) -> Result<Start> {
    let (state, about) = (board.start(0), board.about());
    let mut initial_moves = Vec::new();
    for (role, name) in Role::all(about.roles.len()).zip(&about.roles) {
        let (legal, fault) = board.legal_moves(&state, role);
        if let Some(fault) = fault {
            return Err(too_hard(&about.game, &fault));
        }
        let mut moves: Vec<String> = legal.iter().map(|&mov| board.move_name(role, mov)).collect();
        moves.sort_by(|a, b| natural(a, b));
        initial_moves.push(Moves { role: name.clone(), moves });
    }
    let (roles, initial_facts) = (about.roles.clone(), board.facts(&state));
    Ok(Start { roles, initial_facts, initial_moves })
}

/// A game in numbers.
pub(super) fn statistics(source: &Source, sheet: &Rulesheet, effort: Effort) -> Result<Statistics> {
    Statistics::of(&source.name, sheet, effort)?.map_err(|fault| too_hard(&source.name, &fault))
}

fn too_hard(name: &str, fault: &Fault) -> Failure {
    Failure::broken(format!("{name} could not be worked out: {fault}"), "")
}
