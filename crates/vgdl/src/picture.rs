//! What a person sees of a state: which sprites are drawn in which block, bottom to top.
//!
//! The framework draws types in the order of their definition, `avatar` last, and leaves out those
//! that are invisible (`vgdl-ontology`, 3.1). Hidden sprites are drawn: only agents do not see them.

use crate::level::World;
use crate::state::{DISABLED, NOBODY, State};
use crate::types::TypeId;
use crate::value::Vector;

/// A sprite as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    /// Its type.
    pub ty: TypeId,
    /// Where it looks; `(0, 0)` if it looks nowhere.
    pub facing: Vector,
}

/// The blocks of a level with what is drawn in them.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The number of blocks across.
    pub cols: usize,
    /// The number of blocks down.
    pub rows: usize,
    blocks: Vec<Vec<Drawn>>,
}

impl Picture {
    /// The sprites drawn in a block, bottom first; empty outside the level.
    pub fn at(&self, col: usize, row: usize) -> &[Drawn] {
        let inside = col < self.cols && row < self.rows;
        if inside { &self.blocks[row * self.cols + col] } else { &[] }
    }
}

impl World {
    /// The picture of `state` that player `player` sees. A sprite between blocks is drawn in the
    /// nearest one, a large sprite in all it covers at least by half; dead avatars are not drawn.
    pub fn picture(&self, state: &State, player: usize) -> Picture {
        let (cols, rows) = (self.cols as usize, self.rows as usize);
        let mut blocks = vec![Vec::new(); cols * rows];
        self.each_drawn(state, player, |col, row, drawn| blocks[row * cols + col].push(drawn));
        Picture { cols, rows, blocks }
    }

    /// Hands every sprite of a [`picture`](World::picture) over with its column and row, in the order in
    /// which sprites are drawn.
    pub fn each_drawn(
        &self,
        state: &State,
        player: usize,
        mut take: impl FnMut(usize, usize, Drawn),
    ) {
        for &ty in &self.rules.types.order {
            let def = &self.rules.types[ty];
            if def.is_invisible(player) {
                continue;
            }
            for slot in state.slots(ty) {
                let sprite = &state.sprites[usize::from(slot)];
                if sprite.flags & DISABLED != 0 {
                    continue;
                }
                let body = match sprite.body {
                    NOBODY => &self.templates[ty.index()],
                    at => &state.bodies[usize::from(at)],
                };
                let facing = if body.oriented { body.orientation } else { (0.0, 0.0) };
                for row in self.covered(sprite.y, body.h, self.rows) {
                    for col in self.covered(sprite.x, body.w, self.cols) {
                        take(col, row, Drawn { ty, facing });
                    }
                }
            }
        }
    }

    /// The blocks that a side from `at` of length `size` covers, rounded to whole blocks.
    fn covered(&self, at: i32, size: i32, count: i32) -> std::ops::Range<usize> {
        let block = self.block;
        let nearest = |at: i32| at.saturating_add(block / 2).div_euclid(block);
        let first = nearest(at);
        // Most sprites are as large as a block; a division is spared for them.
        let end = if size == block { first + 1 } else { nearest(at.saturating_add(size)) };
        let end = end.max(first + 1);
        first.clamp(0, count) as usize..end.clamp(0, count) as usize
    }
}

#[cfg(test)]
mod tests {
    use crate::Scratch;
    use crate::level::World;
    use crate::ontology::Action;
    use crate::rules::compile;

    const GAME: &str = "BasicGame square_size=10
        SpriteSet
            floor > Immovable hidden=True
            ghost > Immovable invisible=True
            giant > Immovable wMult=2 hMult=2
            slow > MovingAvatar speed=0.4
        LevelMapping
            A > floor slow
            g > floor ghost
            B > giant
            . > floor
        InteractionSet
        TerminationSet
            Timeout limit=9
    ";

    fn names(world: &World, state: &crate::state::State, row: usize) -> Vec<String> {
        let picture = world.picture(state, 0);
        let name = |at| {
            let drawn = picture.at(at, row).iter();
            drawn.map(|d| &*world.rules.types[d.ty].name).collect::<Vec<_>>().join(" ")
        };
        (0..picture.cols).map(name).collect()
    }

    #[test]
    fn sprites_are_drawn_where_they_are_nearest() {
        let compiled = compile(GAME);
        let world = World::load(&compiled.rules, "A..g\n.B..\n....\n").world.expect("a level");
        let mut state = world.start().clone();
        assert_eq!(names(&world, &state, 0), ["floor slow", "floor", "floor", "floor"]);
        assert_eq!(names(&world, &state, 1), ["floor", "giant", "floor giant", "floor"]);
        assert_eq!(names(&world, &state, 2), ["floor", "floor giant", "floor giant", "floor"]);
        assert!(world.picture(&state, 0).at(4, 0).is_empty());
        let mut scratch = Scratch::default();
        world.advance(&mut state, &[Action::Right], &mut scratch);
        assert_eq!(names(&world, &state, 0)[0], "floor slow", "four of ten pixels to the right");
        world.advance(&mut state, &[Action::Right], &mut scratch);
        assert_eq!(names(&world, &state, 0)[1], "floor slow", "eight of ten pixels to the right");
    }
}
