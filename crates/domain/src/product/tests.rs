use super::*;
use crate::{OpeningDate, item::tests::details};

fn life(days: u64) -> Option<ShelfLife> {
    ShelfLife::from_days(days).ok()
}

fn quantity(text: &str) -> Option<Quantity> {
    Quantity::parse(text).ok()
}

#[test]
fn a_shelf_life_is_a_day_to_a_hundred_years() {
    for days in [0, 36_501, u64::MAX] {
        assert_eq!(ShelfLife::from_days(days), Err(InvalidShelfLife), "{days}");
    }
    let begin = "2026-02-27".parse().unwrap();
    let end = |days| life(days).unwrap().end(begin).map(|end| end.to_string());
    assert_eq!(end(1).as_deref(), Some("2026-02-28"));
    assert_eq!(end(2).as_deref(), Some("2026-03-01"));
    assert_eq!(end(36_500), None);
}

#[test]
fn what_is_unknown_is_named_until_it_is_known() {
    let mut known = ProductDetails::of_lot(&details("Milk", "1", "L"));
    let gaps = |known: &ProductDetails| known.gaps().collect::<Vec<_>>();
    let all =
        [ProductGap::ShelfLife, ProductGap::Location, ProductGap::Threshold, ProductGap::Shop];
    assert_eq!(gaps(&known), all);
    known.shelf_life = life(7);
    known.low_stock_threshold = quantity("2");
    assert_eq!(gaps(&known), [ProductGap::Location, ProductGap::Shop]);
    known.location = Some(StorageLocationId::fixed(1));
    known.preferred_store = Some(StoreId::fixed(1));
    assert_eq!(gaps(&known), []);
}

#[test]
fn each_version_of_a_lot_makes_another_product() {
    let lot = ItemId::from_random([7; 16]);
    assert_eq!(ProductId::of_lot(lot, 1).first_lot(), lot);
    assert_ne!(ProductId::of_lot(lot, 2), ProductId::of_lot(lot, 1));
    assert_ne!(ProductId::of_lot(lot, 256), ProductId::of_lot(lot, 2));
}

#[test]
fn a_new_lot_adds_what_it_says_and_clears_nothing() {
    let mut first = details("Milk", "1", "L");
    first.low_stock_threshold = quantity("2");
    let known = ProductDetails::of_lot(&first);
    let mut second = details("milk", "3", "L");
    assert_eq!(known.learned(None, &second), known);
    second.shelf_life = life(7);
    let learned = known.learned(None, &second);
    let expected = ProductDetails { shelf_life: life(7), ..known };
    assert_eq!(learned, expected);
    let lot = second.of_product(&learned);
    assert_eq!((lot.name, lot.low_stock_threshold), (first.name, quantity("2")));
}

#[test]
fn a_changed_lot_tells_only_what_changed() {
    let mut before = details("Milk", "1", "L");
    before.low_stock_threshold = quantity("2");
    // Someone else has raised the threshold since this lot was read.
    let known =
        ProductDetails { low_stock_threshold: quantity("5"), ..ProductDetails::of_lot(&before) };
    let after = ItemDetails { shelf_life: life(7), ..before.clone() };
    let expected = ProductDetails { shelf_life: life(7), ..known.clone() };
    assert_eq!(known.learned(Some(&before), &after), expected);
    let cleared = ItemDetails { low_stock_threshold: None, ..before.clone() };
    let expected = ProductDetails { low_stock_threshold: None, ..known.clone() };
    assert_eq!(known.learned(Some(&before), &cleared), expected);
}

#[test]
fn what_is_left_open_is_as_the_product_knows_it() {
    let today = "2026-03-01".parse().unwrap();
    let milk = details("Milk", "1", "L");
    let place = crate::SEEDED_LOCATIONS[1].id;
    let known = ProductDetails {
        shelf_life: life(7),
        category: crate::CATEGORIES[2].id,
        location: Some(place),
        ..ProductDetails::of_lot(&milk)
    };
    assert_eq!(milk.clone().filled_in(LeftOpen::default(), &known, today), milk);
    let open = LeftOpen { expiration: true, category: true, location: true };
    let filled = milk.clone().filled_in(open, &known, today);
    let until = ExpirationDate::parse("2026-03-08").ok();
    assert_eq!((filled.expiration, filled.location), (until, Some(place)));
    assert_eq!(filled.category, known.category);
    let patch = ProductPatch::of_lot(&filled, today);
    assert_eq!(patch.apply(&ProductDetails::of_lot(&milk)), known);
}

#[test]
fn the_earlier_of_two_days_counts() {
    let mut milk = details("Milk", "1", "L");
    let until = |milk: &ItemDetails| milk.good_until().map(|day| day.to_string());
    assert_eq!(until(&milk), None);
    milk.opened_on = OpeningDate::parse("2026-03-01").ok();
    assert_eq!(until(&milk), None);
    milk.opened_shelf_life = life(3);
    assert_eq!(until(&milk).as_deref(), Some("2026-03-04"));
    milk.expiration = ExpirationDate::parse("2026-03-02").ok();
    assert_eq!(until(&milk).as_deref(), Some("2026-03-02"));
    milk.expiration = ExpirationDate::parse("2026-03-20").ok();
    assert_eq!(until(&milk).as_deref(), Some("2026-03-04"));
}
