//! A cache of the last blocks of devices. Readings after a last block that is full enough begin a
//! new block, without reading the old one.

use std::collections::HashMap;

use larder_domain::HardwareId;

/// The number of cached tails: some megabytes.
const MAX_TAILS: usize = 16 * 1024;

/// The last block of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tail {
    /// Its number of readings when it was written.
    pub(crate) count: usize,
    /// The sort key of its last reading, which is the last of the device.
    pub(crate) last: String,
}

impl Tail {
    /// Whether a block of this many readings that begins here should be separate rather than fill
    /// up this one: both are large enough.
    pub(crate) fn is_followed_by(&self, first: &str, count: usize) -> bool {
        const ENOUGH: usize = 64;
        self.last.as_str() < first && self.count >= ENOUGH && count >= ENOUGH
    }
}

/// The last blocks of devices that were merged lately. Cleared after a rollback.
#[derive(Default)]
pub(crate) struct Tails(HashMap<HardwareId, Tail>);

impl Tails {
    pub(crate) fn get(&self, device: HardwareId) -> Option<&Tail> {
        self.0.get(&device)
    }

    pub(crate) fn set(&mut self, device: HardwareId, tail: Tail) {
        if self.0.len() >= MAX_TAILS {
            // Clearing everything is rare and simpler than an eviction order.
            self.0.clear();
        }
        self.0.insert(device, tail);
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
