//! Networks that no rulesheet would give: random gates, negations and positive cycles. The plainest
//! engine on the network as drawn says what is right; every engine after every sequence must agree.

use std::sync::Arc;

use gamegrove_game::{Describe, Game, Goal, Move, Rng, Role};
use gamegrove_propnet::{
    Circuit, Evaluator, Forward, Network, Propnet, Sequence, Settings, Statistics, Sweep,
    initialise, text,
};

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

fn network(rng: &mut Rng) -> Network {
    let mut sketch = Sketch { text: "role a\nrole b\n".to_owned(), ..Sketch::default() };
    let (bases, moves) = (1 + rng.below(5), 2 + rng.below(6));
    // In half of the games most moves need that it is a role's turn.
    let turns = rng.below(2) == 0;
    for label in ["true", "false"] {
        sketch.source(label.to_owned(), true);
    }
    (0..bases).for_each(|base| sketch.source(format!("(true f{base})"), true));
    for _ in 0..2 + rng.below(8) {
        sketch.gates(true, rng);
    }
    for role in ["a", "b"] {
        for mov in 0..moves {
            sketch.text += &format!("(does {role} m{mov}) = input\n");
            // Somebody who cannot move ends the game early.
            let mut legal = if mov == 0 { "true".to_owned() } else { sketch.pick(true, rng) };
            if turns && mov > 0 {
                let turn = if role == "a" { "(true f0)" } else { "g0" };
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
    let network = initialise(draft).expect("a network that can be mended");
    assert_eq!(network.check(), Ok(()), "{}", sketch.text);
    network
}

/// Everything a game says about a state, and the names of its legal moves.
fn answers<G: Describe>(game: &mut G, state: &G::State) -> (String, Vec<Vec<String>>) {
    let mut goals = [Goal::default(); 2];
    game.goals(state, &mut goals);
    let (mut legal, mut moves) = (Vec::new(), Vec::new());
    for role in Role::all(2) {
        game.legal_moves(state, role, &mut moves);
        let mut names: Vec<String> = moves.iter().map(|&m| game.move_name(role, m)).collect();
        names.sort();
        legal.push(names);
    }
    let end = game.is_terminal(state);
    (format!("{:?} {goals:?} {legal:?} {end}", game.facts(state)), legal)
}

/// A random walk of legal moves; terminal states are walked through.
fn walk<E: Evaluator>(network: &Arc<Network>, seed: u64) -> Vec<String> {
    walk_with(Propnet::<E>::new(network).expect("a sound network"), seed)
}

fn walk_with<E: Evaluator>(mut game: Propnet<E>, seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let mut state = game.initial_state();
    let mut seen = Vec::new();
    for _ in 0..12 {
        let (said, legal) = answers(&mut game, &state);
        seen.push(said);
        let joint: Vec<Move> = Role::all(2)
            .zip(&legal)
            .filter_map(|(role, names)| {
                let name = &names[rng.below(names.len())];
                game.find_move(role, name)
            })
            .collect();
        let mut next = state.clone();
        game.apply(&state, &joint, &mut next);
        // Looking back must not confuse an engine that remembers.
        if rng.below(3) == 0 {
            assert_eq!(answers(&mut game, &state).0, *seen.last().expect("just pushed"));
        }
        state = next;
    }
    seen
}

#[test]
fn all_engines_agree_after_all_sequences() {
    let mut cycles = 0;
    for seed in 0..1500 {
        let basic = Arc::new(network(&mut Rng::new(seed)));
        cycles += Statistics::of(&basic).cycles;
        let expected = walk::<Sweep>(&basic, seed);
        for name in Sequence::PUBLISHED.iter().chain(&["0123", "3210", "20", "31"]) {
            let sequence: Sequence = name.parse().expect("digits");
            let network = Arc::new(sequence.run(&basic));
            assert_eq!(network.check(), Ok(()), "{sequence} of seed {seed}");
            let told = format!("{sequence} of seed {seed}:\n{}", text::print(&basic));
            assert_eq!(walk::<Sweep>(&network, seed), expected, "sweep, {told}");
            if *name == "" || *name == "1023" {
                assert_eq!(walk::<Forward>(&network, seed), expected, "forward, {told}");
                let circuit = Circuit::new(&network).expect("a sound network");
                for (effects, guard_from) in
                    [(false, None), (false, Some(1)), (true, None), (true, Some(2))]
                {
                    let settings = Settings { effects, guard_from, ..Settings::default() };
                    let forward = Forward::with_settings(&circuit, &settings);
                    let game = Propnet::with_evaluator(&network, forward);
                    assert_eq!(walk_with(game, seed), expected, "{settings:?}, {told}");
                }
            }
            assert!(network.len() <= basic.len(), "{told}");
        }
    }
    assert!(cycles > 500, "only {cycles} cycles were drawn");
}

#[test]
fn text_is_read_as_it_was_written() {
    for seed in 0..200 {
        let network = network(&mut Rng::new(seed));
        let written = text::print(&network);
        let again = initialise(text::parse(&written).expect("readable")).expect("sound");
        assert_eq!(text::print(&again), written);
    }
}
