//! One household on every store at once, and the rules beside it.

use std::fmt::Debug;
use std::future::Future;
use std::sync::Arc;

use jiff::civil::{Date, date};
use jiff::{SignedDuration, Timestamp};
use larder_domain::{
    AutoList, Change, Currency, Delta, Email, Expiring, HouseholdName, HouseholdPatch, InviteCode,
    Item, ItemDetails, ItemFilter, ItemId, ItemSort, LocationName, LowProducts, NfcUrl,
    Notification, NotificationId, OpenedItem, Opening, PURCHASED_LIFETIME, PersonName, Quantity,
    Resource, SearchTerm, ShoppingItem, ShoppingItemId, StorageLocation, StorageLocationId,
    Store as Shop, StoreId, StoreName, User, UserId, Zone,
};
use larder_storage::{
    AddedItem, AdjustedItem, Admission, Clock as _, CreateHousehold, CreateUser, HouseholdScope,
    IdempotencyClaim, IdempotencyKey, NewUser, ReplaceItem, Replay, Result, RotatedTag, SavePlace,
    StorageError, Store, StoredResult, Write,
};
use larder_storage_testkit::{InventoryModel, Random, ShoppingModel};

use super::commands::{Command, Details};
use super::stores::Stores;
use super::tags::Tag;

pub(super) const TODAY: Date = date(2031, 1, 1);
pub(super) const PAGE: usize = 3;
/// More than one sequence of commands creates.
pub(super) const ALL: usize = 1000;

/// A household that exists on every store with the same ids.
pub(super) struct Household<'a> {
    stores: &'a Stores,
    pub(super) random: Random,
    pub(super) scope: HouseholdScope,
    home: larder_domain::Household,
    pub(super) model: InventoryModel,
    pub(super) list: ShoppingModel,
    pub(super) items: Vec<ItemId>,
    locations: Vec<StorageLocationId>,
    pub(super) shops: Vec<StoreId>,
    pub(super) entries: Vec<ShoppingItemId>,
    pub(super) tags: Vec<Tag>,
    pub(super) notifications: Vec<NotificationId>,
}

pub(super) type Verdict = Result<(), String>;

impl<'a> Household<'a> {
    pub(super) async fn found(stores: &'a Stores, seed: u64) -> Self {
        // Mixed once, because neighbouring seeds give sequences that overlap.
        let mut random = Random::new(Random::new(seed).bits());
        let admin = new_user(&mut random);
        let home = larder_domain::Household {
            id: larder_domain::HouseholdId::from_random(random.bytes()),
            name: HouseholdName::parse("Home").unwrap(),
            zone: Zone::parse("Asia/Tokyo").unwrap(),
            currency: Currency::EURO,
            auto_list: AutoList::ON,
            invite_code: InviteCode::from_random(random.bytes()),
            created_by: admin.id,
            created_at: stores.clock.now(),
        };
        let scope = HouseholdScope::assume_authorized(home.id, admin.id);
        let household = Self {
            stores,
            random,
            scope,
            home,
            model: InventoryModel::default(),
            list: ShoppingModel::default(),
            items: Vec::new(),
            locations: Vec::new(),
            shops: Vec::new(),
            entries: Vec::new(),
            tags: Vec::new(),
            notifications: Vec::new(),
        };
        let user = household.register(&admin).await;
        let (home, write) = (&household.home, household.write());
        let founded = household
            .everywhere(|store| {
                let user = &user;
                async move { store.create_household(home, user, false, write).await }
            })
            .await;
        assert_eq!(founded, Ok(Some(CreateHousehold::Created)));
        household
    }

    /// Runs a command on every store. An error names the store that answered differently.
    pub(super) async fn obey(&mut self, command: &Command) -> Verdict {
        match command {
            Command::Add { details, key } => self.add(details, self.claim(*key, command)).await,
            Command::Adjust { item, hundredths, key } => {
                let delta = Delta::from_hundredths(*hundredths).unwrap();
                self.adjust(*item, delta, self.claim(*key, command)).await
            }
            Command::Replace { item, details, stale, merge } => {
                self.replace(*item, details, *stale, *merge).await
            }
            Command::Delete { item } => {
                let (inventory, id, write) =
                    (self.scope.inventory(), self.item(*item), self.write());
                let answer =
                    self.everywhere(|store| store.delete_item(inventory, id, None, write)).await?;
                self.list.unlink(id, write);
                agree("the rules", &answer, &Some(self.model.delete(id, None)))
            }
            Command::Open { item, hundredths, key } => {
                let part = hundredths.map(|it| Quantity::from_hundredths(it.into()).unwrap());
                self.open(*item, part, self.claim(*key, command)).await
            }
            Command::AddLocation { name } => self.add_location(name).await,
            Command::DeleteLocation { place } => self.delete_location(*place).await,
            Command::AddShop { name } => self.add_shop(name).await,
            Command::DeleteShop { place } => self.delete_shop(*place).await,
            Command::Rename { name } => {
                let (scope, write) = (self.scope, self.write());
                let name = Some(HouseholdName::parse(name).unwrap());
                let patch = &HouseholdPatch { name, ..HouseholdPatch::default() };
                self.everywhere(|store| store.update_household(scope, patch, write)).await?;
                Ok(())
            }
            Command::List { item, shop, force, key } => {
                self.list_something(*item, *shop, *force, self.claim(*key, command)).await
            }
            Command::Check { entry, status, stale } => self.check(*entry, *status, *stale).await,
            Command::Reassign { entry, shop } => self.reassign(*entry, *shop).await,
            Command::Unlist { entry } => self.unlist(*entry).await,
            Command::ClearPurchased => self.clear_purchased().await,
            Command::AddTag { item, step, key } => {
                self.add_tag(*item, step, self.claim(*key, command)).await
            }
            Command::RotateTag { tag, key } => {
                self.rotate_tag(*tag, self.claim(*key, command)).await
            }
            Command::ChangeTag { tag, step } => self.change_tag(*tag, step).await,
            Command::DeleteTag { tag } => self.delete_tag(*tag).await,
            Command::Tap { tag, direction, nonce } => self.tap(*tag, *direction, *nonce).await,
            Command::Settle { item, occasion } => self.settle(*item, *occasion).await,
            Command::Acknowledge { notification } => self.acknowledge(*notification).await,
            Command::WaitAWeek { minutes } => {
                self.stores.clock.advance(PURCHASED_LIFETIME + SignedDuration::from_mins(*minutes));
                Ok(())
            }
            Command::JoinAndLeave => self.join_and_leave().await,
            Command::Wait { minutes } => {
                self.stores.clock.advance(SignedDuration::from_mins(*minutes));
                Ok(())
            }
        }
    }

    async fn add(&mut self, details: &Details, claim: Option<IdempotencyClaim>) -> Verdict {
        let (inventory, by, write) =
            (self.scope.inventory(), self.scope.actor(), self.write_once(claim.as_ref()));
        let id = ItemId::from_random(self.random.bytes());
        self.items.push(id);
        let item = &Item::new(id, inventory.owner(), self.details(details), by, write.at);
        let answer = self.everywhere(|store| store.add_item(inventory, item, write)).await?;
        if let Some(answer) = &answer {
            agree("the rules", answer, &self.model.add(item, by, write))?;
        }
        self.compare_key(claim.as_ref()).await
    }

    async fn adjust(&mut self, item: u8, delta: Delta, claim: Option<IdempotencyClaim>) -> Verdict {
        let (inventory, by, write) =
            (self.scope.inventory(), self.scope.actor(), self.write_once(claim.as_ref()));
        let id = self.item(item);
        let answer =
            self.everywhere(|store| store.adjust_item(inventory, id, delta, write)).await?;
        if let Some(answer) = &answer {
            agree("the rules", answer, &self.model.adjust(id, delta, by, write))?;
        }
        self.compare_key(claim.as_ref()).await
    }

    async fn replace(&mut self, item: u8, details: &Details, stale: bool, merge: bool) -> Verdict {
        let (inventory, by, write) = (self.scope.inventory(), self.scope.actor(), self.write());
        let (id, details) = (self.item(item), &self.details(details));
        let current = self.model.find(id).map_or(1, |item| item.version);
        let version = current + u64::from(stale);
        let answer = self
            .everywhere(|store| store.replace_item(inventory, id, version, details, merge, write))
            .await?;
        let expected = self.model.replace(id, version, details, merge, by, write);
        if matches!(expected, ReplaceItem::Merged(_)) {
            self.list.unlink(id, write);
        }
        agree("the rules", &answer, &Some(expected))
    }

    /// As the app does it: in place if the date stays the same, otherwise as a lot of its own.
    async fn open(
        &mut self,
        item: u8,
        part: Option<Quantity>,
        claim: Option<IdempotencyClaim>,
    ) -> Verdict {
        let (inventory, by, write) =
            (self.scope.inventory(), self.scope.actor(), self.write_once(claim.as_ref()));
        let id = self.item(item);
        let Some(current) = self.model.find(id).cloned() else { return Ok(()) };
        match current.details.open(part, TODAY) {
            Err(_) | Ok(Opening::Nothing) => return Ok(()),
            Ok(Opening::Whole(details)) => {
                let (version, details) = (current.version, &details);
                let answer = self
                    .everywhere(|it| it.replace_item(inventory, id, version, details, false, write))
                    .await?;
                if let Some(answer) = &answer {
                    let expected = self.model.replace(id, version, details, false, by, write);
                    agree("the rules", answer, &expected)?;
                }
            }
            Ok(Opening::Part { rest, opened }) => {
                let id = ItemId::from_random(self.random.bytes());
                self.items.push(id);
                let rest = &current.changed(rest, by, write.at);
                let lot = &Item::new(id, inventory.owner(), opened, by, write.at);
                let answer =
                    self.everywhere(|store| store.split_item(inventory, rest, lot, write)).await?;
                if let Some(answer) = &answer {
                    agree("the rules", answer, &self.model.split(rest, lot, by, write))?;
                }
            }
        }
        self.compare_key(claim.as_ref()).await
    }

    async fn add_location(&mut self, name: &str) -> Verdict {
        let (scope, write) = (self.scope, self.write());
        let id = StorageLocationId::from_random(self.random.bytes());
        let name = LocationName::parse(name).unwrap();
        let location = &StorageLocation { id, name, device: None };
        let answer = self.everywhere(|store| store.add_location(scope, location, write)).await?;
        if let Some(SavePlace::Saved(_)) = answer {
            self.locations.push(id);
            self.model.add_location(id);
        }
        Ok(())
    }

    async fn delete_location(&mut self, place: u8) -> Verdict {
        let (scope, write) = (self.scope, self.write());
        let Some(at) = index(place, self.locations.len()) else { return Ok(()) };
        let id = self.locations.remove(at);
        self.everywhere(|store| store.delete_location(scope, id, write)).await?;
        self.model.remove_location(id, scope.actor(), write);
        Ok(())
    }

    async fn add_shop(&mut self, name: &str) -> Verdict {
        let (scope, write) = (self.scope, self.write());
        let id = StoreId::from_random(self.random.bytes());
        let shop =
            &Shop { id, name: StoreName::parse(name).unwrap(), address: None, sort_order: None };
        let answer = self.everywhere(|store| store.add_store(scope, shop, write)).await?;
        if let Some(SavePlace::Saved(_)) = answer {
            self.shops.push(id);
            self.model.add_store(id);
        }
        Ok(())
    }

    async fn delete_shop(&mut self, place: u8) -> Verdict {
        let (scope, write) = (self.scope, self.write());
        let Some(at) = index(place, self.shops.len()) else { return Ok(()) };
        let id = self.shops.remove(at);
        self.everywhere(|store| store.delete_store(scope, id, write)).await?;
        self.model.remove_store(id, scope.actor(), write);
        self.list.remove_store(id, write);
        Ok(())
    }

    /// Everything that can be read, on every store: items, lists in pages, places, members, history, changes.
    pub(super) async fn compare_everything(&self) -> Verdict {
        let (scope, inventory) = (self.scope, self.scope.inventory());
        self.compare_list().await?;
        self.compare_tags().await?;
        for id in &self.items {
            let found = self.everywhere(|store| store.find_item(inventory, *id)).await?;
            agree("the rules", &found, &Some(self.model.find(*id).cloned()))?;
            self.everywhere(|store| async move {
                let history = store.item_history(inventory, *id, None, ALL).await?;
                Ok(history.items.into_iter().map(|c| (c.at, c.by, c.versions)).collect::<Vec<_>>())
            })
            .await?;
        }
        let low = self.everywhere(|store| store.low_products(inventory)).await?;
        agree("the rules", &low, &Some(self.model.low_products()))?;
        for filter in filters(self.model.low_products()) {
            for sort in [ItemSort::Created, ItemSort::Name, ItemSort::Expiration] {
                let filter = &filter;
                let shown = self
                    .everywhere(|store| async move { list(store, inventory, filter, sort).await });
                let expected = self.model.list(filter, TODAY, sort);
                agree("the rules", &shown.await?, &Some(expected))?;
            }
        }
        self.everywhere(|store| store.list_locations(scope)).await?;
        self.everywhere(|store| store.list_stores(scope)).await?;
        self.everywhere(|store| store.list_members(scope)).await?;
        self.everywhere(|store| store.find_household(scope)).await?;
        self.everywhere(|store| async move {
            let changes = store.changes_after(inventory, 0, ALL).await?.expect("nothing is swept");
            let mut told: Vec<(_, _, Change)> =
                changes.changes.into_iter().map(|c| (c.at, c.by, c.change)).collect();
            // Within one transaction, each store has an order of its own.
            told.sort_by_key(|(at, _, change)| (*at, format!("{change:?}")));
            Ok(told)
        })
        .await?;
        Ok(())
    }

    async fn join_and_leave(&mut self) -> Verdict {
        let guest = new_user(&mut self.random);
        let user = &self.register(&guest).await;
        let (id, invite_code) = (self.home.id, &self.home.invite_code);
        let write = self.write();
        self.everywhere(|store| store.join_household(id, invite_code, user, false, write)).await?;
        let scope = HouseholdScope::assume_authorized(id, guest.id);
        let (write, code) = (self.write(), &InviteCode::from_random(self.random.bytes()));
        self.everywhere(|store| store.remove_member(scope, guest.id, code, write)).await?;
        self.home.invite_code = code.clone();
        Ok(())
    }

    /// Compares the stored result of a claim's key.
    pub(super) async fn compare_key(&self, claim: Option<&IdempotencyClaim>) -> Verdict {
        let (Some(claim), user) = (claim, self.scope.actor()) else { return Ok(()) };
        self.everywhere(|store| async move {
            let found = store.find_idempotent(user, &claim.key).await?;
            found.map(|found| Ok((found.request_hash, replayed(&found.result)?))).transpose()
        })
        .await?;
        Ok(())
    }

    async fn register(&self, new: &NewUser) -> User {
        let at = self.write().at;
        let created = self.everywhere(|store| store.create_user(new, at)).await;
        assert_eq!(created, Ok(Some(CreateUser::Created)));
        let found = self.everywhere(|store| store.find_user(new.id)).await;
        found.unwrap().flatten().expect("the user is registered")
    }

    /// Calls every store. They must answer alike; `None` if the idempotency key was used before.
    pub(super) async fn everywhere<T: Debug + PartialEq, F: Future<Output = Result<T>>>(
        &self,
        ask: impl Fn(&'a Arc<dyn Store>) -> F,
    ) -> Result<Option<T>, String> {
        let ask = &ask;
        let ask_once = |store| async move {
            match ask(store).await {
                Ok(answer) => Ok(Some(answer)),
                Err(StorageError::IdempotencyKeyUsed) => Ok(None),
                Err(error) => Err(error),
            }
        };
        self.stores.everywhere(ask_once).await
    }

    pub(super) fn now(&self) -> Timestamp {
        self.stores.clock.now()
    }

    /// One millisecond later than the last.
    pub(super) fn write(&self) -> Write<'static> {
        self.stores.clock.advance(SignedDuration::from_millis(1));
        Write::at(self.stores.clock.now())
    }

    pub(super) fn write_once<'c>(&self, claim: Option<&'c IdempotencyClaim>) -> Write<'c> {
        Write { claim, ..self.write() }
    }

    fn claim(&self, key: Option<u8>, command: &Command) -> Option<IdempotencyClaim> {
        key.map(|key| IdempotencyClaim {
            key: IdempotencyKey::parse(&format!("key {key}")).unwrap(),
            request_hash: format!("{command:?}"),
            expires_at: self.stores.clock.now() + SignedDuration::from_hours(1),
        })
    }

    fn details(&self, details: &Details) -> ItemDetails {
        let place = |number: Option<u8>, count| number.and_then(|number| index(number, count));
        ItemDetails {
            location: place(details.location, self.locations.len()).map(|at| self.locations[at]),
            preferred_store: place(details.shop, self.shops.len()).map(|at| self.shops[at]),
            ..details.without_places()
        }
    }

    /// Includes deleted and unknown items.
    pub(super) fn item(&mut self, number: u8) -> ItemId {
        match index(number, self.items.len() + 1) {
            Some(at) if at < self.items.len() => self.items[at],
            _ => ItemId::from_random(self.random.bytes()),
        }
    }
}

async fn list(
    store: &Arc<dyn Store>,
    scope: larder_storage::Scope,
    filter: &ItemFilter,
    sort: ItemSort,
) -> Result<Vec<Item>> {
    let (mut items, mut after) = (Vec::new(), None);
    loop {
        let page = store.list_items(scope, filter, TODAY, sort, after.as_ref(), PAGE).await?;
        items.extend(page.items);
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok(items),
        }
    }
}

fn filters(low: LowProducts) -> Vec<ItemFilter> {
    let all = ItemFilter { include_depleted: true, ..ItemFilter::default() };
    vec![
        ItemFilter::default(),
        ItemFilter { search: SearchTerm::parse("ＯＩＬ"), ..all.clone() },
        ItemFilter { search: SearchTerm::parse("olive o"), ..all.clone() },
        ItemFilter { search: SearchTerm::parse("%"), ..all.clone() },
        ItemFilter { search: SearchTerm::parse("bread"), ..all.clone() },
        ItemFilter { expiring: Some(Expiring::Soon), ..all.clone() },
        ItemFilter { expiring: Some(Expiring::Expired), ..all.clone() },
        ItemFilter { low: Some(Arc::new(low)), ..all.clone() },
        all,
    ]
}

fn new_user(random: &mut Random) -> NewUser {
    let id = UserId::from_random(random.bytes());
    NewUser {
        id,
        email: Email::parse(&format!("{id}@example.com")).unwrap(),
        name: PersonName::parse("Mia").unwrap(),
        password_hash: None,
        identity: None,
        admission: Admission::Anyone,
    }
}

pub(super) fn index(number: u8, count: usize) -> Option<usize> {
    (count > 0).then(|| usize::from(number) % count)
}

pub(super) fn agree<T: Debug + PartialEq>(who: &str, answer: &T, expected: &T) -> Verdict {
    if answer == expected {
        return Ok(());
    }
    Err(format!("{who}:\n  {answer:?}\nand not\n  {expected:?}"))
}

/// The stored result as its type prints it.
fn replayed(stored: &StoredResult) -> Result<String> {
    fn text<T: Replay + Debug>(stored: &StoredResult) -> Result<String> {
        T::replay(stored).map(|result| format!("{} {result:?}", stored.kind))
    }
    match stored.kind.as_str() {
        "ItemAdded" | "ItemMerged" if stored.beside.is_some() => text::<OpenedItem>(stored),
        "ItemAdded" | "ItemMerged" => text::<AddedItem>(stored),
        "ItemReplaced" => text::<Item>(stored),
        "ItemAdjusted" => text::<AdjustedItem>(stored),
        "LocationAdded" => text::<StorageLocation>(stored),
        "StoreAdded" => text::<Shop>(stored),
        "ShoppingItemAdded" => text::<ShoppingItem>(stored),
        "TagAdded" => text::<NfcUrl>(stored),
        "TagRotated" => text::<RotatedTag>(stored),
        "NotificationAcknowledged" => text::<Notification>(stored),
        "ResourceCreated" => text::<Resource>(stored),
        other => panic!("no command of this test stores {other}"),
    }
}
