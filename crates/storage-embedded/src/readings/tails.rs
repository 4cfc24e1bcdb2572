//! The ends of devices' readings in the file. What comes behind an end whose block is full enough begins a new block,
//! and the old one need not be read.

use std::collections::HashMap;

use larder_domain::HardwareId;

/// How many are known: some megabytes.
const MAX_TAILS: usize = 16 * 1024;

/// The last block of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tail {
    /// How many readings it held when it was written.
    pub(crate) count: usize,
    /// The sort key of the last of them. Nothing of the device is behind it.
    pub(crate) last: String,
}

impl Tail {
    /// Whether a block of so many readings that begins here should stand beside this one, rather than fill it up:
    /// both are of some size.
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
