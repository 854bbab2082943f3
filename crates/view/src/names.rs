//! Moves as people write them: `e4`, `Nf3`, `d4-c3`, `drop 4`.
//!
//! A name is made from a move's term and from the board: the cells that the move names are called by
//! column and row, what moves is called by its letter where pieces have letters, and the first word of
//! the term is left out where the cells say enough. The names of the legal moves of a position differ.
//! [`MoveNames::find`] leads back from what a person types, which may also be the term of the rules.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::fact::{Fact, name_of, natural};
use crate::grid::Grid;
use crate::hints::BoardHints;
use crate::layout::Layout;
use crate::look::{Figure, Looks};
use crate::moves::{MoveShapes, Spot};
use crate::scene::Scene;

/// How the moves of a game are written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writing {
    /// The texts of metadata, by the first words of moves.
    templates: BTreeMap<String, String>,
    /// First words that are written, because the cells alone would mean several moves.
    needed: BTreeSet<String>,
    /// Whether pieces are called by the letters of chess.
    letters: bool,
}

impl Writing {
    pub fn new(
        moves: &[String],
        shapes: &MoveShapes,
        grids: &[Grid],
        looks: &Looks,
        hints: &BoardHints,
    ) -> Writing {
        let mut first: HashMap<Vec<String>, String> = HashMap::new();
        let mut needed = BTreeSet::new();
        for mov in moves {
            let fact = Fact::read(mov);
            let cells = cells_of(&fact, &shapes.spots(&fact, grids), grids);
            let verb = fact.name().to_owned();
            match first.get(&cells).filter(|other| **other != verb) {
                Some(other) => {
                    needed.insert(other.clone());
                    needed.insert(verb);
                }
                None => _ = first.insert(cells, verb),
            }
        }
        let kinds: BTreeSet<char> = looks.figures().filter_map(letter).collect();
        Writing { templates: hints.moves.clone(), needed, letters: kinds.len() > 1 }
    }
}

/// The cells that a move names, in order.
fn cells_of(fact: &Fact, spots: &[Spot], grids: &[Grid]) -> Vec<String> {
    parts_of(fact, spots, grids)
        .into_iter()
        .filter_map(|part| part.cell.map(|_| part.text))
        .collect()
}

/// A part of a move: a cell or a word.
struct Part {
    text: String,
    /// The grid, and where in the move the cell's name begins.
    cell: Option<(usize, usize)>,
}

fn parts_of(fact: &Fact, spots: &[Spot], grids: &[Grid]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut leaf = 0;
    while leaf < fact.leaves.len() {
        let cell = spots.iter().find_map(|spot| match *spot {
            Spot::Cell { grid, leaf: at } if at == leaf => Some(grid),
            _ => None,
        });
        let found = cell.and_then(|grid| {
            let length = grids[grid].parts.len().max(1);
            let text = label(&grids[grid], fact.leaves.get(leaf..leaf + length)?)?;
            Some((Part { text, cell: Some((grid, leaf)) }, length))
        });
        let (part, length) = found.unwrap_or_else(|| {
            let value = &fact.leaves[leaf];
            let coordinate = spots.iter().find_map(|spot| match *spot {
                Spot::Part { grid, leaf: at, part } if at == leaf => {
                    Some(grids[grid].part(part, value))
                }
                _ => None,
            });
            (Part { text: coordinate.unwrap_or(value).to_owned(), cell: None }, 1)
        });
        parts.push(part);
        leaf += length;
    }
    parts
}

fn label(grid: &Grid, key: &[String]) -> Option<String> {
    let &(board, cell) = grid.index.get(key)?;
    Some(grid.boards[board].cells[cell].label.clone())
}

/// The letter of a piece of chess; a pawn has a blank.
fn letter(figure: Figure) -> Option<char> {
    Some(match figure {
        Figure::King => 'K',
        Figure::Queen => 'Q',
        Figure::Rook => 'R',
        Figure::Bishop => 'B',
        Figure::Knight => 'N',
        Figure::Pawn => ' ',
        _ => return None,
    })
}

/// The letter that a word means, if it is a piece of chess.
fn letter_of(word: &str) -> Option<char> {
    Some(match word {
        "king" => 'K',
        "queen" => 'Q',
        "rook" => 'R',
        "bishop" => 'B',
        "knight" => 'N',
        "pawn" => ' ',
        _ => return None,
    })
}

/// A legal move of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveName {
    /// Its name; no other legal move of the position has it.
    pub short: String,
    /// The term of the rules.
    pub term: String,
    /// Further texts that people may type for it.
    others: Vec<String>,
}

/// The legal moves of a role in a position, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveNames {
    names: Vec<MoveName>,
}

/// A move of a piece of chess, for which the shortest name is looked for.
struct Chess {
    letter: char,
    column: String,
    row: String,
    source: String,
    takes: bool,
    target: String,
    /// The piece that a pawn becomes.
    becomes: Option<char>,
}

impl Layout {
    /// Names for the legal `moves` of a role in a state with these facts.
    pub fn move_names(&self, facts: &[String], moves: &[String]) -> MoveNames {
        let scene = self.scene(facts);
        let mut names = Vec::with_capacity(moves.len());
        let mut chess = Vec::new();
        for (number, mov) in moves.iter().enumerate() {
            let (name, piece) = self.name(&scene, mov);
            names.push(name);
            chess.extend(piece.map(|piece| (number, piece)));
        }
        for (number, piece) in &chess {
            names[*number].short = piece.short(chess.iter().map(|(_, other)| other));
        }
        MoveNames::distinct(names)
    }

    /// A move's name, and the piece of chess that it moves.
    fn name(&self, scene: &Scene, mov: &str) -> (MoveName, Option<Chess>) {
        let fact = Fact::read(mov);
        let spots = self.moves.spots(&fact, &self.grids);
        let parts = parts_of(&fact, &spots, &self.grids);
        let verb = fact.name().replace('_', " ");
        let cells: Vec<&Part> = parts.iter().filter(|part| part.cell.is_some()).collect();
        let words: Vec<&str> =
            parts.iter().filter(|part| part.cell.is_none()).map(|part| &*part.text).collect();
        let occupied = |part: &Part| self.piece_on(scene, &fact, part).is_some();
        let takes = cells.len() == 2 && occupied(cells[1]);
        let along = |takes: bool| {
            let texts: Vec<&str> = cells.iter().map(|part| &*part.text).collect();
            texts.join(if takes { "x" } else { "-" })
        };
        let long = written_out(&verb, &parts);
        let piece = match self.writing.letters && cells.len() == 2 {
            true => self.chess(scene, &fact, [cells[0], cells[1]], &words, takes),
            false => None,
        };
        let enough =
            words.is_empty() && !cells.is_empty() && !self.writing.needed.contains(fact.name());
        let short = match self.template(&fact, &spots) {
            Some(text) => text,
            None if enough => along(takes),
            None => long.clone(),
        };
        let mut others =
            vec![long, parts.iter().map(|part| &*part.text).collect::<Vec<_>>().join(" ")];
        if !cells.is_empty() {
            let ending = piece.as_ref().and_then(|piece| piece.becomes).map(|c| c.to_string());
            let ending = ending.unwrap_or_else(|| words.join(" "));
            others.extend([true, false].map(|takes| format!("{}{ending}", along(takes))));
        }
        if let Some(piece) = &piece {
            others.extend([true, false].map(|takes| piece.with(takes, &piece.source, "=")));
        }
        (MoveName { short, term: mov.to_owned(), others }, piece)
    }

    /// The piece on the cell that a part of a move names.
    fn piece_on<'a>(&self, scene: &'a Scene, fact: &Fact, part: &Part) -> Option<&'a crate::Item> {
        let (grid, leaf) = part.cell?;
        let key = fact.leaves.get(leaf..leaf + self.grids[grid].parts.len().max(1))?;
        let &(board, cell) = self.grids[grid].index.get(key)?;
        let cell = scene.boards.get(self.first_board(grid) + board)?.cells.get(cell)?;
        cell.items.iter().find(|item| item.look.figure != Figure::Blocked)
    }

    fn chess(
        &self,
        scene: &Scene,
        fact: &Fact,
        [source, target]: [&Part; 2],
        words: &[&str],
        takes: bool,
    ) -> Option<Chess> {
        let piece = letter(self.piece_on(scene, fact, source)?.look.figure)?;
        let becomes = match words {
            [] => None,
            [word] => letter_of(word).map(Some)?,
            _ => return None,
        };
        let (grid, leaf) = source.cell?;
        let key = fact.leaves.get(leaf..leaf + self.grids[grid].parts.len())?;
        let (column, row) = self.grids[grid].column_and_row(key)?;
        Some(Chess {
            letter: piece,
            column: column.to_owned(),
            row: row.to_owned(),
            source: source.text.clone(),
            takes: takes || piece == ' ' && !target.text.starts_with(column),
            target: target.text.clone(),
            becomes: becomes.filter(|letter| *letter != piece),
        })
    }

    /// The name that metadata give a move.
    fn template(&self, fact: &Fact, spots: &[Spot]) -> Option<String> {
        if self.writing.templates.is_empty() {
            return None;
        }
        // More words say more.
        let mut words = vec![name_of(&fact.shape)];
        words.extend(fact.leaves.iter().map(String::as_str));
        let mut starts = (1..=words.len()).rev().map(|length| words[..length].join(" "));
        let text = starts.find_map(|start| self.writing.templates.get(&start))?;
        let grids: Vec<usize> = spots
            .iter()
            .map(|spot| match *spot {
                Spot::Cell { grid, .. } | Spot::Part { grid, .. } => grid,
            })
            .chain(0..self.grids.len())
            .collect();
        let mut written = String::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (inside, after) = after.split_once('}')?;
            written += before;
            let number = |word: &str| word.parse::<usize>().ok()?.checked_sub(1);
            let leaves: Option<Vec<String>> = inside
                .split_whitespace()
                .map(|word| fact.leaves.get(number(word)?).cloned())
                .collect();
            let leaves = leaves?;
            let cell = || grids.iter().find_map(|&grid| label(&self.grids[grid], &leaves));
            written += &match leaves.len() {
                1 => leaves[0].clone(),
                _ => cell().unwrap_or_else(|| leaves.join(" ")),
            };
            rest = after;
        }
        Some(written + rest)
    }
}

/// All words of a move; cells that follow each other have a dash between them.
fn written_out(verb: &str, parts: &[Part]) -> String {
    let mut text = verb.to_owned();
    let mut after_cell = false;
    for part in parts {
        text += if after_cell && part.cell.is_some() { "-" } else { " " };
        text += &part.text;
        after_cell = part.cell.is_some();
    }
    text
}

impl Chess {
    /// The shortest name that no other legal move has.
    fn short<'a>(&self, others: impl Iterator<Item = &'a Chess>) -> String {
        let rivals: Vec<&Chess> = others
            .filter(|other| {
                other.letter == self.letter
                    && other.target == self.target
                    && other.takes == self.takes
                    && other.source != self.source
            })
            .collect();
        let from = match () {
            () if self.letter == ' ' && self.takes => self.column.as_str(),
            () if self.letter == ' ' || rivals.is_empty() => "",
            () if rivals.iter().all(|rival| rival.column != self.column) => &self.column,
            () if rivals.iter().all(|rival| rival.row != self.row) => &self.row,
            () => &self.source,
        };
        self.with(self.takes, from, "=")
    }

    fn with(&self, takes: bool, from: &str, becomes: &str) -> String {
        let letter = self.letter.to_string();
        let new = self.becomes.map(|letter| format!("{becomes}{letter}")).unwrap_or_default();
        format!("{}{from}{}{}{new}", letter.trim(), if takes { "x" } else { "" }, self.target)
    }
}

impl MoveNames {
    /// Names without a board: the terms without their outer parentheses.
    pub fn plain(moves: &[String]) -> MoveNames {
        let name = |mov: &String| {
            let short = without_parentheses(mov).to_owned();
            MoveName { short, term: mov.clone(), others: Vec::new() }
        };
        MoveNames::distinct(moves.iter().map(name).collect())
    }

    /// Names that differ: where they do not, all words are written, or else the term.
    fn distinct(mut names: Vec<MoveName>) -> MoveNames {
        for form in [
            |name: &MoveName| name.others.first().cloned(),
            |name: &MoveName| Some(name.term.clone()),
        ] {
            let mut counts: HashMap<&str, usize> = HashMap::new();
            for name in &names {
                *counts.entry(&name.short).or_default() += 1;
            }
            let twice: Vec<usize> =
                (0..names.len()).filter(|&at| counts[&*names[at].short] > 1).collect();
            for at in twice {
                if let Some(text) = form(&names[at]) {
                    names[at].short = text;
                }
            }
        }
        MoveNames { names }
    }

    /// How many moves there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The moves in the order of their names, where numbers count as numbers, and where each was before.
    pub fn sorted(mut self) -> (MoveNames, Vec<usize>) {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| natural(&self.names[a].short, &self.names[b].short));
        let mut names: Vec<Option<MoveName>> = self.names.drain(..).map(Some).collect();
        let names = order.iter().filter_map(|&at| names[at].take()).collect();
        (MoveNames { names }, order)
    }

    /// The moves in the order in which they were given.
    pub fn iter(&self) -> impl Iterator<Item = &MoveName> {
        self.names.iter()
    }

    /// The name of move number `at`.
    pub fn short(&self, at: usize) -> &str {
        &self.names[at].short
    }

    /// The name of the move with this term.
    pub fn of(&self, term: &str) -> Option<&str> {
        self.names.iter().find(|name| name.term == term).map(|name| &*name.short)
    }

    /// The number of the move that `text` means: its name, its term, its cells one after another
    /// (`e2e4`), or one of these without capitals, blanks and signs. Nothing if no legal move fits, or
    /// several do.
    pub fn find(&self, text: &str) -> Option<usize> {
        let text = text.trim();
        let only = |fits: &dyn Fn(&MoveName) -> bool| {
            let mut found = (0..self.names.len()).filter(|&at| fits(&self.names[at]));
            found.next().filter(|_| found.next().is_none())
        };
        let term = words(text);
        let forms = |name: &MoveName| {
            [&name.short].into_iter().chain(&name.others).cloned().collect::<Vec<String>>()
        };
        let [exact, any_case] = [squeezed(text), squeezed(text).to_lowercase()];
        only(&|name| name.short == text)
            .or_else(|| only(&|name| words(&name.term) == term))
            .or_else(|| {
                // Text without letters and digits means nothing once it is squeezed.
                let exact = (!exact.is_empty()).then_some(exact)?;
                only(&|name| squeezed(&name.short) == exact).or_else(|| {
                    only(&|name| forms(name).iter().any(|form| squeezed(form) == exact))
                })
            })
            .or_else(|| {
                let any_case = (!any_case.is_empty()).then_some(any_case)?;
                only(&|name| {
                    forms(name).iter().any(|form| squeezed(form).to_lowercase() == any_case)
                })
            })
    }
}

/// A term without its outer parentheses, if these belong together.
fn without_parentheses(term: &str) -> &str {
    let inside = term.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inside.filter(|inside| !inside.contains(['(', ')'])).unwrap_or(term).trim()
}

/// A term in lower case without what can be left out: outer parentheses and further blanks.
fn words(text: &str) -> String {
    let text = text.to_lowercase();
    let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(&text);
    let spaced = inside.replace('(', " ( ").replace(')', " ) ");
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name without blanks and signs. Castling may be written with zeros.
fn squeezed(text: &str) -> String {
    if !text.is_empty() && text.chars().all(|c| matches!(c, '0' | '-')) && text.contains('-') {
        return text.replace('-', "").replace('0', "O");
    }
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}
