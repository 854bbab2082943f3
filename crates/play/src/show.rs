//! How positions of one kind of game are shown to people and to learners.

use std::sync::{Arc, OnceLock};

use gamegrove_game::{Describe, FeatureNames, Game, Move, Role};
use gamegrove_gdl::{ProverLimits, Rulesheet};
use gamegrove_octagon::{Colours, Octagon, Piece};
use gamegrove_vgdl::game::VideoGame;
use gamegrove_vgdl::level::World;
use gamegrove_view::{
    Layout, MoveNames, Scene, SvgStyle, TextStyle, Theme, Tile, Touch, facts_text, tiles_svg,
};

use crate::budget::StopFlag;
use crate::drawing::{Drawing, Frame, MAX_FACTS, MAX_SVG, Spot, SpriteLook, without_style};
use crate::load::Source;
use crate::sprites::tiles;
use crate::{picture, places, shapes, stock};

/// How positions of a game are shown.
pub(crate) trait Show<G: Game>: Send + Sync {
    /// A drawing, if a board can be seen.
    fn svg(
        &self,
        game: &G,
        state: &G::State,
        last: Option<(&G::State, &[Move])>,
        title: &str,
        theme: Theme,
    ) -> Option<String>;

    /// A drawing in characters.
    fn text(
        &self,
        game: &G,
        state: &G::State,
        last: Option<(&G::State, &[Move])>,
        style: TextStyle,
    ) -> String;

    /// A drawing for a page.
    fn draw(&self, game: &G, state: &G::State, last: Option<(&G::State, &[Move])>) -> Drawing;

    /// The cells in that drawing that each of the legal `moves` of a role means.
    fn spots(
        &self,
        _game: &mut G,
        _state: &G::State,
        _role: Role,
        moves: &[Move],
    ) -> Vec<Vec<Spot>> {
        vec![Vec::new(); moves.len()]
    }

    /// The names that people read for legal moves of a role, given as terms of the rules.
    fn names(&self, _game: &G, _state: &G::State, terms: &[String]) -> MoveNames {
        MoveNames::plain(terms)
    }

    /// Whether these names depend on the state.
    fn names_by_state(&self) -> bool {
        false
    }

    /// The sizes of the array that a learner sees.
    fn shape(&self) -> Option<Vec<usize>>;

    /// The meanings of the entries along its last axis.
    fn shape_names(&self, game: &G) -> Vec<String>;

    /// Fills that array, which is all 0 before.
    fn observe(&self, game: &G, state: &G::State, seen: &mut [u8]);
}

/// Games that are rules: boards found in the facts, and one entry per fact that may hold.
pub(crate) struct FactShow {
    source: Source,
    sheet: Arc<Rulesheet>,
    /// Found when the first drawing is wanted: that takes random games.
    layout: OnceLock<Option<Layout>>,
    /// Limits of these games.
    limits: ProverLimits,
    /// Ends them.
    stop: StopFlag,
    /// How many facts may ever hold, if that is known.
    facts: Option<usize>,
}

impl FactShow {
    pub(crate) fn new(
        source: Source,
        sheet: Arc<Rulesheet>,
        facts: Option<usize>,
        (limits, stop): (ProverLimits, StopFlag),
    ) -> FactShow {
        FactShow { source, sheet, layout: OnceLock::new(), limits, stop, facts }
    }

    /// Wrong hints of a file beside the rules leave a game without a board: `grove draw` says so.
    fn layout(&self) -> Option<&Layout> {
        let find = || {
            let (source, sheet) = (&self.source, &self.sheet);
            picture::layout_within(source, sheet, self.limits, &self.stop).ok().flatten()
        };
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

impl<G: Describe> Show<G> for FactShow {
    fn svg(
        &self,
        game: &G,
        state: &G::State,
        last: Option<(&G::State, &[Move])>,
        title: &str,
        theme: Theme,
    ) -> Option<String> {
        let style = SvgStyle { title: title.to_owned(), theme, ..SvgStyle::default() };
        Some(self.scene(game, state, last)?.svg(&style))
    }

    fn text(
        &self,
        game: &G,
        state: &G::State,
        last: Option<(&G::State, &[Move])>,
        style: TextStyle,
    ) -> String {
        match self.scene(game, state, last) {
            Some(scene) => scene.text(style),
            None => facts_text(game.facts(state).iter().map(String::as_str), style.width),
        }
    }

    fn draw(&self, game: &G, state: &G::State, last: Option<(&G::State, &[Move])>) -> Drawing {
        let facts = game.facts(state);
        let Some(layout) = self.layout() else {
            let rest = facts.into_iter().take(MAX_FACTS).collect();
            return Drawing::Svg { svg: String::new(), rest, panels: Vec::new() };
        };
        let mut scene = layout.scene(&facts);
        if let Some((before, joint)) = last {
            scene.mark(&layout.changes(&game.facts(before), &facts));
            // Facts about cells do not tell which lines between cells have changed.
            let moves = Role::all(joint.len()).zip(joint);
            let touches = moves.flat_map(|(role, &mov)| layout.touches(&game.move_name(role, mov)));
            let cells = |touch: &Touch| scene.boards.get(touch.board).map_or(0, |b| b.cells.len());
            let edges: Vec<Touch> = touches.filter(|touch| touch.cell >= cells(touch)).collect();
            scene.mark(&edges);
        }
        let style = SvgStyle { facts: false, id: "board".to_owned(), ..SvgStyle::default() };
        let svg = Some(without_style(&scene.svg(&style))).filter(|svg| svg.len() <= MAX_SVG);
        let panels = layout.panels(&scene);
        let mut rest = if svg.is_some() { scene.rest } else { facts };
        rest.truncate(MAX_FACTS);
        Drawing::Svg { svg: svg.unwrap_or_default(), rest, panels }
    }

    fn spots(&self, game: &mut G, state: &G::State, role: Role, moves: &[Move]) -> Vec<Vec<Spot>> {
        let Some(layout) = self.layout() else { return vec![Vec::new(); moves.len()] };
        let touches = places::of_moves(layout, game, state, role, moves);
        let spot = |touch: &Touch| Spot(touch.board, touch.cell, touch.part.name());
        touches.iter().map(|touches| touches.iter().map(spot).collect()).collect()
    }

    fn names(&self, game: &G, state: &G::State, terms: &[String]) -> MoveNames {
        match self.layout() {
            Some(layout) => layout.move_names(&game.facts(state), terms),
            None => MoveNames::plain(terms),
        }
    }

    fn names_by_state(&self) -> bool {
        self.layout().is_some()
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
pub(crate) struct OctagonShow {
    positions: usize,
}

impl OctagonShow {
    pub(crate) fn new(game: &Octagon) -> OctagonShow {
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
        theme: Theme,
    ) -> Option<String> {
        let made = last.and_then(|(before, joint)| {
            joint.get(before.mover().index()).map(|&mov| (before, mov))
        });
        let colours = match theme {
            Theme::Auto => Colours::Auto,
            Theme::Light => Colours::Light,
            Theme::Dark => Colours::Dark,
        };
        Some(game.svg(state, made, title, colours))
    }

    fn text(
        &self,
        game: &Octagon,
        state: &gamegrove_octagon::State,
        _: Option<(&gamegrove_octagon::State, &[Move])>,
        _: TextStyle,
    ) -> String {
        game.draw(state)
    }

    fn draw(
        &self,
        game: &Octagon,
        state: &gamegrove_octagon::State,
        last: Option<(&gamegrove_octagon::State, &[Move])>,
    ) -> Drawing {
        let svg =
            self.svg(game, state, last, "The Octagon Theory", Theme::Auto).unwrap_or_default();
        let on_board = |fact: &String| !fact.starts_with("at ");
        let rest: Vec<String> = game.facts(state).into_iter().filter(on_board).collect();
        let roles: Vec<String> =
            Role::all(game.role_count()).map(|role| game.role_name(role)).collect();
        Drawing::Svg { svg: without_style(&svg), panels: stock::panels(&rest, &roles), rest }
    }

    fn spots(
        &self,
        game: &mut Octagon,
        _: &gamegrove_octagon::State,
        _: Role,
        moves: &[Move],
    ) -> Vec<Vec<Spot>> {
        let spot = |&mov: &Move| {
            let placed = game.placement(mov);
            placed.map(|(position, _)| Spot(0, position.index(), "drop")).into_iter().collect()
        };
        moves.iter().map(spot).collect()
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
pub(crate) struct VideoShow {
    tiles: Vec<Tile>,
    looks: Arc<Vec<SpriteLook>>,
    cols: usize,
    rows: usize,
}

impl VideoShow {
    pub(crate) fn new(world: &World) -> VideoShow {
        let picture = world.picture(world.start(), 0);
        let tiles = tiles(world);
        let types = &world.rules.types.types;
        let look = |(tile, ty): (&Tile, &gamegrove_vgdl::types::SpriteType)| SpriteLook {
            name: tile.name.clone(),
            colour: tile.colour.clone(),
            sign: tile.sign,
            shape: shapes::shape(ty),
            solid: tile.solid,
            avatar: ty.is_avatar,
        };
        let looks = Arc::new(tiles.iter().zip(types).map(look).collect());
        VideoShow { tiles, looks, cols: picture.cols, rows: picture.rows }
    }
}

impl Show<VideoGame> for VideoShow {
    fn svg(
        &self,
        game: &VideoGame,
        state: &gamegrove_vgdl::state::State,
        _: Option<(&gamegrove_vgdl::state::State, &[Move])>,
        title: &str,
        _: Theme,
    ) -> Option<String> {
        let picture = game.world().picture(state, 0);
        let at = |col, row| picture.at(col, row).iter().map(|drawn| drawn.ty.index()).collect();
        Some(tiles_svg((self.cols, self.rows), &self.tiles, at, title))
    }

    fn draw(
        &self,
        game: &VideoGame,
        state: &gamegrove_vgdl::state::State,
        _: Option<(&gamegrove_vgdl::state::State, &[Move])>,
    ) -> Drawing {
        let world = game.world();
        let picture = world.picture(state, 0);
        let mut blocks = Vec::with_capacity(picture.cols * picture.rows);
        let mut facing = Vec::new();
        for row in 0..picture.rows {
            for col in 0..picture.cols {
                let drawn = picture.at(col, row);
                // What lies deeper than a few layers cannot be seen.
                let top = &drawn[drawn.len().saturating_sub(4)..];
                let seen = drawn.iter().rfind(|drawn| !self.looks[drawn.ty.index()].solid);
                let turn = seen.and_then(|drawn| shapes::quarter(drawn.facing));
                facing.extend(turn.map(|turn| (blocks.len(), turn)));
                blocks.push(top.iter().map(|drawn| drawn.ty.index() as u16).collect());
            }
        }
        let view = world.view(state, 0);
        let name = |ty: gamegrove_vgdl::types::TypeId| world.rules.types[ty].name.clone();
        Drawing::Video(Frame {
            cols: picture.cols,
            rows: picture.rows,
            blocks,
            facing,
            looks: Arc::clone(&self.looks),
            tick: state.tick(),
            scores: (0..game.role_count()).map(|player| state.player(player).score).collect(),
            carries: view.resources().map(|(ty, amount)| (name(ty), amount)).collect(),
        })
    }

    fn text(
        &self,
        game: &VideoGame,
        state: &gamegrove_vgdl::state::State,
        _: Option<(&gamegrove_vgdl::state::State, &[Move])>,
        _: TextStyle,
    ) -> String {
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
        let types = self.tiles.len();
        game.world().each_drawn(state, 0, |col, row, drawn| {
            let entry = &mut seen[(row * self.cols + col) * types + drawn.ty.index()];
            *entry = entry.saturating_add(1);
        });
    }
}
