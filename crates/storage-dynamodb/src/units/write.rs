//! The units of writes, by AWS's published rules: DynamoDB Local differs from the service.

use std::ops::AddAssign;

use larder_storage_item::{Index, Record};

/// The write units of a table, and of the indexes that follow it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct WriteUnits {
    pub(crate) table: usize,
    pub(crate) indexes: usize,
}

impl WriteUnits {
    /// One write: the size of the larger of the old and the new record.
    pub(crate) fn of_write(indexes: &[Index], old: Option<&Record>, new: Option<&Record>) -> Self {
        let table = kilobytes(old).max(kilobytes(new));
        // An unchanged record does not write to its indexes.
        let indexes = if old == new { &[] } else { indexes };
        Self { table, indexes: indexes.iter().map(|index| of_index(*index, old, new)).sum() }
    }

    /// One condition on a record that is not written, which only transactions have.
    pub(crate) fn of_check(record: Option<&Record>) -> Self {
        Self { table: kilobytes(record), indexes: 0 }.in_transaction()
    }

    /// A transaction writes twice, to prepare and to commit; its indexes follow afterwards, as they always do.
    pub(crate) const fn in_transaction(self) -> Self {
        Self { table: 2 * self.table, ..self }
    }

    /// A refused transaction: its preparation is charged, but no index write.
    pub(crate) const fn refused(self) -> Self {
        Self { indexes: 0, ..self }
    }
}

impl AddAssign for WriteUnits {
    fn add_assign(&mut self, more: Self) {
        self.table += more.table;
        self.indexes += more.indexes;
    }
}

/// An index projects whole records; if the key changes there, a record is deleted and put.
fn of_index(index: Index, old: Option<&Record>, new: Option<&Record>) -> usize {
    let key = |record: &Record| {
        let sort = index.sk.map_or(Some(""), |sk| record.text(sk))?;
        Some((record.text(index.pk)?.to_owned(), sort.to_owned()))
    };
    match (old.and_then(key), new.and_then(key)) {
        (None, None) => 0,
        (Some(_), None) => kilobytes(old),
        (None, Some(_)) => kilobytes(new),
        (Some(from), Some(to)) if from == to => kilobytes(old).max(kilobytes(new)),
        (Some(_), Some(_)) => kilobytes(old) + kilobytes(new),
    }
}

/// Started kilobytes; an absent or unknown record counts as a small one.
fn kilobytes(record: Option<&Record>) -> usize {
    record.and_then(Record::counted_bytes).unwrap_or(0).div_ceil(1024).max(1)
}

#[cfg(test)]
mod tests {
    use larder_storage_item::{API_KEY_HASH, GSI1, GSI2, INVERTED};

    use super::*;

    /// A record of exactly this many bytes.
    fn record(bytes: usize) -> Record {
        let record = Record::new().with("PK", "p").with("SK", "s").with("text", "");
        let rest = bytes - record.counted_bytes().unwrap();
        record.with("text", "x".repeat(rest))
    }

    /// A small record with a key in the first index.
    fn indexed(sort: &str) -> Record {
        record(100).with("GSI1PK", "p").with("GSI1SK", sort)
    }

    fn written(old: Option<&Record>, new: Option<&Record>) -> (usize, usize) {
        let WriteUnits { table, indexes } = WriteUnits::of_write(&[GSI1, GSI2], old, new);
        (table, indexes)
    }

    #[test]
    fn a_table_is_charged_for_every_begun_kilobyte_of_the_larger_image() {
        let (small, full, over) = (record(100), record(1024), record(1025));
        assert_eq!(written(None, Some(&full)), (1, 0));
        assert_eq!(written(None, Some(&over)), (2, 0));
        assert_eq!(written(Some(&over), Some(&small)), (2, 0));
        assert_eq!(written(Some(&small), Some(&over)), (2, 0));
        assert_eq!(written(Some(&over), None), (2, 0));
        assert_eq!(written(None, None), (1, 0));
    }

    #[test]
    fn an_index_is_charged_once_for_a_record_that_comes_goes_or_changes() {
        let (outside, inside) = (record(100), indexed("a"));
        assert_eq!(written(None, Some(&inside)), (1, 1));
        assert_eq!(written(Some(&outside), Some(&inside)), (1, 1));
        assert_eq!(written(Some(&inside), Some(&outside)), (1, 1));
        assert_eq!(written(Some(&inside), None), (1, 1));
        assert_eq!(written(Some(&inside), Some(&inside.clone().with("n", "1"))), (1, 1));
    }

    #[test]
    fn an_index_is_charged_twice_for_another_key_and_not_for_what_stays() {
        assert_eq!(written(Some(&indexed("a")), Some(&indexed("b"))), (1, 2));
        assert_eq!(written(Some(&indexed("a")), Some(&indexed("a"))), (1, 0));
        let large = indexed("b").with("text", "x".repeat(1500));
        assert_eq!(written(Some(&indexed("a")), Some(&large)), (2, 3));
    }

    #[test]
    fn every_index_that_a_record_is_in_is_charged() {
        let inside = indexed("a").with("GSI2PK", "p");
        assert_eq!(written(None, Some(&inside)), (1, 1), "half a key is none");
        assert_eq!(written(None, Some(&inside.with("GSI2SK", "s"))), (1, 2));
        let units = WriteUnits::of_write(&[INVERTED], Some(&record(100)), None);
        assert_eq!(units, WriteUnits { table: 1, indexes: 1 });
    }

    #[test]
    fn an_index_without_sort_key_is_charged_like_any_other() {
        let [old, new] = ["a", "b"].map(|hash| record(100).with("api_key_hash", hash));
        for (new, expected) in [(&old.clone().with("n", "1"), 1), (&new, 2), (&record(100), 1)] {
            let units = WriteUnits::of_write(&[API_KEY_HASH], Some(&old), Some(new));
            assert_eq!(units, WriteUnits { table: 1, indexes: expected });
        }
    }

    #[test]
    fn a_transaction_doubles_the_table_alone() {
        let written = WriteUnits { table: 3, indexes: 2 }.in_transaction();
        assert_eq!(written, WriteUnits { table: 6, indexes: 2 });
        assert_eq!(written.refused(), WriteUnits { table: 6, indexes: 0 });
    }

    #[test]
    fn a_check_is_charged_as_a_write_without_indexes() {
        assert_eq!(WriteUnits::of_check(None), WriteUnits { table: 2, indexes: 0 });
        let large = indexed("a").with("text", "x".repeat(1500));
        assert_eq!(WriteUnits::of_check(Some(&large)), WriteUnits { table: 4, indexes: 0 });
    }
}
