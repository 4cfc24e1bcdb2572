//! Lists of devices and API keys, newest first. Their indexes are ordered by whole seconds, and the order within one
//! is the engine's own: so a second is read to its end, and ordered here.

use larder_storage::{Page, Result};

use super::ItemStore;
use crate::{MAX_QUERY_LIMIT, Query, Record, RecordEngine};

/// The attribute that orders the indexes.
const SORT: &str = "gsi1sk";

impl<E: RecordEngine> ItemStore<E> {
    /// A page of what `decode` accepts of a query's results, in descending order of time, after a position. The query starts
    /// with the position's second, whose earlier entries are skipped here.
    pub(super) async fn newest_page<T, P: Ord>(
        &self,
        mut query: Query,
        decode: fn(&Record) -> Result<Option<T>>,
        position: fn(&T) -> P,
        after: Option<&P>,
        limit: usize,
    ) -> Result<Page<T, P>> {
        query.limit = (limit + 2).min(MAX_QUERY_LIMIT);
        let mut gathered = Gathered { seconds: Vec::new(), entries: Vec::new() };
        loop {
            let page = self.engine.query(&query).await?;
            for record in &page.records {
                let Some(entry) = decode(record)? else { continue };
                if after.is_none_or(|after| position(&entry) < *after) {
                    gathered.seconds.push(record.text(SORT).unwrap_or_default().to_owned());
                    gathered.entries.push(entry);
                }
            }
            match page.next {
                Some(next) if !gathered.has_whole_page(limit) => query.start_after = Some(next),
                _ => break,
            }
        }
        let mut entries = gathered.entries;
        entries.sort_by_key(|entry| std::cmp::Reverse(position(entry)));
        Ok(Page::cut(entries, limit, position))
    }
}

/// Entries in descending order of their seconds.
struct Gathered<T> {
    seconds: Vec<String>,
    entries: Vec<T>,
}

impl<T> Gathered<T> {
    /// Whether the entries of a page, all others of their seconds, and one more have been read.
    fn has_whole_page(&self, limit: usize) -> bool {
        let last_of_page = limit.checked_sub(1).and_then(|at| self.seconds.get(at));
        last_of_page.is_some_and(|second| self.seconds.last() != Some(second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_whole_when_an_entry_of_an_earlier_second_follows() {
        for (seconds, limit, is_whole) in [
            ("", 1, false),
            ("9", 1, false),
            ("99", 1, false),
            ("98", 1, true),
            ("9987", 2, true),
            ("9988", 3, false),
            ("99887", 3, true),
            ("99", 3, false),
        ] {
            let seconds: Vec<_> = seconds.chars().map(String::from).collect();
            let entries = vec![(); seconds.len()];
            assert_eq!(Gathered { seconds, entries }.has_whole_page(limit), is_whole, "{limit}");
        }
    }
}
