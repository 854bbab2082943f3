//! How pieces look: colour and figure, read from what the facts call them.

use std::collections::{BTreeMap, BTreeSet};

use crate::fact::safe;
use crate::hints::BoardHints;
use crate::layout::is_blank_word;

/// The colour of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "colours need no explanation")]
pub enum Colour {
    White,
    Black,
    Red,
    Blue,
    Green,
    Yellow,
    Orange,
    Teal,
    Magenta,
    Purple,
    Brown,
    Grey,
}

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "pieces of chess need no explanation")]
pub enum Figure {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
    /// A stone, or a man of draughts.
    Disc,
    /// A king of draughts.
    Crowned,
    /// The mark x.
    Cross,
    /// The mark o.
    Ring,
    /// An arrow: eighths of a turn from up, to the right.
    Arrow(u8),
    /// A disc of a tower from the side: its width in eighths.
    Slab(u8),
    /// Nothing can be here.
    Blocked,
    /// Nothing but its label.
    Label,
    /// A disc with a label.
    Token,
}

/// How a piece looks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Look {
    /// Its colour, if it has one.
    pub colour: Option<Colour>,
    /// Its kind.
    pub figure: Figure,
    /// A few letters or digits that tell it from others of its colour.
    pub label: String,
    /// In plain ASCII.
    pub ascii: String,
    /// With Unicode's signs.
    pub unicode: String,
}

/// The looks of all pieces of a game.
#[derive(Clone, Debug)]
pub(crate) struct Looks {
    looks: BTreeMap<String, Look>,
    blanks: BTreeSet<String>,
}

impl Looks {
    /// Chooses looks for the pieces called `names`. `first` has what stands on each cell of the first
    /// state if the facts list all cells.
    pub fn new(
        names: &BTreeSet<String>,
        roles: &[String],
        hints: &BoardHints,
        first: Option<&Vec<String>>,
    ) -> Looks {
        let blanks = blanks(names, roles, hints, first);
        let pieces: Vec<&String> = names.iter().filter(|name| !blanks.contains(*name)).collect();
        // `light` is a lamp where nothing is dark.
        let dark = |text: &String| text.contains("dark");
        let lamps = !names.iter().any(dark) && !roles.iter().any(dark);
        let mut read: Vec<Reading> = pieces
            .iter()
            .map(|name| read(hints.pieces.get(*name).unwrap_or(name), roles))
            .collect();
        for (reading, name) in read.iter_mut().zip(&pieces).filter(|_| lamps) {
            if *name == "light" {
                reading.colour = Some(Colour::Yellow);
            }
        }
        // Kings among nothing but men are those of draughts.
        let chess = read.iter().any(|reading| {
            use Figure::{Bishop, Knight, Queen, Rook};
            matches!(reading.figure, Some(Queen | Rook | Bishop | Knight))
        });
        let kings = read.iter().filter(|r| r.figure == Some(Figure::King)).count();
        let men = |figure: Option<Figure>| matches!(figure, Some(Figure::Pawn | Figure::Disc));
        let men = read.iter().filter(|reading| men(reading.figure)).count();
        let draughts = !chess && men > 0 && (kings > 0 || men == read.len());
        let short = shorten(&read.iter().map(|reading| reading.label.as_str()).collect::<Vec<_>>());
        let mut looks = BTreeMap::new();
        let mut spare = 0;
        for ((name, reading), label) in pieces.iter().zip(&read).zip(short.clone()) {
            let figure = match reading.figure {
                Some(Figure::King) if draughts => Figure::Crowned,
                Some(Figure::Pawn) if draughts => Figure::Disc,
                Some(figure) => figure,
                None if label.is_empty() => Figure::Disc,
                None if reading.colour.is_none() && label.bytes().all(|b| b.is_ascii_digit()) => {
                    Figure::Label
                }
                None => Figure::Token,
            };
            let mut colour = reading.colour;
            if colour.is_none() && figure == Figure::Token {
                colour = Some(SPARE[spare % SPARE.len()]);
                spare += 1;
            }
            // A label of its own needs no colour beside it.
            let own = short.iter().filter(|other| **other == label).count() == 1;
            let shown = reading.colour.filter(|_| !own || figure != Figure::Token);
            let (ascii, unicode) = glyphs(shown, figure, &label);
            looks.insert((*name).clone(), Look { colour, figure, label, ascii, unicode });
        }
        tell_apart(&mut looks);
        Looks { looks, blanks }
    }

    /// Whether `name` means an empty cell.
    pub fn is_blank(&self, name: &str) -> bool {
        self.blanks.contains(name)
    }

    /// The figures of all pieces.
    pub fn figures(&self) -> impl Iterator<Item = Figure> {
        self.looks.values().map(|look| look.figure)
    }

    /// The look of a piece, also of one that was never met before.
    pub fn of(&self, name: &str) -> Look {
        self.looks.get(name).cloned().unwrap_or_else(|| {
            let label = safe(name, 4);
            let (ascii, unicode) = (ascii_only(&label), label.clone());
            Look { colour: Some(Colour::Grey), figure: Figure::Token, label, ascii, unicode }
        })
    }
}

/// Colours for pieces that have none.
const SPARE: [Colour; 8] = [
    Colour::Teal,
    Colour::Orange,
    Colour::Purple,
    Colour::Green,
    Colour::Brown,
    Colour::Magenta,
    Colour::Blue,
    Colour::Yellow,
];

/// The kind that the name of a piece tells.
#[derive(Clone, Debug, Default)]
struct Reading {
    colour: Option<Colour>,
    figure: Option<Figure>,
    /// The rest of the name.
    label: String,
}

const COLOURS: [(&str, Colour); 17] = [
    ("white", Colour::White),
    ("black", Colour::Black),
    ("red", Colour::Red),
    ("blue", Colour::Blue),
    ("green", Colour::Green),
    ("yellow", Colour::Yellow),
    ("orange", Colour::Orange),
    ("teal", Colour::Teal),
    ("cyan", Colour::Teal),
    ("magenta", Colour::Magenta),
    ("pink", Colour::Magenta),
    ("purple", Colour::Purple),
    ("brown", Colour::Brown),
    ("grey", Colour::Grey),
    ("gray", Colour::Grey),
    ("light", Colour::White),
    ("dark", Colour::Black),
];

const FIGURES: [(&str, Figure); 20] = [
    ("king", Figure::King),
    ("queen", Figure::Queen),
    ("rook", Figure::Rook),
    ("bishop", Figure::Bishop),
    ("knight", Figure::Knight),
    ("pawn", Figure::Pawn),
    ("man", Figure::Disc),
    ("disc", Figure::Disc),
    ("disk", Figure::Disc),
    ("stone", Figure::Disc),
    ("peg", Figure::Disc),
    ("light", Figure::Disc),
    ("hole", Figure::Blocked),
    ("wall", Figure::Blocked),
    ("dirt", Figure::Blocked),
    ("ground", Figure::Blocked),
    ("blocked", Figure::Blocked),
    ("offlimits", Figure::Blocked),
    ("cellofflimits", Figure::Blocked),
    ("blk", Figure::Blocked),
];

const ARROWS: [(&str, u8); 20] = [
    ("up", 0),
    ("n", 0),
    ("north", 0),
    ("ne", 1),
    ("northeast", 1),
    ("right", 2),
    ("e", 2),
    ("east", 2),
    ("se", 3),
    ("southeast", 3),
    ("down", 4),
    ("s", 4),
    ("south", 4),
    ("sw", 5),
    ("southwest", 5),
    ("left", 6),
    ("w", 6),
    ("west", 6),
    ("nw", 7),
    ("northwest", 7),
];

fn colour_of(word: &str) -> Option<Colour> {
    COLOURS.iter().find(|(name, _)| *name == word).map(|(_, colour)| *colour)
}

fn figure_of(word: &str) -> Option<Figure> {
    FIGURES.iter().find(|(name, _)| *name == word).map(|(_, figure)| *figure)
}

/// Reads a name such as `white king`, `wk`, `redpawn`, `x`.
fn read(name: &str, roles: &[String]) -> Reading {
    let lower: String = name.chars().take(60).flat_map(char::to_lowercase).collect();
    let words: Vec<&str> = lower.split([' ', '_', '-']).filter(|word| !word.is_empty()).collect();
    let mut reading = Reading::default();
    let mut rest = Vec::new();
    for word in &words {
        if reading.colour.is_none()
            && let Some(colour) = colour_of(word)
        {
            reading.colour = Some(colour);
        } else if reading.figure.is_none()
            && let Some(figure) = figure_of(word)
        {
            reading.figure = Some(figure);
        } else if words.len() == 1 {
            let (colour, figure, left) = one_word(word, roles);
            (reading.colour, reading.figure) = (colour, figure);
            rest.push(left);
        } else if reading.colour.is_none()
            && let Some(number) = roles.iter().position(|role| role == word)
        {
            reading.colour = role_colour(number, roles);
        } else if !matches!(*word, "unpromoted" | "unpromotable") {
            rest.push((*word).to_owned());
        }
    }
    reading.label = match &rest[..] {
        [one] if one == "promoted" => "+".to_owned(),
        [one] => one.clone(),
        // Several words: their first letters. Numbers: all digits.
        several => several
            .iter()
            .map(|word| match word.bytes().all(|b| b.is_ascii_digit()) {
                true => word.clone(),
                false if word == "promoted" => "+".to_owned(),
                false => word.chars().take(2).collect(),
            })
            .collect(),
    };
    if reading.figure.is_none()
        && let Some((_, turn)) = words.last().and_then(|last| {
            let arrow = ARROWS.iter().find(|(word, _)| word == last);
            arrow.filter(|(word, _)| word.len() > 2 && words.len() > 1)
        })
    {
        reading.figure = Some(Figure::Arrow(*turn));
        reading.label.clear();
    }
    reading
}

/// Reads a name of one word: colour, figure and what is left.
fn one_word(word: &str, roles: &[String]) -> (Option<Colour>, Option<Figure>, String) {
    let nothing = String::new();
    let bare = word.strip_suffix("player").filter(|rest| !rest.is_empty()).unwrap_or(word);
    match bare {
        "x" | "ecks" | "cross" => return (Some(Colour::Blue), Some(Figure::Cross), nothing),
        "o" | "oh" | "nought" => return (Some(Colour::Red), Some(Figure::Ring), nothing),
        _ => {}
    }
    if let Some(number) = roles.iter().position(|role| role == word) {
        return (role_colour(number, roles), None, word.to_owned());
    }
    // A colour or the name of a role, and a piece: `redpawn`, `bluebrush`.
    for (name, colour) in COLOURS {
        if let Some(piece) = word.strip_prefix(name) {
            let figure = figure_of(piece);
            let left = if figure.is_some() { nothing } else { piece.to_owned() };
            return (Some(colour), figure, left);
        }
    }
    let letters: Vec<char> = word.chars().collect();
    match letters[..] {
        [side, kind] if side.is_ascii_alphabetic() && kind.is_ascii_alphabetic() => {
            let figure = match kind {
                'k' => Some(Figure::King),
                'q' => Some(Figure::Queen),
                'r' => Some(Figure::Rook),
                'b' => Some(Figure::Bishop),
                'n' => Some(Figure::Knight),
                'p' => Some(Figure::Pawn),
                'm' => Some(Figure::Disc),
                _ => None,
            };
            if let (Some(colour), Some(figure)) = (side_colour(side, roles), figure) {
                return (Some(colour), Some(figure), nothing);
            }
        }
        // A piece with the file it came from, as in `bpa`.
        [side, kind, file] if matches!(side, 'w' | 'b') && file.is_ascii_lowercase() => {
            let short: String = [side, kind].iter().collect();
            let (colour, figure, _) = one_word(&short, roles);
            if colour.is_some() && figure.is_some() {
                return (colour, figure, nothing);
            }
        }
        ['q'] => return (None, Some(Figure::Queen), nothing),
        [side] if side.is_ascii_alphabetic() => {
            let colour = side_colour(side, roles);
            let coloured = |role: &String| COLOURS.iter().any(|(name, _)| role.starts_with(name));
            let known = roles.iter().any(|role| role.starts_with(side) && coloured(role));
            let left = if known { nothing } else { word.to_owned() };
            return (colour, None, left);
        }
        _ => {}
    }
    let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let numbered = digits.len() >= 3 && word.len() - digits.len() == 1;
    (None, None, if numbered { digits.to_owned() } else { word.to_owned() })
}

/// The colour that a letter stands for: a role's, or white and black.
fn side_colour(letter: char, roles: &[String]) -> Option<Colour> {
    let role = roles.iter().position(|role| role.starts_with(letter));
    match (role, letter) {
        (Some(number), _) => role_colour(number, roles),
        (None, 'w') => Some(Colour::White),
        (None, 'b') => Some(Colour::Black),
        (None, 'r') => Some(Colour::Red),
        (None, 'y') => Some(Colour::Yellow),
        (None, 'g') => Some(Colour::Green),
        _ => None,
    }
}

/// The colour of a role: that of its name, or one by its place.
fn role_colour(number: usize, roles: &[String]) -> Option<Colour> {
    let by_place =
        [Colour::Blue, Colour::Red, Colour::Green, Colour::Orange, Colour::Purple, Colour::Teal];
    let role = roles.get(number)?;
    let named = COLOURS.iter().find(|(name, _)| role.starts_with(name));
    Some(named.map_or(by_place[number % by_place.len()], |(_, colour)| *colour))
}

/// The pieces that mean an empty cell.
fn blanks(
    names: &BTreeSet<String>,
    roles: &[String],
    hints: &BoardHints,
    first: Option<&Vec<String>>,
) -> BTreeSet<String> {
    if !hints.blank.is_empty() {
        return hints.blank.iter().cloned().collect();
    }
    let words: BTreeSet<String> =
        names.iter().filter(|name| is_blank_word(name)).cloned().collect();
    if !words.is_empty() {
        return words;
    }
    let initial = |name: &str| roles.iter().any(|role| role.starts_with(name));
    let single = |name: &&String| name.len() == 1;
    let role_letters = names.iter().filter(single).filter(|n| *n != "b" && initial(n)).count();
    if names.contains("b") && !(initial("b") && role_letters > 0) && names.len() > 1 {
        return BTreeSet::from(["b".to_owned()]);
    }
    // The letter that fills most of a board whose cells are all listed.
    let Some(first) = first else { return BTreeSet::new() };
    let count = |name: &&String| first.iter().filter(|other| other == name).count();
    // A cross is a mark, and so is a nought beside crosses.
    let mark = |name: &str| name == "x" || name == "o" && names.contains("x");
    let letters = names.iter().filter(single).filter(|name| !initial(name) && !mark(name));
    let most =
        letters.filter(|name| name.bytes().all(|b| b.is_ascii_alphabetic())).max_by_key(count);
    most.filter(|name| 2 * count(name) > first.len()).cloned().into_iter().collect()
}

/// The shortest starts that tell different labels apart, at most four characters long.
fn shorten(labels: &[&str]) -> Vec<String> {
    let different: BTreeSet<&str> =
        labels.iter().copied().filter(|label| !label.is_empty()).collect();
    let cut =
        |label: &str, length: usize| -> String { safe(label, 100).chars().take(length).collect() };
    let ends = |label: &str| -> String {
        let letters: Vec<char> = safe(label, 100).chars().collect();
        let tail = letters.len().saturating_sub(2).max(2).min(letters.len());
        letters[..2.min(letters.len())].iter().chain(&letters[tail..]).collect()
    };
    let tells_apart = |short: &dyn Fn(&str) -> String| {
        different.iter().map(|label| short(label)).collect::<BTreeSet<_>>().len() == different.len()
    };
    for length in 1..=4 {
        // Short names are shown whole.
        let short = |label: &str| {
            if label.chars().count() <= 3 { cut(label, 3) } else { cut(label, length) }
        };
        if tells_apart(&short) {
            return labels.iter().map(|label| short(label)).collect();
        }
    }
    if tells_apart(&ends) {
        return labels.iter().map(|label| ends(label)).collect();
    }
    let number = |label: &str| different.iter().position(|other| *other == label);
    labels
        .iter()
        .map(|label| number(label).map_or_else(String::new, |at| (at + 1).to_string()))
        .collect()
}

/// How a piece is written in plain ASCII and with Unicode's signs.
fn glyphs(colour: Option<Colour>, figure: Figure, label: &str) -> (String, String) {
    use Colour::{Black, White};
    let initial = colour.map_or("", |colour| match colour {
        White => "w",
        Black => "b",
        Colour::Red => "r",
        Colour::Blue => "u",
        Colour::Green => "g",
        Colour::Yellow => "y",
        Colour::Orange => "o",
        Colour::Teal => "t",
        Colour::Magenta => "m",
        Colour::Purple => "p",
        Colour::Brown => "n",
        Colour::Grey => "e",
    });
    let more = ascii_only(label);
    let chess = |letter: &str, signs: [&str; 2]| match colour {
        Some(White) => (format!("{letter}{more}"), format!("{}{label}", signs[0])),
        Some(Black) => (format!("{}{more}", letter.to_lowercase()), format!("{}{label}", signs[1])),
        _ => (format!("{initial}{letter}{more}"), format!("{initial}{letter}{label}")),
    };
    let plain = |ascii: &str, unicode: &str| (ascii.to_owned(), unicode.to_owned());
    match figure {
        Figure::King => chess("K", ["♔", "♚"]),
        Figure::Queen => chess("Q", ["♕", "♛"]),
        Figure::Rook => chess("R", ["♖", "♜"]),
        Figure::Bishop => chess("B", ["♗", "♝"]),
        Figure::Knight => chess("N", ["♘", "♞"]),
        Figure::Pawn => chess("P", ["♙", "♟"]),
        Figure::Disc => match colour {
            Some(White) => plain("w", "○"),
            Some(Black) => plain("b", "●"),
            Some(_) => plain(initial, initial),
            None => plain("*", "●"),
        },
        Figure::Crowned => match colour {
            Some(White) => plain("W", "◎"),
            Some(Black) => plain("B", "◉"),
            _ => (initial.to_uppercase(), initial.to_uppercase()),
        },
        Figure::Cross => plain("x", "x"),
        Figure::Ring => plain("o", "o"),
        Figure::Arrow(turn) => {
            let at = usize::from(turn % 8);
            plain(
                ["^", "/", ">", "\\", "v", "/", "<", "\\"][at],
                ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"][at],
            )
        }
        Figure::Slab(_) => plain("=", "▬"),
        Figure::Blocked => plain("#", "▒"),
        // Only letters can be large or small.
        Figure::Label | Figure::Token => match (colour, label.chars().count()) {
            (Some(White), 1..=2) if has_letter(label) => {
                (more.to_uppercase(), label.to_uppercase())
            }
            (Some(Black), 1..=2) if has_letter(label) => {
                (more.to_lowercase(), label.to_lowercase())
            }
            (Some(_), _) if figure == Figure::Token => {
                (format!("{initial}{more}"), format!("{initial}{label}"))
            }
            _ => (more, label.to_owned()),
        },
    }
}

fn has_letter(label: &str) -> bool {
    label.chars().any(char::is_alphabetic)
}

fn ascii_only(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_graphic() { c } else { '?' }).collect()
}

/// Gives pieces that would look the same in text more of their names, or numbers.
fn tell_apart(looks: &mut BTreeMap<String, Look>) {
    for unicode in [false, true] {
        let mut taken: BTreeMap<String, (Option<Colour>, Figure, String)> = BTreeMap::new();
        for (number, (name, look)) in looks.iter_mut().enumerate() {
            let kind = (look.colour, look.figure, look.label.clone());
            let glyph = if unicode { &mut look.unicode } else { &mut look.ascii };
            // Several names for one look, as pawns of each file, are one piece.
            let open =
                |text: &String| !text.is_empty() && taken.get(text).is_none_or(|k| *k == kind);
            let letters: Vec<char> = safe(name, 40).chars().filter(|c| *c != ' ').collect();
            let more = (2..=5).map(|length| letters.iter().take(length).collect::<String>());
            let more = more.map(|text| if unicode { text } else { ascii_only(&text) });
            let own = std::iter::once(glyph.clone()).chain(more).find(open);
            *glyph = own.unwrap_or_else(|| format!("#{}", number + 1));
            taken.insert(glyph.clone(), kind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks(names: &str, roles: &str) -> Looks {
        let split =
            |text: &str| text.split(',').map(|part| part.trim().to_owned()).collect::<Vec<_>>();
        let names = split(names).into_iter().collect();
        Looks::new(&names, &split(roles), &BoardHints::default(), None)
    }

    fn shown(names: &str, roles: &str) -> String {
        let looks = looks(names, roles);
        let show = |name: &str| match looks.is_blank(name) {
            true => "blank".to_owned(),
            false => {
                let look = looks.of(name);
                format!("{} {} {:?} {:?}", look.ascii, look.unicode, look.colour, look.figure)
            }
        };
        names.split(',').map(|name| format!("{}: {}\n", name.trim(), show(name.trim()))).collect()
    }

    #[test]
    fn pieces_of_chess_and_draughts() {
        insta::assert_snapshot!(shown("wk, bq, wn, b, black pawn, whiterook", "white, black"));
        insta::assert_snapshot!(shown("wp, bk, bp, wk, b", "red, black"));
        insta::assert_snapshot!(shown("redpawn, blackking, redking", "red, black"));
    }

    #[test]
    fn marks_colours_and_names() {
        insta::assert_snapshot!(shown("x, o, b", "xplayer, oplayer"));
        insta::assert_snapshot!(shown("b, r, o", "redduper, blueduper"));
        insta::assert_snapshot!(shown("black, blue, red, bluedisc, bluechecker", "red, blue"));
        insta::assert_snapshot!(shown("p0000, p0001, empty", "white, black"));
        insta::assert_snapshot!(shown("explorer, exit, mummy, 7, mov_left", "explorer, mummy"));
    }

    #[test]
    fn strange_names_are_tamed() {
        let looks = looks("a\u{1b}[0m, é\u{202e}, 漢字漢字漢字", "r");
        for name in ["a\u{1b}[0m", "é\u{202e}", "漢字漢字漢字", "\u{7}unknown"] {
            let look = looks.of(name);
            assert!(look.ascii.is_ascii() && !look.ascii.is_empty(), "{look:?}");
            assert!(!look.unicode.chars().any(char::is_control), "{look:?}");
        }
    }
}
