//! One table: its trees against its rows, and its rows against its trees.

use std::ops::ControlFlow;

use larder_storage::Result;
use larder_storage_item::Key;
use rusqlite::Connection;

use super::ScrubReport;
use super::blocks::Blocks;
use super::journal::Histories;
use crate::error::At;
use crate::layout::Layout;
use crate::query::primary_key;
use crate::readings::records::is_view;
use crate::records;
use crate::tree::{Range, Tree, TreeKey};

pub(super) fn walk(
    connection: &Connection,
    layout: &Layout,
    mut histories: Option<&mut Histories>,
    report: &mut ScrubReport,
) -> Result<()> {
    let carried = rows(connection, layout, histories.as_deref_mut(), report)?;
    gone(connection, layout, histories, report)?;
    for (at, tree) in layout.row_trees().enumerate() {
        let mut entries = 0;
        let mut blocks = is_view(layout.table).then(|| Blocks::of(layout.table));
        let walked = tree.walk_all(
            connection,
            |entry, row| {
                if entry.key == TreeKey::SENTINEL {
                    return Ok(());
                }
                entries += 1;
                let key = primary_key(tree, entry);
                let raw = records::raw(layout.table, &key.pk, &key.sk, row, tree.arity + 3)?;
                if let Some(blocks) = &mut blocks {
                    return blocks.check(&key, raw.body);
                }
                let record = records::decode(layout.table, &key, raw.body)?;
                let held = match at.checked_sub(1) {
                    None => true,
                    Some(index) => {
                        let key = layout.indexes[index].0.key_of(&record);
                        key == Some((entry.key.0[0], entry.key.0[1].into()))
                    }
                };
                if held {
                    Ok(())
                } else {
                    Err(tree.damaged(&entry.key, "the record has another key"))
                }
            },
            |error| report.check(Err::<(), _>(error)).map(|_| ()),
        );
        report.check(walked)?;
        report.rows += entries;
        if entries != carried[at] {
            let expected = carried[at];
            report.note(&tree.name, format!("{entries} entries for {expected} sound records"));
        }
        chain(connection, tree, report)?;
    }
    Ok(())
}

/// The chain from the sentinel to the end, as readers verify it.
fn chain(connection: &Connection, tree: &Tree, report: &mut ScrubReport) -> Result<()> {
    let whole =
        Range { lower: TreeKey(["\0", "", "", ""]), upper: TreeKey(["\u{10ffff}", "", "", ""]) };
    let chain = tree.scan(connection, &whole, true, |_, _| Ok(ControlFlow::Continue(())));
    report.check(chain)?;
    Ok(())
}

/// The last changes of deleted records.
fn gone(
    connection: &Connection,
    layout: &Layout,
    mut histories: Option<&mut Histories>,
    report: &mut ScrubReport,
) -> Result<()> {
    let (tree, mut entries) = (&layout.gone, 0);
    let walked = tree.walk_all(
        connection,
        |entry, _| {
            if entry.key == TreeKey::SENTINEL {
                return Ok(());
            }
            entries += 1;
            let (key, seq) = (primary_key(tree, entry), entry.rid);
            let sound =
                histories.as_deref_mut().is_none_or(|them| them.agree(layout.table, &key, seq));
            if sound {
                Ok(())
            } else {
                Err(tree.damaged(&entry.key, "its last change is not in the journal"))
            }
        },
        |error| report.check(Err::<(), _>(error)).map(|_| ()),
    );
    report.check(walked)?;
    report.rows += entries;
    chain(connection, tree, report)
}

/// Verifies every row; returns how many have a key, and how many are in each index.
fn rows(
    connection: &Connection,
    layout: &Layout,
    mut histories: Option<&mut Histories>,
    report: &mut ScrubReport,
) -> Result<Vec<u64>> {
    let name = layout.table.name();
    let mut carried = vec![0; layout.indexes.len() + 1];
    let mut statement = connection.prepare(&layout.all).at(name)?;
    let mut rows = statement.query(()).at(name)?;
    while let Some(row) = rows.next().at(name)? {
        report.rows += 1;
        let text = |at: usize| row.get_ref(at).at(name)?.as_str().at(name);
        let verified = text(0).and_then(|pk| Ok(Key::new(pk, text(1)?))).and_then(|key| {
            let raw = records::raw(layout.table, &key.pk, &key.sk, row, 0)?;
            // The contents of blocks are verified in the order of their keys.
            let is_record = !is_view(layout.table);
            let record = is_record.then(|| records::decode(layout.table, &key, raw.body));
            Ok((record.transpose()?, raw.seq, key))
        });
        if let Some((record, seq, key)) = report.check(verified)? {
            if let Some(histories) = histories.as_deref_mut()
                && !histories.agree(layout.table, &key, seq)
            {
                let label = records::label(layout.table, &key.pk, &key.sk);
                report.note(label, "its last change is not in the journal");
            }
            carried[0] += 1;
            for (count, (index, _)) in carried[1..].iter_mut().zip(&layout.indexes) {
                let is_held = |record| index.key_of(record).is_some();
                *count += u64::from(record.as_ref().is_some_and(is_held));
            }
        }
    }
    Ok(carried)
}
