//! One writer at a time per partition and server, first come first served. Concurrent writers of
//! one server would only make each other retry.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use larder_storage::{Result, StorageError};
use larder_storage_item::Table;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};
use tokio::time::{Instant, timeout_at};

/// A table and a partition key.
pub(crate) type Partition = (Table, String);

/// How long the number of the newest change is cached. A stale number costs one attempt.
const BELIEVED: Duration = Duration::from_secs(5);
/// How many partitions are cached before unused ones are evicted.
const REMEMBERED: usize = 4096;

/// The number of the newest transaction of a partition, and when it was learned.
type Newest = Option<(u64, Instant)>;

/// The partitions that are being written, or were lately.
#[derive(Debug, Default)]
pub(crate) struct Partitions {
    slots: Mutex<HashMap<Partition, Arc<AsyncMutex<Newest>>>>,
}

/// The exclusive right to write a partition on this server.
#[derive(Debug)]
pub(super) struct Held {
    partition: Partition,
    newest: OwnedMutexGuard<Newest>,
}

impl Partitions {
    /// Waits until all these partitions are free. Always in the same order, so that no two wait for each other.
    pub(super) async fn lock(
        &self,
        mut wanted: Vec<Partition>,
        until: Instant,
    ) -> Result<Vec<Held>> {
        wanted.sort_by(|a, b| (a.0.name(), &a.1).cmp(&(b.0.name(), &b.1)));
        wanted.dedup();
        let mut held = Vec::with_capacity(wanted.len());
        for partition in wanted {
            let slot = self.slot(&partition);
            let newest = timeout_at(until, slot.lock_owned()).await.map_err(|_| {
                StorageError::Contention("too many writers of one partition".to_owned())
            })?;
            held.push(Held { partition, newest });
        }
        Ok(held)
    }

    fn slot(&self, partition: &Partition) -> Arc<AsyncMutex<Newest>> {
        let mut slots = self.slots.lock().expect("no holder of this lock panics");
        if slots.len() >= REMEMBERED && !slots.contains_key(partition) {
            slots.retain(|_, slot| Arc::strong_count(slot) > 1);
        }
        Arc::clone(slots.entry(partition.clone()).or_default())
    }
}

impl Held {
    pub(super) const fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The number of the newest transaction, if it is cached.
    pub(super) fn newest(&self) -> Option<u64> {
        self.newest.filter(|(_, learned)| learned.elapsed() < BELIEVED).map(|(newest, _)| newest)
    }

    pub(super) fn learn(&mut self, newest: u64) {
        *self.newest = Some((newest, Instant::now()));
    }

    /// Takes the cached number: from here on the database's answer decides, even if the caller is
    /// cancelled.
    pub(super) fn forget(&mut self) -> Option<u64> {
        self.newest.take().map(|(newest, _)| newest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(10)
    }

    fn partition(pk: &str) -> Partition {
        (Table::InventoryManagement, pk.to_owned())
    }

    #[tokio::test(start_paused = true)]
    async fn a_partition_has_one_writer_and_others_wait_for_their_time_only() {
        let partitions = Partitions::default();
        let held = partitions.lock(vec![partition("a")], soon()).await.unwrap();
        let refused = partitions.lock(vec![partition("b"), partition("a")], soon()).await;
        assert!(matches!(refused, Err(StorageError::Contention(_))));
        drop(held);
        partitions.lock(vec![partition("b"), partition("a")], soon()).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_number_is_believed_for_a_while_and_can_be_forgotten() {
        let partitions = Partitions::default();
        let mut held = partitions.lock(vec![partition("a"), partition("a")], soon()).await.unwrap();
        assert_eq!((held.len(), held[0].newest()), (1, None));
        held[0].learn(7);
        drop(held);
        let mut held = partitions.lock(vec![partition("a")], soon()).await.unwrap();
        assert_eq!(held[0].newest(), Some(7));
        tokio::time::advance(BELIEVED).await;
        assert_eq!(held[0].newest(), None);
        held[0].learn(8);
        assert_eq!((held[0].forget(), held[0].newest()), (Some(8), None));
    }

    #[tokio::test]
    async fn what_nobody_uses_is_dropped_when_there_are_too_many() {
        let partitions = Partitions::default();
        let kept = partitions.lock(vec![partition("kept")], soon()).await.unwrap();
        for n in 0..2 * REMEMBERED {
            partitions.lock(vec![partition(&n.to_string())], soon()).await.unwrap();
        }
        let slots = partitions.slots.lock().unwrap();
        assert!(slots.len() <= REMEMBERED);
        assert!(slots.contains_key(kept[0].partition()));
    }
}
