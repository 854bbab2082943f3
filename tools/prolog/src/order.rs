//! When a negation may be asked: the order of the goals in a body.
//!
//! Prolog's `\+` and `\==` look at what is bound *now*, while GDL's `not` and `distinct` mean the
//! finished substitution. So they wait until the positive goals have bound every variable that
//! these can bind at all; otherwise the order of the rulesheet is kept.

use std::collections::BTreeSet;

use crate::rules::{Goal, Term, Var};

type Vars = BTreeSet<Var>;

/// `goals` in an order in which each can be asked, given the variables bound before; afterwards
/// `bound` holds also what they bind.
pub fn order(goals: &[Goal], bound: &mut Vars) -> Vec<Goal> {
    let mut bindable = bound.clone();
    goals.iter().for_each(|goal| bindable.extend(binds(goal)));
    let mut waiting: Vec<&Goal> = goals.iter().collect();
    let mut ordered = Vec::with_capacity(goals.len());
    while !waiting.is_empty() {
        // In an unsafe rule nothing may be ready: then the rulesheet's order is as good as any.
        let next = waiting.iter().position(|goal| ready(goal, bound, &bindable)).unwrap_or(0);
        ordered.push(place(waiting.remove(next), bound));
    }
    ordered
}

/// Orders the inside of `goal` and adds to `bound` what it binds.
fn place(goal: &Goal, bound: &mut Vars) -> Goal {
    match goal {
        Goal::Not(goals) => Goal::Not(order(goals, &mut bound.clone())),
        Goal::Or(branches) => {
            let mut by_all: Option<Vars> = None;
            let branches = branches.iter().map(|branch| {
                let mut by_branch = bound.clone();
                let ordered = order(branch, &mut by_branch);
                by_all = Some(match by_all.take() {
                    Some(others) => others.intersection(&by_branch).copied().collect(),
                    None => by_branch,
                });
                ordered
            });
            let placed = Goal::Or(branches.collect());
            bound.extend(by_all.unwrap_or_default());
            placed
        }
        other => {
            bound.extend(binds(other));
            other.clone()
        }
    }
}

/// The variables that are bound once `goal` has succeeded.
pub fn binds(goal: &Goal) -> Vars {
    match goal {
        Goal::Distinct(..) | Goal::Not(_) => Vars::new(),
        Goal::Call(_) | Goal::Same(..) => variables(goal),
        Goal::Or(branches) => branches
            .iter()
            .map(|branch| branch.iter().flat_map(binds).collect::<Vars>())
            .reduce(|left, right| left.intersection(&right).copied().collect())
            .unwrap_or_default(),
    }
}

fn ready(goal: &Goal, bound: &Vars, bindable: &Vars) -> bool {
    match goal {
        Goal::Call(_) => true,
        Goal::Distinct(..) | Goal::Not(_) => {
            variables(goal).intersection(bindable).all(|var| bound.contains(var))
        }
        Goal::Same(left, right) => is_bound(left, bound) || is_bound(right, bound),
        Goal::Or(branches) => branches.iter().all(|branch| {
            let own: Vars = branch.iter().flat_map(binds).collect();
            let local: Vars = bound.union(&own).copied().collect();
            branch.iter().all(|goal| match goal {
                Goal::Call(_) => true,
                other => ready(other, &local, bindable),
            })
        }),
    }
}

fn is_bound(term: &Term, bound: &Vars) -> bool {
    let mut vars = Vars::new();
    term.variables(&mut vars);
    vars.is_subset(bound)
}

fn variables(goal: &Goal) -> Vars {
    let mut found = Vars::new();
    goal.variables(&mut found);
    found
}
