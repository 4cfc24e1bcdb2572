//! Things to put into stores.

use jiff::civil::{Date, date};
use larder_domain::{
    Delta, ExpirationDate, Gtin, ItemDetails, ItemName, LocationName, Quantity, ShoppingDetails,
    ShoppingName, StorageLocation, StorageLocationId, Store, StoreId, StoreName, Unit,
};

/// The day on which lists are read.
pub(crate) const TODAY: Date = date(2031, 1, 15);

pub(crate) fn details(name: &str, amount: &str, unit: &str) -> ItemDetails {
    let (name, unit) = (ItemName::parse(name).unwrap(), Unit::parse(unit).unwrap());
    ItemDetails::new(name, quantity(amount), unit)
}

pub(crate) fn dated(name: &str, amount: &str, unit: &str, expiration: &str) -> ItemDetails {
    let expiration = Some(ExpirationDate::parse(expiration).unwrap());
    ItemDetails { expiration, ..details(name, amount, unit) }
}

pub(crate) fn quantity(text: &str) -> Quantity {
    Quantity::parse(text).unwrap()
}

/// The EAN-8 of this number.
pub(crate) fn barcode(number: u32) -> Gtin {
    let code = (0..10).find_map(|check| Gtin::parse(&format!("{number:07}{check}")).ok());
    code.expect("one check digit is right")
}

pub(crate) fn delta(text: &str) -> Delta {
    Delta::parse(text).unwrap()
}

pub(crate) fn location(id: StorageLocationId, name: &str) -> StorageLocation {
    StorageLocation { id, name: LocationName::parse(name).unwrap(), device: None }
}

pub(crate) fn shop(id: StoreId, name: &str) -> Store {
    Store { id, name: StoreName::parse(name).unwrap(), address: None, sort_order: None }
}

/// Something to buy, anywhere, without a number or a remark.
pub(crate) fn to_buy(name: &str) -> ShoppingDetails {
    let name = ShoppingName::parse(name).unwrap();
    ShoppingDetails { name, store: None, quantity: None, notes: None }
}

/// An item that should not fall below this.
pub(crate) fn watched(name: &str, amount: &str, threshold: &str) -> ItemDetails {
    let low_stock_threshold = Some(quantity(threshold));
    ItemDetails { low_stock_threshold, ..details(name, amount, "L") }
}
