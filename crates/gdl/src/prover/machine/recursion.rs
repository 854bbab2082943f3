//! Calls of recursive relations: depth first, completed together where they depend on each other.

use super::super::code::Op;
use super::super::table::Status;
use super::{Consumer, DEEP, MAX_NESTING, Machine, Nest, Place, Row, Rules, Task, fits};
use crate::term::TermId;

impl Machine {
    /// Evaluates a call of a recursive relation, depth first. It is complete at once unless its
    /// answers depend on an unfinished call; then it is completed together with that one.
    pub(super) fn evaluate_recursive(
        &mut self,
        rules: &Rules<'_>,
        component: u32,
        call: (u32, u32),
        key: &[TermId],
    ) {
        let place = self.running.len();
        self.running.push(call);
        let outer = self.nest;
        if outer.component == Some(component) {
            self.nest.depth += 1;
        } else {
            self.nest = Nest { component: Some(component), start: place, depth: 0 };
        }
        let tasks = self.agenda.len();
        let outer_oldest = std::mem::replace(&mut self.oldest, usize::MAX);
        if self.nest.depth < MAX_NESTING && (self.nest.depth == 0 || self.depth < DEEP) {
            self.evaluate(rules, call.0, Place::Entry(call.1), key);
        } else {
            // So deep a chain is followed by the first call of the component, step by step.
            self.agenda.push(Task::Evaluate { procedure: call.0, entry: call.1 });
            self.oldest = self.nest.start;
        }
        while self.oldest >= place && self.agenda.len() > tasks {
            if let Some(task) = self.agenda.pop() {
                self.perform(rules, task);
            }
        }
        if self.oldest >= place {
            for (procedure, entry) in self.running.drain(place..) {
                let entry = &mut self.tables[procedure as usize].entries[entry as usize];
                entry.status = Status::Complete;
                entry.consumers.clear();
            }
            self.oldest = outer_oldest;
        } else {
            self.oldest = self.oldest.min(outer_oldest);
        }
        if self.running.is_empty() {
            self.consumers.clear();
        }
        self.nest = outer;
    }

    fn perform(&mut self, rules: &Rules<'_>, task: Task) {
        match task {
            Task::Evaluate { procedure, entry } => {
                let key: Row = self.tables[procedure as usize].keys.key(entry).into();
                self.evaluate(rules, procedure, Place::Entry(entry), &key);
            }
            Task::Deliver { consumer, procedure, entry, answer } => {
                self.deliver(rules, consumer, procedure, entry, answer);
            }
        }
    }

    fn deliver(
        &mut self,
        rules: &Rules<'_>,
        consumer: u32,
        procedure: u32,
        entry: u32,
        answer: u32,
    ) {
        if self.fault.is_some() {
            return;
        }
        let Consumer { owner, step, values } = self.consumers[consumer as usize].clone();
        let plan = &rules.code.procedures[owner.procedure as usize].plans[owner.plan as usize];
        let Op::Call { pattern, .. } = &plan.steps[step as usize].op else { return };
        let base = self.values.len();
        self.values.extend_from_slice(&values);
        let answers = &self.tables[procedure as usize].entries[entry as usize].answers;
        let row = answers.row(answer as usize);
        if fits(pattern, self.words.terms(), row, &self.values[base..])
            && pattern.bind(self.words.terms(), row, &mut self.values[base..])
        {
            self.solve(rules, owner, plan, step as usize + 1, base);
        }
        self.values.truncate(base);
    }
}
