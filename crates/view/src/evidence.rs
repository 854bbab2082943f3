//! What is known about a game before any of its states is drawn: its facts, moves and orders.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gamegrove_game::{Describe, Rng, Role};
use gamegrove_gdl::{Grounding, Limits, Pred, Program, Term};

use crate::axis;

/// Evidence in which a board can be found. All of it is text, so that any game can give it.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// The names of the roles.
    pub roles: Vec<String>,
    /// All facts that could ever hold; empty if that is not known.
    pub possible: Vec<String>,
    /// The facts of some states, the first state first.
    pub states: Vec<Vec<String>>,
    /// Moves that could be legal.
    pub moves: Vec<String>,
    /// Names in the order that relations of the rules give them.
    pub chains: Vec<Vec<String>>,
}

/// Random games that are looked at.
const GAMES: u64 = 3;
/// Steps of each.
const STEPS: usize = 60;
/// States that are kept.
const STATES: usize = 48;
/// The most possible facts that are worth looking at.
const MOST_FACTS: usize = 50_000;
/// The most facts of all states together, and the most bytes that they take, or possible facts, or moves.
const MOST_HELD: usize = 100_000;
const MOST_BYTES: usize = 16 << 20;

impl Evidence {
    /// The evidence of a few random games of any game, as far as it fits into some megabytes. Equal seeds
    /// give equal evidence.
    pub fn of_game<G: Describe>(game: &mut G, seed: u64) -> Evidence {
        let roles: Vec<Role> = Role::all(game.role_count()).collect();
        let mut evidence = Evidence {
            roles: roles.iter().map(|role| game.role_name(*role)).collect(),
            ..Evidence::default()
        };
        let mut moves = BTreeSet::new();
        let start = game.initial_state();
        let mut room = Room { facts: MOST_HELD, bytes: MOST_BYTES };
        evidence.add_state(game.facts(&start), &mut room);
        for number in 0..GAMES {
            let mut rng = Rng::stream(seed, number);
            let mut state = start.clone();
            for step in 0..STEPS {
                if game.is_terminal(&state) || game.take_fault().is_some() {
                    break;
                }
                let mut joint = Vec::with_capacity(roles.len());
                let mut legal = Vec::new();
                for &role in &roles {
                    game.legal_moves(&state, role, &mut legal);
                    if step % 8 == 0 {
                        let names = legal.iter().take(300).map(|mov| game.move_name(role, *mov));
                        moves.extend(names.take_while(|name| room.take(0, name.capacity())));
                    }
                    joint.extend(rng.pick(&legal));
                }
                if joint.len() < roles.len() {
                    break;
                }
                let mut next = state.clone();
                game.apply(&state, &joint, &mut next);
                state = next;
                // The first steps and some later ones.
                if step < 6 || step % 5 == 0 {
                    evidence.add_state(game.facts(&state), &mut room);
                }
                if room.is_full() {
                    break;
                }
            }
            evidence.add_state(game.facts(&state), &mut room);
        }
        // A fault ends a random game and says nothing about the next.
        let _ = game.take_fault();
        evidence.moves = moves.into_iter().collect();
        evidence
    }

    /// Adds the facts of a state if there is room for them.
    fn add_state(&mut self, facts: Vec<String>, room: &mut Room) {
        let bytes = facts.iter().map(|fact| size_of::<String>() + fact.capacity()).sum();
        if self.states.len() < STATES && room.take(facts.len(), bytes) {
            self.states.push(facts);
        }
    }

    /// Adds what the rules of a game in the Game Description Language say: names in order, and all
    /// facts and moves that could ever be, where finding them is quick and `stop` is not set.
    pub fn add_rules(&mut self, program: &Arc<Program>, stop: &Arc<AtomicBool>) {
        self.chains = chains(program);
        let (steps, cancel) = (Some(1_000_000), Some(Arc::clone(stop)));
        let limits = Limits { steps, memory: 256 << 20, cancel, time: None };
        let Ok(ground) = Grounding::new(program, &limits) else { return };
        let facts = ground.atoms_of(Pred::TRUE);
        if facts.len() > MOST_FACTS {
            return;
        }
        let atoms = |pred: Pred| ground.atoms_of(pred).iter().map(|&atom| ground.atom(atom).1);
        let terms: Vec<_> =
            atoms(Pred::TRUE).chain(atoms(Pred::LEGAL)).flatten().copied().collect();
        if ground.terms.may_exceed(&terms, MOST_BYTES) {
            return;
        }
        let inside =
            |text: String| Some(text.strip_prefix("(true ")?.strip_suffix(')')?.to_owned());
        self.possible = facts.iter().filter_map(|&fact| inside(ground.atom_text(fact))).collect();
        let moves = ground.atoms_of(Pred::LEGAL);
        if moves.len() <= MOST_FACTS {
            let text = |&mov: &gamegrove_gdl::AtomId| {
                let (_, arguments) = ground.atom(mov);
                let mut text = String::new();
                if let Some(&term) = arguments.get(1) {
                    ground.terms.write(term, &ground.program.symbols, &mut text);
                }
                text
            };
            let found: BTreeSet<String> = moves.iter().map(text).collect();
            self.moves = found.into_iter().collect();
        }
    }
}

/// How much may be added yet.
struct Room {
    facts: usize,
    bytes: usize,
}

impl Room {
    /// Makes room for some facts and bytes; once something does not fit there is none.
    fn take(&mut self, facts: usize, bytes: usize) -> bool {
        let left = self.facts.checked_sub(facts).zip(self.bytes.checked_sub(bytes));
        let (facts, bytes) = left.unwrap_or_default();
        *self = Room { facts, bytes };
        left.is_some()
    }

    fn is_full(&self) -> bool {
        self.facts == 0 || self.bytes == 0
    }
}

/// Names that a relation without conditions puts in a row.
fn chains(program: &Program) -> Vec<Vec<String>> {
    let mut pairs: BTreeMap<Pred, Vec<(String, String)>> = BTreeMap::new();
    for rule in program.rules.iter().filter(|rule| rule.body.is_empty()) {
        if let [Term::Constant(from), Term::Constant(to)] = rule.head.args[..] {
            let text = |term| program.term_text(&program.terms, term);
            pairs.entry(rule.head.pred).or_default().push((text(from), text(to)));
        }
    }
    pairs.values().flat_map(|pairs| axis::chains(pairs)).collect()
}
