//! Reading the journal.

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use larder_storage::Result;
use larder_storage_item::{JournalEntry, Key, MAX_QUERY_LIMIT, Record, Table, key_label};

use super::entry::StoredEntry;
use super::place::{self, Kind, Place};
use super::window::is_whole;
use crate::attributes::to_record;
use crate::database::Database;
use crate::expression::Placeholders;
use crate::tables::{BY_RECORD, CHANGES_KEYS};

/// How often an incomplete page is re-read. The missing changes were committed before the seen
/// ones, so one more read finds them; but expired ones are missing for good.
const LOOKS: usize = 3;
/// The number of change records per read when searching for the oldest.
const FLOOR_PAGE: i32 = 100;

impl Database {
    /// Whether an entry is within the retention. By the clock: the service sweeps at an arbitrary
    /// time.
    fn is_kept(&self, entry: &JournalEntry) -> bool {
        let age = self.clock.now().duration_since(entry.at);
        age < self.retention
    }

    pub(super) fn changes_of(
        &self,
        pk_name: &str,
        pk: String,
        bound: Option<(&str, String)>,
    ) -> QueryFluentBuilder {
        let mut marks = Placeholders::default();
        let (name, value) = (marks.name(pk_name), marks.value(AttributeValue::S(pk)));
        let mut condition = format!("{name} = {value}");
        if let Some((comparison, sort_key)) = bound {
            let (name, value) = (marks.name("SK"), marks.value(AttributeValue::S(sort_key)));
            condition = format!("{condition} AND {name} {comparison} {value}");
        }
        self.client
            .query()
            .table_name(self.names.changes().name)
            .key_condition_expression(condition)
            .set_expression_attribute_names(marks.names())
            .set_expression_attribute_values(marks.values())
            .set_return_consumed_capacity(self.counting())
    }

    /// The records of a query, up to `limit`; and whether more may follow.
    async fn change_records(
        &self,
        mut request: QueryFluentBuilder,
        limit: usize,
    ) -> Result<(Vec<Record>, bool)> {
        let mut records = Vec::new();
        loop {
            let answer = self.retries().send(|| request.clone().send()).await?;
            let consistent = *request.get_consistent_read() == Some(true);
            self.units.read(answer.consumed_capacity(), 1, consistent);
            for item in answer.items.unwrap_or_default() {
                let record = to_record(CHANGES_KEYS, item)?;
                let kind = record.text("SK").and_then(Place::parse).map(|(_, kind)| kind);
                if kind != Some(Kind::Image) {
                    records.push(record);
                }
            }
            let next = answer.last_evaluated_key.filter(|key| !key.is_empty());
            if records.len() >= limit || next.is_none() {
                let cut = records.len() > limit || next.is_some();
                records.truncate(limit);
                return Ok((records, cut));
            }
            request = request.set_exclusive_start_key(next);
        }
    }

    pub(crate) async fn journal_after(
        &self,
        table: Table,
        pk: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<JournalEntry>> {
        let (limit, after) = (limit.clamp(1, MAX_QUERY_LIMIT), Place::of_sequence(after));
        let request = self
            .changes_of("PK", place::partition(table, pk), Some((">", after.behind())))
            .consistent_read(true)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX));
        let mut looks = 1;
        loop {
            let (records, cut) = self.change_records(request.clone(), limit).await?;
            let entries =
                records.iter().map(StoredEntry::from_record).collect::<Result<Vec<_>>>()?;
            let kept: Vec<_> =
                entries.into_iter().filter(|stored| self.is_kept(&stored.entry)).collect();
            if is_whole(after, &kept, cut) || looks == LOOKS {
                return self.with_images(kept).await;
            }
            looks += 1;
        }
    }

    pub(crate) async fn journal_of(
        &self,
        table: Table,
        key: &Key,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<JournalEntry>> {
        let limit = limit.clamp(1, MAX_QUERY_LIMIT);
        let bound = before.map(|before| ("<", Place::of_sequence(before).sort_key()));
        let request = self
            .changes_of(BY_RECORD.pk, place::record_id(table, key), bound)
            .index_name(BY_RECORD.name)
            .scan_index_forward(false)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX));
        let (records, _) = self.change_records(request, limit).await?;
        let mut entries =
            records.iter().map(StoredEntry::from_record).collect::<Result<Vec<_>>>()?;
        // Existing entries are shown, even past their retention: a clock that has jumped hides no
        // history. The service sweeps by its own clock; an image may be deleted before its change.
        entries.retain(|stored| stored.beside.is_empty() || self.is_kept(&stored.entry));
        self.with_images(entries).await
    }

    /// Loads the separately stored images of entries.
    async fn with_images(&self, mut entries: Vec<StoredEntry>) -> Result<Vec<JournalEntry>> {
        let beside = entries.iter().flat_map(|stored| &stored.beside);
        let wanted: Vec<_> = beside.map(|(_, key)| (self.names.changes(), key.clone())).collect();
        if !wanted.is_empty() {
            let images = self.get_many(&wanted, true).await?;
            for stored in &mut entries {
                for (name, key) in std::mem::take(&mut stored.beside) {
                    let place = (self.names.changes(), key);
                    let image = images.get(&place).ok_or_else(|| gone(&place.1))?;
                    stored.put_image(name, image)?;
                }
            }
        }
        Ok(entries.into_iter().map(|stored| stored.entry).collect())
    }

    /// The newest place of a partition's journal.
    pub(crate) async fn journal_newest(&self, table: Table, pk: &str) -> Result<Option<Place>> {
        let request = self
            .changes_of("PK", place::partition(table, pk), None)
            .consistent_read(true)
            .scan_index_forward(false)
            .limit(1);
        let answer = self.retries().send(|| request.clone().send()).await?;
        self.units.read(answer.consumed_capacity(), 1, true);
        let Some(item) = answer.items.unwrap_or_default().into_iter().next() else {
            return Ok(None);
        };
        let record = to_record(CHANGES_KEYS, item)?;
        let place = record.text("SK").and_then(Place::parse);
        place.map(|(place, _)| Some(place)).ok_or_else(|| record.misfit("no place in the journal"))
    }

    /// The oldest sequence number within the retention: after the last expired one.
    pub(crate) async fn journal_floor(&self, table: Table, pk: &str) -> Result<u64> {
        let mut request =
            self.changes_of("PK", place::partition(table, pk), None).limit(1).consistent_read(true);
        let mut last_expired: Option<Place> = None;
        let mut unswept: Option<u64> = None;
        loop {
            let answer = self.retries().send(|| request.clone().send()).await?;
            self.units.read(answer.consumed_capacity(), 1, true);
            for item in answer.items.unwrap_or_default() {
                let record = to_record(CHANGES_KEYS, item)?;
                let place = record.text("SK").and_then(Place::parse);
                if place.is_some_and(|(_, kind)| kind == Kind::Image) {
                    continue;
                }
                let stored = StoredEntry::from_record(&record)?;
                // It was the newest once, and the next writer failed to let it expire.
                if let Some(transaction) = unswept.take_if(|old| *old < stored.place.transaction) {
                    self.let_expire(&(table, pk.to_owned()), transaction);
                }
                if self.is_kept(&stored.entry) {
                    return Ok(match last_expired {
                        Some(expired) => expired.sequence() + 1,
                        None if stored.place == Place::first(1) => 1,
                        None => stored.place.sequence(),
                    });
                }
                if stored.place.index == 0 && record.get("ttl").is_none() {
                    unswept = Some(stored.place.transaction);
                }
                last_expired = Some(stored.place);
            }
            let Some(next) = answer.last_evaluated_key.filter(|key| !key.is_empty()) else {
                return Ok(last_expired.map_or(1, |expired| expired.sequence() + 1));
            };
            request = request.limit(FLOOR_PAGE).set_exclusive_start_key(Some(next));
        }
    }
}

fn gone(key: &Key) -> larder_storage::StorageError {
    let record = key_label(&key.pk, &key.sk);
    larder_storage::StorageError::Corrupt { record, reason: "the image is gone".to_owned() }
}
