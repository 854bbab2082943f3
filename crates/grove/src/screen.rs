//! A level of a video game as characters, with colours where they can be shown.
//!
//! Each block is one or two characters wide. Walls and the ground are filled with their colour; what
//! stands on them is a letter: `@` for avatars, otherwise the character that the level's text uses
//! for it.

use gamegrove_vgdl::level::World;
use gamegrove_vgdl::picture::{Drawn, Picture};
use gamegrove_vgdl::state::State;
use gamegrove_vgdl::types::{SpriteType, TypeId};

use gamegrove_play::text::printable;

/// How a type of sprites looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    symbol: char,
    /// In the 256 colours that terminals have agreed on.
    colour: u8,
    /// Fills its block.
    solid: bool,
    avatar: bool,
}

/// Draws the states of a level.
#[derive(Debug)]
pub struct Painter {
    looks: Vec<Look>,
    /// Whether colours can be shown.
    colour: bool,
}

/// The most room there is for a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Characters across.
    pub width: usize,
    /// Lines.
    pub height: usize,
}

impl Painter {
    /// Chooses how the types of `world` look.
    pub fn new(world: &World, colour: bool) -> Painter {
        let types = &world.rules.types.types;
        let mut looks: Vec<Look> = types.iter().enumerate().map(look).collect();
        let mut taken: Vec<char> = vec!['#', '@', ' ', '?'];
        let open = |look: &Look| look.symbol == '?';
        // First those that the text of a level names, each by its own character.
        let mut mapping: Vec<(&char, &Vec<TypeId>)> = world.rules.mapping.iter().collect();
        mapping.sort_unstable();
        for (&symbol, mapped) in mapping {
            if let Some(&top) = mapped.last()
                && symbol.is_ascii_graphic()
                && !taken.contains(&symbol)
                && open(&looks[top.index()])
            {
                looks[top.index()].symbol = symbol;
                taken.push(symbol);
            }
        }
        // Then the others, by a letter of their name, or by any.
        for &ty in &world.rules.types.order {
            if !open(&looks[ty.index()]) {
                continue;
            }
            let name = &world.rules.types[ty].name;
            let letters =
                name.chars().flat_map(|c| [c.to_ascii_lowercase(), c.to_ascii_uppercase()]);
            let free = letters
                .chain('a'..='z')
                .chain('A'..='Z')
                .find(|c| c.is_ascii_alphanumeric() && !taken.contains(c));
            if let Some(symbol) = free {
                looks[ty.index()].symbol = symbol;
                taken.push(symbol);
            }
        }
        Painter { looks, colour }
    }

    /// The lines of a drawing that fits in `room`: of a large level the part around the avatar.
    pub fn draw(&self, world: &World, state: &State, player: usize, room: Room) -> Vec<String> {
        let picture = world.picture(state, player);
        let wide = if picture.cols * 2 <= room.width { 2 } else { 1 };
        let block = world.block.max(1);
        let centre =
            world.avatar_rect(state, player).map_or((0, 0), |at| (at.x / block, at.y / block));
        let columns = window(picture.cols, (room.width / wide).max(1), centre.0);
        let rows = window(picture.rows, room.height.max(1), centre.1);
        rows.map(|row| self.line(&picture, row, columns.clone(), wide)).collect()
    }

    fn line(
        &self,
        picture: &Picture,
        row: usize,
        columns: std::ops::Range<usize>,
        wide: usize,
    ) -> String {
        let mut line = String::new();
        let mut last = None;
        for col in columns {
            let (text, colours) = self.block(picture.at(col, row));
            if self.colour && last != Some(colours) {
                line.push_str(&sgr(colours));
                last = Some(colours);
            }
            line.extend(text.into_iter().take(wide));
        }
        match self.colour {
            true => line + "\u{1b}[0m",
            false => line.trim_end().to_owned(),
        }
    }

    /// The characters of a block, and its colours.
    fn block(&self, drawn: &[Drawn]) -> ([char; 2], Colours) {
        let look = |drawn: &Drawn| self.looks[drawn.ty.index()];
        let ground = drawn.iter().rev().map(look).find(|look| look.solid);
        let under = ground.map(|look| look.colour);
        match drawn.iter().rev().find(|drawn| !look(drawn).solid) {
            Some(top) => {
                let mark = if look(top).avatar { heading(top.facing) } else { ' ' };
                let over = look(top).colour;
                let over = under.map_or(over, |under| legible(over, under));
                ([look(top).symbol, mark], Colours { over: Some(over), under })
            }
            None => {
                let filling = if self.colour { ' ' } else { ground.map_or(' ', |g| g.symbol) };
                ([filling, filling], Colours { over: None, under })
            }
        }
    }

    /// What the symbols of a state mean, each with its colour.
    pub fn legend(&self, world: &World, state: &State, player: usize) -> Vec<String> {
        let types = &world.rules.types;
        let shown = types.order.iter().filter(|&&ty| {
            let look = self.looks[ty.index()];
            let seen = state.count(ty) > 0 && !types[ty].is_invisible(player);
            seen && !look.solid && look.symbol != '?'
        });
        let entry = |&ty: &TypeId| {
            let Look { symbol, colour, .. } = self.looks[ty.index()];
            let colours = Colours { over: Some(legible(colour, BLACK)), under: Some(BLACK) };
            // Names are the description's and may hold anything.
            let name = printable(&types[ty].name);
            match self.colour {
                true => format!("{}{symbol}\u{1b}[0m {name}", sgr(colours)),
                false => format!("{symbol} {name}"),
            }
        };
        shown.map(entry).collect()
    }
}

/// The part of `count` blocks that is shown where only `room` fit.
fn window(count: usize, room: usize, centre: i32) -> std::ops::Range<usize> {
    let most = count.saturating_sub(room);
    let start = (usize::try_from(centre).unwrap_or(0)).saturating_sub(room / 2).min(most);
    start..(start + room).min(count)
}

fn look((number, ty): (usize, &SpriteType)) -> Look {
    let wall = number == TypeId::WALL.index() || ty.name.to_lowercase().contains("wall");
    let floor = ty.is_static && ty.is_hidden(0);
    let avatar = ty.is_avatar;
    let symbol = match () {
        () if avatar => '@',
        () if wall => '#',
        () if floor => ' ',
        () => '?',
    };
    let solid = (wall || floor) && !avatar;
    let colour = ty.colour.as_deref().and_then(named).unwrap_or(FALLBACK[number % FALLBACK.len()]);
    Look { symbol, colour, solid, avatar }
}

fn heading(facing: (f64, f64)) -> char {
    match facing {
        (x, y) if x.abs() < 1e-9 && y.abs() < 1e-9 => ' ',
        (x, y) if x.abs() >= y.abs() => {
            if x > 0.0 {
                '>'
            } else {
                '<'
            }
        }
        (_, y) => {
            if y > 0.0 {
                'v'
            } else {
                '^'
            }
        }
    }
}

/// The colour of a symbol and that of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Colours {
    over: Option<u8>,
    under: Option<u8>,
}

fn sgr(colours: Colours) -> String {
    let over = colours.over.map_or_else(String::new, |n| format!(";1;38;5;{n}"));
    let under = colours.under.map_or_else(String::new, |n| format!(";48;5;{n}"));
    format!("\u{1b}[0{over}{under}m")
}

const BLACK: u8 = 16;
const WHITE: u8 = 231;
/// Colours of types that name none.
const FALLBACK: [u8; 7] = [244, 75, 114, 179, 168, 139, 152];

/// The colours of the language.
fn named(name: &str) -> Option<u8> {
    Some(match name.to_ascii_uppercase().as_str() {
        "BLACK" => BLACK,
        "WHITE" => WHITE,
        "RED" => 160,
        "LIGHTRED" => 203,
        "ORANGE" => 208,
        "LIGHTORANGE" => 215,
        "YELLOW" => 226,
        "LIGHTYELLOW" => 229,
        "GOLD" => 178,
        "GREEN" => 34,
        "LIGHTGREEN" => 120,
        "DARKGREEN" => 22,
        "BLUE" => 27,
        "LIGHTBLUE" => 117,
        "DARKBLUE" => 18,
        "PINK" => 205,
        "PURPLE" => 93,
        "BROWN" => 94,
        "GRAY" => 244,
        "LIGHTGRAY" => 250,
        "DARKGRAY" => 238,
        _ => return None,
    })
}

/// The colour itself, or black or white where it could hardly be told from what is under it.
fn legible(over: u8, under: u8) -> u8 {
    if brightness(over).abs_diff(brightness(under)) >= 50 {
        return over;
    }
    if brightness(under) > 128 { BLACK } else { WHITE }
}

/// How bright one of the 256 colours is, from 0 to 255: a cube of 6 levels, then 24 greys.
fn brightness(colour: u8) -> u32 {
    const LEVELS: [u32; 6] = [0, 95, 135, 175, 215, 255];
    if colour >= 232 {
        return 8 + 10 * u32::from(colour - 232);
    }
    let cube = usize::from(colour.saturating_sub(16));
    let [r, g, b] = [cube / 36, cube / 6 % 6, cube % 6].map(|level| LEVELS[level]);
    (30 * r + 59 * g + 11 * b) / 100
}

#[cfg(test)]
mod tests {
    use gamegrove_vgdl::rules::compile;

    use super::*;

    const ROOM: Room = Room { width: 80, height: 24 };

    fn world() -> std::sync::Arc<World> {
        let compiled = compile(
            "BasicGame
                SpriteSet
                    ground > Immovable hidden=True color=BROWN
                    key > Immovable color=GOLD
                    kite > Immovable color=BROWN
                    mist > Immovable invisible=True
                    hero > ShootAvatar stype=kite
                InteractionSet
                TerminationSet
                LevelMapping
                    k > ground key
                    x > ground kite
                    m > mist
                    A > ground hero
                    . > ground
            ",
        );
        assert!(!compiled.has_errors(), "{:?}", compiled.findings);
        World::load(&compiled.rules, "wwwww\nw.k.w\nwAxmw\nwwwww\n").world.expect("a level")
    }

    #[test]
    fn plain_pictures_are_letters() {
        let world = world();
        let painter = Painter::new(&world, false);
        let lines = painter.draw(&world, world.start(), 0, ROOM);
        assert_eq!(lines, ["##########", "##  k   ##", "##@>x   ##", "##########"]);
        assert_eq!(painter.legend(&world, world.start(), 0), ["k key", "x kite", "@ hero"]);
        let narrow = painter.draw(&world, world.start(), 0, Room { width: 3, height: 2 });
        assert_eq!(narrow, ["# k", "#@x"]);
        assert_eq!(painter.draw(&world, world.start(), 0, Room { width: 0, height: 0 }).len(), 1);
    }

    #[test]
    fn colours_fill_the_ground_and_stay_legible() {
        let world = world();
        let lines = Painter::new(&world, true).draw(&world, world.start(), 0, ROOM);
        assert!(lines[1].contains("\u{1b}[0;1;38;5;178;48;5;94mk "), "{}", lines[1].escape_debug());
        // A brown kite on brown ground.
        assert!(lines[2].contains("\u{1b}[0;1;38;5;231;48;5;94mx "), "{}", lines[2].escape_debug());
        assert!(lines.iter().all(|line| line.ends_with("\u{1b}[0m")));
    }

    #[test]
    fn every_type_that_is_drawn_gets_a_symbol_of_its_own() {
        for game in gamegrove_play::library::games() {
            let Some(level) = game.levels.first() else { continue };
            let compiled = compile(game.text);
            let world = World::load(&compiled.rules, level).world.expect("a level");
            let painter = Painter::new(&world, false);
            let mut symbols: Vec<char> = Vec::new();
            for &ty in &world.rules.types.order {
                let look = painter.looks[ty.index()];
                assert_ne!(look.symbol, '?', "{} {}", game.name, world.rules.types[ty].name);
                if !look.solid && !look.avatar {
                    assert!(!symbols.contains(&look.symbol), "{} {}", game.name, look.symbol);
                    symbols.push(look.symbol);
                }
            }
        }
    }
}
