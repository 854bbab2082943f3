//! How the sprites of a video game look in drawings: colours, letters, and what fills its block.

use gamegrove_vgdl::level::World;
use gamegrove_vgdl::types::{SpriteType, TypeId};
use gamegrove_view::Tile;

/// How each type of sprites looks, in the order of types.
pub fn tiles(world: &World) -> Vec<Tile> {
    let signs = signs(world);
    let tile = |(number, ty): (usize, &SpriteType)| Tile {
        name: ty.name.clone(),
        colour: colour(ty.colour.as_deref(), &ty.name),
        sign: signs[number],
        solid: is_ground(world, number),
    };
    world.rules.types.types.iter().enumerate().map(tile).collect()
}

/// Whether sprites of a type are what others stand on or before: walls, and what covers much of a level.
fn is_ground(world: &World, number: usize) -> bool {
    const MUCH: usize = 8;
    let ty = &world.rules.types.types[number];
    let id = TypeId(number as u16);
    let many = world.start().count(id) >= MUCH || id == TypeId::WALL;
    many && ty.is_static && !ty.is_resource && !ty.portal
}

/// A letter for each type: the first of its name that is free.
fn signs(world: &World) -> Vec<char> {
    let mut taken: Vec<char> = Vec::new();
    let types = &world.rules.types.types;
    let sign = |ty: &SpriteType| {
        let letters = ty.name.chars().filter(|c| c.is_alphanumeric());
        let both = letters.flat_map(|c| [c.to_ascii_lowercase(), c.to_ascii_uppercase()]);
        let found = both.clone().find(|c| !taken.contains(c)).or_else(|| both.clone().next());
        let found = found.unwrap_or('?');
        taken.push(found);
        found
    };
    types.iter().map(sign).collect()
}

/// The colours that the public framework has names for.
const COLOURS: &[(&str, &str)] = &[
    ("GREEN", "#00c800"),
    ("BLUE", "#0000c8"),
    ("RED", "#c80000"),
    ("GRAY", "#5a5a5a"),
    ("WHITE", "#fafafa"),
    ("BROWN", "#8c7864"),
    ("BLACK", "#000000"),
    ("ORANGE", "#faa000"),
    ("YELLOW", "#fafa00"),
    ("PINK", "#fac8c8"),
    ("GOLD", "#fad400"),
    ("LIGHTRED", "#fa3232"),
    ("LIGHTORANGE", "#fac864"),
    ("LIGHTBLUE", "#3264fa"),
    ("LIGHTGREEN", "#32fa32"),
    ("LIGHTGRAY", "#969696"),
    ("DARKGRAY", "#1e1e1e"),
    ("DARKBLUE", "#141464"),
    ("PURPLE", "#8c14dc"),
];

/// The colour of a type: as the rules say, else one that belongs to its name.
fn colour(said: Option<&str>, name: &str) -> String {
    let known = said.and_then(|said| COLOURS.iter().find(|(word, _)| *word == said));
    if let Some((_, colour)) = known {
        return (*colour).to_owned();
    }
    let sum = name.bytes().fold(7u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    format!("hsl({} 65% 45%)", sum % 360)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_a_colour() {
        assert_eq!(colour(Some("RED"), "x"), "#c80000");
        assert!(colour(Some("url(evil)"), "x").starts_with("hsl("));
    }
}
