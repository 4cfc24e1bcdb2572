//! The whole list with everything needed to show it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use larder_app::{App, AppError, Caller};
use larder_domain::{
    Item, ItemId, ShoppingFilter, ShoppingItem, ShoppingStatus, Store, StoreChoice, StoreId,
    text::fold,
};

use super::{
    entry::EntryView,
    suggestions::{Suggestions, Tile},
};

/// The number of entries per read.
const PAGE: usize = 200;

/// The whole list.
pub(super) struct ShoppingListView {
    pub(super) entries: Vec<ShoppingItem>,
    pub(super) stores: Vec<Store>,
    pub(super) suggestions: Suggestions,
    /// The linked items.
    linked: BTreeMap<ItemId, Item>,
}

/// The pending entries of one shop.
pub(super) struct Group<'a> {
    /// `None`: any shop.
    pub(super) store: Option<&'a Store>,
    pub(super) entries: Vec<EntryView>,
}

impl Group<'_> {
    /// Whether it is shown while this shop is chosen: what is for any shop always is.
    pub(super) fn is_shown(&self, chosen: Option<StoreChoice>) -> bool {
        match (chosen, self.store) {
            (None, _) | (_, None) => true,
            (Some(StoreChoice::Store(id)), Some(store)) => store.id == id,
            (Some(StoreChoice::Unassigned), Some(_)) => false,
        }
    }

    /// The id of the shop; empty for any.
    pub(super) fn id(&self) -> String {
        self.store.map(|store| store.id.to_string()).unwrap_or_default()
    }
}

impl ShoppingListView {
    pub(super) async fn read(app: &App, caller: &Caller) -> Result<Self, AppError> {
        let entries = read_entries(app, caller).await?;
        let stores = app.stores(caller).await?;
        let suggestions = Suggestions::read(app, caller).await?;
        let mut linked = BTreeMap::new();
        for id in entries.iter().filter_map(|entry| entry.item) {
            if linked.contains_key(&id) {
                continue;
            }
            let known = suggestions.items().find(|item| item.id == id).cloned();
            let item = match known {
                Some(item) => Some(item),
                None => find_item(app, caller, id).await?,
            };
            linked.extend(item.map(|item| (id, item)));
        }
        Ok(Self { entries, stores, suggestions, linked })
    }

    pub(super) fn view(&self, entry: &ShoppingItem) -> EntryView {
        let item = entry.item.and_then(|id| self.linked.get(&id));
        EntryView::of(entry, item.map(|item| &item.details.unit))
    }

    /// The pending entries by shop, in the order of shops; entries without one last. Includes shops
    /// without entries, for entries that are added offline.
    pub(super) fn groups(&self) -> Vec<Group<'_>> {
        let shops = self.stores.iter().map(Some).chain([None]);
        shops
            .map(|store| Group { store, entries: self.pending_in(store.map(|store| store.id)) })
            .collect()
    }

    fn pending_in(&self, store: Option<StoreId>) -> Vec<EntryView> {
        // An entry whose shop was just deleted has none.
        let shop_of = |entry: &ShoppingItem| {
            entry.details.store.filter(|id| self.stores.iter().any(|store| store.id == *id))
        };
        let pending = self.entries.iter().filter(|entry| entry.status == ShoppingStatus::Pending);
        pending.filter(|entry| shop_of(entry) == store).map(|entry| self.view(entry)).collect()
    }

    /// What to offer: nothing that is on the list already.
    pub(super) fn tiles(&self, now: Timestamp) -> Vec<Tile<'_>> {
        let listed = self.entries.iter().map(|entry| fold(entry.details.name.as_str()));
        let linked = self.linked.values().map(|item| item.details.merge_key().name);
        self.suggestions.tiles(listed.chain(linked).collect::<BTreeSet<_>>(), now)
    }

    /// The purchased entries.
    pub(super) fn bought(&self) -> Vec<EntryView> {
        let bought = self.entries.iter().filter(|entry| entry.status == ShoppingStatus::Purchased);
        bought.map(|entry| self.view(entry)).collect()
    }
}

/// All entries in the order of addition.
pub(super) async fn read_entries(
    app: &App,
    caller: &Caller,
) -> Result<Vec<ShoppingItem>, AppError> {
    let mut entries = Vec::new();
    let mut after = None;
    loop {
        let filter = ShoppingFilter::default();
        let page = app.shopping_list(caller, &filter, after.as_ref(), PAGE).await?;
        entries.extend(page.items);
        after = page.next;
        if after.is_none() {
            return Ok(entries);
        }
    }
}

/// The item, if it still exists.
pub(super) async fn find_item(
    app: &App,
    caller: &Caller,
    id: ItemId,
) -> Result<Option<Item>, AppError> {
    match app.item(caller, id).await {
        Ok(item) => Ok(Some(item)),
        Err(AppError::ItemNotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

/// One entry, with the unit of its item.
pub(super) async fn view_of(
    app: &App,
    caller: &Caller,
    entry: &ShoppingItem,
) -> Result<EntryView, AppError> {
    let item = match entry.item {
        Some(id) => find_item(app, caller, id).await?,
        None => None,
    };
    Ok(EntryView::of(entry, item.as_ref().map(|item| &item.details.unit)))
}
