//! Rules in the form the reasoners work on: relations, variables and terms are numbers, `or` is
//! gone except where it is a mere test.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::scc::{Components, Graph};
use crate::symbol::{Symbol, Symbols};
use crate::syntax::{self, Formula, Sentence, TermKind};
use crate::term::{Functor, TermId, Terms};

/// A relation of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pred(pub u32);

impl Pred {
    /// `(role ?r)`
    pub const ROLE: Pred = Pred(0);
    /// `(init ?f)`
    pub const INIT: Pred = Pred(1);
    /// `(true ?f)`
    pub const TRUE: Pred = Pred(2);
    /// `(does ?r ?m)`
    pub const DOES: Pred = Pred(3);
    /// `(legal ?r ?m)`
    pub const LEGAL: Pred = Pred(4);
    /// `(next ?f)`
    pub const NEXT: Pred = Pred(5);
    /// `terminal`
    pub const TERMINAL: Pred = Pred(6);
    /// `(goal ?r ?v)`
    pub const GOAL: Pred = Pred(7);
    /// `(base ?f)`
    pub const BASE: Pred = Pred(8);
    /// `(input ?r ?m)`
    pub const INPUT: Pred = Pred(9);

    /// The relation's place in arrays that hold one entry per relation.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The relations with fixed numbers, in order.
const RESERVED: [(Symbol, usize); 10] = [
    (Symbol::ROLE, 1),
    (Symbol::INIT, 1),
    (Symbol::TRUE, 1),
    (Symbol::DOES, 2),
    (Symbol::LEGAL, 2),
    (Symbol::NEXT, 1),
    (Symbol::TERMINAL, 0),
    (Symbol::GOAL, 2),
    (Symbol::BASE, 1),
    (Symbol::INPUT, 2),
];

/// The things that a relation's extension depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Nothing: it is the same throughout the game.
    Static,
    /// The state.
    State,
    /// The state and the moves of the step.
    Does,
}

/// A relation with what is known about it.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: Symbol,
    /// How many arguments it has.
    pub arity: usize,
    /// The things it depends on.
    pub class: Class,
    /// Relations with the same number depend on each other; lower numbers come first.
    pub component: u32,
    /// Whether it depends on itself.
    pub recursive: bool,
    /// Whether conditions on it say only which values are possible (see [`Program::condensed`]):
    /// the other conditions of the rules that lead to it imply them.
    pub guard: bool,
}

/// A term with variables, which are numbered per rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    /// A variable.
    Variable(u16),
    /// A term without variables.
    Constant(TermId),
    /// A function with a variable somewhere inside.
    Function(Functor, Box<[Term]>),
}

impl Term {
    /// The variables of the term, from left to right, repeated as they are.
    pub fn variables(&self) -> Box<dyn Iterator<Item = u16> + '_> {
        match self {
            Term::Variable(variable) => Box::new(std::iter::once(*variable)),
            Term::Constant(_) => Box::new(std::iter::empty()),
            Term::Function(_, args) => Box::new(args.iter().flat_map(Term::variables)),
        }
    }
}

/// A relation applied to terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom {
    /// The relation.
    pub pred: Pred,
    /// Its arguments.
    pub args: Box<[Term]>,
}

/// A condition of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Literal {
    /// The atom holds.
    Positive(Atom),
    /// The atom does not hold.
    Negative(Atom),
    /// The terms differ.
    Distinct(Term, Term),
    /// The terms are the same.
    Equal(Term, Term),
    /// All literals of one of the alternatives hold; binds no variable.
    Any(Vec<Vec<Literal>>),
}

impl Literal {
    /// The variables of the literal, repeated as they are.
    pub fn variables(&self) -> Box<dyn Iterator<Item = u16> + '_> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                Box::new(atom.args.iter().flat_map(Term::variables))
            }
            Literal::Distinct(a, b) | Literal::Equal(a, b) => {
                Box::new(a.variables().chain(b.variables()))
            }
            Literal::Any(parts) => Box::new(parts.iter().flatten().flat_map(Literal::variables)),
        }
    }

    /// Calls `visit` for each atom of the literal, saying whether it is positive.
    pub fn atoms<'a>(&'a self, visit: &mut dyn FnMut(&'a Atom, bool)) {
        match self {
            Literal::Positive(atom) => visit(atom, true),
            Literal::Negative(atom) => visit(atom, false),
            Literal::Distinct(..) | Literal::Equal(..) => {}
            Literal::Any(parts) => parts.iter().flatten().for_each(|part| part.atoms(visit)),
        }
    }
}

/// The head holds if all of the body does.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The atom that holds.
    pub head: Atom,
    /// Under which conditions.
    pub body: Vec<Literal>,
    /// How many variables the rule has.
    pub variables: u16,
    /// Where the rule stands in the text.
    pub span: Span,
}

impl Rule {
    /// The same rule with those alternatives multiplied out that contain an atom `needs` is true
    /// for (the second argument says whether it is positive): a test can only look at relations
    /// that are complete.
    pub(crate) fn without_any(&self, needs: &dyn Fn(&Atom, bool) -> bool) -> Vec<Rule> {
        let mut bodies = vec![Vec::new()];
        for literal in &self.body {
            let mut needed = false;
            literal.atoms(&mut |atom, positive| needed |= needs(atom, positive));
            match literal {
                Literal::Any(parts) if needed => {
                    bodies = bodies
                        .iter()
                        .flat_map(|body: &Vec<Literal>| {
                            parts.iter().map(|part| [body.as_slice(), part.as_slice()].concat())
                        })
                        .collect();
                }
                _ => bodies.iter_mut().for_each(|body| body.push(literal.clone())),
            }
        }
        bodies.into_iter().map(|body| Rule { body, ..self.clone() }).collect()
    }
}

/// A rulesheet ready for reasoning.
#[derive(Clone, Debug)]
pub struct Program {
    /// The names.
    pub symbols: Symbols,
    /// The ground terms that occur in the rules.
    pub terms: Terms,
    /// The relations.
    pub predicates: Vec<Predicate>,
    /// The rules.
    pub rules: Vec<Rule>,
}

/// More rules than this from one sentence (by alternatives of its `or`) are refused.
const MAX_EXPANSION: usize = 4096;
/// Rules with more connectives than this are refused.
const MAX_ORS: usize = 64;
/// Rules with more variables than this are refused.
const MAX_VARIABLES: usize = 2000;
/// Rules with more conditions than this are refused; joins nest one level per condition.
const MAX_BODY: usize = 256;

impl Program {
    /// The program of checked sentences.
    pub fn new(sentences: &[Sentence], symbols: &Symbols) -> Result<Program, Diagnostic> {
        let mut builder = Builder::new(symbols);
        for sentence in sentences {
            builder.sentence(sentence)?;
        }
        Ok(builder.finish())
    }

    /// A relation's properties.
    pub fn predicate(&self, pred: Pred) -> &Predicate {
        &self.predicates[pred.index()]
    }

    /// The relation `name` with `arity` arguments, if it occurs.
    pub fn find(&self, name: Symbol, arity: usize) -> Option<Pred> {
        let found = self.predicates.iter().position(|p| p.name == name && p.arity == arity);
        found.map(|index| Pred(index as u32))
    }

    /// A rule as it stands in rulesheets, with variables by number.
    #[cfg(test)]
    pub(crate) fn rule_text(&self, rule: &Rule) -> String {
        let term = |term: &Term| self.pattern_text(term);
        let atom = |atom: &Atom| {
            let name = self.symbols.name(self.predicate(atom.pred).name);
            let args: String = atom.args.iter().map(|arg| format!(" {}", term(arg))).collect();
            if args.is_empty() { name.to_owned() } else { format!("({name}{args})") }
        };
        let body = rule.body.iter().map(|literal| match literal {
            Literal::Positive(inner) => format!(" {}", atom(inner)),
            Literal::Negative(inner) => format!(" (not {})", atom(inner)),
            Literal::Distinct(a, b) => format!(" (distinct {} {})", term(a), term(b)),
            Literal::Equal(a, b) => format!(" (same {} {})", term(a), term(b)),
            Literal::Any(_) => " (or ...)".to_owned(),
        });
        format!("(<= {}{})", atom(&rule.head), body.collect::<String>())
    }

    #[cfg(test)]
    fn pattern_text(&self, term: &Term) -> String {
        match term {
            Term::Variable(variable) => format!("?{variable}"),
            Term::Constant(id) => self.term_text(&self.terms, *id),
            Term::Function(functor, args) => {
                let args = args.iter().map(|arg| format!(" {}", self.pattern_text(arg)));
                let name = self.symbols.name(self.terms.name(*functor));
                format!("({name}{})", args.collect::<String>())
            }
        }
    }

    /// A term as it stands in rulesheets.
    pub fn term_text(&self, terms: &Terms, term: TermId) -> String {
        let mut text = String::new();
        terms.write(term, &self.symbols, &mut text);
        text
    }
}

struct Builder {
    symbols: Symbols,
    terms: Terms,
    preds: Vec<(Symbol, usize)>,
    numbers: FxHashMap<(Symbol, usize), Pred>,
    rules: Vec<Rule>,
    variables: FxHashMap<Symbol, u16>,
}

/// A body in negation normal form.
enum Nnf {
    Literal(Literal),
    And(Vec<Nnf>),
    Or(Vec<Nnf>),
}

impl Builder {
    fn new(symbols: &Symbols) -> Builder {
        let mut builder = Builder {
            symbols: symbols.clone(),
            terms: Terms::of_names(symbols),
            preds: Vec::new(),
            numbers: FxHashMap::default(),
            rules: Vec::new(),
            variables: FxHashMap::default(),
        };
        for (name, arity) in RESERVED {
            builder.pred(name, arity);
        }
        builder
    }

    fn pred(&mut self, name: Symbol, arity: usize) -> Pred {
        *self.numbers.entry((name, arity)).or_insert_with(|| {
            self.preds.push((name, arity));
            Pred(self.preds.len() as u32 - 1)
        })
    }

    fn sentence(&mut self, sentence: &Sentence) -> Result<(), Diagnostic> {
        self.variables.clear();
        let limit = |what: String, help: &str| {
            Err(Diagnostic::error(Code::Limit, sentence.span, what).help(help))
        };
        let mut size = Size::default();
        sentence.body.iter().for_each(|part| size.add(part));
        if size.literals > MAX_BODY || size.ors > MAX_ORS {
            let what = format!("this rule has more than {MAX_BODY} conditions or {MAX_ORS} `or`");
            return limit(what, "split it into several rules");
        }
        let head = self.atom(&sentence.head);
        let body = Nnf::And(sentence.body.iter().map(|part| self.nnf(part, false)).collect());
        if self.variables.len() > MAX_VARIABLES {
            let what = format!("this rule has more than {MAX_VARIABLES} variables");
            return limit(what, "split it into several rules");
        }
        let variables = self.variables.len() as u16;
        let mut bodies = Vec::new();
        let (mut literals, mut ors) = (Vec::new(), Vec::new());
        flatten(body, &mut literals, &mut ors);
        let few = expand(literals, ors, &mut bodies);
        if !few || bodies.iter().map(|body| combinations(body)).sum::<usize>() > MAX_EXPANSION {
            let what =
                format!("this rule has more than {MAX_EXPANSION} combinations of alternatives");
            return limit(what, "move the parts of `or` into relations of their own");
        }
        for body in bodies {
            self.rules.push(Rule { head: head.clone(), body, variables, span: sentence.span });
        }
        Ok(())
    }

    fn atom(&mut self, atom: &syntax::Atom) -> Atom {
        let pred = self.pred(atom.relation, atom.args.len());
        Atom { pred, args: atom.args.iter().map(|arg| self.term(arg)).collect() }
    }

    fn term(&mut self, term: &syntax::Term) -> Term {
        match &term.kind {
            TermKind::Constant(name) => Term::Constant(self.terms.constant(*name)),
            TermKind::Variable(name) => {
                let next = self.variables.len() as u16;
                Term::Variable(*self.variables.entry(*name).or_insert(next))
            }
            TermKind::Function(name, args) => {
                let functor = self.terms.functor(*name, args.len());
                let args: Box<[Term]> = args.iter().map(|arg| self.term(arg)).collect();
                let ground: Option<Vec<TermId>> = args
                    .iter()
                    .map(|arg| if let Term::Constant(id) = arg { Some(*id) } else { None })
                    .collect();
                match ground.and_then(|args| self.terms.intern(functor, &args)) {
                    Some(id) => Term::Constant(id),
                    None => Term::Function(functor, args),
                }
            }
        }
    }

    fn nnf(&mut self, part: &Formula, negated: bool) -> Nnf {
        match part {
            Formula::Atom(atom) => {
                let atom = self.atom(atom);
                Nnf::Literal(if negated {
                    Literal::Negative(atom)
                } else {
                    Literal::Positive(atom)
                })
            }
            Formula::Distinct(pair, _) => {
                let (a, b) = (self.term(&pair[0]), self.term(&pair[1]));
                Nnf::Literal(if negated { Literal::Equal(a, b) } else { Literal::Distinct(a, b) })
            }
            Formula::Not(inner, _) => self.nnf(inner, !negated),
            Formula::And(parts, _) | Formula::Or(parts, _) => {
                let is_and = matches!(part, Formula::And(..)) != negated;
                let parts = parts.iter().map(|part| self.nnf(part, negated)).collect();
                if is_and { Nnf::And(parts) } else { Nnf::Or(parts) }
            }
        }
    }

    fn finish(self) -> Program {
        let predicates = analyse(&self.preds, &self.rules);
        Program { symbols: self.symbols, terms: self.terms, predicates, rules: self.rules }
    }
}

/// How many conditions and alternatives a body has.
#[derive(Default)]
struct Size {
    literals: usize,
    ors: usize,
}

impl Size {
    fn add(&mut self, part: &Formula) {
        match part {
            Formula::Atom(_) | Formula::Distinct(..) => self.literals += 1,
            Formula::Not(inner, _) => self.add(inner),
            Formula::And(parts, _) | Formula::Or(parts, _) => {
                self.ors += 1;
                parts.iter().for_each(|part| self.add(part));
            }
        }
    }
}

/// How many bodies there would be if all alternatives that ask for relations were multiplied out.
fn combinations(body: &[Literal]) -> usize {
    let ways = |literal: &Literal| match literal {
        Literal::Any(parts) => {
            let mut asks = false;
            literal.atoms(&mut |_, _| asks = true);
            if asks { parts.len() } else { 1 }
        }
        _ => 1,
    };
    body.iter().map(ways).fold(1, usize::saturating_mul)
}

/// Splits a formula into the literals and the disjunctions of its top level.
fn flatten(part: Nnf, literals: &mut Vec<Literal>, ors: &mut Vec<Vec<Nnf>>) {
    match part {
        Nnf::Literal(literal) => literals.push(literal),
        Nnf::And(parts) => parts.into_iter().for_each(|part| flatten(part, literals, ors)),
        Nnf::Or(parts) => ors.push(parts),
    }
}

impl Nnf {
    fn variables(&self, into: &mut FxHashSet<u16>) {
        match self {
            Nnf::Literal(literal) => into.extend(literal.variables()),
            Nnf::And(parts) | Nnf::Or(parts) => parts.iter().for_each(|part| part.variables(into)),
        }
    }

    fn copy(&self) -> Nnf {
        match self {
            Nnf::Literal(literal) => Nnf::Literal(literal.clone()),
            Nnf::And(parts) => Nnf::And(parts.iter().map(Nnf::copy).collect()),
            Nnf::Or(parts) => Nnf::Or(parts.iter().map(Nnf::copy).collect()),
        }
    }
}

/// Multiplies out the disjunctions that bind variables and keeps the others as tests. False if
/// that gives too many bodies.
fn expand(literals: Vec<Literal>, mut ors: Vec<Vec<Nnf>>, bodies: &mut Vec<Vec<Literal>>) -> bool {
    let bound: FxHashSet<u16> = literals
        .iter()
        .filter(|literal| matches!(literal, Literal::Positive(_)))
        .flat_map(Literal::variables)
        .collect();
    let binding = ors.iter().position(|parts| {
        let mut variables = FxHashSet::default();
        parts.iter().for_each(|part| part.variables(&mut variables));
        !variables.is_subset(&bound)
    });
    if let Some(binding) = binding {
        return ors.swap_remove(binding).into_iter().all(|part| {
            let mut literals = literals.clone();
            let mut rest: Vec<Vec<Nnf>> =
                ors.iter().map(|parts| parts.iter().map(Nnf::copy).collect()).collect();
            flatten(part, &mut literals, &mut rest);
            expand(literals, rest, bodies)
        });
    }
    let mut body = literals;
    for parts in ors {
        let mut alternatives = Vec::new();
        for part in parts {
            let (mut literals, mut rest) = (Vec::new(), Vec::new());
            flatten(part, &mut literals, &mut rest);
            if !multiply(literals, rest, &mut alternatives) {
                return false;
            }
        }
        body.push(Literal::Any(alternatives));
    }
    bodies.push(body);
    bodies.len() <= MAX_EXPANSION
}

/// Multiplies out all disjunctions.
fn multiply(literals: Vec<Literal>, mut ors: Vec<Vec<Nnf>>, into: &mut Vec<Vec<Literal>>) -> bool {
    let Some(parts) = ors.pop() else {
        into.push(literals);
        return into.len() <= MAX_EXPANSION;
    };
    parts.into_iter().all(|part| {
        let mut literals = literals.clone();
        let mut rest: Vec<Vec<Nnf>> =
            ors.iter().map(|parts| parts.iter().map(Nnf::copy).collect()).collect();
        flatten(part, &mut literals, &mut rest);
        multiply(literals, rest, into)
    })
}

/// Finds what each relation depends on.
pub(crate) fn analyse(preds: &[(Symbol, usize)], rules: &[Rule]) -> Vec<Predicate> {
    let mut edges = Vec::new();
    for rule in rules {
        for literal in &rule.body {
            literal.atoms(&mut |atom, _| edges.push((rule.head.pred.0, atom.pred.0)));
        }
    }
    let graph = Graph::new(preds.len(), &edges);
    let Components { of, count } = graph.components();
    let mut recursive = vec![false; count];
    for &(from, to) in &edges {
        recursive[of[from as usize] as usize] |= of[from as usize] == of[to as usize];
    }
    // Components are numbered so that what a relation depends on comes first.
    let mut classes = vec![Class::Static; count];
    classes[of[Pred::TRUE.index()] as usize] = Class::State;
    classes[of[Pred::DOES.index()] as usize] = Class::Does;
    let mut order: Vec<u32> = (0..preds.len() as u32).collect();
    order.sort_by_key(|&pred| of[pred as usize]);
    for pred in order {
        let component = of[pred as usize] as usize;
        for &to in graph.targets(pred) {
            classes[component] = classes[component].max(classes[of[to as usize] as usize]);
        }
    }
    preds
        .iter()
        .zip(&of)
        .map(|(&(name, arity), &component)| Predicate {
            name,
            arity,
            class: classes[component as usize],
            component,
            recursive: recursive[component as usize],
            guard: false,
        })
        .collect()
}
