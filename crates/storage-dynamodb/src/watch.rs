//! Waking listeners: for changes by this server at once, for those by others by polling.

mod poller;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use tokio::sync::{Notify, watch};

use crate::journal::Place;
use crate::transact::Partition;

pub(crate) use poller::poll;

/// The listeners by partition.
#[derive(Debug, Default)]
pub(crate) struct Watchers {
    watched: Mutex<HashMap<Partition, Watched>>,
    /// Wakes the poller when there is a new listener.
    pub(crate) subscribed: Notify,
}

#[derive(Debug)]
struct Watched {
    sender: watch::Sender<u64>,
    /// The newest transaction that the listeners were notified of; `None` before the first poll.
    newest: Option<u64>,
}

impl Watchers {
    pub(crate) fn subscribe(&self, partition: Partition) -> watch::Receiver<u64> {
        let mut watched = self.watched();
        let one = watched.entry(partition);
        let one = one.or_insert_with(|| Watched { sender: watch::Sender::new(0), newest: None });
        let receiver = one.sender.subscribe();
        self.subscribed.notify_one();
        receiver
    }

    /// Notifies of changes up to this one.
    pub(crate) fn changed(&self, partition: &Partition, last: Place) {
        let mut watched = self.watched();
        let Some(one) = watched.get_mut(partition) else { return };
        // Concurrent calls may arrive in any order.
        if one.newest.is_none_or(|newest| newest < last.transaction) {
            one.newest = Some(last.transaction);
            one.sender.send_replace(last.sequence());
        }
    }

    /// The partitions with listeners, each with the newest transaction that they were notified of.
    /// Drops partitions without listeners.
    pub(crate) fn listened(&self) -> Vec<(Partition, Option<u64>)> {
        let mut watched = self.watched();
        watched.retain(|_, one| one.sender.receiver_count() > 0);
        watched.iter().map(|(partition, one)| (partition.clone(), one.newest)).collect()
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<Partition, Watched>> {
        self.watched.lock().expect("no holder of this lock panics")
    }
}

#[cfg(test)]
mod tests {
    use larder_storage_item::Table;

    use super::*;

    fn home() -> Partition {
        (Table::InventoryManagement, "home".to_owned())
    }

    #[test]
    fn listeners_are_told_of_every_later_transaction_once() {
        let watchers = Watchers::default();
        let mut receiver = watchers.subscribe(home());
        watchers.changed(&home(), Place::first(2));
        assert!(receiver.has_changed().unwrap());
        assert_eq!(*receiver.borrow_and_update(), Place::first(2).sequence());
        watchers.changed(&home(), Place::first(2));
        watchers.changed(&home(), Place::first(1));
        assert!(!receiver.has_changed().unwrap());
        watchers.changed(&(Table::Relational, "home".to_owned()), Place::first(3));
        assert!(!receiver.has_changed().unwrap());
    }

    #[test]
    fn only_partitions_with_listeners_are_looked_at() {
        let watchers = Watchers::default();
        let receiver = watchers.subscribe(home());
        watchers.changed(&home(), Place::first(4));
        assert_eq!(watchers.listened(), [(home(), Some(4))]);
        drop(receiver);
        assert_eq!(watchers.listened(), []);
    }
}
