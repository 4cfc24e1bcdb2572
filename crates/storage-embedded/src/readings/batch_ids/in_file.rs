//! Batch ids in the file, cached by the committing thread.

use std::sync::Arc;

use larder_storage::Result;
use larder_storage_item::{Key, Table};
use rusqlite::Connection;

use super::{BatchIds, Place, find};
use crate::error::corrupt;
use crate::readings::merge::StreamBlocks;
use crate::readings::rows;
use crate::readings::section::Stream;
use crate::readings::windows::{Window, exact};
use crate::records;

/// How many streams' ends are cached: some megabytes.
const MAX_ENDS: usize = 32 * 1024;
/// How many windows of blocks are cached: four megabytes.
const MAX_SEEN: usize = 128 * 1024;

impl BatchIds {
    /// The last window of a stream in the file.
    pub(super) fn end(
        &mut self,
        connection: &Connection,
        stream: &Stream,
    ) -> Result<Option<Place>> {
        if let Some(end) = self.ends.get(&stream.pk) {
            return Ok(*end);
        }
        let blocks = StreamBlocks::of(stream);
        let last = rows::last(connection, Table::ProcessedBatches, &stream.pk)?;
        let end = match last {
            Some(row) => rows::decode(&blocks, &row)?.iter().map(Window::place).max(),
            None => None,
        };
        if self.ends.len() >= MAX_ENDS {
            self.ends.clear();
        }
        self.ends.insert(Arc::clone(&stream.pk), end);
        Ok(end)
    }

    /// A window in the file.
    pub(super) fn look_up(
        &mut self,
        connection: &Connection,
        stream: &Stream,
        place: Place,
    ) -> Result<Option<Window>> {
        if let Some(seen) = self.seen.get(&stream.pk)
            && let (Some(first), Some(last)) = (seen.first(), seen.last())
            && (first.place()..=last.place()).contains(&place)
        {
            return Ok(find(seen, place).copied());
        }
        let blocks = StreamBlocks::of(stream);
        let sk = StreamBlocks::sk_of(place);
        let Some(row) = rows::around(connection, &blocks, &sk)?.row else { return Ok(None) };
        let windows = rows::decode(&blocks, &row)?;
        let found = find(&windows, place).copied();
        if self.seen_windows + windows.len() > MAX_SEEN {
            self.forget_seen();
        }
        self.seen_windows += windows.len();
        if let Some(old) = self.seen.insert(Arc::clone(&stream.pk), windows) {
            self.seen_windows -= old.len();
        }
        Ok(found)
    }

    pub(super) fn forget_seen(&mut self) {
        self.seen.clear();
        self.seen_windows = 0;
    }
}

/// When an id that is not a window arrived, if it is in the file.
pub(super) fn find_exact(connection: &Connection, key: &Key) -> Result<Option<i64>> {
    let Some(row) = rows::find(connection, Table::ProcessedBatches, key)? else { return Ok(None) };
    let (received_at_s, _) = exact::decode(&row.body).map_err(|error| {
        corrupt(records::label(Table::ProcessedBatches, &key.pk, &key.sk), error.to_string())
    })?;
    Ok(Some(received_at_s))
}
