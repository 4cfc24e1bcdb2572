use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::*;
use crate::{ItemId, Owner, Quantity, ShoppingChange, StoreId, item::tests::details};

const HOME: HouseholdId = HouseholdId::fixed(1);
const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn lot(number: u128, quantity: &str, unit: &str) -> Item {
    let details = details("Milk", quantity, unit);
    Item::new(ItemId::fixed(number), Owner::Household(HOME), details, UserId::fixed(3), NOW)
}

fn product(unit: &str, threshold: &str, desired: Option<&str>) -> Product {
    let mut product = Product::of_lot(&lot(1, "1", unit));
    product.details.low_stock_threshold = Some(Quantity::parse(threshold).unwrap());
    product.details.desired_quantity = desired.map(|it| Quantity::parse(it).unwrap());
    product.details.preferred_store = Some(StoreId::fixed(9));
    product
}

/// The lot to restock, and how many of its unit.
fn missing(product: &Product, lots: &[Item]) -> Option<(u128, u32)> {
    let missing = missing_stock(product, lots)?;
    let number = lots.iter().position(|lot| lot.id == missing.lot.id).unwrap();
    Some((u128::try_from(number).unwrap() + 1, missing.count.get()))
}

#[test]
fn what_is_missing_is_a_whole_number_in_the_products_unit_if_a_lot_has_it() {
    let milk = product("L", "2", Some("4"));
    for (lots, expected) in [
        (vec![lot(1, "1", "L")], Some((1, 3))),
        (vec![lot(1, "0", "L")], Some((1, 4))),
        (vec![lot(1, "1.25", "L")], Some((1, 3))),
        (vec![lot(1, "1.99", "L")], Some((1, 3))),
        (vec![lot(1, "1", "L"), lot(2, "250", "ml")], Some((1, 3))),
        (vec![lot(1, "250", "ml"), lot(2, "1", "L")], Some((2, 3))),
        (vec![lot(1, "250.5", "ml"), lot(2, "500", "ml")], Some((1, 3250))),
        (vec![lot(1, "1", "bottle"), lot(2, "1", "L")], Some((2, 3))),
        (vec![lot(1, "1", "bottle")], Some((1, 3))),
        (vec![lot(1, "2", "L")], None),
        (vec![lot(1, "1", "L"), lot(2, "1000", "ml")], None),
        (vec![], None),
    ] {
        assert_eq!(missing(&milk, &lots), expected, "{lots:?}");
    }
}

#[test]
fn nothing_is_missing_without_a_threshold_a_desired_quantity_or_the_switch() {
    let lots = [lot(1, "1", "L")];
    assert_eq!(missing(&product("L", "2", None), &lots), None);
    let mut milk = product("L", "2", Some("4"));
    milk.details.auto_list = false;
    assert_eq!(missing(&milk, &lots), None);
    let mut milk = product("L", "2", Some("4"));
    milk.details.low_stock_threshold = None;
    assert_eq!(missing(&milk, &lots), None);
}

#[test]
fn at_least_one_is_missing_of_what_is_low() {
    let lots = [lot(1, "1", "L")];
    for desired in ["0", "0.5", "1", "1.01", "2"] {
        assert_eq!(missing(&product("L", "2", Some(desired)), &lots), Some((1, 1)), "{desired}");
    }
    let sacks = product("t", "99999999.99", Some("99999999.99"));
    assert_eq!(missing(&sacks, &[lot(1, "0", "t")]), Some((1, 99_999_999)), "no more than fit");
}

#[test]
fn the_entry_restocks_the_lot_in_the_preferred_shop() {
    let (milk, lots) = (product("L", "2", Some("4")), [lot(1, "1", "L")]);
    let id = ShoppingItemId::fixed(5);
    let entry = missing_stock(&milk, &lots).unwrap().entry(id, HOME, Some(UserId::fixed(8)), NOW);
    let details = ShoppingDetails {
        name: ShoppingName::parse("Milk").unwrap(),
        store: Some(StoreId::fixed(9)),
        quantity: Some(ShoppingQuantity::new(3).unwrap()),
        notes: None,
    };
    let by = UserId::fixed(8);
    assert_eq!(entry, ShoppingItem::new(id, HOME, Some(ItemId::fixed(1)), details, by, NOW));
}

#[test]
fn a_change_by_nobody_is_that_of_whoever_changed_the_stock_last() {
    let later = |seconds| NOW + SignedDuration::from_secs(seconds);
    let (mut milk, mut lots) = (product("L", "2", Some("4")), [lot(1, "1", "L"), lot(2, "0", "L")]);
    let by = |milk: &Product, lots: &[Item]| {
        let missing = missing_stock(milk, lots).unwrap();
        missing.entry(ShoppingItemId::fixed(5), HOME, None, NOW).added_by
    };
    (lots[1].updated_at, lots[1].updated_by) = (later(1), UserId::fixed(4));
    assert_eq!(by(&milk, &lots), UserId::fixed(4));
    (milk.updated_at, milk.updated_by) = (later(2), UserId::fixed(6));
    assert_eq!(by(&milk, &lots), UserId::fixed(6));
    (lots[0].updated_at, lots[0].updated_by) = (later(3), UserId::fixed(7));
    assert_eq!(by(&milk, &lots), UserId::fixed(7));
}

#[test]
fn what_is_to_be_bought_under_its_name_or_for_any_of_its_lots_is_covered() {
    let (milk, lots) = (product("L", "2", Some("4")), [lot(1, "1", "L"), lot(2, "0", "L")]);
    let missing = missing_stock(&milk, &lots).unwrap();
    let entry = |item: Option<u128>, name: &str| {
        let name = ShoppingName::parse(name).unwrap();
        let details = ShoppingDetails { name, store: None, quantity: None, notes: None };
        let (id, item) = (ShoppingItemId::fixed(5), item.map(ItemId::fixed));
        ShoppingItem::new(id, HOME, item, details, UserId::fixed(3), NOW)
    };
    for (item, name, is_covered) in [
        (Some(1), "Milk", true),
        (Some(2), "The white one", true),
        (Some(3), "Milk", false),
        (None, " ＭＩＬＫ ", true),
        (None, "Oat milk", false),
    ] {
        let entry = entry(item, name);
        assert_eq!(missing.is_covered_by(&entry), is_covered, "{item:?} {name}");
        let bought = entry.changed(&ShoppingChange::Status(ShoppingStatus::Purchased), NOW);
        assert!(!missing.is_covered_by(&bought), "{item:?} {name}, bought");
    }
}

#[test]
fn a_long_name_is_cut() {
    let mut milk = product("L", "2", Some("4"));
    milk.details.name = crate::ItemName::parse(&"乳".repeat(200)).unwrap();
    let lots = [lot(1, "1", "L")];
    assert_eq!(missing_stock(&milk, &lots).unwrap().name.as_str(), "乳".repeat(100));
}

proptest! {
    /// What is bought is enough, and one less would not be.
    #[test]
    fn what_is_missing_fills_up_to_what_is_desired(
        quantities in proptest::collection::vec((0..300_i64, any::<bool>()), 1..4),
        desired in 301..2000_i64,
    ) {
        let lots: Vec<_> = (1..).zip(quantities).map(|(number, (hundredths, is_small))| {
            let mut lot = lot(number, "0", if is_small { "ml" } else { "L" });
            lot.details.quantity = Quantity::from_hundredths(hundredths).unwrap();
            lot
        }).collect();
        let mut milk = product("L", "3", None);
        let desired = Quantity::from_hundredths(desired).unwrap();
        milk.details.desired_quantity = Some(desired);
        let level = StockLevel::of(&milk.details, &lots).unwrap();
        let Some(missing) = missing_stock(&milk, &lots) else {
            prop_assert!(!level.is_low());
            return Ok(());
        };
        let is_enough = |bought: u32| {
            let mut lots = lots.clone();
            let lot = lots.iter_mut().find(|lot| lot.id == missing.lot.id).unwrap();
            let hundredths = lot.details.quantity.hundredths() + i64::from(bought) * 100;
            lot.details.quantity = Quantity::from_hundredths(hundredths).unwrap();
            let known = crate::ProductDetails {
                low_stock_threshold: Some(desired),
                ..milk.details.clone()
            };
            !StockLevel::of(&known, &lots).unwrap().is_low()
        };
        prop_assert!(level.is_low());
        prop_assert!(is_enough(missing.count.get()));
        prop_assert!(!is_enough(missing.count.get() - 1));
    }
}
