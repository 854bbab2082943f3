//! Rules with fewer variables each, for smaller groundings.
//!
//! In `(<= (next (cell ?x ?y ?s)) (true (cell ?x ?y ?s)) (does ?p (move ?u ?v)) (far ?x ?y ?u ?v))`
//! the conditions on `?p`, `?u` and `?v` say nothing about `?s`. A relation of their own,
//! `(<= (h ?x ?y) (does ?p (move ?u ?v)) (far ?x ?y ?u ?v))`, has one instance per move and cell
//! instead of one per move, cell and `?s`, and is shared by all rules with the same conditions. The rewriting
//! takes a variable that the head does not need, the conditions it occurs in, and moves them out if
//! they have fewer variables than the whole rule; smallest first, until nothing can be moved. This is
//! elimination of variables along a tree decomposition of the rule, greedy.
//!
//! Negations, `distinct` and alternatives bind nothing. Where what binds their variables stays
//! behind, the new relation gets a *guard* instead: a projection of that condition, which says only
//! which values are possible. The rest of the rule implies the guard, so ground rules leave it out.
//! Rules of relations that do not depend on the state stay as they are.

use rustc_hash::FxHashMap;

use crate::limits::{LimitHit, Limits, Meter};
use crate::program::{Atom, Class, Literal, Pred, Program, Rule, Term, analyse};

/// More rules than this from one rule (by alternatives of its `or`) and the `or` is kept.
const MAX_ALTERNATIVES: usize = 16;
/// Longer rules, or rules with more variables, stay as they are: looking for parts takes time that
/// grows with the third power of these.
const MAX_CONDITIONS: usize = 64;
const MAX_VARIABLES: u16 = 64;

impl Program {
    /// An equivalent program whose rules have fewer variables, with new relations between them.
    /// What the rules say about `legal`, `next`, `terminal` and `goal` is the same.
    pub fn condensed(&self) -> Program {
        // Without limits none is hit; and if one were, the rules as they are mean the same.
        self.condensed_within(&Limits::none()).unwrap_or_else(|_| self.clone())
    }

    /// As [`condensed`](Program::condensed), within limits.
    pub fn condensed_within(&self, limits: &Limits) -> Result<Program, LimitHit> {
        let mut work = Work::new(self, limits);
        for rule in &self.rules {
            if self.predicate(rule.head.pred).class == Class::Static {
                work.done.push(rule.clone());
            } else {
                work.rule(rule)?;
            }
        }
        let Work { program, preds, guards, done, .. } = work;
        let mut predicates = analyse(&preds, &done);
        guards.iter().for_each(|guard| predicates[guard.index()].guard = true);
        Ok(Program { predicates, rules: done, ..program })
    }
}

/// How many variables the widest of the rules has that condensation makes of these.
pub(crate) fn width(program: &Program, rules: &[Rule], limits: &Limits) -> Result<usize, LimitHit> {
    let mut work = Work::new(program, limits);
    rules.iter().try_for_each(|rule| work.rule(rule))?;
    let widths = work.done.iter().map(|rule| {
        let head = Literal::Positive(rule.head.clone());
        variables(&rule.body.iter().chain([&head]).collect::<Vec<_>>()).len()
    });
    Ok(widths.max().unwrap_or(0))
}

/// The same rule with its variables numbered from 0 in the order they occur in the body.
pub(crate) fn numbered_anew(rule: Rule) -> Rule {
    let mut numbers: FxHashMap<u16, u16> = FxHashMap::default();
    let mut number = |v: u16| {
        let next = numbers.len() as u16;
        *numbers.entry(v).or_insert(next)
    };
    let body = rule.body.iter().map(|literal| rename_literal(literal, &mut number)).collect();
    let head = rename_atom(&rule.head, &mut number);
    Rule { head, body, variables: numbers.len() as u16, span: rule.span }
}

/// The bodies without `or`, unless they are too many: a part of the alternatives may be moved out
/// where all of them together could not.
fn alternatives(body: &[Literal]) -> Option<Vec<Vec<Literal>>> {
    let mut bodies = vec![Vec::new()];
    for literal in body {
        match literal {
            Literal::Any(parts) => {
                if bodies.len() * parts.len() > MAX_ALTERNATIVES {
                    return None;
                }
                let longer = |body: &Vec<Literal>, part: &Vec<Literal>| {
                    [body.as_slice(), part.as_slice()].concat()
                };
                bodies = bodies
                    .iter()
                    .flat_map(|body| parts.iter().map(move |part| longer(body, part)))
                    .collect();
            }
            _ => bodies.iter_mut().for_each(|body| body.push(literal.clone())),
        }
    }
    Some(bodies)
}

/// The parts of a new relation: conditions, arguments, whether it is a guard.
type Definition = (Vec<Literal>, Box<[Term]>, bool);

struct Work {
    meter: Meter,
    program: Program,
    preds: Vec<(crate::symbol::Symbol, usize)>,
    /// Relations by what they were made of, variables numbered as they come.
    known: FxHashMap<Definition, Pred>,
    guards: Vec<Pred>,
    done: Vec<Rule>,
}

/// A set of variables, sorted.
type Variables = Vec<u16>;

fn variables(literals: &[&Literal]) -> Variables {
    let mut all: Variables = literals.iter().flat_map(|literal| literal.variables()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn contains(all: &[u16], variable: u16) -> bool {
    all.binary_search(&variable).is_ok()
}

/// Conditions to be moved out: places in the body, and the variables they have.
struct Part {
    moved: Vec<usize>,
    /// Conditions that stay, of which guards are made.
    guarding: Vec<usize>,
    variables: Variables,
}

impl Work {
    fn new(program: &Program, limits: &Limits) -> Work {
        Work {
            meter: Meter::new(limits),
            program: program.clone(),
            preds: program.predicates.iter().map(|p| (p.name, p.arity)).collect(),
            known: FxHashMap::default(),
            guards: Vec::new(),
            done: Vec::new(),
        }
    }

    /// Splits a rule that depends on the state, unless that would take too long.
    fn rule(&mut self, rule: &Rule) -> Result<(), LimitHit> {
        if rule.body.len() > MAX_CONDITIONS || rule.variables > MAX_VARIABLES {
            self.done.push(rule.clone());
            return Ok(());
        }
        let bodies = alternatives(&rule.body).unwrap_or_else(|| vec![rule.body.clone()]);
        bodies.into_iter().try_for_each(|body| self.split(Rule { body, ..rule.clone() }))
    }

    fn split(&mut self, mut rule: Rule) -> Result<(), LimitHit> {
        loop {
            self.meter.check(self.done.len() * size_of::<Rule>())?;
            let Some(part) = best_part(&rule) else { break };
            rule = self.move_out(&rule, &part)?;
        }
        self.done.push(rule);
        Ok(())
    }

    /// The rule with a part replaced by a relation of its own.
    fn move_out(&mut self, rule: &Rule, part: &Part) -> Result<Rule, LimitHit> {
        let rest: Vec<Literal> = (0..rule.body.len())
            .filter(|at| !part.moved.contains(at))
            .map(|at| rule.body[at].clone())
            .collect();
        let head = Literal::Positive(rule.head.clone());
        let outside: Vec<&Literal> = rest.iter().chain([&head]).collect();
        let outside = variables(&outside);
        let shared: Variables =
            part.variables.iter().copied().filter(|&v| contains(&outside, v)).collect();
        let mut inside: Vec<Literal> = part.moved.iter().map(|&at| rule.body[at].clone()).collect();
        for &at in &part.guarding {
            let guarded = variables(&[&rule.body[at]]);
            let guarded: Variables =
                guarded.into_iter().filter(|&v| contains(&part.variables, v)).collect();
            let pred = self.relation(rule, vec![rule.body[at].clone()], &guarded, true)?;
            self.guards.push(pred);
            let args = guarded.iter().map(|&v| Term::Variable(v)).collect();
            inside.push(Literal::Positive(Atom { pred, args }));
        }
        let pred = self.relation(rule, inside, &shared, false)?;
        let args = shared.iter().map(|&v| Term::Variable(v)).collect();
        let mut body = rest;
        body.push(Literal::Positive(Atom { pred, args }));
        Ok(Rule { body, ..rule.clone() })
    }

    /// The relation that holds for `shared` where all of `body` does.
    fn relation(
        &mut self,
        rule: &Rule,
        body: Vec<Literal>,
        shared: &[u16],
        guard: bool,
    ) -> Result<Pred, LimitHit> {
        let mut numbers: FxHashMap<u16, u16> = FxHashMap::default();
        let mut number = |v: u16| {
            let next = numbers.len() as u16;
            *numbers.entry(v).or_insert(next)
        };
        let body: Vec<Literal> = body.iter().map(|l| rename_literal(l, &mut number)).collect();
        let args: Box<[Term]> = shared.iter().map(|&v| Term::Variable(number(v))).collect();
        let variables = numbers.len() as u16;
        let key = (body, args, guard);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let whole = self.program.symbols.name(self.preds[rule.head.pred.index()].0);
        let base = whole.split('#').next().unwrap_or(whole);
        let name = format!("{base}#{}", self.known.len());
        let name = self.program.symbols.intern(&name);
        let pred = Pred(self.preds.len() as u32);
        self.preds.push((name, shared.len()));
        self.known.insert(key.clone(), pred);
        let head = Atom { pred, args: key.1 };
        self.split(Rule { head, body: key.0, variables, span: rule.span })?;
        Ok(pred)
    }
}

/// The part to be moved out next: all conditions that hang together by variables the head does not
/// need, if they are not the whole rule; otherwise the conditions around one such variable, those
/// with the fewest variables first.
fn best_part(rule: &Rule) -> Option<Part> {
    let whole: Vec<&Literal> = rule.body.iter().collect();
    let all = variables(&whole);
    let head = Literal::Positive(rule.head.clone());
    let needed = variables(&[&head]);
    let free: Variables = all.iter().copied().filter(|&v| !contains(&needed, v)).collect();
    let smaller = |part: &Part| part.variables.len() < all.len();
    let parts = |grow: bool| {
        let around = free.iter().filter_map(|&v| part_around(rule, v, grow.then_some(&needed)));
        around.filter(smaller).min_by_key(|part| part.variables.len())
    };
    parts(true).or_else(|| parts(false))
}

/// The conditions in which a variable occurs, with those that bind the other variables of tests.
/// Given what the head needs, also the conditions in which their other variables occur, and so on.
fn part_around(rule: &Rule, variable: u16, needed: Option<&Variables>) -> Option<Part> {
    let has = |at: usize, v: u16| rule.body[at].variables().any(|known| known == v);
    let binds = |at: usize| matches!(rule.body[at], Literal::Positive(_));
    let mut moved: Vec<usize> = (0..rule.body.len()).filter(|&at| has(at, variable)).collect();
    if let Some(needed) = needed {
        let mut at = 0;
        while at < moved.len() {
            for v in rule.body[moved[at]].variables().filter(|&v| !contains(needed, v)) {
                let more = (0..rule.body.len()).filter(|at| has(*at, v) && !moved.contains(at));
                let more: Vec<usize> = more.collect();
                moved.extend(more);
            }
            at += 1;
        }
        moved.sort_unstable();
    }
    let inside: Vec<&Literal> = moved.iter().map(|&at| &rule.body[at]).collect();
    let all = variables(&inside);
    let mut guarding: Vec<usize> = Vec::new();
    loop {
        let binders = moved.iter().chain(&guarding).filter(|&&at| binds(at));
        let bound = variables(&binders.map(|&at| &rule.body[at]).collect::<Vec<_>>());
        let open: Variables = all.iter().copied().filter(|&v| !contains(&bound, v)).collect();
        let Some(&first) = open.first() else {
            return Some(Part { moved, guarding, variables: all });
        };
        // The condition that binds most of what is open.
        let covered = |at: usize| open.iter().filter(|&&v| has(at, v)).count();
        let binder = (0..rule.body.len())
            .filter(|&at| binds(at) && has(at, first))
            .max_by_key(|&at| (covered(at), std::cmp::Reverse(at)))?;
        guarding.push(binder);
    }
}

pub(crate) fn rename_literal(literal: &Literal, number: &mut dyn FnMut(u16) -> u16) -> Literal {
    match literal {
        Literal::Positive(atom) => Literal::Positive(rename_atom(atom, number)),
        Literal::Negative(atom) => Literal::Negative(rename_atom(atom, number)),
        Literal::Distinct(a, b) => Literal::Distinct(rename(a, number), rename(b, number)),
        Literal::Equal(a, b) => Literal::Equal(rename(a, number), rename(b, number)),
        Literal::Any(parts) => Literal::Any(
            parts
                .iter()
                .map(|part| part.iter().map(|l| rename_literal(l, number)).collect())
                .collect(),
        ),
    }
}

fn rename_atom(atom: &Atom, number: &mut dyn FnMut(u16) -> u16) -> Atom {
    Atom { pred: atom.pred, args: atom.args.iter().map(|arg| rename(arg, number)).collect() }
}

fn rename(term: &Term, number: &mut dyn FnMut(u16) -> u16) -> Term {
    match term {
        Term::Variable(v) => Term::Variable(number(*v)),
        Term::Constant(id) => Term::Constant(*id),
        Term::Function(functor, args) => {
            Term::Function(*functor, args.iter().map(|arg| rename(arg, number)).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{Grounding, Limits, Rulesheet};

    /// Ground rules without and with condensation.
    fn counts(rules: &str) -> (usize, usize) {
        let program = Rulesheet::load(rules.as_bytes()).expect("sound rules").program;
        let condensed = Arc::new(program.condensed());
        let count = |program| {
            Grounding::new(program, &Limits::default()).expect("a small game").rule_count()
        };
        (count(&program), count(&condensed))
    }

    const GAME: &str = "(role r) (goal r 0) (<= terminal (true (cell 1 1)))
        (index 1) (index 2) (index 3) (index 4) (index 5)
        (<= (legal r (go ?x)) (index ?x))
        (<= (init (cell ?x ?y)) (index ?x) (index ?y))";

    #[test]
    fn what_the_head_does_not_need_is_asked_once() {
        // 25 cells times 4 moves; then 5 times 4 in between and 25 for the cells.
        let frame =
            "(<= (next (cell ?x ?y)) (true (cell ?x ?y)) (does r (go ?z)) (distinct ?x ?z))";
        let (plain, condensed) = counts(&format!("{GAME} {frame}"));
        assert_eq!(plain - condensed, 100 - (20 + 25));
    }

    #[test]
    fn guards_are_not_written_down() {
        let frame =
            "(<= (next (cell ?x ?y)) (true (cell ?x ?y)) (does r (go ?z)) (distinct ?x ?z))";
        let rules = format!("{GAME} {frame}");
        let program = Rulesheet::load(rules.as_bytes()).expect("sound rules").program;
        let condensed = Arc::new(program.condensed());
        assert!(condensed.predicates.iter().any(|predicate| predicate.guard));
        let grounding = Grounding::new(&condensed, &Limits::default()).expect("a small game");
        for (head, body) in grounding.rules() {
            let atoms = body.iter().map(|literal| literal.atom()).chain([head]);
            for atom in atoms {
                assert!(!condensed.predicate(grounding.atom(atom).0).guard);
            }
        }
    }

    #[test]
    fn rules_whose_variables_all_hang_together_stay() {
        let rule = "(<= (next (cell ?x ?y)) (true (cell ?x ?z)) (true (cell ?z ?y)))";
        let (plain, condensed) = counts(&format!("{GAME} {rule}"));
        assert_eq!(plain, condensed);
    }
}
