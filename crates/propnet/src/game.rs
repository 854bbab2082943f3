//! A network as a game to be played.

use std::sync::Arc;

use gamegrove_game::{Describe, FeatureNames, Features, Game, Goal, Move, MoveSet, Role};
use gamegrove_gdl::syntax::{Term, TermKind};
use gamegrove_gdl::{Symbols, parse_term};

use crate::evaluate::{Evaluator, Forward};
use crate::invariants::Flaw;
use crate::names::NameId;
use crate::network::Network;
use crate::state::{Bits, ones};

/// Plays on a network, with an evaluator of choice.
#[derive(Clone, Debug)]
pub struct Propnet<E = Forward> {
    network: Arc<Network>,
    evaluator: E,
    initial: Bits,
}

impl<E: Evaluator> Propnet<E> {
    /// The game of a network.
    pub fn new(network: &Arc<Network>) -> Result<Self, Flaw> {
        Ok(Propnet::with_evaluator(network, E::new(network)?))
    }

    /// The game of a network, with an evaluator that was made for it.
    pub fn with_evaluator(network: &Arc<Network>, evaluator: E) -> Self {
        let initial = Bits::initial(network);
        Propnet { network: Arc::clone(network), evaluator, initial }
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The goal values that hold for a role in `state`: exactly one in a sound game's terminal
    /// states. Goals that are no numbers are not known here.
    pub fn goal_values(&mut self, state: &Bits, role: Role) -> Vec<String> {
        let lines = self.network.goals(role.index());
        let held = ones(self.evaluator.goals(state.words(), role)).map(|at| lines[at].node);
        held.map(|node| self.network.part(node).name)
            .map(|name| self.network.names().get(name).unwrap_or("?").to_owned())
            .collect()
    }

    fn name(&self, name: NameId) -> String {
        self.network.names().get(name).unwrap_or("?").to_owned()
    }
}

impl<E: Evaluator> Game for Propnet<E> {
    type State = Bits;

    fn role_count(&self) -> usize {
        self.network.roles().len()
    }

    fn move_bound(&self, role: Role) -> usize {
        self.network.moves(role.index()).len()
    }

    fn initial_state(&mut self) -> Bits {
        self.initial.clone()
    }

    fn is_terminal(&mut self, state: &Bits) -> bool {
        self.evaluator.is_terminal(state.words())
    }

    fn legal_moves(&mut self, state: &Bits, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        let legal = self.evaluator.legal(state.words(), role);
        for (at, &word) in legal.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                moves.push(Move(at as u32 * 64 + rest.trailing_zeros()));
                rest &= rest - 1;
            }
        }
    }

    #[inline]
    fn legal_set(&mut self, state: &Bits, role: Role) -> Option<MoveSet<'_>> {
        Some(MoveSet::new(self.evaluator.legal(state.words(), role)))
    }

    fn apply(&mut self, state: &Bits, joint: &[Move], next: &mut Bits) {
        if next.words().len() != state.words().len() {
            next.resize(state.words().len());
        }
        self.evaluator.next(state.words(), joint, next.words_mut());
    }

    fn goals(&mut self, state: &Bits, goals: &mut [Goal]) {
        for (role, goal) in Role::all(goals.len()).zip(goals) {
            let lines = self.network.goals(role.index());
            let (mut sum, mut count) = (0.0, 0u16);
            for at in ones(self.evaluator.goals(state.words(), role)) {
                sum += f32::from(lines[at].value);
                count += 1;
            }
            *goal = Goal(sum / f32::from(count.max(1)));
        }
    }

    fn features(&self) -> Option<Box<dyn Features<Bits>>> {
        Some(Box::new(BaseFacts(Arc::clone(&self.network))))
    }
}

/// The base propositions of a network as features.
struct BaseFacts(Arc<Network>);

impl FeatureNames for BaseFacts {
    fn feature_name(&mut self, feature: u32) -> String {
        let base = self.0.bases().get(feature as usize);
        base.and_then(|&base| self.0.names().get(self.0.part(base).name)).unwrap_or("?").to_owned()
    }

    fn move_name(&mut self, role: Role, mov: Move) -> String {
        let line = self.0.moves(role.index()).get(mov.index());
        line.and_then(|line| self.0.names().get(line.name)).unwrap_or("?").to_owned()
    }
}

impl Features<Bits> for BaseFacts {
    fn read(&mut self, state: &Bits, features: &mut Vec<u32>) {
        features.clear();
        features.extend(ones(state.words()).map(|bit| bit as u32));
    }
}

impl<E: Evaluator> Describe for Propnet<E> {
    fn role_name(&self, role: Role) -> String {
        self.network.roles()[role.index()].clone()
    }

    fn move_name(&self, role: Role, mov: Move) -> String {
        match self.network.moves(role.index()).get(mov.index()) {
            Some(line) => self.name(line.name),
            None => format!("unknown move {}", mov.0),
        }
    }

    fn find_move(&mut self, role: Role, name: &str) -> Option<Move> {
        let mut symbols = Symbols::default();
        let term = parse_term(name, &mut symbols).ok()?;
        let mut wanted = String::new();
        write(&term, &symbols, &mut wanted);
        let names = self.network.names();
        let moves = self.network.moves(role.index());
        let found = moves.iter().position(|line| names.get(line.name) == Some(wanted.as_str()));
        found.map(|at| Move(at as u32))
    }

    fn facts(&self, state: &Bits) -> Vec<String> {
        let bases = self.network.bases();
        let held = ones(state.words()).filter_map(|bit| bases.get(bit));
        let names = held.map(|&base| self.network.part(base).name);
        let mut facts: Vec<String> =
            names.chain(self.network.fixed_facts().iter().copied()).map(|n| self.name(n)).collect();
        facts.sort_unstable();
        facts
    }
}

/// Writes a term as names of moves are written. The parser limits how deep it is.
fn write(term: &Term, symbols: &Symbols, out: &mut String) {
    match &term.kind {
        TermKind::Constant(name) | TermKind::Variable(name) => *out += symbols.name(*name),
        TermKind::Function(name, args) => {
            out.push('(');
            *out += symbols.name(*name);
            for arg in args {
                out.push(' ');
                write(arg, symbols, out);
            }
            out.push(')');
        }
    }
}
