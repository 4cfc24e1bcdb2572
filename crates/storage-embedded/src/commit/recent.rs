//! A cache of the records that the committing thread read or wrote last. Only that thread writes,
//! so the cache is never stale.

use std::collections::HashMap;
use std::sync::Arc;

use larder_storage_item::{Key, Table};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::journal::partition_hash;
use crate::records::Stored;

/// The size of the cache: the working set of many households.
const MAX_BYTES: usize = 8 * 1024 * 1024;
/// The approximate size of an entry besides its texts.
const ENTRY_BYTES: usize = 320;
/// The approximate memory of a record per byte of its body: the body itself, the strings and their
/// list.
const BYTES_PER_BODY_BYTE: usize = 6;

/// A cached row.
struct Row {
    table: Table,
    key: Key,
    stored: Arc<Stored>,
}

/// Rows by a hash of their key: of two with the same hash, the later one is cached. Cleared after a
/// rollback.
#[derive(Default)]
pub(super) struct Recent {
    rows: HashMap<u64, Row>,
    bytes: usize,
}

impl Recent {
    /// The record, if it is cached.
    pub(super) fn find(&self, table: Table, key: &Key) -> Option<Arc<Stored>> {
        let held = self.rows.get(&hash(table, key));
        let row = held.filter(|row| row.table == table && row.key == *key)?;
        Some(Arc::clone(&row.stored))
    }

    /// Caches a record that was read or written.
    pub(super) fn remember(&mut self, table: Table, key: &Key, stored: Arc<Stored>) {
        self.forget(table, key);
        let bytes = size(key, &stored.body);
        if self.bytes + bytes > MAX_BYTES {
            // Clearing everything is rare and simpler than an eviction order.
            self.clear();
        }
        self.bytes += bytes;
        self.rows.insert(hash(table, key), Row { table, key: key.clone(), stored });
    }

    /// Evicts one record.
    pub(super) fn forget(&mut self, table: Table, key: &Key) {
        if let Some(row) = self.rows.remove(&hash(table, key)) {
            self.bytes -= size(&row.key, &row.stored.body);
        }
    }

    /// Clears the cache.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.bytes = 0;
    }
}

fn hash(table: Table, key: &Key) -> u64 {
    xxh3_64_with_seed(key.sk.as_bytes(), partition_hash(table, &key.pk).cast_unsigned())
}

fn size(key: &Key, body: &[u8]) -> usize {
    ENTRY_BYTES + key.pk.len() + key.sk.len() + BYTES_PER_BODY_BYTE * body.len()
}

#[cfg(test)]
mod tests {
    use larder_storage_item::Record;

    use super::*;

    fn stored(seq: i64, body: &[u8]) -> Arc<Stored> {
        let (body, record) = (body.to_vec(), Record::new());
        Arc::new(Stored { rid: 1, expires_at: None, seq, body, record })
    }

    fn seq_of(recent: &Recent, table: Table, sk: &str) -> Option<i64> {
        recent.find(table, &Key::new("p", sk)).map(|stored| stored.seq)
    }

    #[test]
    fn what_was_remembered_last_of_a_record_is_what_is_found() {
        let (mut recent, table) = (Recent::default(), Table::Relational);
        recent.remember(table, &Key::new("p", "s"), stored(1, &[0]));
        recent.remember(table, &Key::new("p", "s"), stored(2, &[0]));
        recent.remember(table, &Key::new("p", "t"), stored(3, &[0]));
        assert_eq!(seq_of(&recent, table, "s"), Some(2));
        assert_eq!(seq_of(&recent, Table::InventoryManagement, "s"), None);
        recent.forget(table, &Key::new("p", "s"));
        assert_eq!((seq_of(&recent, table, "s"), seq_of(&recent, table, "t")), (None, Some(3)));
    }

    #[test]
    fn memory_is_bounded() {
        let (mut recent, body) = (Recent::default(), vec![0; MAX_BYTES / 4 / BYTES_PER_BODY_BYTE]);
        for n in 0..40 {
            let key = Key::new("p", n.to_string());
            recent.remember(Table::Relational, &key, stored(n, &body));
            let held: usize =
                recent.rows.values().map(|row| size(&row.key, &row.stored.body)).sum();
            assert_eq!(recent.bytes, held);
            assert!(held <= MAX_BYTES && recent.rows.contains_key(&hash(Table::Relational, &key)));
        }
    }
}
