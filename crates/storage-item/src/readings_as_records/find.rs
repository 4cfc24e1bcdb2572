//! Finding readings: ranges of a device's partition.

use larder_domain::{Reading, ReadingPosition};
use larder_storage::{Page, Result};

use crate::{
    MAX_QUERY_LIMIT, Position, Query, ReadingQuery, RecordEngine, SortKeys, Table, layout::reading,
};

pub(super) async fn find(
    engine: &impl RecordEngine,
    wanted: &ReadingQuery<'_>,
) -> Result<Page<Reading, ReadingPosition>> {
    let mut readings = Vec::new();
    let mut query = query_for(wanted);
    while let Some(next) = &mut query {
        // One too many shows that more follow.
        next.limit = (wanted.limit + 1 - readings.len()).min(MAX_QUERY_LIMIT);
        let page = engine.query(next).await?;
        for record in &page.records {
            let reading = reading::from_record(record)?;
            if !reading.has_expired(wanted.at) {
                readings.push(reading);
            }
        }
        match page.next {
            Some(position) if readings.len() <= wanted.limit => {
                next.start_after = Some(position);
            }
            _ => query = None,
        }
    }
    Ok(Page::cut(readings, wanted.limit, Reading::position))
}

/// The query of the first page; `None` if the range is empty.
fn query_for(wanted: &ReadingQuery<'_>) -> Option<Query> {
    let ReadingQuery { device, range, after, .. } = *wanted;
    let after = after.map(|place| reading::key_at(device, place));
    let (from, to) = (reading::first_at(range.from), reading::last_at(range.to));
    let (begin, end) = if range.oldest_first { (&from, &to) } else { (&to, &from) };
    let is_before = |a: &str, b: &str| if range.oldest_first { a < b } else { a > b };
    let is_over = after.as_ref().is_some_and(|after| !is_before(&after.sk, end));
    if from > to || is_over {
        return None;
    }
    // DynamoDB rejects a page that begins outside the requested range.
    let start_after = after.filter(|after| is_before(begin, &after.sk)).map(Position::in_table);
    let (table, pk, sort) =
        (Table::DeviceReadings, device.to_string(), SortKeys::Between(from, to));
    let query = Query::new(table, pk, sort, wanted.limit);
    Some(Query { forward: range.oldest_first, start_after, ..query })
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use larder_domain::{BatchId, HardwareId, ReadingTime};
    use larder_storage::ReadingRange;

    use super::*;
    use crate::Key;

    fn time(ms: i64) -> ReadingTime {
        ReadingTime::from_millis(1_704_067_800_000 + ms).unwrap()
    }

    fn query(from: i64, to: i64, oldest_first: bool, after: Option<i64>) -> Option<Query> {
        let after = after
            .map(|ms| ReadingPosition { time: time(ms), batch_id: BatchId::parse("a").unwrap() });
        query_for(&ReadingQuery {
            device: HardwareId::from_bytes([1; 6]),
            range: ReadingRange { from: time(from), to: time(to), oldest_first },
            after: after.as_ref(),
            limit: 10,
            at: Timestamp::UNIX_EPOCH,
        })
    }

    #[test]
    fn a_range_has_the_seeds_bounds_in_both_directions() {
        let sort =
            SortKeys::Between("1704067800000#".to_owned(), "1704067800009#\u{ffff}".to_owned());
        for oldest_first in [true, false] {
            let query = query(0, 9, oldest_first, None).unwrap();
            assert_eq!(query.pk, "01:01:01:01:01:01");
            assert_eq!((&query.sort, query.forward), (&sort, oldest_first));
            assert_eq!(query.start_after, None);
        }
    }

    #[test]
    fn a_page_goes_on_behind_a_place_within_the_range() {
        for oldest_first in [true, false] {
            let start = query(0, 9, oldest_first, Some(5)).unwrap().start_after.unwrap();
            assert_eq!(start.sort, "1704067800005#a");
            assert_eq!(start.key, Key::new("01:01:01:01:01:01", "1704067800005#a"));
        }
    }

    #[test]
    fn a_place_before_the_range_begins_with_the_range_and_one_behind_it_ends_it() {
        for (oldest_first, before, behind) in [(true, -1, 10), (false, 10, -1)] {
            let whole = query(0, 9, oldest_first, Some(before)).unwrap();
            assert_eq!(whole.start_after, None, "{oldest_first}");
            assert!(query(0, 9, oldest_first, Some(behind)).is_none(), "{oldest_first}");
        }
    }

    #[test]
    fn a_range_that_ends_before_it_begins_is_empty() {
        assert!(query(1, 0, true, None).is_none());
        assert!(query(1, 0, false, None).is_none());
    }
}
