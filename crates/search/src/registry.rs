//! Strategies of the search by name. A new one is one file and one line in the list of its kind.

pub use gamegrove_settings::{build, fault};

use crate::learn::Tables;

/// A strategy: its name, what people read about it, and how it is made.
pub type Entry<T> = gamegrove_settings::Entry<T, Tables>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_lists_exactly_its_options() {
        assert_eq!(fault(crate::SELECTIONS), None);
        assert_eq!(fault(crate::POLICIES), None);
        assert_eq!(fault(crate::CUTOFFS), None);
        assert_eq!(fault(crate::TACTICS), None);
        assert_eq!(fault(crate::EXPANSIONS), None);
        assert_eq!(fault(crate::ENDGAMES), None);
    }

    #[test]
    fn an_option_that_is_read_but_not_listed_is_a_fault() {
        let entry = &crate::POLICIES.iter().find(|entry| !entry.parameters.is_empty());
        let entry = entry.expect("some policy has options");
        let unlisted = Entry { parameters: &[], ..*entry };
        assert!(fault(&[unlisted]).is_some_and(|fault| fault.contains("lists {}")));
    }
}
