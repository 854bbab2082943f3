//! Bottom-up evaluation: all rows that rules can derive, each rule instance found exactly once.
//!
//! Semi-naive, one row at a time: rows are logged in the order they are derived, and each is joined
//! with the rows logged before it. With the new row at literal *i* of a rule, literals before *i*
//! take strictly older rows and literals after *i* also the new row itself, so that an instance is
//! found once, when the last of its rows arrives.

use crate::limits::{LimitHit, Limits, Meter};
use crate::order::order;
use crate::pattern::{Build, Pattern};
use crate::program::{Atom, Class, Literal, Pred, Program, Rule};
use crate::relation::Relation;
use crate::term::{TermId, Terms};

/// Is told every rule instance.
pub(crate) trait Sink {
    /// The head (by its stamp), the stamps of the rows of growing relations in the body, guards
    /// left out, and the atoms that must not hold.
    fn instance(
        &mut self,
        rule: usize,
        head: u32,
        positive: &[u32],
        negative: &[(Pred, Vec<TermId>)],
    );
    /// Memory in use.
    fn bytes(&self) -> usize;
}

/// The rules of relations that do not depend on the state, by component, in the order in which
/// components build on each other.
fn static_components(program: &Program) -> Vec<Vec<(usize, &Rule)>> {
    let mut components: Vec<Vec<(usize, &Rule)>> = Vec::new();
    for (number, rule) in program.rules.iter().enumerate() {
        let predicate = program.predicate(rule.head.pred);
        if predicate.class == Class::Static {
            let component = predicate.component as usize;
            components.resize_with(components.len().max(component + 1), Vec::new);
            components[component].push((number, rule));
        }
    }
    components.retain(|rules| !rules.is_empty());
    components
}

/// A sink for callers that only want the rows.
pub(crate) struct NoSink;

impl Sink for NoSink {
    fn instance(&mut self, _: usize, _: u32, _: &[u32], _: &[(Pred, Vec<TermId>)]) {}

    fn bytes(&self) -> usize {
        0
    }
}

/// Relations under construction.
pub(crate) struct Saturation {
    pub terms: Terms,
    pub relations: Vec<Relation>,
    /// Every row in the order of its stamp.
    pub log: Vec<(Pred, u32)>,
    /// Which relations are guards: their rows are not written down.
    guards: Vec<bool>,
    meter: Meter,
}

enum Step {
    /// Join with the rows of a relation.
    Join {
        pred: Pred,
        access: Access,
        pattern: Pattern,
        age: Age,
        /// Whether the row is written down with the instance: not if the relation is a guard.
        noted: bool,
    },
    /// The row is not in a complete relation.
    Absent(Pred, Vec<Build>),
    /// The atom must not hold, which is not known yet.
    Assume(Pred, Vec<Build>),
    Distinct(Build, Build),
    Equal(Build, Build),
    Any(Vec<Vec<Step>>),
}

enum Access {
    Member,
    Index(usize),
}

/// Which rows of a growing relation count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Age {
    /// The relation is complete.
    Complete,
    /// Rows older than the newest.
    Older,
    /// Also the newest.
    Newest,
}

struct Plan {
    rule: usize,
    /// How the new row is matched; none for plans that run once at the start.
    trigger: Option<Pattern>,
    /// Whether the new row is written down.
    noted: bool,
    steps: Vec<Step>,
    head: Vec<Build>,
    head_pred: Pred,
    variables: usize,
}

/// The state of one join.
struct Frame<'a> {
    plan: &'a Plan,
    values: Vec<TermId>,
    positive: Vec<u32>,
    negative: Vec<(Pred, Vec<TermId>)>,
    newest: u32,
}

impl Saturation {
    pub fn new(program: &Program, limits: &Limits) -> Saturation {
        Saturation {
            terms: program.terms.clone(),
            relations: program.predicates.iter().map(|p| Relation::new(p.arity)).collect(),
            log: Vec::new(),
            guards: program.predicates.iter().map(|p| p.guard).collect(),
            meter: Meter::new(limits),
        }
    }

    /// Computes all relations that do not depend on the state.
    pub fn complete_static(&mut self, program: &Program) -> Result<(), LimitHit> {
        for component in static_components(program) {
            self.complete_component(program, &component)?;
        }
        Ok(())
    }

    /// Computes those relations that do not depend on the state and can be computed within
    /// `limits` each, and within `total` steps together; says which relations these are.
    pub fn complete_static_within(
        &mut self,
        program: &Program,
        limits: &Limits,
        total: u64,
    ) -> Vec<bool> {
        let mut left = total;
        let mut complete = vec![false; program.predicates.len()];
        // A relation without rules is complete: it is empty.
        let mut defined = vec![false; program.predicates.len()];
        program.rules.iter().for_each(|rule| defined[rule.head.pred.index()] = true);
        for (index, predicate) in program.predicates.iter().enumerate() {
            complete[index] = predicate.class == Class::Static && !defined[index];
        }
        for component in static_components(program) {
            let members: Vec<Pred> = component.iter().map(|(_, rule)| rule.head.pred).collect();
            let mut ready = true;
            for (_, rule) in &component {
                for literal in &rule.body {
                    literal.atoms(&mut |atom, _| {
                        ready &= complete[atom.pred.index()] || members.contains(&atom.pred);
                    });
                }
            }
            self.meter = Meter::new(&Limits {
                steps: Some(left.min(limits.steps.unwrap_or(left))),
                ..limits.clone()
            });
            let start = self.log.len();
            let done = ready && self.complete_component(program, &component).is_ok();
            left = left.saturating_sub(self.meter.used().max(1));
            if done {
                members.iter().for_each(|pred| complete[pred.index()] = true);
            } else {
                self.log.truncate(start);
                for pred in members {
                    self.relations[pred.index()] = Relation::new(program.predicate(pred).arity);
                }
            }
        }
        complete
    }

    fn complete_component(
        &mut self,
        program: &Program,
        rules: &[(usize, &Rule)],
    ) -> Result<(), LimitHit> {
        let mut growing = vec![false; program.predicates.len()];
        for (_, rule) in rules {
            growing[rule.head.pred.index()] = program.predicate(rule.head.pred).recursive;
        }
        self.run(rules, &growing, &mut NoSink)
    }

    /// Derives all that `rules` give. `growing` marks the relations that are not complete yet;
    /// negations of these are reported, not tested.
    pub fn run(
        &mut self,
        rules: &[(usize, &Rule)],
        growing: &[bool],
        sink: &mut dyn Sink,
    ) -> Result<(), LimitHit> {
        let start = self.log.len();
        let mut triggers: Vec<Vec<Plan>> = (0..self.relations.len()).map(|_| Vec::new()).collect();
        let mut at_start = Vec::new();
        let expanded = rules.iter().flat_map(|&(number, rule)| {
            let open = |atom: &Atom, _| growing[atom.pred.index()];
            rule.without_any(&open).into_iter().map(move |rule| (number, rule))
        });
        for (number, rule) in expanded {
            let mut any = false;
            for (place, literal) in rule.body.iter().enumerate() {
                if let Literal::Positive(atom) = literal
                    && growing[atom.pred.index()]
                {
                    any = true;
                    let plan = self.plan(number, &rule, Some(place), growing);
                    triggers[atom.pred.index()].push(plan);
                }
            }
            if !any {
                at_start.push(self.plan(number, &rule, None, growing));
            }
        }
        for plan in &at_start {
            self.start(plan, u32::MAX, None, sink)?;
        }
        let mut newest = start;
        while newest < self.log.len() {
            let (pred, row) = self.log[newest];
            for plan in &triggers[pred.index()] {
                self.start(plan, newest as u32, Some((pred, row)), sink)?;
            }
            newest += 1;
        }
        Ok(())
    }

    fn plan(
        &mut self,
        number: usize,
        rule: &Rule,
        trigger: Option<usize>,
        growing: &[bool],
    ) -> Plan {
        let variables = usize::from(rule.variables);
        let mut bound = vec![false; variables];
        let trigger_pattern = trigger.map(|place| match &rule.body[place] {
            Literal::Positive(atom) => Pattern::new(&atom.args, &mut bound),
            _ => Pattern::default(),
        });
        let places: Vec<usize> = (0..rule.body.len()).filter(|&p| Some(p) != trigger).collect();
        let literals: Vec<Literal> = places.iter().map(|&p| rule.body[p].clone()).collect();
        let order =
            order(&literals, &bound, |literal, bound| self.expected(literal, bound, growing));
        let mut steps = Vec::new();
        for index in order {
            let age = |pred: Pred| match trigger {
                _ if !growing[pred.index()] => Age::Complete,
                Some(trigger) if places[index] < trigger => Age::Older,
                _ => Age::Newest,
            };
            steps.push(self.step(&literals[index], &mut bound, growing, &age));
        }
        let noted = trigger.is_none_or(|place| match &rule.body[place] {
            Literal::Positive(atom) => !self.guards[atom.pred.index()],
            _ => true,
        });
        Plan {
            rule: number,
            trigger: trigger_pattern,
            noted,
            steps,
            head: rule.head.args.iter().map(Build::new).collect(),
            head_pred: rule.head.pred,
            variables,
        }
    }

    fn expected(&mut self, literal: &Literal, bound: &[bool], growing: &[bool]) -> f64 {
        let (Literal::Positive(atom) | Literal::Negative(atom)) = literal else { return 0.0 };
        let pattern = Pattern::new(&atom.args, &mut bound.to_vec());
        if growing[atom.pred.index()] {
            // Nothing is known yet: each unknown argument may have many values.
            let free = pattern.binds.len() as i32;
            return if free == 0 { 0.9 } else { 12f64.powi(free) };
        }
        self.relations[atom.pred.index()].expected_matches(&pattern.shape(), &self.terms)
    }

    fn step(
        &mut self,
        literal: &Literal,
        bound: &mut [bool],
        growing: &[bool],
        age: &dyn Fn(Pred) -> Age,
    ) -> Step {
        match literal {
            Literal::Positive(atom) => {
                let pattern = Pattern::new(&atom.args, bound);
                let relation = &mut self.relations[atom.pred.index()];
                let access = if pattern.covers_row(relation.width()) {
                    Access::Member
                } else {
                    Access::Index(relation.index(&pattern.shape(), &self.terms))
                };
                let noted = !self.guards[atom.pred.index()];
                Step::Join { pred: atom.pred, access, pattern, age: age(atom.pred), noted }
            }
            Literal::Negative(atom) => {
                let row = atom.args.iter().map(Build::new).collect();
                if growing[atom.pred.index()] {
                    Step::Assume(atom.pred, row)
                } else {
                    Step::Absent(atom.pred, row)
                }
            }
            Literal::Distinct(a, b) => Step::Distinct(Build::new(a), Build::new(b)),
            Literal::Equal(a, b) => Step::Equal(Build::new(a), Build::new(b)),
            Literal::Any(parts) => Step::Any(
                parts
                    .iter()
                    .map(|part| {
                        part.iter()
                            .map(|literal| self.step(literal, bound, growing, &|_| Age::Complete))
                            .collect()
                    })
                    .collect(),
            ),
        }
    }

    fn start(
        &mut self,
        plan: &Plan,
        newest: u32,
        row: Option<(Pred, u32)>,
        sink: &mut dyn Sink,
    ) -> Result<(), LimitHit> {
        let mut frame = Frame {
            plan,
            values: vec![TermId(0); plan.variables],
            positive: Vec::new(),
            negative: Vec::new(),
            newest,
        };
        if let (Some((pred, row)), Some(pattern)) = (row, &plan.trigger) {
            let row = self.relations[pred.index()].row(row);
            let terms = &self.terms;
            let fits = pattern
                .guards
                .iter()
                .all(|(p, f)| terms.functor_of(p.get(terms, row)) == *f)
                && pattern.keys.iter().all(|(p, b)| b.find(terms, &[]) == Some(p.get(terms, row)))
                && pattern.bind(terms, row, &mut frame.values);
            if !fits {
                return Ok(());
            }
            if plan.noted {
                frame.positive.push(newest);
            }
        }
        self.join(&mut frame, 0, sink)
    }

    fn join(
        &mut self,
        frame: &mut Frame<'_>,
        at: usize,
        sink: &mut dyn Sink,
    ) -> Result<(), LimitHit> {
        let Some(step) = frame.plan.steps.get(at) else { return self.emit(frame, sink) };
        match step {
            Step::Join { pred, access, pattern, age, noted } => {
                let noted = *noted && *age != Age::Complete;
                let Some(key) = self.key(pattern, &frame.values) else { return Ok(()) };
                let relation = &self.relations[pred.index()];
                let fresh = |stamp: u32| match age {
                    Age::Complete => true,
                    Age::Older => stamp < frame.newest,
                    Age::Newest => stamp <= frame.newest,
                };
                let Access::Index(index) = access else {
                    return match relation.find(&key) {
                        Some(row) if fresh(relation.stamp(row)) => {
                            let stamp = relation.stamp(row);
                            self.with_row(frame, noted, stamp, at, sink)
                        }
                        _ => Ok(()),
                    };
                };
                // The bucket may grow while we are in it; what is added is newer than `newest`.
                let mut place = 0;
                loop {
                    let relation = &self.relations[pred.index()];
                    let Some(&row) = relation.bucket(*index, &key).get(place) else { break };
                    let stamp = relation.stamp(row);
                    let too_new =
                        stamp > frame.newest || (*age == Age::Older && stamp == frame.newest);
                    if *age != Age::Complete && too_new {
                        break;
                    }
                    place += 1;
                    if pattern.bind(&self.terms, relation.row(row), &mut frame.values) {
                        self.with_row(frame, noted, stamp, at, sink)?;
                    }
                    self.look(sink)?;
                }
                Ok(())
            }
            Step::Assume(pred, row) => {
                let row: Option<Vec<_>> =
                    row.iter().map(|build| build.make(&mut self.terms, &frame.values)).collect();
                frame.negative.push((*pred, row.ok_or(LimitHit::EndlessTerms)?));
                let result = self.join(frame, at + 1, sink);
                frame.negative.pop();
                result
            }
            test => {
                if self.holds(test, &frame.values) {
                    self.join(frame, at + 1, sink)
                } else {
                    Ok(())
                }
            }
        }
    }

    fn key(&self, pattern: &Pattern, values: &[TermId]) -> Option<Vec<TermId>> {
        pattern.keys.iter().map(|(_, build)| build.find(&self.terms, values)).collect()
    }

    fn with_row(
        &mut self,
        frame: &mut Frame<'_>,
        noted: bool,
        stamp: u32,
        at: usize,
        sink: &mut dyn Sink,
    ) -> Result<(), LimitHit> {
        if !noted {
            return self.join(frame, at + 1, sink);
        }
        frame.positive.push(stamp);
        let result = self.join(frame, at + 1, sink);
        frame.positive.pop();
        result
    }

    fn holds(&self, test: &Step, values: &[TermId]) -> bool {
        let same = |a: &Build, b: &Build| a.same(b, &self.terms, values);
        let present = |pred: Pred, row: &[Build]| {
            let row: Option<Vec<_>> = row.iter().map(|b| b.find(&self.terms, values)).collect();
            row.is_some_and(|row| self.relations[pred.index()].find(&row).is_some())
        };
        match test {
            Step::Distinct(a, b) => !same(a, b),
            Step::Equal(a, b) => same(a, b),
            Step::Absent(pred, row) => !present(*pred, row),
            Step::Any(parts) => parts.iter().any(|part| part.iter().all(|s| self.holds(s, values))),
            Step::Join { pred, pattern, .. } => self
                .key(pattern, values)
                .is_some_and(|key| self.relations[pred.index()].find(&key).is_some()),
            Step::Assume(..) => true,
        }
    }

    fn emit(&mut self, frame: &Frame<'_>, sink: &mut dyn Sink) -> Result<(), LimitHit> {
        let plan = frame.plan;
        let mut buffer = [TermId(0); 8];
        let mut long = Vec::new();
        let row: &mut [TermId] = match buffer.get_mut(..plan.head.len()) {
            Some(row) => row,
            None => {
                long.resize(plan.head.len(), TermId(0));
                &mut long
            }
        };
        for (slot, build) in row.iter_mut().zip(&plan.head) {
            *slot = build.make(&mut self.terms, &frame.values).ok_or(LimitHit::EndlessTerms)?;
        }
        let stamp = self.add(plan.head_pred, row);
        sink.instance(plan.rule, stamp, &frame.positive, &frame.negative);
        self.look(sink)
    }

    /// Adds a row, unless it is known; its stamp.
    pub fn add(&mut self, pred: Pred, row: &[TermId]) -> u32 {
        let relation = &mut self.relations[pred.index()];
        if let Some(known) = relation.find(row) {
            return relation.stamp(known);
        }
        let stamp = self.log.len() as u32;
        if let Some(number) = relation.insert(&self.terms, row, stamp) {
            self.log.push((pred, number));
        }
        stamp
    }

    fn look(&mut self, sink: &dyn Sink) -> Result<(), LimitHit> {
        let (terms, relations, log) = (&self.terms, &self.relations, &self.log);
        self.meter.step(|| {
            let rows: usize = relations.iter().map(Relation::bytes).sum();
            terms.bytes() + rows + log.capacity() * 8 + sink.bytes()
        })
    }
}
