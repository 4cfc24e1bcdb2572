//! The shopping list: pending, purchased and free-text entries, and entries of deleted items.

use larder_domain::{
    ItemId, ShoppingChange, ShoppingDetails, ShoppingItem, ShoppingItemId, ShoppingNotes,
    ShoppingQuantity, ShoppingStatus, StoreId,
};
use larder_storage::{
    AddShoppingItem, ChangeShoppingItem, Inventory, ShoppingList, StorageError, Write,
};
use larder_storage_item::{ReadingEngine, RecordEngine};

use super::{HOME, KEN, MARKET, MIA, MILK, OATS, RICE, SOAP, Scenario, home};
use crate::sample::to_buy;

const OF_MILK: ShoppingItemId = entry(1);
const OF_RICE: ShoppingItemId = entry(2);
const CAKE: ShoppingItemId = entry(3);
const OF_SOAP: ShoppingItemId = entry(4);
const OF_OATS: ShoppingItemId = entry(5);
const TWIN: ShoppingItemId = entry(6);

const fn entry(number: u128) -> ShoppingItemId {
    ShoppingItemId::fixed(0x7777_7777_7777_4777_8777_7777_7777_0000 + number)
}

fn details(name: &str, store: Option<StoreId>, count: u64, notes: &str) -> ShoppingDetails {
    ShoppingDetails {
        store,
        quantity: Some(ShoppingQuantity::new(count).unwrap()),
        notes: ShoppingNotes::parse(notes).unwrap(),
        ..to_buy(name)
    }
}

impl<E: RecordEngine + ReadingEngine> Scenario<E> {
    /// The examples of seed 001: pending, purchased and free text; and one with only a name.
    pub(super) async fn make_list(&self) {
        let claim = self.claim("list milk");
        let towels = details("Paper Towels", Some(MARKET), 2, "Prefer double-roll");
        self.put_on_list(OF_MILK, Some(MILK), towels, self.claimed(&claim)).await;
        let milk = details("Milk", Some(MARKET), 1, "");
        self.put_on_list(OF_RICE, Some(RICE), milk, self.write()).await;
        self.set_status(OF_RICE, 1, ShoppingStatus::Purchased).await;
        let cake = details("Birthday cake", None, 1, "For Sarah's party on Saturday");
        self.put_on_list(CAKE, None, cake, self.write()).await;
        self.put_on_list(OF_SOAP, Some(SOAP), to_buy("Soap"), self.write()).await;
        self.put_on_list(OF_OATS, Some(OATS), to_buy("Oats"), self.write()).await;
        self.put_on_list(TWIN, Some(MILK), to_buy("More towels"), self.write()).await;
    }

    /// Checked off, unchecked and removed; and the deletion of an item that was stopped after its first
    /// transaction.
    pub(super) async fn change_list(&self) {
        self.set_status(OF_MILK, 1, ShoppingStatus::Purchased).await;
        self.set_status(OF_RICE, 2, ShoppingStatus::Pending).await;
        let removed = self.store.delete_shopping_item(home(MIA), TWIN, self.write()).await;
        assert!(removed.unwrap(), "it is on the list");

        let inventory = home(MIA).inventory();
        let deleting = self.store.delete_item(inventory, OATS, None, self.write());
        let deleted = self.stopped_after_one(deleting).await;
        assert!(matches!(deleted, Err(StorageError::Unavailable(_))), "{deleted:?}");
        let gone = self.store.find_item(inventory, OATS).await.unwrap();
        assert_eq!(gone, None, "the first transaction takes the item");
    }

    async fn put_on_list(
        &self,
        id: ShoppingItemId,
        item: Option<ItemId>,
        details: ShoppingDetails,
        write: Write<'_>,
    ) {
        let entry = ShoppingItem::new(id, HOME, item, details, KEN, write.at);
        let added = self.store.add_shopping_item(home(KEN), &entry, true, write).await.unwrap();
        assert_eq!(added, AddShoppingItem::Added(entry));
    }

    async fn set_status(&self, id: ShoppingItemId, version: u64, status: ShoppingStatus) {
        let change = ShoppingChange::Status(status);
        let answer =
            self.store.change_shopping_item(home(MIA), id, version, &change, self.write()).await;
        assert!(matches!(answer.unwrap(), ChangeShoppingItem::Changed(_)), "the version is right");
    }
}
