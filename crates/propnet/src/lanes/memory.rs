//! Words that start at the border of a cache line, so that no slot lies across one.

/// The length of a cache line in words.
const LINE: usize = 8;

/// A fixed number of words.
#[derive(Debug)]
pub(super) struct Memory {
    words: Vec<u64>,
    start: usize,
    len: usize,
}

impl Memory {
    /// Words, all zero.
    pub fn new(len: usize) -> Memory {
        let words = vec![0u64; len + LINE];
        let start = words.as_ptr().align_offset(LINE * size_of::<u64>()).min(LINE);
        Memory { words, start, len }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The words as rows of `N`.
    pub fn rows_mut<const N: usize>(&mut self) -> &mut [[u64; N]] {
        self.words[self.start..self.start + self.len].as_chunks_mut().0
    }
}

impl Clone for Memory {
    fn clone(&self) -> Self {
        // The copy lies elsewhere and starts elsewhere.
        let mut copy = Memory::new(self.len);
        let words = &self.words[self.start..self.start + self.len];
        copy.words[copy.start..copy.start + self.len].copy_from_slice(words);
        copy
    }
}
