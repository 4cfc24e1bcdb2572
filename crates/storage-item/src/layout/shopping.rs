//! `ShoppingListItem` records, and the `ShoppingLink` records that count the pending ones of an item.

use jiff::Timestamp;
use larder_domain::{HouseholdId, ItemId, ShoppingItem, ShoppingStatus};
use larder_storage::Result;

use crate::{
    Change, Key, Number, Record, Value,
    layout::{
        entity::Layout,
        fields::{Fields, timestamp_text},
        keys,
    },
};

pub(crate) const ENTITY: &str = "ShoppingListItem";
pub(crate) const LINK_ENTITY: &str = "ShoppingLink";

/// How many pending entries restock the item of a `ShoppingLink`.
pub(crate) const PENDING: &str = "pending";

/// Seed 001's records contain nulls instead of omitting attributes.
pub(crate) const LAYOUT: Layout =
    Layout { renamed: &[("householdId", "familyId"), ("expiresAt", "ttl")], writes_null: true };

pub(crate) fn to_record(item: &ShoppingItem) -> Record {
    let Key { pk, sk } = keys::shopping_item(item.household, item.id);
    let record = Record::new()
        .with("PK", pk)
        .with("SK", sk)
        .with("GSI2PK", keys::shopping_pk(item.household))
        .with("GSI2SK", keys::shopping_sk(item.details.store, item.status))
        .with("entityType", ENTITY);
    LAYOUT.write(item, record)
}

pub(crate) fn from_record(record: &Record) -> Result<ShoppingItem> {
    LAYOUT.read(record)
}

/// The changes that turn an entry into free text. The rest is kept.
pub(crate) fn orphaned(at: Timestamp) -> Vec<Change> {
    let mut changes = vec![Change::Set("itemId".into(), Value::Null)];
    changes.extend(touched(at));
    changes
}

/// The changes that clear the shop of an entry with this status.
pub(crate) fn unassigned(status: ShoppingStatus, at: Timestamp) -> Vec<Change> {
    let mut changes = vec![
        Change::Set("storeId".into(), Value::Null),
        Change::Set("GSI2SK".into(), keys::shopping_sk(None, status).into()),
    ];
    changes.extend(touched(at));
    changes
}

fn touched(at: Timestamp) -> [Change; 2] {
    [
        Change::Add("version".into(), Number::from(1)),
        Change::Set("updatedAt".into(), timestamp_text(at).into()),
    ]
}

/// The counter of an item with this many pending entries.
pub(crate) fn link_record(household: HouseholdId, item: ItemId, pending: u64) -> Record {
    let Key { pk, sk } = keys::shopping_link(household, item);
    Record::new()
        .with("PK", pk)
        .with("SK", sk)
        .with("entityType", LINK_ENTITY)
        .with("familyId", household.to_string())
        .with("itemId", item.to_string())
        .with(PENDING, Number::from(i64::try_from(pending).unwrap_or(i64::MAX)))
        .with("version", Number::from(1))
}

/// The changes that add to the count of an item's pending entries. `version` distinguishes a count
/// that changed and returned from an unchanged one.
pub(crate) fn pending_changed(by: i64) -> Vec<Change> {
    vec![
        Change::Add(PENDING.into(), Number::from(by)),
        Change::Add("version".into(), Number::from(1)),
    ]
}

/// The changes that correct the count of an item.
pub(crate) fn pending_corrected(pending: u64) -> Vec<Change> {
    let pending = Number::from(i64::try_from(pending).unwrap_or(i64::MAX));
    vec![
        Change::Set(PENDING.into(), pending.into()),
        Change::Add("version".into(), Number::from(1)),
    ]
}

/// An item's count of pending entries, and its version.
pub(crate) fn link_from_record(record: &Record) -> Result<(i64, u64)> {
    let fields = Fields(record);
    let pending = fields.number(PENDING)?.to_i64();
    let pending = pending.ok_or_else(|| record.misfit("pending is no whole number"))?;
    Ok((pending, fields.count("version")?))
}

#[cfg(test)]
mod tests {
    use larder_domain::{
        ShoppingChange, ShoppingDetails, ShoppingItemId, ShoppingName, ShoppingNotes,
        ShoppingQuantity, StoreId, UserId,
    };

    use super::*;

    const FAMILY: &str = "f47ac10b-58cc-4372-a567-0e02b2c3d479";
    const STORE: &str = "123e4567-e89b-12d3-a456-426614174000";
    const ADDED_BY: &str = "550e8400-e29b-41d4-a716-446655440000";

    fn entry(id: &str, name: &str, created_at: &str) -> ShoppingItem {
        let details = ShoppingDetails {
            name: ShoppingName::parse(name).unwrap(),
            store: None,
            quantity: Some(ShoppingQuantity::new(1).unwrap()),
            notes: None,
        };
        let (id, family) = (id.parse::<ShoppingItemId>().unwrap(), FAMILY.parse().unwrap());
        let by = ADDED_BY.parse::<UserId>().unwrap();
        ShoppingItem::new(id, family, None, details, by, created_at.parse().unwrap())
    }

    fn paper_towels() -> ShoppingItem {
        let id = "8f14e45f-ceea-467a-9b36-34f6c3b3e7d1";
        let mut item = entry(id, "Paper Towels", "2025-12-10T12:00:00Z");
        item.item = Some("6ba7b810-9dad-11d1-80b4-00c04fd430c8".parse().unwrap());
        item.details.store = Some(STORE.parse::<StoreId>().unwrap());
        item.details.quantity = Some(ShoppingQuantity::new(2).unwrap());
        item.details.notes = ShoppingNotes::parse("Prefer double-roll").unwrap();
        item
    }

    /// The common attributes of the seed's three examples.
    fn example(id: &str, sort: &str, name: &str, times: [&str; 2]) -> Record {
        Record::new()
            .with("PK", format!("FAMILY#{FAMILY}"))
            .with("SK", format!("SHOPPING#{id}"))
            .with("GSI2PK", format!("FAMILY#{FAMILY}#SHOPPING"))
            .with("GSI2SK", sort)
            .with("shoppingItemId", id)
            .with("familyId", FAMILY)
            .with("name", name)
            .with("addedBy", ADDED_BY)
            .with("entityType", "ShoppingListItem")
            .with("createdAt", times[0])
            .with("updatedAt", times[1])
    }

    #[test]
    fn a_pending_entry_is_seed_001s_example_field_for_field() {
        let expected = example(
            "8f14e45f-ceea-467a-9b36-34f6c3b3e7d1",
            "STORE#123e4567-e89b-12d3-a456-426614174000#STATUS#pending",
            "Paper Towels",
            ["2025-12-10T12:00:00.000Z"; 2],
        )
        .with("itemId", "6ba7b810-9dad-11d1-80b4-00c04fd430c8")
        .with("storeId", STORE)
        .with("status", "pending")
        .with("quantity", Number::from(2))
        .with("notes", "Prefer double-roll")
        .with("version", Number::from(1))
        .with("ttl", Value::Null);
        assert_eq!(to_record(&paper_towels()), expected);
    }

    #[test]
    fn a_purchased_entry_is_seed_001s_example_with_the_end_of_its_seven_days() {
        let id = "9f14e45f-ceea-467a-9b36-34f6c3b3e7d2";
        let mut milk = entry(id, "Milk", "2025-12-10T10:00:00Z");
        milk.item = Some("7ba7b810-9dad-11d1-80b4-00c04fd430c9".parse().unwrap());
        milk.details.store = Some(STORE.parse().unwrap());
        let bought_at: Timestamp = "2025-12-10T14:00:00Z".parse().unwrap();
        let bought = ShoppingChange::Status(ShoppingStatus::Purchased);
        let expected = example(
            id,
            "STORE#123e4567-e89b-12d3-a456-426614174000#STATUS#purchased",
            "Milk",
            ["2025-12-10T10:00:00.000Z", "2025-12-10T14:00:00.000Z"],
        )
        .with("itemId", "7ba7b810-9dad-11d1-80b4-00c04fd430c9")
        .with("storeId", STORE)
        .with("status", "purchased")
        .with("quantity", Number::from(1))
        .with("notes", Value::Null)
        .with("version", Number::from(2))
        // 2025-12-17T14:00:00Z: the seed's own number is a year early.
        .with("ttl", Number::from(1_765_980_000));
        assert_eq!(to_record(&milk.changed(&bought, bought_at)), expected);
    }

    #[test]
    fn free_text_is_seed_001s_example_field_for_field() {
        let id = "af14e45f-ceea-467a-9b36-34f6c3b3e7d3";
        let mut cake = entry(id, "Birthday cake", "2025-12-10T15:00:00Z");
        cake.details.notes = ShoppingNotes::parse("For Sarah's party on Saturday").unwrap();
        let times = ["2025-12-10T15:00:00.000Z"; 2];
        let expected = example(id, "STORE#UNASSIGNED#STATUS#pending", "Birthday cake", times)
            .with("itemId", Value::Null)
            .with("storeId", Value::Null)
            .with("status", "pending")
            .with("quantity", Number::from(1))
            .with("notes", "For Sarah's party on Saturday")
            .with("version", Number::from(1))
            .with("ttl", Value::Null);
        assert_eq!(to_record(&cake), expected);
    }

    #[test]
    fn records_read_back_as_what_they_were_written_from() {
        let pending = paper_towels();
        let at: Timestamp = "2025-12-11T08:30:00.123Z".parse().unwrap();
        let bought = pending.changed(&ShoppingChange::Status(ShoppingStatus::Purchased), at);
        for item in
            [entry(&pending.id.to_string(), "Salt", "2025-12-10T12:00:00Z"), pending, bought]
        {
            assert_eq!(from_record(&to_record(&item)).unwrap(), item);
        }
    }

    fn applied(item: &ShoppingItem, changes: &[Change]) -> ShoppingItem {
        let mut record = to_record(item);
        changes.iter().try_for_each(|change| change.apply(&mut record)).unwrap();
        let after = from_record(&record).unwrap();
        assert_eq!(to_record(&after), record, "the index keys follow");
        after
    }

    #[test]
    fn what_loses_its_item_or_its_shop_keeps_the_rest() {
        let item = paper_towels();
        let at: Timestamp = "2025-12-11T08:30:00Z".parse().unwrap();
        assert_eq!(applied(&item, &orphaned(at)), item.orphaned(at));

        let mut expected = ShoppingItem { version: 2, updated_at: at, ..item.clone() };
        expected.details.store = None;
        assert_eq!(applied(&item, &unassigned(item.status, at)), expected);
    }

    #[test]
    fn every_change_of_a_count_has_a_version_of_its_own() {
        let mut link = link_record(FAMILY.parse().unwrap(), ItemId::fixed(7), 1);
        for (changes, expected) in [
            (pending_changed(1), (2, 2)),
            (pending_changed(-1), (1, 3)),
            (pending_changed(-1), (0, 4)),
            (pending_corrected(5), (5, 5)),
        ] {
            changes.iter().try_for_each(|change| change.apply(&mut link)).unwrap();
            assert_eq!(link_from_record(&link).unwrap(), expected);
        }
    }

    #[test]
    fn a_quantity_that_nobody_can_buy_is_a_corrupt_record() {
        for wrong in [Value::N(Number::from(0)), Value::N(Number::from(-1)), "2".into()] {
            let record = to_record(&paper_towels()).with("quantity", wrong);
            assert!(from_record(&record).is_err());
        }
    }
}
