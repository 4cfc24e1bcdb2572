//! Waking watchers of a partition, and counting its changes for caches.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use larder_storage_item::Table;
use tokio::sync::watch;

/// How many counters all partitions share. Partitions that share one only invalidate each other's
/// caches.
const COUNTERS: usize = 4096;

/// Watchers by partition, and change counters since the store was opened.
pub(crate) struct Watchers {
    senders: Mutex<HashMap<(Table, String), watch::Sender<u64>>>,
    versions: Box<[AtomicU64]>,
    hasher: RandomState,
}

impl Default for Watchers {
    fn default() -> Self {
        let versions = std::iter::repeat_with(AtomicU64::default).take(COUNTERS).collect();
        Self { senders: Mutex::default(), versions, hasher: RandomState::new() }
    }
}

impl Watchers {
    pub(crate) fn subscribe(&self, table: Table, pk: &str) -> watch::Receiver<u64> {
        let mut senders = self.senders.lock().expect("no holder of this lock panics");
        senders.entry((table, pk.to_owned())).or_insert_with(|| watch::Sender::new(0)).subscribe()
    }

    /// Announces committed changes up to a sequence number.
    pub(crate) fn changed(&self, partitions: impl Iterator<Item = (Table, String)>, last: i64) {
        let mut senders = self.senders.lock().expect("no holder of this lock panics");
        for partition in partitions {
            // After the commit and before the result is sent: a reader that reads this number and
            // then the partition may see newer data, but never older.
            self.counter(partition.0, &partition.1).fetch_add(1, Ordering::Release);
            let Some(sender) = senders.get(&partition) else { continue };
            if sender.receiver_count() == 0 {
                senders.remove(&partition);
            } else {
                sender.send_replace(last.cast_unsigned());
            }
        }
    }

    /// A number that moves with every change of the partition.
    pub(crate) fn version(&self, table: Table, pk: &str) -> u64 {
        self.counter(table, pk).load(Ordering::Acquire)
    }

    fn counter(&self, table: Table, pk: &str) -> &AtomicU64 {
        let hash = self.hasher.hash_one((table, pk));
        #[expect(clippy::cast_possible_truncation, reason = "any bits of a hash will do")]
        let at = hash as usize % COUNTERS;
        &self.versions[at]
    }

    /// Drops partitions without watchers.
    pub(crate) fn prune(&self) {
        let mut senders = self.senders.lock().expect("no holder of this lock panics");
        senders.retain(|_, sender| sender.receiver_count() > 0);
    }
}
