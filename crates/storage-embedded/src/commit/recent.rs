//! The records that the committing thread wrote last. It alone writes, so what it wrote is what lies in the
//! file: the next update of the same record need not search for it.

use std::collections::HashMap;

use larder_storage::Result;
use larder_storage_item::{Key, Table};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::journal::partition_hash;
use crate::records::{self, Stored};

/// Room for the working set of many households.
const MAX_BYTES: usize = 8 * 1024 * 1024;
/// What an entry takes besides its texts, about.
const ENTRY_BYTES: usize = 160;

/// A row as it was written.
struct Row {
    table: Table,
    key: Key,
    rid: i64,
    expires_at: Option<i64>,
    seq: i64,
    body: Vec<u8>,
}

/// Rows by a hash of their key: of two with one hash, the later is remembered. To be cleared when a SQLite transaction is rolled back.
#[derive(Default)]
pub(super) struct Recent {
    rows: HashMap<u64, Row>,
    bytes: usize,
}

impl Recent {
    /// The record, if it was written lately.
    pub(super) fn find(&self, table: Table, key: &Key) -> Result<Option<Stored>> {
        let held = self.rows.get(&hash(table, key));
        let Some(row) = held.filter(|row| row.table == table && row.key == *key) else {
            return Ok(None);
        };
        let Row { rid, expires_at, seq, ref body, .. } = *row;
        let record = records::decode(table, key, body)?;
        Ok(Some(Stored { rid, expires_at, seq, body: body.clone(), record }))
    }

    /// Remembers what was written.
    pub(super) fn wrote(&mut self, table: Table, key: &Key, rid: i64, row: records::Raw<'_>) {
        self.forget(table, key);
        let bytes = size(key, row.body);
        if self.bytes + bytes > MAX_BYTES {
            // Rare, and simpler than keeping an order: what is in use comes back at once.
            self.clear();
        }
        self.bytes += bytes;
        let records::Raw { expires_at, seq, body } = row;
        let row = Row { table, key: key.clone(), rid, expires_at, seq, body: body.to_vec() };
        self.rows.insert(hash(table, key), row);
    }

    /// Forgets one record.
    pub(super) fn forget(&mut self, table: Table, key: &Key) {
        if let Some(row) = self.rows.remove(&hash(table, key)) {
            self.bytes -= size(&row.key, &row.body);
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.bytes = 0;
    }
}

fn hash(table: Table, key: &Key) -> u64 {
    xxh3_64_with_seed(key.sk.as_bytes(), partition_hash(table, &key.pk).cast_unsigned())
}

fn size(key: &Key, body: &[u8]) -> usize {
    ENTRY_BYTES + key.pk.len() + key.sk.len() + body.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(seq: i64, body: &[u8]) -> records::Raw<'_> {
        records::Raw { expires_at: None, seq, body }
    }

    fn seq_of(recent: &Recent, table: Table, sk: &str) -> Option<i64> {
        recent.find(table, &Key::new("p", sk)).unwrap().map(|stored| stored.seq)
    }

    #[test]
    fn the_last_write_of_a_record_is_what_is_found() {
        let (mut recent, table) = (Recent::default(), Table::Relational);
        recent.wrote(table, &Key::new("p", "s"), 1, raw(1, &[0]));
        recent.wrote(table, &Key::new("p", "s"), 1, raw(2, &[0]));
        recent.wrote(table, &Key::new("p", "t"), 2, raw(3, &[0]));
        assert_eq!(seq_of(&recent, table, "s"), Some(2));
        assert_eq!(seq_of(&recent, Table::InventoryManagement, "s"), None);
        recent.forget(table, &Key::new("p", "s"));
        assert_eq!((seq_of(&recent, table, "s"), seq_of(&recent, table, "t")), (None, Some(3)));
    }

    #[test]
    fn memory_is_bounded() {
        let (mut recent, body) = (Recent::default(), vec![0; MAX_BYTES / 4]);
        for n in 0..40 {
            let key = Key::new("p", n.to_string());
            recent.wrote(Table::Relational, &key, n, raw(n, &body));
            let held: usize = recent.rows.values().map(|row| size(&row.key, &row.body)).sum();
            assert_eq!(recent.bytes, held);
            assert!(held <= MAX_BYTES && recent.rows.contains_key(&hash(Table::Relational, &key)));
        }
    }
}
