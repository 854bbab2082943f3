//! `grove games`: what there is to play.

use gamegrove_game::{Describe, Fault, Move, Role};
use serde::Serialize;

use crate::board::{grouped_facts, paragraph};
use crate::cli::{GamesAction, GamesArgs};
use crate::failure::{Failure, Outcome, Result};
use crate::library::{self, Header, Kind};
use crate::load::Source;
use crate::names::natural;
use crate::output::{Output, Table};
use crate::reasoner::{Reasoner, Work, with_game};
use crate::text::SourceText;
use crate::units::plural;

/// A line of the list.
#[derive(Debug, Serialize)]
struct Entry {
    name: String,
    kind: Kind,
    roles: Vec<String>,
    title: String,
    tags: Vec<String>,
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
        Some(GamesAction::Show { game, rules }) => show(game, *rules, out)?,
    }
    Ok(Outcome::Fine)
}

fn list(out: &mut Output) -> Result<()> {
    let mut entries = Vec::new();
    for game in library::games() {
        let source = Source::open(game.name)?;
        let start = start(&source)?;
        entries.push(entry(&source, &Header::read(game.text), start.roles));
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

fn show(game: &str, rules_only: bool, out: &mut Output) -> Result<()> {
    let source = Source::open(game)?;
    let text = SourceText::new(&source.name, &source.text);
    if rules_only && !out.is_json() {
        return out.text(text.shown());
    }
    let start = start(&source)?;
    let header = Header::read(text.shown());
    let entry = entry(&source, &header, start.roles.clone());
    if out.is_json() {
        let rules = String::from_utf8_lossy(&source.text).into_owned();
        return out.value(&Details { entry, description: header.lines, start, rules });
    }
    let width = out.style.width;
    match header.lines.is_empty() {
        true => out.line(&entry.name)?,
        false => out.line(header.lines.join("\n"))?,
    }
    out.line("")?;
    out.text(&paragraph("Name     ", &[entry.name], ", ", width))?;
    out.text(&paragraph("Kind     ", &[entry.kind.name().to_owned()], ", ", width))?;
    out.text(&paragraph("Roles    ", &entry.roles, ", ", width))?;
    out.text(&paragraph("Tags     ", &entry.tags, ", ", width))?;
    out.line(format!("\nThe first state: {}", plural(start.initial_facts.len(), "fact")))?;
    let facts = start.initial_facts.iter().map(String::as_str);
    out.text(&grouped_facts(facts, width))?;
    for Moves { role, moves } in &start.initial_moves {
        out.line(format!("\nFirst moves of {role}: {}", moves.len()))?;
        out.text(&paragraph("  ", moves, ", ", width))?;
    }
    Ok(())
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
