//! What is written: complete, the same every time, and refused where it cannot be built.

use gamegrove_hardware::{Hardware, Meta, Netlist, STEP_LIMIT};
use gamegrove_propnet::{Kind, Network, initialise, text};

use super::{hardware, shipped};

fn network(written: &str) -> Network {
    initialise(text::parse(written).expect("a readable network")).expect("a sound network")
}

#[test]
fn equal_networks_give_equal_files() {
    let files = |name: &str| hardware(&shipped(name)).files().expect("a folder's worth of files");
    let first = files("connect_four_3p");
    assert_eq!(first, files("connect_four_3p"));
    let names: Vec<&str> = first.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["propnet.v", "playout.v", "meta.json", "testbench.v", "vectors.hex"]);
}

#[test]
fn every_component_is_written_and_every_bit_explained() {
    let network = shipped("tic_tac_toe");
    let found = hardware(&network);
    let text = &found.network_text;
    let count = |kind: Kind| network.nodes().filter(|&node| network.kind(node) == kind).count();
    for (module, kind) in [
        ("pn_and #", Kind::And),
        ("pn_or #", Kind::Or),
        ("pn_not c_", Kind::Not),
        ("pn_transition t", Kind::Transition),
    ] {
        // The library has the word once where its parameters begin.
        let library = usize::from(module.ends_with('#'));
        assert_eq!(text.matches(module).count() - library, count(kind), "{module}");
    }
    let meta: Meta = serde_json::from_str(&found.meta.to_json()).expect("JSON that can be read");
    assert_eq!(meta, *found.meta);
    assert_eq!(meta.facts.len(), network.bases().len());
    assert!(meta.facts.contains(&"(cell 1 1 b)".to_owned()), "{:?}", meta.facts);
    for (role, lines) in meta.roles.iter().enumerate() {
        assert_eq!(lines.name, network.roles()[role]);
        assert_eq!(lines.moves.len(), network.moves(role).len());
        assert_eq!(lines.goals.len(), network.goals(role).len());
    }
    assert_eq!((meta.choice.bias, meta.step_limit), (0, STEP_LIMIT));
}

#[test]
fn names_of_rules_cannot_break_the_text() {
    let network = network(
        "role r`define\\
         (true (verilator*/endmodule)) = base t
         t = transition (does r`define\\ (a`b))
         (does r`define\\ (a`b)) = input
         (legal r`define\\ (a`b)) = legal true
         terminal = terminal (true (verilator*/endmodule))",
    );
    let text = hardware(&network).network_text;
    assert!(!text.contains('`') && !text.contains('\\'), "{text}");
    let outside = |line: &str| line.split("//").next().unwrap_or("").contains("endmodule");
    // The library has six modules; the network is the seventh.
    assert_eq!(text.lines().filter(|line| outside(line)).count(), 7);
}

#[test]
fn loops_are_unrolled_to_their_fixpoint() {
    let network = network(
        "role r
         (true a) = base t
         t = transition g
         g = or (true a) h
         h = and i g
         i = or h (does r m)
         (does r m) = input
         (legal r m) = legal true
         terminal = terminal false",
    );
    let netlist = Netlist::new(&network).expect("a loop that can be unrolled");
    let (members, rounds) = netlist.loops[0];
    assert_eq!((netlist.loops.len(), members), (1, 3));
    assert!((2..=3).contains(&rounds), "{rounds}");
    for cell in 0..netlist.cells.len() {
        assert!(netlist.inputs(cell).iter().all(|&input| (input as usize) < cell));
    }
}

#[test]
fn a_loop_that_grows_too_large_is_refused() {
    // Every gate reads every other: all but one line leads back.
    let gates = 2100;
    let mut written = String::from(
        "role r\n(does r m) = input\n(legal r m) = legal true\nterminal = terminal (true a)\n\
         (true a) = base t\nt = transition g0\n",
    );
    for gate in 0..gates {
        written += &format!("g{gate} = or (true a)");
        for step in [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987] {
            written += &format!(" g{}", (gate + step) % gates);
        }
        written += &format!(" g{gate}\n");
    }
    let error = Hardware::new("knot", &network(&written)).expect_err("far too many copies");
    let text = error.to_string();
    assert!(text.contains("recursive relation") && text.contains("without recursion"), "{text}");
}
