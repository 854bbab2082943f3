//! From ground rules to a network [Sironi 2019, 4.1.1].
//!
//! One component per atom, numbered as the grounding numbers atoms, so that states and moves do not
//! depend on the seed. `next` heads become propositions without a name that feed the transitions.
//! A body of several conditions is an AND, several bodies of one head an OR; equal bodies and equal
//! negations are built once. Rules that can never fire (a condition and its opposite) or say nothing
//! new (the head among its own conditions) are left out. The seed permutes the rules, and with them
//! the order of gates and of their inputs; seed 0 keeps the order of the grounding.

use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::Arc;
use std::time::Instant;

use gamegrove_game::Rng;
use gamegrove_gdl::{
    AtomId, GroundLiteral, Grounding, LimitHit, Limits, Meter, Pred, Program, TermId, ground,
};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use thiserror::Error;

use crate::draft::Draft;
use crate::initialise::initialise_within;
use crate::invariants::Flaw;
use crate::kind::Kind;
use crate::lists::Lists;
use crate::names::{NameId, Names};
use crate::network::{Network, NodeId, Part, goal_value};

/// The reason why no network could be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BuildError {
    /// A limit was hit.
    #[error("the network was {0}")]
    Limit(#[from] LimitHit),
    /// The rules have no role.
    #[error("the rules define no role")]
    NoRoles,
    /// More roles than a game can have.
    #[error("the rules give {0} roles; at most 255 are possible")]
    TooManyRoles(usize),
    /// The ground rules make no sound network.
    #[error("the ground rules make no network: {0}")]
    Flaw(#[from] Flaw),
}

/// Builds the network of ground rules within limits. It is the same whenever rules and seed are.
pub fn build(grounding: &Grounding, seed: u64, limits: &Limits) -> Result<Network, BuildError> {
    let roles = grounding.roles.len();
    if roles == 0 {
        return Err(BuildError::NoRoles);
    }
    if roles > 255 {
        return Err(BuildError::TooManyRoles(roles));
    }
    let mut builder = Builder::new(grounding, limits);
    builder.gather(seed)?;
    let (draft, mut meter) = builder.finish()?;
    initialise_within(draft, &mut meter)
}

/// Grounds rules ([`ground`]) and builds their network.
pub fn build_from_rules(
    program: &Arc<Program>,
    seed: u64,
    limits: &Limits,
) -> Result<Network, BuildError> {
    let start = Instant::now();
    let (grounding, _) = ground(program, limits)?;
    build(&grounding, seed, &limits.left(start))
}

/// Atoms start behind the constants.
const FIRST_ATOM: u32 = 2;

/// After so many bytes of names the limits are looked at.
const LONG_NAMES: usize = 1 << 20;
/// Names take at most this part of the memory of a network: one over so many.
const NAMES_SHARE: usize = 4;

/// The builder's record of a rule: the rule, its place, its component.
const RULE_BYTES: usize = 24 + 4 + 8;

const NOTHING: NodeId = NodeId(u32::MAX);

struct Builder<'a> {
    grounding: &'a Grounding,
    meter: Meter,
    /// The first gate: behind atoms and transitions.
    first_gate: u32,
    gates: Vec<Kind>,
    gate_inputs: Lists,
    /// The negation of each atom, where it is used.
    negations: Vec<NodeId>,
    /// ANDs by their inputs.
    conjunctions: HashTable<u32>,
    /// The inputs of each atom.
    sources: Vec<NodeId>,
}

impl<'a> Builder<'a> {
    fn new(grounding: &'a Grounding, limits: &Limits) -> Self {
        let atoms = grounding.atom_count();
        let transitions = grounding.atoms_of(Pred::TRUE).len();
        Builder {
            grounding,
            meter: Meter::new(limits),
            first_gate: FIRST_ATOM + (atoms + transitions) as u32,
            gates: Vec::new(),
            gate_inputs: Lists::default(),
            negations: vec![NOTHING; atoms],
            conjunctions: HashTable::new(),
            sources: vec![NOTHING; atoms],
        }
    }

    /// Counts a step; the memory is what this builder holds.
    fn step(&mut self) -> Result<(), LimitHit> {
        let bytes = self.gates.capacity()
            + self.gate_inputs.bytes()
            + (self.negations.len() + self.sources.len() + self.conjunctions.capacity()) * 4
            + self.grounding.rule_count() * RULE_BYTES;
        self.meter.step(|| bytes)
    }

    fn gate(&mut self, kind: Kind, inputs: &[NodeId]) -> Result<NodeId, LimitHit> {
        if self.gate_inputs.item_count() + inputs.len() > u32::MAX as usize
            || self.first_gate as usize + self.gates.len() >= u32::MAX as usize
        {
            return Err(LimitHit::Memory(u32::MAX as usize));
        }
        self.gates.push(kind);
        self.gate_inputs.push(inputs.iter().copied());
        Ok(NodeId(self.first_gate + self.gates.len() as u32 - 1))
    }

    /// Turns every rule into a component and joins those of one head.
    fn gather(&mut self, seed: u64) -> Result<(), LimitHit> {
        let rules: Vec<(AtomId, &[GroundLiteral])> = self.grounding.rules().collect();
        let mut order: Vec<u32> = (0..rules.len() as u32).collect();
        if seed != 0 {
            let mut rng = Rng::new(seed);
            for at in (1..order.len()).rev() {
                order.swap(at, rng.below(at + 1));
            }
        }
        let mut bodies: Vec<(u32, NodeId)> = Vec::with_capacity(rules.len());
        let mut literals = Vec::new();
        for &rule in &order {
            let (head, body) = rules[rule as usize];
            self.step()?;
            literals.clear();
            literals.extend_from_slice(body);
            literals.sort_unstable();
            literals.dedup();
            let impossible = literals.windows(2).any(|two| two[0].atom() == two[1].atom());
            let empty = literals.iter().any(|l| l.atom() == head && !l.negated());
            if !impossible && !empty {
                bodies.push((head.0, self.body(&literals)?));
            }
        }
        // A stable sort keeps the order of the rules of one head.
        bodies.sort_by_key(|&(head, _)| head);
        let mut seen: FxHashMap<NodeId, u32> = FxHashMap::default();
        for of_head in bodies.chunk_by(|a, b| a.0 == b.0) {
            self.step()?;
            let head = of_head[0].0;
            let fresh = of_head.iter().filter(|(_, node)| seen.insert(*node, head) != Some(head));
            let inputs: Vec<NodeId> = fresh.map(|&(_, node)| node).collect();
            self.sources[head as usize] =
                if inputs.len() == 1 { inputs[0] } else { self.gate(Kind::Or, &inputs)? };
        }
        Ok(())
    }

    /// The component for a body of different literals, sorted.
    fn body(&mut self, literals: &[GroundLiteral]) -> Result<NodeId, LimitHit> {
        let mut inputs = Vec::with_capacity(literals.len());
        for literal in literals {
            let atom = literal.atom().index();
            let mut node = NodeId(FIRST_ATOM + atom as u32);
            if literal.negated() {
                if self.negations[atom] == NOTHING {
                    self.negations[atom] = self.gate(Kind::Not, &[node])?;
                }
                node = self.negations[atom];
            }
            inputs.push(node);
        }
        match inputs.as_slice() {
            [] => return Ok(NodeId::TRUE),
            [only] => return Ok(*only),
            _ => {}
        }
        let hasher = BuildHasherDefault::<FxHasher>::default();
        let hash = hasher.hash_one(&inputs);
        let lists = &self.gate_inputs;
        if let Some(&known) = self.conjunctions.find(hash, |&at| lists.of(at as usize) == inputs) {
            return Ok(NodeId(self.first_gate + known));
        }
        let gate = self.gate(Kind::And, &inputs)?;
        let lists = &self.gate_inputs;
        self.conjunctions.insert_unique(hash, gate.0 - self.first_gate, |&at| {
            hasher.hash_one(lists.of(at as usize))
        });
        Ok(gate)
    }

    /// Writes everything down in the order of the numbers given out.
    fn finish(mut self) -> Result<(Draft, Meter), LimitHit> {
        let grounding = self.grounding;
        let text = |term: TermId| grounding.program.term_text(&grounding.terms, term);
        let mut draft =
            Draft { roles: grounding.roles.iter().map(|&r| text(r)).collect(), ..Draft::default() };
        draft.add(Part::new(Kind::True), []);
        draft.add(Part::new(Kind::False), []);
        let mut names = TermNames { grounding, known: vec![NameId::NONE; grounding.terms.len()] };
        let first: FxHashSet<TermId> = grounding.init.iter().copied().collect();
        let mut next_transition = FIRST_ATOM + grounding.atom_count() as u32;
        let mut checked = 0;
        for at in 0..grounding.atom_count() {
            let bytes = draft.names.bytes() + draft.parts.capacity() * 8;
            self.meter.step(|| bytes)?;
            // A few long names take more than many steps.
            if bytes - checked > LONG_NAMES {
                self.meter.check(bytes.max(draft.names.bytes().saturating_mul(NAMES_SHARE)))?;
                checked = bytes;
            }
            let (pred, args) = grounding.atom(AtomId(at as u32));
            let mut part = Part::new(Kind::Other);
            match (pred, args) {
                (Pred::TRUE, &[fact]) => {
                    part = Part::new(Kind::Base).named(names.of(fact, &mut draft.names));
                    part.initial = first.contains(&fact);
                    draft.add(part, [NodeId(next_transition)]);
                    next_transition += 1;
                    continue;
                }
                (Pred::TERMINAL, _) => part.kind = Kind::Terminal,
                // Nothing reads it; as a constant it disappears when constants are merged.
                _ if grounding.program.predicate(pred).guard => part.kind = Kind::False,
                (Pred::NEXT, _) => {}
                _ => match self.owned(pred, args) {
                    Some((kind, role)) => {
                        part.kind = kind;
                        part = part.of_role(role).named(names.of(args[1], &mut draft.names));
                    }
                    None => {
                        let sentence = grounding.atom_text(AtomId(at as u32));
                        part.name = draft.names.add(|text| *text += &sentence);
                    }
                },
            }
            let source = self.sources[at];
            draft.add(part, (source != NOTHING).then_some(source));
        }
        for &atom in grounding.atoms_of(Pred::TRUE) {
            let (_, fact) = grounding.atom(atom);
            let next = grounding.find(Pred::NEXT, fact);
            let next = next.filter(|next| self.sources[next.index()] != NOTHING);
            let source = next.map(|next| NodeId(FIRST_ATOM + next.0));
            draft.add(Part::new(Kind::Transition), source);
        }
        for (at, &kind) in self.gates.iter().enumerate() {
            draft.add(Part::new(kind), self.gate_inputs.of(at).iter().copied());
        }
        Ok((draft, self.meter))
    }

    /// The kind and role of an atom that belongs to a role. Some rulesheets have moves and goals of
    /// things that are not roles, or goals that are not numbers: those have no owner.
    fn owned(&self, pred: Pred, args: &[TermId]) -> Option<(Kind, u8)> {
        let kind = match pred {
            Pred::DOES => Kind::Input,
            Pred::LEGAL => Kind::Legal,
            Pred::GOAL => Kind::Goal,
            _ => return None,
        };
        let grounding = self.grounding;
        let role = grounding.roles.iter().position(|role| Some(role) == args.first())?;
        if kind == Kind::Goal {
            goal_value(&grounding.program.term_text(&grounding.terms, *args.get(1)?))?;
        }
        Some((kind, role as u8))
    }
}

/// Each term is written once: a move's `does` and `legal` share their name.
struct TermNames<'a> {
    grounding: &'a Grounding,
    known: Vec<NameId>,
}

impl TermNames<'_> {
    fn of(&mut self, term: TermId, names: &mut Names) -> NameId {
        let known = &mut self.known[term.index()];
        if *known == NameId::NONE {
            let grounding = self.grounding;
            *known = names.add(|text| {
                grounding.terms.write(term, &grounding.program.symbols, text);
            });
        }
        *known
    }
}
