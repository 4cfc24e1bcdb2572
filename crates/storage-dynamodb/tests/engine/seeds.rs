//! The seeds' example records, field for field, read with a plain call of the SDK. Only ids and times are others.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use larder_domain::{
    AutoList, Currency, Email, Household, HouseholdId, HouseholdName, InvalidUrlId, InviteCode,
    Item, ItemDetails, ItemId, ItemName, PersonName, Quantity, ShoppingChange, ShoppingDetails,
    ShoppingItem, ShoppingItemId, ShoppingName, ShoppingNotes, ShoppingQuantity, ShoppingStatus,
    Store, StoreId, StoreName, TagStep, Unit, UrlId, UserId, Zone,
};
use larder_storage::{
    Accounts, AddShoppingItem, Admission, ChangeShoppingItem, Clock, HouseholdScope, Households,
    Inventory, ManualClock, NewTag, NewUser, Places, RotateTag, ShoppingList, TagAccesses, Tags,
    Write,
};
use larder_storage_dynamodb::{DynamoEngine, DynamoOptions};
use larder_storage_item::{ItemStore, Table};
use serde_json::{Map, Value, json};

use crate::{launch, sdk};

const MIA: UserId = UserId::fixed(0x1111_1111_1111_4111_8111_1111_1111_0001);
const HOME: HouseholdId = HouseholdId::fixed(0x3333_3333_3333_4333_8333_3333_3333_0001);
const MARKET: StoreId = StoreId::fixed(0x5555_5555_5555_4555_8555_5555_5555_0001);
const TOWELS: ItemId = ItemId::fixed(0x6666_6666_6666_4666_8666_6666_6666_0001);
const MILK: ItemId = ItemId::fixed(0x6666_6666_6666_4666_8666_6666_6666_0002);

/// A household to write the examples into.
struct Family {
    store: ItemStore<DynamoEngine>,
    clock: Arc<ManualClock>,
    scope: HouseholdScope,
}

impl Family {
    async fn found(options: &DynamoOptions) -> Self {
        let clock = launch::clock();
        let engine = Arc::new(launch::open(options.clone(), &clock).await);
        let store = ItemStore::new(engine, Arc::clone(&clock) as _);
        let family = Self { store, clock, scope: HouseholdScope::assume_authorized(HOME, MIA) };
        family.furnish().await;
        family
    }

    async fn furnish(&self) {
        let mia = NewUser {
            id: MIA,
            email: Email::parse("mia@example.com").unwrap(),
            name: PersonName::parse("Mia").unwrap(),
            password_hash: None,
            identity: None,
            admission: Admission::Anyone,
        };
        self.store.create_user(&mia, self.now()).await.unwrap();
        let mia = self.store.find_user(MIA).await.unwrap().unwrap();
        let household = Household {
            id: HOME,
            name: HouseholdName::parse("Home").unwrap(),
            zone: Zone::UTC,
            currency: Currency::EURO,
            auto_list: AutoList::ON,
            invite_code: InviteCode::parse("ABCDEFGH2345").unwrap(),
            created_by: MIA,
            created_at: self.now(),
        };
        self.store.create_household(&household, &mia, false, self.write()).await.unwrap();
        let name = StoreName::parse("Market").unwrap();
        let market = Store { id: MARKET, name, address: None, sort_order: None };
        self.store.add_store(self.scope, &market, self.write()).await.unwrap();
        for (id, name) in [(TOWELS, "Paper Towels"), (MILK, "Milk")] {
            let inventory = self.scope.inventory();
            let item = Item::new(id, inventory.owner(), stock(name), MIA, self.now());
            self.store.add_item(inventory, &item, self.write()).await.unwrap();
        }
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn write(&self) -> Write<'static> {
        self.clock.advance(SignedDuration::from_secs(1));
        Write::at(self.now())
    }

    async fn list(&self, item: Option<ItemId>, details: ShoppingDetails) -> ShoppingItemId {
        let number = u128::from(self.now().as_second().cast_unsigned());
        let id = ShoppingItemId::fixed(0x7777_7777_7777_4777_8777_0000_0000_0000 + number);
        let write = self.write();
        let entry = ShoppingItem::new(id, HOME, item, details, MIA, write.at);
        let added = self.store.add_shopping_item(self.scope, &entry, false, write).await.unwrap();
        assert_eq!(added, AddShoppingItem::Added(entry));
        id
    }
}

fn stock(name: &str) -> ItemDetails {
    ItemDetails::new(
        ItemName::parse(name).unwrap(),
        Quantity::parse("1").unwrap(),
        Unit::parse("個").unwrap(),
    )
}

fn to_buy(name: &str, store: Option<StoreId>, count: u64, notes: &str) -> ShoppingDetails {
    ShoppingDetails {
        name: ShoppingName::parse(name).unwrap(),
        store,
        quantity: Some(ShoppingQuantity::new(count).unwrap()),
        notes: ShoppingNotes::parse(notes).unwrap(),
    }
}

/// The record of the household with this sort key.
async fn get(options: &DynamoOptions, sk: &str) -> Map<String, Value> {
    let pk = format!("FAMILY#{HOME}");
    let key = [("PK", pk.as_str()), ("SK", sk)];
    let record = sdk::get(options, Table::InventoryManagement, &key).await;
    record.unwrap_or_else(|| panic!("no record {sk}"))
}

/// The record with a word in the place of each id and time.
fn shape(record: &Value) -> Value {
    let fields = record.as_object().unwrap().iter().map(|(name, value)| {
        let shape = match (name.as_str(), value) {
            ("ttl", Value::Number(_)) => json!("a second"),
            ("urlId", Value::String(_)) => json!("an address"),
            (_, Value::String(text)) => json!(words(text)),
            _ => value.clone(),
        };
        (name.clone(), shape)
    });
    Value::Object(fields.collect())
}

fn words(text: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split('#') {
        let word = match part {
            _ if parts.last() == Some(&"URL") => "an address",
            _ if part.parse::<ItemId>().is_ok() => "an id",
            _ if part.parse::<Timestamp>().is_ok() => "a time",
            _ => part,
        };
        parts.push(word);
    }
    parts.join("#")
}

fn assert_same(record: Map<String, Value>, example: &Value) {
    let record = Value::Object(record);
    assert_eq!(shape(&record), shape(example), "as written: {record:#}");
}

fn pending_example() -> Value {
    json!({
        "PK": "FAMILY#f47ac10b-58cc-4372-a567-0e02b2c3d479",
        "SK": "SHOPPING#8f14e45f-ceea-467a-9b36-34f6c3b3e7d1",
        "GSI2PK": "FAMILY#f47ac10b-58cc-4372-a567-0e02b2c3d479#SHOPPING",
        "GSI2SK": "STORE#123e4567-e89b-12d3-a456-426614174000#STATUS#pending",
        "shoppingItemId": "8f14e45f-ceea-467a-9b36-34f6c3b3e7d1",
        "familyId": "f47ac10b-58cc-4372-a567-0e02b2c3d479",
        "itemId": "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "name": "Paper Towels",
        "storeId": "123e4567-e89b-12d3-a456-426614174000",
        "status": "pending",
        "quantity": 2,
        "notes": "Prefer double-roll",
        "version": 1,
        "ttl": null,
        "addedBy": "550e8400-e29b-41d4-a716-446655440000",
        "entityType": "ShoppingListItem",
        "createdAt": "2025-12-10T12:00:00Z",
        "updatedAt": "2025-12-10T12:00:00Z"
    })
}

fn purchased_example() -> Value {
    json!({
        "PK": "FAMILY#f47ac10b-58cc-4372-a567-0e02b2c3d479",
        "SK": "SHOPPING#9f14e45f-ceea-467a-9b36-34f6c3b3e7d2",
        "GSI2PK": "FAMILY#f47ac10b-58cc-4372-a567-0e02b2c3d479#SHOPPING",
        "GSI2SK": "STORE#123e4567-e89b-12d3-a456-426614174000#STATUS#purchased",
        "shoppingItemId": "9f14e45f-ceea-467a-9b36-34f6c3b3e7d2",
        "familyId": "f47ac10b-58cc-4372-a567-0e02b2c3d479",
        "itemId": "7ba7b810-9dad-11d1-80b4-00c04fd430c9",
        "name": "Milk",
        "storeId": "123e4567-e89b-12d3-a456-426614174000",
        "status": "purchased",
        "quantity": 1,
        "notes": null,
        "version": 2,
        "ttl": 1_734_451_200,
        "addedBy": "550e8400-e29b-41d4-a716-446655440000",
        "entityType": "ShoppingListItem",
        "createdAt": "2025-12-10T10:00:00Z",
        "updatedAt": "2025-12-10T14:00:00Z"
    })
}

fn free_text_example() -> Value {
    json!({
        "PK": "FAMILY#f47ac10b-58cc-4372-a567-0e02b2c3d479",
        "SK": "SHOPPING#af14e45f-ceea-467a-9b36-34f6c3b3e7d3",
        "GSI2PK": "FAMILY#f47ac10b-58cc-4372-a567-0e02b2c3d479#SHOPPING",
        "GSI2SK": "STORE#UNASSIGNED#STATUS#pending",
        "shoppingItemId": "af14e45f-ceea-467a-9b36-34f6c3b3e7d3",
        "familyId": "f47ac10b-58cc-4372-a567-0e02b2c3d479",
        "itemId": null,
        "name": "Birthday cake",
        "storeId": null,
        "status": "pending",
        "quantity": 1,
        "notes": "For Sarah's party on Saturday",
        "version": 1,
        "ttl": null,
        "addedBy": "550e8400-e29b-41d4-a716-446655440000",
        "entityType": "ShoppingListItem",
        "createdAt": "2025-12-10T15:00:00Z",
        "updatedAt": "2025-12-10T15:00:00Z"
    })
}

fn active_tag_example() -> Value {
    json!({
        "PK": "FAMILY#f47ac10b-58cc-4372-a567-0e02b2c3d479",
        "SK": "ITEM#d5e8f9a0-1234-4567-89ab-cdef01234567#URL#2gSZw8ZQPb7D5kN3X8mQ7",
        "GSI1PK": "URL#2gSZw8ZQPb7D5kN3X8mQ7",
        "GSI1SK": "ITEM#d5e8f9a0-1234-4567-89ab-cdef01234567",
        "GSI2PK": "FAMILY#f47ac10b-58cc-4372-a567-0e02b2c3d479#URLS",
        "GSI2SK": "CREATED#2025-12-26T10:00:00Z#URL#2gSZw8ZQPb7D5kN3X8mQ7",
        "entityType": "NFCUrl",
        "urlId": "2gSZw8ZQPb7D5kN3X8mQ7",
        "itemId": "d5e8f9a0-1234-4567-89ab-cdef01234567",
        "familyId": "f47ac10b-58cc-4372-a567-0e02b2c3d479",
        "itemName": "Paper Towels",
        "isActive": true,
        "createdAt": "2025-12-26T10:00:00Z",
        "createdBy": "550e8400-e29b-41d4-a716-446655440000",
        "lastAccessedAt": "2025-12-26T15:30:00Z",
        "accessCount": 12
    })
}

/// The same keys and fields, with these.
fn rotated_tag_example() -> Value {
    let mut example = active_tag_example();
    example["isActive"] = json!(false);
    example["rotatedAt"] = json!("2025-12-27T09:00:00Z");
    example["rotatedBy"] = json!("550e8400-e29b-41d4-a716-446655440000");
    example
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn entries_of_the_list_equal_the_examples_of_seed_001() {
    let options = launch::with_tables("seed-001-").await;
    let family = Family::found(&options).await;
    let towels = to_buy("Paper Towels", Some(MARKET), 2, "Prefer double-roll");
    let pending = family.list(Some(TOWELS), towels).await;
    let bought = family.list(Some(MILK), to_buy("Milk", Some(MARKET), 1, "")).await;
    let purchase = ShoppingChange::Status(ShoppingStatus::Purchased);
    let write = family.write();
    let store = &family.store;
    let changed = store.change_shopping_item(family.scope, bought, 1, &purchase, write).await;
    assert!(matches!(changed.unwrap(), ChangeShoppingItem::Changed(_)), "the version is right");
    let cake = to_buy("Birthday cake", None, 1, "For Sarah's party on Saturday");
    let cake = family.list(None, cake).await;

    assert_same(get(&options, &format!("SHOPPING#{pending}")).await, &pending_example());
    let purchased = get(&options, &format!("SHOPPING#{bought}")).await;
    assert_eq!(purchased["ttl"], json!(write.at.as_second() + 7 * 24 * 60 * 60));
    assert_same(purchased, &purchased_example());
    assert_same(get(&options, &format!("SHOPPING#{cake}")).await, &free_text_example());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tags_equal_the_examples_of_seed_000() {
    let options = launch::with_tables("seed-000-").await;
    let family = Family::found(&options).await;
    let urls: Result<Vec<_>, InvalidUrlId> = ["02gSZw8ZQPb7D5kN3X8mQ7", "07pQm3nX8kD5wZ2gS9YbN4"]
        .map(UrlId::parse)
        .into_iter()
        .collect();
    let [old, new] = urls.unwrap()[..] else { unreachable!("two were parsed") };
    let tag = NewTag { id: old, item: TOWELS, label: None, step: TagStep::ONE };
    let added = family.store.add_tag(family.scope, &tag, family.write()).await.unwrap();
    assert!(added.is_some(), "there are towels");
    let (household, last_at) = (HOME, family.write().at);
    let looks = TagAccesses { household, item: TOWELS, url: old, count: 12, last_at };
    family.store.record_accesses(&[looks]).await.unwrap();
    let sk = |url: UrlId| format!("ITEM#{TOWELS}#URL#{}", url.reveal());
    assert_same(get(&options, &sk(old)).await, &active_tag_example());

    let rotated = family.store.rotate_tag(family.scope, TOWELS, old, new, family.write()).await;
    assert!(matches!(rotated.unwrap(), RotateTag::Rotated { .. }), "it is active");
    assert_same(get(&options, &sk(old)).await, &rotated_tag_example());
    // Its replacement is new: its page was never opened.
    let mut fresh = active_tag_example();
    fresh["accessCount"] = json!(0);
    fresh.as_object_mut().unwrap().remove("lastAccessedAt");
    assert_same(get(&options, &sk(new)).await, &fresh);
}
