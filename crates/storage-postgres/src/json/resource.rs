//! Resources. Attributes are embedded verbatim, so that numbers keep every digit.

use std::{fmt::Display, str::FromStr};

use larder_domain::{Attributes, Resource, SchemaVersion, Urn};
use larder_storage::Result;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::corrupt;
use crate::resources::KeyJson;

/// A resource.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ResourceJson {
    urn: String,
    account_urn: String,
    parent_urn: Option<String>,
    schema_version: u32,
    version: u64,
    unique_keys: Vec<KeyJson>,
    attributes: Box<RawValue>,
    created_at: String,
    updated_at: String,
}

impl ResourceJson {
    pub(crate) fn of(resource: &Resource) -> Self {
        let attributes = RawValue::from_string(resource.attributes.to_json());
        Self {
            urn: resource.urn.to_string(),
            account_urn: resource.account.to_string(),
            parent_urn: resource.parent.as_ref().map(Urn::to_string),
            schema_version: resource.schema_version.number(),
            version: resource.version,
            unique_keys: resource.unique_keys.iter().map(KeyJson::of).collect(),
            attributes: attributes.expect("attributes print as JSON"),
            created_at: format!("{:.3}", resource.created_at),
            updated_at: format!("{:.3}", resource.updated_at),
        }
    }

    pub(crate) fn into_resource(self) -> Result<Resource> {
        let schema_version = SchemaVersion::new(self.schema_version);
        Ok(Resource {
            urn: read("urn", &self.urn)?,
            account: read("account_urn", &self.account_urn)?,
            parent: self.parent_urn.map(|urn| read("parent_urn", &urn)).transpose()?,
            schema_version: schema_version.ok_or_else(|| corrupt("schema_version", "is 0"))?,
            version: self.version,
            unique_keys: KeyJson::into_keys(self.unique_keys)
                .map_err(|error| corrupt("unique_keys", &error))?,
            attributes: Attributes::from_json(self.attributes.get())
                .map_err(|error| corrupt("attributes", &error.to_string()))?,
            created_at: read("created_at", &self.created_at)?,
            updated_at: read("updated_at", &self.updated_at)?,
        })
    }
}

fn read<T: FromStr<Err: Display>>(column: &str, text: &str) -> Result<T> {
    text.parse().map_err(|error: T::Err| corrupt(column, &error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_comes_back_as_it_was_with_every_digit() {
        let json = r#"{"urn": "urn:pp:Home.Room::0195ff0e-e2e7-7408-8379-52f6cf939e7b",
            "account_urn": "urn:pp:System.Account::0195ff0e-e2e7-7408-8379-52f6cf939e7c",
            "parent_urn": null, "schema_version": 2, "version": 3,
            "unique_keys": [["serial", "A 1", true]],
            "attributes": {"exact": 0.12345678901234567890123456789012345678, "large": 1E+125},
            "created_at": "2026-01-01T00:00:00.000Z", "updated_at": "2026-01-02T00:00:00.001Z"}"#;
        let read: ResourceJson = serde_json::from_str(json).unwrap();
        let resource = read.into_resource().unwrap();
        let again = serde_json::to_string(&ResourceJson::of(&resource)).unwrap();
        let again: ResourceJson = serde_json::from_str(&again).unwrap();
        assert_eq!(again.into_resource().unwrap(), resource);
        let exact = resource.attributes.to_json();
        assert!(exact.contains("0.12345678901234567890123456789012345678"), "{exact}");
    }
}
