//! Records of batch ids. A household's ids are stored together, while the key of a record does not
//! name the owner: each household with remembered ids is searched. This is for tools; duplicate
//! readings are detected without it. A scan does not search: if two households have the same id, it
//! shows both under the plain key.

mod rows;

use std::collections::BTreeMap;

use jiff::Timestamp;
use larder_domain::{BATCH_ID_LIFETIME, BatchId, HardwareId, HouseholdId};
use larder_storage::{Result, StorageError};
use larder_storage_item::{
    Key, ProcessedBatch, Query, QueryPage, Record, ScanPage, processed_batch_record,
};

use crate::query::Bounds;
use crate::readings::read::Sources;
use crate::readings::windows::ids::{Identity, household, owner, window_sk};
use crate::tree::TreeKey;

/// A batch id that is remembered, expired or not.
#[derive(Debug, Clone)]
struct Remembered {
    household: Option<HouseholdId>,
    batch_id: BatchId,
    received_at_s: i64,
    sender: HardwareId,
}

impl Remembered {
    fn has_expired(&self, at: Timestamp) -> bool {
        self.expires_at_s() <= at.as_second()
    }

    fn expires_at_s(&self) -> i64 {
        self.received_at_s.saturating_add(BATCH_ID_LIFETIME.as_secs())
    }

    fn record(&self, names_household: bool) -> Result<Record> {
        let Self { household, batch_id, sender, .. } = self;
        let at = Timestamp::from_second(self.received_at_s).map_err(|error| {
            StorageError::Defect(format!("{batch_id} came at no time: {error}"))
        })?;
        let batch = ProcessedBatch::received(batch_id.clone(), *household, *sender, at);
        Ok(processed_batch_record(&ProcessedBatch { names_household, ..batch }))
    }

    /// The key after which a scan continues.
    fn full_key(&self) -> Key {
        Key::new(format!("{}#{}", owner(self.household), self.batch_id), "")
    }
}

/// The owner of a requested batch id.
#[derive(Clone, Copy)]
enum Whose {
    Anybodys,
    Of(Option<HouseholdId>),
}

impl Whose {
    /// The owner and id of a key.
    fn of(key: &Key) -> Option<(Self, BatchId)> {
        let (whose, id) = match key.pk.split_once('#') {
            None => (Self::Anybodys, key.pk.as_str()),
            Some((owner, id)) => (Self::Of(household(owner).ok()?), id),
        };
        Some((whose, BatchId::parse(id).ok()?))
    }
}

/// The position of a batch id in the order of the file: for a window, as if a block began with it.
fn place(household: Option<HouseholdId>, id: &BatchId) -> Key {
    match Identity::of(household, id) {
        Identity::Window { pk, start, end, .. } => Key::new(pk, window_sk(start, end)),
        Identity::Exact(key) => key,
    }
}

impl Sources<'_> {
    /// The first household that remembers an id has the plain key, and any other a key with the
    /// household.
    pub(super) fn batch_record(&self, key: &Key, at: Timestamp) -> Result<Option<Record>> {
        let Some((whose, id)) = Whose::of(key) else { return Ok(None) };
        let holders = self.holders(&id, at)?;
        let found = match whose {
            Whose::Anybodys => holders.first(),
            Whose::Of(household) => holders.iter().skip(1).find(|one| one.household == household),
        };
        found.map(|found| found.record(matches!(whose, Whose::Of(_)))).transpose()
    }

    pub(super) fn query_batch(&self, query: &Query, at: Timestamp) -> Result<QueryPage> {
        let key = TreeKey::primary(&query.pk, "");
        let bounds = Bounds::of(query);
        let is_wanted = bounds.range().is_some_and(|range| range.lower <= key && key < range.upper);
        if !is_wanted {
            return Ok(QueryPage::default());
        }
        let record = self.batch_record(&Key::new(query.pk.as_str(), ""), at)?;
        Ok(QueryPage { records: record.into_iter().collect(), next: None })
    }

    pub(super) fn scan_batches(
        &self,
        start_after: Option<&Key>,
        limit: usize,
        at: Timestamp,
    ) -> Result<ScanPage> {
        let after = start_after.and_then(Whose::of);
        let after = after.map(|(whose, id)| self.place_of(whose, &id, at)).transpose()?;
        let waiting = self.waiting_ids()?;
        let mut found = self.readers.read_snapshot(|connection| {
            rows::behind(connection, after.as_ref(), waiting, limit + 1, at)
        })?;
        let more = found.len() > limit;
        found.truncate(limit);
        let next = found.last().filter(|_| more).map(Remembered::full_key);
        let records = found.iter().map(|one| one.record(false)).collect::<Result<_>>()?;
        Ok(ScanPage { records, next })
    }

    /// The position of a batch id; if unknown, as if it were the operator's.
    fn place_of(&self, whose: Whose, id: &BatchId, at: Timestamp) -> Result<Key> {
        let household = match whose {
            Whose::Of(household) => household,
            Whose::Anybodys => self.holders(id, at)?.first().and_then(|found| found.household),
        };
        Ok(place(household, id))
    }

    /// The households that remember a batch id, in the order of the file.
    fn holders(&self, id: &BatchId, at: Timestamp) -> Result<Vec<Remembered>> {
        let waiting = self.waiting_ids()?.into_values().filter(|one| one.batch_id == *id);
        let waiting: Vec<_> = waiting.collect();
        let found = self.readers.read_snapshot(|connection| rows::holders(connection, id))?;
        // Pending ids are newer.
        let all = found.into_iter().chain(waiting).map(|one| (owner(one.household), one));
        let all: BTreeMap<_, _> = all.collect();
        Ok(all.into_values().filter(|one| !one.has_expired(at)).collect())
    }

    /// The batch ids of pending readings, by their places.
    fn waiting_ids(&self) -> Result<BTreeMap<Key, Remembered>> {
        let waiting = self.pending.all()?.into_iter().map(|waiting| {
            let household = waiting.household;
            let batch_id = waiting.reading.batch_id.clone();
            let (received_at_s, sender) = (waiting.received_at_s, waiting.reading.hardware_id);
            let key = place(household, &batch_id);
            (key, Remembered { household, batch_id, received_at_s, sender })
        });
        Ok(waiting.collect())
    }
}
