//! The ports over a record engine.

mod accounts;
mod add_item;
mod adjust_item;
mod api_keys;
mod change_set;
mod chunks;
mod device_cache;
mod devices;
mod grants;
mod households;
mod intake;
mod inventory;
mod list_fleet;
mod list_items;
mod list_shopping;
mod move_items;
mod notifications;
mod operations;
mod places;
mod readings;
mod reconcile;
mod references;
mod rename;
mod replace_item;
mod resources;
mod settle;
mod shopping;
mod tag_cache;
mod tags;
mod tap;
mod unlink;
mod upkeep;

use std::sync::Arc;

use device_cache::{DeviceCache, MAX_DEVICES};
use larder_storage::{Cache, Clock, Result, StorageError};
use tag_cache::{HeldTagCache, MAX_HELD, MAX_PLACES, PlaceCache};

use crate::{Key, Query, Record, RecordEngine, SortKeys, Table};

/// How often a contended change set is retried before the call fails. Each attempt loses only to a
/// write that succeeded, so reaching this takes extreme contention.
const MAX_ATTEMPTS: usize = 64;

/// All ports, on any record engine.
pub struct ItemStore<E> {
    engine: Arc<E>,
    clock: Arc<dyn Clock>,
    devices: DeviceCache,
    tag_places: PlaceCache,
    held_tags: HeldTagCache,
}

impl<E: RecordEngine> ItemStore<E> {
    /// The ports over this engine.
    pub fn new(engine: Arc<E>, clock: Arc<dyn Clock>) -> Self {
        Self {
            engine,
            clock,
            devices: Cache::new(MAX_DEVICES),
            tag_places: Cache::new(MAX_PLACES),
            held_tags: Cache::new(MAX_HELD),
        }
    }

    async fn get(&self, key: &Key) -> Result<Option<Record>> {
        self.engine.get(Table::InventoryManagement, key).await
    }

    async fn get_unique(&self, key: &Key) -> Result<Option<Record>> {
        self.engine.get(Table::Relational, key).await
    }

    /// Every record of a partition under a prefix, as the last acknowledged write left them.
    async fn all_under(&self, pk: String, prefix: &str) -> Result<Vec<Record>> {
        self.all_of(Query {
            table: Table::InventoryManagement,
            index: None,
            pk,
            sort: SortKeys::BeginsWith(prefix.to_owned()),
            forward: true,
            limit: crate::MAX_QUERY_LIMIT,
            start_after: None,
        })
        .await
    }

    /// Every record that a query finds, read page by page.
    async fn all_of(&self, mut query: Query) -> Result<Vec<Record>> {
        let mut records = Vec::new();
        loop {
            let page = self.engine.query(&query).await?;
            records.extend(page.records);
            match page.next {
                Some(next) => query.start_after = Some(next),
                None => return Ok(records),
            }
        }
    }
}

fn contention(what: &str) -> StorageError {
    StorageError::Contention(what.to_owned())
}
