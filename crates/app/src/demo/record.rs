//! The record of a household's demo data: the ids of everything, written before any of it is
//! created.

use std::{collections::BTreeMap, str::FromStr};

use larder_domain::{
    AttributeValue, Attributes, HouseholdId, ItemId, ResourceType, ShoppingItemId,
    StorageLocationId, StoreId, Urn, UrnDomain,
};

use super::goods::broken;
use crate::Result;

/// The kind of thing that the record is.
const RECORD_TYPE: &str = "Demo.Data";

/// The ids of everything, including entities that were not created or are deleted: ids are never
/// reused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct DemoRecord {
    pub(super) stores: Vec<StoreId>,
    pub(super) locations: Vec<StorageLocationId>,
    pub(super) items: Vec<ItemId>,
    pub(super) wishes: Vec<ShoppingItemId>,
    /// Parents first.
    pub(super) things: Vec<Urn>,
}

/// The URN of a household's record: there is at most one.
pub(super) fn record_urn(household: HouseholdId) -> Result<Urn> {
    let resource_type = ResourceType::parse(RECORD_TYPE).map_err(broken)?;
    Ok(Urn::new(UrnDomain::larder(), resource_type, Urn::of_household(household).id()))
}

/// Whether this is a record of demo data, rather than a thing.
pub(crate) fn is_record(urn: &Urn) -> bool {
    urn.resource_type().as_str() == RECORD_TYPE
}

impl DemoRecord {
    /// The record as attributes of a resource that people read by this name.
    pub(super) fn to_attributes(&self, name: &str) -> Result<Attributes> {
        let values = BTreeMap::from([
            ("name".to_owned(), AttributeValue::Text(name.to_owned())),
            ("stores".to_owned(), texts(&self.stores)),
            ("locations".to_owned(), texts(&self.locations)),
            ("items".to_owned(), texts(&self.items)),
            ("shoppingItems".to_owned(), texts(&self.wishes)),
            ("things".to_owned(), texts(&self.things)),
        ]);
        Attributes::new(values).map_err(broken)
    }

    /// Parses a record. Every member can change it like any other resource: invalid ids are
    /// skipped.
    pub(super) fn of(attributes: &Attributes) -> Self {
        Self {
            stores: read(attributes, "stores"),
            locations: read(attributes, "locations"),
            items: read(attributes, "items"),
            wishes: read(attributes, "shoppingItems"),
            things: read(attributes, "things"),
        }
    }
}

fn texts(ids: &[impl ToString]) -> AttributeValue {
    AttributeValue::List(ids.iter().map(|id| AttributeValue::Text(id.to_string())).collect())
}

fn read<T: FromStr>(attributes: &Attributes, name: &str) -> Vec<T> {
    let Some(AttributeValue::List(values)) = attributes.get(name) else { return Vec::new() };
    let ids = values.iter().filter_map(|value| match value {
        AttributeValue::Text(text) => text.parse().ok(),
        _ => None,
    });
    ids.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let record = DemoRecord {
            stores: vec![StoreId::fixed(1), StoreId::fixed(2)],
            locations: vec![StorageLocationId::fixed(3)],
            items: vec![ItemId::fixed(4)],
            wishes: vec![ShoppingItemId::fixed(5)],
            things: vec![Urn::of_household(HouseholdId::fixed(6))],
        };
        let attributes = record.to_attributes("Demo data").unwrap();
        assert_eq!(DemoRecord::of(&attributes), record);
        assert_eq!(attributes.get("name"), Some(&AttributeValue::Text("Demo data".to_owned())));
    }

    #[test]
    fn what_somebody_has_broken_is_left_out() {
        let attributes = Attributes::from_json(
            r#"{"items": ["no id", 5, "00000000-0000-0000-0000-000000000004"], "things": "x"}"#,
        );
        let record = DemoRecord::of(&attributes.unwrap());
        assert_eq!(record, DemoRecord { items: vec![ItemId::fixed(4)], ..DemoRecord::default() });
    }

    #[test]
    fn a_household_has_one_record() {
        let urn = record_urn(HouseholdId::fixed(6)).unwrap();
        assert_eq!(urn.as_str(), "urn:pp:Demo.Data::00000000-0000-0000-0000-000000000006");
    }
}
