//! Erasing a partition, with the unique values that its records hold.

use jiff::Timestamp;
use larder_domain::{ItemId, Owner};
use larder_storage::{Result, Write};

use super::RECORDS_AT_ONCE;
use crate::{
    Action, Query, ReadingEngine, Record, RecordEngine, SortKeys, Table,
    layout::{fields::Fields, item, notification, places, product, unique},
    store::{
        ItemStore,
        change_set::{Actor, ChangeSet},
    },
};

/// How many actions one transaction has, about.
const ACTIONS_AT_ONCE: usize = 40;
/// A deletion, and the change record that an engine may write with it.
const DELETION: usize = 2;

impl<E: RecordEngine + ReadingEngine> ItemStore<E> {
    /// Deletes some records of a partition, and returns how many. With an owner also the unique
    /// values that they hold.
    pub(super) async fn erase_partition(
        &self,
        pk: &str,
        owner: Option<Owner>,
        at: Timestamp,
    ) -> Result<u64> {
        let table = Table::InventoryManagement;
        let query = Query::new(table, pk, SortKeys::Any, RECORDS_AT_ONCE);
        let found = self.engine.query(&query).await?.records;
        let most = self.engine.max_actions().await?.min(ACTIONS_AT_ONCE);
        let (mut set, mut cost) = (ChangeSet::new(), 0);
        for record in &found {
            let Some(key) = table.key_of(record) else { continue };
            let values = owner.map(|owner| values_of(record, owner)).transpose()?;
            let mut values = values.unwrap_or_default();
            // A product may have more barcodes than fit beside it.
            while values.len() + DELETION > most {
                let first: Vec<_> = values.drain(..most.min(values.len())).collect();
                let part = ChangeSet::new().steps(first.into_iter().map(|value| ((), value)));
                self.commit(Actor::System, Write::at(at), part, None).await?;
            }
            if cost + values.len() + DELETION > most {
                let full = std::mem::replace(&mut set, ChangeSet::new());
                self.commit(Actor::System, Write::at(at), full, None).await?;
                cost = 0;
            }
            cost += values.len() + DELETION;
            set = set.delete((), key, Vec::new()).steps(values.into_iter().map(|it| ((), it)));
        }
        self.commit(Actor::System, Write::at(at), set, None).await?;
        Ok(found.len() as u64)
    }
}

/// Releases the unique values of a record.
fn values_of(record: &Record, owner: Owner) -> Result<Vec<Action>> {
    let keys = match (record.text("entityType"), owner) {
        (Some(item::ENTITY), _) if item::is_item(record) => {
            vec![unique::merge_key(owner, &item::from_record(record)?.details)]
        }
        (Some(product::ENTITY), _) => {
            let details = product::from_record(record)?.details;
            let codes = details.barcodes.iter().map(|code| unique::barcode(owner, code));
            codes.chain([unique::product_name(owner, &details.name)]).collect()
        }
        (Some(places::LOCATION_ENTITY), Owner::Household(household)) => {
            let location = places::location_from_record(record)?;
            vec![unique::location_name(household, location.name.as_str())]
        }
        (Some(places::STORE_ENTITY), Owner::Household(household)) => {
            vec![unique::store_name(household, places::store_from_record(record)?.name.as_str())]
        }
        (Some(notification::ENTITY), Owner::Household(household)) => {
            let told = notification::from_record(record)?;
            let of_item: ItemId = Fields(record).id("itemId")?;
            let of_product = told.product.map(|it| unique::open_stock_notification(household, it));
            let open = unique::open_notification(household, of_item, told.subject.kind());
            of_product.into_iter().chain([open]).collect()
        }
        _ => Vec::new(),
    };
    Ok(keys.iter().map(unique::UniqueKey::forget).collect())
}
