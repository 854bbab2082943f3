//! The names of propositions, stored in one text.

/// A name; [`NameId::NONE`] stands for having none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub u32);

impl NameId {
    /// No name.
    pub const NONE: NameId = NameId(u32::MAX);
}

/// All names of a network. Passes share them and never change them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    text: String,
    ends: Vec<usize>,
}

impl Names {
    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds a name that `write` appends to the text.
    pub fn add(&mut self, write: impl FnOnce(&mut String)) -> NameId {
        write(&mut self.text);
        self.ends.push(self.text.len());
        NameId(self.ends.len() as u32 - 1)
    }

    /// The name, if it is one.
    pub fn get(&self, name: NameId) -> Option<&str> {
        let at = name.0 as usize;
        let end = *self.ends.get(at)?;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        Some(&self.text[start..end])
    }

    /// The memory in use.
    pub fn bytes(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<usize>()
    }
}
