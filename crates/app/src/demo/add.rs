//! Making demo data.

use std::collections::{BTreeMap, HashSet};

use larder_domain::{
    AttributeValue, Attributes, Delta, Item, ItemDetails, ItemFilter, ItemId, ItemSort, Language,
    LocationName, MergeKey, Quantity, ResourceType, ShoppingDetails, ShoppingItem, ShoppingName,
    ShoppingQuantity, StorageLocation, StorageLocationId, Store, StoreId, StoreName, UniqueKeys,
};
use larder_storage::{AddShoppingItem, AddedItem, HouseholdScope, SavePlace};

use super::{
    goods::{ITEMS, LOCATIONS, RECORD, STORES, THINGS, WISHES, broken},
    record::{DemoRecord, record_urn},
};
use crate::{App, AppError, Caller, NewResource, NewUrn, Result, authorize};

/// How many items are read at once.
const PAGE: usize = 200;

/// The ids of created entities, by their index in the tables.
type Made<T> = Vec<Option<T>>;

impl App {
    /// Fills the caller's household with demo data, unless it has some; admins only. Existing
    /// entities of the same name stay the household's own, and are not part of it.
    pub async fn add_demo(&self, caller: &Caller, language: Language) -> Result<()> {
        let scope = authorize::administration(caller)?;
        if self.has_demo(caller).await? {
            return Ok(());
        }
        let record = self.plan_demo()?;
        let new = NewResource {
            urn: NewUrn::Given(record_urn(scope.household())?),
            parent: None,
            unique_keys: UniqueKeys::default(),
            attributes: record.to_attributes(RECORD.get(language))?,
        };
        match self.create_resource(caller, new, None).await {
            // A concurrent request was first.
            Err(AppError::ResourceExists) => return Ok(()),
            created => created?,
        };
        let stores = self.add_demo_stores(scope, language, &record).await?;
        let locations = self.add_demo_locations(scope, language, &record).await?;
        let items = self.add_demo_items(caller, language, &record, &locations, &stores).await?;
        self.add_demo_wishes(scope, language, &record, &items, &stores).await?;
        self.add_demo_things(caller, language, &record).await
    }

    fn plan_demo(&self) -> Result<DemoRecord> {
        let now = self.now();
        let urn = |kind| Ok(self.fresh_urn(ResourceType::parse(kind).map_err(broken)?, now));
        Ok(DemoRecord {
            stores: STORES.iter().map(|_| self.entropy.id()).collect(),
            locations: LOCATIONS.iter().map(|_| self.entropy.id()).collect(),
            items: ITEMS.iter().map(|_| self.entropy.id()).collect(),
            wishes: WISHES.iter().map(|_| self.entropy.id()).collect(),
            things: THINGS.iter().map(|thing| urn(thing.kind)).collect::<Result<_>>()?,
        })
    }

    async fn add_demo_stores(
        &self,
        scope: HouseholdScope,
        language: Language,
        record: &DemoRecord,
    ) -> Result<Made<StoreId>> {
        let mut made = Vec::new();
        for (name, &id) in STORES.iter().zip(&record.stores) {
            let name = StoreName::parse(name.get(language)).map_err(broken)?;
            let store = Store { id, name, address: None, sort_order: None };
            let saved = self.storage.add_store(scope, &store, self.write(None)).await?;
            made.push(matches!(saved, SavePlace::Saved(_)).then_some(id));
        }
        Ok(made)
    }

    async fn add_demo_locations(
        &self,
        scope: HouseholdScope,
        language: Language,
        record: &DemoRecord,
    ) -> Result<Made<StorageLocationId>> {
        let mut made = Vec::new();
        for (name, &id) in LOCATIONS.iter().zip(&record.locations) {
            let name = LocationName::parse(name.get(language)).map_err(broken)?;
            let location = StorageLocation { id, name, device: None };
            let saved = self.storage.add_location(scope, &location, self.write(None)).await?;
            made.push(matches!(saved, SavePlace::Saved(_)).then_some(id));
        }
        Ok(made)
    }

    async fn add_demo_items(
        &self,
        caller: &Caller,
        language: Language,
        record: &DemoRecord,
        locations: &[Option<StorageLocationId>],
        stores: &[Option<StoreId>],
    ) -> Result<Made<ItemId>> {
        let there = self.merge_keys(caller).await?;
        let today = caller.today(self.now());
        let mut made = Vec::new();
        for (good, &id) in ITEMS.iter().zip(&record.items) {
            let details = good.details(language, today, locations, stores)?;
            // It would be merged into the household's own item, and become indistinguishable.
            if there.contains(&details.merge_key()) {
                made.push(None);
                continue;
            }
            let added = self.add_item_as(id, caller, details.clone(), None).await?;
            let AddedItem { item, merged: is_merged } = added;
            if is_merged {
                self.take_back(caller, &item, &details).await?;
            }
            made.push((!is_merged).then_some(id));
        }
        Ok(made)
    }

    /// The same item was added since the items were read: subtracts what was merged into it.
    async fn take_back(&self, caller: &Caller, item: &Item, added: &ItemDetails) -> Result<()> {
        let amount = added.unit.convert(added.quantity, &item.details.unit);
        let hundredths = amount.map_or(0, Quantity::hundredths);
        if let Ok(delta) = Delta::from_hundredths(-hundredths) {
            self.adjust_item(caller, item.id, delta, None).await?;
        }
        Ok(())
    }

    /// The merge identities of existing items.
    async fn merge_keys(&self, caller: &Caller) -> Result<HashSet<MergeKey>> {
        let filter = ItemFilter { include_depleted: true, ..ItemFilter::default() };
        let sort = ItemSort::default();
        let (mut keys, mut after) = (HashSet::new(), None);
        loop {
            let page = self.list_items(caller, &filter, sort, after.as_ref(), PAGE).await?;
            keys.extend(page.items.iter().map(|item| item.details.merge_key()));
            match page.next {
                None => return Ok(keys),
                next => after = next,
            }
        }
    }

    async fn add_demo_wishes(
        &self,
        scope: HouseholdScope,
        language: Language,
        record: &DemoRecord,
        items: &[Option<ItemId>],
        stores: &[Option<StoreId>],
    ) -> Result<()> {
        for (wish, &id) in WISHES.iter().zip(&record.wishes) {
            let details = ShoppingDetails {
                name: ShoppingName::parse(wish.name.get(language)).map_err(broken)?,
                store: wish.store.and_then(|at| stores[at]),
                quantity: Some(ShoppingQuantity::new(wish.count).map_err(broken)?),
                notes: None,
            };
            let item = wish.item.and_then(|at| items[at]);
            let write = self.write(None);
            let entry =
                ShoppingItem::new(id, scope.household(), item, details, scope.actor(), write.at);
            match self.storage.add_shopping_item(scope, &entry, false, write).await? {
                AddShoppingItem::Added(_) => {}
                refused => tracing::debug!(?refused, "demo data skipped"),
            }
        }
        Ok(())
    }

    async fn add_demo_things(
        &self,
        caller: &Caller,
        language: Language,
        record: &DemoRecord,
    ) -> Result<()> {
        for (thing, urn) in THINGS.iter().zip(&record.things) {
            let name = AttributeValue::Text(thing.name.get(language).to_owned());
            let new = NewResource {
                urn: NewUrn::Given(urn.clone()),
                parent: thing.within.map(|at| record.things[at].clone()),
                unique_keys: UniqueKeys::default(),
                attributes: Attributes::new(BTreeMap::from([("name".to_owned(), name)]))
                    .map_err(broken)?,
            };
            self.create_resource(caller, new, None).await?;
        }
        Ok(())
    }
}
