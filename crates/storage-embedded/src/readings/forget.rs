//! Forgetting the readings of a device that are in the file, and its batch ids.

use std::ops::ControlFlow;

use larder_domain::{HardwareId, HouseholdId};
use larder_storage::{Result, StorageError};
use larder_storage_item::{Key, Table};
use rusqlite::Connection;

use super::merge::{Blocks, DeviceBlocks};
use super::records::first_partition;
use super::rows;
use super::windows::{exact, ids};
use crate::error::corrupt;
use crate::layout::Layout;
use crate::records;
use crate::tree::{Range, TreeKey};

/// Forgets up to about `limit` readings and batch ids, and returns how many.
pub(crate) fn forget(
    connection: &Connection,
    device: HardwareId,
    household: Option<HouseholdId>,
    limit: usize,
) -> Result<usize> {
    let mut forgotten = forget_blocks(connection, device, limit)?;
    if forgotten < limit {
        forgotten += forget_windows(connection, device, household, limit - forgotten)?;
    }
    if forgotten < limit {
        forgotten += forget_exact(connection, device, household, limit - forgotten)?;
    }
    Ok(forgotten)
}

fn forget_blocks(connection: &Connection, device: HardwareId, limit: usize) -> Result<usize> {
    let (blocks, mut forgotten) = (DeviceBlocks::of(device), 0);
    while forgotten < limit
        && let Some(row) = rows::last(connection, Table::DeviceReadings, blocks.pk())?
    {
        forgotten += match rows::decode(&blocks, &row) {
            Ok(readings) => readings.len().max(1),
            // What cannot be read can be forgotten.
            Err(StorageError::Corrupt { .. }) => 1,
            Err(error) => return Err(error),
        };
        rows::delete(connection, Table::DeviceReadings, &row)?;
    }
    Ok(forgotten)
}

/// The ids that name the device, boot by boot.
fn forget_windows(
    connection: &Connection,
    device: HardwareId,
    household: Option<HouseholdId>,
    limit: usize,
) -> Result<usize> {
    let (table, prefix) = (Table::ProcessedBatches, ids::windows_prefix(household, device));
    let mut forgotten = 0;
    while forgotten < limit
        && let Some(pk) = first_partition(connection, table, &prefix)?
        && pk.starts_with(&prefix)
        && let Some(row) = rows::last(connection, table, &pk)?
    {
        rows::delete(connection, table, &row)?;
        forgotten += 1;
    }
    Ok(forgotten)
}

/// The other ids that the device has sent.
fn forget_exact(
    connection: &Connection,
    device: HardwareId,
    household: Option<HouseholdId>,
    limit: usize,
) -> Result<usize> {
    let (table, pk) = (Table::ProcessedBatches, ids::exact_pk(household));
    let behind = format!("{pk}\0");
    let range = Range { lower: TreeKey::primary(&pk, ""), upper: TreeKey::primary(&behind, "") };
    let mut found: Vec<Key> = Vec::new();
    let tree = &Layout::of(table).keys;
    tree.scan(connection, &range, true, |entry, row| {
        let [pk, sk, ..] = entry.key.0;
        let body = records::raw(table, pk, sk, row, tree.arity + 3)?.body;
        let damaged = |reason: String| corrupt(records::label(table, pk, sk), reason);
        let (_, sender) = exact::decode(body).map_err(|error| damaged(error.to_string()))?;
        if sender == device {
            found.push(Key::new(pk, sk));
        }
        Ok(if found.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })?;
    for key in &found {
        if let Some(row) = rows::find(connection, table, key)? {
            rows::delete(connection, table, &row)?;
        }
    }
    Ok(found.len())
}
