//! Positions as a page draws them, and which cells a move means.
//!
//! An [`Artist`] knows how one kind of game is drawn: rulesheets by the layout that crate `view` found,
//! The Octagon Theory by its own drawing, video games as blocks that the page fills.

use std::sync::Arc;

use gamegrove_game::{Describe, Game, Move, Role};
use gamegrove_octagon::{Colours, Octagon};
use gamegrove_play::sprites::tiles;
use gamegrove_vgdl::game::VideoGame;
use gamegrove_vgdl::level::World;
use gamegrove_vgdl::state::State as VideoState;
use gamegrove_view::{Layout, MoveNames, Panel, SvgStyle, Tile, Touch};
use serde::Serialize;

use crate::{places, sprites, stock};

/// A position, ready for the page.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Drawing {
    /// A drawing in which each cell has `data-board` and `data-cell`.
    Svg {
        /// The drawing. Its colours are the page's variables; it has no style of its own.
        svg: String,
        /// Facts that are on no board.
        rest: Vec<String>,
        /// What they say, as labelled lines.
        panels: Vec<Panel>,
    },
    /// The blocks of a video game.
    Video(Frame),
}

/// A level of a video game.
#[derive(Clone, Debug, Serialize)]
pub struct Frame {
    /// Blocks across.
    pub cols: usize,
    /// Blocks down.
    pub rows: usize,
    /// What is drawn in each block, bottom first: numbers of `looks`. Row by row.
    pub blocks: Vec<Vec<u16>>,
    /// Where the uppermost sprites of some blocks look: the block, and quarters of a turn from up.
    pub facing: Vec<(usize, u8)>,
    /// What the numbers mean.
    #[serde(serialize_with = "shared")]
    pub looks: Arc<Vec<SpriteLook>>,
    /// Ticks so far.
    pub tick: i32,
    /// The players' points.
    pub scores: Vec<f64>,
    /// What the first player carries.
    pub carries: Vec<(String, i32)>,
}

fn shared<S: serde::Serializer>(looks: &Arc<Vec<SpriteLook>>, to: S) -> Result<S::Ok, S::Error> {
    looks.as_slice().serialize(to)
}

/// How sprites of one type look.
#[derive(Clone, Debug, Serialize)]
pub struct SpriteLook {
    /// Its name.
    pub name: String,
    /// Its colour.
    pub colour: String,
    /// Its sign: what levels write for it.
    pub sign: char,
    /// What is drawn for it.
    pub shape: &'static str,
    /// Whether it fills its block.
    pub solid: bool,
    /// Whether a player steers it.
    pub avatar: bool,
}

/// A cell that a move means: board, cell, and the part it has in the move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Spot(pub usize, pub usize, pub &'static str);

/// Who draws the states of a game.
pub trait Artist<G: Game>: Send + Sync {
    /// The drawing of a state; `last` is what led to it.
    fn draw(&self, game: &mut G, state: &G::State, last: Option<(&G::State, &[Move])>) -> Drawing;

    /// The cells that each of the legal `moves` of a role means; `terms` are these moves as the rules write
    /// them.
    fn spots(
        &self,
        game: &mut G,
        state: &G::State,
        role: Role,
        moves: &[Move],
        terms: &[String],
    ) -> Vec<Vec<Spot>>;

    /// The names that people read for legal moves of a role.
    fn names(&self, _game: &mut G, _state: &G::State, terms: &[String]) -> MoveNames {
        MoveNames::plain(terms)
    }

    /// Whether these names depend on the position.
    fn names_moves(&self) -> bool {
        false
    }

    /// What a move does, in words, if the game can tell.
    fn words(&self, _game: &G, _state: &G::State, _role: Role, _mov: Move) -> Option<String> {
        None
    }
}

/// Larger drawings are left out, and so are facts beyond these: they are sent with every step.
const LARGEST: usize = 1 << 20;
const MOST_FACTS: usize = 2000;

/// Draws what the facts of a rulesheet show.
pub struct FactArtist(pub Option<Layout>);

impl<G: Describe> Artist<G> for FactArtist {
    fn draw(&self, game: &mut G, state: &G::State, last: Option<(&G::State, &[Move])>) -> Drawing {
        let facts = game.facts(state);
        let Some(layout) = &self.0 else {
            let rest = facts.into_iter().take(MOST_FACTS).collect();
            return Drawing::Svg { svg: String::new(), rest, panels: Vec::new() };
        };
        let mut scene = layout.scene(&facts);
        if let Some((before, joint)) = last {
            scene.mark(&layout.changes(&game.facts(before), &facts));
            // Lines between cells are no facts about cells.
            let terms =
                Role::all(joint.len()).zip(joint).map(|(role, &mov)| game.move_name(role, mov));
            let touches: Vec<Touch> = terms.flat_map(|term| layout.touches(&term)).collect();
            let cells = |touch: &Touch| scene.boards.get(touch.board).map_or(0, |b| b.cells.len());
            let edges: Vec<Touch> =
                touches.into_iter().filter(|touch| touch.cell >= cells(touch)).collect();
            scene.mark(&edges);
        }
        let style = SvgStyle { facts: false, id: "board".to_owned(), ..SvgStyle::default() };
        let svg = Some(without_style(&scene.svg(&style))).filter(|svg| svg.len() <= LARGEST);
        let panels = layout.panels(&scene);
        let mut rest = if svg.is_some() { scene.rest } else { facts };
        rest.truncate(MOST_FACTS);
        Drawing::Svg { svg: svg.unwrap_or_default(), rest, panels }
    }

    fn spots(
        &self,
        game: &mut G,
        state: &G::State,
        role: Role,
        moves: &[Move],
        terms: &[String],
    ) -> Vec<Vec<Spot>> {
        let Some(layout) = &self.0 else { return vec![Vec::new(); moves.len()] };
        let touches = places::of_moves(layout, game, state, role, (moves, terms));
        let spot = |touch: &Touch| Spot(touch.board, touch.cell, touch.part.name());
        touches.iter().map(|touches| touches.iter().map(spot).collect()).collect()
    }

    fn names(&self, game: &mut G, state: &G::State, terms: &[String]) -> MoveNames {
        match &self.0 {
            Some(layout) => layout.move_names(&game.facts(state), terms),
            None => MoveNames::plain(terms),
        }
    }

    fn names_moves(&self) -> bool {
        self.0.is_some()
    }
}

/// Draws The Octagon Theory.
pub struct OctagonArtist;

impl Artist<Octagon> for OctagonArtist {
    fn draw(
        &self,
        game: &mut Octagon,
        state: &gamegrove_octagon::State,
        last: Option<(&gamegrove_octagon::State, &[Move])>,
    ) -> Drawing {
        let made = last.and_then(|(before, joint)| {
            joint.get(before.mover().index()).map(|&mov| (before, mov))
        });
        let svg = without_style(&game.svg(state, made, "The Octagon Theory", Colours::Auto));
        let on_board = |fact: &String| !fact.starts_with("at ");
        let rest: Vec<String> = game.facts(state).into_iter().filter(on_board).collect();
        let roles: Vec<String> =
            Role::all(game.role_count()).map(|role| game.role_name(role)).collect();
        Drawing::Svg { svg, panels: stock::panels(&rest, &roles), rest }
    }

    fn spots(
        &self,
        game: &mut Octagon,
        _state: &gamegrove_octagon::State,
        _role: Role,
        moves: &[Move],
        _terms: &[String],
    ) -> Vec<Vec<Spot>> {
        let spot = |&mov: &Move| {
            let placed = game.placement(mov);
            placed.map(|(position, _)| Spot(0, position.index(), "drop")).into_iter().collect()
        };
        moves.iter().map(spot).collect()
    }

    fn words(
        &self,
        game: &Octagon,
        state: &gamegrove_octagon::State,
        role: Role,
        mov: Move,
    ) -> Option<String> {
        game.outcome_in_words(state, role, mov)
    }
}

/// Draws a level of a video game.
pub struct VideoArtist {
    looks: Arc<Vec<SpriteLook>>,
}

impl VideoArtist {
    /// Someone who draws `world`.
    pub fn new(world: &World) -> VideoArtist {
        let types = &world.rules.types.types;
        let look = |(tile, ty): (Tile, &gamegrove_vgdl::types::SpriteType)| SpriteLook {
            name: tile.name,
            colour: tile.colour,
            sign: tile.sign,
            shape: sprites::shape(ty),
            solid: tile.solid,
            avatar: ty.is_avatar,
        };
        VideoArtist { looks: Arc::new(tiles(world).into_iter().zip(types).map(look).collect()) }
    }
}

impl Artist<VideoGame> for VideoArtist {
    fn draw(
        &self,
        game: &mut VideoGame,
        state: &VideoState,
        _: Option<(&VideoState, &[Move])>,
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
                let turn = seen.and_then(|drawn| sprites::quarter(drawn.facing));
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

    fn spots(
        &self,
        _game: &mut VideoGame,
        _state: &VideoState,
        _role: Role,
        moves: &[Move],
        _terms: &[String],
    ) -> Vec<Vec<Spot>> {
        vec![Vec::new(); moves.len()]
    }
}

/// A drawing without its style sheet: the page has the colours, and lets no style in but its own.
pub fn without_style(svg: &str) -> String {
    match (svg.find("<style>"), svg.find("</style>")) {
        (Some(start), Some(end)) if start < end => {
            format!("{}{}", &svg[..start], &svg[end + "</style>".len()..])
        }
        _ => svg.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_taken_off_and_nothing_else() {
        assert_eq!(without_style("<svg><style>.a{}</style><g/></svg>"), "<svg><g/></svg>");
        assert_eq!(without_style("<svg/>"), "<svg/>");
        assert_eq!(without_style("</style><style>"), "</style><style>");
    }
}
