//! Entries of shopping lists.

use larder_domain::{
    ItemId, ShoppingChange, ShoppingDetails, ShoppingFilter, ShoppingItem, ShoppingItemId,
    ShoppingPosition, ShoppingStatus,
};
use larder_storage::{AddShoppingItem, ChangeShoppingItem, HouseholdScope};

use super::StoreHarness;

impl StoreHarness {
    pub(crate) fn shopping_item_id(&self) -> ShoppingItemId {
        ShoppingItemId::from_random(self.bytes())
    }

    /// An entry that is not on the list yet.
    pub(crate) fn entry(
        &self,
        scope: HouseholdScope,
        item: Option<ItemId>,
        details: ShoppingDetails,
    ) -> ShoppingItem {
        let (id, household, by) = (self.shopping_item_id(), scope.household(), scope.actor());
        ShoppingItem::new(id, household, item, details, by, self.now())
    }

    /// Adds an entry to the list.
    pub(crate) async fn put_on_list(
        &self,
        scope: HouseholdScope,
        item: Option<ItemId>,
        details: ShoppingDetails,
    ) -> ShoppingItem {
        let write = self.write();
        let entry = self.entry(scope, item, details);
        let added = self.store.add_shopping_item(scope, &entry, true, write).await.unwrap();
        assert_eq!(added, AddShoppingItem::Added(entry.clone()));
        entry
    }

    /// Tries to add an entry for an item without insisting.
    pub(crate) async fn try_to_list(
        &self,
        scope: HouseholdScope,
        item: ItemId,
        details: ShoppingDetails,
    ) -> AddShoppingItem {
        let write = self.write();
        let entry = self.entry(scope, Some(item), details);
        self.store.add_shopping_item(scope, &entry, false, write).await.unwrap()
    }

    /// The entry after a change that succeeds.
    pub(crate) async fn change_entry(
        &self,
        scope: HouseholdScope,
        entry: &ShoppingItem,
        change: &ShoppingChange,
    ) -> ShoppingItem {
        let write = self.write();
        let store = &self.store;
        let answer = store
            .change_shopping_item(scope, entry.id, entry.version, change, write)
            .await
            .unwrap();
        let changed = entry.changed(change, write.at);
        assert_eq!(answer, ChangeShoppingItem::Changed(changed.clone()));
        changed
    }

    pub(crate) async fn check_off(
        &self,
        scope: HouseholdScope,
        entry: &ShoppingItem,
    ) -> ShoppingItem {
        self.change_entry(scope, entry, &ShoppingChange::Status(ShoppingStatus::Purchased)).await
    }

    pub(crate) async fn uncheck(
        &self,
        scope: HouseholdScope,
        entry: &ShoppingItem,
    ) -> ShoppingItem {
        self.change_entry(scope, entry, &ShoppingChange::Status(ShoppingStatus::Pending)).await
    }

    pub(crate) async fn find_entry(
        &self,
        scope: HouseholdScope,
        id: ShoppingItemId,
    ) -> Option<ShoppingItem> {
        self.store.find_shopping_item(scope, id).await.unwrap()
    }

    /// A whole list, read page by page; checks the rules of paging.
    pub(crate) async fn shopping_list(
        &self,
        scope: HouseholdScope,
        filter: &ShoppingFilter,
        limit: usize,
    ) -> Vec<ShoppingItem> {
        let mut entries = Vec::new();
        let mut after: Option<ShoppingPosition> = None;
        loop {
            let page = self.store.list_shopping_items(scope, filter, after.as_ref(), limit);
            let page = page.await.unwrap();
            assert!(page.items.len() <= limit, "a page holds at most what was asked for");
            assert!(
                page.next.is_none() || !page.items.is_empty(),
                "no page is empty while more follow"
            );
            entries.extend(page.items);
            match page.next {
                Some(next) => after = Some(next),
                None => return entries,
            }
        }
    }

    /// Until the whole list is exactly this, in this order.
    pub(crate) async fn expect_shopping_list(
        &self,
        scope: HouseholdScope,
        expected: &[ShoppingItem],
    ) {
        let expected = expected.to_vec();
        let all = ShoppingFilter::default();
        self.eventually(&expected, async || self.shopping_list(scope, &all, 50).await).await;
    }
}
