//! Chinese checkers on a small star, for one, two, three, four or six [Sironi 2019, B.1].
//!
//! The public sheets differ in more than the number of players: with four, a player may pass only if
//! it cannot move, and the order of arrival counts.

use gamegrove_settings::{Parameter, Record};

use crate::family::{Family, FamilyError};
use crate::sheet::{Sheet, successors};

/// The family.
pub(crate) const FAMILY: Family = Family {
    name: "chinese-checkers",
    summary: "Chinese checkers on a star of 37 fields, three pieces each",
    parameters: &[Parameter::whole("players", 3.0, (1.0, 6.0), "how many play: 1, 2, 3, 4 or 6")],
    write,
};

/// The corners of the star around the clock: name, whose it is with six players, whether it is used by
/// one, two, three, four players, its three fields, the two directions to the opposite corner.
const CORNERS: [Corner; 6] = [
    Corner { name: "north", owner: "red", fields: [(7, 9), (6, 8), (8, 8)], ahead: ["sw", "se"] },
    Corner {
        name: "northeast",
        owner: "yellow",
        fields: [(13, 7), (11, 7), (12, 6)],
        ahead: ["w", "sw"],
    },
    Corner {
        name: "southeast",
        owner: "green",
        fields: [(13, 3), (11, 3), (12, 4)],
        ahead: ["w", "nw"],
    },
    Corner { name: "south", owner: "teal", fields: [(7, 1), (6, 2), (8, 2)], ahead: ["nw", "ne"] },
    Corner {
        name: "southwest",
        owner: "blue",
        fields: [(1, 3), (3, 3), (2, 4)],
        ahead: ["e", "ne"],
    },
    Corner {
        name: "northwest",
        owner: "magenta",
        fields: [(1, 7), (3, 7), (2, 6)],
        ahead: ["e", "se"],
    },
];

struct Corner {
    name: &'static str,
    owner: &'static str,
    fields: [(u32, u32); 3],
    ahead: [&'static str; 2],
}

fn write(values: &Record) -> Result<String, FamilyError> {
    let players = values.whole("players");
    let seats: &[usize] = match players {
        1 => &[0],
        2 => &[0, 3],
        3 => &[0, 2, 4],
        4 => &[1, 2, 4, 5],
        6 => &[0, 1, 2, 3, 4, 5],
        _ => {
            let problem = "players is 5, but the star has seats for 1, 2, 3, 4 or 6";
            return Err(FamilyError::Together(problem.to_owned()));
        }
    };
    // Steps are counted from 1.
    let last = match players {
        1 | 2 => 40,
        6 => 61,
        _ => 60,
    };
    let four = players == 4;
    let roles: Vec<&str> = seats.iter().map(|&seat| CORNERS[seat].owner).collect();

    let mut sheet = Sheet::new(&format!("Chinese checkers, {} on a small star", people(players)));
    sheet.entry(
        "Rules",
        &format!(
            "The board is a star with 37 fields: a hexagon of 19 and six corners of 3. {} three pieces in a corner and \
             wants them in the opposite one. {} A piece only goes ahead, in the two directions that lead to the opposite \
             corner, and never enters the other four corners. It goes to the next field if that is empty; or it jumps over \
             a piece of anyone on the next field to the empty field behind it, and after a jump it may jump once more, in \
             either direction, in the same move. Nobody is ever taken. {}",
            if players == 1 { "The player has" } else { "Each player has" },
            if players == 1 { String::new() } else { format!("The players take turns around the star, {} first.", roles[0]) },
            if four { "Only who cannot move passes." } else { "Passing is always allowed." },
        ),
    );
    sheet.picture(star(seats));
    let in_turn = if players == 1 { "" } else { ", in turn" };
    sheet.entry(
        "Players",
        &format!(
            "{players}{in_turn}: {}. {}",
            roles.join(", "),
            if players == 1 { "To pass is noop." } else { "Who waits or passes plays noop." }
        ),
    );
    if four {
        sheet.entry(
            "End",
            &format!(
                "When two players have all their pieces at home, or after {} moves.",
                last - 1
            ),
        );
        sheet.entry(
            "Goals",
            "The first to have three pieces at home 100. The others 75 for three pieces at home, 50 for two, 25 for one, 0 \
             for none; if nobody was first by then, who got the third piece home with the very last move 100. 0 for all \
             until there is a first.",
        );
    } else {
        let who = if players == 1 { "the player" } else { "a player" };
        sheet.entry(
            "End",
            &format!("When {who} has all three pieces at home, or after {} moves.", last - 1),
        );
        sheet.entry(
            "Goals",
            "100 for three pieces at home, 50 for two, 25 for one, 0 for none; so too while the game goes on.",
        );
    }
    sheet.entry(
        "Source",
        "Chinese Checkers of Sironi 2019 (table B.1), with three players also of Finnsson 2012.",
    );
    sheet.note(
        "(cell COLUMN ROW PLAYER) is a piece, row 1 in the south. Neighbours in a row are two columns apart, so that the rows \
         above and below fit in between. (step N) counts from 1.",
    );
    sheet.more_facts(roles.iter().map(|role| format!("(role {role})")));
    if players > 1 {
        sheet.comment("(turn PLAYER NEXT)");
        let next = roles.iter().cycle().skip(1);
        sheet.facts(roles.iter().zip(next).map(|(role, next)| format!("(turn {role} {next})")));
    }

    sheet.section("The star");
    sheet.more_facts(successors("after", 1, last));
    sheet.comment("The hexagon.");
    let centre = [(3, 5..=9), (4, 4..=10), (5, 3..=11), (6, 4..=10), (7, 5..=9)];
    for (row, columns) in centre {
        sheet.facts(columns.step_by(2).map(|column: u32| format!("(centre {column} {row})")));
    }
    sheet.comment("(corner NAME PLACE COLUMN ROW): a corner has the places 1, 2 and 3.");
    for &seat in seats.iter().chain(&opposite(seats)) {
        let corner = &CORNERS[seat];
        let fields = corner.fields.iter().zip(1..);
        sheet.facts(fields.map(|((column, row), place)| {
            format!("(corner {} {place} {column} {row})", corner.name)
        }));
    }
    sheet.comment("(start PLAYER CORNER), (home PLAYER CORNER) and the two directions that lead from one to the other.");
    for &seat in seats {
        let Corner { name, owner, ahead, .. } = &CORNERS[seat];
        let home = CORNERS[(seat + 3) % 6].name;
        sheet.facts([
            format!("(start {owner} {name})"),
            format!("(home {owner} {home})"),
            format!("(ahead {owner} {})", ahead[0]),
            format!("(ahead {owner} {})", ahead[1]),
        ]);
    }
    sheet.comment("(neighbour DIRECTION COLUMN ROW COLUMN2 ROW2), on the star and beyond.");
    sheet.facts(["(row 1) (row 2) (row 3) (row 4) (row 5) (row 6) (row 7) (row 8) (row 9)"]);
    sheet.facts([
        "(column 1) (column 2) (column 3) (column 4) (column 5) (column 6) (column 7) (column 8) (column 9)",
        "(column 10) (column 11) (column 12) (column 13)",
    ]);
    sheet.rules(NEIGHBOURS);
    sheet.comment("(field PLAYER COLUMN ROW): where the pieces of a player can be.");
    sheet.facts(["(<= (field ?player ?c ?r) (role ?player) (centre ?c ?r))"]);
    sheet.facts([
        "(<= (field ?player ?c ?r) (start ?player ?corner) (corner ?corner ?place ?c ?r))",
    ]);
    sheet
        .facts(["(<= (field ?player ?c ?r) (home ?player ?corner) (corner ?corner ?place ?c ?r))"]);
    sheet.rules(WAYS);

    sheet.section("Facts and moves");
    sheet.rules("(<= (base (cell ?c ?r ?player)) (field ?player ?c ?r))");
    if players > 1 {
        sheet.facts(["(<= (base (control ?player)) (role ?player))"]);
    }
    if four {
        sheet.facts(["(<= (base (first ?player)) (role ?player))"]);
    }
    sheet.facts(["(base (step 1))"]);
    sheet.facts(["(<= (base (step ?n)) (after ?m ?n))"]);
    sheet.rules(INPUTS);
    sheet.rules(
        "(<= (init (cell ?c ?r ?player)) (start ?player ?corner) (corner ?corner ?place ?c ?r))",
    );
    if players > 1 {
        sheet.facts([format!("(init (control {}))", roles[0])]);
    }
    sheet.facts(["(init (step 1))"]);

    sheet.section("Legal moves");
    sheet.rules(MOVES);
    match players {
        1 => sheet.rules(LEGAL_ALONE),
        4 => sheet.rules(LEGAL_FORCED),
        _ => sheet.rules(LEGAL_FREE),
    }

    sheet.section("What a move does");
    sheet.rules(EFFECTS);
    if players > 1 {
        sheet.rules(
            "(<= (next (control ?player))\n    (true (control ?mover))\n    (turn ?mover ?player))",
        );
    }

    sheet.section("End and goals");
    sheet.rules(COUNTS);
    if four {
        sheet.rules(ORDER_OF_ARRIVAL);
        sheet.rules(&format!("(<= terminal two_done)\n(<= terminal (true (step {last})))"));
        sheet.rules(&GOALS_OF_FOUR.replace("LAST", &last.to_string()));
    } else {
        sheet.rules(&format!(
            "(<= terminal (at_home ?player three))\n(<= terminal (true (step {last})))"
        ));
        sheet.rules(GOALS);
    }
    Ok(sheet.finish())
}

fn people(players: u32) -> &'static str {
    match players {
        1 => "one player",
        2 => "two players",
        3 => "three players",
        4 => "four players",
        _ => "six players",
    }
}

/// The corners opposite to these that are none of them.
fn opposite(seats: &[usize]) -> Vec<usize> {
    let opposite = seats.iter().map(|seat| (seat + 3) % 6);
    opposite.filter(|seat| !seats.contains(seat)).collect()
}

/// The star at the start, with the initials of the players.
fn star(seats: &[usize]) -> Vec<String> {
    let rows: [&[u32]; 9] = [
        &[7],
        &[6, 8],
        &[1, 3, 5, 7, 9, 11, 13],
        &[2, 4, 6, 8, 10, 12],
        &[3, 5, 7, 9, 11],
        &[2, 4, 6, 8, 10, 12],
        &[1, 3, 5, 7, 9, 11, 13],
        &[6, 8],
        &[7],
    ];
    let draw = |(row, columns): (u32, &&[u32])| {
        let mut line = vec![' '; 13];
        for &column in *columns {
            let owner = seats.iter().find(|&&seat| CORNERS[seat].fields.contains(&(column, row)));
            let initial = owner.and_then(|&seat| CORNERS[seat].owner.chars().next());
            line[column as usize - 1] = initial.unwrap_or('.');
        }
        line.into_iter().collect()
    };
    (1..=9).rev().zip(&rows).map(draw).collect()
}

const NEIGHBOURS: &str = "
(<= (right ?c ?c2) (column ?c) (column ?c2) (after ?c ?c2))
(<= (up ?r ?r2) (row ?r) (row ?r2) (after ?r ?r2))

(<= (neighbour e ?c ?r ?c3 ?r) (right ?c ?c2) (right ?c2 ?c3) (row ?r))
(<= (neighbour w ?c3 ?r ?c ?r) (right ?c ?c2) (right ?c2 ?c3) (row ?r))
(<= (neighbour ne ?c ?r ?c2 ?r2) (right ?c ?c2) (up ?r ?r2))
(<= (neighbour nw ?c2 ?r ?c ?r2) (right ?c ?c2) (up ?r ?r2))
(<= (neighbour se ?c ?r2 ?c2 ?r) (right ?c ?c2) (up ?r ?r2))
(<= (neighbour sw ?c2 ?r2 ?c ?r) (right ?c ?c2) (up ?r ?r2))";

const WAYS: &str = "
;; (way PLAYER DIRECTION C R C2 R2): one field ahead. (leap PLAYER C R C2 R2 C3 R3): two fields ahead in one direction.
(<= (way ?player ?d ?c ?r ?c2 ?r2)
    (ahead ?player ?d)
    (field ?player ?c ?r)
    (neighbour ?d ?c ?r ?c2 ?r2)
    (field ?player ?c2 ?r2))
(<= (leap ?player ?c ?r ?c2 ?r2 ?c3 ?r3)
    (way ?player ?d ?c ?r ?c2 ?r2)
    (way ?player ?d ?c2 ?r2 ?c3 ?r3))";

const INPUTS: &str = "
(<= (input ?player (move ?c ?r ?c2 ?r2))
    (way ?player ?d ?c ?r ?c2 ?r2))
(<= (input ?player (move ?c ?r ?c3 ?r3))
    (leap ?player ?c ?r ?c2 ?r2 ?c3 ?r3))
(<= (input ?player (move ?c ?r ?c5 ?r5))
    (leap ?player ?c ?r ?c2 ?r2 ?c3 ?r3)
    (leap ?player ?c3 ?r3 ?c4 ?r4 ?c5 ?r5))
(<= (input ?player noop) (role ?player))";

const MOVES: &str = "
(<= (occupied ?c ?r)
    (true (cell ?c ?r ?player)))

;; (jump PLAYER C R C3 R3): a piece of the player on the first field could jump to the second.
(<= (jump ?player ?c ?r ?c3 ?r3)
    (leap ?player ?c ?r ?c2 ?r2 ?c3 ?r3)
    (occupied ?c2 ?r2)
    (not (occupied ?c3 ?r3)))

(<= (reach ?player ?c ?r ?c2 ?r2)
    (way ?player ?d ?c ?r ?c2 ?r2)
    (not (occupied ?c2 ?r2)))
(<= (reach ?player ?c ?r ?c2 ?r2)
    (jump ?player ?c ?r ?c2 ?r2))
(<= (reach ?player ?c ?r ?c3 ?r3)
    (jump ?player ?c ?r ?c2 ?r2)
    (jump ?player ?c2 ?r2 ?c3 ?r3))

(<= (can_move ?player ?c ?r ?c2 ?r2)
    (true (cell ?c ?r ?player))
    (reach ?player ?c ?r ?c2 ?r2))";

const LEGAL_ALONE: &str = "
(<= (legal ?player (move ?c ?r ?c2 ?r2))
    (can_move ?player ?c ?r ?c2 ?r2))
(<= (legal ?player noop)
    (role ?player))";

const LEGAL_FREE: &str = "
(<= (legal ?player (move ?c ?r ?c2 ?r2))
    (true (control ?player))
    (can_move ?player ?c ?r ?c2 ?r2))
(<= (legal ?player noop)
    (role ?player))";

const LEGAL_FORCED: &str = "
(<= (mobile ?player)
    (can_move ?player ?c ?r ?c2 ?r2))

(<= (legal ?player (move ?c ?r ?c2 ?r2))
    (true (control ?player))
    (can_move ?player ?c ?r ?c2 ?r2))
(<= (legal ?player noop)
    (role ?player)
    (not (true (control ?player))))
(<= (legal ?player noop)
    (true (control ?player))
    (not (mobile ?player)))";

const EFFECTS: &str = "
(<= (left ?c ?r)
    (does ?player (move ?c ?r ?c2 ?r2)))

(<= (next (cell ?c2 ?r2 ?player))
    (does ?player (move ?c ?r ?c2 ?r2)))
(<= (next (cell ?c ?r ?player))
    (true (cell ?c ?r ?player))
    (not (left ?c ?r)))

(<= (next (step ?n))
    (true (step ?m))
    (after ?m ?n))";

const COUNTS: &str = "
;; (arrived PLAYER PLACE), and how many pieces of a player are at home.
(<= (arrived ?player ?place)
    (home ?player ?corner)
    (corner ?corner ?place ?c ?r)
    (true (cell ?c ?r ?player)))

;; (split A B C): the three places, one of them apart.
(split 1 2 3) (split 1 3 2) (split 2 3 1)

(<= (at_home ?player three)
    (role ?player) (arrived ?player 1) (arrived ?player 2) (arrived ?player 3))
(<= (at_home ?player two)
    (role ?player) (split ?a ?b ?c) (arrived ?player ?a) (arrived ?player ?b) (not (arrived ?player ?c)))
(<= (at_home ?player one)
    (role ?player) (split ?a ?b ?c) (not (arrived ?player ?a)) (not (arrived ?player ?b)) (arrived ?player ?c))
(<= (at_home ?player none)
    (role ?player) (not (arrived ?player 1)) (not (arrived ?player 2)) (not (arrived ?player 3)))";

const ORDER_OF_ARRIVAL: &str = "
;; Whoever is at home alone is the first, from the next step on.
(<= someone_first (true (first ?player)))

(<= (next (first ?player))
    (at_home ?player three)
    (not someone_first))
(<= (next (first ?player))
    (true (first ?player)))

(<= two_done
    (at_home ?player three)
    (at_home ?player2 three)
    (distinct ?player ?player2))";

const GOALS_OF_FOUR: &str = "
(<= (counts ?player)
    (role ?player)
    someone_first
    (not (true (first ?player))))

(<= (goal ?player 100) (true (first ?player)))
(<= (goal ?player 75) (counts ?player) (at_home ?player three))
(<= (goal ?player 50) (counts ?player) (at_home ?player two))
(<= (goal ?player 25) (counts ?player) (at_home ?player one))
(<= (goal ?player 0) (counts ?player) (at_home ?player none))

(<= nobody_first (true (step LAST)) (not someone_first))

(<= (goal ?player 100) nobody_first (at_home ?player three))
(<= (goal ?player 50) nobody_first (at_home ?player two))
(<= (goal ?player 25) nobody_first (at_home ?player one))
(<= (goal ?player 0) nobody_first (at_home ?player none))

(<= (goal ?player 0) (role ?player) (not someone_first) (not (true (step LAST))))";

const GOALS: &str = "
(<= (goal ?player 100) (at_home ?player three))
(<= (goal ?player 50) (at_home ?player two))
(<= (goal ?player 25) (at_home ?player one))
(<= (goal ?player 0) (at_home ?player none))";
