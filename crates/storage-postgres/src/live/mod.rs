//! Live changes between servers. A commit wakes local listeners at once and is announced to other
//! servers a moment later; polling once a second finds what an announcement missed.

mod announce;
mod listen;

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard},
};

use tokio::{
    sync::{Notify, watch},
    task::JoinSet,
};
use uuid::Uuid;

use crate::{OpenError, database::Database};

/// The channel on which servers announce changed inventories.
const CHANNEL: &str = "larder_changes";

/// Listeners and pending announcements.
#[derive(Debug, Default)]
pub(crate) struct Live {
    watched: Mutex<HashMap<Uuid, Watched>>,
    unannounced: Mutex<HashSet<Uuid>>,
    has_unannounced: Notify,
}

/// An inventory that someone listens to.
#[derive(Debug)]
struct Watched {
    /// Changes whenever there may be new changes.
    wake: watch::Sender<u64>,
    /// The newest sequence number seen by polling; `None` before the first poll.
    sequence: Option<i64>,
}

impl Live {
    /// Starts the background tasks. They end when the set is dropped.
    pub(crate) fn start(self: &Arc<Self>, database: &Database) -> Result<JoinSet<()>, OpenError> {
        let mut tasks = JoinSet::new();
        tasks.spawn(announce::announce(Arc::clone(self), database.clone()));
        tasks.spawn(listen::ask_regularly(Arc::clone(self), database.clone()));
        if !database.options().through_pooler {
            let connection = database.options().connect_options()?;
            tasks.spawn(listen::listen(Arc::clone(self), connection));
        }
        Ok(tasks)
    }

    /// Wakes whenever the inventory may have changed.
    pub(crate) fn watch(&self, inventory: Uuid) -> watch::Receiver<u64> {
        let mut watched = lock(&self.watched);
        let new = || Watched { wake: watch::Sender::new(0), sequence: None };
        watched.entry(inventory).or_insert_with(new).wake.subscribe()
    }

    /// A call to this server may have changed the inventory.
    pub(crate) fn changed(&self, inventory: Uuid) {
        self.wake(inventory);
        if lock(&self.unannounced).insert(inventory) {
            self.has_unannounced.notify_one();
        }
    }

    /// How many inventories someone listens to.
    pub(crate) fn watched_count(&self) -> usize {
        lock(&self.watched).values().filter(|watched| watched.wake.receiver_count() > 0).count()
    }

    fn wake(&self, inventory: Uuid) {
        if let Some(watched) = lock(&self.watched).get(&inventory) {
            watched.wake.send_modify(|count| *count += 1);
        }
    }

    /// The inventories with listeners; drops the others.
    fn watched(&self) -> Vec<Uuid> {
        let mut watched = lock(&self.watched);
        watched.retain(|_, watched| watched.wake.receiver_count() > 0);
        watched.keys().copied().collect()
    }

    /// Wakes the listeners of every inventory with changes since the last poll.
    fn catch_up(&self, heads: impl IntoIterator<Item = (Uuid, i64)>) {
        let mut watched = lock(&self.watched);
        for (inventory, sequence) in heads {
            if let Some(watched) = watched.get_mut(&inventory)
                && watched.sequence.replace(sequence) != Some(sequence)
            {
                watched.wake.send_modify(|count| *count += 1);
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no holder of this lock panics")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILK: Uuid = Uuid::from_u128(1);
    const OTHER: Uuid = Uuid::from_u128(2);

    fn woken(receiver: &mut watch::Receiver<u64>) -> bool {
        let woken = receiver.has_changed().unwrap();
        receiver.mark_unchanged();
        woken
    }

    #[test]
    fn a_commit_wakes_those_who_watch_its_inventory() {
        let live = Live::default();
        let (mut milk, mut other) = (live.watch(MILK), live.watch(OTHER));
        live.changed(MILK);
        assert!(woken(&mut milk));
        assert!(!woken(&mut other));
    }

    #[test]
    fn asking_wakes_those_who_missed_something() {
        let live = Live::default();
        let mut milk = live.watch(MILK);
        live.catch_up([(MILK, 5)]);
        assert!(woken(&mut milk), "nobody knows what was missed before the first time");
        live.catch_up([(MILK, 5), (OTHER, 9)]);
        assert!(!woken(&mut milk));
        live.catch_up([(MILK, 6)]);
        assert!(woken(&mut milk));
    }

    #[test]
    fn what_nobody_watches_is_forgotten() {
        let live = Live::default();
        let milk = live.watch(MILK);
        drop(live.watch(OTHER));
        assert_eq!((live.watched(), live.watched_count()), (vec![MILK], 1));
        drop(milk);
        assert!(live.watched().is_empty());
    }
}
