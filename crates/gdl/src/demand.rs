//! Only what is asked for: rules that derive no more than the questions of play lead to.
//!
//! Grounding works from facts to conclusions, so of a relation such as `(<= (attacked ?x ?y
//! ?ignored) (line ?x ?y ?u ?v) (square ?ignored))` it writes down every row, though the rules for
//! `legal` may ask about a few of them. Here every relation between the state and the answers gets
//! a *demand*: a guard (see `condense`) that holds for those values of some arguments with which
//! the relation is asked for. The rules of the relation get it as their first condition, and every
//! rule that asks gives a rule for it: the demand on its own head and the conditions before the
//! question lead to the demand on what is asked. In the literature this is the magic-set
//! transformation (Beeri and Ramakrishnan, "On the power of magic", 1991).
//!
//! Choices. A relation has one demand, for the arguments that have values wherever it is asked for;
//! `legal`, `next`, `terminal` and `goal` are asked for in full. Conditions are taken in the order
//! that leaves the fewest variables open at each, facts and moves first among equals, then
//! relations, then what never changes: a demand for few values that leaves some open beats one for
//! all values that a wide table of constants allows. Negative conditions come last in each rule, so
//! that their variables have values.
//!
//! Why this loses nothing: a condition of a ground rule is demanded as soon as the demand on its
//! head and the conditions before it are possible, and every rule for what is demanded is there.
//! Demands are guards, and no ground rule holds them.

use crate::limits::{LimitHit, Limits, Meter};
use crate::program::{Atom, Class, Literal, Pred, Program, Rule, analyse};
use crate::scc::Graph;

impl Program {
    /// An equivalent program that derives of the relations marked `wide`, and of all that build on
    /// them, only what `legal`, `next`, `terminal` and `goal` ask for. What it says about those is
    /// the same.
    pub fn demanded_within(&self, wide: &[bool], limits: &Limits) -> Result<Program, LimitHit> {
        let mut meter = Meter::new(limits);
        let rules = self.without_alternatives();
        let mut demands = Demands::new(self, &rules, wide);
        while demands.narrow(&rules, &mut meter)? {}
        let mut preds: Vec<_> = self.predicates.iter().map(|p| (p.name, p.arity)).collect();
        let mut program = self.clone();
        let first = preds.len();
        let guards: Vec<Option<Pred>> = (0..first)
            .map(|pred| {
                let bound = demands.bound[pred].as_ref().filter(|bound| !bound.is_empty())?;
                let name = format!("{}?", self.symbols.name(self.predicates[pred].name));
                preds.push((program.symbols.intern(&name), bound.len()));
                Some(Pred(preds.len() as u32 - 1))
            })
            .collect();
        let mut done = Vec::new();
        for rule in &rules {
            meter.step(|| done.len() * size_of::<Rule>())?;
            demands.rewrite(rule, &guards, &mut done);
        }
        let mut predicates = analyse(&preds, &done);
        for (new, old) in predicates.iter_mut().zip(&self.predicates) {
            new.guard = old.guard;
        }
        predicates[first..].iter_mut().for_each(|demand| demand.guard = true);
        program.rules = done;
        program.predicates = predicates;
        Ok(program)
    }

    /// The rules, with alternatives that ask about the state multiplied out.
    fn without_alternatives(&self) -> Vec<Rule> {
        let dynamic = |atom: &Atom, _| self.predicate(atom.pred).class != Class::Static;
        self.rules.iter().flat_map(|rule| rule.without_any(&dynamic)).collect()
    }
}

struct Demands<'a> {
    program: &'a Program,
    /// Whether a relation's rules are restricted.
    inner: Vec<bool>,
    /// For each relation, the arguments that have values wherever it is asked for; none if it was not asked for
    /// yet.
    bound: Vec<Option<Vec<usize>>>,
}

/// Relations of the game's interface: the state, the moves and the questions of a reasoner. They are never restricted.
const OUTER: [Pred; 6] =
    [Pred::LEGAL, Pred::NEXT, Pred::TERMINAL, Pred::GOAL, Pred::TRUE, Pred::DOES];

impl<'a> Demands<'a> {
    fn new(program: &'a Program, rules: &[Rule], wide: &[bool]) -> Demands<'a> {
        let mut inner = wide.to_vec();
        inner.resize(program.predicates.len(), false);
        let mut edges = Vec::new();
        for rule in rules.iter().filter(|rule| !OUTER.contains(&rule.head.pred)) {
            for literal in &rule.body {
                literal.atoms(&mut |atom, _| edges.push((atom.pred.0, rule.head.pred.0)));
            }
        }
        let builds_on = Graph::new(inner.len(), &edges);
        let mut open: Vec<u32> =
            (0..inner.len() as u32).filter(|&pred| inner[pred as usize]).collect();
        while let Some(pred) = open.pop() {
            for &above in builds_on.targets(pred) {
                if !std::mem::replace(&mut inner[above as usize], true) {
                    open.push(above);
                }
            }
        }
        for (index, predicate) in program.predicates.iter().enumerate() {
            inner[index] &=
                predicate.class != Class::Static && !OUTER.contains(&Pred(index as u32));
        }
        let bound = inner.iter().map(|&inner| (!inner).then(Vec::new)).collect();
        Demands { program, inner, bound }
    }

    /// Goes once through all rules; whether anything changed.
    fn narrow(&mut self, rules: &[Rule], meter: &mut Meter) -> Result<bool, LimitHit> {
        let mut changed = false;
        for rule in rules {
            meter.step(|| size_of_val(rules))?;
            let Some(bound) = &self.bound[rule.head.pred.index()] else { continue };
            let mut known = variables_at(&rule.head, bound);
            for at in self.order(rule, &known) {
                if let Some(atom) = self.asks(&rule.body[at]) {
                    let has = |arg: &usize| atom.args[*arg].variables().all(|v| known.contains(&v));
                    let bound = &mut self.bound[atom.pred.index()];
                    let now: Vec<usize> = match bound.as_ref() {
                        Some(before) => before.iter().copied().filter(has).collect(),
                        None => (0..atom.args.len()).filter(has).collect(),
                    };
                    changed |= bound.as_ref() != Some(&now);
                    *bound = Some(now);
                }
                known.extend(rule.body[at].variables());
            }
        }
        Ok(changed)
    }

    /// The atom of a condition on a relation whose rules are restricted.
    fn asks<'b>(&self, literal: &'b Literal) -> Option<&'b Atom> {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                Some(atom).filter(|atom| self.inner[atom.pred.index()])
            }
            _ => None,
        }
    }

    /// The order in which the conditions of a rule are asked when the variables `known` have
    /// values.
    fn order(&self, rule: &Rule, known: &[u16]) -> Vec<usize> {
        let mut known = known.to_vec();
        let mut rest: Vec<usize> = (0..rule.body.len()).collect();
        let mut order = Vec::with_capacity(rest.len());
        while !rest.is_empty() {
            let cost = |at: usize| {
                let literal = &rule.body[at];
                let mut open: Vec<u16> =
                    literal.variables().filter(|v| !known.contains(v)).collect();
                open.sort_unstable();
                open.dedup();
                let apart = !open.is_empty() && literal.variables().all(|v| open.contains(&v));
                match literal {
                    Literal::Positive(atom) => {
                        let fixed = self.program.predicate(atom.pred).class == Class::Static;
                        let inner = self.inner[atom.pred.index()];
                        let rank = if fixed { 3 } else { 1 + u8::from(inner) };
                        (open.len(), if apart { 4 + rank } else { rank })
                    }
                    Literal::Negative(_) => (usize::MAX, 1),
                    _ if open.is_empty() => (0, 0),
                    _ => (usize::MAX, 0),
                }
            };
            let place = (0..rest.len()).min_by_key(|&place| cost(rest[place])).unwrap_or(0);
            let at = rest.remove(place);
            known.extend(rule.body[at].variables());
            order.push(at);
        }
        order
    }

    /// The rule with the demand on its head, and the rules for what it asks.
    fn rewrite(&self, rule: &Rule, guards: &[Option<Pred>], into: &mut Vec<Rule>) {
        // Rules of a relation that is never asked for are left out.
        let Some(bound) = &self.bound[rule.head.pred.index()] else { return };
        if self.program.predicate(rule.head.pred).class == Class::Static {
            into.push(rule.clone());
            return;
        }
        let demand = |atom: &Atom| {
            let bound = self.bound[atom.pred.index()].as_ref()?;
            let args = bound.iter().map(|&place| atom.args[place].clone()).collect();
            Some(Atom { pred: guards[atom.pred.index()]?, args })
        };
        let mut before: Vec<Literal> =
            demand(&rule.head).map(Literal::Positive).into_iter().collect();
        for at in self.order(rule, &variables_at(&rule.head, bound)) {
            let literal = &rule.body[at];
            if let Some(head) = self.asks(literal).and_then(demand) {
                let body = before.iter().filter(|literal| !self.supposed(literal)).cloned();
                let body: Vec<Literal> = body.collect();
                // What asks for itself with the values it was asked for says nothing new.
                if body != [Literal::Positive(head.clone())] {
                    into.push(Rule { head, body, ..rule.clone() });
                }
            }
            before.push(literal.clone());
        }
        into.push(Rule { body: before, ..rule.clone() });
    }

    /// Whether grounding supposes that a condition holds: it says nothing about what is possible.
    fn supposed(&self, literal: &Literal) -> bool {
        let Literal::Negative(atom) = literal else { return false };
        self.program.predicate(atom.pred).class != Class::Static
    }
}

fn variables_at(atom: &Atom, places: &[usize]) -> Vec<u16> {
    places.iter().flat_map(|&place| atom.args[place].variables()).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{Grounding, Limits, Program, Rulesheet};

    /// `far` has 5 * 5 * 5 * 5 rows, of which `legal` asks for those from where the piece may be to
    /// the places beside it.
    const GAME: &str = "(role r) (goal r 0) (<= terminal (true (at 5)))
        (index 1) (index 2) (index 3) (index 4) (index 5)
        (init (near 1 2)) (init (near 2 3)) (<= (next (near ?x ?y)) (true (near ?x ?y)))
        (init (at 1)) (init (flag on))
        (<= (far ?a ?b ?c ?d) (index ?a) (index ?b) (index ?c) (index ?d) (true (flag on)))
        (<= (legal r (go ?y)) (true (at ?x)) (true (near ?x ?y)) (far ?x ?y ?x ?y))
        (<= (legal r stay) (true (at ?x)) (not (far ?x ?x 1 1)))
        (<= (next (at ?y)) (does r (go ?y)))
        (<= (next (at ?x)) (true (at ?x)) (does r stay))
        (<= (next (flag on)) (true (flag on)))
        (<= (unread ?a) (index ?a) (true (flag on)))";

    fn demanded(rules: &str) -> (Arc<Program>, Grounding) {
        let program = Rulesheet::load(rules.as_bytes()).expect("sound rules").program;
        let all = vec![true; program.predicates.len()];
        let program = program.demanded_within(&all, &Limits::none()).expect("there are no limits");
        let program = Arc::new(program);
        let grounding = Grounding::new(&program, &Limits::default()).expect("a small game");
        (program, grounding)
    }

    fn heads(grounding: &Grounding, start: &str) -> Vec<String> {
        let heads = grounding.rules().map(|(head, _)| grounding.atom_text(head));
        let mut heads: Vec<String> = heads.filter(|head| head.starts_with(start)).collect();
        heads.sort();
        heads
    }

    #[test]
    fn only_rows_that_are_asked_for_are_derived() {
        let (_, grounding) = demanded(GAME);
        let expected =
            ["(far 1 1 1 1)", "(far 1 2 1 2)", "(far 2 2 1 1)", "(far 2 3 2 3)", "(far 3 3 1 1)"];
        assert_eq!(heads(&grounding, "(far "), expected);
        // The places that can be reached are the same.
        assert_eq!(heads(&grounding, "(legal r (go"), ["(legal r (go 2))", "(legal r (go 3))"]);
    }

    #[test]
    fn what_nobody_asks_for_has_no_rules() {
        let (_, grounding) = demanded(GAME);
        assert_eq!(heads(&grounding, "(unread "), Vec::<String>::new());
    }

    #[test]
    fn demands_are_not_written_down() {
        let (program, grounding) = demanded(GAME);
        assert!(program.predicates.iter().any(|predicate| predicate.guard));
        for (head, body) in grounding.rules() {
            for atom in body.iter().map(|literal| literal.atom()).chain([head]) {
                assert!(!program.predicate(grounding.atom(atom).0).guard);
            }
        }
    }

    #[test]
    fn an_argument_that_is_open_somewhere_is_not_demanded() {
        // Asked for with the first argument alone, too: then the second can be anything.
        let open = format!("{GAME} (<= (goal r 50) (far 4 ?b 4 4))");
        let (_, grounding) = demanded(&open);
        let rows = heads(&grounding, "(far ");
        assert!(rows.contains(&"(far 4 1 4 4)".to_owned()), "{rows:?}");
        assert!(rows.contains(&"(far 4 5 4 4)".to_owned()), "{rows:?}");
        assert!(rows.contains(&"(far 1 5 1 2)".to_owned()), "{rows:?}");
        assert!(!rows.iter().any(|row| row.starts_with("(far 5")), "{rows:?}");
    }

    #[test]
    fn relations_that_are_not_wide_stay_as_they_are() {
        let program = Rulesheet::load(GAME.as_bytes()).expect("sound rules").program;
        let none = vec![false; program.predicates.len()];
        let same = Arc::new(program.demanded_within(&none, &Limits::none()).expect("no limits"));
        let count = |program| {
            Grounding::new(program, &Limits::default()).expect("a small game").rule_count()
        };
        assert_eq!(count(&same), count(&program));
    }
}
