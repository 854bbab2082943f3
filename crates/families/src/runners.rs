//! Penalties, Shock Step and Punishment: races in which every step may cost points
//! [Finnsson 2012, 7.2.1]. They differ only in what a step costs.
//!
//! Points are kept as binary digits: an adder of a few gates holds any sum, where a fact per sum
//! would make the network grow with the square of the largest one.

use gamegrove_settings::{Parameter, Record};

use crate::family::{Family, FamilyError};
use crate::sheet::{Sheet, each, successors};

const WIDTH: Parameter = Parameter::whole(
    "width",
    4.0,
    (1.0, 40.0),
    "lanes of each player, and so the moves in every position",
);
const LENGTH: Parameter =
    Parameter::whole("length", 8.0, (2.0, 40.0), "ranks; a runner makes one move less");
const FLAGS: Parameter = Parameter::word(
    "flags",
    &["free", "charged"],
    "whether steps to the last rank are free or cost points as any other",
);
const TRAIL: Parameter = Parameter::word(
    "trail",
    &["kept", "forgotten"],
    "whether states remember the way, so that no two ways lead to one state",
);

/// One point for every step off the safe lane.
pub(crate) const PENALTIES: Family = Family {
    name: "penalties",
    summary: "a race in which every step off the safe lane costs a point",
    parameters: &[WIDTH, LENGTH, FLAGS, TRAIL],
    write: |values| {
        let words = "a step to the safe lane costs nothing, a step to any other lane one point";
        write(values, "Penalties", words, |distance, _| u32::from(distance > 0))
    },
};

/// As many points as the lane is far from the safe one.
pub(crate) const SHOCK_STEP: Family = Family {
    name: "shock-step",
    summary: "a race in which a step costs as many points as its lane is far from the safe one",
    parameters: &[WIDTH, LENGTH, FLAGS, TRAIL],
    write: |values| {
        let words = "a step costs as many points as its lane is far from the safe lane";
        write(values, "Shock step", words, |distance, _| distance)
    },
};

/// Points that grow with distance and progress.
pub(crate) const PUNISHMENT: Family = Family {
    name: "punishment",
    summary: "a race in which a step costs the more, the farther from the safe lane and the later it is",
    parameters: &[
        WIDTH,
        LENGTH,
        Parameter::word(
            "growth",
            &["product", "sum"],
            "points: distance times steps made, or distance plus steps made less one",
        ),
        FLAGS,
        TRAIL,
    ],
    write: |values| match values.word("growth") {
        "sum" => {
            let words = "a step to the safe lane costs nothing; the k-th step of a runner, to a lane at distance d from the \
                         safe one, costs d + k - 1 points";
            write(values, "Punishment", words, |distance, step| match distance {
                0 => 0,
                distance => distance + step - 1,
            })
        }
        _ => {
            let words = "the k-th step of a runner, to a lane at distance d from the safe lane, costs d times k points";
            write(values, "Punishment", words, |distance, step| distance * step)
        }
    },
};

fn write(
    values: &Record,
    title: &str,
    cost_in_words: &str,
    cost: fn(u32, u32) -> u32,
) -> Result<String, FamilyError> {
    let (width, length) = (values.whole("width"), values.whole("length"));
    let (charged, trail) = (values.word("flags") == "charged", values.word("trail") == "kept");
    let (steps, columns) = (length - 1, 2 * width + 1);
    let cost = |distance, step| if step == steps && !charged { 0 } else { cost(distance, step) };
    let worst: u32 = (1..=steps).map(|step| cost(width - 1, step)).sum();
    let digits = (32 - worst.leading_zeros()).max(1);

    let mut sheet = Sheet::new(&format!("{title}, {width} lanes each of length {length}"));
    sheet.entry(
        "Rules",
        &format!(
            "White has the columns 1 to {width}, Black the columns {} to {columns}; column {} is a wall. Each has one runner, which \
             starts on rank 1 of the safe lane, the outermost: column 1 for White, column {columns} for Black. The players take turns, \
             White first. A runner goes one rank ahead, to any column of its side. Points are bad: {cost_in_words}.{}",
            width + 2,
            width + 1,
            if charged { "" } else { " The step to the last rank is free." },
        ),
    );
    sheet.entry("Players", "2, in turn: white, black. The player who is not to move plays noop.");
    sheet.entry(
        "End",
        &format!("When both runners are on rank {length}, after {steps} moves of each."),
    );
    sheet.entry("Goals", "The player with fewer points 100, the other 0; 50 each with equally many. 50 each while the game goes on.");
    sheet.entry(
        "Source",
        &format!("{title} of the study of game-tree properties in Finnsson 2012, chapter 7."),
    );
    sheet.note(&format!(
        "(cell COLUMN RANK PLAYER) is a runner. (points PLAYER DIGIT) are the points in binary: digit 0 stands for 1, digit 1 for \
         2, digit 2 for 4, and so on.{}",
        if trail { " (trail PLAYER RANK COLUMN) remembers the way: no two ways lead to one state." } else { "" },
    ));
    sheet.more_facts(["(role white)", "(role black)"]);
    sheet.more_facts(["(other white black)", "(other black white)"]);

    sheet.section("The lanes");
    sheet.more_facts(successors("ahead", 1, length));
    sheet.comment("(lane PLAYER COLUMN DISTANCE): the columns of a side, with their distance from the safe one.");
    sheet.facts((0..width).map(|distance| format!("(lane white {} {distance})", distance + 1)));
    sheet.facts(
        (0..width).map(|distance| format!("(lane black {} {distance})", columns - distance)),
    );
    sheet.comment("(cost DISTANCE RANK DIGIT): what stepping from this rank to a lane at this distance costs, in binary.");
    for step in 1..=steps {
        let with_digits = (0..width).flat_map(|distance| {
            let cost = cost(distance, step);
            (0..32).filter(move |digit| cost >> digit & 1 == 1).map(move |digit| (distance, digit))
        });
        sheet.facts(
            with_digits.map(|(distance, digit)| format!("(cost {distance} {step} {digit})")),
        );
    }
    if worst == 0 {
        // No step costs anything, but the relation must exist.
        sheet.facts(["(cost none none none)"]);
    }
    sheet.comment("The digits of a sum.");
    sheet.facts(each("digit", 0, digits - 1));
    sheet.facts(successors("higher", 0, digits));

    sheet.section("Facts and moves");
    sheet.rules(&format!("(rank 1)\n(<= (rank ?rank) (ahead ?before ?rank))\n{BASES}"));
    if trail {
        sheet.facts(["(<= (base (trail ?player ?rank ?column)) (rank ?rank) (lane ?player ?column ?distance))"]);
    }
    sheet.rules(INPUTS);

    sheet.section("Moving");
    sheet.rules(MOVING);
    if trail {
        sheet.rules(KEPT);
    }

    sheet.section("Points");
    sheet.rules(ADDING);

    sheet.section("End and goals");
    sheet.rules(&format!(
        "(<= (arrived ?player)\n    (true (cell ?column {length} ?player)))\n\n(<= terminal (arrived white) (arrived black))"
    ));
    sheet.rules(&COMPARING.replace("TOP", &digits.to_string()));
    Ok(sheet.finish())
}

const BASES: &str = "
(<= (base (cell ?column ?rank ?player)) (lane ?player ?column ?distance) (rank ?rank))
(<= (base (points ?player ?digit)) (role ?player) (digit ?digit))
(<= (base (control ?player)) (role ?player))";

const INPUTS: &str = "
(<= (input ?player (go ?column)) (lane ?player ?column ?distance))
(<= (input ?player noop) (role ?player))

(<= (init (cell ?column 1 ?player)) (lane ?player ?column 0))
(init (control white))";

const MOVING: &str = "
(<= (legal ?player (go ?column))
    (true (control ?player))
    (lane ?player ?column ?distance))
(<= (legal ?player noop)
    (true (control ?mover))
    (other ?mover ?player))

;; (on PLAYER RANK): how far a runner is.
(<= (on ?player ?rank)
    (true (cell ?column ?rank ?player)))

(<= (runs ?player)
    (does ?player (go ?column)))

(<= (next (cell ?column ?rank2 ?player))
    (does ?player (go ?column))
    (on ?player ?rank)
    (ahead ?rank ?rank2))
(<= (next (cell ?column ?rank ?player))
    (true (cell ?column ?rank ?player))
    (not (runs ?player)))

(<= (next (control ?player))
    (true (control ?mover))
    (other ?mover ?player))";

const KEPT: &str = "
(<= (next (trail ?player ?rank2 ?column))
    (does ?player (go ?column))
    (on ?player ?rank)
    (ahead ?rank ?rank2))
(<= (next (trail ?player ?rank ?column))
    (true (trail ?player ?rank ?column)))";

const ADDING: &str = "
;; (added PLAYER DIGIT): what a move costs. (carried PLAYER DIGIT): what the lower digits of the sum carry over.
(<= (added ?player ?digit)
    (does ?player (go ?column))
    (lane ?player ?column ?distance)
    (on ?player ?rank)
    (cost ?distance ?rank ?digit))

(<= (carried ?player ?higher)
    (higher ?digit ?higher)
    (true (points ?player ?digit))
    (added ?player ?digit))
(<= (carried ?player ?higher)
    (higher ?digit ?higher)
    (true (points ?player ?digit))
    (carried ?player ?digit))
(<= (carried ?player ?higher)
    (higher ?digit ?higher)
    (added ?player ?digit)
    (carried ?player ?digit))

;; A digit of the sum is set if one or all three of these are.
(<= (next (points ?player ?digit))
    (true (points ?player ?digit)) (added ?player ?digit) (carried ?player ?digit))
(<= (next (points ?player ?digit))
    (true (points ?player ?digit)) (not (added ?player ?digit)) (not (carried ?player ?digit)))
(<= (next (points ?player ?digit))
    (added ?player ?digit) (not (true (points ?player ?digit))) (not (carried ?player ?digit)))
(<= (next (points ?player ?digit))
    (carried ?player ?digit) (digit ?digit) (not (true (points ?player ?digit))) (not (added ?player ?digit)))";

const COMPARING: &str = "
;; (level DIGIT): both sums have the same digits from here up. The highest digit that differs decides.
(<= (differs ?digit)
    (other ?player ?opponent)
    (true (points ?player ?digit))
    (not (true (points ?opponent ?digit))))

(level TOP)
(<= (level ?digit)
    (higher ?digit ?higher)
    (level ?higher)
    (not (differs ?digit)))

(<= (wins ?player)
    (other ?player ?opponent)
    (higher ?digit ?higher)
    (level ?higher)
    (true (points ?opponent ?digit))
    (not (true (points ?player ?digit))))

(<= decided terminal (wins ?player))

(<= (goal ?player 100) terminal (wins ?player))
(<= (goal ?player 0) terminal (wins ?opponent) (other ?player ?opponent))
(<= (goal ?player 50) (role ?player) (not decided))";
