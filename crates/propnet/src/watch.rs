//! Work that can be stopped: the same code with limits and without.

/// Is called for every small piece of work with the memory in use; an error stops the work. Without
/// limits it never gives one, so that callers without limits need not handle a limit that was hit.
pub(crate) type Watch<'a, E> = &'a mut dyn FnMut(usize) -> Result<(), E>;
