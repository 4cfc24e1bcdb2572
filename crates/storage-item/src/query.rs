//! Reads of one partition.

use crate::{Index, Key, Record, Table};

/// The requested sort keys of a partition.
#[derive(Clone, PartialEq, Eq)]
pub enum SortKeys {
    /// All.
    Any,
    /// Those that start with this text.
    BeginsWith(String),
    /// Those from the first to the second text, both included.
    Between(String, String),
}

/// The position of a record in a table or an index: the exclusive start of the next page. Derived
/// from a record's keys; the record need not exist any more.
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    /// The sort key in the index that is read; for the table itself, the record's own sort key.
    pub sort: String,
    /// The primary key of the record, a tie-breaker for equal sort keys of an index.
    pub key: Key,
}

impl Position {
    /// The position of this key in its table.
    pub(crate) fn in_table(key: Key) -> Self {
        Self { sort: key.sk.clone(), key }
    }
}

/// A read of one partition of a table or an index, in the order of the sort keys.
#[derive(Clone)]
pub struct Query {
    /// The table.
    pub table: Table,
    /// The index, or the table itself. Index reads may lag behind writes.
    pub index: Option<Index>,
    /// The partition (of the index, if one is read).
    pub pk: String,
    /// The part of the partition.
    pub sort: SortKeys,
    /// Ascending or descending.
    pub forward: bool,
    /// How many records at most, up to [`crate::MAX_QUERY_LIMIT`].
    pub limit: usize,
    /// Continue after this position.
    pub start_after: Option<Position>,
}

impl Query {
    /// The first records of this part of a table's partition, ascending.
    pub fn new(table: Table, pk: impl Into<String>, sort: SortKeys, limit: usize) -> Self {
        Self { table, index: None, pk: pk.into(), sort, forward: true, limit, start_after: None }
    }

    /// The same of the sort keys that begin with this text.
    pub(crate) fn under(table: Table, pk: String, prefix: &str, limit: usize) -> Self {
        Self::new(table, pk, SortKeys::BeginsWith(prefix.to_owned()), limit)
    }

    /// The same of a partition of this index.
    #[must_use]
    pub fn by(self, index: Index) -> Self {
        Self { index: Some(index), ..self }
    }

    /// The last records, descending.
    #[must_use]
    pub fn backward(self) -> Self {
        Self { forward: false, ..self }
    }
}

/// One page of a query.
#[derive(Debug, Clone, Default)]
pub struct QueryPage {
    /// The records, in order, expired ones left out.
    pub records: Vec<Record>,
    /// Where to continue; `None` at the end of the partition. A page with fewer records than
    /// requested may still have a continuation.
    pub next: Option<Position>,
}
