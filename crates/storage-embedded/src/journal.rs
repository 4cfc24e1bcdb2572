//! The change journal.
//!
//! So that no change can go missing unnoticed, each row names the change before it of the same record and the
//! one before it of the same partition.
//!
//! Records for which [`Table::is_journaled`] is false are not in it; older files hold their changes
//! until they expire.
//!
//! The last change of a record is named by its row or, once it is deleted, by the tree of deleted
//! records: its history is a walk along the links from there, up to the first that is forgotten
//! ([`forget`]). The changes of a partition are found
//! through an index over a hash, and `journal_heads` holds the last one; the index is trusted only
//! if it forms an unbroken chain that ends at the head.

pub(crate) mod forget;
pub(crate) mod history;
pub(crate) mod read;
mod row;
#[cfg(test)]
mod tests;
pub(crate) mod write;

use larder_storage_item::Table;
use xxhash_rust::xxh3::xxh3_64_with_seed;

pub(crate) use row::{COLUMNS, row_at};

/// Stable numbers of the tables in the file. Append only.
pub(crate) const fn table_number(table: Table) -> i64 {
    match table {
        Table::InventoryManagement => 1,
        Table::Relational => 2,
        Table::Devices => 3,
        Table::DeviceReadings => 4,
        Table::ProcessedBatches => 5,
        Table::ApiKeys => 6,
        Table::Grants => 7,
    }
}

/// The table with this number.
pub(crate) fn numbered_table(number: i64) -> Option<Table> {
    Table::ALL.into_iter().find(|table| table_number(*table) == number)
}

/// The hash that links the changes of a partition.
pub(crate) fn partition_hash(table: Table, pk: &str) -> i64 {
    xxh3_64_with_seed(pk.as_bytes(), table_number(table).cast_unsigned()).cast_signed()
}
