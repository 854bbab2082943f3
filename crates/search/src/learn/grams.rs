//! N-grams: moves in the light of the moves just before them.
//!
//! Roles are numbered 0 to n-1. With `a(p, t)` the move of role p in step t, the l-gram of role p
//! that ends in step t is `a(p-l+1, t-l+1) .. a(p-1, t-1), a(p, t)`, roles modulo n: each step back
//! in time is also a step back in the order of roles [Sironi et al. 2021, 3.4].
//!
//! Where turns do not follow that order (a role moves twice in a row), [`Order::Turns`] looks for the
//! role that had a choice: the previous role is the first, going back from the current one, that was
//! in the same position there, choosing or waiting. So moves follow moves and passes follow passes.
//!
//! N-grams with the same beginning are one *context*; contexts are a tree that goes back in time,
//! so a choice looks every context up once and then reads one small table for all of its moves.

use gamegrove_game::{Move, Role};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::sparse::Sparse;
use crate::parameter::Parameter;
use crate::part::{Options, SettingsError};
use crate::trace::Trace;
use crate::tree::MoveMap;

/// The longest N-grams there may be.
pub(crate) const LONGEST: usize = 8;

/// The length of the longest N-gram.
pub(crate) const L: Parameter = Parameter::whole(
    "l",
    3.0,
    (1.0, LONGEST as f64),
    "the length of the longest sequence of moves that is looked at; 1 looks at single moves",
);

/// Whose move comes before whose.
pub(crate) const ORDER: Parameter = Parameter::word(
    "order",
    &["roles", "turns"],
    "whether sequences go back through the roles in order, or through those that had a choice",
);

/// Whose move comes before whose in an N-gram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The roles in the order of the rules, one a step.
    Roles,
    /// The roles that had a choice.
    Turns,
}

impl Order {
    pub(crate) fn read(options: &mut Options<'_>) -> Result<Order, SettingsError> {
        options.choice(&ORDER, &[Order::Roles, Order::Turns])
    }

    /// The role whose move in the step before `step` comes before `role`'s move in `step`. The
    /// legal moves of `role` in `step` must have been noted, if turns matter.
    pub(crate) fn previous(self, trace: &Trace, step: usize, role: Role) -> Role {
        let roles = trace.roles();
        let back = |by: usize| Role(((role.index() + roles - by) % roles) as u8);
        match self {
            Order::Roles => back(1),
            Order::Turns => {
                let chooses = |step, role| trace.legal(step, role).len() > 1;
                let here = chooses(step, role);
                let mut all = (1..=roles).map(back);
                all.find(|&other| chooses(step - 1, other) == here).unwrap_or(back(1))
            }
        }
    }
}

/// The moves before a choice, nearest first, as keys that tell roles apart.
pub(crate) fn history(
    order: Order,
    trace: &Trace,
    step: usize,
    role: Role,
    most: usize,
) -> SmallVec<[u32; LONGEST]> {
    let mut keys = SmallVec::new();
    let mut who = role;
    for back in 1..=most.min(step) {
        who = order.previous(trace, step + 1 - back, who);
        let mov = trace.joint(step - back)[who.index()];
        keys.push(MoveMap::key(mov, who, trace.roles()));
    }
    keys
}

/// The place of a context among those of its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Context(u32);

impl Context {
    /// No moves before.
    pub(crate) const EMPTY: Context = Context(0);
}

/// An entry for every N-gram of every role.
#[derive(Clone, Debug)]
pub(crate) struct Grams<E> {
    by_role: Vec<Contexts<E>>,
}

#[derive(Clone, Debug)]
struct Contexts<E> {
    /// The moves of each context; the first is the empty one.
    tables: Vec<Sparse<E>>,
    /// From a context and the move before it to the longer context.
    links: FxHashMap<(u32, u32), u32>,
}

impl<E: Copy + Default> Default for Contexts<E> {
    fn default() -> Self {
        Contexts { tables: vec![Sparse::default()], links: FxHashMap::default() }
    }
}

impl<E> Default for Grams<E> {
    fn default() -> Self {
        Grams { by_role: Vec::new() }
    }
}

impl<E: Copy + Default> Grams<E> {
    /// Makes room for so many roles.
    pub(crate) fn set_roles(&mut self, roles: usize) {
        self.by_role.resize_with(roles, Contexts::default);
    }

    /// The contexts of a choice that are known, shortest first, beginning with the empty one.
    #[inline]
    pub(crate) fn contexts(&self, role: Role, history: &[u32]) -> SmallVec<[Context; LONGEST]> {
        let mut found = SmallVec::new();
        let Some(contexts) = self.by_role.get(role.index()) else { return found };
        let mut at = 0;
        found.push(Context(at));
        for &key in history {
            match contexts.links.get(&(at, key)) {
                Some(&longer) => at = longer,
                None => break,
            }
            found.push(Context(at));
        }
        found
    }

    /// The context with one more move before it, made if it is new.
    #[inline]
    pub(crate) fn longer(&mut self, role: Role, context: Context, key: u32) -> Context {
        let Contexts { tables, links } = &mut self.by_role[role.index()];
        Context(*links.entry((context.0, key)).or_insert_with(|| {
            tables.push(Sparse::default());
            tables.len() as u32 - 1
        }))
    }

    /// What is known of a move in a context.
    #[inline]
    pub(crate) fn get(&self, role: Role, context: Context, mov: Move) -> Option<&E> {
        self.by_role.get(role.index())?.tables[context.0 as usize].get(mov.0)
    }

    /// The entry of a move in a context.
    #[inline]
    pub(crate) fn entry(&mut self, role: Role, context: Context, mov: Move) -> &mut E {
        self.by_role[role.index()].tables[context.0 as usize].entry(mov.0)
    }

    /// All entries.
    pub(crate) fn entries_mut(&mut self) -> impl Iterator<Item = &mut E> {
        let tables = self.by_role.iter_mut().flat_map(|contexts| &mut contexts.tables);
        tables.flat_map(Sparse::entries_mut)
    }

    /// How many N-grams there are.
    pub(crate) fn len(&self) -> usize {
        self.by_role.iter().flat_map(|contexts| &contexts.tables).map(Sparse::len).sum()
    }

    /// Keeps the N-grams for which `keep` says so (asked with whether it is a single move), and the
    /// contexts that are still needed.
    pub(crate) fn retain(&mut self, keep: impl Fn(bool, &E) -> bool) {
        for contexts in &mut self.by_role {
            for (at, table) in contexts.tables.iter_mut().enumerate() {
                table.retain(|entry| keep(at == 0, entry));
            }
            contexts.drop_empty();
        }
    }

    /// Drops the rarest longer N-grams, until at most half of all are left or none is longer.
    pub(crate) fn forget_rare(&mut self, visits: impl Fn(&E) -> f64) {
        let most = self.len() / 2;
        let mut threshold = 1.0;
        let mut before = usize::MAX;
        while self.len() > most && (self.len() < before || threshold < 1e9) {
            before = self.len();
            self.retain(|single, entry| single || visits(entry) > threshold);
            threshold *= 2.0;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let of = |contexts: &Contexts<E>| {
            contexts.tables.iter().map(Sparse::bytes).sum::<usize>()
                + contexts.links.capacity() * (size_of::<((u32, u32), u32)>() + 1)
        };
        self.by_role.iter().map(of).sum()
    }
}

impl<E: Copy + Default> Contexts<E> {
    /// Drops contexts without moves that no longer context needs.
    fn drop_empty(&mut self) {
        // A longer context is younger than the one it prolongs, so one pass from the end finds all
        // that are needed.
        let mut parents = vec![0u32; self.tables.len()];
        for (&(parent, _), &child) in &self.links {
            parents[child as usize] = parent;
        }
        let mut needed: Vec<bool> = self.tables.iter().map(|table| table.len() > 0).collect();
        needed[0] = true;
        for at in (1..needed.len()).rev() {
            if needed[at] {
                needed[parents[at] as usize] = true;
            }
        }
        if needed.iter().all(|&needed| needed) {
            return;
        }
        let mut moved = vec![0u32; needed.len()];
        let mut next = 0;
        for (at, moved) in moved.iter_mut().enumerate() {
            *moved = next;
            next += u32::from(needed[at]);
        }
        let mut at = 0;
        self.tables.retain(|_| {
            at += 1;
            needed[at - 1]
        });
        self.tables.shrink_to_fit();
        let links = std::mem::take(&mut self.links);
        self.links = links
            .into_iter()
            .filter(|&(_, child)| needed[child as usize])
            .map(|((parent, key), child)| ((moved[parent as usize], key), moved[child as usize]))
            .collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two roles, three steps; moves are numbered 10 * role + step.
    fn trace() -> Trace {
        let mut trace = Trace::default();
        trace.begin(2, 1.0);
        for step in 1..=3 {
            trace.push(&[Move(step), Move(10 + step)]);
        }
        trace
    }

    fn decode(keys: &[u32]) -> Vec<(u32, u32)> {
        keys.iter().map(|key| (key % 2, key / 2)).collect()
    }

    #[test]
    fn grams_of_two_roles() {
        // [Sironi et al. 2021, 4], as (role, move), nearest first
        let trace = trace();
        let of = |step, most| decode(&history(Order::Roles, &trace, step, Role(0), most));
        assert_eq!(of(0, 2), []);
        assert_eq!(of(1, 1), [(1, 11)]);
        assert_eq!(of(2, 1), [(1, 12)]);
        assert_eq!(of(2, 2), [(1, 12), (0, 1)]);
    }

    #[test]
    fn with_turns_moves_follow_moves_and_passes_follow_passes() {
        // [Sironi et al. 2021, 4]: role 0 moves twice in a row, as in Quad
        let mut trace = Trace::default();
        trace.begin(2, 1.0);
        const PASS: u32 = 99;
        for (step, mover) in [0usize, 0, 1, 1, 0, 1, 0].into_iter().enumerate() {
            let mut joint = [Move(PASS); 2];
            for (role, played) in joint.iter_mut().enumerate() {
                if role == mover {
                    trace.note_legal(&[Move(step as u32), Move(50)]);
                    *played = Move(step as u32);
                } else {
                    trace.note_legal(&[Move(PASS)]);
                }
            }
            trace.push(&joint);
        }
        for step in 0..7 {
            for role in [Role(0), Role(1)] {
                let passes = trace.joint(step)[role.index()] == Move(PASS);
                let keys = history(Order::Turns, &trace, step, role, 3);
                assert_eq!(keys.len(), step.min(3));
                assert!(keys.iter().all(|key| (key / 2 == PASS) == passes), "{step} {role:?}");
            }
        }
        // In plain order they mix.
        let mixed = history(Order::Roles, &trace, 1, Role(0), 1);
        assert_eq!(decode(&mixed), [(1, PASS)]);
    }

    #[test]
    fn dropping_keeps_what_is_needed() {
        let mut grams = Grams::<u32>::default();
        grams.set_roles(1);
        let role = Role(0);
        let mut rng = gamegrove_game::Rng::new(8);
        let mut plain: std::collections::BTreeMap<(Vec<u32>, u32), u32> = Default::default();
        for round in 0..4000 {
            let history: Vec<u32> = (0..rng.below(4)).map(|_| rng.below(6) as u32).collect();
            let mov = rng.below(9) as u32;
            let mut at = Context::EMPTY;
            for &key in &history {
                at = grams.longer(role, at, key);
            }
            *grams.entry(role, at, Move(mov)) += 1;
            *plain.entry((history, mov)).or_default() += 1;
            if round % 500 == 499 {
                grams.retain(|_, &count| count > 1);
                plain.retain(|_, count| *count > 1);
            }
        }
        assert_eq!(grams.len(), plain.len());
        for ((history, mov), &count) in &plain {
            let contexts = grams.contexts(role, history);
            assert_eq!(contexts.len(), history.len() + 1);
            let found = grams.get(role, contexts[history.len()], Move(*mov));
            assert_eq!(found, Some(&count));
        }
        let before = grams.len();
        grams.forget_rare(|&count| f64::from(count));
        assert!(grams.len() <= before / 2, "{} of {before}", grams.len());
    }
}
