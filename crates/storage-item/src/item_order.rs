//! Orders of items that no attribute holds: by name and by date.
//!
//! An engine that can derive a sort key from a record keeps them as indexes, so that such a list
//! reads no more than it shows. DynamoDB indexes attributes only; there these lists read the
//! inventory and sort it.

use std::borrow::Cow;

use larder_domain::{
    ExpirationDate, ItemPosition, ItemSort, OpeningDate, Owner, ShelfLife, good_until, text,
};
use larder_storage::{Result, StorageError};

use crate::{
    GSI2, Index, Position, Query, Record, SortKeys, Table,
    layout::{item, keys},
};

const BY_NAME: Index = Index { name: "ItemsByName", pk: GSI2.pk, sk: Some("(name)") };
const BY_DATE: Index = Index { name: "ItemsByDate", pk: GSI2.pk, sk: Some("(date)") };

/// The orders. Like all indexes they have the primary key as a tie-breaker.
pub const ITEM_ORDERS: [Index; 2] = [BY_NAME, BY_DATE];

/// Behind every date.
const UNDATED: &str = "~";

/// The sort key of a record in one of the [`ITEM_ORDERS`]; `None` if it is no item.
pub(crate) fn sort_key(record: &Record, index: Index) -> Option<Cow<'_, str>> {
    if !item::is_item(record) {
        return None;
    }
    Some(if index == BY_NAME {
        name_key(&text::fold(record.text("name")?)).into()
    } else {
        date(record)
    })
}

/// Never empty, even if nothing is left of a name.
fn name_key(folded: &str) -> String {
    format!("#{folded}")
}

/// The day that counts.
fn date(record: &Record) -> Cow<'_, str> {
    let expiration = record.text("expirationDate");
    let opened = record.text("openedOn").and_then(|day| OpeningDate::parse(day).ok());
    let life = record.number("openedShelfLifeDays").and_then(crate::Number::to_i64);
    let life = life.and_then(|days| ShelfLife::from_days(days.try_into().ok()?).ok());
    if opened.is_none() || life.is_none() {
        return expiration.unwrap_or(UNDATED).into();
    }
    let expiration = expiration.and_then(|date| ExpirationDate::parse(date).ok());
    date_key(good_until(expiration, opened, life)).into()
}

fn date_key(date: Option<ExpirationDate>) -> String {
    date.map_or_else(|| UNDATED.to_owned(), |date| date.to_string())
}

/// The items of an inventory in this order, after a position of the same order.
pub(crate) fn items_in_order(
    owner: Owner,
    sort: ItemSort,
    after: Option<&ItemPosition>,
    limit: usize,
) -> Result<Query> {
    check_order(sort, after)?;
    let query = Query::new(Table::InventoryManagement, keys::items_pk(owner), SortKeys::Any, limit);
    let query = match sort {
        ItemSort::Created => query.by(GSI2).backward(),
        ItemSort::Name => query.by(BY_NAME),
        ItemSort::Expiration => query.by(BY_DATE),
    };
    let start_after = after.map(|after| {
        let (sort, id) = match after {
            ItemPosition::Created(at, id) => (keys::item_created_sk(*at, *id), *id),
            ItemPosition::Name(name, id) => (name_key(name), *id),
            ItemPosition::Expiration(date, id) => (date_key(*date), *id),
        };
        Position { sort, key: keys::item(owner, id) }
    });
    Ok(Query { start_after, ..query })
}

/// Refuses a position of another order.
pub(crate) fn check_order(sort: ItemSort, after: Option<&ItemPosition>) -> Result<()> {
    if after.is_some_and(|after| after.sort() != sort) {
        return Err(StorageError::Defect("a position of another order".to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use larder_domain::{Item, ItemDetails, ItemId, ItemName, Quantity, Unit, UserId};
    use proptest::prelude::*;

    use super::*;

    fn item(id: u128, name: &str, dates: [Option<u8>; 2], life: Option<u8>) -> Item {
        let [expiration, opened] = dates.map(|day| day.map(|day| format!("2026-02-{day:02}")));
        let unit = Unit::parse("個").unwrap();
        let details = ItemDetails {
            expiration: expiration.map(|date| ExpirationDate::parse(&date).unwrap()),
            opened_on: opened.map(|date| OpeningDate::parse(&date).unwrap()),
            opened_shelf_life: life.map(|days| ShelfLife::from_days(days.into()).unwrap()),
            ..ItemDetails::new(ItemName::parse(name).unwrap(), Quantity::ONE, unit)
        };
        let user = UserId::fixed(1);
        Item::new(ItemId::fixed(id), Owner::User(user), details, user, jiff::Timestamp::UNIX_EPOCH)
    }

    fn items() -> impl Strategy<Value = Item> {
        let day = || prop::option::of(1_u8..28);
        let fields =
            (0_u128..9, "[a-cA-C ＡＢあ~]{1,3}", [day(), day()], prop::option::of(1_u8..9));
        fields
            .prop_filter("names are not blank", |(_, name, ..)| ItemName::parse(name).is_ok())
            .prop_map(|(id, name, dates, life)| item(id, &name, dates, life))
    }

    proptest! {
        #[test]
        fn keys_compare_as_positions_do(one in items(), other in items()) {
            for (index, sort) in [(BY_NAME, ItemSort::Name), (BY_DATE, ItemSort::Expiration)] {
                let key = |item: &Item| {
                    let record = item::to_record(item);
                    let key = keys::item(item.owner, item.id);
                    (sort_key(&record, index).unwrap().into_owned(), key)
                };
                let position = |item: &Item| ItemPosition::of(item, sort);
                prop_assert_eq!(
                    Some(key(&one).cmp(&key(&other))),
                    position(&one).partial_cmp(&position(&other))
                );
                // A list that continues behind an item continues behind its entry.
                let after = items_in_order(one.owner, sort, Some(&position(&one)), 1).unwrap();
                let start = after.start_after.unwrap();
                prop_assert_eq!((start.sort, start.key), key(&one));
            }
        }
    }

    #[test]
    fn only_items_are_in_order() {
        let milk = item(1, "Milk", [Some(3), None], None);
        let record = item::to_record(&milk);
        assert_eq!(
            BY_DATE.key_of(&record),
            Some(("USER#00000000-0000-0000-0000-000000000001#ITEMS", "2026-02-03".into()))
        );
        assert_eq!(BY_NAME.key_of(&record).unwrap().1, "#milk");
        let other = record.with("entityType", "Store");
        assert_eq!(BY_NAME.key_of(&other), None);
    }
}
