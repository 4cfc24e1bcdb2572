//! The newest reading of each device that was asked for lately.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use larder_domain::{HardwareId, Reading};

use super::block;

/// How many devices each of the two generations holds: a fleet of thousands, at about a kilobyte each.
const MAX_PER_GENERATION: usize = 8192;

/// Answers without a look at the file, and never with what was the newest before the last publication: a reader who
/// looks a reading up says so before ([`Latest::find`]), and is not believed if one was published meanwhile.
#[derive(Default)]
pub(crate) struct Latest(Mutex<Generations>);

/// What is known of a device.
enum Known {
    /// Its newest reading, expired or not; `None`: it has none.
    Newest(Option<Arc<Reading>>),
    /// The search with this number is under way.
    Sought(u64),
}

/// The answer to a reader.
pub(crate) enum Find {
    /// The newest reading, expired or not; `None`: there is none.
    Known(Option<Arc<Reading>>),
    /// Look for it from now on, and say what you found.
    Unknown(Search),
}

/// A search that may say what it finds.
pub(crate) struct Search {
    device: HardwareId,
    number: u64,
}

impl Latest {
    /// The newest reading of a device, if it is known.
    pub(crate) fn find(&self, device: HardwareId) -> Find {
        let mut generations = self.lock();
        if let Some(Known::Newest(newest)) = generations.used(device) {
            return Find::Known(newest.clone());
        }
        Find::Unknown(generations.search(device))
    }

    /// Says what a search found among all that was published before it began.
    pub(crate) fn found(&self, search: &Search, newest: Option<Arc<Reading>>) {
        if let Some(known) = self.lock().held(search.device)
            && matches!(known, Known::Sought(number) if *number == search.number)
        {
            *known = Known::Newest(newest);
        }
    }

    /// Says which readings every reader sees from now on.
    pub(crate) fn publish<'r>(&self, readings: impl IntoIterator<Item = &'r Arc<Reading>>) {
        let mut generations = self.lock();
        for reading in readings {
            generations.publish(reading);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.0.lock().expect("no holder of this lock panics")
    }
}

/// Devices by when they were last asked for: once the young ones are too many, they are the old ones, and those that
/// were are forgotten.
#[derive(Default)]
struct Generations {
    young: HashMap<HardwareId, Known>,
    old: HashMap<HardwareId, Known>,
    searches: u64,
}

impl Generations {
    /// What is known of a device, wherever it is.
    fn held(&mut self, device: HardwareId) -> Option<&mut Known> {
        match self.young.get_mut(&device) {
            Some(known) => Some(known),
            None => self.old.get_mut(&device),
        }
    }

    /// What is known of a device, which is young from now on.
    fn used(&mut self, device: HardwareId) -> Option<&Known> {
        if let Some(known) = self.old.remove(&device) {
            self.keep(device, known);
        }
        self.young.get(&device)
    }

    fn keep(&mut self, device: HardwareId, known: Known) {
        if self.young.len() >= MAX_PER_GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(device, known);
    }

    /// Of several who search at once, the last is believed.
    fn search(&mut self, device: HardwareId) -> Search {
        self.searches += 1;
        let number = self.searches;
        self.keep(device, Known::Sought(number));
        Search { device, number }
    }

    fn publish(&mut self, reading: &Arc<Reading>) {
        let device = reading.hardware_id;
        // One in the same place was written over.
        let is_newer = |held: &Arc<Reading>| block::place(held) <= block::place(reading);
        match self.held(device) {
            Some(Known::Newest(newest)) if newest.as_ref().is_none_or(is_newer) => {
                *newest = Some(reading.clone());
            }
            Some(Known::Sought(_)) => {
                self.young.remove(&device);
                self.old.remove(&device);
            }
            None | Some(Known::Newest(_)) => {}
        }
    }
}
