//! A cache of the newest reading of each recently queried device.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use larder_domain::{HardwareId, Reading};

use super::block;

/// The number of devices in each of the two generations: a fleet of thousands, at about a kilobyte
/// each.
const MAX_PER_GENERATION: usize = 8192;

/// Never stale: a reader that misses registers its search first ([`Latest::find`]), and its result
/// is discarded if a reading was published meanwhile.
#[derive(Default)]
pub(crate) struct Latest(Mutex<Generations>);

/// The cached state of a device.
enum Entry {
    /// Its newest reading, expired or not; `None`: it has none.
    Newest(Option<Arc<Reading>>),
    /// The search with this number is running.
    Sought(u64),
}

/// The result of a lookup.
pub(crate) enum Find {
    /// The newest reading, expired or not; `None`: there is none.
    Cached(Option<Arc<Reading>>),
    /// Not cached: search for it, and report the result.
    Miss(Search),
}

/// A registered search.
pub(crate) struct Search {
    device: HardwareId,
    number: u64,
}

impl Latest {
    /// The newest reading of a device, if it is cached.
    pub(crate) fn find(&self, device: HardwareId) -> Find {
        let mut generations = self.lock();
        if let Some(Entry::Newest(newest)) = generations.used(device) {
            return Find::Cached(newest.clone());
        }
        Find::Miss(generations.search(device))
    }

    /// Reports the result of a search.
    pub(crate) fn found(&self, search: &Search, newest: Option<Arc<Reading>>) {
        if let Some(entry) = self.lock().held(search.device)
            && matches!(entry, Entry::Sought(number) if *number == search.number)
        {
            *entry = Entry::Newest(newest);
        }
    }

    /// Updates the cache with readings that became visible.
    pub(crate) fn publish<'r>(&self, readings: impl IntoIterator<Item = &'r Arc<Reading>>) {
        let mut generations = self.lock();
        for reading in readings {
            generations.publish(reading);
        }
    }

    /// Drops what is cached of a device, and the results of searches for it.
    pub(crate) fn forget(&self, device: HardwareId) {
        self.lock().forget(device);
    }

    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.0.lock().expect("no holder of this lock panics")
    }
}

/// Two generations by last use: when the young one is full, it becomes the old one, which is
/// dropped.
#[derive(Default)]
struct Generations {
    young: HashMap<HardwareId, Entry>,
    old: HashMap<HardwareId, Entry>,
    searches: u64,
}

impl Generations {
    /// The entry of a device, in either generation.
    fn held(&mut self, device: HardwareId) -> Option<&mut Entry> {
        match self.young.get_mut(&device) {
            Some(entry) => Some(entry),
            None => self.old.get_mut(&device),
        }
    }

    /// The entry of a device, which moves to the young generation.
    fn used(&mut self, device: HardwareId) -> Option<&Entry> {
        if let Some(entry) = self.old.remove(&device) {
            self.keep(device, entry);
        }
        self.young.get(&device)
    }

    fn keep(&mut self, device: HardwareId, entry: Entry) {
        if self.young.len() >= MAX_PER_GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(device, entry);
    }

    /// Of concurrent searches, only the last may fill the cache.
    fn search(&mut self, device: HardwareId) -> Search {
        self.searches += 1;
        let number = self.searches;
        self.keep(device, Entry::Sought(number));
        Search { device, number }
    }

    fn forget(&mut self, device: HardwareId) {
        self.young.remove(&device);
        self.old.remove(&device);
    }

    fn publish(&mut self, reading: &Arc<Reading>) {
        let device = reading.hardware_id;
        // One in the same place was written over.
        let is_newer = |held: &Arc<Reading>| block::place(held) <= block::place(reading);
        match self.held(device) {
            Some(Entry::Newest(newest)) if newest.as_ref().is_none_or(is_newer) => {
                *newest = Some(reading.clone());
            }
            Some(Entry::Sought(_)) => self.forget(device),
            None | Some(Entry::Newest(_)) => {}
        }
    }
}
