//! The sliding puzzle of any size, from the reverse order.

use gamegrove_settings::{Parameter, Record};

use crate::family::{Family, FamilyError};
use crate::sheet::{Sheet, each, successors};

/// The family.
pub(crate) const FAMILY: Family = Family {
    name: "puzzle",
    summary: "the sliding puzzle with tiles in reverse order",
    parameters: &[
        Parameter::whole("width", 3.0, (2.0, 10.0), "columns"),
        Parameter::whole("height", 3.0, (2.0, 10.0), "rows"),
        Parameter::whole("limit", 60.0, (1.0, 1000.0), "moves after which it is given up"),
    ],
    write,
};

fn write(values: &Record) -> Result<String, FamilyError> {
    let (width, height, limit) =
        (values.whole("width"), values.whole("height"), values.whole("limit"));
    let tiles = width * height - 1;
    let start = start(width, height);
    let show = |tile: &u32| if *tile == 0 { ".".to_owned() } else { tile.to_string() };
    let picture = |tiles: &[u32]| -> Vec<String> {
        let rows = tiles.chunks(width as usize);
        rows.map(|row| row.iter().map(|tile| format!("{:>3}", show(tile))).collect()).collect()
    };

    let mut sheet = Sheet::new(&format!("Sliding puzzle, {width} x {height}"));
    sheet.entry(
        "Rules",
        &format!(
            "{tiles} numbered tiles and one empty square fill a board of {height} rows and {width} columns. A move slides a tile that \
             shares a side with the empty square into it. The tiles are in reverse order at the start{} and are to be put in order, \
             from the upper left to the lower right with the empty square last. At the start:",
            if swapped(width, height) { ", but for 1 and 2 (otherwise it could not be done)," } else { "" },
        ),
    );
    sheet.picture(picture(&start));
    sheet.entry("Players", "1: player.");
    sheet.entry("End", &format!("When the tiles are in order, or after {limit} moves."));
    sheet.entry("Goals", "100 when the tiles are in order, otherwise 0.");
    sheet.entry("Source", "The sliding puzzle of 1874.");
    sheet.note(
        "A square's fact is (cell ROW COLUMN CONTENT), row 1 at the top; the content is a tile's number or b for the empty square. \
         (moved N) counts the moves made.",
    );
    sheet.more_facts(["(role player)"]);

    sheet.section("The board");
    sheet.more_facts(each("row", 1, height));
    sheet.facts(each("column", 1, width));
    sheet.facts(each("tile", 1, tiles));
    sheet.more_facts(successors("after", 0, limit.max(width).max(height)));
    sheet.rules(BOARD);

    sheet.section("Facts and moves");
    sheet.rules(FACTS);
    sheet.facts(start.iter().zip(0..).map(|(tile, at)| {
        let content = if *tile == 0 { "b".to_owned() } else { tile.to_string() };
        format!("(init (cell {} {} {content}))", at / width + 1, at % width + 1)
    }));
    sheet.facts(["(init (moved 0))"]);

    sheet.section("Moving");
    sheet.rules(MOVING);

    sheet.section("End and goals");
    let ordered: String = (0..tiles)
        .map(|at| format!("\n    (true (cell {} {} {}))", at / width + 1, at % width + 1, at + 1))
        .collect();
    sheet.rules(&format!("(<= in_order{ordered})"));
    sheet.rules(&format!(
        "(<= terminal in_order)\n(<= terminal (true (moved {limit})))\n\n(<= (goal player 100) in_order)\n\
         (<= (goal player 0) (not in_order))"
    ));
    Ok(sheet.finish())
}

/// The tiles at the start, row by row from the upper left; 0 is the empty square.
fn start(width: u32, height: u32) -> Vec<u32> {
    let mut tiles: Vec<u32> = vec![0];
    tiles.extend((1..width * height).rev());
    if swapped(width, height) {
        let last = tiles.len() - 1;
        tiles.swap(last - 1, last);
    }
    tiles
}

/// Whether the reverse order cannot be put in order, so that two tiles must change places.
///
/// Every move exchanges the empty square with a tile, so the parity of the order of all squares
/// (the empty one counted as the last tile) and that of the empty square's distance from its end
/// change together; they must be equal. Reversing the n tiles behind the empty square, which itself
/// stands n places before its end, takes n (n - 1) / 2 + n exchanges of neighbours.
fn swapped(width: u32, height: u32) -> bool {
    let tiles = width * height - 1;
    let order = tiles * (tiles - 1) / 2 + tiles;
    let distance = width + height - 2;
    order % 2 != distance % 2
}

const BOARD: &str = "
;; (adjacent ROW COLUMN ROW2 COLUMN2): the squares share a side.
(<= (adjacent ?row ?column ?row ?column2) (row ?row) (column ?column) (column ?column2) (after ?column ?column2))
(<= (adjacent ?row ?column ?row2 ?column) (column ?column) (row ?row) (row ?row2) (after ?row ?row2))
(<= (adjacent ?row ?column ?row ?column2) (row ?row) (column ?column) (column ?column2) (after ?column2 ?column))
(<= (adjacent ?row ?column ?row2 ?column) (column ?column) (row ?row) (row ?row2) (after ?row2 ?row))";

const FACTS: &str = "
(<= (base (cell ?row ?column ?tile)) (row ?row) (column ?column) (tile ?tile))
(<= (base (cell ?row ?column b)) (row ?row) (column ?column))
(base (moved 0))
(<= (base (moved ?n)) (after ?m ?n))

;; (slide ROW COLUMN): the tile on that square goes to the empty square.
(<= (input player (slide ?row ?column)) (row ?row) (column ?column))
";

const MOVING: &str = "
(<= (legal player (slide ?row ?column))
    (true (cell ?row2 ?column2 b))
    (adjacent ?row2 ?column2 ?row ?column))

;; The two squares of a move exchange their contents; the others keep theirs. (fills TILE): the tile that slides.
(<= (sliding ?row ?column)
    (does player (slide ?row ?column)))
(<= (fills ?tile)
    (sliding ?row ?column)
    (true (cell ?row ?column ?tile)))

(<= (next (cell ?row ?column b))
    (does player (slide ?row ?column)))
(<= (next (cell ?row2 ?column2 ?tile))
    (fills ?tile)
    (true (cell ?row2 ?column2 b)))
(<= (next (cell ?row ?column ?tile))
    (true (cell ?row ?column ?tile))
    (distinct ?tile b)
    (not (sliding ?row ?column)))

(<= (next (moved ?n))
    (true (moved ?m))
    (after ?m ?n))";
