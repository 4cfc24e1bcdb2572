//! Merging pending readings, device by device, the oldest first.

use std::sync::Arc;

use larder_domain::Reading;
use larder_storage::{Result, StorageError};
use larder_storage_item::{Key, Table};
use rusqlite::Connection;

use super::{Effort, Keeper, STEP_BYTES};
use crate::error::At;
use crate::readings::batch_ids::forgotten_at;
use crate::readings::merge::{Blocks as _, DeviceBlocks, StreamBlocks, append, merge};
use crate::readings::pending::{Done, Turn};
use crate::readings::rows;
use crate::readings::section::{Section, Stream};
use crate::readings::tails::Tail;
use crate::readings::windows::exact;

/// The approximate number of a device's readings that are merged at once. Limits the memory.
const READINGS_AT_ONCE: usize = 4096;
/// The approximate number of rows that merging a device changes: a block or two, a block of ids,
/// and their keys.
const ROWS_PER_DEVICE: usize = 4;

impl Keeper {
    pub(super) fn merge_some(
        &mut self,
        connection: &Connection,
        effort: Effort,
        now_s: i64,
    ) -> Result<usize> {
        let (mut left, mut rows) = (self.budget(effort), 0);
        while left > 0
            && let Some(turn) = self.pending.turn(self.staged.done.len(), READINGS_AT_ONCE)
        {
            left = left.saturating_sub(turn.sections.iter().map(|one| one.weight()).sum());
            rows += ROWS_PER_DEVICE;
            self.take_turn(connection, &turn, now_s)?;
        }
        Ok(rows)
    }

    /// How many bytes of pending readings to merge.
    fn budget(&self, effort: Effort) -> usize {
        let waiting = self.pending.size().bytes;
        let fresh: usize = self.staged.fresh.iter().map(|(section, _)| section.weight()).sum();
        match effort {
            Effort::Step => STEP_BYTES,
            Effort::KeepUp if waiting + fresh <= self.buffer.bytes / 2 => 0,
            // A little more than is added, and everything beyond the bound.
            Effort::KeepUp => {
                fresh + fresh / 4 + (waiting + fresh).saturating_sub(self.buffer.bytes)
            }
        }
    }

    /// Merges the pending readings of a device, or postpones them if its blocks are damaged, so
    /// that other devices continue.
    fn take_turn(&mut self, connection: &Connection, turn: &Turn, now_s: i64) -> Result<()> {
        if !self.damaged.contains_key(&turn.device) {
            let before = (self.staged.streams.len(), self.staged.exact.len());
            execute(connection, "SAVEPOINT merge")?;
            match self.merge_turn(connection, turn, now_s) {
                Ok(()) => {
                    execute(connection, "RELEASE merge")?;
                    self.staged.done.push(Done::Merged(turn.device, turn.sections.len()));
                    return Ok(());
                }
                Err(StorageError::Corrupt { record, reason }) => {
                    execute(connection, "ROLLBACK TO merge")?;
                    execute(connection, "RELEASE merge")?;
                    tracing::error!(
                        record,
                        reason,
                        "readings not merged: damaged block; they remain in the log"
                    );
                    self.staged.streams.truncate(before.0);
                    self.staged.exact.truncate(before.1);
                    self.batch_ids.forget_file();
                    self.tails.clear();
                    self.damaged.insert(turn.device, (record, reason));
                }
                Err(error) => return Err(error),
            }
        }
        self.staged.logged_again.extend(self.pending.sections(turn.device));
        self.staged.done.push(Done::Postponed(turn.device));
        Ok(())
    }

    fn merge_turn(&mut self, connection: &Connection, turn: &Turn, now_s: i64) -> Result<()> {
        self.merge_readings(connection, turn, now_s)?;
        for section in &turn.sections {
            for stream in &section.streams {
                self.merge_stream(connection, stream, now_s)?;
            }
            for key in &section.exact {
                self.merge_exact(connection, key)?;
            }
        }
        Ok(())
    }

    fn merge_readings(&mut self, connection: &Connection, turn: &Turn, now_s: i64) -> Result<()> {
        let (device, blocks) = (turn.device, DeviceBlocks::of(turn.device));
        let known = self.tails.get(device);
        let tail = if known.is_some_and(|tail| are_blocks(tail, &turn.sections, now_s)) {
            insert_as_blocks(connection, &blocks, &turn.sections)?
        } else {
            let readings = in_order(&turn.sections)?;
            let first = readings.first().map(|first| blocks.sk(first)).unwrap_or_default();
            if known.is_some_and(|tail| tail.is_followed_by(&first, readings.len())) {
                append(connection, &blocks, &readings)?
            } else {
                merge(connection, &blocks, readings, now_s)?
            }
        };
        if let Some(tail) = tail {
            self.tails.set(device, tail);
        }
        Ok(())
    }

    /// Merges the pending ids of a stream, including those of other sections.
    fn merge_stream(&mut self, connection: &Connection, stream: &Stream, now_s: i64) -> Result<()> {
        if self.staged.streams.contains(&stream.pk) {
            return Ok(());
        }
        let waiting = self.batch_ids.waiting(&stream.pk).to_vec();
        merge(connection, &StreamBlocks::of(stream), waiting, now_s)?;
        self.batch_ids.written(&stream.pk);
        self.staged.streams.push(Arc::clone(&stream.pk));
        Ok(())
    }

    fn merge_exact(&mut self, connection: &Connection, key: &Key) -> Result<()> {
        let Some((received_at_s, sender)) = self.batch_ids.waiting_exact(key) else {
            return Ok(());
        };
        let body = exact::encode(received_at_s, sender);
        let row = (forgotten_at(received_at_s), body.as_slice());
        match rows::find(connection, Table::ProcessedBatches, key)? {
            Some(old) => rows::replace(connection, Table::ProcessedBatches, &old, row)?,
            None => rows::insert(connection, Table::ProcessedBatches, key, row)?,
        }
        self.staged.exact.push(key.clone());
        Ok(())
    }
}

/// Whether sections can become the next blocks unchanged: each large enough, after the one before,
/// and without expired readings.
fn are_blocks(tail: &Tail, sections: &[Arc<Section>], now_s: i64) -> bool {
    let ends = sections.iter().map(|one| Tail { count: one.count, last: one.last.clone() });
    std::iter::once(tail.clone()).chain(ends).zip(sections).all(|(before, next)| {
        next.count <= DeviceBlocks::MOST
            && next.gone_from > now_s
            && before.is_followed_by(&next.first, next.count)
    })
}

fn insert_as_blocks(
    connection: &Connection,
    blocks: &DeviceBlocks,
    sections: &[Arc<Section>],
) -> Result<Option<Tail>> {
    for section in sections {
        let key = Key::new(blocks.pk(), section.first.as_str());
        rows::insert(connection, DeviceBlocks::TABLE, &key, (section.due, section.block()))?;
    }
    Ok(sections.last().map(|last| Tail { count: last.count, last: last.last.clone() }))
}

/// The readings of sections, in order, the newest for each place.
fn in_order(sections: &[Arc<Section>]) -> Result<Vec<Reading>> {
    let mut readings: Vec<Reading> = Vec::new();
    for section in sections {
        readings.append(&mut section.readings()?);
    }
    if !readings.is_sorted_by(|a, b| DeviceBlocks::compare(a, b).is_lt()) {
        // Of several in one place, the latest is first here, and wins.
        readings.reverse();
        readings.sort_by(DeviceBlocks::compare);
        readings.dedup_by(|earlier, kept| DeviceBlocks::compare(earlier, kept).is_eq());
    }
    Ok(readings)
}

fn execute(connection: &Connection, sql: &str) -> Result<()> {
    connection.prepare_cached(sql).at("larder.db")?.execute(()).at("larder.db")?;
    Ok(())
}
