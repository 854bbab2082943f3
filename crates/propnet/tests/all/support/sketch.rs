//! Networks that no rulesheet would give: random gates, negations and positive cycles.

use gamegrove_game::Rng;
use gamegrove_propnet::{Network, initialise, text};

/// Components drawn so far.
#[derive(Default)]
struct Sketch {
    text: String,
    /// Labels of what depends on the state alone, and of everything.
    early: Vec<String>,
    all: Vec<String>,
    gates: usize,
}

impl Sketch {
    fn source(&mut self, label: String, early: bool) {
        if early {
            self.early.push(label.clone());
        }
        self.all.push(label);
    }

    fn pick(&self, early: bool, rng: &mut Rng) -> String {
        let from = if early { &self.early } else { &self.all };
        from[rng.below(from.len())].clone()
    }

    /// A gate, or two to four gates that read each other.
    fn gates(&mut self, early: bool, rng: &mut Rng) {
        let members = if rng.below(4) == 0 { 2 + rng.below(3) } else { 1 };
        let first = self.gates;
        self.gates += members;
        for at in 0..members {
            let kinds = if members == 1 { ["and", "or", "not"] } else { ["and", "or", "or"] };
            let kind = kinds[rng.below(3)];
            let mut inputs: Vec<String> = Vec::new();
            for _ in 0..if kind == "not" { 1 } else { 1 + rng.below(3) } {
                inputs.push(self.pick(early, rng));
            }
            if members > 1 {
                inputs.push(format!("g{}", first + (at + 1) % members));
                inputs.push(format!("g{}", first + rng.below(members)));
            }
            self.text += &format!("g{} = {kind} {}\n", first + at, inputs.join(" "));
        }
        for gate in first..first + members {
            self.text += &format!("p{gate} = other g{gate}\n");
            self.source(format!("p{gate}"), early);
        }
    }
}

/// A network for roles with these names. In half of the games most moves need that it is a role's
/// turn; the first move is always legal, or, if roles may be stuck, at most where it is not its turn.
pub fn network(roles: &[&str], stuck: bool, rng: &mut Rng) -> Network {
    let mut sketch = Sketch::default();
    roles.iter().for_each(|role| sketch.text += &format!("role {role}\n"));
    let (bases, moves) = (1 + rng.below(5), 2 + rng.below(6));
    let turns = rng.below(2) == 0;
    for label in ["true", "false"] {
        sketch.source(label.to_owned(), true);
    }
    (0..bases).for_each(|base| sketch.source(format!("(true f{base})"), true));
    for _ in 0..2 + rng.below(8) {
        sketch.gates(true, rng);
    }
    for (at, role) in roles.iter().enumerate() {
        let turn = if at == 0 { "(true f0)" } else { "g0" };
        for mov in 0..moves {
            sketch.text += &format!("(does {role} m{mov}) = input\n");
            // A role that cannot move ends the game early.
            let mut legal = if mov == 0 { "true".to_owned() } else { sketch.pick(true, rng) };
            if turns && stuck && mov == 0 {
                sketch.text += &format!("l{role}0 = not {turn}\n");
                legal = format!("l{role}0");
            }
            if turns && mov > 0 {
                sketch.text += &format!("l{role}{mov} = and {turn} {legal}\n");
                legal = format!("l{role}{mov}");
            }
            sketch.text += &format!("(legal {role} m{mov}) = legal {legal}\n");
            sketch.all.push(format!("(does {role} m{mov})"));
        }
        for goal in [0, 50, 100] {
            let when = sketch.pick(true, rng);
            sketch.text += &format!("(goal {role} {goal}) = goal {when}\n");
        }
    }
    let end = sketch.pick(true, rng);
    sketch.text += &format!("terminal = terminal {end}\n");
    for _ in 0..2 + rng.below(10) {
        sketch.gates(false, rng);
    }
    for base in 0..bases {
        let next = sketch.pick(false, rng);
        sketch.text += &format!("(true f{base}) = base t{base}\nt{base} = transition {next}\n");
        if rng.below(2) == 0 {
            sketch.text += &format!("init f{base}\n");
        }
    }
    let draft = text::parse(&sketch.text).expect("a readable network");
    let network = initialise(draft).expect("a network that can be repaired");
    assert_eq!(network.check(), Ok(()), "{}", sketch.text);
    network
}
