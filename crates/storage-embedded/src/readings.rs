//! Readings, in a dense form: a row holds many readings of one device, and another the batch ids of
//! one run of its firmware.
//!
//! The life of a reading: it is encoded on the caller's thread (`append.rs`, `section.rs`); the
//! committing thread looks up its batch id (`batch_ids.rs`), writes it into the log with all others
//! of the commit (`keeper.rs`, `log.rs`) and publishes it (`pending.rs`, `latest.rs`); later, with
//! the other pending readings of its device, it is merged into a block (`keeper/turn.rs`,
//! `merge.rs`) and leaves the log; finally the sweep deletes the block (`sweep.rs`). Reads take
//! pending readings first and then the blocks (`read.rs`, `records.rs`).

mod append;
mod batch_ids;
pub(crate) mod block;
mod forget;
pub(crate) mod keeper;
pub(crate) mod latest;
pub(crate) mod log;
mod merge;
mod numbers;
pub(crate) mod pending;
pub(crate) mod read;
pub(crate) mod records;
mod rows;
pub(crate) mod section;
pub(crate) mod sweep;
mod tails;
pub(crate) mod windows;

use larder_domain::HardwareId;
use larder_storage_item::Table;

/// How the readings of a device are called in errors.
fn label(device: HardwareId) -> String {
    crate::records::label(Table::DeviceReadings, &device.to_string(), "")
}
