//! Pictures of states and trees.
//!
//! ```text
//! facts of a few states ─ Evidence ─ Layout ─ Scene ─┬─ text
//!        (any game)       hints ───────┘   facts ┘   └─ SVG
//! ```
//!
//! A [`Layout`] is found once for a game: which of its facts are squares of a board, where these
//! squares are, and what stands on them. It turns the facts of any state into a [`Scene`], which is
//! drawn as text or SVG, or by a page in its own way.
//!
//! ```
//! use gamegrove_view::{Evidence, Layout, SvgStyle, TextStyle};
//!
//! let facts: Vec<String> = ["(cell 1 1 x)", "(cell 1 2 b)", "(cell 2 1 o)", "(cell 2 2 b)"]
//!     .map(str::to_owned)
//!     .to_vec();
//! let evidence = Evidence {
//!     roles: vec!["x".into(), "o".into()],
//!     states: vec![facts.clone()],
//!     moves: vec!["(mark 1 2)".into(), "(mark 2 2)".into()],
//!     ..Evidence::default()
//! };
//! let layout = Layout::find(&evidence).expect("a board");
//! let scene = layout.scene(&facts);
//! assert_eq!(
//!     scene.text(TextStyle { unicode: false, width: 80 }),
//!     "  2  . .\n  1  x o\n     a b\n"
//! );
//! assert!(scene.svg(&SvgStyle::default()).starts_with("<svg"));
//! assert_eq!(layout.touches("(mark 2 2)").len(), 1);
//! let names = layout.move_names(&facts, &["(mark 1 2)".into(), "(mark 2 2)".into()]);
//! assert_eq!(names.short(1), "b2");
//! assert_eq!(names.find("mark 1 2"), Some(0));
//! ```
//!
//! # Modules
//!
//! - [`evidence`] is what is known of a game, [`fact`] takes facts apart, [`table`] collects those of
//!   one shape, and [`layout`] is how the game's states are drawn. [`choice`] decides which relation is
//!   a board, [`fields`] does so for fields without coordinates, [`sides`] for lines between squares.
//!   [`hints`] is what the game's metadata says.
//! - [`grid`] and [`axis`] have the places of cells, [`look`] and [`figure`] how pieces look, [`moves`]
//!   the cells that a move means, [`names`] moves as people write them, [`panels`] the facts beside the
//!   boards.
//! - [`scene`] is a state ready to be drawn, as [`text`] or [`svg`]. [`tree`], [`chart`] and [`tiles`]
//!   draw neutral data. [`theme`] has the colours, [`xml`] escapes in one place.

mod axis;
mod chart;
mod choice;
mod evidence;
mod fact;
mod fields;
mod figure;
mod grid;
mod hints;
mod layout;
mod look;
mod moves;
mod names;
mod panels;
mod scene;
mod sides;
mod svg;
mod table;
mod text;
mod theme;
mod tiles;
mod tree;
mod xml;

pub use chart::{Bar, BarChart, LineChart, Series};
pub use evidence::Evidence;
pub use fact::{Fact, natural, visible};
pub use hints::{BoardHints, Columns, Coordinate, RegionHints, Rows, Shape, Side, SideHints};
pub use layout::{HintError, Layout};
pub use look::{Colour, Figure, Look};
pub use names::{MoveName, MoveNames};
pub use panels::Panel;
pub use scene::{Board, Cell, Edge, Item, Label, Part, Scene, Touch};
pub use svg::SvgStyle;
pub use text::{TextStyle, facts_text, paragraph};
pub use theme::Theme;
pub use tiles::{Tile, tiles_svg};
pub use tree::{TreeLimits, TreeNode, TreePicture, TurnStatistics, turn_charts};
