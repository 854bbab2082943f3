//! `grove games`: what there is to play.

use std::collections::BTreeSet;

use gamegrove_game::{Describe, Fault, Move, Role};
use gamegrove_view::{facts_text, paragraph};
use serde::Serialize;

use super::show_video;
use crate::cli::{GamesAction, GamesArgs, GamesFilter};
use crate::compare::{Care, compare};
use crate::failure::{Failure, Outcome, Result};
use crate::library::{self, Header, Kind, Shipped};
use crate::load::{LevelChoice, Source};
use crate::metadata::Metadata;
use crate::names::{did_you_mean, natural, nearest};
use crate::output::{Output, Table};
use crate::reasoner::{Reasoner, Work, with_game};
use crate::text::{SourceText, printable};
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
    /// What is known beside the rules of a shipped game.
    metadata: Option<Metadata>,
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
        None => list(&args.filter, out)?,
        Some(GamesAction::Show { game, rules, level, kind }) => {
            let source = Source::open_as(game, kind.kind)?;
            show(&source, *rules, level.as_ref(), out)?;
        }
        Some(GamesAction::Compare { game, other, seconds, games, seed }) => {
            let care = Care { steps: u64::MAX, time: Some(*seconds), games: *games, seed: *seed };
            return compare_games([game, other], care, out);
        }
    }
    Ok(Outcome::Fine)
}

/// Says whether two rulesheets are the same game.
fn compare_games(names: [&str; 2], care: Care, out: &mut Output) -> Result {
    let open = |name: &str| {
        let source = Source::open(name)?;
        video::require(&source, Kind::Gdl)?;
        let sheet = source.rulesheet(gamegrove_gdl::Reading::Logical)?;
        Ok::<_, Failure>((source.name, sheet))
    };
    let (one, other) = (open(names[0])?, open(names[1])?);
    let found = compare((&one.0, &one.1), (&other.0, &other.1), care)?;
    if out.is_json() {
        out.value(&found)?;
    } else {
        let mut table =
            Table::new(&["random games", ">first", ">second", ">distance", ">limit", ""]);
        for measure in &found.measures {
            let [first, second] = measure.means.map(|mean| format!("{mean:.2}"));
            let [distance, limit] =
                [measure.distance, measure.limit].map(|share| format!("{share:.3}"));
            let verdict = if measure.differs() { "differs" } else { "" };
            table.row(vec![
                measure.name.clone(),
                first,
                second,
                distance,
                limit,
                verdict.to_owned(),
            ]);
        }
        out.line(table)?;
        out.line(format!("\n{} and {}: {found}", one.0, other.0))?;
    }
    Ok(if found.equal() { Outcome::Fine } else { Outcome::Broken })
}

fn list(filter: &GamesFilter, out: &mut Output) -> Result<()> {
    let mut entries = Vec::new();
    let of_kind = |game: &Shipped| filter.kind.is_none_or(|kind| kind == game.kind);
    for game in library::games().into_iter().filter(of_kind) {
        let source = Source::open(game.name)?;
        let header = Header::read(game.text, game.kind);
        entries.push(match game.kind {
            Kind::Gdl => entry(&source, &header, start(&source)?.roles)?,
            Kind::Vgdl => show_video::entry(&source, &header)?,
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
    let start = start(source)?;
    let about = source.metadata()?;
    let entry = entry(source, &header, start.roles.clone())?;
    if out.is_json() {
        let rules = String::from_utf8_lossy(&source.text).into_owned();
        let description = header.lines;
        return out.value(&Details { entry, description, metadata: about, start, rules });
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

fn entry(source: &Source, header: &Header, roles: Vec<String>) -> Result<Entry> {
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

    fn run<G: Describe + 'static>(self, mut game: G) -> Self::Output {
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
