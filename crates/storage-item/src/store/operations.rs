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
    layout::{household, idempotency, item, keys, member, notification, places, product, shopping},
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

/// The change of a journal entry for listeners; `None` if it is invisible to them.
fn change_of(entry: &JournalEntry) -> Result<Option<Change>> {
    let record = entry.new.as_ref().or(entry.old.as_ref());
    let entity = record.and_then(|record| record.text("entityType")).unwrap_or_default();
    Ok(match entity {
        household::ENTITY => versions(entry, household::from_record)?
            .map(|versions| Change::Household(Box::new(versions))),
        member::ENTITY => versions(entry, member::from_record)?.map(Change::Member),
        item::ENTITY => {
            versions(entry, item::from_record)?.map(|versions| Change::Item(Box::new(versions)))
        }
        product::ENTITY => versions(entry, product::from_record)?
            .map(|versions| Change::Product(Box::new(versions))),
        places::LOCATION_ENTITY => {
            versions(entry, places::location_from_record)?.map(Change::Location)
        }
        shopping::ENTITY => versions(entry, shopping::from_record)?
            .map(|versions| Change::Shopping(Box::new(versions))),
        places::STORE_ENTITY => versions(entry, places::store_from_record)?.map(Change::Store),
        notification::ENTITY => versions(entry, notification::from_record)?
            .map(|versions| Change::Notification(Box::new(versions))),
        _ => None,
    })
}

/// Old and new; `None` if there is no visible difference, such as in a household's count of
/// members. A place that is being deleted counts as deleted, as does a product that is being joined
/// to another.
fn versions<T: PartialEq>(
    entry: &JournalEntry,
    decode: fn(&Record) -> Result<T, StorageError>,
) -> Result<Option<Versions<T>>> {
    let visible = |record: &Option<Record>| {
        record.as_ref().filter(|record| !is_hidden(record)).map(decode).transpose()
    };
    let (old, new) = (visible(&entry.old)?, visible(&entry.new)?);
    Ok((old != new).then_some(Versions { old, new }))
}

fn is_hidden(record: &Record) -> bool {
    places::is_deleting(record) || product::is_joining(record)
}
