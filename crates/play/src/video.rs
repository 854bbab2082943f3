//! Video games as the commands need them: rules and a level read, checked and ready to be played.
//!
//! The public framework plays descriptions with mistakes: it leaves out what it does not
//! understand. So do we, with a word about it; only what has no sprites at all cannot be played.

use std::sync::Arc;

use gamegrove_game::{Describe, Game, Role};
use gamegrove_vgdl::game::VideoGame;
use gamegrove_vgdl::level::World;
use gamegrove_vgdl::rules::{Rules, compile};

use crate::library::Kind;
use crate::load::{Level, LevelChoice, Source};
use crate::notice::{Notice, Severity};
use crate::problem::{Problem, Result};
use crate::text::SourceText;
use crate::units::plural;

/// A text that was read, with what was found in it.
#[derive(Debug)]
pub struct Read<T> {
    /// What the text became.
    pub value: T,
    /// The text as it was read.
    pub text: SourceText,
    /// What was found.
    pub found: Vec<Notice>,
}

/// A level ready to be played.
#[derive(Clone, Debug)]
pub struct Video {
    /// The shipped game's name, or the path as given.
    pub name: String,
    /// The level's number, if it has one.
    pub level: Option<usize>,
    /// The level's name for people.
    pub level_name: String,
    /// The level.
    pub world: Arc<World>,
    /// That the texts have findings.
    pub remarks: Vec<String>,
}

impl Video {
    /// The names of the players.
    pub fn roles(&self) -> Vec<String> {
        let game = VideoGame::new(self.world.clone(), 0);
        Role::all(game.role_count()).map(|role| game.role_name(role)).collect()
    }

    /// The level in words.
    pub fn level_words(&self) -> String {
        self.level.map_or_else(|| self.level_name.clone(), |number| format!("level {number}"))
    }
}

/// Reads a description.
pub fn read_rules(source: &Source) -> Read<Arc<Rules>> {
    let (text, odd) = decode(&source.text);
    let compiled = compile(&text);
    let found = odd.into_iter().chain(Notice::all(compiled.findings)).collect();
    Read { value: compiled.rules, text: SourceText::new(&source.name, text.as_bytes()), found }
}

/// Reads a level.
pub fn read_level(rules: &Arc<Rules>, level: &Level) -> Read<Option<Arc<World>>> {
    let (text, odd) = decode(&level.text);
    let loaded = World::load(rules, &text);
    let found = odd.into_iter().chain(Notice::all(loaded.findings)).collect();
    Read { value: loaded.world, text: SourceText::new(&level.name, text.as_bytes()), found }
}

/// Whether rules with this finding cannot be played.
pub fn is_fatal(notice: &Notice) -> bool {
    matches!(notice.code, "no-sprites" | "too-long")
}

/// Opens a level of a video game to play it.
pub fn load(source: &Source, choice: &LevelChoice) -> Result<Video> {
    require(source, Kind::Vgdl)?;
    let rules = read_rules(source);
    let level = source.level(choice)?;
    let broken = |read: SourceText, found| Problem::Rules {
        game: source.name.clone(),
        text: Box::new(read),
        found,
    };
    if rules.found.iter().any(is_fatal) {
        return Err(broken(rules.text, rules.found));
    }
    let world = read_level(&rules.value, &level);
    let texts = [(&rules.text, &rules.found), (&world.text, &world.found)];
    let remarks = texts.into_iter().filter_map(|(text, found)| remark(text, found)).collect();
    let Some(started) = world.value else { return Err(broken(world.text, world.found)) };
    Ok(Video {
        remarks,
        name: source.name.clone(),
        level: level.number,
        level_name: level.name,
        world: started,
    })
}

/// A usage error unless the game is of this kind.
pub fn require(source: &Source, kind: Kind) -> Result<()> {
    if source.kind == kind {
        return Ok(());
    }
    let (is, help) = match kind {
        _ if source.kind == Kind::Native => {
            ("neither a rulesheet nor a video game", "this works with games in GDL or VGDL")
        }
        Kind::Native => ("no program", "`grove games` says which games are"),
        Kind::Vgdl => ("no video game", "`grove games` says which games are"),
        Kind::Gdl => ("a video game", "this works with games in GDL"),
    };
    Err(Problem::usage(format!("{} is {is}", source.name), help))
}

/// That there are findings about a text.
fn remark(text: &SourceText, found: &[Notice]) -> Option<String> {
    let errors = found.iter().filter(|notice| notice.is_error()).count();
    let warnings = found.len() - errors;
    let counts: Vec<String> = [(errors, "error"), (warnings, "warning")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| plural(count, word))
        .collect();
    (!counts.is_empty())
        .then(|| format!("{}: {}; `grove check` shows them", text.name, counts.join(", ")))
}

/// The text of a file, with a warning if it is no UTF-8.
fn decode(bytes: &[u8]) -> (String, Option<Notice>) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let start = std::str::from_utf8(bytes).err().map(|error| error.valid_up_to());
    let odd = start.map(|start| Notice {
        severity: Severity::Warning,
        code: "encoding",
        message: "the file has bytes that are not UTF-8".to_owned(),
        // The replacement character has three bytes.
        span: start..start + 3,
        label: "here first".to_owned(),
        help: "save it as UTF-8; until then such bytes count as unknown characters".to_owned(),
        related: Vec::new(),
    });
    (text, odd)
}
