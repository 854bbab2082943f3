//! `grove games` for video games: the rules in words, the levels, the first of them drawn.

use gamegrove_vgdl::words::Meeting;
use gamegrove_view::paragraph;
use serde::Serialize;

use super::games::Entry;
use super::open_video;
use crate::arcade::legend;
use crate::failure::Result;
use crate::output::{Output, Table};
use crate::screen::{Painter, Room};
use gamegrove_play::library::Header;
use gamegrove_play::load::{LevelChoice, Source};
use gamegrove_play::units::plural;
use gamegrove_play::video::{self, Video};

/// One video game in detail.
#[derive(Debug, Serialize)]
struct Details {
    #[serde(flatten)]
    entry: Entry,
    /// What the comment at the top says.
    description: Vec<String>,
    /// How it ends, in words.
    endings: Vec<String>,
    /// What happens when sprites meet.
    meetings: Vec<Told>,
    /// The actions of the first player.
    actions: Vec<&'static str>,
    /// The numbers of its levels.
    levels: Vec<usize>,
    /// The level that is drawn.
    level: Option<usize>,
    level_name: String,
    columns: i32,
    rows: i32,
    /// Its first state as characters, one line a row.
    drawing: Vec<String>,
    legend: Vec<String>,
    /// The description.
    rules: String,
}

#[derive(Debug, Serialize)]
struct Told {
    first: String,
    second: String,
    effects: Vec<String>,
}

impl From<Meeting> for Told {
    fn from(meeting: Meeting) -> Told {
        Told { first: meeting.first, second: meeting.second, effects: meeting.effects }
    }
}

/// One video game in a few words.
#[derive(Debug, Serialize)]
pub struct Summary {
    #[serde(flatten)]
    pub entry: Entry,
    /// The actions of the first player.
    pub actions: Vec<&'static str>,
    /// How many levels it has.
    pub levels: usize,
    /// The size of the first level.
    pub columns: i32,
    pub rows: i32,
    /// Its first state as characters, one line a row, and what they mean.
    pub drawing: Vec<String>,
}

/// The game of a list's line in a few words.
pub fn summary(source: &Source, entry: Entry) -> Result<Summary> {
    const WIDTH: usize = 100;
    let world = video::load(source, &LevelChoice::Number(0))?.world;
    let (painter, start) = (Painter::new(&world, false), world.start());
    let mut drawing = painter.draw(&world, start, 0, Room { width: WIDTH, height: usize::MAX });
    drawing.extend(legend(painter.legend(&world, start, 0), WIDTH));
    Ok(Summary {
        actions: world.actions(start, 0).iter().map(|action| action.name()).collect(),
        levels: source.level_numbers().len(),
        columns: world.cols,
        rows: world.rows,
        drawing,
        entry,
    })
}

/// The line of the list.
pub fn entry(source: &Source, header: &Header) -> Result<Entry> {
    Ok(entry_of(source, header, &video::load(source, &LevelChoice::Number(0))?))
}

fn entry_of(source: &Source, header: &Header, video: &Video) -> Entry {
    let roles = video.roles();
    let mut tags = header.tags(roles.len());
    tags.push("video".to_owned());
    let rules = &video.world.rules;
    let continuous = rules.types.types.iter().any(|ty| ty.continuous);
    tags.push(if continuous { "continuous" } else { "grid" }.to_owned());
    if video.world.is_stochastic() {
        tags.push("stochastic".to_owned());
    }
    Entry {
        name: source.name.clone(),
        kind: source.kind,
        title: header.title().unwrap_or(&source.name).to_owned(),
        roles,
        tags,
    }
}

/// Shows one game.
pub fn show(
    source: &Source,
    header: &Header,
    level: Option<&LevelChoice>,
    out: &mut Output,
) -> Result<()> {
    let numbers = source.level_numbers();
    let first = LevelChoice::Number(numbers.first().copied().unwrap_or(0));
    let video = open_video(source, level.unwrap_or(&first), out)?;
    let (world, rules) = (&video.world, &video.world.rules);
    let entry = entry_of(source, header, &video);
    let painter = Painter::new(world, out.style.colour && !out.is_json());
    let (width, start) = (out.style.width, world.start());
    let drawing = painter.draw(world, start, 0, Room { width, height: usize::MAX });
    let symbols = painter.legend(world, start, 0);
    let actions: Vec<&str> = world.actions(start, 0).iter().map(|action| action.name()).collect();
    if out.is_json() {
        return out.value(&Details {
            entry,
            description: header.lines.clone(),
            endings: rules.endings(),
            meetings: rules.meetings().into_iter().map(Told::from).collect(),
            actions,
            levels: numbers,
            level: video.level,
            level_name: video.level_name.clone(),
            columns: world.cols,
            rows: world.rows,
            drawing,
            legend: symbols,
            rules: String::from_utf8_lossy(&source.text).into_owned(),
        });
    }
    entry.introduce(header, out)?;
    let actions: Vec<String> = actions.into_iter().map(str::to_owned).collect();
    out.text(&paragraph("Actions  ", &actions, ", ", width))?;
    let levels: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    out.text(&paragraph("Levels   ", &levels, ", ", width))?;
    out.line("\nHow it ends")?;
    for ending in rules.endings() {
        out.text(&paragraph("  ", &[ending], " ", width))?;
    }
    out.line("\nWhat happens when sprites meet")?;
    let mut table = Table::new(&["  what", "meets", "and then"]);
    for meeting in rules.meetings() {
        let first = format!("  {}", meeting.first);
        table.row(vec![first, meeting.second, meeting.effects.join("; ")]);
    }
    out.line(table)?;
    let size = format!(
        "{} x {}",
        plural(world.cols as usize, "column"),
        plural(world.rows as usize, "row")
    );
    out.line(format!("\n{}, {size}", video.level_words()))?;
    for line in drawing.iter().chain(&legend(symbols, width)) {
        out.picture(&format!("{line}\n"))?;
    }
    Ok(())
}
