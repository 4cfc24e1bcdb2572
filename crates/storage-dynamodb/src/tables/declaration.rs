//! What the tables are. Everything else in this module follows from here.

use larder_storage_item::{Index, Table};

use super::TablesError;

/// The table of change records, without any prefix. The engine alone knows it: it is journal and lock,
/// not data.
pub(crate) const CHANGES: &str = "Changes";
/// Finds the changes of one record.
pub(crate) const BY_RECORD: Index = Index { name: "ByRecord", pk: "record", sk: "SK" };
/// The attribute by which change records expire.
const CHANGES_TTL: &str = "ttl";

/// DynamoDB's own bounds of a table's name.
const NAME_LENGTH: std::ops::RangeInclusive<usize> = 3..=255;

/// One table as it should be. All keys are texts, all indexes hold whole records, and all tables are
/// billed on demand, protected from deletion and recoverable to any second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDeclaration {
    /// Its name in the account, with the prefix.
    pub name: String,
    /// The attribute that partitions it.
    pub pk: &'static str,
    /// The attribute that orders a partition.
    pub sk: &'static str,
    /// Its secondary indexes, all global.
    pub indexes: Vec<IndexDeclaration>,
    /// The attribute that holds the second from which on a record is gone.
    pub ttl: Option<&'static str>,
}

/// One global secondary index as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexDeclaration {
    /// Its name.
    pub name: &'static str,
    /// The attribute that partitions it.
    pub pk: &'static str,
    /// The attribute that orders a partition.
    pub sk: &'static str,
}

impl TableDeclaration {
    fn new(
        prefix: &str,
        name: &str,
        indexes: &[Index],
        ttl: Option<&'static str>,
    ) -> Result<Self, TablesError> {
        let indexes =
            indexes.iter().map(|&Index { name, pk, sk }| IndexDeclaration { name, pk, sk });
        let name = physical_name(prefix, name)?;
        Ok(Self { name, pk: "PK", sk: "SK", indexes: indexes.collect(), ttl })
    }

    /// The attributes that are keys of the table or of an index, each once. All are texts.
    pub fn key_attributes(&self) -> Vec<&'static str> {
        let mut attributes = vec![self.pk, self.sk];
        for attribute in self.indexes.iter().flat_map(|index| [index.pk, index.sk]) {
            if !attributes.contains(&attribute) {
                attributes.push(attribute);
            }
        }
        attributes
    }
}

/// Every table that Larder needs, named with this prefix.
pub fn declared(prefix: &str) -> Result<Vec<TableDeclaration>, TablesError> {
    let records = Table::ALL.into_iter().map(|table| {
        TableDeclaration::new(prefix, table.name(), table.indexes(), table.ttl_attribute())
    });
    let changes = TableDeclaration::new(prefix, CHANGES, &[BY_RECORD], Some(CHANGES_TTL));
    records.chain([changes]).collect()
}

/// The name of a table in the account, if DynamoDB would take it.
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
        assert_eq!(names, ["home-InventoryManagement", "home-Relational", "home-Changes"]);
        let ttl: Vec<_> = tables.iter().map(|table| table.ttl).collect();
        assert_eq!(ttl, [Some("ttl"), None, Some("ttl")]);
    }

    #[test]
    fn an_attribute_that_is_a_key_twice_is_declared_once() {
        let tables = declared("").unwrap();
        let attributes: Vec<_> = tables.iter().map(TableDeclaration::key_attributes).collect();
        assert_eq!(attributes[0], ["PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK"]);
        assert_eq!(attributes[1], ["PK", "SK", "_accountUrn", "urn"]);
        assert_eq!(attributes[2], ["PK", "SK", "record"]);
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
