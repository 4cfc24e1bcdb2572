//! Merging pending items into their blocks.

mod blocks;
#[cfg(test)]
mod tests;

use larder_storage::Result;
use larder_storage_item::Key;
use rusqlite::Connection;

pub(crate) use blocks::{Blocks, DeviceBlocks, StreamBlocks};

use super::rows::{self, Around, BlockRow};
use super::tails::Tail;

/// How much longer than half of it the rest of a block must live for the sweep to rewrite it: two
/// days. Blocks whose last item expires sooner are kept until then, and deleted whole.
const WORTH_TRIMMING_S: i64 = 2 * 24 * 60 * 60;

/// Merges items, ordered and without duplicates, into their blocks, within a transaction. Existing
/// items are overwritten; expired items are dropped if [`Blocks::MERGES_DROP_GONE`], and so are
/// other expired items in the changed blocks. Returns the last block of the partition, if it was
/// written.
pub(crate) fn merge<B: Blocks>(
    connection: &Connection,
    blocks: &B,
    items: Vec<B::Item>,
    now_s: i64,
) -> Result<Option<Tail>> {
    let (mut rest, mut tail) = (items, None);
    while let Some(first) = rest.first() {
        let Around { row, next } = block_of(connection, blocks, first)?;
        let behind = next.as_deref().map_or(rest.len(), |next| {
            rest.partition_point(|item| blocks.sk(item).as_str() < next)
        });
        let others = rest.split_off(behind);
        let old = row.as_ref().map(|row| rows::decode(blocks, row)).transpose()?;
        let mut all = combine::<B>(old.unwrap_or_default(), rest);
        if B::MERGES_DROP_GONE {
            all.retain(|item| B::gone_at(item) > now_s);
        }
        write(connection, blocks, row.as_ref(), &all, next.is_none())?;
        if next.is_none() {
            tail = tail_of(blocks, &all);
        }
        rest = others;
    }
    Ok(tail)
}

/// Appends items that come after all others, in blocks of their own.
pub(crate) fn append<B: Blocks>(
    connection: &Connection,
    blocks: &B,
    items: &[B::Item],
) -> Result<Option<Tail>> {
    write(connection, blocks, None, items, true)?;
    Ok(tail_of(blocks, items))
}

/// The last block that [`write`] creates of the last items of a partition.
fn tail_of<B: Blocks>(blocks: &B, items: &[B::Item]) -> Option<Tail> {
    let count = items.chunks(B::MOST).next_back()?.len();
    items.last().map(|last| Tail { count, last: blocks.sk(last) })
}

/// Rewrites a block with its remaining items.
pub(crate) fn rewrite<B: Blocks>(
    connection: &Connection,
    blocks: &B,
    old: &BlockRow,
    items: &[B::Item],
) -> Result<()> {
    write(connection, blocks, Some(old), items, true)
}

/// The block for an item: the last that begins before it, or else the first.
fn block_of<B: Blocks>(connection: &Connection, blocks: &B, item: &B::Item) -> Result<Around> {
    let around = rows::around(connection, blocks, &blocks.sk(item))?;
    match (&around.row, &around.next) {
        (None, Some(first)) => rows::around(connection, blocks, first),
        _ => Ok(around),
    }
}

/// Merges two sorted lists. Of two items in one place, the new one wins.
fn combine<B: Blocks>(old: Vec<B::Item>, new: Vec<B::Item>) -> Vec<B::Item> {
    let is_behind = match (old.last(), new.first()) {
        (Some(last), Some(first)) => B::compare(last, first).is_lt(),
        _ => true,
    };
    let mut all = old;
    if is_behind {
        all.extend(new);
        return all;
    }
    // The sort is stable: of two in one place the new one comes first, and wins.
    let mut both: Vec<_> = new.into_iter().chain(all).collect();
    both.sort_by(B::compare);
    both.dedup_by(|old, kept| B::compare(old, kept).is_eq());
    both
}

/// Writes items in the place of an old block. The last block of a partition is filled up before the next begins;
/// others are split evenly, so that each has room for more.
fn write<B: Blocks>(
    connection: &Connection,
    blocks: &B,
    mut old: Option<&BlockRow>,
    items: &[B::Item],
    is_last: bool,
) -> Result<()> {
    let pieces = items.len().div_ceil(B::MOST).max(1);
    let length = if is_last { B::MOST } else { items.len().div_ceil(pieces).max(1) };
    for piece in items.chunks(length) {
        let (Some(first), row) = (piece.first(), (due::<B>(piece), &*blocks.encode(piece))) else {
            continue;
        };
        let key = Key::new(blocks.pk(), blocks.sk(first));
        match old.take() {
            Some(old) if old.key == key => rows::replace(connection, B::TABLE, old, row)?,
            Some(moved) => {
                rows::delete(connection, B::TABLE, moved)?;
                rows::insert(connection, B::TABLE, &key, row)?;
            }
            None => rows::insert(connection, B::TABLE, &key, row)?,
        }
    }
    // All of its items have expired.
    old.map_or(Ok(()), |old| rows::delete(connection, B::TABLE, old))
}

/// When the sweep should look at a block: when all of it has expired, or earlier, when half of it
/// has, if the other half lives much longer.
pub(crate) fn due<B: Blocks>(items: &[B::Item]) -> i64 {
    let mut ends: Vec<_> = items.iter().map(B::gone_at).collect();
    let last = ends.iter().copied().max().unwrap_or(i64::MIN);
    let middle = ends.len() / 2;
    let (_, half, _) = ends.select_nth_unstable(middle);
    if last.saturating_sub(*half) > WORTH_TRIMMING_S { *half } else { last }
}
