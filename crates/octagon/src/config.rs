//! The game's data file: boards, stocks and every choice that the published rules leave open.
//!
//! Every point that [Fernandes 2013] leaves open and that concerns the game is a key here. All keys
//! must be present: the file that ships, `games/octagon.toml`, is the only place with defaults.

use std::collections::BTreeMap;

use gamegrove_settings::{
    Composition, Options, Parameter, Part, Section, SettingsError, TextError, bad_value, read_text,
};

use crate::board::{MAX_HALF_WIDTH, Shape};
use crate::groups::{Images, Likeness, MAX_RADIUS};
use crate::piece::{Piece, TwoPiece};
use crate::random_player::Preferences;
use crate::rules::{Amount, Cannon, Choice, Listing, MAX_TURNS, Rules, Stock};

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
    pub fn parse(text: &str) -> Result<Self, TextError> {
        read_text(text, Config::read)
    }

    fn read(root: &mut Section<'_>) -> Result<Self, TextError> {
        let stocks = root.table("stocks", read_stocks)?;
        let stock_names: Vec<(&str, &str)> = stocks.keys().map(|name| (&**name, &**name)).collect();
        let boards = root.table("boards", |section| read_boards(section, &stock_names))?;
        let names: Vec<(&str, &str)> = boards.keys().map(|name| (&**name, &**name)).collect();
        Ok(Config {
            board: root.word("board", &names)?.to_owned(),
            cannon: root.word("cannon", Cannon::ALL)?,
            two_piece: root.word("two_piece", TwoPiece::ALL)?,
            moves: root.word("moves", Listing::ALL)?,
            likeness: root.table("likeness", |section| {
                Ok(Likeness {
                    radius: section.whole("radius", 0..=MAX_RADIUS)?,
                    images: section.word("images", Images::ALL)?,
                })
            })?,
            random_player: root.table("random_player", |section| {
                Ok(Preferences {
                    kill: section.real("kill", 0.0..=1.0)?,
                    push: section.real("push", 0.0..=1.0)?,
                    free: section.real("free", 0.0..=1.0)?,
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
    /// assert_eq!(error.to_string(), "`octagon` has no option `canon`; did you mean `cannon`?");
    /// ```
    pub fn rules(&self, description: &str) -> Result<Rules, SettingsError> {
        let parts = description.split(',').map(str::trim).filter(|part| !part.is_empty());
        let given = parts.map(|part| part.split_once('=').unwrap_or(("board", part)));
        let given: Vec<(&str, &str)> =
            given.map(|(key, value)| (key.trim(), value.trim())).collect();
        let part = Part::from_texts("octagon", &given)?;
        let mut composition = Composition::<()>::default();
        let mut options = Options::new(&part, &mut composition);
        let boards: Vec<_> = self.boards.keys().map(|name| (name.as_str(), name)).collect();
        let board_name = options.word_or("board", &boards, &self.board)?;
        let board = &self.boards[board_name];
        let stocks: Vec<_> = self.stocks.keys().map(|name| (name.as_str(), name)).collect();
        let stock_name = options.word_or("stock", &stocks, &board.stock)?;
        let rules = Rules {
            board: board_name.clone(),
            shape: board.shape,
            turns: board.turns,
            stock_name: stock_name.clone(),
            stock: self.stocks[stock_name],
            cannon: options.word_or("cannon", Cannon::ALL, self.cannon)?,
            two_piece: options.word_or("two_piece", TwoPiece::ALL, self.two_piece)?,
            moves: options.word_or("moves", Listing::ALL, self.moves)?,
            likeness: Likeness {
                images: options.word_or("images", Images::ALL, self.likeness.images)?,
                ..self.likeness
            },
            start: start(&mut options)?,
        };
        options.finish()?;
        Ok(rules)
    }
}

const START: Parameter = Parameter::text(
    "start",
    "",
    "moves with spaces between them",
    "moves that are played before the game starts",
);
const TURN: Parameter = Parameter::whole(
    "turn",
    f64::INFINITY,
    (0.0, f64::INFINITY),
    "the turns of `start` that are played; all by default",
);

/// The moves that are played before the game starts.
fn start(options: &mut Options<'_>) -> Result<Vec<String>, SettingsError> {
    let text = options.text(&START);
    let mut moves: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let turn = options.number(&TURN)?;
    if turn.is_finite() {
        if 2.0 * turn > moves.len() as f64 {
            let wanted = format!("at most half of the {} moves that `start` has", moves.len());
            return Err(bad_value("octagon", "turn", wanted, turn));
        }
        moves.truncate(2 * turn as usize);
    }
    Ok(moves)
}

fn read_stocks(section: &mut Section<'_>) -> Result<BTreeMap<String, Stock>, TextError> {
    let mut stocks = BTreeMap::new();
    for name in section.names()? {
        let stock = section.table(name, |section| {
            let mut amounts = [Amount::UNLIMITED; 4];
            for (piece, key) in Piece::ALL.into_iter().zip(["one", "two", "four", "eight"]) {
                let count = section.whole_or(key, 0..=Amount::MOST, "unlimited")?;
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
    stocks: &[(&str, &str)],
) -> Result<BTreeMap<String, BoardConfig>, TextError> {
    let mut boards = BTreeMap::new();
    for name in section.names()? {
        let board = section.table(name, |section| {
            let half_width = section.whole("half_width", 1..=MAX_HALF_WIDTH)?;
            let reaches = Shape::reach_range(half_width).unwrap_or(1..=1);
            let shape = Shape { half_width, reach: section.whole("reach", reaches)? };
            Ok(BoardConfig {
                shape,
                turns: section.whole("turns", 1..=MAX_TURNS)?,
                stock: section.word("stock", stocks)?.to_owned(),
            })
        })?;
        boards.insert(name.to_owned(), board);
    }
    Ok(boards)
}
