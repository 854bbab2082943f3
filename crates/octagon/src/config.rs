//! The game's data file: boards, stocks and every choice that the published rules leave open.
//!
//! Every point that [Fernandes 2013] leaves open and that concerns the game is a key here. All keys
//! must be present: the file that ships, `games/octagon.toml`, is the only place with defaults.

use std::collections::BTreeMap;

use crate::board::{MAX_HALF_WIDTH, Shape};
use crate::groups::{Images, Likeness, MAX_RADIUS};
use crate::piece::{Piece, TwoPiece};
use crate::random_player::Preferences;
use crate::rules::{Amount, Cannon, Choice, Listing, MAX_TURNS, Rules, Stock};
use crate::section::{ConfigError, Problem, Section, read_text, unknown_name};

/// The contents of a data file.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The board that is played when none is named.
    pub board: String,
    /// The effect of a push on a line of several pieces.
    pub cannon: Cannon,
    /// How the lines of a 2-piece lie.
    pub two_piece: TwoPiece,
    /// Which placements count as moves.
    pub moves: Listing,
    /// Which moves are so much alike that a search may look at one of them only.
    pub likeness: Likeness,
    /// The boards by name.
    pub boards: BTreeMap<String, BoardConfig>,
    /// The stocks by name.
    pub stocks: BTreeMap<String, Stock>,
    /// The preferences of the pseudo-random players of the complexity estimates.
    pub random_player: Preferences,
}

/// One board of a data file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardConfig {
    /// The board.
    pub shape: Shape,
    /// Placements of each player.
    pub turns: u8,
    /// The stock that is used when none is named.
    pub stock: String,
}

/// The file that ships with the program.
const SHIPPED: &str = include_str!("../../../games/octagon.toml");

impl Config {
    /// The data file that ships with the program.
    pub fn shipped() -> Self {
        Config::parse(SHIPPED).expect("the shipped file is valid, a test reads it")
    }

    /// Reads a data file.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        read_text(text, Config::read)
    }

    fn read(root: &mut Section<'_>) -> Result<Self, ConfigError> {
        let stocks = root.table("stocks", read_stocks)?;
        let stock_names: Vec<&str> = stocks.keys().map(String::as_str).collect();
        let boards = root.table("boards", |section| read_boards(section, &stock_names))?;
        let board_names: Vec<&str> = boards.keys().map(String::as_str).collect();
        Ok(Config {
            board: root.name_among("board", &board_names)?.to_owned(),
            cannon: root.choice("cannon")?,
            two_piece: root.choice("two_piece")?,
            moves: root.choice("moves")?,
            likeness: root.table("likeness", |section| {
                Ok(Likeness {
                    radius: section.number("radius", 0..=MAX_RADIUS)?,
                    images: section.choice("images")?,
                })
            })?,
            random_player: root.table("random_player", |section| {
                Ok(Preferences {
                    kill: section.probability("kill")?,
                    push: section.probability("push")?,
                    free: section.probability("free")?,
                })
            })?,
            boards,
            stocks,
        })
    }

    /// The rules that a one-line description selects: settings `key=value` with commas between
    /// them, where a bare word names the board and an empty line is the file's own choice. Keys
    /// are `board`, `stock`, `cannon`, `two_piece`, `moves` and `images`; `start` has moves with spaces between
    /// them that are played before the game starts, and `turn` says how many turns of them: with a
    /// whole game as `start` play goes on from any turn of it.
    ///
    /// ```
    /// let config = gamegrove_octagon::Config::shipped();
    /// let rules = config.rules("small, cannon=line_shift, stock=unlimited").unwrap();
    /// assert_eq!(rules.turns, 20);
    /// let error = config.rules("small, canon=line_shift").unwrap_err();
    /// assert_eq!(error.to_string(), "unknown key `canon`; the nearest valid one is `cannon`");
    /// ```
    pub fn rules(&self, description: &str) -> Result<Rules, Problem> {
        let setting = Settings::read(description)?;
        let board_name = setting.get("board").unwrap_or(&self.board);
        let Some(board) = self.boards.get(board_name) else {
            let names: Vec<&str> = self.boards.keys().map(String::as_str).collect();
            return Err(unknown_name("board".to_owned(), board_name, &names));
        };
        let stock_name = setting.get("stock").unwrap_or(&board.stock);
        let Some(&stock) = self.stocks.get(stock_name) else {
            let names: Vec<&str> = self.stocks.keys().map(String::as_str).collect();
            return Err(unknown_name("stock".to_owned(), stock_name, &names));
        };
        let moves: Vec<String> =
            setting.get("start").unwrap_or("").split_whitespace().map(str::to_owned).collect();
        let start = match setting.get("turn") {
            None => moves,
            Some(text) => {
                let turns: Option<usize> = text.parse().ok();
                let Some(plies) = turns.map(|turns| turns.saturating_mul(2)) else {
                    return Err(Problem::Syntax(format!(
                        "`turn` must be a whole number, not `{text}`"
                    )));
                };
                if moves.len() < plies {
                    let message = format!(
                        "`turn={text}` takes {plies} moves, and `start` has {}",
                        moves.len()
                    );
                    return Err(Problem::Syntax(message));
                }
                moves[..plies].to_vec()
            }
        };
        Ok(Rules {
            board: board_name.to_owned(),
            shape: board.shape,
            turns: board.turns,
            stock_name: stock_name.to_owned(),
            stock,
            cannon: setting.choice("cannon", self.cannon)?,
            two_piece: setting.choice("two_piece", self.two_piece)?,
            moves: setting.choice("moves", self.moves)?,
            likeness: Likeness {
                images: setting.choice::<Images>("images", self.likeness.images)?,
                ..self.likeness
            },
            start,
        })
    }
}

fn read_stocks(section: &mut Section<'_>) -> Result<BTreeMap<String, Stock>, ConfigError> {
    let mut stocks = BTreeMap::new();
    for name in section.names()? {
        let stock = section.table(name, |section| {
            let mut amounts = [Amount::UNLIMITED; 4];
            for (piece, key) in Piece::ALL.into_iter().zip(["one", "two", "four", "eight"]) {
                let count = section.number_or(key, 0..=Amount::MOST, "unlimited")?;
                amounts[piece.index()] = count.map_or(Amount::UNLIMITED, Amount::limited);
            }
            Ok(Stock(amounts))
        })?;
        stocks.insert(name.to_owned(), stock);
    }
    Ok(stocks)
}

fn read_boards(
    section: &mut Section<'_>,
    stocks: &[&str],
) -> Result<BTreeMap<String, BoardConfig>, ConfigError> {
    let mut boards = BTreeMap::new();
    for name in section.names()? {
        let board = section.table(name, |section| {
            let half_width = section.number("half_width", 1..=MAX_HALF_WIDTH)?;
            let reaches = Shape::reach_range(half_width).unwrap_or(1..=1);
            let shape = Shape { half_width, reach: section.number("reach", reaches)? };
            Ok(BoardConfig {
                shape,
                turns: section.number("turns", 1..=MAX_TURNS)?,
                stock: section.name_among("stock", stocks)?.to_owned(),
            })
        })?;
        boards.insert(name.to_owned(), board);
    }
    Ok(boards)
}

/// The settings of a one-line description.
struct Settings<'d>(Vec<(&'d str, &'d str)>);

impl<'d> Settings<'d> {
    const KEYS: [&'static str; 8] =
        ["board", "stock", "cannon", "two_piece", "moves", "images", "start", "turn"];

    fn read(description: &'d str) -> Result<Self, Problem> {
        let mut settings: Vec<(&str, &str)> = Vec::new();
        for part in description.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=').unwrap_or(("board", part));
            let (key, value) = (key.trim(), value.trim());
            if !Self::KEYS.contains(&key) {
                let Problem::Name { nearest, .. } = unknown_name(String::new(), key, &Self::KEYS)
                else {
                    continue;
                };
                return Err(Problem::UnknownKey { key: key.to_owned(), nearest });
            }
            if settings.iter().any(|(known, _)| *known == key) {
                return Err(Problem::Syntax(format!("`{key}` is set twice; give it once")));
            }
            settings.push((key, value));
        }
        Ok(Settings(settings))
    }

    fn get(&self, key: &str) -> Option<&'d str> {
        self.0.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    fn choice<C: Choice>(&self, key: &str, otherwise: C) -> Result<C, Problem> {
        let Some(value) = self.get(key) else { return Ok(otherwise) };
        let names: Vec<&str> = C::ALL.iter().map(|(name, _)| *name).collect();
        match C::ALL.iter().find(|(name, _)| *name == value) {
            Some((_, choice)) => Ok(*choice),
            None => Err(unknown_name(key.to_owned(), value, &names)),
        }
    }
}
