//! One table: its trees against its rows, and its rows against its trees.

use std::ops::ControlFlow;

use larder_storage::Result;
use larder_storage_item::Key;
use rusqlite::Connection;

use super::ScrubReport;
use crate::error::At;
use crate::layout::Layout;
use crate::query::primary_key;
use crate::records;
use crate::tree::{Range, TreeKey};

pub(super) fn walk(
    connection: &Connection,
    layout: &Layout,
    report: &mut ScrubReport,
) -> Result<()> {
    let carried = rows(connection, layout, report)?;
    for (at, tree) in layout.trees().enumerate() {
        let mut entries = 0;
        let walked = tree.walk_all(
            connection,
            |entry, row| {
                if entry.key == TreeKey::SENTINEL {
                    return Ok(());
                }
                entries += 1;
                let key = primary_key(tree, entry);
                let raw = records::raw(layout.table, &key.pk, &key.sk, row, tree.arity + 3)?;
                let record = records::decode(layout.table, &key, raw.body)?;
                let held = match at.checked_sub(1) {
                    None => true,
                    Some(index) => {
                        let key = records::index_key(&record, layout.indexes[index].0);
                        key == Some((entry.key.0[0], entry.key.0[1]))
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
        // The chain from the sentinel to the end, as readers verify it.
        let whole = Range {
            lower: TreeKey(["\0", "", "", ""]),
            upper: TreeKey(["\u{10ffff}", "", "", ""]),
        };
        let chain = tree.scan(connection, &whole, true, |_, _| Ok(ControlFlow::Continue(())));
        report.check(chain)?;
    }
    Ok(())
}

/// Verifies every row; answers how many have a key, and how many are in each index.
fn rows(connection: &Connection, layout: &Layout, report: &mut ScrubReport) -> Result<Vec<u64>> {
    let name = layout.table.name();
    let mut carried = vec![0; layout.indexes.len() + 1];
    let mut statement = connection.prepare(&layout.all).at(name)?;
    let mut rows = statement.query(()).at(name)?;
    while let Some(row) = rows.next().at(name)? {
        report.rows += 1;
        let text = |at: usize| row.get_ref(at).at(name)?.as_str().at(name);
        let verified = text(0).and_then(|pk| Ok(Key::new(pk, text(1)?))).and_then(|key| {
            let raw = records::raw(layout.table, &key.pk, &key.sk, row, 0)?;
            records::decode(layout.table, &key, raw.body)
        });
        if let Some(record) = report.check(verified)? {
            carried[0] += 1;
            for (count, (index, _)) in carried[1..].iter_mut().zip(&layout.indexes) {
                *count += u64::from(records::index_key(&record, *index).is_some());
            }
        }
    }
    Ok(carried)
}
