//! Lists to rules: heads, goals and terms, with numbered variables.

use std::collections::BTreeSet;

use crate::Error;
use crate::sexpr::{Sexpr, syntax};

/// A variable's number within its rule.
pub type Var = usize;

/// A term of GDL. Numbers are constants like any other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    Var(Var),
    Const(String),
    Function(String, Vec<Term>),
}

/// A relation applied to terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atom {
    pub name: String,
    pub args: Vec<Term>,
}

/// A part of a rule's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    Call(Atom),
    /// `(distinct a b)`.
    Distinct(Term, Term),
    /// `(not (distinct a b))`: the same term, so it can also bind.
    Same(Term, Term),
    /// The negation of a conjunction.
    Not(Vec<Goal>),
    /// Alternatives, each a conjunction.
    Or(Vec<Vec<Goal>>),
}

/// A fact (empty body) or a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub head: Atom,
    pub body: Vec<Goal>,
}

impl Term {
    /// Adds the variables of the term to `found`.
    pub fn variables(&self, found: &mut BTreeSet<Var>) {
        match self {
            Self::Var(var) => {
                found.insert(*var);
            }
            Self::Const(_) => {}
            Self::Function(_, args) => args.iter().for_each(|arg| arg.variables(found)),
        }
    }
}

impl Goal {
    /// Adds all variables of the goal to `found`.
    pub fn variables(&self, found: &mut BTreeSet<Var>) {
        match self {
            Self::Call(atom) => atom.args.iter().for_each(|arg| arg.variables(found)),
            Self::Distinct(left, right) | Self::Same(left, right) => {
                left.variables(found);
                right.variables(found);
            }
            Self::Not(goals) => goals.iter().for_each(|goal| goal.variables(found)),
            Self::Or(branches) => {
                branches.iter().flatten().for_each(|goal| goal.variables(found));
            }
        }
    }

    /// Calls `visit` for every relation used in the goal.
    pub fn calls<'a>(&'a self, visit: &mut impl FnMut(&'a Atom)) {
        match self {
            Self::Call(atom) => visit(atom),
            Self::Distinct(..) | Self::Same(..) => {}
            Self::Not(goals) => goals.iter().for_each(|goal| goal.calls(visit)),
            Self::Or(branches) => branches.iter().flatten().for_each(|goal| goal.calls(visit)),
        }
    }
}

/// The rules of a rulesheet, which may be one outer list or many sentences.
pub fn rules(text: &[Sexpr]) -> Result<Vec<Rule>, Error> {
    let sentences = match text {
        [Sexpr::List(_, inner)] if matches!(inner.first(), Some(Sexpr::List(..))) => inner,
        _ => text,
    };
    sentences.iter().map(rule).collect()
}

fn rule(sentence: &Sexpr) -> Result<Rule, Error> {
    let mut names = Names::default();
    if let Sexpr::List(line, items) = sentence
        && matches!(items.first(), Some(Sexpr::Word(_, word)) if word == "<=")
    {
        let head = items.get(1).ok_or_else(|| syntax(*line, "rule without a head"))?;
        let head = names.atom(head)?;
        return Ok(Rule { head, body: names.conjunction(&items[2..])? });
    }
    Ok(Rule { head: names.atom(sentence)?, body: Vec::new() })
}

/// A single ground term, as in a fact or a move.
pub fn ground_term(text: &str) -> Result<Term, Error> {
    let mut names = Names::default();
    match crate::sexpr::read(text)?.as_slice() {
        [one] => {
            let term = names.term(one)?;
            if names.0.is_empty() {
                return Ok(term);
            }
            Err(syntax(1, format!("variable in the ground term `{text}`")))
        }
        _ => Err(syntax(1, format!("`{text}` is not one term"))),
    }
}

/// The variables of one rule, in order of appearance.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn conjunction(&mut self, items: &[Sexpr]) -> Result<Vec<Goal>, Error> {
        let mut goals = Vec::new();
        for item in items {
            match word_and_args(item) {
                Some(("and", args)) => goals.extend(self.conjunction(args)?),
                _ => goals.push(self.goal(item)?),
            }
        }
        Ok(goals)
    }

    fn goal(&mut self, item: &Sexpr) -> Result<Goal, Error> {
        Ok(match word_and_args(item) {
            Some(("or", args)) => Goal::Or(
                args.iter()
                    .map(|branch| self.conjunction(std::slice::from_ref(branch)))
                    .collect::<Result<_, _>>()?,
            ),
            Some(("not", [inner])) => {
                let inner = self.conjunction(std::slice::from_ref(inner))?;
                match <[Goal; 1]>::try_from(inner) {
                    Ok([Goal::Distinct(left, right)]) => Goal::Same(left, right),
                    Ok(single) => Goal::Not(single.into()),
                    Err(goals) => Goal::Not(goals),
                }
            }
            Some(("distinct", [left, right])) => {
                Goal::Distinct(self.term(left)?, self.term(right)?)
            }
            Some((word @ ("not" | "distinct"), _)) => {
                let message = format!("`{word}` with a wrong number of arguments");
                return Err(syntax(item.line(), message));
            }
            _ => Goal::Call(self.atom(item)?),
        })
    }

    fn atom(&mut self, item: &Sexpr) -> Result<Atom, Error> {
        match self.term(item)? {
            Term::Const(name) => Ok(Atom { name, args: Vec::new() }),
            Term::Function(name, args) => Ok(Atom { name, args }),
            Term::Var(_) => Err(syntax(item.line(), "a variable cannot stand for a relation")),
        }
    }

    fn term(&mut self, item: &Sexpr) -> Result<Term, Error> {
        match item {
            Sexpr::Word(_, word) if word.starts_with('?') => Ok(Term::Var(self.number(word))),
            Sexpr::Word(_, word) => Ok(Term::Const(word.clone())),
            Sexpr::List(line, items) => match items.split_first() {
                Some((Sexpr::Word(_, word), args)) if !word.starts_with('?') => {
                    if args.is_empty() {
                        return Ok(Term::Const(word.clone()));
                    }
                    let args = args.iter().map(|arg| self.term(arg)).collect::<Result<_, _>>()?;
                    Ok(Term::Function(word.clone(), args))
                }
                _ => {
                    Err(syntax(*line, "a list must start with the name of a relation or function"))
                }
            },
        }
    }

    fn number(&mut self, word: &str) -> Var {
        self.0.iter().position(|known| known == word).unwrap_or_else(|| {
            self.0.push(word.into());
            self.0.len() - 1
        })
    }
}

fn word_and_args(item: &Sexpr) -> Option<(&str, &[Sexpr])> {
    match item {
        Sexpr::List(_, items) => match items.split_first() {
            Some((Sexpr::Word(_, word), args)) => Some((word, args)),
            _ => None,
        },
        Sexpr::Word(..) => None,
    }
}
