//! Keys of change records.

use larder_storage_item::{Key, Table};

/// Sequence numbers leave room for this many changes of one transaction in one partition: more than
/// possible.
const CHANGES_PER_TRANSACTION: u64 = 128;

/// The partition of the changes of a partition.
pub(crate) fn partition(table: Table, pk: &str) -> String {
    format!("{}#{pk}", table.name())
}

/// Identifies a record in the journal. The length distinguishes two keys that concatenate to the
/// same text.
pub(crate) fn record_id(table: Table, key: &Key) -> String {
    format!("{}#{}#{}#{}", table.name(), key.pk.len(), key.pk, key.sk)
}

/// One change of a partition: the `index`-th of its `transaction`-th transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) transaction: u64,
    pub(crate) index: u64,
}

impl Place {
    pub(crate) const fn first(transaction: u64) -> Self {
        Self { transaction, index: 0 }
    }

    /// As the port counts.
    pub(crate) const fn sequence(self) -> u64 {
        self.transaction * CHANGES_PER_TRANSACTION + self.index
    }

    pub(crate) const fn of_sequence(sequence: u64) -> Self {
        Self {
            transaction: sequence / CHANGES_PER_TRANSACTION,
            index: sequence % CHANGES_PER_TRANSACTION,
        }
    }

    pub(crate) fn sort_key(self) -> String {
        match self {
            Self { transaction, index: 0 } => format!("{transaction:020}"),
            Self { transaction, index } => format!("{transaction:020}#{index:03}"),
        }
    }

    /// The sort key of an image that is too large for the change record.
    pub(crate) fn image_sort_key(self, image: &str) -> String {
        format!("{:020}#{:03}#{image}", self.transaction, self.index)
    }

    /// A text that sorts after everything of this change, and before everything that follows.
    pub(crate) fn behind(self) -> String {
        self.image_sort_key("~")
    }

    /// The place of a change, or of an image that belongs to it.
    pub(crate) fn parse(sort_key: &str) -> Option<(Self, Kind)> {
        let mut parts = sort_key.split('#');
        let transaction = parts.next()?.parse().ok()?;
        let index = parts.next().map_or(Some(0), |index| index.parse().ok())?;
        let kind = if parts.next().is_some() { Kind::Image } else { Kind::Change };
        Some((Self { transaction, index }, kind))
    }
}

/// The kind of a journal record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Change,
    /// A record that is too large for its change record.
    Image,
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn place(transaction: u64, index: u64) -> Place {
        Place { transaction, index }
    }

    #[test]
    fn places_sort_as_they_happened_and_come_back() {
        let places =
            [place(1, 0), place(1, 1), place(1, 99), place(2, 0), place(10, 0), place(10, 2)];
        let keys: Vec<_> = places.iter().map(|place| place.sort_key()).collect();
        assert!(keys.is_sorted_by(|a, b| a < b), "{keys:?}");
        for (place, key) in places.iter().zip(&keys) {
            assert_eq!(Place::parse(key), Some((*place, Kind::Change)));
            assert_eq!(Place::of_sequence(place.sequence()), *place);
        }
        assert!(places.iter().map(|place| place.sequence()).is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn images_stand_behind_their_change_and_before_the_next() {
        for index in [0, 1] {
            let (here, image) = (place(7, index), place(7, index).image_sort_key("old"));
            assert!(here.sort_key() < image && image < here.behind());
            assert!(here.behind() < place(7, index + 1).sort_key());
            assert_eq!(Place::parse(&image), Some((here, Kind::Image)));
        }
    }

    #[test]
    fn records_whose_keys_join_to_the_same_text_are_told_apart() {
        let table = Table::Relational;
        let ids = [Key::new("a#b", "c"), Key::new("a", "b#c")].map(|key| record_id(table, &key));
        assert_ne!(ids[0], ids[1]);
    }

    #[test]
    fn what_is_no_place_is_none() {
        assert_eq!(Place::parse("x"), None);
        assert_eq!(Place::parse("1#x"), None);
    }
}
