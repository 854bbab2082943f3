//! Ground terms as small numbers: equal terms have equal numbers.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use crate::keymap::KeyMap;
use crate::symbol::{Symbol, Symbols};

/// A ground term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

impl TermId {
    /// The term's place in arrays that hold one entry per term.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A name with its number of arguments; constants have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Functor(pub u32);

/// The deepest term that is built; rules that go beyond this grow without end.
const MAX_DEPTH: u16 = 1000;
/// The largest term that is built, in names: equal parts are stored once but written each time.
const MAX_SIZE: u32 = 100_000;
/// The largest term that is built, in bytes of text.
const MAX_TEXT: usize = 4 << 20;
/// What a text of its own costs besides its bytes.
const TEXT_BYTES: usize = 48;

/// All ground terms met so far. Terms are only ever added, so numbers stay valid.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    functors: Vec<FunctorTerms>,
    functor_numbers: FxHashMap<(Symbol, u32), Functor>,
    /// Functor and start of the arguments in `args`, per term.
    nodes: Vec<(Functor, u32)>,
    args: Vec<TermId>,
    depths: Vec<u16>,
    sizes: Vec<u32>,
    /// The largest of the sizes.
    largest: u32,
    /// Bytes that a name takes in a text at most, with what separates it from the next.
    name_bytes: usize,
}

/// The terms with one functor.
#[derive(Clone, Debug)]
struct FunctorTerms {
    name: Symbol,
    arity: u32,
    by_args: KeyMap,
    ids: Vec<TermId>,
}

impl Terms {
    /// No terms yet; those to come have names of `symbols`.
    pub fn of_names(symbols: &Symbols) -> Terms {
        Terms { name_bytes: symbols.longest() + 2, ..Terms::default() }
    }

    /// Whether the texts of some terms may take more than `bytes` of memory: as many names, each as long
    /// as the longest of the rulesheet.
    pub fn may_exceed(&self, terms: &[TermId], bytes: usize) -> bool {
        let text = |size: u32| TEXT_BYTES + size as usize * self.name_bytes;
        terms.len().saturating_mul(text(self.largest)) > bytes
            && terms.iter().map(|term| text(self.sizes[term.index()])).sum::<usize>() > bytes
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// An estimate of the memory in use.
    pub fn bytes(&self) -> usize {
        let lookup: usize =
            self.functors.iter().map(|f| f.by_args.bytes() + f.ids.capacity() * 4).sum();
        self.nodes.capacity() * 8 + self.args.capacity() * 4 + self.depths.capacity() * 6 + lookup
    }

    /// The functor `name` with `arity` arguments.
    pub fn functor(&mut self, name: Symbol, arity: usize) -> Functor {
        *self.functor_numbers.entry((name, arity as u32)).or_insert_with(|| {
            let by_args = KeyMap::new(arity);
            let arity = arity as u32;
            self.functors.push(FunctorTerms { name, arity, by_args, ids: Vec::new() });
            Functor(self.functors.len() as u32 - 1)
        })
    }

    /// The functor `name` with `arity` arguments, if it occurs.
    pub fn find_functor(&self, name: Symbol, arity: usize) -> Option<Functor> {
        self.functor_numbers.get(&(name, arity as u32)).copied()
    }

    /// The constant `name`.
    pub fn constant(&mut self, name: Symbol) -> TermId {
        let functor = self.functor(name, 0);
        // A constant has depth 1, which is never too deep.
        self.intern(functor, &[]).unwrap_or(TermId(0))
    }

    /// The term `functor(args)`, if it has been met.
    #[inline]
    pub fn find(&self, functor: Functor, args: &[TermId]) -> Option<TermId> {
        let terms = &self.functors[functor.0 as usize];
        terms.by_args.find(args).map(|number| terms.ids[number as usize])
    }

    /// As [`find`](Terms::find), for arguments given one by one.
    #[inline(always)]
    pub(crate) fn find_each(
        &self,
        functor: Functor,
        args: impl Iterator<Item = TermId>,
    ) -> Option<TermId> {
        let terms = &self.functors[functor.0 as usize];
        terms.by_args.find_each(args).map(|number| terms.ids[number as usize])
    }

    /// The term `functor(args)`; `None` if it would be too deep or too large.
    pub fn intern(&mut self, functor: Functor, args: &[TermId]) -> Option<TermId> {
        if let Some(known) = self.find(functor, args) {
            return Some(known);
        }
        let depth = 1 + args.iter().map(|arg| self.depths[arg.index()]).max().unwrap_or(0);
        let parts = args.iter().map(|arg| self.sizes[arg.index()]);
        let size = parts.fold(1u32, u32::saturating_add);
        if depth > MAX_DEPTH || size > MAX_SIZE || size as usize * self.name_bytes > MAX_TEXT {
            return None;
        }
        self.largest = self.largest.max(size);
        let id = TermId(self.nodes.len() as u32);
        self.nodes.push((functor, self.args.len() as u32));
        self.args.extend_from_slice(args);
        self.depths.push(depth);
        self.sizes.push(size);
        let terms = &mut self.functors[functor.0 as usize];
        terms.by_args.insert(args);
        terms.ids.push(id);
        Some(id)
    }

    /// The functor of a term.
    #[inline]
    pub fn functor_of(&self, term: TermId) -> Functor {
        self.nodes[term.index()].0
    }

    /// One argument of a term.
    #[inline]
    pub fn arg(&self, term: TermId, index: usize) -> TermId {
        self.args[self.nodes[term.index()].1 as usize + index]
    }

    /// All arguments of a term.
    #[inline]
    pub fn args(&self, term: TermId) -> &[TermId] {
        let start = self.nodes[term.index()].1 as usize;
        // The arguments of the next term start where these end.
        let end = self.nodes.get(term.index() + 1).map_or(self.args.len(), |next| next.1 as usize);
        &self.args[start..end]
    }

    /// The name of a functor.
    pub fn name(&self, functor: Functor) -> Symbol {
        self.functors[functor.0 as usize].name
    }

    /// Copies the terms and functors that `self` lacks from a table it is an earlier copy of.
    pub fn catch_up(&mut self, newer: &Terms) {
        for functor in &newer.functors[self.functors.len()..] {
            self.functor(functor.name, functor.arity as usize);
        }
        for id in self.len()..newer.len() {
            let term = TermId(id as u32);
            self.intern(newer.functor_of(term), newer.args(term));
        }
    }

    /// Writes a term as it stands in rulesheets.
    pub fn write(&self, term: TermId, symbols: &Symbols, out: &mut String) {
        let name = symbols.name(self.name(self.functor_of(term)));
        let args = self.args(term);
        if args.is_empty() {
            out.push_str(name);
            return;
        }
        let _ = write!(out, "({name}");
        for &arg in args {
            out.push(' ');
            self.write(arg, symbols, out);
        }
        out.push(')');
    }
}
