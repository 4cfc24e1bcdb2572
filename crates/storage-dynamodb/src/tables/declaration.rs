//! The declaration of the tables, from which everything else in this module is derived.

use larder_storage_item::{Index, KeyNames, Table};

use super::TablesError;

/// The table of change records, without any prefix. Internal to the engine: it is journal and lock,
/// not data.
pub(crate) const CHANGES: &str = "Changes";
/// Its partition key and sort key.
pub(crate) const CHANGES_KEYS: KeyNames = KeyNames { pk: "PK", sk: Some("SK") };
/// Finds the changes of one record.
pub(crate) const BY_RECORD: Index = Index { name: "ByRecord", pk: "record", sk: Some("SK") };
/// The attribute by which change records expire.
const CHANGES_TTL: &str = "ttl";

/// DynamoDB's own bounds of a table's name.
const NAME_LENGTH: std::ops::RangeInclusive<usize> = 3..=255;

/// One table as declared. All keys are strings, all indexes project whole records, and all tables
/// are billed on demand, protected from deletion and have point-in-time recovery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDeclaration {
    /// Its name in the account, with the prefix.
    pub name: String,
    /// The attributes that are its primary key.
    pub keys: KeyNames,
    /// Its secondary indexes, all global.
    pub indexes: Vec<IndexDeclaration>,
    /// The attribute with the second at which a record expires.
    pub ttl: Option<&'static str>,
}

/// One global secondary index as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexDeclaration {
    /// Its name.
    pub name: &'static str,
    /// The attributes that are its key.
    pub keys: KeyNames,
}

impl TableDeclaration {
    fn new(
        prefix: &str,
        name: &str,
        keys: KeyNames,
        indexes: &[Index],
        ttl: Option<&'static str>,
    ) -> Result<Self, TablesError> {
        let index = |&Index { name, pk, sk }: &Index| {
            let keys = KeyNames { pk, sk };
            IndexDeclaration { name, keys }
        };
        let indexes = indexes.iter().map(index).collect();
        Ok(Self { name: physical_name(prefix, name)?, keys, indexes, ttl })
    }

    /// The attributes that are keys of the table or of an index, each once. All are texts.
    pub fn key_attributes(&self) -> Vec<&'static str> {
        let mut attributes = Vec::new();
        let keys = [self.keys].into_iter().chain(self.indexes.iter().map(|index| index.keys));
        for attribute in keys.flat_map(parts) {
            if !attributes.contains(&attribute) {
                attributes.push(attribute);
            }
        }
        attributes
    }
}

/// The partition key and the sort key, if there is one.
pub(super) fn parts(keys: KeyNames) -> Vec<&'static str> {
    [keys.pk].into_iter().chain(keys.sk).collect()
}

/// Every table that Larder needs, named with this prefix.
pub fn declared(prefix: &str) -> Result<Vec<TableDeclaration>, TablesError> {
    let records = Table::ALL.into_iter().map(|table| {
        let (keys, indexes) = (table.key_names(), table.indexes());
        TableDeclaration::new(prefix, table.name(), keys, indexes, table.ttl_attribute())
    });
    let changes =
        TableDeclaration::new(prefix, CHANGES, CHANGES_KEYS, &[BY_RECORD], Some(CHANGES_TTL));
    records.chain([changes]).collect()
}

/// The name of a table in the account, if it is valid.
pub(crate) fn physical_name(prefix: &str, name: &str) -> Result<String, TablesError> {
    let physical = format!("{prefix}{name}");
    if let Some(character) = physical.chars().find(|&character| !is_allowed(character)) {
        return Err(TablesError::Name {
            name: physical,
            reason: format!(
                "it contains {character:?}; letters a-z and A-Z, digits, '_', '-' and '.' are allowed"
            ),
        });
    }
    if !NAME_LENGTH.contains(&physical.len()) {
        let (shortest, longest) = (NAME_LENGTH.start(), NAME_LENGTH.end());
        return Err(TablesError::Name {
            reason: format!("it has {} characters, not {shortest} to {longest}", physical.len()),
            name: physical,
        });
    }
    Ok(physical)
}

fn is_allowed(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_-.".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_of_the_layout_and_the_change_records_are_declared_with_the_prefix() {
        let tables = declared("home-").unwrap();
        let names: Vec<_> = tables.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "home-InventoryManagement",
                "home-Relational",
                "home-grants",
                "home-devices",
                "home-device_readings",
                "home-processed_batches",
                "home-api_keys",
                "home-Changes",
            ]
        );
        let ttl: Vec<_> = tables.iter().map(|table| table.ttl).collect();
        let telemetry = Some("expiration_time");
        assert_eq!(ttl, [Some("ttl"), None, None, None, telemetry, telemetry, None, Some("ttl")]);
    }

    #[test]
    fn an_attribute_that_is_a_key_twice_is_declared_once() {
        let tables = declared("").unwrap();
        let attributes: Vec<_> = tables.iter().map(TableDeclaration::key_attributes).collect();
        assert_eq!(attributes[0], ["PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK"]);
        assert_eq!(attributes[1], ["PK", "SK", "_accountUrn", "urn"]);
        assert_eq!(attributes[2], ["PK", "SK", "_accountUrn", "_order"]);
        assert_eq!(attributes[3], ["hardware_id", "gsi1pk", "gsi1sk", "family_id"]);
        assert_eq!(attributes[4], ["hardware_id", "ts_batch"]);
        assert_eq!(attributes[5], ["batch_id"]);
        assert_eq!(attributes[6], ["key_id", "api_key_hash", "gsi1pk", "gsi1sk", "family_id"]);
        assert_eq!(attributes[7], ["PK", "SK", "record"]);
    }

    #[test]
    fn a_prefix_that_dynamodb_would_refuse_is_refused_with_the_reason() {
        let refusal = declared("my home/").unwrap_err().to_string();
        assert!(refusal.contains("my home/InventoryManagement"), "{refusal}");
        assert!(refusal.contains("it contains ' '"), "{refusal}");
        let refusal = declared(&"x".repeat(250)).unwrap_err().to_string();
        assert!(refusal.contains("it has 269 characters, not 3 to 255"), "{refusal}");
        assert!(physical_name("", "ab").is_err());
    }
}
