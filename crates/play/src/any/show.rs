//! How positions of one kind of game are shown to people and to learners.

use std::sync::{Arc, OnceLock};

use gamegrove_game::{Describe, FeatureNames, Game, Move, Role};
use gamegrove_gdl::Rulesheet;
use gamegrove_octagon::{Colours, Octagon, Piece};
use gamegrove_vgdl::game::VideoGame;
use gamegrove_vgdl::level::World;
use gamegrove_view::{Layout, Scene, SvgStyle, TextStyle, Tile, facts_text, tiles_svg};

use crate::load::Source;
use crate::picture;
use crate::sprites::tiles;

/// How positions of a game are shown.
pub(super) trait Show<G: Game>: Send + Sync {
    /// A drawing, if a board can be seen.
    fn svg(
        &self,
        game: &G,
        state: &G::State,
        last: Option<(&G::State, &[Move])>,
        title: &str,
    ) -> Option<String>;

    /// A drawing in characters.
    fn text(&self, game: &G, state: &G::State) -> String;

    /// The sizes of the array that a learner sees.
    fn shape(&self) -> Option<Vec<usize>>;

    /// What the entries along its last axis mean.
    fn shape_names(&self, game: &G) -> Vec<String>;

    /// Fills that array, which is all 0 before.
    fn observe(&self, game: &G, state: &G::State, seen: &mut [u8]);
}

/// Games that are rules: boards found in the facts, and one entry per fact that may hold.
pub(super) struct FactShow {
    source: Source,
    sheet: Arc<Rulesheet>,
    /// Found when the first drawing is wanted: that takes random games.
    layout: OnceLock<Option<Layout>>,
    /// How many facts may ever hold, if that is known.
    facts: Option<usize>,
}

impl FactShow {
    pub(super) fn new(source: Source, sheet: Arc<Rulesheet>, facts: Option<usize>) -> FactShow {
        FactShow { source, sheet, layout: OnceLock::new(), facts }
    }

    /// Wrong hints of a file beside the rules leave a game without a board: `grove draw` says so.
    fn layout(&self) -> Option<&Layout> {
        let find = || picture::layout(&self.source, &self.sheet).ok().flatten();
        self.layout.get_or_init(find).as_ref()
    }

    fn scene<G: Describe>(
        &self,
        game: &G,
        state: &G::State,
        last: Option<(&G::State, &[Move])>,
    ) -> Option<Scene> {
        let layout = self.layout()?;
        let mut scene = layout.scene(&game.facts(state));
        for (role, &mov) in last.iter().flat_map(|(_, joint)| Role::all(joint.len()).zip(*joint)) {
            scene.mark(&layout.touches(&game.move_name(role, mov)));
        }
        Some(scene)
    }
}

/// What drawings in characters have room for.
const TEXT: TextStyle = TextStyle { unicode: true, width: 100 };

impl<G: Describe> Show<G> for FactShow {
    fn svg(
        &self,
        game: &G,
        state: &G::State,
        last: Option<(&G::State, &[Move])>,
        title: &str,
    ) -> Option<String> {
        let style = SvgStyle { title: title.to_owned(), ..SvgStyle::default() };
        Some(self.scene(game, state, last)?.svg(&style))
    }

    fn text(&self, game: &G, state: &G::State) -> String {
        match self.scene(game, state, None) {
            Some(scene) => scene.text(TEXT),
            None => facts_text(game.facts(state).iter().map(String::as_str), TEXT.width),
        }
    }

    fn shape(&self) -> Option<Vec<usize>> {
        self.facts.map(|facts| vec![facts])
    }

    fn shape_names(&self, game: &G) -> Vec<String> {
        let Some(mut features) = game.features() else { return Vec::new() };
        let facts = u32::try_from(self.facts.unwrap_or(0)).unwrap_or(0);
        (0..facts).map(|fact| FeatureNames::feature_name(&mut *features, fact)).collect()
    }

    fn observe(&self, game: &G, state: &G::State, seen: &mut [u8]) {
        let Some(mut features) = game.features() else { return };
        let mut held = Vec::new();
        features.read(state, &mut held);
        for fact in held {
            if let Some(entry) = seen.get_mut(fact as usize) {
                *entry = 1;
            }
        }
    }
}

/// The Octagon Theory: its own drawing; pieces of either side, stocks, and whose turn it is.
pub(super) struct OctagonShow {
    positions: usize,
}

impl OctagonShow {
    pub(super) fn new(game: &Octagon) -> OctagonShow {
        OctagonShow { positions: game.board().position_count() }
    }
}

impl Show<Octagon> for OctagonShow {
    fn svg(
        &self,
        game: &Octagon,
        state: &gamegrove_octagon::State,
        last: Option<(&gamegrove_octagon::State, &[Move])>,
        title: &str,
    ) -> Option<String> {
        let made = last.and_then(|(before, joint)| {
            joint.get(before.mover().index()).map(|&mov| (before, mov))
        });
        Some(game.svg(state, made, title, Colours::Auto))
    }

    fn text(&self, game: &Octagon, state: &gamegrove_octagon::State) -> String {
        game.draw(state)
    }

    fn shape(&self) -> Option<Vec<usize>> {
        Some(vec![2 * (self.positions + Piece::ALL.len()) + 1])
    }

    fn shape_names(&self, game: &Octagon) -> Vec<String> {
        let mut names = Vec::new();
        for role in Role::all(2) {
            let own = game.role_name(role);
            let positions = (0..self.positions).filter_map(|at| u8::try_from(at).ok());
            names.extend(positions.map(|at| {
                format!("at {} {own}", game.board().name(gamegrove_octagon::Position(at)))
            }));
            names.extend(Piece::ALL.map(|piece| format!("stock {own} {piece}")));
        }
        names.push(format!("turn {}", game.role_name(Role(1))));
        names
    }

    fn observe(&self, game: &Octagon, state: &gamegrove_octagon::State, seen: &mut [u8]) {
        let each = self.positions + Piece::ALL.len();
        for role in Role::all(2) {
            let own = &mut seen[role.index() * each..][..each];
            for position in game.board().members(state.pieces(role)) {
                own[position.index()] = 1;
            }
            for (entry, piece) in own[self.positions..].iter_mut().zip(Piece::ALL) {
                *entry = state.stock(role).amount(piece).count().unwrap_or(u8::MAX);
            }
        }
        seen[2 * each] = u8::from(state.mover() == Role(1));
    }
}

/// Video games: blocks with what stands in them.
pub(super) struct VideoShow {
    tiles: Vec<Tile>,
    cols: usize,
    rows: usize,
}

impl VideoShow {
    pub(super) fn new(world: &World) -> VideoShow {
        let picture = world.picture(world.start(), 0);
        VideoShow { tiles: tiles(world), cols: picture.cols, rows: picture.rows }
    }
}

impl Show<VideoGame> for VideoShow {
    fn svg(
        &self,
        game: &VideoGame,
        state: &gamegrove_vgdl::state::State,
        _: Option<(&gamegrove_vgdl::state::State, &[Move])>,
        title: &str,
    ) -> Option<String> {
        let picture = game.world().picture(state, 0);
        let at = |col, row| picture.at(col, row).iter().map(|drawn| drawn.ty.index()).collect();
        Some(tiles_svg((self.cols, self.rows), &self.tiles, at, title))
    }

    fn text(&self, game: &VideoGame, state: &gamegrove_vgdl::state::State) -> String {
        let picture = game.world().picture(state, 0);
        let mut text = String::with_capacity((self.cols + 1) * self.rows);
        for row in 0..self.rows {
            for col in 0..self.cols {
                let top = picture.at(col, row).last();
                text.push(top.map_or('.', |drawn| self.tiles[drawn.ty.index()].sign));
            }
            text.push('\n');
        }
        text
    }

    fn shape(&self) -> Option<Vec<usize>> {
        Some(vec![self.rows, self.cols, self.tiles.len()])
    }

    fn shape_names(&self, _: &VideoGame) -> Vec<String> {
        self.tiles.iter().map(|tile| tile.name.clone()).collect()
    }

    /// How many sprites of each type are drawn in each block.
    fn observe(&self, game: &VideoGame, state: &gamegrove_vgdl::state::State, seen: &mut [u8]) {
        let picture = game.world().picture(state, 0);
        let types = self.tiles.len();
        for row in 0..self.rows {
            for col in 0..self.cols {
                let block = &mut seen[(row * self.cols + col) * types..][..types];
                for drawn in picture.at(col, row) {
                    block[drawn.ty.index()] = block[drawn.ty.index()].saturating_add(1);
                }
            }
        }
    }
}
