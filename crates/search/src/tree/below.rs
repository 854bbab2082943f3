//! What was played below each node, as far as it is known: a table, or a list of simulations from which
//! one can be made.
//!
//! Most nodes are met by a few simulations and are never read, so no table is kept for them. Every
//! simulation is recorded once, for all nodes on its path, and a node without a table remembers which
//! simulations passed it. A table is made of their records when it is needed, or when they get many.

use gamegrove_game::Role;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Counted, MoveMap, Moved, NodeId};
use crate::trace::Trace;

/// How many simulations a node remembers before it gets a table.
const MOST_LOGGED: u32 = 64;

/// Tables for games of no more moves than this have room for all of them at once.
const FEW_KEYS: usize = 512;

/// Bits of a packed entry that are the key; the others say how often it was played.
const KEY_BITS: u32 = 24;

const NONE: u32 = u32::MAX;

/// What was played below all nodes of a tree.
#[derive(Clone, Debug)]
pub(super) struct Below {
    roles: usize,
    nodes: Vec<Known>,
    /// The memory of the tables, in bytes.
    table_bytes: usize,
    /// Simulations one after another, see [`Record`].
    records: Vec<u32>,
    passages: Vec<Passage>,
    /// What goals are multiplied by for each step to them.
    discount: f64,
    /// Above all keys so far.
    bound: usize,
}

/// What is known of one node.
#[derive(Clone, Debug)]
struct Known {
    table: Option<Box<MoveMap>>,
    /// The newest of the passages that are no part of a table, and how many there are.
    newest: u32,
    logged: u32,
}

/// A simulation that passed a node.
#[derive(Clone, Copy, Debug)]
struct Passage {
    /// Where its record starts.
    record: u32,
    /// The step in which it was there.
    depth: u32,
    /// The passage through the same node before.
    previous: u32,
}

/// A simulation: the numbers of its steps, of keys played in the tree and of packed entries below it, the
/// bits of the goals, low and high, then those keys and entries.
struct Record<'a> {
    steps: usize,
    goals: &'a [u32],
    in_tree: &'a [u32],
    below: &'a [u32],
}

const HEAD: usize = 3;

impl<'a> Record<'a> {
    fn at(records: &'a [u32], at: u32, roles: usize) -> Record<'a> {
        let record = &records[at as usize..];
        let (in_tree, below) = (record[1] as usize, record[2] as usize);
        let (goals, rest) = record[HEAD..].split_at(2 * roles);
        let (in_tree, rest) = rest.split_at(in_tree);
        Record { steps: record[0] as usize, goals, in_tree, below: &rest[..below] }
    }

    fn len(&self) -> usize {
        HEAD + self.goals.len() + self.in_tree.len() + self.below.len()
    }

    /// The return of a role from a step on.
    fn value(&self, role: usize, depth: usize, discount: f64) -> f64 {
        let bits = u64::from(self.goals[2 * role]) | u64::from(self.goals[2 * role + 1]) << 32;
        Trace::discounted(f64::from_bits(bits), discount, self.steps - depth)
    }

    /// Calls `visit` with the keys that were played from a step on, and how often.
    fn each_since(&self, depth: usize, roles: usize, mut visit: impl FnMut(u32, u32)) {
        let since = (depth * roles).min(self.in_tree.len());
        self.in_tree[since..].iter().for_each(|&key| visit(key, 1));
        let key = (1 << KEY_BITS) - 1;
        self.below.iter().for_each(|&packed| visit(packed & key, packed >> KEY_BITS));
    }
}

/// A simulation that is added to the nodes it passed.
pub(super) struct Played<'a> {
    pub trace: &'a Trace,
    /// The keys of the moves played in the tree.
    pub in_tree: &'a [u32],
    /// The moves played below it.
    pub below: &'a [Counted],
}

impl Below {
    pub fn new(roles: usize) -> Below {
        Below {
            roles,
            nodes: Vec::new(),
            table_bytes: 0,
            records: Vec::new(),
            passages: Vec::new(),
            discount: 1.0,
            bound: 0,
        }
    }

    /// There is a node more.
    pub fn add_node(&mut self) {
        self.nodes.push(Known { table: None, newest: NONE, logged: 0 });
    }

    /// The table of a node, if it has one.
    #[inline]
    pub fn table(&self, id: NodeId) -> Option<&MoveMap> {
        self.nodes[id.index()].table.as_deref()
    }

    /// Adds a simulation to the nodes it passed, one after another from the root.
    pub fn add(&mut self, played: &Played<'_>, path: impl Iterator<Item = NodeId>) {
        let Played { trace, in_tree, below } = *played;
        let greatest = in_tree.iter().copied().chain(below.iter().map(|counted| counted.key)).max();
        self.bound = self.bound.max(greatest.map_or(0, |key| key as usize + 1));
        self.discount = trace.discount();
        let mut record = None;
        for (depth, at) in path.enumerate() {
            let known = &self.nodes[at.index()];
            let fits = self.bound <= 1 << KEY_BITS && self.records.len() < NONE as usize / 2;
            if known.table.is_none() && known.logged < MOST_LOGGED && fits {
                let record = *record.get_or_insert_with(|| self.record(played));
                let known = &mut self.nodes[at.index()];
                let previous = std::mem::replace(&mut known.newest, self.passages.len() as u32);
                known.logged += 1;
                self.passages.push(Passage { record, depth: depth as u32, previous });
                continue;
            }
            self.settle(at);
            let values: SmallVec<[f64; 4]> =
                Role::all(self.roles).map(|role| trace.value(depth, role)).collect();
            let since = (depth * self.roles).min(in_tree.len());
            self.change(at, |map, roles| {
                for joint in in_tree[since..].chunks_exact(roles) {
                    joint.iter().zip(&values).for_each(|(&key, &value)| map.add(key, value));
                }
                for &Counted { key, role, times } in below {
                    map.add_times(key, values[role as usize], times);
                }
            });
        }
    }

    /// Writes a simulation down; says where.
    fn record(&mut self, played: &Played<'_>) -> u32 {
        let Played { trace, in_tree, below } = *played;
        let (start, most) = (self.records.len(), (1 << (u32::BITS - KEY_BITS)) - 1);
        self.records.extend([trace.steps() as u32, in_tree.len() as u32, 0]);
        for bits in trace.goals().iter().map(|goal| goal.to_bits()) {
            self.records.extend([bits as u32, (bits >> 32) as u32]);
        }
        self.records.extend_from_slice(in_tree);
        let from = self.records.len();
        for &Counted { key, mut times, .. } in below {
            while times > 0 {
                let here = times.min(most);
                self.records.push(here << KEY_BITS | key);
                times -= here;
            }
        }
        self.records[start + 2] = (self.records.len() - from) as u32;
        start as u32
    }

    /// Changes the table of a node that has one.
    pub fn change(&mut self, at: NodeId, change: impl FnOnce(&mut MoveMap, usize)) {
        let Some(table) = &mut self.nodes[at.index()].table else { return };
        let before = table.bytes();
        change(table, self.roles);
        self.table_bytes += table.bytes();
        self.table_bytes -= before;
    }

    /// Makes the table of a node, if it has none.
    #[inline]
    pub fn settle(&mut self, at: NodeId) {
        if self.nodes[at.index()].table.is_none() {
            self.make_table(at);
        }
    }

    #[cold]
    fn make_table(&mut self, at: NodeId) {
        let (records, roles) = (&self.records, self.roles);
        let record = |passage: &Passage| Record::at(records, passage.record, roles);
        let passages = self.passages_of(at);
        let keys = |passage: &Passage| record(passage).in_tree.len() + record(passage).below.len();
        let room = match self.bound {
            bound @ ..=FEW_KEYS => bound,
            _ => passages.first().map_or(0, keys),
        };
        let mut map = MoveMap::with_room(room);
        for passage in &passages {
            let (record, depth) = (record(passage), passage.depth as usize);
            record.each_since(depth, roles, |key, times| {
                let value = record.value(key as usize % roles, depth, self.discount);
                map.add_times(key, value, times);
            });
        }
        self.table_bytes += map.bytes();
        self.nodes[at.index()] = Known { table: Some(Box::new(map)), newest: NONE, logged: 0 };
    }

    /// The passages through a node that are no part of a table, the oldest first.
    fn passages_of(&self, at: NodeId) -> Vec<Passage> {
        let known = &self.nodes[at.index()];
        let of = |place: u32| self.passages.get(place as usize).copied();
        let newest = std::iter::successors(of(known.newest), |passage| of(passage.previous));
        let mut passages: Vec<Passage> = newest.collect();
        passages.reverse();
        passages
    }

    /// How many of the moves with these keys are known below a node; of all moves without keys.
    pub fn count(&self, at: NodeId, of: Option<&[u32]>) -> usize {
        let mut known: Vec<u32> = self.table(at).map_or_else(Vec::new, |map| map.keys().collect());
        for passage in self.passages_of(at) {
            let record = Record::at(&self.records, passage.record, self.roles);
            record.each_since(passage.depth as usize, self.roles, |key, _| known.push(key));
        }
        known.sort_unstable();
        known.dedup();
        match of {
            None => known.len(),
            Some(keys) => keys.iter().filter(|key| known.binary_search(key).is_ok()).count(),
        }
    }

    /// Drops what is known of nodes that were dropped.
    pub fn thin(&mut self, moved: &Moved) {
        let old = std::mem::replace(self, Below::new(self.roles));
        (self.discount, self.bound) = (old.discount, old.bound);
        let mut places = FxHashMap::default();
        for at in (0..old.nodes.len() as u32).map(NodeId).filter(|&at| moved.get(at).is_some()) {
            let mut newest = NONE;
            for Passage { record, depth, .. } in old.passages_of(at) {
                let record = *places.entry(record).or_insert_with(|| {
                    let (start, from) = (self.records.len() as u32, record as usize);
                    let length = Record::at(&old.records, record, old.roles).len();
                    self.records.extend_from_slice(&old.records[from..from + length]);
                    start
                });
                self.passages.push(Passage { record, depth, previous: newest });
                newest = self.passages.len() as u32 - 1;
            }
            let logged = old.nodes[at.index()].logged;
            self.nodes.push(Known { table: None, newest, logged });
        }
        let mut nodes = self.nodes.iter_mut();
        for (at, known) in (0..).map(NodeId).zip(old.nodes) {
            if moved.get(at).is_some()
                && let Some(node) = nodes.next()
            {
                self.table_bytes += known.table.as_ref().map_or(0, |table| table.bytes());
                node.table = known.table;
            }
        }
    }

    /// The memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Known>()
            + self.records.capacity() * size_of::<u32>()
            + self.passages.capacity() * size_of::<Passage>()
            + self.table_bytes
    }
}

#[cfg(test)]
mod tests {
    use gamegrove_game::{Move, Rng};

    use super::super::Tally;
    use super::*;

    /// A simulation of two roles with this many steps, of which some are in the tree.
    fn simulation(rng: &mut Rng, steps: usize, in_tree: usize) -> (Trace, Vec<u32>, Vec<Counted>) {
        let mut trace = Trace::default();
        trace.begin(2, 0.9);
        // More repetitions than a packed entry can count.
        (0..steps).for_each(|_| trace.push(&[Move(rng.below(30) as u32), Move(7)]));
        trace.finish([rng.below(101) as f64, rng.below(101) as f64].into_iter());
        let in_turn = Role::all(2).cycle();
        let keys: Vec<u32> =
            in_turn.zip(trace.moves()).map(|(role, &mov)| MoveMap::key(mov, role, 2)).collect();
        let below = Tally::default().count(&keys[2 * in_tree..], 2).to_vec();
        (trace, keys[..2 * in_tree].to_vec(), below)
    }

    /// What one by one would be known of a node: visits and sums by key.
    type Plain = FxHashMap<u32, (u32, f64)>;

    fn check(below: &mut Below, at: NodeId, plain: &Plain) {
        let even: Vec<u32> = (0..100).filter(|key| key % 2 == 0).collect();
        let known = plain.keys().filter(|&key| key % 2 == 0).count();
        assert_eq!(below.count(at, None), plain.len());
        assert_eq!(below.count(at, Some(&even)), known);
        below.settle(at);
        let table = below.table(at).expect("a table was made");
        for key in 0..100 {
            match (table.get(key), plain.get(&key)) {
                (Some((visits, mean)), Some(&(times, sum))) => {
                    assert_eq!(visits, times);
                    assert!((mean - sum / f64::from(times)).abs() < 1e-9);
                }
                (found, expected) => assert_eq!(found.is_some(), expected.is_some()),
            }
        }
        assert_eq!(below.count(at, None), plain.len());
    }

    #[test]
    fn tables_are_the_same_whenever_they_are_made() {
        let mut rng = Rng::new(4);
        // The first node is always passed, the second by every third simulation; the third is not.
        let mut below = Below::new(2);
        (0..3).for_each(|_| below.add_node());
        let mut plain = vec![Plain::default(); 3];
        for number in 0..2 * MOST_LOGGED {
            let (trace, in_tree, rest) = simulation(&mut rng, 600, 3);
            let path = if number % 3 == 0 { vec![NodeId(0), NodeId(1)] } else { vec![NodeId(0)] };
            for (depth, at) in path.iter().enumerate() {
                for (place, &mov) in trace.moves().iter().enumerate().skip(2 * depth) {
                    let role = Role((place % 2) as u8);
                    let (times, sum) =
                        plain[at.index()].entry(MoveMap::key(mov, role, 2)).or_default();
                    *times += 1;
                    *sum += trace.value(depth, role);
                }
            }
            let played = Played { trace: &trace, in_tree: &in_tree, below: &rest };
            below.add(&played, path.into_iter());
            if number == 20 {
                check(&mut below.clone(), NodeId(0), &plain[0]);
            }
        }
        assert!(below.table(NodeId(0)).is_some(), "it was passed often");
        assert!(below.table(NodeId(1)).is_none());
        // The same after nodes were dropped, and the memory is counted.
        let mut thinned = below.clone();
        thinned.thin(&Moved::of(&[None, Some(NodeId(0)), Some(NodeId(1))]));
        assert!(thinned.table_bytes == 0 && thinned.bytes() > 0 && thinned.bytes() < below.bytes());
        check(&mut thinned, NodeId(0), &plain[1]);
        check(&mut thinned, NodeId(1), &plain[2]);
        for (at, plain) in (0..).map(NodeId).zip(&plain) {
            check(&mut below, at, plain);
        }
    }
}
