//! `ParentChildRelationship` records.

use jiff::Timestamp;
use larder_domain::{ParentChildRelationship, Urn};
use larder_storage::Result;

use super::{ACCOUNT, CREATED_AT, check, common, keys, record_of_type};
use crate::{
    Record,
    layout::fields::{Fields, timestamp_text},
};

const TYPE: &str = "ParentChildRelationship";

/// A link between a parent and its child.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parentage {
    pub(crate) link: ParentChildRelationship,
    pub(crate) account: Urn,
    pub(crate) created_at: Timestamp,
}

pub(crate) fn to_record(link: &Parentage) -> Record {
    let (parent, child) = (link.link.parent(), link.link.child());
    record_of_type(TYPE, &keys::parent_child(parent, child))
        .with("parentUrn", parent.as_str())
        .with("childUrn", child.as_str())
        .with(CREATED_AT, timestamp_text(link.created_at))
        .with(ACCOUNT, link.account.as_str())
}

pub(crate) fn from_record(record: &Record) -> Result<Parentage> {
    let fields = Fields(record);
    let (parent, child): (Urn, Urn) = (fields.id("parentUrn")?, fields.id("childUrn")?);
    check(record, TYPE, &keys::parent_child(&parent, &child))?;
    let link = ParentChildRelationship::new(parent, child)
        .map_err(|error| record.misfit(error.to_string()))?;
    let common = common(record)?;
    Ok(Parentage { link, account: common.account, created_at: common.created_at })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;

    const PARENT: &str = "urn:pp:System::c04b27bf-7604-48a5-9e67-298c67cd70ab";
    const CHILD: &str = "urn:pp:System.Account::0195ff0e-e2e7-7408-8379-52f6cf939e7b";
    const ACCOUNT_URN: &str = "urn:pp:System.Account::00000000-0000-0000-0000-000000000001";

    fn link() -> Parentage {
        let (parent, child) = (PARENT.parse().unwrap(), CHILD.parse().unwrap());
        Parentage {
            link: ParentChildRelationship::new(parent, child).unwrap(),
            account: ACCOUNT_URN.parse().unwrap(),
            created_at: "2026-01-01T00:00:00Z".parse().unwrap(),
        }
    }

    #[test]
    fn a_link_has_the_attributes_of_the_specification_and_comes_back() {
        let expected = [
            ("PK", format!("Parent#{PARENT}")),
            ("SK", format!("Child#{CHILD}")),
            ("_accountUrn", ACCOUNT_URN.to_owned()),
            ("_createdAt", "2026-01-01T00:00:00.000Z".to_owned()),
            ("_recordType", "ParentChildRelationship".to_owned()),
            ("childUrn", CHILD.to_owned()),
            ("parentUrn", PARENT.to_owned()),
        ];
        let record = to_record(&link());
        let found: Vec<_> = record.iter().map(|(name, value)| (name, value.clone())).collect();
        assert_eq!(found, expected.map(|(name, text)| (name, Value::S(text))));
        assert_eq!(from_record(&record).unwrap(), link());
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        let record = to_record(&link());
        for (name, value) in [
            ("_recordType", "CollectionMemberRelationship"),
            ("PK", "Parent#urn:pp:System::00000000-0000-0000-0000-000000000000"),
            ("childUrn", PARENT),
            ("parentUrn", "urn:pp:System:nothing"),
            ("_accountUrn", ""),
            ("_createdAt", "yesterday"),
        ] {
            assert!(from_record(&record.clone().with(name, value)).is_err(), "{name}");
            let mut without = record.clone();
            without.remove(name);
            assert!(from_record(&without).is_err(), "without {name}");
        }
    }
}
