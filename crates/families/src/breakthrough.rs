//! Breakthrough on a board of any size.

use gamegrove_settings::{Parameter, Record};

use crate::family::{Family, FamilyError};
use crate::sheet::{Sheet, each, successors};

/// The family.
pub(crate) const FAMILY: Family = Family {
    name: "breakthrough",
    summary: "Breakthrough on a board of any size",
    parameters: &[
        Parameter::whole("width", 8.0, (2.0, 30.0), "columns"),
        Parameter::whole("height", 8.0, (3.0, 30.0), "rows"),
        Parameter::whole("ranks", 2.0, (1.0, 14.0), "rows full of pawns each player starts with"),
    ],
    write,
};

fn write(values: &Record) -> Result<String, FamilyError> {
    let (width, height, ranks) =
        (values.whole("width"), values.whole("height"), values.whole("ranks"));
    if 2 * ranks >= height {
        return Err(FamilyError::Together(format!(
            "2 times {ranks} rows of pawns leave no empty row on a board with {height} rows; raise height or lower ranks"
        )));
    }
    let rows = |from: u32, to: u32| match from == to {
        true => format!("row {from}"),
        false => format!("rows {from} to {to}"),
    };
    let mut sheet = Sheet::new(&format!("Breakthrough, {width} x {height}"));
    sheet.entry(
        "Rules",
        &format!(
            "Each player has {} pawns: White on {}, moving up; Black on {}, moving down. White begins. A pawn goes one square \
             straight or diagonally forward. A straight step needs an empty square; a diagonal step may also take an opponent's \
             pawn, which leaves the board. Taking is never compulsory.",
            width * ranks,
            rows(1, ranks),
            rows(height + 1 - ranks, height),
        ),
    );
    sheet.entry("Players", "2, in turn: white, black. The player who is not to move plays noop.");
    sheet.entry(
        "End",
        &format!(
            "When a pawn stands on the far row ({height} for White, 1 for Black), or when a player has no pawn left. The pawn that is \
             furthest forward can always move, and pawns never go back; so every game ends with a win."
        ),
    );
    sheet.entry("Goals", "The player who broke through or took all pawns 100, the other 0. 50 each while the game goes on.");
    sheet.entry(
        "Source",
        "Breakthrough of Sironi 2019 (table B.1) and Finnsson 2012, on a board of any size.",
    );
    sheet.note("A pawn's fact is (cell COLUMN ROW COLOUR). An empty square has no fact.");
    sheet.more_facts(["(role white)", "(role black)"]);
    sheet.more_facts(["(other white black)", "(other black white)"]);

    sheet.section("The board");
    sheet.more_facts(each("column", 1, width));
    sheet.facts(each("row", 1, height));
    sheet.more_facts(successors("right", 1, width));
    sheet.facts(successors("up", 1, height));
    sheet.more_facts((1..=ranks).map(|row| format!("(home_row white {row})")));
    sheet.facts((1..=ranks).map(|row| format!("(home_row black {})", height + 1 - row)));
    sheet.more_facts([format!("(goal_row white {height})"), "(goal_row black 1)".to_owned()]);
    sheet.rules(RULES);
    Ok(sheet.finish())
}

const RULES: &str = "
;; (ahead PLAYER ROW ROW2): the row in front of a row, as the player sees it.
(<= (ahead white ?row ?row2) (up ?row ?row2))
(<= (ahead black ?row ?row2) (up ?row2 ?row))

(<= (aside ?column ?column2) (right ?column ?column2))
(<= (aside ?column ?column2) (right ?column2 ?column))

;; ---- Facts and moves ------------------------------------------------------------------------------------------------

(<= (base (cell ?column ?row ?player)) (column ?column) (row ?row) (role ?player))
(<= (base (control ?player)) (role ?player))

(<= (input ?player (move ?column ?row ?column ?row2)) (column ?column) (ahead ?player ?row ?row2))
(<= (input ?player (move ?column ?row ?column2 ?row2)) (aside ?column ?column2) (ahead ?player ?row ?row2))
(<= (input ?player noop) (role ?player))

(<= (init (cell ?column ?row ?player)) (column ?column) (home_row ?player ?row))
(init (control white))

;; ---- Moving ---------------------------------------------------------------------------------------------------------

(<= (occupied ?column ?row)
    (true (cell ?column ?row ?player)))

(<= (legal ?player (move ?column ?row ?column ?row2))
    (true (control ?player))
    (true (cell ?column ?row ?player))
    (ahead ?player ?row ?row2)
    (not (occupied ?column ?row2)))
(<= (legal ?player (move ?column ?row ?column2 ?row2))
    (true (control ?player))
    (true (cell ?column ?row ?player))
    (ahead ?player ?row ?row2)
    (aside ?column ?column2)
    (not (true (cell ?column2 ?row2 ?player))))
(<= (legal ?player noop)
    (true (control ?mover))
    (other ?mover ?player))

;; The squares at both ends of a move change; every other pawn stays.
(<= (changed ?column ?row)
    (does ?player (move ?column ?row ?column2 ?row2)))
(<= (changed ?column2 ?row2)
    (does ?player (move ?column ?row ?column2 ?row2)))

(<= (next (cell ?column2 ?row2 ?player))
    (does ?player (move ?column ?row ?column2 ?row2)))
(<= (next (cell ?column ?row ?player))
    (true (cell ?column ?row ?player))
    (not (changed ?column ?row)))

(<= (next (control ?player))
    (true (control ?mover))
    (other ?mover ?player))

;; ---- End and goals --------------------------------------------------------------------------------------------------

(<= (alive ?player)
    (true (cell ?column ?row ?player)))

(<= (wins ?player)
    (goal_row ?player ?row)
    (true (cell ?column ?row ?player)))
(<= (wins ?player)
    (other ?player ?opponent)
    (not (alive ?opponent)))

(<= decided (wins ?player))

(<= terminal decided)

(<= (goal ?player 100) (wins ?player))
(<= (goal ?player 0) (other ?player ?winner) (wins ?winner))
(<= (goal ?player 50) (role ?player) (not decided))";
