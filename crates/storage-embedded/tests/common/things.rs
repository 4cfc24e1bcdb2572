//! Resources of one account, and a check of the records below.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use larder_domain::{
    Attributes, HouseholdId, PropertyName, Resource, SchemaVersion, UniqueKey, UniqueKeys,
    UniqueValue, Urn, UserId,
};
use larder_storage::{AccountScope, Write};
use larder_storage_embedded::EmbeddedEngine;
use larder_storage_item::{Key, MAX_QUERY_LIMIT, Number, Record, RecordEngine, Table, Value};

use super::START_S;

pub(crate) fn at() -> Timestamp {
    Timestamp::from_second(START_S).unwrap()
}

pub(crate) fn write() -> Write<'static> {
    Write::at(at())
}

#[expect(clippy::disallowed_methods, reason = "a test makes its own scopes")]
pub(crate) fn scope(account: u128) -> AccountScope {
    let account = Urn::of_household(HouseholdId::fixed(account));
    AccountScope::assume_authorized(account, UserId::fixed(1))
}

pub(crate) fn urn(resource_type: &str, number: usize) -> Urn {
    format!("urn:pp:{resource_type}::01955556-3cd2-7df2-b839-{number:012x}").parse().unwrap()
}

pub(crate) fn resource(scope: &AccountScope, urn: Urn, parent: Option<&Urn>) -> Resource {
    Resource {
        urn,
        account: scope.account().clone(),
        parent: parent.cloned(),
        schema_version: SchemaVersion::FIRST,
        version: 1,
        unique_keys: UniqueKeys::default(),
        attributes: Attributes::from_json(r#"{"name": "something", "weight": 1.25}"#).unwrap(),
        created_at: at(),
        updated_at: at(),
    }
}

pub(crate) fn serial(text: &str) -> UniqueKeys {
    let property = PropertyName::parse("serial").unwrap();
    let value = UniqueValue::parse(text).unwrap();
    UniqueKeys::new(vec![UniqueKey { property, value, case_insensitive: false }]).unwrap()
}

/// All records of the relational store.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Beneath {
    pub(crate) records: BTreeMap<Key, Record>,
    pub(crate) grants: BTreeMap<Key, Record>,
}

impl Beneath {
    pub(crate) async fn of(engine: &EmbeddedEngine) -> Self {
        let all = async |table: Table| {
            let (mut found, mut after) = (BTreeMap::new(), None::<Key>);
            loop {
                let page = engine.scan(table, after.as_ref(), MAX_QUERY_LIMIT).await.unwrap();
                for record in page.records {
                    found.insert(table.key_of(&record).unwrap(), record);
                }
                after = page.next;
                if after.is_none() {
                    return found;
                }
            }
        };
        Self { records: all(Table::Relational).await, grants: all(Table::Grants).await }
    }

    /// The records of this type.
    pub(crate) fn each(&self, record_type: &str) -> impl Iterator<Item = &Record> {
        self.records.values().filter(move |one| one.text("_recordType") == Some(record_type))
    }

    /// The number of records of each type: resources, parents, memberships, unique values, grants.
    pub(crate) fn counts(&self) -> [usize; 5] {
        let count = |record_type| self.each(record_type).count();
        [
            count("Resource"),
            count("ParentChildRelationship"),
            count("CollectionMemberRelationship"),
            count("UniqueKeyValue"),
            self.grants.len(),
        ]
    }

    /// Checks that every reference leads to an existing resource, and that all counters are right.
    pub(crate) fn check(&self) {
        let text = |record: &Record, name: &str| record.text(name).unwrap().to_owned();
        let resources: BTreeMap<String, &Record> =
            self.each("Resource").map(|one| (text(one, "urn"), one)).collect();
        let mut children: BTreeMap<String, i64> = BTreeMap::new();
        let mut links: BTreeMap<String, i64> = BTreeMap::new();
        let mut parents: BTreeMap<String, String> = BTreeMap::new();
        for link in self.each("ParentChildRelationship") {
            let (parent, child) = (text(link, "parentUrn"), text(link, "childUrn"));
            *children.entry(parent.clone()).or_default() += 1;
            assert_eq!(parents.insert(child, parent), None, "{link:?} is a second parent");
        }
        for link in self.each("CollectionMemberRelationship") {
            for end in ["collectionUrn", "memberUrn"] {
                *links.entry(text(link, end)).or_default() += 1;
            }
        }
        for grant in self.grants.values() {
            *links.entry(text(grant, "resourceUrn")).or_default() += 1;
        }
        for named in children.keys().chain(links.keys()).chain(parents.keys()) {
            assert!(resources.contains_key(named), "{named} is named and not there");
        }
        let mut held: BTreeSet<(String, String)> = BTreeSet::new();
        for (urn, resource) in &resources {
            assert_eq!(resource.text("_parentUrn"), parents.get(urn).map(String::as_str), "{urn}");
            for (name, counted) in [("_childCount", &children), ("_linkCount", &links)] {
                let counted = counted.get(urn).copied().unwrap_or(0);
                assert_eq!(resource.number(name), Some(Number::from(counted)), "{urn} {name}");
            }
            let Some(Value::L(keys)) = resource.get("_uniqueKeys") else { continue };
            for key in keys {
                let Value::M(key) = key else { panic!("{urn} has a strange key") };
                assert!(held.insert((urn.clone(), text(key, "value"))), "{urn} has a key twice");
            }
        }
        let kept: BTreeSet<(String, String)> = self
            .each("UniqueKeyValue")
            .map(|one| (text(one, "associatedRecordUrn"), text(one, "value")))
            .collect();
        assert_eq!(kept, held, "the unique values are those of the resources");
    }
}
