//! The placements to list for one position: a table over what is in stock and which shoves succeed.
//!
//! The board that results from a placement depends only on the
//! directions in which it pushes and a shove succeeds. Both are bytes, so what has to be listed is
//! worked out once per game.

use crate::piece::{MAX_PLACEMENTS, Piece, Placements, QUIET};
use crate::rules::Listing;

/// For one set of kinds in stock: the placements to list, by the directions that succeed.
#[derive(Clone, Debug)]
pub(crate) struct Menu {
    counts: [u8; 256],
    placements: [[u8; MAX_PLACEMENTS]; 256],
    /// The same as numbers of the width of a move, which is what lists are made of.
    wide: [[u32; MAX_PLACEMENTS]; 256],
    /// The directions in which each does something.
    effects: [[u8; MAX_PLACEMENTS]; 256],
    /// The piece a quiet placement uses.
    quiet: [Option<Piece>; 256],
}

impl Menu {
    /// The menus of all 16 sets of kinds.
    pub fn all(placements: &Placements, listing: Listing) -> Vec<Menu> {
        (0..16).map(|kinds| Menu::new(placements, listing, kinds)).collect()
    }

    fn new(all: &Placements, listing: Listing, kinds: usize) -> Menu {
        let mut menu = Menu {
            counts: [0; 256],
            placements: [[0; MAX_PLACEMENTS]; 256],
            wide: [[0; MAX_PLACEMENTS]; 256],
            effects: [[0; MAX_PLACEMENTS]; 256],
            quiet: [None; 256],
        };
        for successful in 0..=u8::MAX {
            let mut listed = Listed::default();
            for placement in all.pushing() {
                let (piece, effect) = (all.piece(placement), all.mask(placement) & successful);
                if kinds >> piece.index() & 1 == 0 {
                    continue;
                }
                if effect == 0 {
                    menu.quiet[usize::from(successful)].get_or_insert(piece);
                }
                listed.add(placement, piece, effect, listing);
            }
            // Ascending numbers, so that the order of moves is plain.
            listed.placements.sort_unstable();
            let row = usize::from(successful);
            menu.counts[row] = listed.placements.len() as u8;
            for (i, &placement) in listed.placements.iter().enumerate() {
                menu.wide[row][i] = u32::from(placement);
                menu.effects[row][i] = all.mask(placement) & successful;
            }
            menu.placements[row][..listed.placements.len()].copy_from_slice(&listed.placements);
        }
        menu
    }

    /// The placements to list where the shoves in `successful` would succeed.
    #[inline]
    pub fn placements(&self, successful: u8) -> &[u8] {
        let row = usize::from(successful);
        &self.placements[row][..usize::from(self.counts[row])]
    }

    /// As [`placements`](Menu::placements), in rows of fixed length.
    #[inline]
    pub fn row(&self, successful: u8) -> Row<'_> {
        let row = usize::from(successful);
        Row {
            placements: &self.wide[row],
            effects: &self.effects[row],
            count: usize::from(self.counts[row]),
        }
    }

    /// The piece that a quiet placement takes from the stock.
    #[inline]
    pub fn quiet(&self, successful: u8) -> Option<Piece> {
        self.quiet[usize::from(successful)]
    }
}

/// The placements to list for one position.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub placements: &'a [u32; MAX_PLACEMENTS],
    /// The directions in which each does something.
    pub effects: &'a [u8; MAX_PLACEMENTS],
    /// How many of them count.
    pub count: usize,
}

/// How much of a row is written whether it counts or not.
const HEAD: usize = 8;

impl Row<'_> {
    /// Writes what `value` makes of each placement, by its place in the row, to the start of
    /// `list`, which must have room for a whole row.
    ///
    /// Rows are written in fixed lengths, past what counts, and the next one overwrites the rest:
    /// copying a few numbers exactly costs more than copying eight blindly.
    #[inline(always)]
    pub fn write<T: Copy>(self, list: &mut [T], value: impl Fn(usize) -> T) {
        let head: [T; HEAD] = std::array::from_fn(&value);
        list[..HEAD].copy_from_slice(&head);
        if self.count > HEAD {
            let tail: [T; MAX_PLACEMENTS - HEAD] = std::array::from_fn(|i| value(HEAD + i));
            list[HEAD..MAX_PLACEMENTS].copy_from_slice(&tail);
        }
    }
}

/// The placements of one row while it is put together, with what they do.
#[derive(Default)]
struct Listed {
    placements: Vec<u8>,
    seen: Vec<(Option<Piece>, u8)>,
}

impl Listed {
    /// Placements arrive weakest piece first, so the first of equals is the one to keep.
    fn add(&mut self, placement: u8, piece: Piece, effect: u8, listing: Listing) {
        let key = match listing {
            Listing::Weakest => (None, effect),
            Listing::EachPiece => (Some(piece), effect),
            Listing::EveryPlacement => {
                self.placements.push(placement);
                return;
            }
        };
        if self.seen.contains(&key) {
            return;
        }
        let first_quiet = effect == 0 && self.seen.iter().all(|&(_, effect)| effect != 0);
        self.seen.push(key);
        self.placements.push(if first_quiet { QUIET } else { placement });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::TwoPiece;

    fn names(listing: Listing, kinds: usize, successful: u8) -> Vec<String> {
        let all = Placements::new(TwoPiece::Opposite);
        let menus = Menu::all(&all, listing);
        menus[kinds].placements(successful).iter().map(|&p| all.name(p)).collect()
    }

    #[test]
    fn weakest_piece_for_each_effect() {
        assert_eq!(names(Listing::Weakest, 0b1111, 0), [""]);
        assert_eq!(names(Listing::Weakest, 0b1111, 0b0000_0001), ["", "1e"]);
        // East and west together need a 2-piece, east and south a 4-piece, east and south-east
        // an 8-piece.
        assert_eq!(names(Listing::Weakest, 0b1111, 0b0001_0001), ["", "1e", "1w", "2e"]);
        assert_eq!(names(Listing::Weakest, 0b1111, 0b0000_0101), ["", "1e", "1s", "4e"]);
        assert_eq!(names(Listing::Weakest, 0b1111, 0b0000_0011), ["", "1e", "1se", "8"]);
    }

    #[test]
    fn a_stronger_piece_stands_in_for_one_out_of_stock() {
        assert_eq!(names(Listing::Weakest, 0b1101, 0b0001_0001), ["", "1e", "1w", "4e"]);
        assert_eq!(names(Listing::Weakest, 0b1000, 0b0000_0101), ["8"]);
        assert_eq!(names(Listing::Weakest, 0b0001, 0b0000_0101), ["", "1e", "1s"]);
        assert_eq!(names(Listing::Weakest, 0, 0b0000_0101), [""; 0]);
    }

    #[test]
    fn nothing_is_quiet_where_all_directions_succeed() {
        let listed = names(Listing::Weakest, 0b1111, 0b1111_1111);
        assert_eq!(listed.len(), 15);
        assert!(!listed.contains(&String::new()));
    }

    #[test]
    fn other_listings() {
        assert_eq!(names(Listing::EveryPlacement, 0b1111, 0b0000_0001).len(), 15);
        // Quiet by 1, 2 and 4; a push to the east by all four.
        assert_eq!(
            names(Listing::EachPiece, 0b1111, 0b0000_0001),
            ["", "1e", "2e", "2se", "4e", "4se", "8"]
        );
    }
}
