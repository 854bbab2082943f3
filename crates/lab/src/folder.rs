//! A folder of rules in place of the games that ship.
//!
//! Tables were played with the public files of their time. Whoever has such files plays an experiment
//! with them: a game is looked for under its name, whatever its underscores and capital letters, and if
//! the folder has no such file the experiment cannot be planned. Rules are part of what a cell is, so
//! results with other files never mix.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use gamegrove_agents::Agent;

use crate::boards::Boards;
use crate::plan::{Bout, PlannedGame};
use crate::venue::{Facts, Played, Venue};

/// Where the games of an experiment are found: in a folder, if there is one, or among those that ship.
pub fn venue(games: Option<&Path>) -> Box<dyn Venue> {
    match games {
        Some(folder) => Box::new(Folder::new(folder)),
        None => Box::<Boards>::default(),
    }
}

/// The games of one folder.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    boards: Boards,
}

/// How files of rules end.
const ENDINGS: [&str; 3] = ["txt", "kif", "gdl"];

impl Folder {
    /// The games of the folder at `path`.
    pub fn new(path: &Path) -> Folder {
        Folder { path: path.to_owned(), boards: Boards::default() }
    }

    /// The file of a game.
    fn file(&self, game: &str) -> Result<String, String> {
        let folder = self.path.display();
        let entries = std::fs::read_dir(&self.path).map_err(|error| {
            format!("{folder} cannot be read ({error}); choose a folder of rules")
        })?;
        let fits = |path: &PathBuf| {
            let text = |part: Option<&OsStr>| part.and_then(OsStr::to_str).map(str::to_owned);
            text(path.extension()).is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
                && text(path.file_stem()).is_some_and(|stem| plain(&stem) == plain(game))
        };
        let files = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(fits);
        let file =
            files.min().ok_or_else(|| format!("{folder} has no file {game}.txt or {game}.kif"))?;
        file.to_str().map(str::to_owned).ok_or_else(|| format!("the name of {folder} is no text"))
    }
}

/// A name as far as folders agree on it.
fn plain(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

impl Venue for Folder {
    fn look(&self, game: &str) -> Result<Facts, String> {
        self.boards.look(&self.file(game)?)
    }

    fn admit(&self, game: &str, reasoner: &str, agents: &[&Agent]) -> Result<(), String> {
        self.boards.admit(&self.file(game)?, reasoner, agents)
    }

    fn play(&self, reasoner: &str, bout: &Bout<'_>) -> Result<Played, String> {
        let game = PlannedGame { name: self.file(&bout.game.name)?, ..bout.game.clone() };
        self.boards.play(reasoner, &Bout { game: &game, ..bout.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_found_whatever_their_underscores_and_capitals() {
        let folder = std::env::temp_dir().join(format!("gamegrove-folder-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let rules = "(role a) (init s) (legal a go) (<= (next t) (true s)) (<= terminal (true t)) (goal a 100)";
        std::fs::write(folder.join("myGame.kif"), rules).expect("a file");
        let venue = Folder::new(&folder);
        assert_eq!(venue.look("my_game"), venue.look("mygame"));
        assert_eq!(venue.look("my_game").expect("it is there").roles, 1);
        let missing = venue.look("tic_tac_toe").expect_err("shipped games do not count");
        assert!(missing.ends_with("has no file tic_tac_toe.txt or tic_tac_toe.kif"), "{missing}");
        let outside = venue.look("../mygame").expect_err("no way out of the folder");
        assert!(outside.contains("has no file"), "{outside}");
        std::fs::remove_dir_all(&folder).expect("it goes");
    }
}
