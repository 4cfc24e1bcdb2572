//! Batch ids in the file.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use jiff::Timestamp;
use larder_domain::{BatchId, HouseholdId};
use larder_storage::Result;
use larder_storage_item::{Key, Table};
use rusqlite::Connection;

use super::super::{BEHIND_ALL, FIRST, first_partition};
use super::{Remembered, place};
use crate::error::corrupt;
use crate::layout::Layout;
use crate::readings::windows::ids::{Canonical, Identity, Partition, owner};
use crate::readings::windows::{self, Window, exact};
use crate::records;
use crate::tree::{Range, TreeKey};

const TABLE: Table = Table::ProcessedBatches;

/// A batch id of one household, within a transaction.
fn find(
    connection: &Connection,
    household: Option<HouseholdId>,
    id: &BatchId,
) -> Result<Option<Remembered>> {
    let place = place(household, id);
    let is_window = matches!(Identity::of(household, id), Identity::Window { .. });
    let behind = format!("{}\0", place.sk);
    let range = Range {
        // The row of a window begins with it or before.
        lower: TreeKey::primary(&place.pk, if is_window { "" } else { &place.sk }),
        upper: TreeKey::primary(&place.pk, &behind),
    };
    let mut found = None;
    visit(connection, &range, false, |ids| {
        found = ids.into_iter().find(|one| one.batch_id == *id);
        ControlFlow::Break(())
    })?;
    Ok(found)
}

/// A batch id of every household that has it, expired or not, within a transaction.
pub(super) fn holders(connection: &Connection, id: &BatchId) -> Result<Vec<Remembered>> {
    let mut holders = Vec::new();
    let mut from = FIRST.to_owned();
    while let Some(pk) = first_partition(connection, TABLE, &from)? {
        let household = partition(&pk, "")?.household;
        holders.extend(find(connection, household, id)?);
        // Behind all partitions of the household, in which a number sign follows its name.
        from = format!("{}$", owner(household));
    }
    Ok(holders)
}

/// The first unexpired batch ids after a position, including pending ones, within a transaction.
pub(super) fn behind(
    connection: &Connection,
    after: Option<&Key>,
    mut waiting: BTreeMap<Key, Remembered>,
    limit: usize,
    at: Timestamp,
) -> Result<Vec<Remembered>> {
    let is_behind = |place: &Key| after.is_none_or(|after| place > after);
    waiting.retain(|place, _| is_behind(place));
    let mut page = Vec::new();
    let mut take = |one: Remembered| {
        if page.len() < limit && !one.has_expired(at) {
            page.push(one);
        }
        page.len() == limit
    };
    let first = after.map(|after| opening(connection, after)).transpose()?.flatten();
    let first = first
        .as_ref()
        .or(after)
        .map_or(TreeKey::primary(FIRST, ""), |first| TreeKey::primary(&first.pk, &first.sk));
    let range = Range { lower: first, upper: TreeKey::primary(BEHIND_ALL, "") };
    visit(connection, &range, true, |ids| {
        let mut is_full = false;
        for one in ids {
            let place = place(one.household, &one.batch_id);
            if !is_behind(&place) {
                continue;
            }
            while let Some(earlier) = waiting.first_entry().filter(|entry| *entry.key() < place) {
                take(earlier.remove());
            }
            // One that waits was received again after this one was forgotten.
            is_full = take(waiting.remove(&place).unwrap_or(one));
        }
        if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    for one in waiting.into_values() {
        take(one);
    }
    Ok(page)
}

/// The row that may contain a position and begins before it. The walk that begins here proves that
/// no row between them is lost.
fn opening(connection: &Connection, place: &Key) -> Result<Option<Key>> {
    Layout::of(TABLE).keys.before(connection, &TreeKey::primary(&place.pk, &place.sk), |entry| {
        let [pk, sk, ..] = entry.key.0;
        Ok((pk == place.pk).then(|| Key::new(pk, sk)))
    })
}

/// Visits the batch ids of each row in a range.
fn visit(
    connection: &Connection,
    range: &Range<'_>,
    forward: bool,
    mut visit: impl FnMut(Vec<Remembered>) -> ControlFlow<()>,
) -> Result<()> {
    let tree = &Layout::of(TABLE).keys;
    tree.scan(connection, range, forward, |entry, row| {
        let [pk, sk, ..] = entry.key.0;
        let body = records::raw(TABLE, pk, sk, row, tree.arity + 3)?.body;
        Ok(visit(remembered(&Key::new(pk, sk), body)?))
    })
}

/// The batch ids of a row.
fn remembered(key: &Key, body: &[u8]) -> Result<Vec<Remembered>> {
    let damaged = |reason: String| corrupt(records::label(TABLE, &key.pk, &key.sk), reason);
    let Partition { household, windows } = partition(&key.pk, &key.sk)?;
    let Some((of, boot)) = windows else {
        let (received_at_s, sender) =
            exact::decode(body).map_err(|error| damaged(error.to_string()))?;
        let batch_id = BatchId::parse(&key.sk).map_err(|error| damaged(error.to_string()))?;
        return Ok(vec![Remembered { household, batch_id, received_at_s, sender }]);
    };
    let windows = windows::decode(of, body).map_err(|error| damaged(error.to_string()))?;
    let remembered = |Window { start, end, received_at_s, sender }| {
        let batch_id = Canonical { of, boot, start, end }.batch_id();
        Remembered { household, batch_id, received_at_s, sender }
    };
    Ok(windows.into_iter().map(remembered).collect())
}

fn partition(pk: &str, sk: &str) -> Result<Partition> {
    Partition::parse(pk).ok_or_else(|| {
        corrupt(records::label(TABLE, pk, sk), "its key names no household or device")
    })
}
