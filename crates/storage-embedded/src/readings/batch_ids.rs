//! The batch ids that were used before: those of pending readings, all in memory, and those in the
//! file.

mod in_file;

use std::collections::HashMap;
use std::sync::Arc;

use larder_domain::{BATCH_ID_LIFETIME, HardwareId};
use larder_storage::Result;
use larder_storage_item::Key;
use rusqlite::Connection;

use super::section::{Arrival, Name, Origin};
use super::windows::Window;
use in_file::find_exact;

/// Start and end of a window.
type Place = (u64, u64);

/// Whether an id received at one second is still remembered at another.
pub(crate) fn is_remembered(received_at_s: i64, at_s: i64) -> bool {
    at_s < forgotten_at(received_at_s)
}

/// When an id received at this second expires.
pub(crate) const fn forgotten_at(received_at_s: i64) -> i64 {
    received_at_s.saturating_add(BATCH_ID_LIFETIME.as_secs())
}

/// The batch ids as the committing thread caches them. Only that thread changes the file.
#[derive(Default)]
pub(crate) struct BatchIds {
    /// Pending windows, by stream, in order.
    windows: HashMap<Arc<str>, Vec<Window>>,
    /// Other pending ids: when they were received, and from which device.
    exact: HashMap<Key, (i64, HardwareId)>,
    /// Undo records of this SQLite transaction.
    undo: Vec<Undo>,
    /// The last window in the file of each stream that was read: devices move forward in time, so
    /// later windows are new.
    ends: HashMap<Arc<str>, Option<Place>>,
    /// A cached block of each stream that was read: devices resend many readings at once.
    seen: HashMap<Arc<str>, Vec<Window>>,
    seen_windows: usize,
}

/// The previous content of a place.
enum Undo {
    Window(Arc<str>, Place, Option<Window>),
    Exact(Key, Option<(i64, HardwareId)>),
}

impl BatchIds {
    /// Which readings of an arrival are new at a time, in their order.
    pub(crate) fn sift(
        &mut self,
        connection: &Connection,
        arrival: &Arrival,
        at_s: i64,
    ) -> Result<Vec<bool>> {
        let section = &arrival.section;
        let mut ends = Vec::with_capacity(section.streams.len());
        for stream in &section.streams {
            ends.push(self.end(connection, stream)?);
        }
        let waiting: Vec<Option<&[Window]>> = section
            .streams
            .iter()
            .map(|stream| self.windows.get(&stream.pk).map(Vec::as_slice))
            .collect();
        let mut in_file = Vec::new();
        let mut fresh = Vec::with_capacity(arrival.names.len());
        for (at, name) in arrival.names.iter().enumerate() {
            fresh.push(match *name {
                Name::Window { stream, start, end } => {
                    let place = (start, end);
                    match waiting[stream].and_then(|windows| find(windows, place)) {
                        Some(window) => !is_remembered(window.received_at_s, at_s),
                        None if ends[stream].is_none_or(|end| place > end) => true,
                        None => {
                            in_file.push(at);
                            true
                        }
                    }
                }
                Name::Exact(number) => {
                    let waiting = self.exact.get(&section.exact[number]);
                    if waiting.is_none() {
                        in_file.push(at);
                    }
                    waiting.is_none_or(|(received_at_s, _)| !is_remembered(*received_at_s, at_s))
                }
            });
        }
        for at in in_file {
            let received_at_s = match arrival.names[at] {
                Name::Window { stream, start, end } => {
                    let found = self.look_up(connection, &section.streams[stream], (start, end))?;
                    found.map(|window| window.received_at_s)
                }
                Name::Exact(number) => find_exact(connection, &section.exact[number])?,
            };
            fresh[at] = received_at_s.is_none_or(|received| !is_remembered(received, at_s));
        }
        Ok(fresh)
    }

    /// Adds every id of an arrival. Undone unless [`BatchIds::commit`] follows.
    pub(crate) fn add(&mut self, arrival: &Arrival) {
        let section = &arrival.section;
        let Origin { device: sender, received_at_s, .. } = section.origin;
        for name in &arrival.names {
            match *name {
                Name::Window { stream, start, end } => {
                    let pk = &section.streams[stream].pk;
                    let window = Window { start, end, received_at_s, sender };
                    let old = put(self.windows.entry(Arc::clone(pk)).or_default(), window);
                    self.undo.push(Undo::Window(Arc::clone(pk), (start, end), old));
                }
                Name::Exact(number) => {
                    let key = &section.exact[number];
                    let old = self.exact.insert(key.clone(), (received_at_s, sender));
                    self.undo.push(Undo::Exact(key.clone(), old));
                }
            }
        }
    }

    /// How much was added in this SQLite transaction, for [`BatchIds::take_back`].
    pub(crate) fn added(&self) -> usize {
        self.undo.len()
    }

    /// Undoes additions beyond this many.
    pub(crate) fn take_back(&mut self, added: usize) {
        while self.undo.len() > added
            && let Some(undo) = self.undo.pop()
        {
            match undo {
                Undo::Window(pk, place, old) => {
                    let Some(windows) = self.windows.get_mut(&pk) else { continue };
                    if let Ok(at) = windows.binary_search_by_key(&place, Window::place) {
                        match old {
                            Some(old) => windows[at] = old,
                            None => drop(windows.remove(at)),
                        }
                    }
                    if windows.is_empty() {
                        self.windows.remove(&pk);
                    }
                }
                Undo::Exact(key, Some(old)) => drop(self.exact.insert(key, old)),
                Undo::Exact(key, None) => drop(self.exact.remove(&key)),
            }
        }
    }

    /// Keeps the additions of a committed SQLite transaction.
    pub(crate) fn commit(&mut self) {
        self.undo.clear();
    }

    /// A SQLite transaction was rolled back: undoes its additions.
    pub(crate) fn roll_back(&mut self) {
        self.take_back(0);
        self.forget_file();
    }

    /// Clears the cache of the file.
    pub(crate) fn forget_file(&mut self) {
        self.ends.clear();
        self.forget_seen();
    }

    /// The pending windows of a stream.
    pub(crate) fn waiting(&self, pk: &str) -> &[Window] {
        self.windows.get(pk).map_or(&[], Vec::as_slice)
    }

    /// Another pending id: when it was received, and from which device.
    pub(crate) fn waiting_exact(&self, key: &Key) -> Option<(i64, HardwareId)> {
        self.exact.get(key).copied()
    }

    /// The waiting windows of a stream are in the file, in the transaction that is under way.
    pub(crate) fn written(&mut self, pk: &Arc<str>) {
        let last = self.waiting(pk).last().map(Window::place);
        if let Some(end) = self.ends.get_mut(pk) {
            *end = last.max(*end);
        }
        if let Some(windows) = self.seen.remove(pk) {
            self.seen_windows -= windows.len();
        }
    }

    /// The waiting windows of a stream are in the file for good.
    pub(crate) fn merged(&mut self, pk: &str) {
        self.windows.remove(pk);
        if self.windows.is_empty() {
            // Frees memory after a peak.
            self.windows = HashMap::new();
        }
    }

    /// Another id is in the file for good.
    pub(crate) fn merged_exact(&mut self, key: &Key) {
        self.exact.remove(key);
    }
}

fn find(windows: &[Window], place: Place) -> Option<&Window> {
    // Most come after the last.
    if windows.last().is_none_or(|last| last.place() < place) {
        return None;
    }
    windows.binary_search_by_key(&place, Window::place).ok().map(|at| &windows[at])
}

/// Inserts a window and returns the one that it replaced.
fn put(windows: &mut Vec<Window>, window: Window) -> Option<Window> {
    if windows.last().is_none_or(|last| last.place() < window.place()) {
        windows.push(window);
        return None;
    }
    match windows.binary_search_by_key(&window.place(), Window::place) {
        Ok(at) => Some(std::mem::replace(&mut windows[at], window)),
        Err(at) => {
            windows.insert(at, window);
            None
        }
    }
}
