//! Shapes of the sprites of video games, and where they look.

use gamegrove_vgdl::types::SpriteType;

/// Words in names of sprites and of their pictures, and the shapes that they mean.
const WORDS: &[(&str, &str)] = &[
    ("sword", "blade"),
    ("blade", "blade"),
    ("shovel", "blade"),
    ("axe", "blade"),
    ("hammer", "blade"),
    ("key", "key"),
    ("door", "door"),
    ("gate", "door"),
    ("exit", "door"),
    ("goal", "door"),
    ("portal", "door"),
    ("stairs", "door"),
    ("entry", "door"),
    ("diamond", "gem"),
    ("gem", "gem"),
    ("gold", "gem"),
    ("coin", "gem"),
    ("bullet", "dart"),
    ("missile", "dart"),
    ("sam", "dart"),
    ("bomb", "ball"),
    ("boulder", "ball"),
    ("rock", "ball"),
    ("ball", "ball"),
    ("fire", "flame"),
    ("flame", "flame"),
    ("explosion", "flame"),
    ("tree", "plant"),
    ("plant", "plant"),
    ("flower", "plant"),
    ("lock", "crate"),
    ("fruit", "plant"),
    ("carrot", "plant"),
    ("food", "plant"),
    ("box", "crate"),
    ("crate", "crate"),
    ("block", "crate"),
    ("tank", "car"),
    ("truck", "car"),
    ("car", "car"),
    ("ship", "car"),
    ("sub", "car"),
];

/// The shape of a type of sprites: `avatar`, `creature`, `dart`, and others that the page knows.
pub(crate) fn shape(ty: &SpriteType) -> &'static str {
    if ty.is_avatar {
        return "avatar";
    }
    let said = format!("{} {}", ty.name, ty.img.as_deref().unwrap_or_default()).to_lowercase();
    let words: Vec<&str> = said.split(|c: char| !c.is_alphabetic()).collect();
    let known = WORDS.iter().find(|(word, _)| words.iter().any(|said| said.ends_with(word)));
    match known {
        Some((_, shape)) => shape,
        None if ty.is_resource => "gem",
        None if ty.portal => "door",
        None if ty.is_npc => "creature",
        None if ty.is_oriented && ty.speed > 0.0 => "dart",
        None => "thing",
    }
}

/// Where something looks, in quarters of a turn from up to the right; nothing if it looks nowhere.
pub(crate) fn quarter((x, y): (f64, f64)) -> Option<u8> {
    match (x.abs() >= y.abs(), x, y) {
        (_, 0.0, 0.0) => None,
        (true, x, _) => Some(if x > 0.0 { 1 } else { 3 }),
        (false, _, y) => Some(if y > 0.0 { 2 } else { 0 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_quarters() {
        let found = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, 0.0)].map(quarter);
        assert_eq!(found, [Some(0), Some(1), Some(2), Some(3), None]);
    }
}
