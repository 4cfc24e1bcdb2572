//! The fixture of tests of stores.

mod beneath;
mod drift;
mod notices;
mod resources;
mod shopping;
mod tags;
mod telemetry;

use std::any::Any;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use jiff::{SignedDuration, Timestamp};
use larder_domain::{
    AutoList, Currency, Email, Household, HouseholdId, HouseholdName, InviteCode, Item,
    ItemDetails, ItemFilter, ItemId, ItemPosition, ItemSort, Member, Owner, PersonName,
    ProductFilter, ProductId, ProductPosition, ProductSort, ProgramTokenId, SessionId,
    StorageLocationId, StoreId, User, UserId, Zone,
};
use larder_storage::{
    AddItem, AdjustItem, Admission, Clock, CreateHousehold, CreateUser, HouseholdScope,
    IdempotencyClaim, IdempotencyKey, JoinHousehold, ManualClock, NewUser, RemoveMember, Result,
    Scope, StockRow, StockedProduct, Store, Write,
};

pub(crate) use notices::{NEXT_DAY, stock_of};

use crate::pace::{self, Exact, Pace};
use crate::random::Random;
use crate::sample::{TODAY, delta};

use beneath::Beneath;
pub use drift::{DriftTarget, PastPorts};
pub(crate) use notices::ALL;
pub(crate) use resources::{action, actions, unique, urns};
pub(crate) use telemetry::{OPERATOR, sensors, statuses};

/// A store under test, with people and households to fill it.
pub struct StoreHarness {
    store: Arc<dyn Store>,
    clock: Arc<ManualClock>,
    pace: Arc<dyn Pace>,
    random: Mutex<Random>,
    /// The record engine below the store, if there is one.
    beneath: Option<Arc<dyn Beneath>>,
    /// Reads and writes past the ports of a store without records.
    past_ports: Option<Box<dyn PastPorts>>,
    /// How many readings a large test writes.
    readings: usize,
    /// How often a race is run.
    rounds: usize,
    /// Whether tests with many similar rounds run only some of them.
    is_reduced: bool,
    /// Whether other tests, whose clocks are elsewhere, finish work that this one has begun.
    is_shared: bool,
    kept: Vec<Box<dyn Any + Send + Sync>>,
}

/// A household with its admin.
pub struct Home {
    /// The household.
    pub household: Household,
    /// Its creator.
    pub admin: User,
    /// The admin's right to it.
    pub scope: HouseholdScope,
}

impl Home {
    /// The household's inventory.
    pub const fn inventory(&self) -> Scope {
        self.scope.inventory()
    }
}

impl StoreHarness {
    /// A store and its clock. The seed, from which all ids, addresses and codes are derived, must
    /// be unique within the database.
    pub fn new(store: Arc<dyn Store>, clock: Arc<ManualClock>, seed: u64) -> Self {
        let random = Mutex::new(Random::new(seed));
        let (pace, beneath, past_ports, kept) = (Arc::new(Exact), None, None, Vec::new());
        Self {
            store,
            clock,
            pace,
            random,
            beneath,
            past_ports,
            readings: 400,
            rounds: 500,
            is_reduced: false,
            is_shared: false,
            kept,
        }
    }

    /// For a store whose lists lag.
    #[must_use]
    pub fn with_pace(mut self, pace: Arc<dyn Pace>) -> Self {
        self.pace = pace;
        self
    }

    /// For a store in which other tests finish interrupted work, too.
    #[must_use]
    pub const fn shared(mut self) -> Self {
        self.is_shared = true;
        self
    }

    pub(crate) const fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Keeps a value alive as long as the harness, such as a temporary directory.
    #[must_use]
    pub fn keeping(mut self, kept: impl Any + Send + Sync) -> Self {
        self.kept.push(Box::new(kept));
        self
    }

    /// The store.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// The time that the store sees.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn advance_seconds(&self, seconds: i64) {
        self.clock.advance(SignedDuration::from_secs(seconds));
    }

    /// Advances the clock to this long before `then`.
    pub(crate) fn advance_to(&self, then: Timestamp, before: SignedDuration) {
        self.clock.advance(then.duration_since(self.now()) - before);
    }

    /// A write one millisecond later than the last, without a claim.
    pub(crate) fn write(&self) -> Write<'static> {
        self.clock.advance(SignedDuration::from_millis(1));
        Write::at(self.now())
    }

    /// A write under a claim.
    pub(crate) fn claimed<'a>(&self, claim: &'a IdempotencyClaim) -> Write<'a> {
        Write { claim: Some(claim), ..self.write() }
    }

    /// A claim for one hour.
    pub(crate) fn claim(&self, key: &str) -> IdempotencyClaim {
        IdempotencyClaim {
            key: IdempotencyKey::parse(key).unwrap(),
            request_hash: format!("digest of {key}"),
            expires_at: self.now() + SignedDuration::from_hours(1),
        }
    }

    fn bytes<const N: usize>(&self) -> [u8; N] {
        self.random.lock().expect("no holder of this lock panics").bytes()
    }

    pub(crate) fn user_id(&self) -> UserId {
        UserId::from_random(self.bytes())
    }

    pub(crate) fn item_id(&self) -> ItemId {
        ItemId::from_random(self.bytes())
    }

    pub(crate) fn location_id(&self) -> StorageLocationId {
        StorageLocationId::from_random(self.bytes())
    }

    pub(crate) fn store_id(&self) -> StoreId {
        StoreId::from_random(self.bytes())
    }

    pub(crate) fn session_id(&self) -> SessionId {
        SessionId::from_random(self.bytes())
    }

    pub(crate) fn program_token_id(&self) -> ProgramTokenId {
        ProgramTokenId::from_random(self.bytes())
    }

    pub(crate) fn invite_code(&self) -> InviteCode {
        InviteCode::from_random(self.bytes())
    }

    /// A person who is not registered yet.
    pub(crate) fn new_user(&self) -> NewUser {
        let id = self.user_id();
        NewUser {
            id,
            email: Email::parse(&format!("{id}@example.com")).unwrap(),
            name: PersonName::parse("Mia").unwrap(),
            password_hash: Some("hash".to_owned()),
            identity: None,
            admission: Admission::Anyone,
        }
    }

    /// Someone in individual mode.
    pub(crate) async fn user(&self) -> User {
        let new = self.new_user();
        let created = self.store.create_user(&new, self.write().at).await.unwrap();
        assert_eq!(created, CreateUser::Created);
        self.reread(new.id).await
    }

    pub(crate) async fn reread(&self, id: UserId) -> User {
        self.store.find_user(id).await.unwrap().expect("the user is registered")
    }

    /// A household that does not exist yet.
    pub(crate) fn new_household(&self, creator: &User) -> Household {
        Household {
            id: HouseholdId::from_random(self.bytes()),
            name: HouseholdName::parse("Home").unwrap(),
            zone: Zone::parse("Asia/Tokyo").unwrap(),
            currency: Currency::EURO,
            auto_list: AutoList::ON,
            invite_code: self.invite_code(),
            created_by: creator.id,
            created_at: self.now(),
        }
    }

    /// A household of one.
    pub(crate) async fn home(&self) -> Home {
        let admin = self.user().await;
        self.found(&admin, false).await
    }

    pub(crate) async fn found(&self, creator: &User, move_items: bool) -> Home {
        let household = self.new_household(creator);
        let created =
            self.store.create_household(&household, creator, move_items, self.write()).await;
        assert_eq!(created.unwrap(), CreateHousehold::Created);
        let scope = HouseholdScope::assume_authorized(household.id, creator.id);
        Home { household, admin: self.reread(creator.id).await, scope }
    }

    /// One more member, with their right to the household.
    pub(crate) async fn join(&self, home: &Home) -> HouseholdScope {
        let user = self.user().await;
        self.join_as(home, &user).await
    }

    /// The same for an existing user.
    pub(crate) async fn join_as(&self, home: &Home, user: &User) -> HouseholdScope {
        let Household { id, invite_code, .. } = &home.household;
        let joined = self.store.join_household(*id, invite_code, user, false, self.write()).await;
        assert_eq!(joined.unwrap(), JoinHousehold::Joined(home.household.clone()));
        HouseholdScope::assume_authorized(*id, user.id)
    }

    pub(crate) async fn household_members(&self, scope: HouseholdScope) -> Vec<Member> {
        self.store.list_members(scope).await.unwrap()
    }

    pub(crate) async fn remove_from_household(
        &self,
        scope: HouseholdScope,
        user: UserId,
    ) -> Result<RemoveMember> {
        self.store.remove_member(scope, user, &self.invite_code(), self.write()).await
    }

    /// A new item, not stored yet.
    pub(crate) fn item(&self, scope: Scope, details: ItemDetails) -> Item {
        Item::new(self.item_id(), scope.owner(), details, scope.actor(), self.now())
    }

    /// An item that is new to the store.
    pub(crate) async fn add(&self, scope: Scope, details: ItemDetails) -> Item {
        let write = self.write();
        let item = self.item(scope, details);
        let added = self.store.add_item(scope, &item, write).await.unwrap();
        let AddItem::Added(lot) = added else { panic!("it should be new: {added:?}") };
        // The product that is there gives it its name and what is known of it.
        let product = lot.product.expect("every item has a product");
        let product = self.product(scope, product).await.product;
        assert_eq!(lot, item.of_product(&product));
        lot
    }

    /// A whole list of products, read page by page.
    pub(crate) async fn list_products(
        &self,
        scope: Scope,
        sort: ProductSort,
        limit: usize,
    ) -> Vec<StockedProduct> {
        let (mut found, mut after) = (Vec::new(), None::<ProductPosition>);
        loop {
            let filter = ProductFilter::default();
            let page = self.store.list_products(scope, &filter, sort, after.as_ref(), limit).await;
            let page = page.unwrap();
            assert!(page.items.len() <= limit);
            found.extend(page.items);
            match page.next {
                Some(next) => after = Some(next),
                None => return found,
            }
        }
    }

    /// A whole list of products in stock, read page by page.
    pub(crate) async fn list_lots(
        &self,
        scope: Scope,
        filter: &ItemFilter,
        sort: ItemSort,
        limit: usize,
    ) -> Vec<StockRow> {
        let (mut found, mut after) = (Vec::new(), None::<ItemPosition>);
        loop {
            let page = self.store.list_lots(scope, filter, TODAY, sort, after.as_ref(), limit);
            let page = page.await.unwrap();
            assert!(page.items.len() <= limit);
            found.extend(page.items);
            match page.next {
                Some(next) => after = Some(next),
                None => return found,
            }
        }
    }

    pub(crate) async fn product(&self, scope: Scope, id: ProductId) -> StockedProduct {
        self.store.find_product(scope, id).await.unwrap().expect("there is such a product")
    }

    pub(crate) async fn adjust(&self, scope: Scope, id: ItemId, by: &str) -> (Item, i64) {
        match self.store.adjust_item(scope, id, delta(by), self.write()).await.unwrap() {
            AdjustItem::Adjusted { item, applied_hundredths } => (item, applied_hundredths),
            other => panic!("the adjustment should succeed: {other:?}"),
        }
    }

    pub(crate) async fn find(&self, scope: Scope, id: ItemId) -> Option<Item> {
        self.store.find_item(scope, id).await.unwrap()
    }

    /// A whole list, read page by page; checks the rules of paging.
    pub(crate) async fn list(
        &self,
        scope: Scope,
        filter: &ItemFilter,
        sort: ItemSort,
        limit: usize,
    ) -> Vec<Item> {
        let mut items = Vec::new();
        let mut after: Option<ItemPosition> = None;
        loop {
            let page = self.store.list_items(scope, filter, TODAY, sort, after.as_ref(), limit);
            let page = page.await.unwrap();
            assert!(page.items.len() <= limit, "a page holds at most what was asked for");
            assert!(
                page.next.is_none() || !page.items.is_empty(),
                "no page is empty while more follow"
            );
            items.extend(page.items);
            match page.next {
                Some(next) => after = Some(next),
                None => return items,
            }
        }
    }

    /// Until the whole inventory is exactly this, newest first.
    pub(crate) async fn expect_inventory(&self, scope: Scope, expected: &[Item]) {
        let everything = ItemFilter { include_depleted: true, ..ItemFilter::default() };
        let expected = expected.to_vec();
        let read = async || self.list(scope, &everything, ItemSort::Created, 50).await;
        self.eventually(&expected, read).await;
    }

    /// Until a lagging read is as expected.
    pub(crate) async fn eventually<T: PartialEq + Debug>(
        &self,
        expected: &T,
        read: impl AsyncFnMut() -> T,
    ) {
        pace::eventually(&*self.pace, expected, read).await;
    }
}

/// A person's right to their own inventory.
pub(crate) const fn personal(user: UserId) -> Scope {
    Scope::assume_authorized(Owner::User(user), user)
}
