//! Rules to Prolog text.
//!
//! - Every symbol is a quoted atom, numbers too: GDL's `1` and `01` are two constants.
//! - Relation `p` is the predicate `r_p`, so that no relation meets a built-in.
//! - A fact `(cell 1 2 b)` of the state is the dynamic predicate `f_cell('1','2',b)`, so that Prolog
//!   can index its arguments; `init` and `next` yield the same term, ready to be asserted. Where a
//!   rulesheet has a variable for a whole fact, all facts are `f(cell('1','2',b))` instead.
//! - A goal that binds nothing used elsewhere is asked once: a second proof cannot change anything.
//! - Relations without rules are declared dynamic, so asking them fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::Error;
use crate::depend::{Dependencies, Relation, relation};
use crate::order::{binds, order};
use crate::rules::{Atom, Goal, Rule, Term, Var, rules};
use crate::sexpr::read;

/// Which relations remember their answers (tabling). Without it recursion on a cycle or on the left
/// never ends; with it Prolog is slower where recursion would have ended anyway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tabling {
    /// None: what the players of the Prolog age did.
    Nothing,
    /// Recursive relations that do not depend on the state: worked out once in a game's life.
    Static,
    /// Every recursive relation: always ends on valid rules.
    Recursive,
    /// Every relation that has a rule: also saves repeated work below deep rules.
    Everything,
}

/// The part of the program that no rulesheet changes.
const RUNTIME: &str = include_str!("runtime.pl");

/// The relations that the runtime asks.
const ASKED: [(&str, usize); 6] =
    [("role", 1), ("init", 1), ("legal", 2), ("next", 1), ("terminal", 0), ("goal", 2)];

/// The Prolog program for a rulesheet, with every recursive relation tabled.
pub fn translate(rulesheet: &str) -> Result<String, Error> {
    translate_with(rulesheet, Tabling::Recursive)
}

/// The Prolog program for a rulesheet.
pub fn translate_with(rulesheet: &str, tabling: Tabling) -> Result<String, Error> {
    Ok(Program::new(rulesheet, tabling)?.text)
}

/// A translated rulesheet.
#[derive(Debug, Clone)]
pub struct Program {
    /// The text for `swipl`.
    pub text: String,
    /// How it expects the facts of a state.
    pub style: FactStyle,
}

impl Program {
    /// Translates `rulesheet`.
    pub fn new(rulesheet: &str, tabling: Tabling) -> Result<Self, Error> {
        let rules = rules(&read(rulesheet)?)?;
        let style = FactStyle::of(&rules);
        let emitter = Emitter { style, dependencies: Dependencies::new(&rules) };
        Ok(Self { text: emitter.text(&rules, tabling), style })
    }
}

/// How a fact of the state is written in Prolog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactStyle {
    /// One predicate for each function symbol.
    ByFunction,
    /// One predicate `f/1` for all.
    Whole,
}

impl FactStyle {
    /// The style that a rulesheet allows.
    fn of(rules: &[Rule]) -> Self {
        let mut whole = false;
        for rule in rules {
            let mut visit = |atom: &Atom| whole |= matches!(fact_of(atom), Some(Term::Var(_)));
            visit(&rule.head);
            rule.body.iter().for_each(|goal| goal.calls(&mut visit));
        }
        if whole { Self::Whole } else { Self::ByFunction }
    }

    /// `fact` as a Prolog term.
    pub fn fact(self, fact: &Term) -> String {
        match (self, fact) {
            (Self::Whole, fact) => format!("f({})", term(fact)),
            (_, Term::Function(name, args)) => compound("f_", name, args),
            (_, Term::Const(name)) => compound("f_", name, &[]),
            (_, Term::Var(_)) => unreachable!("a variable fact asks for whole facts"),
        }
    }
}

/// The settings that the text of every clause depends on.
struct Emitter {
    style: FactStyle,
    dependencies: Dependencies,
}

impl Emitter {
    fn text(&self, rules: &[Rule], tabling: Tabling) -> String {
        let mut clauses: BTreeMap<Relation, Vec<&Rule>> = BTreeMap::new();
        let mut facts: BTreeSet<Relation> = BTreeSet::new();
        let mut asked: BTreeSet<Relation> =
            ASKED.iter().map(|(name, arity)| ((*name).into(), *arity)).collect();
        for rule in rules {
            clauses.entry(relation(&rule.head)).or_default().push(rule);
            let mut visit = |atom: &Atom| {
                asked.insert(relation(atom));
                match fact_of(atom) {
                    Some(Term::Function(name, args)) => {
                        facts.insert((name.clone(), args.len()));
                    }
                    Some(Term::Const(name)) => {
                        facts.insert((name.clone(), 0));
                    }
                    _ => {}
                }
            };
            visit(&rule.head);
            rule.body.iter().for_each(|goal| goal.calls(&mut visit));
        }

        let mut text = String::from(":- encoding(utf8).\n:- style_check(-singleton).\n");
        match self.style {
            FactStyle::Whole => text.push_str(":- dynamic f/1.\n"),
            FactStyle::ByFunction => facts.iter().for_each(|fact| declare(&mut text, "f_", fact)),
        }
        asked.remove(&("true".into(), 1));
        asked.remove(&("does".into(), 2));
        for undefined in asked.iter().filter(|asked| !clauses.contains_key(*asked)) {
            declare(&mut text, "r_", undefined);
        }
        self.tables(&mut text, &clauses, tabling);
        for rule in clauses.values().flatten() {
            self.clause(&mut text, rule);
        }
        text.push_str(RUNTIME);
        text
    }

    /// Declares the tables, and how to forget those that a new state or new moves make stale.
    fn tables(
        &self,
        text: &mut String,
        clauses: &BTreeMap<Relation, Vec<&Rule>>,
        tabling: Tabling,
    ) {
        let (mut of_state, mut of_moves) = (false, false);
        for (relation, rules) in clauses {
            let dynamic = self.dependencies.dynamic(relation);
            let recursive = self.dependencies.recursive(relation);
            let tabled = match tabling {
                Tabling::Nothing => false,
                Tabling::Static => recursive && !dynamic,
                Tabling::Recursive => recursive,
                Tabling::Everything => {
                    let asked = ASKED.iter().any(|(name, _)| *name == relation.0);
                    recursive || !asked && rules.iter().any(|rule| !rule.body.is_empty())
                }
            };
            if tabled {
                // Shared tables survive `abolish_private_tables`.
                let keep = if dynamic { "" } else { " as shared" };
                let (name, arity) = relation;
                _ = writeln!(text, ":- table {}/{arity}{keep}.", quoted("r_", name));
                of_state |= dynamic;
                of_moves |= self.dependencies.sees_moves(relation);
            }
        }
        // Valid rules fill tables that see the moves only while `next` is asked, so those filled
        // for `legal` can still serve then. In other rules they must not.
        let asked_early = ASKED
            .iter()
            .filter(|(name, _)| *name != "next")
            .any(|(name, arity)| self.dependencies.sees_moves(&((*name).into(), *arity)));
        for (hook, stale) in [
            ("state_changed", of_state),
            ("moves_given", of_moves && asked_early),
            ("moves_taken_back", of_moves),
        ] {
            let body = if stale { " :- abolish_private_tables" } else { "" };
            _ = writeln!(text, "{hook}{body}.");
        }
    }

    fn clause(&self, text: &mut String, rule: &Rule) {
        let body = order(&rule.body, &mut BTreeSet::new());
        text.push_str(&self.call(&rule.head));
        if !body.is_empty() {
            let mut used = Uses::default();
            rule.head.args.iter().for_each(|arg| used.add_term(arg));
            body.iter().for_each(|goal| used.add(goal));
            text.push_str(" :-\n    ");
            self.conjunction(text, &body, &mut Context { rule, used, bound: BTreeSet::new() });
        }
        text.push_str(".\n");
    }

    fn conjunction(&self, text: &mut String, goals: &[Goal], context: &mut Context<'_>) {
        if goals.is_empty() {
            text.push_str("true");
        }
        for (index, goal) in goals.iter().enumerate() {
            if index > 0 {
                text.push_str(", ");
            }
            self.goal(text, goal, context);
            context.bound.extend(binds(goal));
        }
    }

    fn goal(&self, text: &mut String, goal: &Goal, context: &mut Context<'_>) {
        match goal {
            Goal::Call(atom) if self.once_is_enough(atom, goal, context) => {
                _ = write!(text, "({} -> true)", self.call(atom));
            }
            Goal::Call(atom) => text.push_str(&self.call(atom)),
            Goal::Distinct(left, right) => _ = write!(text, "{} \\== {}", term(left), term(right)),
            Goal::Same(left, right) => _ = write!(text, "{} = {}", term(left), term(right)),
            Goal::Not(goals) => {
                text.push_str("\\+ (");
                self.conjunction(text, goals, &mut context.clone());
                text.push(')');
            }
            Goal::Or(branches) => {
                text.push('(');
                for (index, branch) in branches.iter().enumerate() {
                    if index > 0 {
                        text.push_str(" ; ");
                    }
                    self.conjunction(text, branch, &mut context.clone());
                }
                if branches.is_empty() {
                    text.push_str("fail");
                }
                text.push(')');
            }
        }
    }

    /// Whether a second proof of `atom` could only repeat what the first one gave. A relation that
    /// asks back is left alone: cutting off a table under construction would lose answers.
    fn once_is_enough(&self, atom: &Atom, goal: &Goal, context: &Context<'_>) -> bool {
        let mut own = Uses::default();
        own.add(goal);
        let (mut free, mut shared) = (false, false);
        for (var, count) in &own.0 {
            if !context.bound.contains(var) {
                free = true;
                shared |= context.used.0[var] > *count;
            }
        }
        let single = fact_of(atom).is_some() && atom.name == "true" && !free;
        !shared
            && !single
            && !self.dependencies.mutual(&relation(atom), &relation(&context.rule.head))
    }

    fn call(&self, atom: &Atom) -> String {
        match (atom.name.as_str(), atom.args.as_slice()) {
            ("true", [fact]) => self.style.fact(fact),
            ("init" | "next", [fact]) => format!("r_{}({})", atom.name, self.style.fact(fact)),
            ("does", args @ [_, _]) => compound("", "does", args),
            (name, args) => compound("r_", name, args),
        }
    }
}

/// The facts about a rule that the translation of a goal needs.
#[derive(Clone)]
struct Context<'a> {
    rule: &'a Rule,
    /// How often each variable occurs in the rule.
    used: Uses,
    /// The variables that goals before may have bound.
    bound: BTreeSet<Var>,
}

/// Occurrences of variables.
#[derive(Clone, Default)]
struct Uses(BTreeMap<Var, usize>);

impl Uses {
    fn add(&mut self, goal: &Goal) {
        match goal {
            Goal::Call(atom) => atom.args.iter().for_each(|arg| self.add_term(arg)),
            Goal::Distinct(left, right) | Goal::Same(left, right) => {
                self.add_term(left);
                self.add_term(right);
            }
            Goal::Not(goals) => goals.iter().for_each(|goal| self.add(goal)),
            Goal::Or(branches) => branches.iter().flatten().for_each(|goal| self.add(goal)),
        }
    }

    fn add_term(&mut self, term: &Term) {
        match term {
            Term::Var(var) => *self.0.entry(*var).or_default() += 1,
            Term::Const(_) => {}
            Term::Function(_, args) => args.iter().for_each(|arg| self.add_term(arg)),
        }
    }
}

/// The argument of `true`, `init` and `next`: a fact of the state.
fn fact_of(atom: &Atom) -> Option<&Term> {
    match (atom.name.as_str(), atom.args.as_slice()) {
        ("true" | "init" | "next", [fact]) => Some(fact),
        _ => None,
    }
}

fn declare(text: &mut String, prefix: &str, (name, arity): &Relation) {
    _ = writeln!(text, ":- dynamic {}/{arity}.", quoted(prefix, name));
}

/// `term` in Prolog.
pub fn term(term: &Term) -> String {
    match term {
        Term::Var(var) => format!("V{var}"),
        Term::Const(name) => quoted("", name),
        Term::Function(name, args) => compound("", name, args),
    }
}

fn compound(prefix: &str, name: &str, args: &[Term]) -> String {
    let mut text = quoted(prefix, name);
    for (index, arg) in args.iter().enumerate() {
        text.push(if index == 0 { '(' } else { ',' });
        text.push_str(&term(arg));
    }
    if !args.is_empty() {
        text.push(')');
    }
    text
}

fn quoted(prefix: &str, name: &str) -> String {
    format!("'{prefix}{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The translated rules, without the runtime and the two lines that open every program.
    fn emitted(rulesheet: &str, tabling: Tabling) -> String {
        let text = translate_with(rulesheet, tabling).unwrap();
        let own = text.strip_suffix(RUNTIME).unwrap();
        own.lines().skip(2).map(|line| format!("{line}\n")).collect()
    }

    /// The clauses of `rulesheet`, one a line.
    fn clauses(rulesheet: &str) -> Vec<String> {
        emitted(rulesheet, Tabling::Nothing)
            .replace(" :-\n   ", " :-")
            .lines()
            .filter(|line| line.starts_with("'r_") || line.starts_with("r_"))
            .map(String::from)
            .collect()
    }

    fn check(rulesheet: &str, expected: &[&str]) {
        assert_eq!(clauses(rulesheet), expected);
    }

    #[test]
    fn symbols_are_quoted_and_lower_case() {
        check(
            "(P 1 01 It's (F \\X))  q  (q)",
            &["'r_p'('1','01','it\\'s','f'('\\\\x')).", "'r_q'.", "'r_q'."],
        );
    }

    #[test]
    fn an_outer_list_is_opened() {
        check("((role x) (q 1))", &["'r_q'('1').", "'r_role'('x')."]);
        check("(q 1)", &["'r_q'('1')."]);
    }

    #[test]
    fn connectives() {
        check(
            "(<= (p ?x) (and (q ?x) (or (r ?x) (and (s ?x) (t ?x)))) (not (u ?x)))",
            &["'r_p'(V0) :- 'r_q'(V0), (('r_r'(V0) -> true) ; ('r_s'(V0) -> true), \
               ('r_t'(V0) -> true)), \\+ (('r_u'(V0) -> true))."],
        );
        check("(<= p (not (and q r)))", &["'r_p' :- \\+ (('r_q' -> true), ('r_r' -> true))."]);
        check("(<= (p ?x) (q ?x) (or))", &["'r_p'(V0) :- 'r_q'(V0), (fail)."]);
        check("(<= p)", &["'r_p'."]);
    }

    #[test]
    fn negations_wait_for_their_variables() {
        check(
            "(<= (p ?x ?y) (distinct ?x ?y) (not (r ?x)) (q ?x) (q ?y))",
            &["'r_p'(V0,V1) :- 'r_q'(V0), \\+ (('r_r'(V0) -> true)), 'r_q'(V1), V0 \\== V1."],
        );
        // A variable that nothing binds is local to the negation.
        check(
            "(<= (p ?x) (not (r ?x ?z)) (q ?x))",
            &["'r_p'(V0) :- 'r_q'(V0), \\+ (('r_r'(V0,V1) -> true))."],
        );
        // An alternative that needs a variable from outside waits as a whole.
        check(
            "(<= (p ?x) (or (distinct ?x a) (r ?x)) (q ?x))",
            &["'r_p'(V0) :- 'r_q'(V0), (V0 \\== 'a' ; ('r_r'(V0) -> true))."],
        );
    }

    #[test]
    fn not_distinct_binds() {
        check("(<= (p ?x) (not (distinct ?x ?y)) (q ?y))", &["'r_p'(V0) :- 'r_q'(V1), V0 = V1."]);
    }

    #[test]
    fn a_variable_of_one_alternative_stays_open() {
        // After the second alternative ?x is free, so (s ?x) has many answers and all are needed.
        check(
            "(<= (p ?x) (or (q ?x) r) (s ?x))",
            &["'r_p'(V0) :- ('r_q'(V0) ; ('r_r' -> true)), 'r_s'(V0)."],
        );
    }

    #[test]
    fn goals_that_bind_nothing_are_asked_once() {
        check(
            "(<= (p ?x) (q ?x ?y) (r ?y ?z) (true (f ?y)) (true (g ?w)))",
            &["'r_p'(V0) :- 'r_q'(V0,V1), ('r_r'(V1,V2) -> true), 'f_f'(V1), ('f_g'(V3) -> true)."],
        );
        check("(<= (p ?x) (q ?x ?y) (p ?y))", &["'r_p'(V0) :- 'r_q'(V0,V1), 'r_p'(V1)."]);
    }

    #[test]
    fn facts_are_predicates_of_their_own() {
        let text = emitted(
            "(init (cell 1 b)) (<= (next (cell ?x b)) (true (cell ?x b)) (does ?r (mark ?y)))",
            Tabling::Nothing,
        );
        assert!(text.starts_with(":- dynamic 'f_cell'/2.\n"), "{text}");
        assert!(text.contains("r_init('f_cell'('1','b')).\n"), "{text}");
        let next = "r_next('f_cell'(V0,'b')) :-\n    'f_cell'(V0,'b'), ('does'(V1,'mark'(V2)) -> ";
        assert!(text.contains(next), "{text}");
    }

    #[test]
    fn a_variable_fact_keeps_facts_whole() {
        let text = emitted("(init done) (<= (next ?f) (true ?f) (keep ?f))", Tabling::Nothing);
        assert!(text.starts_with(":- dynamic f/1.\n:- dynamic 'r_goal'/2.\n"), "{text}");
        assert!(text.contains("r_init(f('done')).\n"), "{text}");
        assert!(text.contains("r_next(f(V0)) :-\n    f(V0), ('r_keep'(V0) -> true).\n"), "{text}");
    }

    #[test]
    fn relations_without_rules_are_declared() {
        let text = emitted("(<= (legal x a) (nowhere x 1))", Tabling::Nothing);
        assert!(text.contains(":- dynamic 'r_nowhere'/2.\n"), "{text}");
        assert!(text.contains(":- dynamic 'r_terminal'/0.\n"), "{text}");
        assert!(!text.contains(":- dynamic 'r_legal'"), "{text}");
    }

    #[test]
    fn recursion_is_tabled_and_stale_tables_are_forgotten() {
        let rulesheet = "
            (edge 1 2)
            (<= (path ?x ?y) (edge ?x ?y))
            (<= (path ?x ?y) (path ?x ?z) (edge ?z ?y))
            (<= (odd ?x) (true (at ?x)) (even ?x))
            (<= (even ?x) (odd ?x))
            (<= (hit ?x) (does ?r ?x))
            (<= (hit ?x) (hit ?y) (edge ?y ?x))
            (<= (next (at ?x)) (hit ?x))
            (<= (legal x ?y) (path 1 ?y) (odd ?y))";
        let directives = |tabling| -> Vec<String> {
            emitted(rulesheet, tabling)
                .lines()
                .filter(|l| l.contains("table") || l.starts_with("moves") || l.starts_with("state"))
                .map(String::from)
                .collect()
        };
        let nothing = ["state_changed.", "moves_given.", "moves_taken_back."];
        assert_eq!(directives(Tabling::Nothing), nothing);
        assert_eq!(
            directives(Tabling::Static),
            [&[":- table 'r_path'/2 as shared."], nothing.as_slice()].concat()
        );
        assert_eq!(
            directives(Tabling::Recursive),
            [
                ":- table 'r_even'/1.",
                ":- table 'r_hit'/1.",
                ":- table 'r_odd'/1.",
                ":- table 'r_path'/2 as shared.",
                "state_changed :- abolish_private_tables.",
                "moves_given.",
                "moves_taken_back :- abolish_private_tables.",
            ]
        );
        // Rules that let `legal` see the moves are not valid, yet must not read old tables.
        let early = format!("{rulesheet} (<= (legal x b) (hit 1))");
        let text = emitted(&early, Tabling::Recursive);
        assert!(text.contains("moves_given :- abolish_private_tables.\n"), "{text}");
    }

    #[test]
    fn wrong_texts_are_refused_with_their_line() {
        for (text, expected) in [
            ("(p\n(q ?x)", "line 1: opening parenthesis without a closing one"),
            ("p\n(<= (p)\n ?x)", "line 3: a variable cannot stand for a relation"),
            ("(<= p (not q r))", "line 1: `not` with a wrong number of arguments"),
            ("(<= p\n (distinct a))", "line 2: `distinct` with a wrong number of arguments"),
            ("(<=)", "line 1: rule without a head"),
            ("(p ())", "line 1: a list must start with the name of a relation or function"),
        ] {
            assert_eq!(translate(text).unwrap_err().to_string(), expected, "{text}");
        }
    }
}
