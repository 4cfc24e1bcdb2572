//! Reading a page of a whole table, in the order of the primary keys.

use std::ops::ControlFlow;

use larder_storage::Result;
use larder_storage_item::{Key, MAX_QUERY_LIMIT, ScanPage, Table};
use rusqlite::Connection;

use crate::layout::Layout;
use crate::query::{self, primary_key};
use crate::tree::{Range, TreeKey};

/// Before every partition, and after the sentinel.
const FIRST: &str = "\0";

/// So many of the highest character exceed the length of any partition key, and so sort after all
/// of them.
const LAST_CHARACTERS: usize = 2048 / char::MAX.len_utf8() + 1;

/// Reads a page, within a transaction.
pub(crate) fn scan(
    connection: &Connection,
    table: Table,
    start_after: Option<&Key>,
    limit: usize,
    now_s: i64,
) -> Result<ScanPage> {
    let tree = &Layout::of(table).keys;
    let limit = limit.clamp(1, MAX_QUERY_LIMIT);
    let behind = start_after.map(|key| format!("{}\0", key.sk));
    let lower = match (start_after, &behind) {
        (Some(key), Some(sk)) if !key.pk.is_empty() => TreeKey::primary(&key.pk, sk),
        _ => TreeKey::primary(FIRST, ""),
    };
    let end = char::MAX.to_string().repeat(LAST_CHARACTERS);
    let range = Range { lower, upper: TreeKey::primary(&end, "") };

    let mut page = ScanPage::default();
    let mut examined: usize = 0;
    let mut last: Option<Key> = None;
    tree.scan(connection, &range, true, |entry, row| {
        // Any number of expired records may wait for the sweep; a read must stay short.
        if examined == limit {
            page.next = last.take();
            return Ok(ControlFlow::Break(()));
        }
        examined += 1;
        let key = primary_key(tree, entry);
        page.records.extend(query::read(table, None, (tree, entry, row), &key, now_s)?);
        last = Some(key);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(page)
}
