//! Storage locations and shops.

use thiserror::Error;

use crate::{
    DeviceReference, LocationName, StorageLocationId, StoreAddress, StoreId, StoreName,
    entity::{entity, field},
    text,
};

/// A storage location of a household's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorageLocation {
    /// Its id.
    pub id: StorageLocationId,
    /// Its name; unique in the household.
    pub name: LocationName,
    /// The sensor that watches it.
    pub device: Option<DeviceReference>,
}

entity! { StorageLocation { id: "id", name: "name", device: "deviceId" } }

/// A shop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// Its id.
    pub id: StoreId,
    /// Its name; unique in the household.
    pub name: StoreName,
    /// Its address.
    pub address: Option<StoreAddress>,
    /// Its place in the household's order of shops.
    pub sort_order: Option<SortOrder>,
}

entity! { Store { id: "id", name: "name", address: "address", sort_order: "sortOrder" } }

impl Store {
    /// Sorts shops as the household goes to them. Those without a place in this order come after the
    /// others, by name.
    pub fn sort(stores: &mut [Self]) {
        stores.sort_by_cached_key(|store| {
            let name = text::fold(store.name.as_str());
            (store.sort_order.is_none(), store.sort_order, name, store.id)
        });
    }

    /// The places in the order that change when a shop moves by one place: up, or down. `stores` are
    /// sorted. Every shop has a place afterwards.
    pub fn shift(stores: &[Self], id: StoreId, up: bool) -> Vec<(StoreId, SortOrder)> {
        let mut order: Vec<&Self> = stores.iter().collect();
        let Some(at) = order.iter().position(|store| store.id == id) else { return Vec::new() };
        let other = if up { at.checked_sub(1) } else { Some(at + 1) };
        let Some(other) = other.filter(|other| *other < order.len()) else { return Vec::new() };
        order.swap(at, other);
        let places = (1..=SortOrder::MAX).map(SortOrder);
        order
            .into_iter()
            .zip(places)
            .filter(|(store, place)| store.sort_order != Some(*place))
            .map(|(store, place)| (store.id, place))
            .collect()
    }
}

/// A place in an order: the smallest comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SortOrder(u16);

/// The number is no place in an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a whole number from 1 to 10000")]
pub struct InvalidSortOrder;

impl SortOrder {
    /// Far more shops than a household goes to.
    pub const MAX: u16 = 10_000;

    /// A place from 1 on.
    pub fn new(place: u64) -> Result<Self, InvalidSortOrder> {
        let place = u16::try_from(place).map_err(|_| InvalidSortOrder)?;
        if (1..=Self::MAX).contains(&place) { Ok(Self(place)) } else { Err(InvalidSortOrder) }
    }

    /// Reads a whole number.
    pub fn parse(text: &str) -> Result<Self, InvalidSortOrder> {
        Self::new(text.parse().map_err(|_| InvalidSortOrder)?)
    }

    /// The number.
    pub const fn get(self) -> u16 {
        self.0
    }
}

field! { SortOrder: count(|place| u64::from(place.0), |place: &u64| Self::new(*place)) }

#[cfg(test)]
mod tests {
    use super::*;

    fn shop(id: u32, name: &str, place: Option<u64>) -> Store {
        Store {
            id: StoreId::fixed(id.into()),
            name: StoreName::parse(name).unwrap(),
            address: None,
            sort_order: place.map(|place| SortOrder::new(place).unwrap()),
        }
    }

    fn names(stores: &[Store]) -> Vec<&str> {
        stores.iter().map(|store| store.name.as_str()).collect()
    }

    fn shifted(stores: &[Store], id: u32, up: bool) -> Vec<(StoreId, u16)> {
        let shifted = Store::shift(stores, StoreId::fixed(id.into()), up);
        shifted.into_iter().map(|(id, place)| (id, place.get())).collect()
    }

    #[test]
    fn shops_without_a_place_come_after_the_others_by_name() {
        let mut stores = [
            shop(1, "market", None),
            shop(2, "Ｂakery", None),
            shop(3, "Zoo", Some(7)),
            shop(4, "Tea", Some(2)),
            shop(5, "Ale", Some(7)),
        ];
        Store::sort(&mut stores);
        assert_eq!(names(&stores), ["Tea", "Ale", "Zoo", "Ｂakery", "market"]);
    }

    #[test]
    fn a_shop_changes_places_with_its_neighbour_and_only_changes_are_written() {
        let new = [shop(1, "A", None), shop(2, "B", None), shop(3, "C", None)];
        let id = |n: u32| StoreId::fixed(n.into());
        assert_eq!(shifted(&new, 3, true), [(id(1), 1), (id(3), 2), (id(2), 3)]);
        let old = [shop(1, "A", Some(1)), shop(2, "B", Some(2)), shop(3, "C", Some(3))];
        assert_eq!(shifted(&old, 1, false), [(id(2), 1), (id(1), 2)]);
        for (id, up) in [(1, true), (3, false), (9, true)] {
            assert_eq!(shifted(&old, id, up), [], "{id}");
        }
    }

    #[test]
    fn a_place_is_a_whole_number_from_one_on() {
        assert_eq!(SortOrder::parse("10000").map(SortOrder::get), Ok(10_000));
        for text in ["0", "10001", "-1", "1.5", "", "first"] {
            assert_eq!(SortOrder::parse(text), Err(InvalidSortOrder), "{text}");
        }
    }
}
