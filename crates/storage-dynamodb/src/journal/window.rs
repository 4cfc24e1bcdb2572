//! Whether a page of the journal is complete. A query may pass a key just before a transaction
//! writes it, and still see later ones: then there is a gap, and the page must be read again.

use super::Place;
use super::entry::StoredEntry;

/// Whether nothing is missing between `after` and the last of these entries, all within the
/// retention. A page that was `cut` may end within a transaction.
pub(super) fn is_whole(after: Place, entries: &[StoredEntry], cut: bool) -> bool {
    let mut expected = Expected { place: after, left: None };
    entries.iter().all(|entry| expected.then(entry)) && (cut || expected.left.unwrap_or(0) == 0)
}

/// The expected next change.
struct Expected {
    place: Place,
    /// The number of further changes of the same transaction, if known.
    left: Option<u64>,
}

impl Expected {
    fn then(&mut self, next: &StoredEntry) -> bool {
        let follows = if next.place.transaction == self.place.transaction {
            next.place.index == self.place.index + 1
        } else {
            next.place == Place::first(self.place.transaction + 1)
                && self.left.is_none_or(|left| left == 0)
        };
        self.left = match next.count {
            Some(count) => Some(count.saturating_sub(1)),
            None => self.left.map(|left| left.saturating_sub(1)),
        };
        self.place = next.place;
        follows
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use larder_storage_item::{JournalEntry, Key, Table};

    use super::*;

    fn entry(transaction: u64, index: u64, count: u64) -> StoredEntry {
        let place = Place { transaction, index };
        let entry = JournalEntry {
            sequence: place.sequence(),
            at: Timestamp::UNIX_EPOCH,
            actor: "mia".to_owned(),
            table: Table::InventoryManagement,
            key: Key::new("p", "s"),
            old: None,
            new: None,
        };
        StoredEntry { place, entry, count: (index == 0).then_some(count), beside: Vec::new() }
    }

    fn check(after: (u64, u64), entries: &[(u64, u64, u64)]) -> bool {
        let after = Place { transaction: after.0, index: after.1 };
        let entries: Vec<_> = entries.iter().map(|(t, i, count)| entry(*t, *i, *count)).collect();
        is_whole(after, &entries, false)
    }

    #[test]
    fn a_page_without_a_gap_is_whole() {
        assert!(check((0, 0), &[]));
        assert!(check((0, 0), &[(1, 0, 2), (1, 1, 2), (2, 0, 1), (3, 0, 1)]));
        assert!(check((1, 0), &[(1, 1, 2), (2, 0, 1)]));
    }

    #[test]
    fn a_missing_transaction_is_noticed() {
        assert!(!check((0, 0), &[(2, 0, 1)]));
        assert!(!check((4, 0), &[(5, 0, 1), (7, 0, 1)]));
    }

    #[test]
    fn a_missing_change_of_a_transaction_is_noticed() {
        assert!(!check((0, 0), &[(1, 1, 2)]), "the first");
        assert!(!check((0, 0), &[(1, 0, 3), (1, 2, 3)]), "one in the middle");
        assert!(!check((0, 0), &[(1, 0, 2), (2, 0, 1)]), "the last");
        assert!(!check((0, 0), &[(1, 0, 2)]), "the last of all");
    }

    #[test]
    fn a_page_that_was_cut_may_end_within_a_transaction() {
        assert!(is_whole(Place::first(0), &[entry(1, 0, 2)], true));
    }
}
