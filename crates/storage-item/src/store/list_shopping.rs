//! Shopping lists. A list has hundreds of entries: the requested part is read whole, then sorted
//! and cut.

use larder_domain::{HouseholdId, ShoppingFilter, ShoppingItem, ShoppingPosition, StoreChoice};
use larder_storage::{Page, Result};

use super::ItemStore;
use crate::{
    GSI2, MAX_QUERY_LIMIT, Query, Record, RecordEngine, Table,
    layout::{keys, shopping},
};

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn shopping_page(
        &self,
        household: HouseholdId,
        filter: &ShoppingFilter,
        after: Option<&ShoppingPosition>,
        limit: usize,
    ) -> Result<Page<ShoppingItem, ShoppingPosition>> {
        let records = match filter.store {
            None => self.shopping_records(household).await?,
            Some(choice) => self.of_store(household, choice, filter).await?,
        };
        let mut entries = Vec::with_capacity(records.len());
        for record in &records {
            let entry = shopping::from_record(record)?;
            let is_behind = after.is_none_or(|after| ShoppingPosition::of(&entry) > *after);
            if is_behind && filter.matches(&entry) {
                entries.push(entry);
            }
        }
        entries.sort_unstable_by_key(ShoppingPosition::of);
        Ok(Page::cut(entries, limit, ShoppingPosition::of))
    }

    /// The entries of one shop, or of none in particular, from the index.
    async fn of_store(
        &self,
        household: HouseholdId,
        choice: StoreChoice,
        filter: &ShoppingFilter,
    ) -> Result<Vec<Record>> {
        let store = match choice {
            StoreChoice::Unassigned => None,
            StoreChoice::Store(store) => Some(store),
        };
        let prefix = match filter.status {
            None => keys::shopping_store_prefix(store),
            Some(status) => keys::shopping_sk(store, status),
        };
        let (table, pk) = (Table::InventoryManagement, keys::shopping_pk(household));
        self.all_of(Query::under(table, pk, &prefix, MAX_QUERY_LIMIT).by(GSI2)).await
    }
}
