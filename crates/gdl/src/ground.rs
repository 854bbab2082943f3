//! Grounding: rules without variables, over all facts and moves that play could ever reach.
//!
//! Relations that do not depend on the state are computed exactly and vanish from the rules. The
//! others are over-approximated [Sironi 2019, 4.1.1]: a fact is possible if `init` gives it or a
//! rule for `next` can, a move if a rule for `legal` can, where positive conditions must be
//! possible and negative conditions on such relations are supposed to hold. `base` and `input` are
//! not needed for this, and not trusted: what they leave out but rules derive stays in. Guards (see
//! `condense`) steer which instances there are and are not written down.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::keymap::KeyMap;
use crate::limits::{LimitHit, Limits};
use crate::program::{Atom, Class, Literal, Pred, Program, Rule, Term};
use crate::relation::Relation;
use crate::saturate::{Saturation, Sink};
use crate::term::{TermId, Terms};

/// A ground atom that depends on the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

impl AtomId {
    /// The atom's place in arrays that hold one entry per atom.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A condition of a ground rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroundLiteral(u32);

impl GroundLiteral {
    fn new(atom: u32, negated: bool) -> Self {
        GroundLiteral(atom << 1 | u32::from(negated))
    }

    /// The atom asked about.
    pub fn atom(self) -> AtomId {
        AtomId(self.0 >> 1)
    }

    /// Whether the atom must not hold.
    pub fn negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A rulesheet without variables.
#[derive(Clone, Debug)]
pub struct Grounding {
    /// The rules it was made from.
    pub program: Arc<Program>,
    /// All ground terms.
    pub terms: Terms,
    /// The players in order.
    pub roles: Vec<TermId>,
    /// The facts of the first state.
    pub init: Vec<TermId>,
    preds: Vec<Pred>,
    arg_starts: Vec<u32>,
    args: Vec<TermId>,
    heads: Vec<AtomId>,
    body_starts: Vec<u32>,
    bodies: Vec<GroundLiteral>,
    numbers: FxHashMap<Pred, KeyMap>,
    atom_numbers: FxHashMap<Pred, Vec<AtomId>>,
    /// How many rows each relation has, those that do not depend on the state included.
    pub(crate) rows: Vec<usize>,
}

/// Where a grounding stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The limit that was hit.
    pub hit: LimitHit,
    /// How many rows each relation had by then.
    pub rows: Vec<usize>,
    /// Whether the relations that do not depend on the state were complete.
    pub constants_known: bool,
}

impl Grounding {
    /// Grounds a program within limits.
    pub fn new(program: &Arc<Program>, limits: &Limits) -> Result<Grounding, LimitHit> {
        Grounding::attempt(program, limits).map_err(|unfinished| unfinished.hit)
    }

    /// As [`new`](Grounding::new), but where a limit is hit it says how far it got.
    pub fn attempt(program: &Arc<Program>, limits: &Limits) -> Result<Grounding, Unfinished> {
        let mut saturation = Saturation::new(program, limits);
        let unfinished = |hit: LimitHit, saturation: &Saturation, constants_known| Unfinished {
            hit,
            constants_known,
            rows: saturation.relations.iter().map(Relation::len).collect(),
        };
        if let Err(hit) = saturation.complete_static(program) {
            return Err(unfinished(hit, &saturation, false));
        }
        let first = saturation.log.len();
        let rules = dynamic_rules(program);
        let numbered: Vec<(usize, &Rule)> = rules.iter().enumerate().collect();
        let growing: Vec<bool> =
            program.predicates.iter().map(|p| p.class != Class::Static).collect();
        let links = rules.len() - LINKS;
        let silent = rules
            .iter()
            .enumerate()
            .map(|(number, rule)| number >= links || program.predicate(rule.head.pred).guard);
        let mut recorder = Recorder { silent: silent.collect(), ..Recorder::default() };
        if let Err(hit) = saturation.run(&numbered, &growing, &mut recorder) {
            return Err(unfinished(hit, &saturation, true));
        }
        Ok(assemble(program, saturation, first, recorder))
    }

    /// How many atoms there are.
    pub fn atom_count(&self) -> usize {
        self.preds.len()
    }

    /// An atom's relation and arguments.
    pub fn atom(&self, atom: AtomId) -> (Pred, &[TermId]) {
        let (start, end) = (self.arg_starts[atom.index()], self.arg_starts[atom.index() + 1]);
        (self.preds[atom.index()], &self.args[start as usize..end as usize])
    }

    /// How many rules there are.
    pub fn rule_count(&self) -> usize {
        self.heads.len()
    }

    /// How many conditions all rules have together.
    pub fn literal_count(&self) -> usize {
        self.bodies.len()
    }

    /// The rules: the head holds if all of the body does.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = (AtomId, &[GroundLiteral])> + '_ {
        self.heads.iter().enumerate().map(|(rule, &head)| {
            let (start, end) = (self.body_starts[rule], self.body_starts[rule + 1]);
            (head, &self.bodies[start as usize..end as usize])
        })
    }

    /// The atom with these arguments, if it is possible.
    pub fn find(&self, pred: Pred, args: &[TermId]) -> Option<AtomId> {
        let number = self.numbers.get(&pred)?.find(args)?;
        Some(self.atom_numbers[&pred][number as usize])
    }

    /// The atoms of a relation, in the order they were derived.
    pub fn atoms_of(&self, pred: Pred) -> &[AtomId] {
        self.atom_numbers.get(&pred).map_or(&[], Vec::as_slice)
    }

    /// An atom as it stands in rulesheets.
    pub fn atom_text(&self, atom: AtomId) -> String {
        let (pred, args) = self.atom(atom);
        let mut text = self.program.symbols.name(self.program.predicate(pred).name).to_owned();
        if !args.is_empty() {
            text.insert(0, '(');
            for &arg in args {
                text.push(' ');
                self.terms.write(arg, &self.program.symbols, &mut text);
            }
            text.push(')');
        }
        text
    }
}

/// Rules that make a state's facts and moves possible; they are no rules of the game.
const LINKS: usize = 3;

/// The rules that depend on the state, and behind them the links.
fn dynamic_rules(program: &Program) -> Vec<Rule> {
    let dynamic = |rule: &&Rule| program.predicate(rule.head.pred).class != Class::Static;
    let mut rules: Vec<Rule> = program.rules.iter().filter(dynamic).cloned().collect();
    let span = crate::diagnostic::Span::new(0, 0);
    let mut link = |head: Pred, from: Pred, arity: u16| {
        let args: Box<[Term]> = (0..arity).map(Term::Variable).collect();
        let body = vec![Literal::Positive(Atom { pred: from, args: args.clone() })];
        rules.push(Rule { head: Atom { pred: head, args }, body, variables: arity, span });
    };
    link(Pred::TRUE, Pred::INIT, 1);
    link(Pred::TRUE, Pred::NEXT, 1);
    link(Pred::DOES, Pred::LEGAL, 2);
    rules
}

/// Writes rule instances down.
#[derive(Default)]
struct Recorder {
    /// The rules that are not written down: links, and rules of guards.
    silent: Vec<bool>,
    heads: Vec<u32>,
    starts: Vec<u32>,
    /// Stamps of positive atoms, and numbers in `negated` of negative ones.
    bodies: Vec<GroundLiteral>,
    negated: Vec<(Pred, u32)>,
    negated_numbers: FxHashMap<Pred, (KeyMap, Vec<u32>)>,
}

impl Sink for Recorder {
    fn instance(
        &mut self,
        rule: usize,
        head: u32,
        positive: &[u32],
        negative: &[(Pred, Vec<TermId>)],
    ) {
        if self.silent[rule] {
            return;
        }
        self.heads.push(head);
        self.starts.push(self.bodies.len() as u32);
        self.bodies.extend(positive.iter().map(|&stamp| GroundLiteral::new(stamp, false)));
        for (pred, row) in negative {
            let (keys, numbers) = self
                .negated_numbers
                .entry(*pred)
                .or_insert_with(|| (KeyMap::new(row.len()), Vec::new()));
            let (key, new) = keys.insert(row);
            if new {
                numbers.push(self.negated.len() as u32);
                self.negated.push((*pred, key));
            }
            self.bodies.push(GroundLiteral::new(numbers[key as usize], true));
        }
    }

    fn bytes(&self) -> usize {
        let keys: usize = self.negated_numbers.values().map(|(keys, _)| keys.bytes()).sum();
        (self.heads.capacity() + self.starts.capacity() + self.bodies.capacity()) * 4
            + self.negated.capacity() * 12
            + keys
    }
}

fn assemble(
    program: &Arc<Program>,
    saturation: Saturation,
    first: usize,
    recorder: Recorder,
) -> Grounding {
    let Saturation { terms, relations, log, .. } = saturation;
    let column = |pred: Pred| -> Vec<TermId> {
        let relation = &relations[pred.index()];
        (0..relation.len() as u32).map(|row| relation.row(row)[0]).collect()
    };
    let mut grounding = Grounding {
        program: Arc::clone(program),
        roles: column(Pred::ROLE),
        init: column(Pred::INIT),
        preds: Vec::new(),
        arg_starts: vec![0],
        args: Vec::new(),
        heads: Vec::new(),
        body_starts: vec![0],
        bodies: Vec::new(),
        numbers: FxHashMap::default(),
        atom_numbers: FxHashMap::default(),
        rows: relations.iter().map(Relation::len).collect(),
        terms,
    };
    for &(pred, row) in &log[first..] {
        grounding.add_atom(pred, relations[pred.index()].row(row));
    }
    let negated: Vec<Option<AtomId>> = recorder
        .negated
        .iter()
        .map(|(pred, key)| grounding.find(*pred, recorder.negated_numbers[pred].0.key(*key)))
        .collect();
    for (rule, &head) in recorder.heads.iter().enumerate() {
        let start = recorder.starts[rule] as usize;
        let end = recorder.starts.get(rule + 1).map_or(recorder.bodies.len(), |&end| end as usize);
        for literal in &recorder.bodies[start..end] {
            if !literal.negated() {
                let atom = literal.atom().0 - first as u32;
                grounding.bodies.push(GroundLiteral::new(atom, false));
            } else if let Some(atom) = negated[literal.atom().index()] {
                // An atom that is not possible never holds, so its negation says nothing.
                grounding.bodies.push(GroundLiteral::new(atom.0, true));
            }
        }
        grounding.end_rule(AtomId(head - first as u32));
    }
    // What the players are asked about is always there, also where it never changes.
    for pred in [Pred::LEGAL, Pred::NEXT, Pred::TERMINAL, Pred::GOAL] {
        if program.predicate(pred).class == Class::Static {
            let relation = &relations[pred.index()];
            for row in 0..relation.len() as u32 {
                let atom = grounding.add_atom(pred, relation.row(row));
                grounding.end_rule(atom);
            }
        }
    }
    grounding
}

impl Grounding {
    fn add_atom(&mut self, pred: Pred, row: &[TermId]) -> AtomId {
        let atom = AtomId(self.preds.len() as u32);
        self.preds.push(pred);
        self.args.extend_from_slice(row);
        self.arg_starts.push(self.args.len() as u32);
        self.numbers.entry(pred).or_insert_with(|| KeyMap::new(row.len())).insert(row);
        self.atom_numbers.entry(pred).or_default().push(atom);
        atom
    }

    fn end_rule(&mut self, head: AtomId) {
        self.heads.push(head);
        self.body_starts.push(self.bodies.len() as u32);
    }
}
