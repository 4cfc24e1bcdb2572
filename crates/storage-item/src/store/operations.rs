//! Repeated requests, live changes, health.

use async_trait::async_trait;
use larder_domain::{Change, UserId, Versions};
use larder_storage::{
    Changes, IdempotencyKey, Operations, RecordedChange, Result, Scope, StorageError, UsedKey,
};
use tokio::sync::watch;

use super::ItemStore;
use crate::{
    JournalEntry, Record, RecordEngine, Table,
    layout::{household, idempotency, item, keys, member, places},
};

#[async_trait]
impl<E: RecordEngine> Operations for ItemStore<E> {
    async fn find_idempotent(&self, user: UserId, key: &IdempotencyKey) -> Result<Option<UsedKey>> {
        let record = self.get(&keys::idempotency(user, key)).await?;
        record.as_ref().map(idempotency::from_record).transpose()
    }

    async fn changes_after(
        &self,
        scope: Scope,
        after: u64,
        limit: usize,
    ) -> Result<Option<Changes>> {
        let pk = keys::owner_pk(scope.owner());
        let table = Table::InventoryManagement;
        if after + 1 < self.engine.journal_floor(table, &pk).await? {
            return Ok(None);
        }
        let entries = self.engine.journal_after(table, &pk, after, limit).await?;
        let more = entries.len() == limit;
        let read_to = entries.last().map_or(after, |entry| entry.sequence);
        let mut changes = Vec::with_capacity(entries.len());
        for entry in &entries {
            if let Some(change) = change_of(entry)? {
                let by = entry.actor.parse().ok();
                changes.push(RecordedChange { sequence: entry.sequence, at: entry.at, by, change });
            }
        }
        Ok(Some(Changes { changes, read_to, more }))
    }

    async fn changes_head(&self, scope: Scope) -> Result<u64> {
        let pk = keys::owner_pk(scope.owner());
        self.engine.journal_head(Table::InventoryManagement, &pk).await
    }

    async fn list_version(&self, scope: Scope) -> Result<Option<u64>> {
        let pk = keys::owner_pk(scope.owner());
        self.engine.partition_version(Table::InventoryManagement, &pk).await
    }

    fn watch_changes(&self, scope: Scope) -> watch::Receiver<u64> {
        self.engine.watch(Table::InventoryManagement, &keys::owner_pk(scope.owner()))
    }

    async fn ready(&self) -> Result<()> {
        self.engine.ready().await
    }
}

/// What a journal entry means to listeners; `None` if nothing.
fn change_of(entry: &JournalEntry) -> Result<Option<Change>> {
    let is_hidden = |record: &Option<Record>| record.as_ref().is_none_or(places::is_deleting);
    if is_hidden(&entry.old) && is_hidden(&entry.new) {
        return Ok(None);
    }
    let record = entry.new.as_ref().or(entry.old.as_ref());
    let entity = record.and_then(|record| record.text("entityType")).unwrap_or_default();
    let change = match entity {
        household::ENTITY => Change::Household(Box::new(versions(entry, household::from_record)?)),
        member::ENTITY => Change::Member(versions(entry, member::from_record)?),
        item::ENTITY => Change::Item(Box::new(versions(entry, item::from_record)?)),
        places::LOCATION_ENTITY => Change::Location(versions(entry, places::location_from_record)?),
        places::STORE_ENTITY => Change::Store(versions(entry, places::store_from_record)?),
        _ => return Ok(None),
    };
    Ok(Some(change))
}

/// Before and after. A place that is being deleted is gone for everyone.
fn versions<T>(
    entry: &JournalEntry,
    decode: fn(&Record) -> Result<T, StorageError>,
) -> Result<Versions<T>> {
    let visible = |record: &Option<Record>| {
        record.as_ref().filter(|record| !places::is_deleting(record)).map(decode).transpose()
    };
    Ok(Versions { old: visible(&entry.old)?, new: visible(&entry.new)? })
}
