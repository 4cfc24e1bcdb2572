//! The change journal.
//!
//! Changes of one partition, and of one record, are found through an index over a hash. So that no change can
//! go missing unnoticed, each row names the change before it under either hash, and `journal_heads` holds the
//! last one. What the index shows is believed only when it is an unbroken chain that ends at the head.

pub(crate) mod read;
mod row;
pub(crate) mod write;

use larder_storage_item::{Key, Table};
use xxhash_rust::xxh3::xxh3_64;

pub(crate) use row::{COLUMNS, row_at};

/// The two ways to find changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Thread {
    Partition,
    Record,
}

/// Stable numbers of the tables in the file. Append only.
pub(crate) const fn table_number(table: Table) -> i64 {
    match table {
        Table::InventoryManagement => 1,
        Table::Relational => 2,
    }
}

/// The table with this number.
pub(crate) fn numbered_table(number: i64) -> Option<Table> {
    Table::ALL.into_iter().find(|table| table_number(*table) == number)
}

/// Where the changes of a partition hang.
pub(crate) fn partition_hash(table: Table, pk: &str) -> i64 {
    hash(table, &[pk])
}

/// Where the changes of a record hang.
pub(crate) fn record_hash(table: Table, key: &Key) -> i64 {
    hash(table, &[&key.pk, &key.sk])
}

fn hash(table: Table, parts: &[&str]) -> i64 {
    let mut bytes = Vec::with_capacity(128);
    bytes.push(u8::try_from(parts.len()).expect("one or two parts"));
    bytes.extend_from_slice(&table_number(table).to_le_bytes());
    for part in parts {
        bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part.as_bytes());
    }
    xxh3_64(&bytes).cast_signed()
}
