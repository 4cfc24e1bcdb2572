//! The blocks that may overlap a part.

use std::ops::ControlFlow;

use larder_domain::{HardwareId, Reading};
use larder_storage::{Result, StorageError};
use larder_storage_item::Table;
use rusqlite::Connection;

use super::Part;
use crate::codec::DecodeError;
use crate::error::corrupt;
use crate::layout::Layout;
use crate::readings::block::{self, Point};
use crate::records;
use crate::tree::{Range, TreeKey};

const TABLE: Table = Table::DeviceReadings;

/// A block whose row has been verified.
pub(super) struct Block<'r> {
    device: HardwareId,
    /// The sort key of its first reading.
    pub(super) sk: &'r str,
    body: &'r [u8],
}

impl Block<'_> {
    pub(super) fn readings(&self) -> Result<Vec<Reading>> {
        block::decode(self.device, self.body).map_err(|error| self.damaged(&error))
    }

    /// One sensor's measurements.
    pub(super) fn points(&self, sensor: &str) -> Result<Vec<Point>> {
        block::points(self.body, sensor).map_err(|error| self.damaged(&error))
    }

    fn damaged(&self, error: &DecodeError) -> StorageError {
        let label = records::label(TABLE, &self.device.to_string(), self.sk);
        corrupt(label, error.to_string())
    }
}

/// Visits the blocks that may overlap a part, in its direction, until the visitor breaks. The first
/// in order may begin before the part. Must be called within a transaction.
pub(super) fn visit(
    connection: &Connection,
    part: &Part,
    mut visit: impl FnMut(&Block<'_>) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let tree = &Layout::of(TABLE).keys;
    let pk = part.device.to_string();
    // Backwards, the walk continues until it has visited a block that begins at or before the lower
    // end.
    let first = if part.forward { opening(connection, &pk, &part.lower)? } else { None };
    let lower = match &first {
        Some(first) => first,
        None if part.forward => part.lower.as_str(),
        None => "",
    };
    let range =
        Range { lower: TreeKey::primary(&pk, lower), upper: TreeKey::primary(&pk, &part.upper) };
    tree.scan(connection, &range, part.forward, |entry, row| {
        let sk = entry.key.0[1];
        let body = records::raw(TABLE, &pk, sk, row, tree.arity + 3)?.body;
        let flow = visit(&Block { device: part.device, sk, body })?;
        let is_last = !part.forward && sk <= part.lower.as_str();
        Ok(if is_last { ControlFlow::Break(()) } else { flow })
    })
}

/// The last block that begins at or before a place. The walk that begins here proves that no block
/// between them is lost.
fn opening(connection: &Connection, pk: &str, place: &str) -> Result<Option<String>> {
    let behind = format!("{place}\0");
    Layout::of(TABLE).keys.before(connection, &TreeKey::primary(pk, &behind), |entry| {
        let [found, sk, ..] = entry.key.0;
        Ok((found == pk).then(|| sk.to_owned()))
    })
}
