//! The whole list and what it takes to show it.

use std::collections::BTreeMap;

use larder_app::{App, AppError, Caller};
use larder_domain::{Item, ItemId, ShoppingFilter, ShoppingItem, ShoppingStatus, Store, StoreId};

use super::{entry::EntryView, suggestions::Suggestions};

/// So many entries are read at once.
const PAGE: usize = 200;

/// The whole list.
pub(super) struct Notepad {
    pub(super) entries: Vec<ShoppingItem>,
    pub(super) stores: Vec<Store>,
    pub(super) suggestions: Suggestions,
    /// The items that entries restock.
    linked: BTreeMap<ItemId, Item>,
}

/// What is to be bought in one shop.
pub(super) struct Group<'a> {
    /// `None`: in any.
    pub(super) store: Option<&'a Store>,
    pub(super) entries: Vec<EntryView>,
}

impl Group<'_> {
    /// The id of the shop; empty for any.
    pub(super) fn id(&self) -> String {
        self.store.map(|store| store.id.to_string()).unwrap_or_default()
    }
}

impl Notepad {
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

    /// An entry as it is shown.
    pub(super) fn view(&self, entry: &ShoppingItem) -> EntryView {
        let item = entry.item.and_then(|id| self.linked.get(&id));
        EntryView::of(entry, item.map(|item| &item.details.unit))
    }

    /// What is still to be bought, by shop: those of a shop by its name, the rest last. Also of shops where nothing
    /// is to be bought, which are there for what is added without a signal.
    pub(super) fn groups(&self) -> Vec<Group<'_>> {
        let mut shops: Vec<_> = self.stores.iter().collect();
        shops.sort_by_key(|store| store.name.as_str());
        let shops = shops.into_iter().map(Some).chain([None]);
        shops
            .map(|store| Group { store, entries: self.pending_in(store.map(|store| store.id)) })
            .collect()
    }

    fn pending_in(&self, store: Option<StoreId>) -> Vec<EntryView> {
        // An entry whose shop has just been closed is nowhere in particular.
        let shop_of = |entry: &ShoppingItem| {
            entry.details.store.filter(|id| self.stores.iter().any(|store| store.id == *id))
        };
        let pending = self.entries.iter().filter(|entry| entry.status == ShoppingStatus::Pending);
        pending.filter(|entry| shop_of(entry) == store).map(|entry| self.view(entry)).collect()
    }

    /// What was bought.
    pub(super) fn bought(&self) -> Vec<EntryView> {
        let bought = self.entries.iter().filter(|entry| entry.status == ShoppingStatus::Purchased);
        bought.map(|entry| self.view(entry)).collect()
    }
}

/// All entries in the order in which they were added.
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

/// The item, if it is still there.
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
