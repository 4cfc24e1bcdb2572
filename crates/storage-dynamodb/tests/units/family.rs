//! A family in DynamoDB Local, every id and time of it fixed, so that every count is the same each time.

use std::sync::{Arc, Mutex};

use jiff::SignedDuration;
use larder_domain::{
    Email, ExpirationDate, HouseholdId, Item, ItemDetails, ItemId, ItemName, PersonName, Quantity,
    Unit, User, UserId,
};
use larder_storage::{
    Accounts, AddItem, Admission, Clock, CreateUser, HouseholdScope, IdempotencyClaim,
    IdempotencyKey, Inventory, ManualClock, NewUser, Result, Scope, Write,
};
use larder_storage_dynamodb::{AccessKey, Consumed, DynamoEngine, DynamoOptions, tables};
use larder_storage_item::ItemStore;
use larder_storage_testkit::START;
use larder_test_servers::DynamoDbLocal;

use crate::row::Row;

pub(crate) const MIA: UserId = UserId::fixed(0x1111_1111_1111_4111_8111_1111_1111_0001);
pub(crate) const KEN: UserId = UserId::fixed(0x1111_1111_1111_4111_8111_1111_1111_0002);
pub(crate) const HOME: HouseholdId = HouseholdId::fixed(0x3333_3333_3333_4333_8333_3333_3333_0001);
const FIRST_ITEM: u128 = 0x6666_6666_6666_4666_8666_6666_6666_0000;

/// The ports as a server has them.
type Ports = ItemStore<DynamoEngine>;

/// The ports on fresh tables, and the counted units.
pub(crate) struct Family {
    /// For unmeasured operations.
    pub(crate) store: Ports,
    engine: Arc<DynamoEngine>,
    options: DynamoOptions,
    clock: Arc<ManualClock>,
    items: Mutex<u128>,
    rows: Mutex<Vec<Row>>,
}

impl Family {
    /// Fresh tables.
    pub(crate) async fn open(prefix: &str) -> Self {
        let options = DynamoOptions {
            region: Some("eu-central-1".to_owned()),
            endpoint: Some(DynamoDbLocal::shared().endpoint()),
            access_key: Some(AccessKey { id: "someone".to_owned(), secret: "secret".to_owned() }),
            prefix: prefix.to_owned(),
            count_units: true,
            ..DynamoOptions::default()
        };
        tables::create(&options, |_| {}).await.unwrap();
        let clock = Arc::new(ManualClock::new(START));
        let (engine, store) = open(&options, &clock).await;
        let (items, rows) = (Mutex::default(), Mutex::default());
        Self { store, engine, options, clock, items, rows }
    }

    /// Runs an operation on a server that has just started, and records its units, including
    /// background work. A running server caches the newest change of a household for some seconds,
    /// so its units would depend on the timing of the test.
    pub(crate) async fn measure<T>(
        &self,
        operation: &str,
        method: &str,
        doing: impl AsyncFnOnce(&Ports) -> Result<T>,
    ) -> T {
        self.engine.settled().await;
        let (engine, store) = open(&self.options, &self.clock).await;
        let outcome = doing(&store).await.unwrap();
        engine.settled().await;
        let Consumed { read_units, write_units, requests } = engine.consumed();
        let (operation, method) = (operation.to_owned(), method.to_owned());
        let row = Row { operation, method, read_units, write_units, requests };
        self.rows.lock().unwrap().push(row);
        outcome
    }

    pub(crate) fn into_rows(self) -> Vec<Row> {
        self.rows.into_inner().unwrap()
    }

    /// A write a second later than the last.
    pub(crate) fn write(&self) -> Write<'static> {
        self.clock.advance(SignedDuration::from_secs(1));
        Write::at(self.clock.now())
    }

    /// A write that happens at most once.
    pub(crate) fn claimed<'a>(&self, claim: &'a IdempotencyClaim) -> Write<'a> {
        Write { claim: Some(claim), ..self.write() }
    }

    pub(crate) fn claim(&self, key: &str) -> IdempotencyClaim {
        IdempotencyClaim {
            key: IdempotencyKey::parse(key).unwrap(),
            request_hash: "0".repeat(64),
            expires_at: self.clock.now() + SignedDuration::from_hours(24),
        }
    }

    pub(crate) async fn register(&self, id: UserId, email: &str) -> User {
        let created = self.store.create_user(&new_user(id, email), self.write().at).await.unwrap();
        assert_eq!(created, CreateUser::Created);
        self.user(id).await
    }

    pub(crate) async fn user(&self, id: UserId) -> User {
        self.store.find_user(id).await.unwrap().expect("the user is registered")
    }

    /// An item that is not stored yet.
    pub(crate) fn item(&self, scope: Scope, details: ItemDetails) -> Item {
        let mut items = self.items.lock().unwrap();
        *items += 1;
        let id = ItemId::fixed(FIRST_ITEM + *items);
        Item::new(id, scope.owner(), details, scope.actor(), self.write().at)
    }

    /// An item that is stored without being measured.
    pub(crate) async fn add(&self, scope: Scope, details: ItemDetails) -> Item {
        let item = self.item(scope, details);
        let added = self.store.add_item(scope, &item, self.write()).await.unwrap();
        assert_eq!(added, AddItem::Added(item.clone()));
        item
    }
}

async fn open(options: &DynamoOptions, clock: &Arc<ManualClock>) -> (Arc<DynamoEngine>, Ports) {
    let engine = DynamoEngine::open(options.clone(), Arc::clone(clock) as _).await.unwrap();
    let engine = Arc::new(engine);
    let store = ItemStore::new(Arc::clone(&engine), Arc::clone(clock) as _);
    (engine, store)
}

pub(crate) fn new_user(id: UserId, email: &str) -> NewUser {
    NewUser {
        id,
        email: Email::parse(email).unwrap(),
        name: PersonName::parse("Mia").unwrap(),
        // As long as a real one.
        password_hash: Some("x".repeat(97)),
        identity: None,
        admission: Admission::Anyone,
    }
}

pub(crate) const fn home(actor: UserId) -> HouseholdScope {
    HouseholdScope::assume_authorized(HOME, actor)
}

/// An ordinary item: half a kilobyte as a record.
pub(crate) fn details(name: &str) -> ItemDetails {
    ItemDetails {
        expiration: Some(ExpirationDate::parse("2031-02-01").unwrap()),
        ..ItemDetails::new(
            ItemName::parse(name).unwrap(),
            Quantity::parse("2").unwrap(),
            Unit::parse("L").unwrap(),
        )
    }
}
