//! Readings that are logged but not yet merged into blocks. Shared with readers.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};

use larder_domain::{HardwareId, HouseholdId, Reading};
use larder_storage::Result;

use super::section::Section;

/// A reading that is not in a block yet.
#[derive(Debug, Clone)]
pub(crate) struct PendingReading {
    pub(crate) reading: Arc<Reading>,
    pub(crate) household: Option<HouseholdId>,
    pub(crate) received_at_s: i64,
}

/// Pending sections by device. A reader that first looks here and then takes a snapshot of the file
/// sees every committed reading: one that was removed here is in a committed block.
#[derive(Default)]
pub(crate) struct Pending {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    devices: HashMap<HardwareId, Vec<Logged>>,
    /// Devices by the number of the oldest log row with a section of theirs.
    queue: BTreeSet<(i64, HardwareId)>,
    size: Size,
}

/// A section and its row in the log.
#[derive(Clone)]
pub(crate) struct Logged {
    pub(crate) row: i64,
    pub(crate) section: Arc<Section>,
}

/// How much is pending.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) readings: usize,
    /// In memory, about.
    pub(crate) bytes: usize,
}

/// The oldest pending sections of a device.
pub(crate) struct Turn {
    pub(crate) device: HardwareId,
    pub(crate) sections: Vec<Arc<Section>>,
}

/// The state of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    /// This many sections are in their blocks.
    Merged(HardwareId, usize),
    /// All pending sections of the device were logged again.
    Postponed(HardwareId),
}

impl Pending {
    /// The pending readings of a device, in order, the newest for each place.
    pub(crate) fn of_device(&self, device: HardwareId) -> Result<Vec<PendingReading>> {
        let waiting = self.state().devices.get(&device).cloned();
        in_order(waiting.unwrap_or_default())
    }

    /// All pending readings, by device.
    pub(crate) fn all(&self) -> Result<Vec<PendingReading>> {
        let devices: Vec<_> = self.state().devices.values().cloned().collect();
        let mut all = Vec::new();
        for waiting in devices {
            all.append(&mut in_order(waiting)?);
        }
        Ok(all)
    }

    /// How much is pending.
    pub(crate) fn size(&self) -> Size {
        self.state().size
    }

    /// The next device to merge, `after` others, oldest first: its pending sections, up to about
    /// `most` readings.
    pub(crate) fn turn(&self, after: usize, most: usize) -> Option<Turn> {
        let state = self.state();
        let (_, device) = *state.queue.iter().nth(after)?;
        let waiting = state.devices.get(&device)?;
        let mut readings = 0;
        let part = waiting.iter().take_while(|logged| {
            let fits = readings < most;
            readings += logged.section.count;
            fits
        });
        let sections: Vec<_> = part.map(|logged| Arc::clone(&logged.section)).collect();
        Some(Turn { device, sections })
    }

    /// All pending sections of a device.
    pub(crate) fn sections(&self, device: HardwareId) -> Vec<Arc<Section>> {
        let state = self.state();
        let waiting = state.devices.get(&device).into_iter().flatten();
        waiting.map(|logged| Arc::clone(&logged.section)).collect()
    }

    /// How many devices have pending readings.
    pub(crate) fn devices(&self) -> usize {
        self.state().devices.len()
    }

    /// The oldest row of the log that is still needed once this is published, if it is not the
    /// newest. The merged devices are the first of the queue.
    pub(crate) fn oldest_row_behind(&self, done: &[Done]) -> Option<i64> {
        let state = self.state();
        let untouched = state.queue.iter().nth(done.len()).map(|(row, _)| *row);
        let rests = done.iter().filter_map(|done| match done {
            Done::Merged(device, sections) => state.devices.get(device)?.get(*sections),
            Done::Postponed(_) => None,
        });
        rests.map(|logged| logged.row).chain(untouched).min()
    }

    /// Publishes a commit: removes merged sections, and adds those logged under this number.
    pub(crate) fn publish(
        &self,
        row: i64,
        done: impl Iterator<Item = Done>,
        fresh: impl Iterator<Item = Arc<Section>>,
    ) {
        let mut state = self.state();
        for done in done {
            match done {
                Done::Merged(device, sections) => state.remove(device, sections),
                Done::Postponed(device) => state.postpone(device, row),
            }
        }
        for section in fresh {
            state.add(Logged { row, section });
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no holder of this lock panics")
    }
}

impl State {
    fn add(&mut self, logged: Logged) {
        let device = logged.section.origin.device;
        self.size.readings += logged.section.count;
        self.size.bytes += logged.section.weight();
        let waiting = self.devices.entry(device).or_default();
        if waiting.is_empty() {
            self.queue.insert((logged.row, device));
        }
        waiting.push(logged);
    }

    fn remove(&mut self, device: HardwareId, sections: usize) {
        let Some(waiting) = self.devices.get_mut(&device) else { return };
        let Some(first) = waiting.first().map(|logged| logged.row) else { return };
        for Logged { section, .. } in waiting.drain(..sections.min(waiting.len())) {
            self.size.readings -= section.count;
            self.size.bytes -= section.weight();
        }
        self.queue.remove(&(first, device));
        match waiting.first() {
            Some(logged) => drop(self.queue.insert((logged.row, device))),
            None => drop(self.devices.remove(&device)),
        }
        if self.devices.is_empty() {
            // Frees memory after a peak.
            self.devices = HashMap::new();
        }
    }

    fn postpone(&mut self, device: HardwareId, row: i64) {
        let Some(waiting) = self.devices.get_mut(&device) else { return };
        if let Some(first) = waiting.first() {
            self.queue.remove(&(first.row, device));
            self.queue.insert((row, device));
        }
        for logged in waiting {
            logged.row = row;
        }
    }
}

/// The readings of sections, in order, the newest for each place.
fn in_order(sections: Vec<Logged>) -> Result<Vec<PendingReading>> {
    let mut all: Vec<PendingReading> = Vec::new();
    for Logged { section, .. } in sections {
        let (household, received_at_s) = (section.origin.household, section.origin.received_at_s);
        all.extend(section.readings()?.into_iter().map(|reading| PendingReading {
            reading: Arc::new(reading),
            household,
            received_at_s,
        }));
    }
    // The later one wins: a stable sort by place, from the back.
    all.reverse();
    all.sort_by(|a, b| place(&a.reading).cmp(&place(&b.reading)));
    all.dedup_by(|later, kept| place(&later.reading) == place(&kept.reading));
    Ok(all)
}

/// The place of a reading among those of its device, borrowed. `all` has devices apart.
fn place(reading: &Reading) -> (i64, &str) {
    (reading.time.as_millis(), reading.batch_id.as_str())
}
