//! Progression: many runners, few of which ever move [Finnsson 2012, 7.2.3].

use gamegrove_settings::{Parameter, Record};

use crate::family::{Family, FamilyError};
use crate::sheet::{Sheet, successors};

/// The family.
pub(crate) const FAMILY: Family = Family {
    name: "progression",
    summary: "a race of many runners on lanes of their own, some of which never move",
    parameters: &[
        Parameter::whole(
            "active",
            3.0,
            (1.0, 40.0),
            "runners of each player that move when played",
        ),
        Parameter::whole(
            "runners",
            10.0,
            (1.0, 40.0),
            "runners of each player, and so the moves in every position",
        ),
        Parameter::whole("length", 10.0, (2.0, 40.0), "squares of a lane"),
        Parameter::whole(
            "depth-factor",
            1.0,
            (1.0, 16.0),
            "the limit of moves, as a multiple of the moves of the shortest race of both",
        ),
    ],
    write,
};

fn write(values: &Record) -> Result<String, FamilyError> {
    let (active, runners) = (values.whole("active"), values.whole("runners"));
    let (length, factor) = (values.whole("length"), values.whole("depth-factor"));
    if active > runners {
        return Err(FamilyError::Together(format!(
            "active is {active}, but there are only {runners} runners; raise runners or lower active"
        )));
    }
    let (columns, limit) = (2 * runners, 2 * (length - 1) * factor);

    let mut sheet = Sheet::new(&format!(
        "Progression, {active} of {runners} runners active, depth factor {factor}"
    ));
    sheet.entry(
        "Rules",
        &format!(
            "There are {columns} lanes of length {length}. White has a runner on square 1 of each of the lanes 1 to {runners}, Black on \
             the others. The players take turns, White first, and play one of their runners: an active one goes one square ahead, \
             an inactive one stays where it is, which is a move too. Only the runners on the first {active} lanes of a player are \
             active.",
        ),
    );
    sheet.entry("Players", "2, in turn: white, black. The player who is not to move plays noop.");
    sheet.entry(
        "End",
        &format!("When a runner stands on square {length}, the last, or after {limit} moves of both together."),
    );
    sheet.entry("Goals", "The owner of the runner on the last square 100, the other 0; 50 each at the limit and while the game goes on.");
    sheet.entry(
        "Source",
        "Progression of the study of game-tree properties in Finnsson 2012, chapter 7.",
    );
    sheet.note("(cell LANE SQUARE PLAYER) is an active runner; the inactive ones have no facts. (ply N) counts the moves made.");
    sheet.more_facts(["(role white)", "(role black)"]);
    sheet.more_facts(["(other white black)", "(other black white)"]);

    sheet.section("The lanes");
    let side = |name: &str, from: u32, to: u32, first: u32| {
        let player = if first == 0 { "white" } else { "black" };
        (from..to).map(|lane| format!("({name} {player} {})", first + lane + 1)).collect::<Vec<_>>()
    };
    sheet.more_facts(side("active", 0, active, 0));
    sheet.facts(side("active", 0, active, runners));
    if active < runners {
        sheet.more_facts(side("inactive", active, runners, 0));
        sheet.facts(side("inactive", active, runners, runners));
    }
    sheet.comment("Squares and moves are counted.");
    sheet.facts(successors("after", 0, limit.max(length)));
    sheet.more_facts((1..=length).map(|square| format!("(square {square})")));

    sheet.section("Facts and moves");
    sheet.rules(FACTS);
    if active < runners {
        sheet.facts(["(<= (input ?player (idle ?lane)) (inactive ?player ?lane))"]);
    }
    sheet.facts(["(<= (input ?player noop) (role ?player))"]);
    sheet.rules("(<= (init (cell ?lane 1 ?player)) (active ?player ?lane))\n(init (control white))\n(init (ply 0))");

    sheet.section("Moving");
    sheet.rules("(<= (legal ?player (advance ?lane))\n    (true (control ?player))\n    (active ?player ?lane))");
    if active < runners {
        sheet.facts(["(<= (legal ?player (idle ?lane))\n    (true (control ?player))\n    (inactive ?player ?lane))"]);
    }
    sheet.facts([
        "(<= (legal ?player noop)\n    (true (control ?mover))\n    (other ?mover ?player))",
    ]);
    sheet.rules(MOVING);

    sheet.section("End and goals");
    sheet.rules(&GOALS.replace("LENGTH", &length.to_string()).replace("LIMIT", &limit.to_string()));
    Ok(sheet.finish())
}

const FACTS: &str = "
(<= (base (cell ?lane ?square ?player)) (active ?player ?lane) (square ?square))
(<= (base (control ?player)) (role ?player))
(base (ply 0))
(<= (base (ply ?n)) (after ?m ?n))

(<= (input ?player (advance ?lane)) (active ?player ?lane))";

const MOVING: &str = "
(<= (advances ?lane)
    (does ?player (advance ?lane)))

(<= (next (cell ?lane ?square2 ?player))
    (true (cell ?lane ?square ?player))
    (advances ?lane)
    (after ?square ?square2)
    (square ?square2))
(<= (next (cell ?lane ?square ?player))
    (true (cell ?lane ?square ?player))
    (not (advances ?lane)))

(<= (next (control ?player))
    (true (control ?mover))
    (other ?mover ?player))

(<= (next (ply ?n))
    (true (ply ?m))
    (after ?m ?n))";

const GOALS: &str = "
(<= (wins ?player)
    (true (cell ?lane LENGTH ?player)))

(<= decided (wins ?player))

(<= terminal decided)
(<= terminal (true (ply LIMIT)))

(<= (goal ?player 100) (wins ?player))
(<= (goal ?player 0) (wins ?opponent) (other ?player ?opponent))
(<= (goal ?player 50) (role ?player) (not decided))";
