//! The worked example of [Sironi 2019, 4.1.1]: two independent lights, from rules to every optimised net.

use gamegrove_gdl::{Grounding, Limits, Rulesheet};
use gamegrove_propnet::{Network, Sequence, build, text};

const LIGHTS: &str = "
    (role player)
    (light p) (light q)
    (<= (legal player (turnon ?x)) (light ?x) (not (true (on ?x))))
    (<= (next (on ?x)) (does player (turnon ?x)))
    (<= (next (on ?x)) (true (on ?x)))
    (<= terminal (true (on p)) (true (on q)))
    (<= (goal player 100) (true (on p)) (true (on q)))";

fn network(rules: &str) -> Network {
    let sheet = Rulesheet::load(rules.as_bytes()).expect("sound rules");
    let grounding = Grounding::new(&sheet.program, &Limits::default()).expect("a small game");
    let network = build(&grounding, 0, &Limits::default()).expect("a small network");
    assert_eq!(network.check(), Ok(()));
    network
}

fn check(network: &Network, expected: &str) {
    let tidy = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect::<Vec<_>>().join("\n")
    };
    let (found, expected) = (tidy(&text::print(network)), tidy(expected));
    assert!(found == expected, "found:\n{found}\n\nexpected:\n{expected}");
}

fn optimised(rules: &str, sequence: &str) -> Network {
    let sequence: Sequence = sequence.parse().expect("digits");
    let result = sequence.run(&network(rules));
    assert_eq!(result.check(), Ok(()), "{sequence}");
    result
}

#[test]
fn the_network_is_that_of_the_figure() {
    let expected = "role player
         (legal player (turnon p)) = legal g14
         (legal player (turnon q)) = legal g15
         (does player (turnon p)) = input
         (does player (turnon q)) = input
         p6 = other g17
         p7 = other g18
         (true (on p)) = base t12
         (true (on q)) = base t13
         terminal = terminal g16
         (goal player 100) = goal g16
         t12 = transition p6
         t13 = transition p7
         g14 = not (true (on p))
         g15 = not (true (on q))
         g16 = and (true (on p)) (true (on q))
         g17 = or (does player (turnon p)) (true (on p))
         g18 = or (does player (turnon q)) (true (on q))";
    check(&network(LIGHTS), expected);
}

#[test]
fn constants_are_not_there_to_be_removed() {
    for sequence in ["0", "2", "3", "023"] {
        assert_eq!(optimised(LIGHTS, sequence), network(LIGHTS), "Opt{sequence}");
    }
}

#[test]
fn the_anonymous_propositions_are_spliced() {
    let expected = "role player
         (legal player (turnon p)) = legal g12
         (legal player (turnon q)) = legal g13
         (does player (turnon p)) = input
         (does player (turnon q)) = input
         (true (on p)) = base t10
         (true (on q)) = base t11
         terminal = terminal g14
         (goal player 100) = goal g14
         t10 = transition g15
         t11 = transition g16
         g12 = not (true (on p))
         g13 = not (true (on q))
         g14 = and (true (on p)) (true (on q))
         g15 = or (does player (turnon p)) (true (on p))
         g16 = or (does player (turnon q)) (true (on q))";
    check(&optimised(LIGHTS, "1"), expected);
    check(&optimised(LIGHTS, "1023"), expected);
}

#[test]
fn a_light_that_is_on_from_the_start_vanishes() {
    let rules = format!("{LIGHTS} (init (on p))");
    let expected = "role player
         (legal player (turnon q)) = legal g8
         (does player (turnon q)) = input
         (true (on q)) = base t7
         terminal = terminal (true (on q))
         (goal player 100) = goal (true (on q))
         t7 = transition g9
         g8 = not (true (on q))
         g9 = or (does player (turnon q)) (true (on q))
         ; always (on p)";
    check(&optimised(&rules, "12"), expected);
    check(&optimised(&rules, "102"), expected);
    check(&optimised(&rules, "1023"), expected);
    // Without Opt2 nothing is known about it.
    assert_eq!(optimised(&rules, "0"), network(&rules));
}
