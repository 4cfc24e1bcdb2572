//! The household's shopping list on every store, and the rules beside it.

use larder_domain::{
    ShoppingChange, ShoppingDetails, ShoppingFilter, ShoppingItem, ShoppingItemId, ShoppingName,
    ShoppingPatch, ShoppingPosition, ShoppingStatus, StoreChoice, StoreId,
};
use larder_storage::{AddShoppingItem, HouseholdScope, IdempotencyClaim, Result, Store};

use super::household::{Household, PAGE, Verdict, agree, index};

impl Household<'_> {
    pub(super) async fn list_something(
        &mut self,
        item: Option<u8>,
        shop: Option<u8>,
        force: bool,
        claim: Option<IdempotencyClaim>,
    ) -> Verdict {
        let (scope, write) = (self.scope, self.write_once(claim.as_ref()));
        let item = item.map(|item| self.item(item));
        // An unknown shop is used only with an existing item, so that there is one error at a time.
        let is_known = item.is_none_or(|item| self.model.find(item).is_some());
        let store = shop.and_then(|shop| self.shop(shop, is_known));
        let name = ShoppingName::parse("Something").unwrap();
        let details = ShoppingDetails { name, store, quantity: None, notes: None };
        let id = ShoppingItemId::from_random(self.random.bytes());
        let by = scope.actor();
        let entry = &ShoppingItem::new(id, scope.household(), item, details, by, write.at);
        let is_duplicate = !force
            && item.is_some_and(|item| {
                self.list
                    .list(&ShoppingFilter::default(), write.at)
                    .iter()
                    .any(|e| e.is_pending_for(item))
            });
        if is_duplicate && store.is_some_and(|store| !self.model.has_shop(store)) {
            return Ok(());
        }
        let list = &self.list;
        let answer = self
            .everywhere(|store| async move {
                let answer = store.add_shopping_item(scope, entry, force, write).await?;
                // If there are several duplicates, each store names one of them.
                Ok(match answer {
                    AddShoppingItem::Duplicate(twin)
                        if list.is_duplicate(&twin) && twin.item == entry.item =>
                    {
                        None
                    }
                    other => Some(other),
                })
            })
            .await?;
        if let Some(answer) = answer {
            let expected = match self.list.add(entry, force, &self.model, write) {
                AddShoppingItem::Duplicate(_) => None,
                other => Some(other),
            };
            if matches!(expected, Some(AddShoppingItem::Added(_))) {
                self.entries.push(id);
            }
            agree("the rules", &answer, &expected)?;
        }
        self.compare_key(claim.as_ref()).await
    }

    pub(super) async fn check(
        &mut self,
        entry: u8,
        status: ShoppingStatus,
        stale: bool,
    ) -> Verdict {
        self.change_entry(entry, ShoppingChange::Status(status), stale).await
    }

    pub(super) async fn reassign(&mut self, entry: u8, shop: Option<u8>) -> Verdict {
        let store = shop.and_then(|shop| self.shop(shop, true));
        let patch = ShoppingPatch { store: Some(store), ..ShoppingPatch::default() };
        self.change_entry(entry, ShoppingChange::Edit(patch), false).await
    }

    async fn change_entry(&mut self, entry: u8, change: ShoppingChange, stale: bool) -> Verdict {
        let (scope, id, write, change) = (self.scope, self.entry(entry), self.write(), &change);
        let current = self.list.find(id, write.at).map_or(1, |entry| entry.version);
        let version = current + u64::from(stale);
        let answer = self
            .everywhere(|store| store.change_shopping_item(scope, id, version, change, write))
            .await?;
        let expected = self.list.change(id, version, change, &self.model, write);
        agree("the rules", &answer, &Some(expected))
    }

    pub(super) async fn unlist(&mut self, entry: u8) -> Verdict {
        let (scope, id, write) = (self.scope, self.entry(entry), self.write());
        let answer = self.everywhere(|store| store.delete_shopping_item(scope, id, write)).await?;
        agree("the rules", &answer, &Some(self.list.delete(id, write)))
    }

    pub(super) async fn clear_purchased(&mut self) -> Verdict {
        let (scope, write) = (self.scope, self.write());
        let answer = self.everywhere(|store| store.clear_purchased(scope, write)).await?;
        agree("the rules", &answer, &Some(self.list.clear_purchased(write)))
    }

    /// Every part of the list in pages, and every entry that ever was.
    pub(super) async fn compare_list(&self) -> Verdict {
        let (scope, now) = (self.scope, self.now());
        for id in &self.entries {
            let found = self.everywhere(|store| store.find_shopping_item(scope, *id)).await?;
            agree("the rules", &found, &Some(self.list.find(*id, now).cloned()))?;
        }
        let shops = self.shops.iter().map(|shop| Some(StoreChoice::Store(*shop)));
        for store in shops.chain([Some(StoreChoice::Unassigned), None]) {
            for status in [None, Some(ShoppingStatus::Pending), Some(ShoppingStatus::Purchased)] {
                let filter = &ShoppingFilter { store, status };
                let shown = self.everywhere(|store| list(&**store, scope, filter)).await?;
                agree("the rules", &shown, &Some(self.list.list(filter, now)))?;
            }
        }
        Ok(())
    }

    /// Includes deleted and unknown entries.
    fn entry(&mut self, number: u8) -> ShoppingItemId {
        match index(number, self.entries.len() + 1) {
            Some(at) if at < self.entries.len() => self.entries[at],
            _ => ShoppingItemId::from_random(self.random.bytes()),
        }
    }

    /// If `allowed`, also an unknown shop.
    fn shop(&mut self, number: u8, allowed: bool) -> Option<StoreId> {
        match index(number, self.shops.len() + 1) {
            Some(at) if at < self.shops.len() => Some(self.shops[at]),
            _ => allowed.then(|| StoreId::from_random(self.random.bytes())),
        }
    }
}

async fn list(
    store: &dyn Store,
    scope: HouseholdScope,
    filter: &ShoppingFilter,
) -> Result<Vec<ShoppingItem>> {
    let (mut entries, mut after): (_, Option<ShoppingPosition>) = (Vec::new(), None);
    loop {
        let page = store.list_shopping_items(scope, filter, after.as_ref(), PAGE).await?;
        entries.extend(page.items);
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok(entries),
        }
    }
}
