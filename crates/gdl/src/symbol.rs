//! Names as small numbers.

use hashbrown::HashTable;
use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::FxHasher;

/// An interned name: relation, function, constant or variable, in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

macro_rules! keywords {
    ($($constant:ident = $number:literal, $name:literal;)+) => {
        impl Symbol {
            $(#[doc = concat!("The word `", $name, "`.")] pub const $constant: Symbol = Symbol($number);)+
        }

        /// The words every table starts with; their numbers are the constants of [`Symbol`].
        const KEYWORDS: &[&str] = &[$($name),+];
    };
}

keywords! {
    ARROW = 0, "<=";
    NOT = 1, "not";
    OR = 2, "or";
    AND = 3, "and";
    DISTINCT = 4, "distinct";
    ROLE = 5, "role";
    INIT = 6, "init";
    TRUE = 7, "true";
    DOES = 8, "does";
    LEGAL = 9, "legal";
    NEXT = 10, "next";
    TERMINAL = 11, "terminal";
    GOAL = 12, "goal";
    BASE = 13, "base";
    INPUT = 14, "input";
    SEES = 15, "sees";
    RANDOM = 16, "random";
}

/// The names of one rulesheet.
#[derive(Clone, Debug)]
pub struct Symbols {
    names: Vec<Box<str>>,
    table: HashTable<u32>,
}

impl Default for Symbols {
    fn default() -> Self {
        let mut symbols = Symbols { names: Vec::new(), table: HashTable::new() };
        for word in KEYWORDS {
            symbols.intern(word);
        }
        symbols
    }
}

fn hash(name: &str) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one(name)
}

impl Symbols {
    /// The symbol of `name`, which must be in lower case.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(known) = self.find(name) {
            return known;
        }
        let id = self.names.len() as u32;
        self.names.push(name.into());
        let names = &self.names;
        self.table.insert_unique(hash(name), id, |&id| hash(&names[id as usize]));
        Symbol(id)
    }

    /// The symbol of `name` if it occurs.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        let same = |&id: &u32| &*self.names[id as usize] == name;
        self.table.find(hash(name), same).map(|&id| Symbol(id))
    }

    /// The length of the longest name in bytes.
    pub fn longest(&self) -> usize {
        self.names.iter().map(|name| name.len()).max().unwrap_or(0)
    }

    /// The name of `symbol`.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_have_their_numbers() {
        let symbols = Symbols::default();
        assert_eq!(symbols.find("<="), Some(Symbol::ARROW));
        assert_eq!(symbols.find("random"), Some(Symbol::RANDOM));
        assert_eq!(symbols.find("terminal"), Some(Symbol::TERMINAL));
    }
}
