//! The ports over a record engine.

mod accounts;
mod add_item;
mod adjust_item;
mod api_keys;
mod barcodes;
mod belonging;
mod change_set;
mod change_tag;
mod chunks;
mod device_cache;
mod devices;
mod erasures;
mod grants;
mod households;
mod intake;
mod inventory;
mod join;
mod list_fleet;
mod list_items;
mod list_lots;
mod list_shopping;
mod move_items;
mod notifications;
mod operations;
mod photos;
mod places;
mod products;
mod program_tokens;
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
mod tell_lots;
mod unlink;
mod upkeep;

use std::sync::Arc;

use device_cache::{DeviceCache, MAX_DEVICES};
use larder_domain::Owner;
use larder_storage::{Cache, Clock, Page, Result, StorageError};
use tag_cache::{HeldTagCache, MAX_HELD, MAX_PLACES, PlaceCache};

use crate::{Key, MAX_QUERY_LIMIT, Query, Record, RecordEngine, Table};

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
    /// Inventories whose items all have their product.
    products_made: Cache<Owner, ()>,
}

/// An entry takes about 50 bytes.
const MAX_PRODUCTS_MADE: usize = 32 * 1024;

impl<E: RecordEngine> ItemStore<E> {
    /// The ports over this engine.
    pub fn new(engine: Arc<E>, clock: Arc<dyn Clock>) -> Self {
        Self {
            engine,
            clock,
            devices: Cache::new(MAX_DEVICES),
            tag_places: Cache::new(MAX_PLACES),
            held_tags: Cache::new(MAX_HELD),
            products_made: Cache::new(MAX_PRODUCTS_MADE),
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
        let table = Table::InventoryManagement;
        self.all_of(Query::under(table, pk, prefix, MAX_QUERY_LIMIT)).await
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

    /// A page of what `read` accepts of a query's records, which are read until it is full.
    async fn page_of<T, P>(
        &self,
        mut query: Query,
        limit: usize,
        read: impl Fn(&Record) -> Result<Option<T>>,
        position: impl FnOnce(&T) -> P,
    ) -> Result<Page<T, P>> {
        let mut items = Vec::new();
        loop {
            let page = self.engine.query(&query).await?;
            for record in &page.records {
                items.extend(read(record)?);
            }
            match page.next {
                Some(next) if items.len() <= limit => query.start_after = Some(next),
                _ => return Ok(Page::cut(items, limit, position)),
            }
        }
    }
}

fn contention(what: &str) -> StorageError {
    StorageError::Contention(what.to_owned())
}
