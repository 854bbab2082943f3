//! Evaluates procedures over the facts of a state and the moves of a step.
//!
//! Top-down with tables: a call is evaluated once per state (or per step, or per game, depending
//! on what it depends on) and its answers are remembered. Calls nest only along the acyclic order
//! of components, and within a component only to a fixed depth, so the stack is bounded. A call
//! that meets an unfinished call of the same relation leaves a *consumer* behind, which is resumed for every later answer;
//! calls that depend on each other are complete when no work is left. So recursion gets its least
//! fixpoint, left or right, and each answer is used once per consumer.

mod recursion;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gamegrove_game::Fault;
use smallvec::{SmallVec, smallvec};

use super::code::{Code, Op, Plan, Test};
use super::facts::Facts;
use super::table::{Answers, Status, Table};
use super::vocabulary::Vocabulary;
use crate::pattern::{Build, Pattern};
use crate::program::Class;
use crate::relation::Relation;
use crate::term::TermId;

pub(super) type Row = SmallVec<[TermId; 8]>;

/// Limits on the work of one query.
#[derive(Clone, Debug)]
pub(super) struct Allowance {
    pub work: u64,
    pub memory: usize,
    /// Ends the work when it is set.
    pub stop: Option<Arc<AtomicBool>>,
}

/// The part that never changes during play.
pub(super) struct Rules<'a> {
    pub code: &'a Code,
    pub statics: &'a [Relation],
}

#[derive(Clone, Debug)]
pub(super) struct Machine {
    pub words: Vocabulary,
    pub facts: Facts,
    /// Role and move, in role order; empty while no step is looked at.
    does: Vec<[TermId; 2]>,
    tables: Vec<Table>,
    /// The variables of the rules under evaluation.
    values: Vec<TermId>,
    /// The current epoch of each class of relations.
    epochs: [u64; 3],
    consumers: Vec<Consumer>,
    agenda: Vec<Task>,
    nest: Nest,
    /// The calls of recursive relations that are not complete.
    running: Vec<(u32, u32)>,
    /// The first of them that the call under evaluation has asked.
    oldest: usize,
    /// Answers that are not remembered, innermost call last.
    fleeting: Vec<Answers>,
    /// How many of them are in use.
    fleeting_depth: usize,
    /// Per procedure, how often it was called and how often the answer was there.
    pub uses: Vec<[u32; 2]>,
    work: u64,
    /// An answer that is enough: the procedure and its first argument.
    wanted: Option<(u32, TermId)>,
    /// The second argument of such an answer.
    found: Option<TermId>,
    /// Memory of all answers, which is kept for the next ones.
    answer_bytes: usize,
    /// Memory of answers and number of terms when the query started.
    before: (usize, usize),
    /// How deeply calls are nested.
    depth: usize,
    pub allowance: Allowance,
    pub fault: Option<Fault>,
}

/// Where in a component of mutually recursive relations the evaluation is.
#[derive(Clone, Copy, Debug, Default)]
struct Nest {
    component: Option<u32>,
    /// The place of its first unfinished call.
    start: usize,
    /// How many calls of the component are nested in that one.
    depth: usize,
}

/// The cost of a new term, in both copies of the vocabulary and in the indexes.
const BYTES_PER_TERM: usize = 160;
/// Calls of recursive relations are nested this deeply at most; the rest waits its turn.
const MAX_NESTING: usize = 48;
/// Recursive calls wait their turn also where other calls are nested this deeply.
const DEEP: usize = 200;
/// Calls are nested this deeply at most. A level takes up to three kilobytes of stack, and threads
/// have two megabytes.
const MAX_DEPTH: usize = 400;

/// The call a rule is evaluated for.
#[derive(Clone, Copy, Debug)]
struct Owner {
    procedure: u32,
    place: Place,
    plan: u32,
}

/// Where answers go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// An entry of the procedure's table.
    Entry(u32),
    /// A set that is not remembered.
    Fleeting(u32),
    /// Nowhere: only whether there is an answer counts.
    Flag,
}

/// A rule that waits at a step for answers of another call.
#[derive(Clone, Debug)]
struct Consumer {
    owner: Owner,
    step: u32,
    values: Row,
}

#[derive(Clone, Copy, Debug)]
enum Task {
    Evaluate { procedure: u32, entry: u32 },
    Deliver { consumer: u32, procedure: u32, entry: u32, answer: u32 },
}

/// Whether further answers are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    More,
    Stop,
}

fn class_index(class: Class) -> usize {
    match class {
        Class::Static => 0,
        Class::State => 1,
        Class::Does => 2,
    }
}

impl Machine {
    pub fn new(words: Vocabulary, code: &Code, allowance: Allowance) -> Machine {
        Machine {
            words,
            facts: Facts::new(&code.fact_shapes),
            does: Vec::new(),
            tables: code.procedures.iter().map(|p| Table::new(p.inputs)).collect(),
            values: Vec::new(),
            epochs: [1; 3],
            consumers: Vec::new(),
            agenda: Vec::new(),
            nest: Nest::default(),
            running: Vec::new(),
            oldest: usize::MAX,
            fleeting: Vec::new(),
            fleeting_depth: 0,
            uses: vec![[0; 2]; code.procedures.len()],
            work: 0,
            wanted: None,
            found: None,
            answer_bytes: 0,
            before: (0, 0),
            depth: 0,
            allowance,
            fault: None,
        }
    }

    /// Turns to a state; what was found out about it stays if it is the current one.
    pub fn set_state(&mut self, facts: &[TermId]) {
        if !self.facts.is(facts) {
            if let Some(&last) = facts.last() {
                // Facts are sorted, so the last is the newest.
                self.words.learn(last);
            }
            self.facts.set(facts);
            self.epochs[class_index(Class::State)] += 1;
            self.epochs[class_index(Class::Does)] += 1;
        }
    }

    /// Forgets all answers, of which some may be incomplete.
    pub fn forget_state(&mut self) {
        self.epochs.iter_mut().for_each(|epoch| *epoch += 1);
        self.agenda.clear();
        self.consumers.clear();
        self.running.clear();
        self.nest = Nest::default();
        self.oldest = usize::MAX;
        self.depth = 0;
        self.fleeting_depth = 0;
        self.values.clear();
        if self.answer_bytes > self.allowance.memory / 2 {
            self.give_memory_back();
        }
    }

    /// Turns to a step: each role with its move.
    pub fn set_does(&mut self, moves: impl Iterator<Item = [TermId; 2]>) {
        self.does.clear();
        self.does.extend(moves);
        self.epochs[class_index(Class::Does)] += 1;
    }

    /// All answers to a question, which has arguments and none of them known.
    pub fn ask(&mut self, rules: &Rules<'_>, procedure: usize) -> Answered {
        self.start_query();
        Answered { procedure, entry: self.call(rules, procedure, &[]) }
    }

    /// An answer to a question with two arguments, of which the first is `first`: its second argument.
    /// Unless it was known before, the question is forgotten, for its other answers were not looked for.
    pub fn ask_for_one(
        &mut self,
        rules: &Rules<'_>,
        procedure: usize,
        first: TermId,
    ) -> Option<TermId> {
        self.wanted = Some((procedure as u32, first));
        let answered = self.ask(rules, procedure);
        self.wanted = None;
        if let Some(found) = self.found.take() {
            self.forget_state();
            return Some(found);
        }
        self.answers(answered).find(|row| row[0] == first).map(|row| row[1])
    }

    /// Whether a relation without arguments holds.
    pub fn ask_whether(&mut self, rules: &Rules<'_>, procedure: usize) -> bool {
        self.start_query();
        self.succeeds(rules, procedure, &[])
    }

    fn start_query(&mut self) {
        self.work = 0;
        if self.answer_bytes > self.allowance.memory / 2 {
            self.give_memory_back();
        }
        self.before = (self.answer_bytes, self.words.terms().len());
        if self.vocabulary_bytes() > self.allowance.memory || self.is_stopped() {
            // Short queries would not look at the limits.
            self.look();
        }
    }

    /// Forgets all answers. Only between queries: during one, answers are in use.
    fn give_memory_back(&mut self) {
        self.tables.iter_mut().for_each(Table::clear);
        self.fleeting = Vec::new();
        self.consumers = Vec::new();
        self.agenda = Vec::new();
        self.answer_bytes = 0;
    }

    pub fn answers(&self, answered: Answered) -> impl ExactSizeIterator<Item = &[TermId]> + '_ {
        let answers = &self.tables[answered.procedure].entries[answered.entry as usize].answers;
        (0..answers.len()).map(|number| answers.row(number))
    }

    /// About how much memory the query has taken so far.
    fn growth(&self) -> usize {
        let waiting = self.consumers.capacity() * size_of::<Consumer>()
            + self.agenda.capacity() * size_of::<Task>();
        let terms = self.words.terms().len() - self.before.1;
        self.answer_bytes - self.before.0 + terms * BYTES_PER_TERM + waiting
    }

    /// About how much memory all terms take that were met so far.
    fn vocabulary_bytes(&self) -> usize {
        self.words.terms().len() * BYTES_PER_TERM
    }

    /// Refuses a state whose facts take too much memory as texts.
    pub fn check_state(&self, facts: &[TermId]) -> Result<(), Fault> {
        let limit = self.allowance.memory / 8;
        match self.words.terms().may_exceed(facts, limit) {
            true => Err(Fault::State { limit: limit as u64 }),
            false => Ok(()),
        }
    }

    /// The entry with the answers to a call, evaluated if it has not been. Calls that only say yes
    /// or no and are not recursive go through [`succeeds`](Machine::succeeds) instead.
    fn call(&mut self, rules: &Rules<'_>, procedure: usize, key: &[TermId]) -> u32 {
        let code = &rules.code.procedures[procedure];
        let epoch = self.epochs[class_index(code.class)];
        self.uses[procedure][0] += 1;
        let table = &mut self.tables[procedure];
        let (number, bytes) = table.entry(key, code.outputs);
        self.answer_bytes += bytes;
        let entry = &mut table.entries[number as usize];
        if entry.epoch == epoch {
            self.uses[procedure][1] += 1;
            return number;
        }
        entry.epoch = epoch;
        entry.answers.clear();
        entry.status = Status::Running;
        let call = (procedure as u32, number);
        if code.recursive {
            entry.place = self.running.len();
            self.evaluate_recursive(rules, code.component, call, key);
        } else {
            self.evaluate(rules, call.0, Place::Entry(number), key);
            self.tables[procedure].entries[number as usize].status = Status::Complete;
        }
        number
    }

    /// Whether a call has an answer.
    fn succeeds(&mut self, rules: &Rules<'_>, procedure: usize, key: &[TermId]) -> bool {
        let code = &rules.code.procedures[procedure];
        if code.recursive {
            let entry = self.call(rules, procedure, key);
            return self.tables[procedure].entries[entry as usize].answers.len() > 0;
        }
        if !code.tabled {
            return self.evaluate(rules, procedure as u32, Place::Flag, key) == Flow::Stop;
        }
        self.uses[procedure][0] += 1;
        let epoch = self.epochs[class_index(code.class)];
        let (flag, bytes) = self.tables[procedure].flag(key);
        self.answer_bytes += bytes;
        let known = self.tables[procedure].flags[flag];
        if known >> 1 == epoch {
            self.uses[procedure][1] += 1;
            return known & 1 == 1;
        }
        let holds = self.evaluate(rules, procedure as u32, Place::Flag, key) == Flow::Stop;
        self.tables[procedure].flags[flag] = epoch << 1 | u64::from(holds);
        holds
    }

    /// Runs the rules of a procedure until no more answers are wanted.
    fn evaluate(
        &mut self,
        rules: &Rules<'_>,
        procedure: u32,
        place: Place,
        key: &[TermId],
    ) -> Flow {
        if self.depth == MAX_DEPTH {
            self.fault = Some(Fault::Depth { limit: MAX_DEPTH as u64 });
        }
        self.depth += 1;
        let flow = self.run_plans(rules, procedure, place, key);
        self.depth -= 1;
        flow
    }

    fn run_plans(
        &mut self,
        rules: &Rules<'_>,
        procedure: u32,
        place: Place,
        key: &[TermId],
    ) -> Flow {
        let code = &rules.code.procedures[procedure as usize];
        for (number, plan) in code.plans.iter().enumerate() {
            if self.spent() {
                return Flow::Stop;
            }
            let base = self.values.len();
            self.values.resize(base + plan.frame, TermId(0));
            let fits = fits(&plan.entry, self.words.terms(), key, &[])
                && plan.entry.bind(self.words.terms(), key, &mut self.values[base..]);
            let owner = Owner { procedure, place, plan: number as u32 };
            let flow = if fits { self.solve(rules, owner, plan, 0, base) } else { Flow::More };
            self.values.truncate(base);
            if flow == Flow::Stop {
                return Flow::Stop;
            }
        }
        Flow::More
    }

    /// Finds all ways to satisfy the conditions of a rule from step `at` on.
    fn solve(
        &mut self,
        rules: &Rules<'_>,
        owner: Owner,
        plan: &Plan,
        mut at: usize,
        base: usize,
    ) -> Flow {
        // Goes round for steps that can match once, calls itself for those that can match often.
        loop {
            let Some(step) = plan.steps.get(at) else {
                return self.emit(rules, owner, plan, base);
            };
            match &step.op {
                Op::Test(test) => {
                    if !self.holds(rules, test, base) {
                        return Flow::More;
                    }
                }
                Op::Fact { index, pattern } => {
                    let (terms, values) = (self.words.terms(), &self.values[base..]);
                    let bucket = if pattern.simple_keys {
                        self.facts.bucket(*index, pattern.known(values), terms)
                    } else {
                        let Some(key) = self.key(pattern, base) else { return Flow::More };
                        self.facts.bucket(*index, key.into_iter(), terms)
                    };
                    let Some(bucket) = bucket else { return Flow::More };
                    let count = self.facts.in_bucket(*index, bucket).len();
                    let single = step.once || count == 1;
                    let mut matched = false;
                    for place in 0..count {
                        let fact = self.facts.in_bucket(*index, bucket)[place];
                        if self.spent() {
                            return Flow::Stop;
                        }
                        if !pattern.bind(self.words.terms(), &[fact], &mut self.values[base..]) {
                            continue;
                        }
                        if single {
                            matched = true;
                            break;
                        }
                        if self.solve(rules, owner, plan, at + 1, base) == Flow::Stop {
                            return Flow::Stop;
                        }
                    }
                    if !matched {
                        return Flow::More;
                    }
                }
                Op::Static { layout, width, pattern } => {
                    let layout = &rules.code.layouts[*layout];
                    let values = &self.values[base..];
                    let found = if pattern.simple_keys {
                        layout.rows(pattern.known(values))
                    } else {
                        let Some(key) = self.key(pattern, base) else { return Flow::More };
                        layout.rows(key.into_iter())
                    };
                    let single = step.once || found.len() == *width;
                    let mut matched = false;
                    for row in found.chunks_exact(*width) {
                        if self.spent() {
                            return Flow::Stop;
                        }
                        if !pattern.bind(self.words.terms(), row, &mut self.values[base..]) {
                            continue;
                        }
                        if single {
                            matched = true;
                            break;
                        }
                        if self.solve(rules, owner, plan, at + 1, base) == Flow::Stop {
                            return Flow::Stop;
                        }
                    }
                    if !matched {
                        return Flow::More;
                    }
                }
                Op::Does { pattern } => {
                    let mut matched = false;
                    for role in 0..self.does.len() {
                        let row = self.does[role];
                        if !fits(pattern, self.words.terms(), &row, &self.values[base..])
                            || !pattern.bind(self.words.terms(), &row, &mut self.values[base..])
                        {
                            continue;
                        }
                        if step.once {
                            matched = true;
                            break;
                        }
                        if self.solve(rules, owner, plan, at + 1, base) == Flow::Stop {
                            return Flow::Stop;
                        }
                    }
                    if !matched {
                        return Flow::More;
                    }
                }
                Op::Call { procedure, inputs, pattern } => {
                    let Some(key) = self.made_row(inputs, base) else { return Flow::Stop };
                    let at = (owner, plan, at, base);
                    return self.solve_call(rules, *procedure, &key, pattern, at);
                }
            }
            at += 1;
        }
    }

    /// Goes on with each answer of a call.
    fn solve_call(
        &mut self,
        rules: &Rules<'_>,
        procedure: usize,
        key: &[TermId],
        pattern: &Pattern,
        (owner, plan, at, base): (Owner, &Plan, usize, usize),
    ) -> Flow {
        let code = &rules.code.procedures[procedure];
        if !code.tabled {
            let depth = self.fleeting_depth;
            self.fleeting_depth += 1;
            if self.fleeting.len() == depth {
                self.fleeting.push(Answers::new(0));
            }
            self.fleeting[depth].reset(code.outputs);
            self.evaluate(rules, procedure as u32, Place::Fleeting(depth as u32), key);
            let count = self.fleeting[depth].len();
            let flow = self.each_answer(rules, owner, plan, at, base, count, pattern, |machine| {
                &machine.fleeting[depth]
            });
            self.fleeting_depth -= 1;
            return flow;
        }
        let entry = self.call(rules, procedure, key) as usize;
        let called = &mut self.tables[procedure].entries[entry];
        // Answers after these are delivered when they come.
        let count = called.answers.len();
        if called.status == Status::Running {
            self.oldest = self.oldest.min(called.place);
            called.consumers.push(self.consumers.len() as u32);
            let values = self.values[base..base + plan.frame].into();
            self.consumers.push(Consumer { owner, step: at as u32, values });
        }
        self.each_answer(rules, owner, plan, at, base, count, pattern, |machine| {
            &machine.tables[procedure].entries[entry].answers
        })
    }

    /// Goes on with each of the first `count` answers that match.
    #[inline]
    #[expect(clippy::too_many_arguments, reason = "the state of one step of one rule")]
    fn each_answer(
        &mut self,
        rules: &Rules<'_>,
        owner: Owner,
        plan: &Plan,
        at: usize,
        base: usize,
        count: usize,
        pattern: &Pattern,
        answers: impl Fn(&Machine) -> &Answers,
    ) -> Flow {
        for answer in 0..count {
            if self.spent() {
                return Flow::Stop;
            }
            let row: Row = answers(self).row(answer).into();
            if fits(pattern, self.words.terms(), &row, &self.values[base..])
                && pattern.bind(self.words.terms(), &row, &mut self.values[base..])
            {
                if self.solve(rules, owner, plan, at + 1, base) == Flow::Stop {
                    return Flow::Stop;
                }
                if plan.steps[at].once {
                    break;
                }
            }
        }
        Flow::More
    }

    #[inline]
    fn holds(&mut self, rules: &Rules<'_>, test: &Test, base: usize) -> bool {
        match test {
            Test::Fact { fact, wanted } => {
                let fact = fact.find(self.words.terms(), &self.values[base..]);
                fact.is_some_and(|fact| self.facts.contains(fact)) == *wanted
            }
            Test::Static { pred, row, wanted } => {
                let row = self.row(row, base);
                row.is_some_and(|row| rules.statics[pred.index()].find(&row).is_some()) == *wanted
            }
            Test::Does { row, wanted } => {
                let row = self.row(row, base);
                row.is_some_and(|row| self.does.iter().any(|does| does[..] == row[..])) == *wanted
            }
            Test::Call { procedure, inputs, wanted } => {
                let Some(key) = self.made_row(inputs, base) else { return false };
                self.succeeds(rules, *procedure, &key) == *wanted
            }
            Test::Distinct(a, b) => !a.same(b, self.words.terms(), &self.values[base..]),
            Test::Equal(a, b) => a.same(b, self.words.terms(), &self.values[base..]),
            Test::Any(parts) => {
                parts.iter().any(|part| part.iter().all(|test| self.holds(rules, test, base)))
            }
        }
    }

    fn emit(&mut self, rules: &Rules<'_>, owner: Owner, plan: &Plan, base: usize) -> Flow {
        if owner.place == Place::Flag {
            return Flow::Stop;
        }
        let row: Row = match &plan.outputs[..] {
            // Most answers are one known term.
            [Build::Register(register)] => smallvec![self.values[base + usize::from(*register)]],
            outputs => match self.made_row(outputs, base) {
                Some(row) => row,
                None => return Flow::Stop,
            },
        };
        let is_wanted = |(procedure, first): (u32, TermId)| {
            procedure == owner.procedure && row.first() == Some(&first)
        };
        if self.wanted.is_some_and(is_wanted) {
            self.found = row.get(1).copied();
            return Flow::Stop;
        }
        match owner.place {
            Place::Fleeting(depth) => {
                let answers = &mut self.fleeting[depth as usize];
                let before = answers.bytes();
                answers.insert(&row);
                self.answer_bytes += answers.bytes() - before;
            }
            Place::Entry(entry) => {
                let table = &mut self.tables[owner.procedure as usize];
                let found = &mut table.entries[entry as usize];
                let before = found.answers.bytes();
                if found.answers.insert(&row) {
                    self.answer_bytes += found.answers.bytes() - before;
                    let answer = found.answers.len() as u32 - 1;
                    for &consumer in &found.consumers {
                        let procedure = owner.procedure;
                        self.agenda.push(Task::Deliver { consumer, procedure, entry, answer });
                    }
                }
            }
            Place::Flag => {}
        }
        let wants_more = rules.code.procedures[owner.procedure as usize].outputs > 0;
        if wants_more && !self.spent() { Flow::More } else { Flow::Stop }
    }

    #[inline]
    fn key(&self, pattern: &Pattern, base: usize) -> Option<Row> {
        let (terms, values) = (self.words.terms(), &self.values[base..]);
        collect(pattern.keys.iter().map(|(_, build)| build.find(terms, values)))
    }

    #[inline]
    fn row(&self, row: &[Build], base: usize) -> Option<Row> {
        let (terms, values) = (self.words.terms(), &self.values[base..]);
        collect(row.iter().map(|build| build.find(terms, values)))
    }

    /// The row, with terms that are new; `None` if terms grow without end.
    #[inline]
    fn made_row(&mut self, row: &[Build], base: usize) -> Option<Row> {
        match self.row(row, base) {
            Some(row) => Some(row),
            None => self.make_row(row, base),
        }
    }

    #[cold]
    fn make_row(&mut self, row: &[Build], base: usize) -> Option<Row> {
        let mut made = Row::new();
        for build in row {
            match self.words.make(build, &self.values[base..]) {
                Ok(term) => made.push(term),
                Err(_) => {
                    self.fault = Some(Fault::Terms);
                    return None;
                }
            }
        }
        Some(made)
    }

    /// Counts a step; true if the query has used up its allowance.
    #[inline]
    fn spent(&mut self) -> bool {
        self.work += 1;
        (self.work & 0xffff == 0 && self.look()) || self.fault.is_some()
    }

    fn is_stopped(&self) -> bool {
        self.allowance.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    #[cold]
    fn look(&mut self) -> bool {
        if self.work > self.allowance.work {
            self.fault = Some(Fault::Work { limit: self.allowance.work });
        } else if self.growth().max(self.vocabulary_bytes()) > self.allowance.memory {
            self.fault = Some(Fault::Memory { limit: self.allowance.memory as u64 });
        } else if self.is_stopped() {
            self.fault = Some(Fault::Stopped);
        }
        self.fault.is_some()
    }
}

/// Where a question's answers are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answered {
    procedure: usize,
    entry: u32,
}

/// Collects the terms of a row, unless one is missing.
#[inline(always)]
fn collect(terms: impl ExactSizeIterator<Item = Option<TermId>>) -> Option<Row> {
    let mut buffer = [TermId(0); 8];
    let count = terms.len();
    if count > buffer.len() {
        return terms.collect();
    }
    for (slot, term) in buffer.iter_mut().zip(terms) {
        *slot = term?;
    }
    Some(Row::from_buf_and_len(buffer, count))
}

/// Whether a row has the functors and known terms of a pattern.
#[inline]
fn fits(pattern: &Pattern, terms: &crate::term::Terms, row: &[TermId], values: &[TermId]) -> bool {
    pattern.guards.iter().all(|(path, functor)| terms.functor_of(path.get(terms, row)) == *functor)
        && pattern
            .keys
            .iter()
            .all(|(path, build)| build.find(terms, values) == Some(path.get(terms, row)))
}
