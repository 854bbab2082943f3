//! Shipped games that are programs. What the other crates must know of one stands in its entry of [`GAMES`].

use gamegrove_octagon::Octagon;

use crate::load::Source;
use crate::octagon;
use crate::problem::Result;

/// A shipped game that is a program with a data file.
#[derive(Debug)]
pub struct Native {
    /// What it is called. Settings may follow in parentheses: `octagon(small)`.
    pub name: &'static str,
    /// The data file that ships.
    pub text: &'static str,
    /// Words by which it is found in lists.
    pub tags: &'static [&'static str],
    /// The agent that plays it unless another is chosen. Agents whose names begin with that of the game
    /// know its moves and play no other game.
    pub agent: &'static str,
    /// Reads a data file, with the settings that are part of the game's name.
    pub load: fn(&Source) -> Result<Program>,
}

/// What plays a native game.
pub type Program = Octagon;

/// All native games.
pub static GAMES: [&Native; 1] = [&octagon::GAME];

/// The native game that has this name, and the settings that follow it.
pub fn find(name: &str) -> Option<(&'static Native, &str)> {
    GAMES.into_iter().find_map(|game| Some((game, settings(name, game.name)?)))
}

/// The native game of a source, which may also be a data file at a path.
pub fn of(source: &Source) -> &'static Native {
    find(&source.name).map_or(GAMES[0], |(game, _)| game)
}

/// Loads a native game.
pub fn load(source: &Source) -> Result<Program> {
    (of(source).load)(source)
}

/// Whether an agent plays one native game alone.
pub fn is_for_one(agent: &str) -> bool {
    GAMES.iter().any(|game| agent.starts_with(game.name))
}

/// The settings in a name like `octagon(small)`; `None` if another game has that name.
fn settings<'n>(name: &'n str, game: &str) -> Option<&'n str> {
    let name = name.trim();
    let head = name.get(..game.len()).filter(|head| head.eq_ignore_ascii_case(game))?;
    let rest = name[head.len()..].trim();
    if rest.is_empty() {
        return Some("");
    }
    rest.strip_prefix('(')?.strip_suffix(')').map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_settings() {
        let settings = |name| find(name).map(|(game, settings)| (game.name, settings));
        assert_eq!(settings("octagon"), Some(("octagon", "")));
        assert_eq!(settings(" Octagon ( small ) "), Some(("octagon", "small")));
        assert_eq!(
            settings("octagon(board=small, stock=unlimited)"),
            Some(("octagon", "board=small, stock=unlimited"))
        );
        for other in ["octagons", "octagon.toml", "octagon(small", "chess", "", "é", "octagon/"] {
            assert_eq!(settings(other), None, "{other}");
        }
    }

    #[test]
    fn their_agents_are_for_them() {
        for game in GAMES {
            assert!(is_for_one(game.agent), "{}", game.name);
            assert!(gamegrove_agents::Agent::find(game.agent).is_ok(), "{}", game.agent);
        }
        assert!(!is_for_one("grove"));
    }
}
