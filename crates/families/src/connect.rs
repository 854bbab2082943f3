//! Games of lines: as many stones in a row as are asked for, on a board of any size, with or without
//! gravity. Tic-tac-toe, connect four, connect five and gomoku are among them.

use gamegrove_settings::{Parameter, Record};

use crate::family::{Family, FamilyError};
use crate::sheet::{Sheet, each, successors};

/// The family.
pub(crate) const FAMILY: Family = Family {
    name: "connect",
    summary: "stones in a row: tic-tac-toe, connect four, gomoku and all between",
    parameters: &[
        Parameter::whole("width", 7.0, (1.0, 30.0), "columns"),
        Parameter::whole("height", 6.0, (1.0, 30.0), "rows"),
        Parameter::whole("line", 4.0, (2.0, 30.0), "stones in a row that win"),
        Parameter::word(
            "gravity",
            &["on", "off"],
            "whether stones fall to the lowest empty row or stay where they are put",
        ),
    ],
    write,
};

fn write(values: &Record) -> Result<String, FamilyError> {
    let (width, height, line) =
        (values.whole("width"), values.whole("height"), values.whole("line"));
    let gravity = values.word("gravity") == "on";
    if line > width.max(height) {
        return Err(FamilyError::Together(format!(
            "no row or column of a board with {width} columns and {height} rows has {line} squares; lower line or enlarge the board"
        )));
    }
    let mut sheet = Sheet::new(&format!(
        "Connect {line}, {width} columns and {height} rows{}",
        if gravity { "" } else { ", without gravity" }
    ));
    let placing = if gravity {
        "The board stands upright and is empty at the start. The players take turns, x first; the player to move drops a stone of \
         their own into a column that is not full, and it falls to the lowest empty row."
    } else {
        "The board is empty at the start. The players take turns, x first; the player to move puts a stone of their own on an \
         empty square. Stones never move."
    };
    sheet.entry("Rules", placing);
    sheet.entry("Players", "2, in turn: x, o. The player who is not to move plays noop.");
    sheet.entry(
        "End",
        &format!(
            "When {line} stones of one player stand in a row, column or diagonal without a gap, or when the board is full. More than \
             {line} in line are a win as well."
        ),
    );
    sheet.entry(
        "Goals",
        "The owner of the line 100, the other 0; 50 each when the board is full without one. 50 each while the game goes on.",
    );
    sheet.entry(
        "Source",
        "Connect Four and Connect Five of Sironi 2019 (table B.1), on a board of any size.",
    );
    sheet.note("A stone's fact is (cell COLUMN ROW PLAYER), row 1 at the bottom. An empty square has no fact.");
    sheet.more_facts(["(role x)", "(role o)"]);
    sheet.more_facts(["(other x o)", "(other o x)"]);

    sheet.section("The board");
    sheet.more_facts(each("column", 1, width));
    sheet.facts(each("row", 1, height));
    sheet.comment(&format!(
        "What a coordinate does along {line} squares in line: (columns HOW ...) and (rows HOW ...)."
    ));
    let run = |from: u32, up: bool| {
        let values = (0..line).map(|at| if up { from + at } else { from + line - 1 - at });
        values.map(|value| value.to_string()).collect::<Vec<_>>().join(" ")
    };
    let starts = |size: u32| 1..=(size + 1).saturating_sub(line);
    let still = |name: &str, index: &str, variable: &str| {
        let same = vec![variable; line as usize].join(" ");
        format!("(<= ({name} still {same}) ({index} {variable}))")
    };
    sheet.facts(starts(width).map(|from| format!("(columns right {})", run(from, true))));
    sheet.facts([still("columns", "column", "?c")]);
    sheet.facts(starts(height).map(|from| format!("(rows up {})", run(from, true))));
    sheet.facts(starts(height).map(|from| format!("(rows down {})", run(from, false))));
    sheet.facts([still("rows", "row", "?r")]);
    if gravity {
        sheet.more_facts(successors("above", 1, height));
    }
    sheet.comment("(kind COLUMNS ROWS): rows, columns and both diagonals.");
    sheet.facts(["(kind right still)", "(kind still up)", "(kind right up)", "(kind right down)"]);

    // One relation for all of a line keeps networks small: the conditions of a win have nothing to join
    // but the squares themselves.
    let numbered =
        |letter: char| (1..=line).map(|at| format!("?{letter}{at}")).collect::<Vec<_>>().join(" ");
    let squares = (1..=line).map(|at| format!("?c{at} ?r{at}")).collect::<Vec<_>>().join(" ");
    sheet.comment(&format!("(in_line C1 R1 C2 R2 ...): {line} squares in line."));
    sheet.facts([format!(
        "(<= (in_line {squares})\n    (kind ?columns ?rows)\n    (columns ?columns {})\n    (rows ?rows {}))",
        numbered('c'),
        numbered('r'),
    )]);

    sheet.section("Facts and moves");
    sheet.rules(BASES);
    let input = match gravity {
        true => "(<= (input ?player (drop ?c)) (role ?player) (column ?c))",
        false => "(<= (input ?player (put ?c ?r)) (role ?player) (column ?c) (row ?r))",
    };
    sheet
        .rules(&format!("{input}\n(<= (input ?player noop) (role ?player))\n\n(init (control x))"));

    sheet.section("Moving");
    match gravity {
        true => {
            let climbing = if height > 1 { CLIMBING } else { "" };
            let top = height.to_string();
            sheet.rules(&DROPPING.replace("TOP", &top).replace("CLIMBING", climbing));
        }
        false => sheet.rules(PUTTING),
    }
    sheet.rules(TURNS);

    sheet.section("End and goals");
    let cells: String =
        (1..=line).map(|at| format!("\n    (true (cell ?c{at} ?r{at} ?player))")).collect();
    sheet.rules(&format!("(<= (wins ?player)\n    (in_line {squares}){cells})"));
    sheet.rules(GOALS);
    Ok(sheet.finish())
}

const BASES: &str = "
(<= (base (cell ?c ?r ?player)) (column ?c) (row ?r) (role ?player))
(<= (base (control ?player)) (role ?player))";

const DROPPING: &str = "
(<= (filled ?c ?r)
    (true (cell ?c ?r ?player)))

;; A column takes a stone as long as its top row is free.
(<= (open ?c)
    (column ?c)
    (not (filled ?c TOP)))
(<= unfilled (open ?c))

(<= (legal ?player (drop ?c))
    (true (control ?player))
    (open ?c))

;; (lands COLUMN ROW): where a stone dropped into the column comes to rest.
(<= (lands ?c 1)
    (column ?c)
    (not (filled ?c 1)))CLIMBING

(<= (next (cell ?c ?r ?player))
    (does ?player (drop ?c))
    (lands ?c ?r))";

/// A stone on top of others; a board of one row has none.
const CLIMBING: &str = "
(<= (lands ?c ?r2)
    (above ?r ?r2)
    (filled ?c ?r)
    (not (filled ?c ?r2)))";

const PUTTING: &str = "
(<= (filled ?c ?r)
    (true (cell ?c ?r ?player)))

(<= (open ?c ?r)
    (column ?c)
    (row ?r)
    (not (filled ?c ?r)))
(<= unfilled (open ?c ?r))

(<= (legal ?player (put ?c ?r))
    (true (control ?player))
    (open ?c ?r))

(<= (next (cell ?c ?r ?player))
    (does ?player (put ?c ?r)))";

const TURNS: &str = "
(<= (next (cell ?c ?r ?player))
    (true (cell ?c ?r ?player)))

(<= (legal ?player noop)
    (true (control ?mover))
    (other ?mover ?player))

(<= (next (control ?player))
    (true (control ?mover))
    (other ?mover ?player))";

const GOALS: &str = "
(<= decided (wins ?player))

(<= terminal decided)
(<= terminal (not unfilled))

(<= (goal ?player 100) (wins ?player))
(<= (goal ?player 0) (other ?player ?winner) (wins ?winner))
(<= (goal ?player 50) (role ?player) (not decided))";
