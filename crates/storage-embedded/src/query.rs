//! Reading a page of a partition.

use std::ops::ControlFlow;

use larder_storage::{Result, StorageError};
use larder_storage_item::{
    Index, Key, MAX_QUERY_LIMIT, Position, Query, QueryPage, Record, SortKeys, Table,
};
use rusqlite::{Connection, Row};

use crate::error::corrupt;
use crate::layout::Layout;
use crate::records;
use crate::tree::{Entry, Range, Tree, TreeKey};

/// Reads a page, within a transaction.
pub(crate) fn query(connection: &Connection, query: &Query, now_s: i64) -> Result<QueryPage> {
    let layout = Layout::of(query.table);
    let tree = match query.index {
        None => &layout.keys,
        Some(index) => layout.index(index).ok_or_else(|| {
            StorageError::Defect(format!("{} has no index {}", query.table.name(), index.name))
        })?,
    };
    let limit = query.limit.clamp(1, MAX_QUERY_LIMIT);
    let bounds = Bounds::of(query);
    let Some(range) = bounds.range() else { return Ok(QueryPage::default()) };

    let mut page = QueryPage::default();
    let mut examined: usize = 0;
    let mut last: Option<Position> = None;
    tree.scan(connection, &range, query.forward, |entry, row| {
        // Any number of expired records may wait for the sweep; a read must stay short.
        if page.records.len() == limit || examined == limit + MAX_QUERY_LIMIT {
            page.next = last.take();
            return Ok(ControlFlow::Break(()));
        }
        examined += 1;
        let key = primary_key(tree, entry);
        if let Some(record) = read(query.table, query.index, (tree, entry, row), &key, now_s)? {
            page.records.push(record);
        }
        if page.records.len() == limit || examined == limit + MAX_QUERY_LIMIT {
            last = Some(Position { sort: entry.key.0[1].to_owned(), key });
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(page)
}

/// The record of an entry, unless it has expired.
pub(crate) fn read(
    table: Table,
    index: Option<Index>,
    (tree, entry, row): (&Tree, &Entry<'_>, &Row<'_>),
    key: &Key,
    now_s: i64,
) -> Result<Option<Record>> {
    let raw = records::raw(table, &key.pk, &key.sk, row, tree.arity + 3)?;
    if !records::visible(raw.expires_at, now_s) {
        return Ok(None);
    }
    let record = records::decode(table, key, raw.body)?;
    if let Some(index) = index
        && index.key_of(&record) != Some((entry.key.0[0], entry.key.0[1].into()))
    {
        let reason = format!("its entry in {} is of another key", index.name);
        return Err(corrupt(records::label(table, &key.pk, &key.sk), reason));
    }
    Ok(Some(record))
}

/// The primary key of the record that an entry is of.
pub(crate) fn primary_key(tree: &Tree, entry: &Entry<'_>) -> Key {
    let [first, second, pk, sk] = entry.key.0;
    if tree.arity == 2 { Key::new(first, second) } else { Key::new(pk, sk) }
}

/// The range of a query as texts: from `lower`, included, to `upper`, not included.
pub(crate) struct Bounds {
    lower: [String; 4],
    upper: [String; 4],
}

impl Bounds {
    pub(crate) fn of(query: &Query) -> Self {
        let place =
            |pk: &str, sk: &str| [pk.to_owned(), sk.to_owned(), String::new(), String::new()];
        let pk = query.pk.as_str();
        let end = place(&just_after(pk), "");
        let (mut lower, mut upper) = match &query.sort {
            SortKeys::Any => (place(pk, ""), end),
            SortKeys::BeginsWith(prefix) => {
                (place(pk, prefix), after_prefix(prefix).map_or(end, |bound| place(pk, &bound)))
            }
            SortKeys::Between(first, last) => (place(pk, first), place(pk, &just_after(last))),
        };
        if let Some(Position { sort, key }) = &query.start_after {
            let sought = match query.index {
                None => place(pk, sort),
                Some(_) => [pk.to_owned(), sort.clone(), key.pk.clone(), key.sk.clone()],
            };
            if query.forward {
                let mut behind = sought;
                let part = if query.index.is_some() { &mut behind[3] } else { &mut behind[1] };
                part.push('\0');
                lower = lower.max(behind);
            } else {
                upper = upper.min(sought);
            }
        }
        Self { lower, upper }
    }

    /// `None` if it is empty.
    pub(crate) fn range(&self) -> Option<Range<'_>> {
        let lower = TreeKey(self.lower.each_ref().map(String::as_str));
        let upper = TreeKey(self.upper.each_ref().map(String::as_str));
        // Partition keys are never empty, and the sentinel is not a record.
        (lower < upper && !self.lower[0].is_empty()).then_some(Range { lower, upper })
    }
}

/// The first text after this one.
fn just_after(text: &str) -> String {
    format!("{text}\0")
}

/// The first text above all with this prefix; `None` if there is none.
fn after_prefix(prefix: &str) -> Option<String> {
    let mut bound = prefix.to_owned();
    while let Some(last) = bound.pop() {
        // The order of UTF-8 is that of the code points; the range steps over the surrogates.
        if let Some(next) = (last..=char::MAX).nth(1) {
            bound.push(next);
            return Some(bound);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::after_prefix;

    #[test]
    fn the_end_of_a_prefix_is_right_at_the_edges_of_unicode() {
        assert_eq!(after_prefix("ITEM#").as_deref(), Some("ITEM$"));
        assert_eq!(after_prefix("a\u{d7ff}").as_deref(), Some("a\u{e000}"));
        assert_eq!(after_prefix("a\u{10ffff}\u{10ffff}").as_deref(), Some("b"));
        assert_eq!(after_prefix("\u{10ffff}"), None);
        assert_eq!(after_prefix(""), None);
    }
}
