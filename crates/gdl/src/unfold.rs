//! Wide relations of constants, written out where they are asked for.
//!
//! In `(<= row (true (cell 1 ?a)) (true (cell 2 ?b)) (true (cell 3 ?c)) (alike ?a ?b ?c))` the
//! relation `alike` ties all variables together: each of its rows is an instance of the rule. If its
//! definition is `(<= (alike ?a ?b ?c) (has ?a ?x) (has ?b ?x) (has ?c ?x))`, then with the definition
//! in place of the condition the variables `?a`, `?b` and `?c` meet in `?x` only, and condensation
//! (see `condense`) takes them out one by one. A condition is replaced where the widest of the
//! condensed rules then has fewer variables than before. A relation with several rules gives several
//! rules.
//!
//! Only relations that do not depend on the state and not on themselves are written out, and of these
//! only those that are marked as wide: in a narrow one there is nothing to gain.

use crate::condense::{numbered_anew, width};
use crate::limits::{LimitHit, Limits, Meter};
use crate::program::{Atom, Class, Literal, Program, Rule, Term, analyse};
use crate::term::Terms;

/// Relations with more rules than this stay as they are.
const MAX_DEFINITIONS: usize = 4;

impl Program {
    /// An equivalent program with those conditions on relations marked `wide` written out for which
    /// condensation then finds fewer variables; none if there is no such condition.
    pub(crate) fn unfolded_within(
        &self,
        wide: &[bool],
        limits: &Limits,
    ) -> Result<Option<Program>, LimitHit> {
        let mut unfolding = Unfolding {
            program: self.clone(),
            definitions: definitions(self, wide),
            meter: Meter::new(limits),
            limits,
            changed: false,
        };
        let mut done = Vec::new();
        for rule in &self.rules {
            if self.predicate(rule.head.pred).class == Class::Static {
                done.push(rule.clone());
            } else {
                unfolding.write_out(rule.clone(), 0, &mut done)?;
            }
        }
        let Unfolding { program, definitions, changed, .. } = unfolding;
        if !changed {
            return Ok(None);
        }
        drop_unasked(&mut done, &definitions);
        let preds: Vec<_> = self.predicates.iter().map(|p| (p.name, p.arity)).collect();
        let predicates = analyse(&preds, &done);
        Ok(Some(Program { predicates, rules: done, ..program }))
    }
}

/// The rules of each relation that may be written out; empty for all others.
fn definitions(program: &Program, wide: &[bool]) -> Vec<Vec<Rule>> {
    let mut definitions = vec![Vec::new(); program.predicates.len()];
    for rule in &program.rules {
        definitions[rule.head.pred.index()].push(rule.clone());
    }
    for (index, rules) in definitions.iter_mut().enumerate() {
        let predicate = &program.predicates[index];
        let fits = predicate.class == Class::Static
            && !predicate.recursive
            && wide.get(index) == Some(&true)
            && rules.len() <= MAX_DEFINITIONS
            && rules.iter().all(|rule| !rule.body.is_empty());
        if !fits {
            rules.clear();
        }
    }
    definitions
}

/// Removes the rules of relations that could be written out and that no rule asks for any more.
fn drop_unasked(rules: &mut Vec<Rule>, definitions: &[Vec<Rule>]) {
    loop {
        let mut asked: Vec<bool> = definitions.iter().map(Vec::is_empty).collect();
        for literal in rules.iter().flat_map(|rule| &rule.body) {
            literal.atoms(&mut |atom, _| asked[atom.pred.index()] = true);
        }
        let before = rules.len();
        rules.retain(|rule| asked[rule.head.pred.index()]);
        if rules.len() == before {
            return;
        }
    }
}

struct Unfolding<'a> {
    program: Program,
    definitions: Vec<Vec<Rule>>,
    meter: Meter,
    limits: &'a Limits,
    changed: bool,
}

impl Unfolding<'_> {
    /// Adds a rule to `done`, with conditions from place `from` on written out where that pays.
    fn write_out(&mut self, rule: Rule, from: usize, done: &mut Vec<Rule>) -> Result<(), LimitHit> {
        self.meter.step(|| done.len() * size_of::<Rule>())?;
        for place in from..rule.body.len() {
            let Some(instead) = self.instead_of(&rule, place) else { continue };
            let before = width(&self.program, std::slice::from_ref(&rule), self.limits)?;
            if width(&self.program, &instead, self.limits)? < before {
                self.changed = true;
                // The definition stands at the end of each rule.
                return instead.into_iter().try_for_each(|rule| self.write_out(rule, place, done));
            }
        }
        done.push(rule);
        Ok(())
    }

    /// The rules that say the same with the definition of the condition at `place` instead of it.
    fn instead_of(&mut self, rule: &Rule, place: usize) -> Option<Vec<Rule>> {
        let Literal::Positive(atom) = &rule.body[place] else { return None };
        let definitions = &self.definitions[atom.pred.index()];
        let most = definitions.iter().map(|definition| definition.variables).max()?;
        rule.variables.checked_add(most)?;
        let terms = &mut self.program.terms;
        let with = |definition| with_definition(rule, place, atom, definition, terms);
        let instead: Vec<Rule> = definitions.iter().filter_map(with).collect();
        (!instead.is_empty()).then_some(instead)
    }
}

/// The rule with a definition in place of the condition `atom`; none if the two do not fit together,
/// so that the definition says nothing here.
pub(crate) fn with_definition(
    rule: &Rule,
    place: usize,
    atom: &Atom,
    definition: &Rule,
    terms: &mut Terms,
) -> Option<Rule> {
    let variables = rule.variables + definition.variables;
    let mut values = Values { values: vec![None; usize::from(variables)], terms };
    let shift = |term: &Term| shifted(term, rule.variables);
    for (asked, said) in atom.args.iter().zip(&definition.head.args) {
        if !values.unify(asked, &shift(said)) {
            return None;
        }
    }
    let kept = (0..rule.body.len()).filter(|&at| at != place);
    let mut body: Vec<Literal> = kept.map(|at| values.literal(&rule.body[at], 0)).collect();
    body.extend(definition.body.iter().map(|literal| values.literal(literal, rule.variables)));
    let head = Atom { pred: rule.head.pred, args: values.terms_of(&rule.head.args, 0) };
    Some(numbered_anew(Rule { head, body, variables, span: rule.span }))
}

/// A term with its variables numbered from `by`.
fn shifted(term: &Term, by: u16) -> Term {
    match term {
        Term::Variable(v) => Term::Variable(v + by),
        Term::Constant(id) => Term::Constant(*id),
        Term::Function(functor, args) => {
            Term::Function(*functor, args.iter().map(|arg| shifted(arg, by)).collect())
        }
    }
}

/// The values of variables.
struct Values<'a> {
    values: Vec<Option<Term>>,
    terms: &'a mut Terms,
}

impl Values<'_> {
    /// Makes two terms equal; false if they cannot be.
    fn unify(&mut self, one: &Term, other: &Term) -> bool {
        let (one, other) = (self.term(one), self.term(other));
        match (&one, &other) {
            (Term::Variable(a), Term::Variable(b)) if a == b => true,
            (Term::Variable(v), term) | (term, Term::Variable(v)) => {
                // A term that contains itself is no term.
                let fits = term.variables().all(|inner| inner != *v);
                self.values[usize::from(*v)] = Some(term.clone());
                fits
            }
            (Term::Constant(a), Term::Constant(b)) => a == b,
            (Term::Function(f, some), Term::Function(g, others)) => {
                f == g && some.iter().zip(others).all(|(a, b)| self.unify(a, b))
            }
            (Term::Function(functor, args), Term::Constant(id))
            | (Term::Constant(id), Term::Function(functor, args)) => {
                self.terms.functor_of(*id) == *functor
                    && args.iter().enumerate().all(|(at, arg)| {
                        let part = Term::Constant(self.terms.arg(*id, at));
                        self.unify(arg, &part)
                    })
            }
        }
    }

    /// A term with variables replaced by what they stand for.
    fn term(&mut self, term: &Term) -> Term {
        match term {
            Term::Variable(v) => match self.values[usize::from(*v)].clone() {
                Some(value) => self.term(&value),
                None => Term::Variable(*v),
            },
            Term::Constant(id) => Term::Constant(*id),
            Term::Function(functor, args) => {
                let args: Box<[Term]> = args.iter().map(|arg| self.term(arg)).collect();
                let ground: Option<Vec<_>> = args
                    .iter()
                    .map(|arg| if let Term::Constant(id) = arg { Some(*id) } else { None })
                    .collect();
                match ground.and_then(|ground| self.terms.intern(*functor, &ground)) {
                    Some(id) => Term::Constant(id),
                    None => Term::Function(*functor, args),
                }
            }
        }
    }

    fn terms_of(&mut self, args: &[Term], by: u16) -> Box<[Term]> {
        args.iter().map(|arg| self.term(&shifted(arg, by))).collect()
    }

    /// A condition, its variables numbered from `by`, with what they stand for.
    fn literal(&mut self, literal: &Literal, by: u16) -> Literal {
        let atom = |values: &mut Self, atom: &Atom| Atom {
            pred: atom.pred,
            args: values.terms_of(&atom.args, by),
        };
        match literal {
            Literal::Positive(inner) => Literal::Positive(atom(self, inner)),
            Literal::Negative(inner) => Literal::Negative(atom(self, inner)),
            Literal::Distinct(a, b) => {
                Literal::Distinct(self.term(&shifted(a, by)), self.term(&shifted(b, by)))
            }
            Literal::Equal(a, b) => {
                Literal::Equal(self.term(&shifted(a, by)), self.term(&shifted(b, by)))
            }
            Literal::Any(parts) => Literal::Any(
                parts
                    .iter()
                    .map(|part| part.iter().map(|l| self.literal(l, by)).collect())
                    .collect(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{Grounding, Limits, Program, Rulesheet};

    const GAME: &str = "(role r) (goal r 0) (<= terminal row) (init (cell 1 a)) (init (cell 2 b))
        (init (cell 3 c)) (<= (legal r (put ?n ?p)) (cell ?n) (piece ?p)) (cell 1) (cell 2) (cell 3)
        (<= (next (cell ?n ?p)) (does r (put ?n ?p)))
        (piece a) (piece b) (piece c) (piece d) (has a 1) (has b 1) (has c 2) (has d 2)";

    /// The rules of `row` after unfolding everything.
    fn check(rules: &str, expected: Option<&[&str]>) {
        let program = Rulesheet::load(format!("{GAME} {rules}").as_bytes()).expect("sound").program;
        let all = vec![true; program.predicates.len()];
        let unfolded = program.unfolded_within(&all, &Limits::none()).expect("no limits");
        let texts = unfolded.as_ref().map(|program| {
            let rules = program.rules.iter();
            let rules = rules.filter(|rule| {
                program.symbols.name(program.predicate(rule.head.pred).name) == "row"
            });
            rules.map(|rule| program.rule_text(rule)).collect::<Vec<_>>()
        });
        let expected =
            expected.map(|rules| rules.iter().map(|&r| r.to_owned()).collect::<Vec<_>>());
        assert_eq!(texts, expected);
        if let Some(unfolded) = unfolded {
            assert!(count(&unfolded) < count(&program));
        }
    }

    fn count(program: &Program) -> usize {
        let condensed = Arc::new(program.condensed());
        Grounding::new(&condensed, &Limits::default()).expect("a small game").rule_count()
    }

    #[test]
    fn a_definition_that_sets_variables_apart_is_written_out() {
        check(
            "(<= row (true (cell 1 ?a)) (true (cell 2 ?b)) (true (cell 3 ?c)) (alike ?a ?b ?c))
             (<= (alike ?a ?b ?c) (has ?a ?x) (has ?b ?x) (has ?c ?x))",
            Some(&["(<= row (true (cell 1 ?0)) (true (cell 2 ?1)) (true (cell 3 ?2)) \
                    (has ?0 ?3) (has ?1 ?3) (has ?2 ?3))"]),
        );
    }

    #[test]
    fn several_definitions_give_several_rules() {
        check(
            "(<= row (true (cell 1 ?a)) (true (cell 2 ?b)) (true (cell 3 ?c)) (alike ?a ?b ?c))
             (<= (alike ?a ?b ?c) (has ?a ?x) (has ?b ?x) (has ?c 1))
             (<= (alike ?a ?a ?c) (has ?a 2) (has ?c ?x))",
            Some(&[
                "(<= row (true (cell 1 ?0)) (true (cell 2 ?1)) (true (cell 3 ?2)) \
                 (has ?0 ?3) (has ?1 ?3) (has ?2 1))",
                "(<= row (true (cell 1 ?0)) (true (cell 2 ?0)) (true (cell 3 ?1)) \
                 (has ?0 2) (has ?1 ?2))",
            ]),
        );
    }

    #[test]
    fn a_definition_that_gains_nothing_stays() {
        check(
            "(<= row (true (cell 1 ?a)) (true (cell 2 ?b)) (alike ?a ?b))
             (<= (alike ?a ?b) (has ?a ?x) (has ?b ?x))",
            None,
        );
    }
}
