//! The way from rules to ground rules: what is tried, and in which order.
//!
//! 1. Condensed rules (see `condense`), with an allowance of steps that suffices for nearly every rulesheet. If
//!    it does not suffice for the relations of constants, rules ask for these variable by variable (see
//!    `automaton`).
//! 2. If it does not suffice for the other relations, or if there are many ground rules, this attempt has shown
//!    which relations are wide. Wide relations of constants are written out where that makes the condensed rules
//!    smaller (see `unfold`), and the result is tried with the same allowance.
//! 3. Only those parts of wide relations are derived that the rules ask for (see `demand`).
//! 4. If that takes most of the time or hits another limit, the rules are tried as they are written.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::ground::{Grounding, Unfinished};
use crate::limits::{LimitHit, Limits};
use crate::program::Program;

/// Steps that condensed rules are given before demands are looked at: some tenths of a second.
const FIRST_STEPS: u64 = 1 << 20;
/// A relation with more rows than this by then is wide.
const WIDE: usize = 4096;

/// Where there are more ground rules than this, it is tried whether there can be fewer.
const MANY: usize = 1 << 15;

/// How ground rules were got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// The condensed rules were grounded in full.
    Condensed,
    /// Wide relations of constants were written out, and the condensed rules grounded in full.
    WrittenOut,
    /// Wide relations of constants are read one variable after another.
    InTurn,
    /// From condensed rules, with those parts of wide relations that are asked for.
    OnDemand,
    /// From the rules as they are, because condensed rules hit a limit.
    AsWritten(LimitHit),
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Way::Condensed => write!(f, "from condensed rules"),
            Way::WrittenOut => write!(f, "with wide relations of constants written out"),
            Way::InTurn => write!(f, "with wide relations of constants read variable by variable"),
            Way::OnDemand => write!(f, "with those parts of wide relations that the rules ask for"),
            Way::AsWritten(hit) => {
                write!(f, "from the rules as they are; condensed they were {hit}")
            }
        }
    }
}

/// Grounds rules in the way that makes them smallest. A quarter of the time is kept for the rules
/// as they are.
pub fn ground(program: &Arc<Program>, limits: &Limits) -> Result<(Grounding, Way), LimitHit> {
    let start = Instant::now();
    let most = Limits { time: limits.time.map(|time| time * 3 / 4), ..limits.clone() };
    let hit = match condensed(program, &most) {
        Ok(found) => return Ok(found),
        Err(LimitHit::Cancelled) => return Err(LimitHit::Cancelled),
        // What is told is the limit that was given, not a part of it.
        Err(LimitHit::Time(_)) => LimitHit::Time(limits.time.unwrap_or_default()),
        Err(hit) => hit,
    };
    match Grounding::new(program, &limits.left(start)) {
        Ok(grounding) => Ok((grounding, Way::AsWritten(hit))),
        Err(LimitHit::Cancelled) => Err(LimitHit::Cancelled),
        Err(_) => Err(hit),
    }
}

/// A rewriting that hit a limit is none; only being cancelled ends the work.
fn optional<T>(found: Result<Option<T>, LimitHit>) -> Result<Option<T>, LimitHit> {
    match found {
        Err(LimitHit::Cancelled) => Err(LimitHit::Cancelled),
        Err(_) => Ok(None),
        found => found,
    }
}

fn condensed(program: &Arc<Program>, limits: &Limits) -> Result<(Grounding, Way), LimitHit> {
    let start = Instant::now();
    let rules = Arc::new(program.condensed_within(limits)?);
    let few = Limits { steps: Some(FIRST_STEPS), ..limits.left(start) };
    let allowed = limits.steps.unwrap_or(u64::MAX);
    if allowed <= FIRST_STEPS {
        return Ok((Grounding::new(&rules, &limits.left(start))?, Way::Condensed));
    }
    let attempt = Grounding::attempt(&rules, &few);
    let plain = match attempt {
        Ok(grounding) if grounding.rule_count() <= MANY => return Ok((grounding, Way::Condensed)),
        Err(unfinished) if unfinished.hit != LimitHit::Steps(FIRST_STEPS) => {
            return Err(unfinished.hit);
        }
        Err(Unfinished { constants_known: false, .. }) => {
            if let Some(program) = optional(program.sequenced_within(&limits.left(start)))? {
                let (grounding, way) = condensed(&Arc::new(program), &limits.left(start))?;
                return Ok((grounding, if way == Way::Condensed { Way::InTurn } else { way }));
            }
            attempt
        }
        attempt => attempt,
    };
    let rows = plain.as_ref().map_or_else(|unfinished| &unfinished.rows, |plain| &plain.rows);
    let unfolded = optional(program.unfolded_within(&wide(rows), &limits.left(start)))?;
    let (rules, unfinished) = match (unfolded, plain) {
        (None, Ok(plain)) => return Ok((plain, Way::Condensed)),
        (None, Err(unfinished)) => (rules, unfinished),
        (Some(unfolded), plain) => {
            let rules = Arc::new(unfolded.condensed_within(&limits.left(start))?);
            let few = Limits { steps: Some(FIRST_STEPS), ..limits.left(start) };
            match (Grounding::attempt(&rules, &few), plain) {
                (Ok(found), Ok(plain)) if plain.literal_count() <= found.literal_count() => {
                    return Ok((plain, Way::Condensed));
                }
                (Ok(found), _) => return Ok((found, Way::WrittenOut)),
                (Err(_), Ok(plain)) => return Ok((plain, Way::Condensed)),
                (Err(unfinished), Err(_)) if unfinished.hit == LimitHit::Steps(FIRST_STEPS) => {
                    (rules, unfinished)
                }
                (Err(unfinished), Err(_)) => return Err(unfinished.hit),
            }
        }
    };
    let wide = wide(&unfinished.rows);
    if !wide.contains(&true) {
        return Ok((Grounding::new(&rules, &limits.left(start))?, Way::Condensed));
    }
    let rules = Arc::new(rules.demanded_within(&wide, &limits.left(start))?);
    Ok((Grounding::new(&rules, &limits.left(start))?, Way::OnDemand))
}

/// Which relations have so many rows that they are wide.
fn wide(rows: &[usize]) -> Vec<bool> {
    rows.iter().map(|&rows| rows > WIDE).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::*;
    use crate::Rulesheet;

    /// Twelve values to the power of `columns` rows, of which one is asked for.
    fn wide(columns: usize) -> Arc<Program> {
        let mut text = String::from("(role r) (goal r 0) (init f) (<= (next f) (true f))");
        (0..12).for_each(|value| text += &format!("(value {value})"));
        let list = |item: &dyn Fn(usize) -> String| (0..columns).map(item).collect::<String>();
        let variables = list(&|column| format!(" ?x{column}"));
        let values = list(&|column| format!("(value ?x{column})"));
        text += &format!("(<= (rows{variables}) (true f) {values})");
        text += &format!("(<= (legal r a) (rows{}))", list(&|_| " 7".to_owned()));
        text += &format!("(<= terminal (not (rows{})))", list(&|_| " 3".to_owned()));
        Rulesheet::load(text.as_bytes()).expect("a sound rulesheet").program
    }

    #[test]
    fn wide_relations_are_grounded_on_demand() {
        let (small, way) = ground(&wide(4), &Limits::default()).expect("a small game");
        assert_eq!(way, Way::Condensed);
        assert!(small.rule_count() > 12 * 12 * 12 * 12);
        // Too many rows for any limit, if all were written down.
        let (large, way) = ground(&wide(9), &Limits::default()).expect("two rows");
        assert_eq!(way, Way::OnDemand);
        assert!(large.rule_count() < 10, "{}", large.rule_count());
        assert_eq!(way.to_string(), "with those parts of wide relations that the rules ask for");
    }

    #[test]
    fn limits_are_kept_and_told_as_they_were_given() {
        // Every row is asked for.
        let mut text = String::from(
            "(role r) (goal r 0) (init f) (<= (next f) (true f)) (<= terminal (true g))",
        );
        (0..12).for_each(|value| text += &format!("(value {value})"));
        text +=
            "(<= (legal r (m ?a ?b ?c ?d ?e ?f ?g ?h)) (true f) (value ?a) (value ?b) (value ?c)
            (value ?d) (value ?e) (value ?f) (value ?g) (value ?h))";
        let rules = Rulesheet::load(text.as_bytes()).expect("a sound rulesheet").program;
        let hit = |limits: &Limits| ground(&rules, limits).err();
        let time = Duration::from_millis(300);
        let timed = Limits { time: Some(time), ..Limits::default() };
        assert_eq!(hit(&timed), Some(LimitHit::Time(time)));
        for steps in [1000, 3_000_000] {
            let limits = Limits { steps: Some(steps), ..Limits::default() };
            assert_eq!(hit(&limits), Some(LimitHit::Steps(steps)));
        }
        let memory = Limits { memory: 1 << 22, ..Limits::default() };
        assert_eq!(hit(&memory), Some(LimitHit::Memory(1 << 22)));
        let cancel = Some(Arc::new(AtomicBool::new(true)));
        assert_eq!(hit(&Limits { cancel, ..Limits::default() }), Some(LimitHit::Cancelled));
    }
}
