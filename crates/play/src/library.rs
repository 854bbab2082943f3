//! The games that come with Gamegrove. They are part of the binary, so it works from anywhere.

use std::str::FromStr;

use include_dir::{Dir, include_dir};
use serde::Serialize;

use crate::metadata::{Metadata, MetadataError};
use crate::names::{nearest, unknown};
use crate::octagon;

static GDL: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../games/gdl");
static VGDL: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../games/vgdl");

/// The language that a game is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Game Description Language: board games and the like.
    Gdl,
    /// Video Game Description Language.
    Vgdl,
    /// The Octagon Theory, which is a program with a data file.
    Octagon,
}

impl Kind {
    /// All there are.
    pub const ALL: [Kind; 3] = [Kind::Gdl, Kind::Vgdl, Kind::Octagon];

    /// Its name, as in `grove games --json`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Gdl => "gdl",
            Kind::Vgdl => "vgdl",
            Kind::Octagon => "octagon",
        }
    }

    /// What a comment starts with.
    fn comment(self) -> char {
        match self {
            Kind::Gdl => ';',
            Kind::Vgdl | Kind::Octagon => '#',
        }
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(name: &str) -> Result<Kind, String> {
        let known = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| unknown("kind", name, &Kind::ALL.map(Kind::name)))
    }
}

/// A shipped game.
#[derive(Clone, Debug)]
pub struct Shipped {
    /// Its name, in snake case.
    pub name: &'static str,
    /// Its language.
    pub kind: Kind,
    /// Its rules.
    pub text: &'static str,
    /// The levels of a video game, the first first.
    pub levels: Vec<&'static str>,
    /// The metadata file of a board game, as it stands.
    about: Option<&'static str>,
}

impl Shipped {
    /// What is known about the game beside its rules; nothing about video games.
    pub fn metadata(&self) -> Result<Metadata, MetadataError> {
        Metadata::read(self.about.unwrap_or_default())
    }
}

/// All shipped games, sorted by name.
pub fn games() -> Vec<Shipped> {
    let mut games: Vec<Shipped> = GDL
        .files()
        .filter(|file| file.path().extension().is_some_and(|extension| extension == "kif"))
        .filter_map(|file| {
            let name = file.path().file_stem()?.to_str()?;
            let text = file.contents_utf8()?;
            let about = GDL.get_file(file.path().with_extension("toml"));
            let about = about.and_then(|file| file.contents_utf8());
            Some(Shipped { name, kind: Kind::Gdl, text, levels: Vec::new(), about })
        })
        .chain(VGDL.dirs().filter_map(video_game))
        .chain(std::iter::once(Shipped {
            name: octagon::NAME,
            kind: Kind::Octagon,
            text: octagon::TEXT,
            levels: Vec::new(),
            about: None,
        }))
        .collect();
    games.sort_unstable_by_key(|game| game.name);
    games
}

fn video_game(folder: &'static Dir<'static>) -> Option<Shipped> {
    let text_of = |name: &str| folder.get_file(folder.path().join(name))?.contents_utf8();
    Some(Shipped {
        name: folder.path().file_name()?.to_str()?,
        kind: Kind::Vgdl,
        text: text_of("rules.vgdl")?,
        levels: (0..).map_while(|number| text_of(&format!("level{number}.txt"))).collect(),
        about: None,
    })
}

/// The shipped game called `name`; `Connect-Four` is `connect_four`.
pub fn find(name: &str) -> Option<Shipped> {
    let name = name.to_lowercase().replace(['-', ' '], "_");
    games().into_iter().find(|game| game.name == name)
}

/// The metadata of the shipped game called `name`, if it has any.
pub fn metadata(name: &str) -> Option<&'static str> {
    GDL.get_file(format!("{name}.toml"))?.contents_utf8()
}

/// The names of shipped games that `name` was probably meant to be.
pub fn similar(name: &str) -> Vec<&'static str> {
    nearest(name, games().into_iter().map(|game| game.name))
}

/// What the comment at the top of a rulesheet says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Its lines, without the marks of comments and the common indentation.
    pub lines: Vec<String>,
}

impl Header {
    /// Reads the comment at the top of `text`.
    pub fn read(text: &str, kind: Kind) -> Header {
        let mark = kind.comment();
        let comment = text.lines().map(str::trim_end).skip_while(|line| line.is_empty());
        let lines: Vec<&str> = comment
            .map_while(|line| line.strip_prefix(mark))
            .map(|line| line.trim_start_matches(mark))
            .collect();
        let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
        let indented = lines.iter().filter(|line| !line.is_empty());
        let common = indented.map(indent).min().unwrap_or(0);
        let mut lines: Vec<String> =
            lines.iter().map(|line| line.get(common..).unwrap_or("").to_owned()).collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        Header { lines }
    }

    /// The first line with words in it.
    pub fn title(&self) -> Option<&str> {
        let words = |line: &&String| line.chars().any(char::is_alphabetic);
        self.lines.iter().find(words).map(|line| line.trim())
    }

    /// What the entry `Players` says, if there is one.
    fn players(&self) -> Option<&str> {
        self.lines.iter().find_map(|line| line.strip_prefix("Players "))
    }

    /// Words for what kind of game it is.
    pub fn tags(&self, roles: usize) -> Vec<String> {
        let mut tags = vec![match roles {
            1 => "single-player".to_owned(),
            2 => "two-player".to_owned(),
            3 => "three-player".to_owned(),
            4 => "four-player".to_owned(),
            5 => "five-player".to_owned(),
            6 => "six-player".to_owned(),
            n => format!("{n}-player"),
        }];
        let players = self.players().unwrap_or_default();
        if roles > 1 && players.contains(", in turn") {
            tags.push("turn-taking".to_owned());
        }
        if roles > 1 && players.contains(", at once") {
            tags.push("simultaneous".to_owned());
        }
        tags
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_game::{Game, Move, Player, Rng, Role};
    use gamegrove_gdl::{Prover, Rulesheet};

    use super::*;

    #[test]
    fn names_are_found_however_they_are_written() {
        for name in ["connect_four", "connect-four", "Connect Four"] {
            assert_eq!(find(name).map(|game| game.name), Some("connect_four"));
        }
        assert!(find("../secret").is_none());
        assert_eq!(similar("conect4our"), ["connect_four"]);
    }

    #[test]
    fn headers_are_read() {
        let gdl = |text| Header::read(text, Kind::Gdl);
        let header = gdl("\n;;; Title, 3 x 3\n;;;\n;;; Rules   a\n;;;         b\n;;\n(p)\n;x");
        assert_eq!(header.lines, ["Title, 3 x 3", "", "Rules   a", "        b"]);
        assert_eq!(header.title(), Some("Title, 3 x 3"));
        assert_eq!(gdl("; -----\n;  Ä\n").title(), Some("Ä"));
        assert_eq!(gdl("(role x)").lines, [""; 0]);
        assert_eq!(gdl(";\u{e4}\n; b").title(), Some("\u{e4}"));
        let video = Header::read("# Zelda\n#\n# Find it.\nBasicGame # x\n", Kind::Vgdl);
        assert_eq!(video.lines, ["Zelda", "", "Find it."]);
    }

    /// Whether some random games have a state in which several roles have a choice, and whether
    /// they have one in which exactly one role has.
    fn choices(game: Prover) -> (bool, bool) {
        let mut player = Player::new(game);
        let start = player.state.clone();
        let (mut several, mut one) = (false, false);
        for number in 0..3 {
            let mut moves: Vec<Move> = Vec::new();
            player.random_game_with(&start, 200, &mut Rng::stream(1, number), |game, state, _| {
                let choosing = Role::all(game.role_count())
                    .filter(|&role| {
                        game.legal_moves(state, role, &mut moves);
                        moves.len() > 1
                    })
                    .count();
                several |= choosing > 1;
                one |= choosing == 1;
            });
        }
        (several, one)
    }

    #[test]
    fn every_shipped_game_is_sound_and_has_true_tags() {
        assert!(games().len() >= 7);
        for game in games().into_iter().filter(|game| game.kind == Kind::Gdl) {
            let sheet = Rulesheet::load(game.text.as_bytes());
            let sheet = sheet.unwrap_or_else(|found| panic!("{}: {found:?}", game.name));
            assert_eq!(sheet.warnings, [], "{}", game.name);
            let prover = Prover::new(&sheet.program).expect("a playable game");
            let header = Header::read(game.text, game.kind);
            let about = game.metadata().unwrap_or_else(|wrong| panic!("{}: {wrong}", game.name));
            assert_eq!(header.title(), Some(about.title.as_str()), "{}", game.name);
            let roles = prover.role_count();
            let tags = header.tags(roles);
            let says = |tag: &str| tags.iter().any(|t| t == tag);
            let (several, one) = choices(prover);
            assert_eq!(says("single-player"), roles == 1, "{}", game.name);
            if roles > 1 {
                assert_eq!(says("simultaneous"), several, "{}", game.name);
                assert_eq!(says("turn-taking"), one && !several, "{}", game.name);
            }
        }
    }

    #[test]
    fn every_shipped_video_game_has_its_levels() {
        let games: Vec<Shipped> =
            games().into_iter().filter(|game| game.kind == Kind::Vgdl).collect();
        assert_eq!(games.len(), 25);
        for game in games {
            assert_eq!(game.levels.len(), 5, "{}", game.name);
            let header = Header::read(game.text, game.kind);
            assert!(header.lines.len() >= 3, "{} has a title and its rules in words", game.name);
        }
    }
}
