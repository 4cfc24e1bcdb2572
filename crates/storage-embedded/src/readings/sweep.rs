//! Deleting expired blocks, and compacting blocks in which much has expired.

use larder_storage::{Result, StorageError};
use larder_storage_item::{Key, Table};
use rusqlite::Connection;

use super::batch_ids::is_remembered;
use super::merge::{self, Blocks, DeviceBlocks, StreamBlocks};
use super::rows::{self, BlockRow};
use super::section::Stream;
use super::windows::exact;
use super::windows::ids::Partition;
use crate::error::corrupt;
use crate::records;

/// Sweeps one row that is due; returns how many readings or batch ids it removed.
pub(crate) fn sweep_row(
    connection: &Connection,
    table: Table,
    key: &Key,
    now_s: i64,
) -> Result<usize> {
    let due = match find_due(connection, table, key, now_s) {
        Ok(due) => due,
        // Reads of the row report the damage; the sweep continues with the others.
        Err(StorageError::Corrupt { record, reason }) => {
            tracing::error!(record, reason, "expired block not deleted: damaged");
            return Ok(0);
        }
        Err(error) => return Err(error),
    };
    match due {
        Due::Nothing => Ok(0),
        Due::Readings(blocks, row, readings) => trim(connection, &blocks, &row, readings, now_s),
        Due::Windows(blocks, row, windows) => trim(connection, &blocks, &row, windows, now_s),
        Due::Exact(row) => rows::delete(connection, table, &row).map(|()| 1),
    }
}

/// The content of a due row.
enum Due {
    Nothing,
    Readings(DeviceBlocks, BlockRow, Vec<<DeviceBlocks as Blocks>::Item>),
    Windows(StreamBlocks, BlockRow, Vec<<StreamBlocks as Blocks>::Item>),
    Exact(BlockRow),
}

fn find_due(connection: &Connection, table: Table, key: &Key, now_s: i64) -> Result<Due> {
    let damaged = |reason: &str| corrupt(records::label(table, &key.pk, &key.sk), reason);
    let Some(row) = rows::find(connection, table, key)? else { return Ok(Due::Nothing) };
    if records::visible(row.expires_at, now_s) {
        return Ok(Due::Nothing);
    }
    if table == Table::DeviceReadings {
        let device = key.pk.parse().map_err(|_| damaged("it is of no device"))?;
        let blocks = DeviceBlocks::of(device);
        let readings = rows::decode(&blocks, &row)?;
        return Ok(Due::Readings(blocks, row, readings));
    }
    let partition = Partition::parse(&key.pk).ok_or_else(|| damaged("it is nobody's"))?;
    let Some((of, _)) = partition.windows else {
        let (received_at_s, _) =
            exact::decode(&row.body).map_err(|error| damaged(&error.to_string()))?;
        let due = !is_remembered(received_at_s, now_s);
        return Ok(if due { Due::Exact(row) } else { Due::Nothing });
    };
    let blocks = StreamBlocks::of(&Stream { pk: key.pk.as_str().into(), of });
    let windows = rows::decode(&blocks, &row)?;
    Ok(Due::Windows(blocks, row, windows))
}

/// Rewrites a block without its expired items.
fn trim<B: Blocks>(
    connection: &Connection,
    blocks: &B,
    row: &BlockRow,
    mut items: Vec<B::Item>,
    now_s: i64,
) -> Result<usize> {
    let before = items.len();
    items.retain(|item| B::gone_at(item) > now_s);
    merge::rewrite(connection, blocks, row, &items)?;
    Ok(before - items.len())
}
