//! Every key and record, as the design and the golden files say.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail by panicking, as the test does")]

#[path = "golden/telemetry.rs"]
mod telemetry;

use std::collections::BTreeSet;
use std::sync::Arc;

use larder_storage::ManualClock;
use larder_storage_embedded::{EmbeddedEngine, EmbeddedOptions};
use larder_storage_item::{ReadingEngine, Record, RecordEngine, Table, Value};
use larder_storage_testkit::golden::{self, Scenario};
use larder_storage_testkit::{ReferenceEngine, START};
use tempfile::TempDir;

/// The records after each stage.
type Stages = [(&'static str, Vec<(Table, Record)>); 2];

async fn play_on<E: RecordEngine + ReadingEngine>(engine: E, clock: Arc<ManualClock>) -> Stages {
    let scenario = Scenario::new(Arc::new(engine), clock);
    scenario.create().await;
    let created = scenario.records().await;
    scenario.change().await;
    [("created", created), ("changed", scenario.records().await)]
}

/// On the engine that people have.
async fn play() -> Stages {
    let directory = TempDir::new().unwrap();
    let clock = Arc::new(ManualClock::new(START));
    let options = EmbeddedOptions::default();
    let engine = EmbeddedEngine::open(directory.path(), Arc::clone(&clock) as _, options).unwrap();
    play_on(engine, clock).await
}

/// Every record of one of these tables.
async fn all_of(tables: &[Table]) -> impl Iterator<Item = Record> {
    let records = play().await.into_iter().flat_map(|(_, records)| records);
    records.filter(|(table, _)| tables.contains(table)).map(|(_, record)| record)
}

/// Every record with a type attribute.
async fn all() -> impl Iterator<Item = Record> {
    all_of(&[Table::InventoryManagement, Table::Relational, Table::Grants]).await
}

fn kind_of(record: &Record) -> &str {
    record.text("entityType").or_else(|| record.text("_recordType")).unwrap()
}

/// The key patterns of one kind of record, with attribute names in braces.
struct Keys {
    kind: &'static str,
    primary: [&'static str; 2],
    gsi1: Option<[&'static str; 2]>,
    gsi2: Option<[&'static str; 2]>,
}

const fn plain(kind: &'static str, pk: &'static str, sk: &'static str) -> Keys {
    Keys { kind, primary: [pk, sk], gsi1: None, gsi2: None }
}

/// The key tables of the design, of the relational store, and of Larder's internal records.
const DESIGN: [Keys; 37] = [
    Keys {
        gsi1: Some(["INVITE#{inviteCode}", "FAMILY#{familyId}"]),
        // The first two digits of the household's id.
        gsi2: Some(["HOUSEHOLDS#33", "DAILY#{nextDailyAt}"]),
        ..plain("Family", "FAMILY#{familyId}", "FAMILY#{familyId}")
    },
    Keys {
        gsi1: Some(["MEMBER#{userId}", "FAMILY#{familyId}"]),
        ..plain("Member", "FAMILY#{familyId}", "MEMBER#{userId}")
    },
    plain("User", "USER#{userId}", "USER#{userId}"),
    plain("Session", "USER#{userId}", "SESSION#{sessionId}"),
    plain("ProgramToken", "USER#{userId}", "PROGRAMTOKEN#{tokenId}"),
    plain("ProgramTokenCount", "USER#{userId}", "PROGRAMTOKENCOUNT"),
    Keys {
        gsi2: Some(["FAMILY#{familyId}#ITEMS", "CREATED#{createdAt}#ITEM#{itemId}"]),
        ..plain("InventoryItem", "FAMILY#{familyId}", "ITEM#{itemId}")
    },
    Keys {
        gsi2: Some(["USER#{userId}#ITEMS", "CREATED#{createdAt}#ITEM#{itemId}"]),
        ..plain("InventoryItem", "USER#{userId}", "ITEM#{itemId}")
    },
    plain("Product", "FAMILY#{familyId}", "PRODUCT#{productId}"),
    plain("Product", "USER#{userId}", "PRODUCT#{productId}"),
    plain("ProductLots", "FAMILY#{familyId}", "PRODUCTLOTS#{productId}"),
    plain("ProductLots", "USER#{userId}", "PRODUCTLOTS#{productId}"),
    plain("ProductsMade", "FAMILY#{familyId}", "PRODUCTSMADE"),
    plain("ProductsMade", "USER#{userId}", "PRODUCTSMADE"),
    plain("StorageLocation", "FAMILY#{familyId}", "LOCATION#{locationId}"),
    plain("Store", "FAMILY#{familyId}", "STORE#{storeId}"),
    Keys {
        gsi2: Some(["FAMILY#{familyId}#SHOPPING", "STORE#{storeId}#STATUS#{status}"]),
        ..plain("ShoppingListItem", "FAMILY#{familyId}", "SHOPPING#{shoppingItemId}")
    },
    Keys {
        gsi2: Some(["FAMILY#{familyId}#SHOPPING", "STORE#UNASSIGNED#STATUS#{status}"]),
        ..plain("ShoppingListItem", "FAMILY#{familyId}", "SHOPPING#{shoppingItemId}")
    },
    plain("ShoppingLink", "FAMILY#{familyId}", "SHOPPINGLINK#{itemId}"),
    Keys {
        gsi1: Some(["URL#{urlId}", "ITEM#{itemId}"]),
        gsi2: Some(["FAMILY#{familyId}#URLS", "CREATED#{createdAt}#URL#{urlId}"]),
        ..plain("NFCUrl", "FAMILY#{familyId}", "ITEM#{itemId}#URL#{urlId}")
    },
    // Tag and nonce are only in the key.
    plain(
        "TapNonce",
        "NONCE#33333333-3333-4333-8333-333333330001",
        "NONCE#first-tap#3hTaX9ARQc8E6mP4Y9nR8b",
    ),
    Keys {
        gsi2: Some(["FAMILY#{familyId}#NOTIFICATIONS", "STATUS#{status}#CREATED#{createdAt}"]),
        ..plain("Notification", "FAMILY#{familyId}", "NOTIFICATION#{notificationId}")
    },
    Keys {
        gsi1: Some(["DELIVERIES", "DUE#{dueAt}#{familyId}#{notificationId}#{channel}"]),
        ..plain("Delivery", "FAMILY#{familyId}", "DELIVERY#{notificationId}#{channel}")
    },
    Keys {
        gsi1: Some(["DEAD-LETTERS", "DUE#{dueAt}#{familyId}#{notificationId}#{channel}"]),
        ..plain("Delivery", "FAMILY#{familyId}", "DELIVERY#{notificationId}#{channel}")
    },
    plain("Lease", "LEASE#daily", "LEASE#daily"),
    Keys {
        gsi1: Some(["JOBS", "{createdAt}#FAMILY#{familyId}#JOB#UNLINK#{itemId}"]),
        ..plain("Job", "FAMILY#{familyId}", "JOB#UNLINK#{itemId}")
    },
    Keys {
        gsi1: Some(["JOBS", "{createdAt}#FAMILY#{familyId}#JOB#LOTS#{productId}"]),
        ..plain("Job", "FAMILY#{familyId}", "JOB#LOTS#{productId}")
    },
    Keys {
        gsi1: Some(["JOBS", "{createdAt}#ACCOUNT#{accountUrn}#JOB#CASCADE#{jobId}"]),
        ..plain("Job", "ACCOUNT#{accountUrn}", "JOB#CASCADE#{jobId}")
    },
    // One that is done.
    plain("Job", "ACCOUNT#{accountUrn}", "JOB#CASCADE#{jobId}"),
    plain("Bookmark", "BOOKMARK#resources", "BOOKMARK#resources"),
    plain(
        "Tree",
        "TREE#urn:pp:System.Account::33333333-3333-4333-8333-333333330001",
        "TREE#urn:pp:System.Account::33333333-3333-4333-8333-333333330001",
    ),
    plain("Resource", "Resource#{urn}", "Resource#{urn}"),
    plain("ParentChildRelationship", "Parent#{parentUrn}", "Child#{childUrn}"),
    plain("CollectionMemberRelationship", "Collection#{collectionUrn}", "Member#{memberUrn}"),
    plain("Grant", "Principal#{principalUrn}", "Resource#{resourceUrn}"),
    // The client's key is only in the sort key; in this scenario the digest repeats it.
    plain("IdempotencyKey", "USER#{userId}", "IDEMPOTENCY#{requestHash}"),
    plain(
        "UniqueKeyValue",
        "UniqueKeyValue#{_resourceType}#{key}#{value}",
        "UniqueKeyValue#{_resourceType}#{key}",
    ),
];

/// The key of this record by a pattern; `None` if it lacks an attribute.
fn filled(pattern: &str, record: &Record) -> Option<String> {
    let mut parts = pattern.split(['{', '}']);
    let mut key = parts.next()?.to_owned();
    while let (Some(name), Some(rest)) = (parts.next(), parts.next()) {
        key += record.text(name)?;
        key += rest;
    }
    Some(key)
}

impl Keys {
    fn are_those_of(&self, record: &Record) -> bool {
        let is = |name: &str, pattern: Option<&str>| match pattern {
            Some(pattern) => filled(pattern, record).as_deref() == record.text(name),
            None => record.get(name).is_none(),
        };
        kind_of(record) == self.kind
            && is("PK", Some(self.primary[0]))
            && is("SK", Some(self.primary[1]))
            && is("GSI1PK", self.gsi1.map(|keys| keys[0]))
            && is("GSI1SK", self.gsi1.map(|keys| keys[1]))
            && is("GSI2PK", self.gsi2.map(|keys| keys[0]))
            && is("GSI2SK", self.gsi2.map(|keys| keys[1]))
    }
}

#[tokio::test]
async fn every_record_is_in_a_golden_file_and_every_golden_file_is_used() {
    let mut used = BTreeSet::new();
    for (stage, records) in play().await {
        used.extend(golden::check_stage(stage, &records));
    }
    golden::check_none_is_unused(&used);
}

#[tokio::test]
async fn another_engine_is_left_with_the_same_records() {
    let clock = Arc::new(ManualClock::new(START));
    let engine = ReferenceEngine::new(Arc::clone(&clock) as _);
    assert_eq!(play_on(engine, clock).await, play().await);
}

#[tokio::test]
async fn every_key_is_made_as_the_design_says_and_every_kind_occurs() {
    let mut met = BTreeSet::new();
    for record in all().await {
        let design = DESIGN.iter().position(|keys| keys.are_those_of(&record));
        met.insert(design.unwrap_or_else(|| panic!("not in the design: {record:?}")));
    }
    assert_eq!(met, (0..DESIGN.len()).collect());
}

#[tokio::test]
async fn unique_keys_have_exactly_the_attributes_of_the_relational_store() {
    let expected = [
        "PK",
        "SK",
        "_createdAt",
        "_recordType",
        "_resourceType",
        "_updatedAt",
        "associatedRecordUrn",
        "key",
        "value",
    ];
    let mut constraints = BTreeSet::new();
    for record in all().await.filter(|record| kind_of(record) == "UniqueKeyValue") {
        let names: Vec<_> = record.iter().map(|(name, _)| name.to_owned()).collect();
        assert_eq!(names, expected);
        let [resource, key] = ["_resourceType", "key"].map(|name| record.text(name).unwrap());
        let urn = record.text("associatedRecordUrn").unwrap();
        assert!(urn.starts_with(&format!("urn:pp:{resource}::")), "{urn}");
        constraints.insert(format!("{resource} {key}"));
    }
    let expected = [
        "Home.Room label",
        "Home.Room serial",
        "System.Account inviteCode",
        "System.Account.Notification open",
        "System.Account.Product name",
        "System.Account.StorageLocation name",
        "System.Account.Store name",
        "System.User emailAddress",
        "System.User externalIdentity",
        "System.User firstAccount",
    ];
    assert_eq!(constraints, expected.map(str::to_owned).into());
}

#[tokio::test]
async fn a_unique_key_that_was_given_back_is_gone_and_the_new_one_is_there() {
    let [(_, created), (_, changed)] = play().await;
    let values = |records: &[(Table, Record)]| -> BTreeSet<String> {
        let own = records.iter().filter(|(table, _)| *table == Table::Relational);
        let unique = own.map(|(_, record)| record);
        unique
            .filter(|record| kind_of(record) == "UniqueKeyValue")
            .map(|record| record.text("value").unwrap().to_owned())
            .collect()
    };
    let (created, changed) = (values(&created), values(&changed));
    let home = "FAMILY#33333333-3333-4333-8333-333333330001";
    let mia = "USER#11111111-1111-4111-8111-111111110001";
    let gone = [
        "ABCDEFGH2345".to_owned(),
        "der keller".to_owned(),
        format!("{home}#bakery"),
        format!("{home}#big freezer"),
        format!("{home}#butter"),
        format!("{home}#cellar"),
        format!("{home}#お米"),
        format!("{mia}#tea"),
        format!("{home}#expiring_soon#66666666-6666-4666-8666-666666660008"),
        format!("{home}#shelf"),
    ];
    let come = [
        "B-20".to_owned(),
        "B-21".to_owned(),
        "B-22".to_owned(),
        "B-23".to_owned(),
        "C-2".to_owned(),
        "MNPQRSTU6789".to_owned(),
        format!("{home}#old bakery"),
        format!("{home}#salted butter"),
        format!("{home}#tea"),
        format!("{home}#玄米"),
        format!("{home}#tall shelf"),
    ];
    assert_eq!(created.difference(&changed).cloned().collect::<BTreeSet<_>>(), gone.into());
    assert_eq!(changed.difference(&created).cloned().collect::<BTreeSet<_>>(), come.into());
}

#[tokio::test]
async fn every_outcome_of_a_repeatable_write_and_an_interrupted_deletion_occur() {
    let mut outcomes = BTreeSet::new();
    let mut deleting = BTreeSet::new();
    for record in all().await {
        outcomes.extend(record.text("outcome").map(str::to_owned));
        if record.get("deleting") == Some(&Value::Bool(true)) {
            deleting.insert(record.text("name").unwrap().to_owned());
        }
    }
    let expected = [
        "Consumed",
        "HouseholdCreated",
        "HouseholdJoined",
        "InviteCodeReplaced",
        "ItemAdded",
        "ItemAdjusted",
        "ItemMerged",
        "LocationAdded",
        "NotificationAcknowledged",
        "ProductReplaced",
        "ResourceCreated",
        "ShoppingItemAdded",
        "StoreAdded",
        "TagAdded",
        "TagRotated",
    ];
    assert_eq!(outcomes, expected.map(str::to_owned).into());
    assert_eq!(deleting, ["Big Freezer".to_owned()].into());
}
