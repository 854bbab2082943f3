//! Rules compiled for calling: one procedure per relation and way of calling it.
//!
//! A procedure knows which arguments have values when it is called. Its rules are ordered for
//! that, each condition knows where its rows come from, and everything that can be worked out
//! before play starts has been.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::keymap::KeyMap;
use crate::order::order;
use crate::pattern::{Build, Pattern, Shape};
use crate::program::{Atom, Class, Literal, Pred, Program, Rule, Term};
use crate::relation::{Layout, Relation};
use crate::term::{TermId, Terms};

/// All procedures a game needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub procedures: Vec<Procedure>,
    /// The indexes over the facts of a state.
    pub fact_shapes: Vec<Shape>,
    /// The indexes over complete relations.
    pub layouts: Vec<Layout>,
    pub legal: usize,
    pub next: usize,
    pub terminal: usize,
    pub goal: usize,
    pub role: usize,
    pub init: usize,
}

/// The state of an argument in a call: known, asked for, or tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mode {
    /// It has a value.
    Known,
    /// Its values are asked for.
    Asked,
    /// There must be one; which does not matter.
    Ignored,
}

/// A way to call a relation.
pub(super) type Call = (Pred, Vec<Mode>);

/// A relation called in one way.
#[derive(Clone, Debug)]
pub(super) struct Procedure {
    pub call: Call,
    /// Whether answers are remembered: not if the same call hardly ever comes twice.
    pub tabled: bool,
    pub class: Class,
    pub component: u32,
    pub recursive: bool,
    /// How many arguments are known.
    pub inputs: usize,
    /// How many are asked for.
    pub outputs: usize,
    pub plans: Vec<Plan>,
}

/// One rule of a procedure.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// How the known arguments bind the rule's variables.
    pub entry: Pattern,
    pub steps: Vec<Step>,
    /// The arguments asked for.
    pub outputs: Vec<Build>,
    /// How many variables the rule has.
    pub frame: usize,
}

/// One condition of a rule.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub op: Op,
    /// Nothing it binds is used later: one match is as good as many.
    pub once: bool,
}

/// Where a condition's rows come from.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// A complete relation.
    Static { layout: usize, width: usize, pattern: Pattern },
    /// The facts of the state.
    Fact { index: usize, pattern: Pattern },
    /// The moves of the step.
    Does { pattern: Pattern },
    /// The answers of a procedure.
    Call { procedure: usize, inputs: Vec<Build>, pattern: Pattern },
    /// A condition that binds nothing.
    Test(Test),
}

/// A condition all variables of which have values.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Static { pred: Pred, row: Vec<Build>, wanted: bool },
    Fact { fact: Build, wanted: bool },
    Does { row: Vec<Build>, wanted: bool },
    Call { procedure: usize, inputs: Vec<Build>, wanted: bool },
    Distinct(Build, Build),
    Equal(Build, Build),
    Any(Vec<Vec<Test>>),
}

/// Knowledge of the compiler about the game beside its rules.
pub(super) struct Knowledge<'a> {
    pub program: &'a Program,
    pub terms: &'a Terms,
    /// The rows of relations that do not depend on the state.
    pub statics: &'a mut [Relation],
    /// Which relations have their rows there.
    pub complete: &'a [bool],
    /// Findings of play so far.
    pub experience: &'a mut Experience,
    pub roles: usize,
}

/// Findings of random play about a game, for estimates of how many rows match a condition.
#[derive(Clone, Debug, Default)]
pub(super) struct Experience {
    /// States met.
    pub states: Vec<Vec<TermId>>,
    /// The rows of derived relations in some of them, where they could be found cheaply.
    pub extensions: FxHashMap<Pred, Vec<Relation>>,
    /// Calls that hardly ever came twice: their answers are not worth remembering.
    pub fleeting: FxHashSet<Call>,
}

/// A relation is called in at most this many ways; beyond that all its rows are asked for.
const MAX_WAYS: usize = 24;
/// A rule is split into at most this many to let alternatives give variables their values.
const MAX_ALTERNATIVES: usize = 4;

/// Compiles the procedures that the questions about a state need, and questions for all rows of
/// each of the given relations.
pub(super) fn compile(knowledge: Knowledge<'_>, preds: &[Pred]) -> (Code, Vec<usize>) {
    let mut rules_of: FxHashMap<Pred, Vec<&Rule>> = FxHashMap::default();
    for rule in &knowledge.program.rules {
        rules_of.entry(rule.head.pred).or_default().push(rule);
    }
    let mut compiler = Compiler {
        knowledge,
        rules_of,
        code: Code::default(),
        numbers: FxHashMap::default(),
        open: Vec::new(),
        ways: FxHashMap::default(),
        layouts: FxHashMap::default(),
        estimates: FxHashMap::default(),
    };
    let mut question =
        |pred: Pred, arity: usize| compiler.procedure((pred, vec![Mode::Asked; arity]));
    let (legal, next) = (question(Pred::LEGAL, 2), question(Pred::NEXT, 1));
    let (terminal, goal) = (question(Pred::TERMINAL, 0), question(Pred::GOAL, 2));
    let (role, init) = (question(Pred::ROLE, 1), question(Pred::INIT, 1));
    let program = compiler.knowledge.program;
    let questions = preds
        .iter()
        .map(|&pred| compiler.procedure((pred, vec![Mode::Asked; program.predicate(pred).arity])))
        .collect();
    while let Some(number) = compiler.open.pop() {
        let (pred, modes) = compiler.code.procedures[number].call.clone();
        let plans = compiler.plans(pred, &modes);
        compiler.code.procedures[number].plans = plans;
    }
    (Code { legal, next, terminal, goal, role, init, ..compiler.code }, questions)
}

struct Compiler<'a> {
    knowledge: Knowledge<'a>,
    rules_of: FxHashMap<Pred, Vec<&'a Rule>>,
    code: Code,
    numbers: FxHashMap<Call, usize>,
    open: Vec<usize>,
    /// In how many ways each relation is called.
    ways: FxHashMap<Pred, usize>,
    layouts: FxHashMap<(Pred, usize), usize>,
    estimates: FxHashMap<Shape, f64>,
}

impl Compiler<'_> {
    /// The procedure for a way of calling a relation.
    fn procedure(&mut self, call: Call) -> usize {
        if let Some(&number) = self.numbers.get(&call) {
            return number;
        }
        let number = self.code.procedures.len();
        let properties = self.knowledge.program.predicate(call.0);
        let count = |wanted: Mode| call.1.iter().filter(|mode| **mode == wanted).count();
        // A question is asked again for other purposes; recursion lives by its tables.
        let question = count(Mode::Asked) == call.1.len();
        self.code.procedures.push(Procedure {
            tabled: question
                || properties.recursive
                || properties.class == Class::Static
                || !self.knowledge.experience.fleeting.contains(&call),
            class: properties.class,
            component: properties.component,
            recursive: properties.recursive,
            inputs: count(Mode::Known),
            outputs: count(Mode::Asked),
            plans: Vec::new(),
            call: call.clone(),
        });
        *self.ways.entry(call.0).or_insert(0) += 1;
        self.numbers.insert(call, number);
        self.open.push(number);
        number
    }

    fn plans(&mut self, pred: Pred, modes: &[Mode]) -> Vec<Plan> {
        let component = self.knowledge.program.predicate(pred).component;
        let rules: Vec<&Rule> = self.rules_of.get(&pred).cloned().unwrap_or_default();
        let program = self.knowledge.program;
        let same_component = |atom: &Atom, _| {
            let other = program.predicate(atom.pred);
            other.recursive && other.component == component
        };
        // An alternative that can give a variable its value is better than one that tests it.
        let stored = |atom: &Atom, positive: bool| {
            positive && matches!(self.source(atom.pred), Source::Static | Source::Fact)
        };
        let rules: Vec<Rule> = rules
            .into_iter()
            .flat_map(|rule| {
                let generous = rule.without_any(&stored);
                if generous.len() <= MAX_ALTERNATIVES { generous } else { vec![rule.clone()] }
            })
            .flat_map(|rule| rule.without_any(&same_component))
            .collect();
        rules.iter().map(|rule| self.plan(rule, modes)).collect()
    }

    fn plan(&mut self, rule: &Rule, modes: &[Mode]) -> Plan {
        let frame = usize::from(rule.variables);
        let mut bound = vec![false; frame];
        let arguments = |wanted: Mode| -> Vec<Term> {
            let args = rule.head.args.iter().zip(modes).filter(|(_, mode)| **mode == wanted);
            args.map(|(arg, _)| arg.clone()).collect()
        };
        let entry = Pattern::new(&arguments(Mode::Known), &mut bound);
        let outputs = arguments(Mode::Asked);
        let order = order(&rule.body, &bound, |literal, bound| self.expected(literal, bound));
        let mut steps = Vec::new();
        for &index in &order {
            let later: FxHashSet<u16> = order[steps.len() + 1..]
                .iter()
                .flat_map(|&later| rule.body[later].variables())
                .chain(outputs.iter().flat_map(Term::variables))
                .collect();
            let before = bound.clone();
            let op = self.op(&rule.body[index], &mut bound, &later);
            let once = later.iter().all(|&v| before[usize::from(v)] == bound[usize::from(v)]);
            steps.push(Step { op, once });
        }
        Plan { entry, steps, outputs: outputs.iter().map(Build::new).collect(), frame }
    }

    fn op(&mut self, literal: &Literal, bound: &mut [bool], later: &FxHashSet<u16>) -> Op {
        let binds = literal.variables().any(|variable| !bound[usize::from(variable)]);
        let atom = match literal {
            // Recursive answers arrive one by one and cannot be tested for.
            Literal::Positive(atom) if binds || self.is_recursive_call(atom.pred) => atom,
            _ => return Op::Test(self.test(literal)),
        };
        match self.source(atom.pred) {
            Source::Static => {
                let pattern = Pattern::new(&atom.args, bound);
                let relation = &mut self.knowledge.statics[atom.pred.index()];
                let index = relation.index(&pattern.shape(), self.knowledge.terms);
                let layouts = &mut self.code.layouts;
                let layout = *self.layouts.entry((atom.pred, index)).or_insert_with(|| {
                    layouts.push(relation.layout(index));
                    layouts.len() - 1
                });
                Op::Static { layout, width: atom.args.len(), pattern }
            }
            Source::Fact => {
                let pattern = Pattern::new(&atom.args, bound);
                Op::Fact { index: self.fact_index(&pattern.shape()), pattern }
            }
            Source::Does => Op::Does { pattern: Pattern::new(&atom.args, bound) },
            Source::Call => self.call(atom, bound, later),
        }
    }

    fn call(&mut self, atom: &Atom, bound: &mut [bool], later: &FxHashSet<u16>) -> Op {
        let recursive = self.is_recursive_call(atom.pred);
        let crowded = self.ways.get(&atom.pred).is_some_and(|&ways| ways >= MAX_WAYS);
        let modes: Vec<Mode> = atom
            .args
            .iter()
            .map(|arg| match arg {
                // Every legal move will be asked for anyway.
                _ if atom.pred == Pred::LEGAL || crowded => Mode::Asked,
                // A recursive call with a term built for it could build larger terms without end.
                Term::Function(..) if recursive => Mode::Asked,
                _ if arg.variables().all(|v| bound[usize::from(v)]) => Mode::Known,
                Term::Variable(v) if !later.contains(v) && occurs_once(*v, &atom.args) => {
                    Mode::Ignored
                }
                _ => Mode::Asked,
            })
            .collect();
        let with = |wanted: Mode| {
            let args = atom.args.iter().zip(&modes).filter(move |(_, mode)| **mode == wanted);
            args.map(|(arg, _)| arg)
        };
        let inputs: Vec<Build> = with(Mode::Known).map(Build::new).collect();
        let asked: Vec<Term> = with(Mode::Asked).cloned().collect();
        let pattern = Pattern::new(&asked, bound);
        // What is ignored has a value all the same, as far as the order of conditions goes.
        with(Mode::Ignored).flat_map(Term::variables).for_each(|v| bound[usize::from(v)] = true);
        let procedure = self.procedure((atom.pred, modes));
        if asked.is_empty() && !self.is_recursive_call(atom.pred) {
            Op::Test(Test::Call { procedure, inputs, wanted: true })
        } else {
            Op::Call { procedure, inputs, pattern }
        }
    }

    fn is_recursive_call(&self, pred: Pred) -> bool {
        self.source(pred) == Source::Call && self.knowledge.program.predicate(pred).recursive
    }

    fn test(&mut self, literal: &Literal) -> Test {
        let wanted = !matches!(literal, Literal::Negative(_));
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                let mut row: Vec<Build> = atom.args.iter().map(Build::new).collect();
                match self.source(atom.pred) {
                    Source::Static => Test::Static { pred: atom.pred, row, wanted },
                    Source::Fact => Test::Fact { fact: row.swap_remove(0), wanted },
                    Source::Does => Test::Does { row, wanted },
                    Source::Call => {
                        let known = vec![Mode::Known; atom.args.len()];
                        let procedure = self.procedure((atom.pred, known));
                        Test::Call { procedure, inputs: row, wanted }
                    }
                }
            }
            Literal::Distinct(a, b) => Test::Distinct(Build::new(a), Build::new(b)),
            Literal::Equal(a, b) => Test::Equal(Build::new(a), Build::new(b)),
            Literal::Any(parts) => Test::Any(
                parts
                    .iter()
                    .map(|part| part.iter().map(|literal| self.test(literal)).collect())
                    .collect(),
            ),
        }
    }

    fn source(&self, pred: Pred) -> Source {
        match pred {
            Pred::TRUE => Source::Fact,
            Pred::DOES => Source::Does,
            _ if self.knowledge.complete[pred.index()] => Source::Static,
            _ => Source::Call,
        }
    }

    fn fact_index(&mut self, shape: &Shape) -> usize {
        let shapes = &mut self.code.fact_shapes;
        shapes.iter().position(|known| known == shape).unwrap_or_else(|| {
            shapes.push(shape.clone());
            shapes.len() - 1
        })
    }

    /// How many rows match a literal, about. Tests are below 1: they can only fail.
    fn expected(&mut self, literal: &Literal, bound: &[bool]) -> f64 {
        let (Literal::Positive(atom) | Literal::Negative(atom)) = literal else { return 0.0 };
        let pattern = Pattern::new(&atom.args, &mut bound.to_vec());
        let test = pattern.binds.is_empty();
        match self.source(atom.pred) {
            Source::Static if test => 0.3,
            Source::Fact if test => 0.4,
            Source::Does if test => 0.35,
            Source::Call if test => 0.9,
            Source::Static => {
                let relation = &mut self.knowledge.statics[atom.pred.index()];
                relation.expected_matches(&pattern.shape(), self.knowledge.terms)
            }
            Source::Fact => self.expected_facts(&pattern.shape()),
            Source::Does => {
                let role_known = pattern
                    .keys
                    .iter()
                    .any(|(path, _)| matches!(path, crate::pattern::Path::Column(0)));
                if role_known { 0.8 } else { 0.9 * self.knowledge.roles as f64 }
            }
            Source::Call => match self.knowledge.experience.extensions.get_mut(&atom.pred) {
                Some(samples) => {
                    let (shape, terms) = (pattern.shape(), self.knowledge.terms);
                    let rows = samples.iter_mut().map(|rows| rows.expected_matches(&shape, terms));
                    // More than the same number of facts: rows must be derived first.
                    1.0 + 1.2 * rows.sum::<f64>() / samples.len().max(1) as f64
                }
                None => 4.0 * 3f64.powi(pattern.binds.len() as i32),
            },
        }
    }

    fn expected_facts(&mut self, shape: &Shape) -> f64 {
        if let Some(&known) = self.estimates.get(shape) {
            return known;
        }
        let mut key = Vec::new();
        let mut total = 0.0;
        for state in &self.knowledge.experience.states {
            let mut keys = KeyMap::new(shape.keys.len());
            let mut rows = 0.0;
            for &fact in state {
                if shape.key(self.knowledge.terms, &[fact], &mut key) {
                    rows += 1.0;
                    keys.insert(&key);
                }
            }
            total += rows / keys.len().max(1) as f64;
        }
        // A kind of fact that was never met will be met some day.
        let expected = (total / self.knowledge.experience.states.len().max(1) as f64).max(0.5);
        self.estimates.insert(shape.clone(), expected);
        expected
    }
}

fn occurs_once(variable: u16, args: &[Term]) -> bool {
    args.iter().flat_map(Term::variables).filter(|v| *v == variable).count() == 1
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Static,
    Fact,
    Does,
    Call,
}
