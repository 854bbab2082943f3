//! Optimistic moves: a position of Breakthrough with walls in which a move that looks winning loses
//! [Finnsson 2012, 7.2.4]. The layout is a reconstruction of a lost figure, checked there.

use gamegrove_settings::{Parameter, Record};

use crate::family::{Family, FamilyError};
use crate::sheet::{Sheet, each, successors};

/// The family.
pub(crate) const FAMILY: Family = Family {
    name: "optimistic-moves",
    summary: "Breakthrough with walls, from a position in which the move that looks best loses",
    parameters: &[Parameter::word(
        "midfield",
        &["two", "one", "four", "six"],
        "pawns of each player in the middle",
    )],
    write,
};

const FILES: u32 = 12;
const RANKS: u32 = 8;

/// White's pawns at the left and right edge, in every setup.
const EDGES: [(u32, u32); 3] = [(2, 5), (11, 2), (12, 2)];

/// White's pawns in the middle, those of the larger setups last.
const MIDFIELD: [(u32, u32); 6] = [(4, 2), (4, 1), (5, 1), (5, 2), (6, 1), (6, 2)];

/// Black has the same, turned by half a turn.
fn turned((file, rank): (u32, u32)) -> (u32, u32) {
    (FILES + 1 - file, RANKS + 1 - rank)
}

fn is_wall(file: u32, rank: u32) -> bool {
    let half = |file: u32, rank: u32| file == 3 || (file == 1 && rank <= 6);
    let (other_file, other_rank) = turned((file, rank));
    half(file, rank) || half(other_file, other_rank)
}

fn write(values: &Record) -> Result<String, FamilyError> {
    let setup = values.word("midfield");
    let count = match setup {
        "one" => 1,
        "two" => 2,
        "four" => 4,
        _ => 6,
    };
    let white: Vec<(u32, u32)> = EDGES.iter().chain(&MIDFIELD[..count]).copied().collect();
    let black: Vec<(u32, u32)> = white.iter().copied().map(turned).collect();
    let squares = || (1..=RANKS).flat_map(|rank| (1..=FILES).map(move |file| (file, rank)));

    let mut sheet = Sheet::new(&format!("Optimistic moves, midfield of {setup}"));
    sheet.entry(
        "Rules",
        "Pawns go as in Breakthrough, White up and Black down: one square straight ahead if it is empty, or diagonally ahead if \
         no own pawn stands there; an opponent's pawn on it is taken. No pawn enters a wall (#). White (o) moves first, from this \
         position:",
    );
    let picture = (1..=RANKS).rev().map(|rank| {
        let line: String = (1..=FILES)
            .map(|file| match (file, rank) {
                square if white.contains(&square) => " o",
                square if black.contains(&square) => " x",
                (file, rank) if is_wall(file, rank) => " #",
                _ => " .",
            })
            .collect();
        format!("{rank} {line}")
    });
    sheet.picture(picture.chain(["   a b c d e f g h i j k l".to_owned()]));
    sheet.entry("Players", "2, in turn: white, black. The player who is not to move plays noop.");
    sheet.entry(
        "End",
        "When a pawn stands on the far row (8 for White, 1 for Black), or when the player to move cannot. Pawns never go back, so \
         every game ends.",
    );
    sheet.entry(
        "Goals",
        "The player whose pawn reached the far row 100, the other 0; who cannot move 0, the other 100. 50 each while the game goes on.",
    );
    sheet.entry(
        "Source",
        "The optimistic moves of the study of game-tree properties in Finnsson 2012, chapter 7; the layout is a reconstruction.",
    );
    sheet.note("A pawn's fact is (cell COLUMN ROW COLOUR), with column 1 for file a. An empty square has no fact.");
    sheet.more_facts(["(role white)", "(role black)"]);
    sheet.more_facts(["(other white black)", "(other black white)"]);

    sheet.section("The board");
    sheet.more_facts(each("column", 1, FILES));
    sheet.facts(each("row", 1, RANKS));
    sheet.more_facts(successors("right", 1, FILES));
    sheet.facts(successors("up", 1, RANKS));
    sheet.comment("The squares without a wall.");
    for rank in 1..=RANKS {
        let open = (1..=FILES).filter(|&file| !is_wall(file, rank));
        sheet.facts(open.map(|file| format!("(square {file} {rank})")));
    }
    debug_assert!(squares().all(|square| !white.contains(&square) || !is_wall(square.0, square.1)));
    sheet.more_facts(["(goal_row white 8)", "(goal_row black 1)"]);
    sheet.rules(RULES_BEFORE);
    let init = |player: &'static str, pawns: &[(u32, u32)]| -> Vec<String> {
        pawns.iter().map(|(file, rank)| format!("(init (cell {file} {rank} {player}))")).collect()
    };
    sheet.more_facts(init("white", &white));
    sheet.facts(init("black", &black));
    sheet.facts(["(init (control white))"]);
    sheet.rules(RULES_AFTER);
    Ok(sheet.finish())
}

const RULES_BEFORE: &str = "
;; (ahead PLAYER ROW ROW2): the row in front of a row, as the player sees it.
(<= (ahead white ?row ?row2) (up ?row ?row2))
(<= (ahead black ?row ?row2) (up ?row2 ?row))

(<= (aside ?column ?column2) (right ?column ?column2))
(<= (aside ?column ?column2) (right ?column2 ?column))

;; (straight PLAYER C R C2 R2) and (slanted PLAYER C R C2 R2): steps from square to square.
(<= (straight ?player ?c ?r ?c ?r2)
    (ahead ?player ?r ?r2)
    (square ?c ?r)
    (square ?c ?r2))
(<= (slanted ?player ?c ?r ?c2 ?r2)
    (ahead ?player ?r ?r2)
    (aside ?c ?c2)
    (square ?c ?r)
    (square ?c2 ?r2))

;; ---- Facts and moves ------------------------------------------------------------------------------------------------

(<= (base (cell ?c ?r ?player)) (square ?c ?r) (role ?player))
(<= (base (control ?player)) (role ?player))

(<= (input ?player (move ?c ?r ?c2 ?r2)) (straight ?player ?c ?r ?c2 ?r2))
(<= (input ?player (move ?c ?r ?c2 ?r2)) (slanted ?player ?c ?r ?c2 ?r2))
(<= (input ?player noop) (role ?player))";

const RULES_AFTER: &str = "
;; ---- Moving ---------------------------------------------------------------------------------------------------------

(<= (occupied ?c ?r)
    (true (cell ?c ?r ?player)))

(<= (can_move ?player ?c ?r ?c2 ?r2)
    (true (cell ?c ?r ?player))
    (straight ?player ?c ?r ?c2 ?r2)
    (not (occupied ?c2 ?r2)))
(<= (can_move ?player ?c ?r ?c2 ?r2)
    (true (cell ?c ?r ?player))
    (slanted ?player ?c ?r ?c2 ?r2)
    (not (true (cell ?c2 ?r2 ?player))))

(<= (legal ?player (move ?c ?r ?c2 ?r2))
    (true (control ?player))
    (can_move ?player ?c ?r ?c2 ?r2))
(<= (legal ?player noop)
    (true (control ?mover))
    (other ?mover ?player))

;; The squares at both ends of a move change; every other pawn stays.
(<= (changed ?c ?r)
    (does ?player (move ?c ?r ?c2 ?r2)))
(<= (changed ?c2 ?r2)
    (does ?player (move ?c ?r ?c2 ?r2)))

(<= (next (cell ?c2 ?r2 ?player))
    (does ?player (move ?c ?r ?c2 ?r2)))
(<= (next (cell ?c ?r ?player))
    (true (cell ?c ?r ?player))
    (not (changed ?c ?r)))

(<= (next (control ?player))
    (true (control ?mover))
    (other ?mover ?player))

;; ---- End and goals --------------------------------------------------------------------------------------------------

(<= (through ?player)
    (goal_row ?player ?r)
    (true (cell ?c ?r ?player)))
(<= anyone_through (through ?player))

(<= (mobile ?player)
    (can_move ?player ?c ?r ?c2 ?r2))

(<= (wins ?player) (through ?player))
(<= (wins ?player)
    (true (control ?mover))
    (other ?mover ?player)
    (not (mobile ?mover))
    (not anyone_through))

(<= decided (wins ?player))

(<= terminal decided)

(<= (goal ?player 100) (wins ?player))
(<= (goal ?player 0) (other ?player ?winner) (wins ?winner))
(<= (goal ?player 50) (role ?player) (not decided))";
