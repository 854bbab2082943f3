//! One list of components per component, stored flat.

use crate::network::NodeId;

/// Lists of components, one after another in one array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lists {
    starts: Vec<u32>,
    items: Vec<NodeId>,
}

impl Default for Lists {
    fn default() -> Self {
        Lists { starts: vec![0], items: Vec::new() }
    }
}

impl Lists {
    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many items all lists have together.
    pub fn item_count(&self) -> usize {
        self.items.len()
    }

    /// Appends a list.
    pub fn push(&mut self, list: impl IntoIterator<Item = NodeId>) {
        self.items.extend(list);
        self.starts.push(self.items.len() as u32);
    }

    /// The list with this number.
    #[inline]
    pub fn of(&self, list: usize) -> &[NodeId] {
        &self.items[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    /// Where each list starts, and behind that where the last one ends: for export.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// All items: for export.
    pub fn items(&self) -> &[NodeId] {
        &self.items
    }

    /// The lists of those whose list names one: outputs from inputs.
    pub fn reversed(&self) -> Lists {
        let mut starts = vec![0u32; self.len() + 1];
        for item in &self.items {
            starts[item.index() + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut fill = starts.clone();
        let mut items = vec![NodeId(0); self.items.len()];
        for list in 0..self.len() {
            for item in self.of(list) {
                let slot = &mut fill[item.index()];
                items[*slot as usize] = NodeId(list as u32);
                *slot += 1;
            }
        }
        Lists { starts, items }
    }

    /// The memory in use.
    pub fn bytes(&self) -> usize {
        (self.starts.capacity() + self.items.capacity()) * 4
    }
}
