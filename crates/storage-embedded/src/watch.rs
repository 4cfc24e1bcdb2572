//! Waking those who wait for changes of a partition.

use std::collections::HashMap;
use std::sync::Mutex;

use larder_storage_item::Table;
use tokio::sync::watch;

/// Who waits for which partition.
#[derive(Default)]
pub(crate) struct Watchers {
    senders: Mutex<HashMap<(Table, String), watch::Sender<u64>>>,
}

impl Watchers {
    pub(crate) fn subscribe(&self, table: Table, pk: &str) -> watch::Receiver<u64> {
        let mut senders = self.senders.lock().expect("no holder of this lock panics");
        senders.entry((table, pk.to_owned())).or_insert_with(|| watch::Sender::new(0)).subscribe()
    }

    /// Tells of committed changes up to a sequence number.
    pub(crate) fn changed(&self, partitions: impl Iterator<Item = (Table, String)>, last: i64) {
        let mut senders = self.senders.lock().expect("no holder of this lock panics");
        for partition in partitions {
            let Some(sender) = senders.get(&partition) else { continue };
            if sender.receiver_count() == 0 {
                senders.remove(&partition);
            } else {
                sender.send_replace(last.cast_unsigned());
            }
        }
    }

    /// Forgets the partitions that nobody waits for any more.
    pub(crate) fn prune(&self) {
        let mut senders = self.senders.lock().expect("no holder of this lock panics");
        senders.retain(|_, sender| sender.receiver_count() > 0);
    }
}
