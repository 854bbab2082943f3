//! `grove games`: what there is to play.

use gamegrove_game::{Describe, Fault, Move, Role};
use gamegrove_view::{facts_text, paragraph};
use serde::Serialize;

use super::show_video;
use crate::cli::{GamesAction, GamesArgs};
use crate::failure::{Failure, Outcome, Result};
use crate::library::{self, Header, Kind};
use crate::load::{LevelChoice, Source};
use crate::names::natural;
use crate::output::{Output, Table};
use crate::reasoner::{Reasoner, Work, with_game};
use crate::text::SourceText;
use crate::units::plural;
use crate::video;

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
    #[serde(flatten)]
    start: Start,
    /// The rulesheet.
    rules: String,
}

/// How a game starts.
#[derive(Debug, Serialize)]
struct Start {
    #[serde(skip)]
    roles: Vec<String>,
    /// The facts of the first state.
    initial_facts: Vec<String>,
    /// The first moves, by role.
    initial_moves: Vec<Moves>,
}

#[derive(Debug, Serialize)]
struct Moves {
    role: String,
    moves: Vec<String>,
}

/// Runs the command.
pub fn run(args: &GamesArgs, out: &mut Output) -> Result {
    match &args.action {
        None => list(out)?,
        Some(GamesAction::Show { game, rules, level, kind }) => {
            let source = Source::open_as(game, kind.kind)?;
            show(&source, *rules, level.as_ref(), out)?;
        }
    }
    Ok(Outcome::Fine)
}

fn list(out: &mut Output) -> Result<()> {
    let mut entries = Vec::new();
    for game in library::games() {
        let source = Source::open(game.name)?;
        let header = Header::read(game.text, game.kind);
        entries.push(match game.kind {
            Kind::Gdl => entry(&source, &header, start(&source)?.roles),
            Kind::Vgdl => show_video::entry(&source, &header)?,
        });
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
    let start = start(source)?;
    let entry = entry(source, &header, start.roles.clone());
    if out.is_json() {
        let rules = String::from_utf8_lossy(&source.text).into_owned();
        return out.value(&Details { entry, description: header.lines, start, rules });
    }
    let width = out.style.width;
    entry.introduce(&header, out)?;
    out.line(format!("\nThe first state: {}", plural(start.initial_facts.len(), "fact")))?;
    let facts = start.initial_facts.iter().map(String::as_str);
    out.text(&facts_text(facts, width))?;
    for Moves { role, moves } in &start.initial_moves {
        out.line(format!("\nFirst moves of {role}: {}", moves.len()))?;
        out.text(&paragraph("  ", moves, ", ", width))?;
    }
    Ok(())
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

fn entry(source: &Source, header: &Header, roles: Vec<String>) -> Entry {
    Entry {
        name: source.name.clone(),
        kind: source.kind,
        title: header.title().unwrap_or(&source.name).to_owned(),
        tags: header.tags(roles.len()),
        roles,
    }
}

fn start(source: &Source) -> Result<Start> {
    let sheet = source.rulesheet(gamegrove_gdl::Reading::Logical)?;
    with_game(&source.name, &sheet, Reasoner::Prover, FirstState)?.map_err(|fault| {
        Failure::broken(format!("{} could not be worked out: {fault}", source.name), "")
    })
}

/// Looks at the first state.
struct FirstState;

impl Work for FirstState {
    type Output = std::result::Result<Start, Fault>;

    fn run<G: Describe>(self, mut game: G) -> Self::Output {
        let state = game.initial_state();
        let roles: Vec<Role> = Role::all(game.role_count()).collect();
        let mut legal: Vec<Move> = Vec::new();
        let mut initial_moves = Vec::new();
        for &role in &roles {
            game.legal_moves(&state, role, &mut legal);
            let mut moves: Vec<String> =
                legal.iter().map(|&mov| game.move_name(role, mov)).collect();
            moves.sort_by(|a, b| natural(a, b));
            initial_moves.push(Moves { role: game.role_name(role), moves });
        }
        let start = Start {
            roles: roles.iter().map(|&role| game.role_name(role)).collect(),
            initial_facts: game.facts(&state),
            initial_moves,
        };
        game.take_fault().map_or(Ok(start), Err)
    }
}
