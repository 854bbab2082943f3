//! Goofspiel, the game of pure strategy [Finnsson 2012, 6.6].

use gamegrove_settings::{Parameter, Record};

use crate::family::{Family, FamilyError};
use crate::sheet::{Sheet, each, successors};

/// The family.
pub(crate) const FAMILY: Family = Family {
    name: "goofspiel",
    summary: "Goofspiel: both play a card at once, the higher one takes the prize",
    parameters: &[
        Parameter::whole("cards", 5.0, (1.0, 13.0), "cards of each player, and prizes"),
        Parameter::word(
            "prizes",
            &["ascending", "descending"],
            "the order in which the prizes come",
        ),
    ],
    write,
};

fn write(values: &Record) -> Result<String, FamilyError> {
    let cards = values.whole("cards");
    let descending = values.word("prizes") == "descending";
    let most = cards * (cards + 1) / 2;

    let mut sheet = Sheet::new(&format!("Goofspiel, {cards} cards each"));
    let order = if descending {
        format!("{cards} first, 1 last")
    } else {
        format!("1 first, {cards} last")
    };
    sheet.entry(
        "Rules",
        &format!(
            "Each player holds cards with the numbers 1 to {cards}. There are as many rounds, each with a prize: {order}. In a round both \
             play a card of theirs at once, which is then used up. The higher card wins as many points as the prize says; equal cards \
             win nothing. Everybody sees what was played.",
        ),
    );
    sheet.entry("Players", "2, at once: one, two.");
    sheet.entry("End", &format!("After {cards} rounds."));
    sheet.entry("Goals", "The player with more points 100, the other 0; 50 each with equally many. 50 each while the game goes on.");
    sheet.entry("Source", "Goofspiel of the simultaneous-move solver in Finnsson 2012, chapter 6.");
    sheet.note(
        "(played PLAYER ROUND CARD) is the whole history, so that no two ways lead to one state; (points PLAYER N) what was won; \
         (round N) comes next.",
    );
    sheet.more_facts(["(role one)", "(role two)"]);
    sheet.more_facts(["(other one two)", "(other two one)"]);

    sheet.section("Cards and prizes");
    sheet.more_facts(each("card", 1, cards));
    sheet.comment("(prize ROUND POINTS)");
    sheet.facts((1..=cards).map(|round| {
        format!("(prize {round} {})", if descending { cards + 1 - round } else { round })
    }));
    sheet.more_facts(successors("after", 0, most.max(cards + 1)));
    sheet.comment(&format!("Points are at most 1 + 2 + ... + {cards} = {most}."));
    sheet.facts(each("points_up_to", 0, most));
    sheet.rules(ARITHMETIC);

    sheet.section("Facts and moves");
    sheet.rules(FACTS);
    sheet.facts([format!("(base (round {}))", cards + 1)]);
    sheet.rules(INPUTS);

    sheet.section("Playing");
    sheet.rules(PLAYING);

    sheet.section("End and goals");
    sheet.rules(&format!("(<= terminal (true (round {})))", cards + 1));
    sheet.rules(GOALS);
    Ok(sheet.finish())
}

const ARITHMETIC: &str = "
;; (sum A B C): C is A + B.
(<= (sum ?n 0 ?n) (points_up_to ?n))
(<= (sum ?a ?b2 ?c2) (sum ?a ?b ?c) (after ?b ?b2) (after ?c ?c2) (points_up_to ?c2))

(<= (above ?m ?n) (after ?n ?m))
(<= (above ?l ?n) (above ?m ?n) (after ?m ?l))";

const FACTS: &str = "
(<= (base (played ?player ?round ?card)) (role ?player) (prize ?round ?points) (card ?card))
(<= (base (points ?player ?n)) (role ?player) (points_up_to ?n))
(<= (base (round ?round)) (prize ?round ?points))";

const INPUTS: &str = "
(<= (input ?player (play ?card)) (role ?player) (card ?card))

(<= (init (points ?player 0)) (role ?player))
(init (round 1))";

const PLAYING: &str = "
(<= (used ?player ?card)
    (true (played ?player ?round ?card)))

(<= (legal ?player (play ?card))
    (role ?player)
    (card ?card)
    (not (used ?player ?card)))

(<= (next (played ?player ?round ?card))
    (does ?player (play ?card))
    (true (round ?round)))
(<= (next (played ?player ?round ?card))
    (true (played ?player ?round ?card)))

(<= (next (round ?next))
    (true (round ?round))
    (prize ?round ?points)
    (after ?round ?next))

(<= (takes ?player)
    (does ?player (play ?card))
    (other ?player ?opponent)
    (does ?opponent (play ?lower))
    (above ?card ?lower))

(<= (next (points ?player ?total))
    (takes ?player)
    (true (points ?player ?n))
    (true (round ?round))
    (prize ?round ?points)
    (sum ?n ?points ?total))
(<= (next (points ?player ?n))
    (true (points ?player ?n))
    (not (takes ?player)))";

const GOALS: &str = "
(<= (leads ?player)
    (true (points ?player ?n))
    (other ?player ?opponent)
    (true (points ?opponent ?m))
    (above ?n ?m))

(<= decided terminal (leads ?player))

(<= (goal ?player 100) terminal (leads ?player))
(<= (goal ?player 0) terminal (leads ?opponent) (other ?player ?opponent))
(<= (goal ?player 50) (role ?player) (not decided))";
