//! Rows as JSON: what the triggers keep of a change, and what an idempotency key remembers. The names are
//! those of the columns; numbers keep their decimals and are never floats.

use std::{fmt::Display, str::FromStr};

use jiff::Timestamp;
use larder_domain::{
    DeviceReference, Email, ExpirationDate, Household, HouseholdName, HouseholdZone, ImageUrl,
    InviteCode, Item, ItemDetails, ItemName, LocationName, Member, Notes, Owner, PersonName,
    Quantity, StorageLocation, Store, StoreAddress, StoreName, Unit,
};
use larder_storage::{Result, StorageError};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

/// An item.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ItemJson {
    id: String,
    household_id: Option<String>,
    name: String,
    quantity: Box<RawValue>,
    unit: String,
    expiration_date: Option<String>,
    category_id: String,
    storage_location_id: Option<String>,
    image_url: Option<String>,
    notes: Option<String>,
    low_stock_threshold: Option<Box<RawValue>>,
    preferred_store_id: Option<String>,
    created_by: String,
    created_at: String,
    updated_by: String,
    updated_at: String,
    version: u64,
}

/// A household.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct HouseholdJson {
    id: String,
    name: String,
    time_zone: String,
    invite_code: String,
    created_by: String,
    created_at: String,
}

/// A person as a member.
#[derive(Debug, Deserialize)]
pub(crate) struct MemberJson {
    id: String,
    name: String,
    email: String,
    role: String,
    joined_at: String,
}

/// A storage location.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LocationJson {
    id: String,
    name: String,
    device_id: Option<String>,
}

/// A shop.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StoreJson {
    id: String,
    name: String,
    address: Option<String>,
}

/// Reads one of these from its text.
pub(crate) fn decode<J: DeserializeOwned, T>(
    text: &str,
    into: impl FnOnce(J) -> Result<T>,
) -> Result<T> {
    into(serde_json::from_str(text).map_err(|error| corrupt("a kept row", error))?)
}

fn corrupt(column: &str, reason: impl Display) -> StorageError {
    let (record, reason) = (column.to_owned(), reason.to_string());
    StorageError::Corrupt { record, reason }
}

fn parse<T, E: Display>(
    column: &str,
    text: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T> {
    parse(text).map_err(|error| corrupt(column, error))
}

fn parse_optional<T, E: Display>(
    column: &str,
    text: Option<&str>,
    parser: impl FnOnce(&str) -> Result<T, E>,
) -> Result<Option<T>> {
    text.map(|text| parse(column, text, parser)).transpose()
}

fn read<T: FromStr<Err: Display>>(column: &str, text: &str) -> Result<T> {
    parse(column, text, str::parse)
}

fn read_optional<T: FromStr<Err: Display>>(column: &str, text: Option<&str>) -> Result<Option<T>> {
    parse_optional(column, text, str::parse)
}

fn number(quantity: Quantity) -> Box<RawValue> {
    RawValue::from_string(quantity.to_string()).expect("a quantity prints as a number")
}

/// With milliseconds, as the tables keep them.
fn time(at: Timestamp) -> String {
    format!("{at:.3}")
}

impl ItemJson {
    pub(crate) fn of(item: &Item) -> Self {
        let details = &item.details;
        let household_id = match item.owner {
            Owner::Household(household) => Some(household.to_string()),
            Owner::User(_) => None,
        };
        Self {
            id: item.id.to_string(),
            household_id,
            name: details.name.to_string(),
            quantity: number(details.quantity),
            unit: details.unit.to_string(),
            expiration_date: details.expiration.map(|date| date.to_string()),
            category_id: details.category.to_string(),
            storage_location_id: details.location.map(|id| id.to_string()),
            image_url: details.image_url.as_ref().map(|url| url.as_str().to_owned()),
            notes: details.notes.as_ref().map(|notes| notes.as_str().to_owned()),
            low_stock_threshold: details.low_stock_threshold.map(number),
            preferred_store_id: details.preferred_store.map(|id| id.to_string()),
            created_by: item.created_by.to_string(),
            created_at: time(item.created_at),
            updated_by: item.updated_by.to_string(),
            updated_at: time(item.updated_at),
            version: item.version,
        }
    }

    pub(crate) fn into_item(self) -> Result<Item> {
        let created_by = read("created_by", &self.created_by)?;
        let owner = match read_optional("household_id", self.household_id.as_deref())? {
            Some(household) => Owner::Household(household),
            None => Owner::User(created_by),
        };
        let quantity =
            |column: &str, number: &RawValue| parse(column, number.get(), Quantity::parse);
        let threshold = self.low_stock_threshold.as_deref();
        let details = ItemDetails {
            name: parse("name", &self.name, ItemName::parse)?,
            quantity: quantity("quantity", &self.quantity)?,
            unit: parse("unit", &self.unit, Unit::parse)?,
            expiration: parse_optional(
                "expiration_date",
                self.expiration_date.as_deref(),
                ExpirationDate::parse,
            )?,
            category: read("category_id", &self.category_id)?,
            location: read_optional("storage_location_id", self.storage_location_id.as_deref())?,
            image_url: parse_optional("image_url", self.image_url.as_deref(), ImageUrl::parse)?,
            notes: parse_optional("notes", self.notes.as_deref(), Notes::parse)?,
            low_stock_threshold: threshold
                .map(|number| quantity("low_stock_threshold", number))
                .transpose()?,
            preferred_store: read_optional(
                "preferred_store_id",
                self.preferred_store_id.as_deref(),
            )?,
        };
        Ok(Item {
            id: read("id", &self.id)?,
            owner,
            details,
            created_by,
            created_at: read("created_at", &self.created_at)?,
            updated_by: read("updated_by", &self.updated_by)?,
            updated_at: read("updated_at", &self.updated_at)?,
            version: self.version,
        })
    }
}

impl HouseholdJson {
    pub(crate) fn of(household: &Household) -> Self {
        Self {
            id: household.id.to_string(),
            name: household.name.to_string(),
            time_zone: household.zone.name().to_owned(),
            invite_code: household.invite_code.as_str().to_owned(),
            created_by: household.created_by.to_string(),
            created_at: time(household.created_at),
        }
    }

    pub(crate) fn into_household(self) -> Result<Household> {
        Ok(Household {
            id: read("id", &self.id)?,
            name: parse("name", &self.name, HouseholdName::parse)?,
            zone: parse("time_zone", &self.time_zone, HouseholdZone::parse)?,
            invite_code: parse("invite_code", &self.invite_code, InviteCode::parse)?,
            created_by: read("created_by", &self.created_by)?,
            created_at: read("created_at", &self.created_at)?,
        })
    }
}

impl MemberJson {
    pub(crate) fn into_member(self) -> Result<Member> {
        Ok(Member {
            user: read("id", &self.id)?,
            name: parse("name", &self.name, PersonName::parse)?,
            email: parse("email", &self.email, Email::parse)?,
            role: read("role", &self.role)?,
            joined_at: read("joined_at", &self.joined_at)?,
        })
    }
}

impl LocationJson {
    pub(crate) fn of(location: &StorageLocation) -> Self {
        Self {
            id: location.id.to_string(),
            name: location.name.to_string(),
            device_id: location.device.as_ref().map(|device| device.as_str().to_owned()),
        }
    }

    pub(crate) fn into_location(self) -> Result<StorageLocation> {
        Ok(StorageLocation {
            id: read("id", &self.id)?,
            name: parse("name", &self.name, LocationName::parse)?,
            device: parse_optional("device_id", self.device_id.as_deref(), DeviceReference::parse)?,
        })
    }
}

impl StoreJson {
    pub(crate) fn of(store: &Store) -> Self {
        Self {
            id: store.id.to_string(),
            name: store.name.to_string(),
            address: store.address.as_ref().map(|address| address.as_str().to_owned()),
        }
    }

    pub(crate) fn into_store(self) -> Result<Store> {
        Ok(Store {
            id: read("id", &self.id)?,
            name: parse("name", &self.name, StoreName::parse)?,
            address: parse_optional("address", self.address.as_deref(), StoreAddress::parse)?,
        })
    }
}
