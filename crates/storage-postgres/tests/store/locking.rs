//! Multi-row locks are taken in one order, so there are no deadlocks.

use std::{sync::Arc, time::Duration};

use larder_domain::{
    Delta, ItemId, ItemName, NfcUrl, ShoppingChange, ShoppingDetails, ShoppingItem, ShoppingItemId,
    ShoppingName, ShoppingPatch, ShoppingStatus, Store, StoreId, StoreName, TagStep, TapDirection,
    TapNonce, UrlId,
};
use larder_storage::{
    AddShoppingItem, Clock, HouseholdScope, Inventory, ManualClock, NewTag, NewTap, Places,
    ShoppingList, TagAccesses, Tags, Write,
};
use larder_storage_postgres::{PostgresOptions, PostgresStore};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::task::JoinSet;

use crate::{
    home::{add, found},
    launch::{clock, database, options, store},
};

const ROUNDS: u128 = 25;

/// One item with everything that refers to it, in a household with concurrent changes of all kinds.
#[derive(Clone)]
struct Shelf {
    store: Arc<PostgresStore>,
    clock: Arc<ManualClock>,
    scope: HouseholdScope,
    item: ItemId,
    shop: StoreId,
    entries: Vec<ShoppingItem>,
    tags: Vec<NfcUrl>,
}

/// A store on a database without deadlock detection: a deadlock ends in a time-out error.
pub(crate) async fn patient_store(clock: &Arc<ManualClock>) -> PostgresStore {
    let database = database().await;
    let mut superuser = PgConnection::connect(&database.superuser_url).await.unwrap();
    let sql = format!("ALTER DATABASE {} SET deadlock_timeout = '1h'", database.name);
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut superuser).await.unwrap();
    let patient = PostgresOptions {
        max_connections: 16,
        lock_timeout: Duration::from_secs(20),
        statement_timeout: Duration::from_secs(25),
        call_timeout: Duration::from_secs(30),
        ..options(&database)
    };
    store(patient, clock).await
}

impl Shelf {
    async fn filled(store: &Arc<PostgresStore>, scope: HouseholdScope, n: u128) -> Self {
        let clock = clock();
        let (item, shop) = (add(store, scope, n << 8, &clock).await, StoreId::fixed(n));
        let mut shelf = Self {
            store: Arc::clone(store),
            clock,
            scope,
            item,
            shop,
            entries: Vec::new(),
            tags: Vec::new(),
        };
        let name = StoreName::parse(&format!("Market {n}")).unwrap();
        let market = Store { id: shop, name, address: None, sort_order: None };
        store.add_store(scope, &market, shelf.write()).await.unwrap();
        shelf.rename(Some(shop), "begin").await;
        for k in 0..4 {
            let entry = shelf.entry(n << 8 | k);
            let added = store.add_shopping_item(scope, &entry, true, shelf.write()).await.unwrap();
            assert_eq!(added, AddShoppingItem::Added(entry.clone()));
            shelf.entries.push(entry);
            let tag = NewTag { id: url(n, k), item, label: None, step: TagStep::ONE };
            shelf.tags.push(store.add_tag(scope, &tag, shelf.write()).await.unwrap().unwrap());
        }
        shelf
    }

    fn write(&self) -> Write<'static> {
        Write::at(self.clock.now())
    }

    fn entry(&self, n: u128) -> ShoppingItem {
        let details = ShoppingDetails {
            name: ShoppingName::parse("Rice").unwrap(),
            store: Some(self.shop),
            quantity: None,
            notes: None,
        };
        let (household, by) = (self.scope.household(), self.scope.actor());
        let id = ShoppingItemId::fixed(n);
        ShoppingItem::new(id, household, Some(self.item), details, by, self.clock.now())
    }

    /// Changes the item's name and shop, unless it is gone or was changed concurrently.
    async fn rename(&self, shop: Option<StoreId>, name: &str) {
        let inventory = self.scope.inventory();
        let Some(item) = self.store.find_item(inventory, self.item).await.unwrap() else { return };
        let mut details = item.details.clone();
        details.name = ItemName::parse(&format!("{name} {}", self.item)).unwrap();
        details.preferred_store = shop;
        let (id, version) = (self.item, item.version);
        let replaced =
            self.store.replace_item(inventory, id, version, &details, false, self.write());
        replaced.await.unwrap();
    }

    async fn change(&self, k: usize, change: ShoppingChange) {
        let id = self.entries[k].id;
        let changed = self.store.change_shopping_item(self.scope, id, 1, &change, self.write());
        changed.await.unwrap();
    }

    async fn tap(&self, k: usize) {
        let nonce = TapNonce::parse("the-same-nonce").unwrap();
        let at = self.clock.now();
        let tap = NewTap {
            url: self.tags[k].id,
            direction: TapDirection::Take,
            nonce: &nonce,
            remember_until: at,
            at,
        };
        self.store.tap(tap).await.unwrap();
    }

    async fn count_views(&self) {
        let views = |tag: &NfcUrl| TagAccesses {
            household: tag.household,
            item: tag.item,
            url: tag.id,
            count: 1,
            last_at: self.clock.now(),
        };
        let views: Vec<_> = self.tags.iter().rev().map(views).collect();
        self.store.record_accesses(&views).await.unwrap();
    }

    /// One of the things that can happen to a shelf.
    async fn happen(self, what: usize) {
        let (store, scope) = (&self.store, self.scope);
        match what {
            0 => drop(store.delete_store(scope, self.shop, self.write()).await.unwrap()),
            1 => drop(
                store.delete_item(scope.inventory(), self.item, None, self.write()).await.unwrap(),
            ),
            2 => self.rename(None, "end").await,
            3 => self.change(0, ShoppingChange::Status(ShoppingStatus::Purchased)).await,
            4 => {
                let patch =
                    ShoppingPatch { store: Some(Some(self.shop)), ..ShoppingPatch::default() };
                self.change(1, ShoppingChange::Edit(patch)).await;
            }
            5 => drop(store.clear_purchased(scope, self.write()).await.unwrap()),
            6 => drop(
                store.delete_shopping_item(scope, self.entries[2].id, self.write()).await.unwrap(),
            ),
            7 => {
                let entry = ShoppingItem {
                    id: ShoppingItemId::fixed(
                        1 << 100 | u128::from_be_bytes(*self.item.as_bytes()),
                    ),
                    ..self.entries[0].clone()
                };
                let added = store.add_shopping_item(scope, &entry, true, self.write());
                added.await.unwrap();
            }
            8 => {
                let (old, new) = (self.tags[0].id, url(1 << 64, self.item.as_bytes()[14].into()));
                let rotated = store.rotate_tag(scope, self.item, old, new, self.write());
                rotated.await.unwrap();
            }
            9 => self.count_views().await,
            10 => self.tap(0).await,
            11 => self.tap(1).await,
            _ => {
                let one = Delta::from_hundredths(100).unwrap();
                let adjusted = store.adjust_item(scope.inventory(), self.item, one, self.write());
                adjusted.await.unwrap();
            }
        }
    }
}

fn url(n: u128, k: u128) -> UrlId {
    UrlId::from_random((n << 16 | k << 120).to_be_bytes())
}

#[tokio::test]
async fn whatever_happens_to_a_shelf_at_once_nobody_waits_in_a_circle() {
    let clock = clock();
    let store = Arc::new(patient_store(&clock).await);
    let scope = found(&store, &clock).await;
    for n in 1..=ROUNDS {
        let shelf = Shelf::filled(&store, scope, n).await;
        let mut all = JoinSet::new();
        // Each round begins with a different one of them.
        for what in 0..13_usize {
            let what = (what + usize::try_from(n).unwrap()) % 13;
            all.spawn(shelf.clone().happen(what));
        }
        while let Some(done) = all.join_next().await {
            done.unwrap();
        }
        assert_eq!(store.find_item(scope.inventory(), shelf.item).await.unwrap(), None);
        assert_eq!(store.find_store(scope, shelf.shop).await.unwrap(), None);
    }
}
