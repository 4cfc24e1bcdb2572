//! The two kinds of blocks.

use std::cmp::Ordering;
use std::sync::Arc;

use larder_domain::{HardwareId, Reading};
use larder_storage_item::Table;

use crate::codec::DecodeError;
use crate::readings::batch_ids::forgotten_at;
use crate::readings::block;
use crate::readings::section::Stream;
use crate::readings::windows::ids::window_sk;
use crate::readings::windows::{self, Window};

/// The blocks of one partition. The items of a partition are in order, and so are its blocks.
pub(crate) trait Blocks {
    /// Their items.
    type Item;
    /// The table of their rows.
    const TABLE: Table;
    /// The most items of one block.
    const MOST: usize;

    /// Whether merging may drop expired items. Readings are people's data: only the sweep deletes
    /// them, because it stops when the clock has jumped.
    const MERGES_DROP_GONE: bool;

    /// The partition.
    fn pk(&self) -> &str;
    /// The sort key of a block that begins with this item. The texts sort like the items.
    fn sk(&self, first: &Self::Item) -> String;
    /// The order of items by their places.
    fn compare(a: &Self::Item, b: &Self::Item) -> Ordering;
    /// The second at which an item expires.
    fn gone_at(item: &Self::Item) -> i64;
    /// The bytes of items in order.
    fn encode(&self, items: &[Self::Item]) -> Vec<u8>;
    /// The items of bytes, verified to be in order.
    fn decode(&self, body: &[u8]) -> Result<Vec<Self::Item>, DecodeError>;
}

/// The readings of a device.
pub(crate) struct DeviceBlocks {
    device: HardwareId,
    pk: String,
}

impl DeviceBlocks {
    pub(crate) fn of(device: HardwareId) -> Self {
        Self { device, pk: device.to_string() }
    }
}

impl Blocks for DeviceBlocks {
    type Item = Reading;
    const TABLE: Table = Table::DeviceReadings;
    const MOST: usize = 128;
    const MERGES_DROP_GONE: bool = false;

    fn pk(&self) -> &str {
        &self.pk
    }

    fn sk(&self, first: &Reading) -> String {
        block::sort_key(first)
    }

    fn compare(a: &Reading, b: &Reading) -> Ordering {
        a.time.cmp(&b.time).then_with(|| a.batch_id.cmp(&b.batch_id))
    }

    fn gone_at(reading: &Reading) -> i64 {
        reading.expires_at_s
    }

    fn encode(&self, readings: &[Reading]) -> Vec<u8> {
        block::encode(readings)
    }

    fn decode(&self, body: &[u8]) -> Result<Vec<Reading>, DecodeError> {
        block::decode(self.device, body)
    }
}

/// The batch ids of a stream.
pub(crate) struct StreamBlocks {
    pk: Arc<str>,
    of: HardwareId,
}

impl StreamBlocks {
    pub(crate) fn of(stream: &Stream) -> Self {
        Self { pk: Arc::clone(&stream.pk), of: stream.of }
    }

    /// The sort key of a block that begins with the window of this start and end.
    pub(crate) fn sk_of((start, end): (u64, u64)) -> String {
        window_sk(start, end)
    }
}

impl Blocks for StreamBlocks {
    type Item = Window;
    const TABLE: Table = Table::ProcessedBatches;
    const MOST: usize = 512;
    const MERGES_DROP_GONE: bool = true;

    fn pk(&self) -> &str {
        &self.pk
    }

    fn sk(&self, first: &Window) -> String {
        Self::sk_of(first.place())
    }

    fn compare(a: &Window, b: &Window) -> Ordering {
        a.place().cmp(&b.place())
    }

    fn gone_at(window: &Window) -> i64 {
        forgotten_at(window.received_at_s)
    }

    fn encode(&self, windows: &[Window]) -> Vec<u8> {
        windows::encode(self.of, windows)
    }

    fn decode(&self, body: &[u8]) -> Result<Vec<Window>, DecodeError> {
        windows::decode(self.of, body)
    }
}
