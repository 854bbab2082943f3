//! Wide constraints on constants, read one variable after another.
//!
//! A relation such as "exactly one of these nine marks is a 5" has hundreds of millions of rows, and
//! no rule can ask for it row by row. Once the first variable has a value, though, only a few
//! different questions about the others are left. So the conditions of a rule on such relations are taken
//! together and made into an automaton: its states are what is left to ask, and a table of constants
//! `(steps state value state)` says what a value makes of it. The rule asks for one step of the table per
//! variable instead, and condensation (see `condense`) takes the variables out one by one:
//!
//! ```text
//! (<= good (true (mark 1 ?a)) (true (mark 2 ?b)) (different ?a ?b))
//! (<= good (true (mark 1 ?a)) (true (mark 2 ?b)) (steps #0 ?a ?s) (steps ?s ?b #1))
//! ```
//!
//! What is left to ask is kept in a normal form, so that equal questions are one state: conjunctions of
//! alternatives, each a conjunction of simple conditions, without those that are known to hold, sorted.
//! Definitions with variables of their own, `or` or functions are not looked into: then the rule stays.

use rustc_hash::FxHashMap;

use crate::condense::{numbered_anew, rename_literal};
use crate::limits::{LimitHit, Limits, Meter};
use crate::program::{Atom, Class, Literal, Pred, Predicate, Program, Rule, Term, analyse};
use crate::saturate::Saturation;
use crate::term::TermId;
use crate::unfold::with_definition;

/// Conditions with more alternatives than this are not looked into.
const MAX_ALTERNATIVES: usize = 256;
/// Steps that a relation which is looked up may take to complete, and steps for all of them. Those that
/// take more are wide.
const LOOK_UP_STEPS: u64 = 1 << 18;
const ALL_LOOK_UP_STEPS: u64 = 1 << 22;

/// Simple conditions that must all hold.
type Conjunction = Vec<Literal>;
/// One alternative of each entry must hold.
type Question = Vec<Vec<Conjunction>>;

impl Program {
    /// An equivalent program in which rules ask for relations of constants that are too wide to be
    /// computed variable by variable; none if there is no rule in which that is possible.
    pub(crate) fn sequenced_within(&self, limits: &Limits) -> Result<Option<Program>, LimitHit> {
        let mut saturation = Saturation::new(self, limits);
        let look_up = Limits { steps: Some(LOOK_UP_STEPS), ..limits.clone() };
        let known = saturation.complete_static_within(self, &look_up, ALL_LOOK_UP_STEPS);
        let is_wide = |(predicate, known): (&Predicate, &bool)| {
            predicate.class == Class::Static && !predicate.recursive && !known
        };
        // One numbering of terms for both, before any state of an automaton gets a name.
        let mut program = self.clone();
        program.terms.catch_up(&saturation.terms);
        let mut sequencing = Sequencing {
            wide: self.predicates.iter().zip(&known).map(is_wide).collect(),
            values: (0..program.terms.len() as u32).map(TermId).collect(),
            program,
            saturation,
            known,
            automata: FxHashMap::default(),
            tables: Vec::new(),
            preds: self.predicates.iter().map(|p| (p.name, p.arity)).collect(),
            meter: Meter::new(limits),
        };
        let mut rules = Vec::new();
        let mut changed = false;
        for rule in &self.rules {
            let dynamic = self.predicate(rule.head.pred).class != Class::Static;
            let instead = if dynamic { sequencing.in_turn(rule)? } else { None };
            changed |= instead.is_some();
            rules.push(instead.unwrap_or_else(|| rule.clone()));
        }
        if !changed {
            return Ok(None);
        }
        let Sequencing { program, wide, tables, preds, .. } = sequencing;
        rules.extend(tables);
        drop_unasked(&mut rules, &wide);
        let predicates = analyse(&preds, &rules);
        Ok(Some(Program { predicates, rules, ..program }))
    }
}

/// Removes the rules of wide relations that no rule asks for any more.
fn drop_unasked(rules: &mut Vec<Rule>, wide: &[bool]) {
    loop {
        let mut asked = vec![false; wide.len()];
        for literal in rules.iter().flat_map(|rule| &rule.body) {
            literal.atoms(&mut |atom, _| {
                if let Some(asked) = asked.get_mut(atom.pred.index()) {
                    *asked = true;
                }
            });
        }
        let before = rules.len();
        rules.retain(|rule| {
            let pred = rule.head.pred.index();
            pred >= wide.len() || !wide[pred] || asked[pred]
        });
        if rules.len() == before {
            return;
        }
    }
}

struct Sequencing {
    program: Program,
    /// The relations that are read variable by variable.
    wide: Vec<bool>,
    /// Holds the rows of the relations that are `known`.
    saturation: Saturation,
    known: Vec<bool>,
    /// All values that a variable may have.
    values: Vec<TermId>,
    /// The table and the first state of each question; none if it has no answer.
    automata: FxHashMap<Question, Option<(Pred, TermId)>>,
    tables: Vec<Rule>,
    preds: Vec<(crate::symbol::Symbol, usize)>,
    meter: Meter,
}

impl Sequencing {
    /// The rule with its wide conditions read variable by variable, if it has such conditions.
    fn in_turn(&mut self, rule: &Rule) -> Result<Option<Rule>, LimitHit> {
        let is_wide = |literal: &Literal| match literal {
            Literal::Positive(atom) => self.wide[atom.pred.index()],
            _ => false,
        };
        let (asked, rest): (Vec<Literal>, Vec<Literal>) =
            rule.body.iter().cloned().partition(is_wide);
        let mut order: Vec<u16> = Vec::new();
        for variable in asked.iter().flat_map(Literal::variables) {
            if !order.contains(&variable) {
                order.push(variable);
            }
        }
        if order.len() < 2 || usize::from(rule.variables) + order.len() > usize::from(u16::MAX) {
            return Ok(None);
        }
        let Some(question) = self.question(asked, &order)? else { return Ok(None) };
        let Some((steps, first)) = self.automaton(question, order.len())? else { return Ok(None) };
        let mut body = rest;
        let mut state = Term::Constant(first);
        for (at, &variable) in order.iter().enumerate() {
            let next = match at + 1 == order.len() {
                true => Term::Constant(self.state(usize::MAX)),
                false => Term::Variable(rule.variables + at as u16),
            };
            let args = Box::new([state, Term::Variable(variable), next.clone()]);
            body.push(Literal::Positive(Atom { pred: steps, args }));
            state = next;
        }
        let variables = rule.variables + order.len() as u16;
        Ok(Some(numbered_anew(Rule { body, variables, ..rule.clone() })))
    }

    /// The demands of conditions on the variables, numbered as they are in `order`.
    fn question(
        &mut self,
        asked: Vec<Literal>,
        order: &[u16],
    ) -> Result<Option<Question>, LimitHit> {
        let mut question = Question::new();
        for literal in asked {
            let mut open = vec![vec![literal]];
            let mut alternatives = Vec::new();
            while let Some(alternative) = open.pop() {
                self.meter.step(|| open.len() * size_of::<Literal>())?;
                let place = alternative.iter().position(|literal| match literal {
                    Literal::Positive(atom) => self.wide[atom.pred.index()],
                    _ => false,
                });
                match place {
                    Some(place) => match self.written_out(alternative, place) {
                        Some(written) => open.extend(written),
                        None => return Ok(None),
                    },
                    None => alternatives.push(alternative),
                }
                if open.len() + alternatives.len() > MAX_ALTERNATIVES {
                    return Ok(None);
                }
            }
            if !alternatives.iter().flatten().all(|literal| self.is_simple(literal, order)) {
                return Ok(None);
            }
            question.push(alternatives);
        }
        let number = |v: u16| order.iter().position(|&known| known == v).unwrap_or(0) as u16;
        for literal in question.iter_mut().flatten().flatten() {
            *literal = rename_literal(literal, &mut { number });
        }
        Ok(self.simplified(question))
    }

    /// The alternatives that the definition of a condition makes of a conjunction; none if that cannot
    /// be said without further variables.
    fn written_out(&mut self, alternative: Conjunction, place: usize) -> Option<Vec<Conjunction>> {
        let Literal::Positive(atom) = alternative[place].clone() else { return None };
        let variables = alternative.iter().flat_map(Literal::variables).max().map_or(0, |v| v + 1);
        let args = (0..variables).map(Term::Variable).collect();
        // The variables are the head's arguments, so that what they stand for can be read off.
        let head = Atom { pred: Pred::TERMINAL, args };
        let span = crate::diagnostic::Span::new(0, 0);
        let rule = Rule { head, body: alternative, variables, span };
        let rules = std::mem::take(&mut self.program.rules);
        let terms = &mut self.program.terms;
        let definitions = rules.iter().filter(|rule| rule.head.pred == atom.pred);
        let written = definitions
            .filter_map(|definition| with_definition(&rule, place, &atom, definition, terms))
            .map(|rule| restored(&rule))
            .collect();
        self.program.rules = rules;
        written
    }

    /// Whether a condition can be decided as soon as its variables have values.
    fn is_simple(&self, literal: &Literal, order: &[u16]) -> bool {
        let flat = |term: &Term| match term {
            Term::Variable(variable) => order.contains(variable),
            Term::Constant(_) => true,
            Term::Function(..) => false,
        };
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                self.known[atom.pred.index()] && atom.args.iter().all(flat)
            }
            Literal::Distinct(a, b) | Literal::Equal(a, b) => flat(a) && flat(b),
            Literal::Any(_) => false,
        }
    }

    /// The table and the first state of a question about so many variables.
    fn automaton(
        &mut self,
        question: Question,
        variables: usize,
    ) -> Result<Option<(Pred, TermId)>, LimitHit> {
        if let Some(known) = self.automata.get(&question) {
            return Ok(*known);
        }
        let name = format!("steps#{}", self.automata.len());
        let steps = Pred(self.preds.len() as u32);
        self.preds.push((self.program.symbols.intern(&name), 3));
        let values = self.values.clone();
        let mut states = FxHashMap::default();
        let first = self.follow(&question, 0, variables, steps, &values, &mut states)?;
        let found = first.map(|first| (steps, first));
        self.automata.insert(question, found);
        Ok(found)
    }

    /// The state of a question whose first variable is `at`; none if it has no answer.
    fn follow(
        &mut self,
        question: &Question,
        at: usize,
        variables: usize,
        steps: Pred,
        values: &[TermId],
        states: &mut FxHashMap<(usize, Question), Option<TermId>>,
    ) -> Result<Option<TermId>, LimitHit> {
        if at == variables {
            return Ok(Some(self.state(usize::MAX)));
        }
        let key = (at, question.clone());
        if let Some(&known) = states.get(&key) {
            return Ok(known);
        }
        let mut state = None;
        for &value in values {
            let bytes = (states.len() + self.tables.len()) * size_of::<Rule>();
            question.iter().try_for_each(|_| self.meter.step(|| bytes))?;
            let Some(rest) = self.with_value(question, at as u16, value) else { continue };
            let Some(next) = self.follow(&rest, at + 1, variables, steps, values, states)? else {
                continue;
            };
            let number = states.len() + self.tables.len();
            let from = *state.get_or_insert_with(|| self.state(number));
            let args = [from, value, next].map(Term::Constant);
            let head = Atom { pred: steps, args: Box::new(args) };
            let span = crate::diagnostic::Span::new(0, 0);
            self.tables.push(Rule { head, body: Vec::new(), variables: 0, span });
        }
        states.insert(key, state);
        Ok(state)
    }

    /// The constant that stands for a state; the last one has the largest number.
    fn state(&mut self, number: usize) -> TermId {
        let name = match number {
            usize::MAX => "#done".to_owned(),
            number => format!("#{number}"),
        };
        let name = self.program.symbols.intern(&name);
        self.program.terms.constant(name)
    }

    /// The rest of a question when a variable has a value; none if that cannot be.
    fn with_value(&self, question: &Question, variable: u16, value: TermId) -> Option<Question> {
        let put = |term: &Term| match term {
            Term::Variable(v) if *v == variable => Term::Constant(value),
            term => term.clone(),
        };
        let put_all =
            |atom: &Atom| Atom { pred: atom.pred, args: atom.args.iter().map(put).collect() };
        let put_in = |literal: &Literal| match literal {
            Literal::Positive(atom) => Literal::Positive(put_all(atom)),
            Literal::Negative(atom) => Literal::Negative(put_all(atom)),
            Literal::Distinct(a, b) => Literal::Distinct(put(a), put(b)),
            Literal::Equal(a, b) => Literal::Equal(put(a), put(b)),
            other => other.clone(),
        };
        let replaced = question.iter().map(|alternatives| {
            let conjunctions = alternatives.iter();
            conjunctions.map(|conjunction| conjunction.iter().map(put_in).collect()).collect()
        });
        self.simplified(replaced.collect())
    }

    /// A question without what is decided, sorted; none if it has no answer.
    fn simplified(&self, question: Question) -> Option<Question> {
        let mut simple = Question::new();
        'next: for alternatives in question {
            let mut open = Vec::new();
            for conjunction in alternatives {
                if conjunction.iter().any(|literal| self.decided(literal) == Some(false)) {
                    continue;
                }
                let undecided = conjunction.into_iter().filter(|l| self.decided(l).is_none());
                let mut undecided: Conjunction = undecided.collect();
                if undecided.is_empty() {
                    continue 'next;
                }
                undecided.sort_unstable();
                undecided.dedup();
                open.push(undecided);
            }
            if open.is_empty() {
                return None;
            }
            open.sort_unstable();
            open.dedup();
            simple.push(open);
        }
        simple.sort_unstable();
        simple.dedup();
        Some(simple)
    }

    /// Whether a condition holds, if it has no variables.
    fn decided(&self, literal: &Literal) -> Option<bool> {
        let constant = |term: &Term| match term {
            Term::Constant(id) => Some(*id),
            _ => None,
        };
        let holds = |atom: &Atom| {
            let row: Option<Vec<TermId>> = atom.args.iter().map(constant).collect();
            row.map(|row| self.saturation.relations[atom.pred.index()].find(&row).is_some())
        };
        match literal {
            Literal::Positive(atom) => holds(atom),
            Literal::Negative(atom) => holds(atom).map(|holds| !holds),
            Literal::Equal(a, b) => Some(constant(a)? == constant(b)?),
            Literal::Distinct(a, b) => Some(constant(a)? != constant(b)?),
            Literal::Any(_) => None,
        }
    }
}

/// The body of a rule with its variables as they were before: the head's arguments say what each
/// stands for now. None if a definition brought a variable of its own, or needs two to be equal.
fn restored(rule: &Rule) -> Option<Conjunction> {
    let mut before: FxHashMap<u16, u16> = FxHashMap::default();
    for (at, arg) in rule.head.args.iter().enumerate() {
        // A variable that got a value or equals another one would have to be asked for.
        let Term::Variable(now) = arg else { return None };
        if before.insert(*now, at as u16).is_some() {
            return None;
        }
    }
    if rule.body.iter().flat_map(Literal::variables).any(|v| !before.contains_key(&v)) {
        return None;
    }
    let mut number = |v: u16| before[&v];
    Some(rule.body.iter().map(|l| rename_literal(l, &mut number)).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use gamegrove_game::{Game, Rng};

    use crate::{Grounding, Limits, Program, Prover, Rulesheet};

    /// Eight marks with values from 1 to 8; `good` where the rules say so.
    fn game(rules: &str) -> Arc<Program> {
        let mut text = String::from(
            "(role r) (goal r 0) (<= terminal good) (<= (legal r (put ?n ?v)) (value ?n) (value ?v))
             (<= (next (mark ?n ?v)) (does r (put ?n ?v))) (<= (next (mark ?n ?v)) (true (mark ?n ?v)))",
        );
        (1..=8).for_each(|n| text += &format!("(value {n}) (eq {n} {n})"));
        Rulesheet::load(format!("{text} {rules}").as_bytes()).expect("sound rules").program
    }

    fn list(item: impl Fn(usize) -> String) -> String {
        (1..=8).map(item).collect()
    }

    fn sequenced(rules: &str) -> Option<Program> {
        game(rules).sequenced_within(&Limits::none()).expect("no limits")
    }

    fn texts(program: &Program, head: &str) -> Vec<String> {
        let all = program.rules.iter().map(|rule| program.rule_text(rule));
        all.filter(|text| text.starts_with(&format!("(<= {head}"))).collect()
    }

    #[test]
    fn a_wide_constraint_becomes_a_table_of_steps() {
        // All values are the same: after the first, what is left to ask is one of eight things.
        let variables = list(|n| format!(" ?{n}"));
        let marks = list(|n| format!("(true (mark {n} ?{n}))"));
        let values = list(|n| format!("(value ?{n})"));
        let same = list(|n| format!("(eq ?1 ?{n})"));
        let odd = list(|n| format!("(not (eq {n} ?{n}))"));
        let rules = format!(
            "(<= good {marks} (fair{variables})) (<= (fair{variables}) {values} {same})
             (<= (fair{variables}) {values} {odd})"
        );
        let program = sequenced(&rules).expect("a wide relation");
        assert!(texts(&program, "(fair").is_empty(), "no rule asks for it any more");
        let good = texts(&program, "good");
        assert_eq!(good.len(), 1);
        assert!(good[0].ends_with("(steps#0 ?13 ?6 ?14) (steps#0 ?14 ?7 #done))"), "{}", good[0]);
        // The first value leaves open whether all are the same, or says that they must be.
        assert!(texts(&program, "(steps#0 ").len() < 8 * 8 * 8);
        let grounding = Grounding::new(&Arc::new(program.condensed()), &Limits::default());
        assert!(grounding.expect("a small game").rule_count() < 3000);
    }

    #[test]
    fn the_answers_are_the_same() {
        // Each value occurs once, or the second mark is larger than the first and the others are 1.
        let variables = list(|n| format!(" ?{n}"));
        let marks = list(|n| format!("(true (mark {n} ?{n}))"));
        let values = list(|n| format!("(value ?{n})"));
        let others = |n: usize| (1..n).map(|m| format!("(not (eq ?{m} ?{n}))")).collect::<String>();
        let different = list(others);
        let ones = (3..=8).map(|n| format!("(eq 1 ?{n})")).collect::<String>();
        let less = (1..8).map(|n| format!("(less {n} {})", n + 1)).collect::<String>();
        let rules = format!(
            "(<= good {marks} (fair{variables})) {less}
             (<= (fair{variables}) {values} {different})
             (<= (fair{variables}) {values} {ones} (less ?1 ?2))"
        );
        let program = game(&rules);
        let sequenced = Arc::new(sequenced(&rules).expect("a wide relation"));
        let mut provers =
            [&program, &sequenced].map(|program| Prover::new(program).expect("a playable game"));
        let mut rng = Rng::new(1);
        let mut good = 0;
        for round in 0..300 {
            let mut values: Vec<usize> = match round % 3 {
                0 => vec![1 + rng.below(7), 1, 1, 1, 1, 1, 1, 1],
                _ => (1..=8).collect(),
            };
            values[1] = if round % 3 == 0 { values[0] + 1 } else { values[1] };
            (1..8)
                .rev()
                .filter(|_| round % 3 > 0)
                .for_each(|at| values.swap(at, rng.below(at + 1)));
            if round % 2 == 0 {
                values[rng.below(8)] = 1 + rng.below(8);
            }
            let facts: Vec<String> =
                values.iter().zip(1..).map(|(v, n)| format!("(mark {n} {v})")).collect();
            let [one, other] = provers.each_mut().map(|prover| {
                let state = prover.state_of(&facts).expect("facts of the rules");
                prover.is_terminal(&state)
            });
            assert_eq!(one, other, "{facts:?}");
            good += usize::from(one);
        }
        assert!((100..300).contains(&good), "{good}");
    }

    #[test]
    fn compound_terms_are_values_too() {
        let variables = list(|n| format!(" ?{n}"));
        let marks = list(|n| format!("(true (mark {n} ?{n}))"));
        let values = list(|n| format!("(value ?{n})"));
        let rules = format!(
            "(value (v 9)) (<= good {marks} (fair{variables}))
             (<= (fair{variables}) {values} (not (eq ?1 1)))"
        );
        let program = game(&rules);
        let sequenced = Arc::new(sequenced(&rules).expect("a wide relation"));
        for (first, good) in [("2", true), ("(v 9)", true), ("1", false)] {
            for other in ["3", "(v 9)"] {
                let facts: Vec<String> = (1..=8)
                    .map(|n| format!("(mark {n} {})", if n == 1 { first } else { other }))
                    .collect();
                for program in [&program, &sequenced] {
                    let mut prover = Prover::new(program).expect("a playable game");
                    let state = prover.state_of(&facts).expect("facts of the rules");
                    assert_eq!(prover.is_terminal(&state), good, "{facts:?}");
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_read_in_turn_stays() {
        let variables = list(|n| format!(" ?{n}"));
        let marks = list(|n| format!("(true (mark {n} ?{n}))"));
        let values = list(|n| format!("(value ?{n})"));
        // A variable of its own.
        let rules = format!(
            "(<= good {marks} (fair{variables}))
             (<= (fair{variables}) {values} (eq ?1 ?x) (eq ?x ?2))"
        );
        assert!(sequenced(&rules).is_none());
        // Narrow enough to be computed.
        let rules = "(<= good (true (mark 1 ?a)) (true (mark 2 ?b)) (fair ?a ?b))
                     (<= (fair ?a ?b) (value ?a) (value ?b) (not (eq ?a ?b)))";
        assert!(sequenced(rules).is_none());
    }
}
