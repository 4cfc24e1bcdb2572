//! `CollectionMemberRelationship` records.

use jiff::Timestamp;
use larder_domain::{CollectionMemberRelationship, Urn};
use larder_storage::Result;

use super::{ACCOUNT, CREATED_AT, check, common, keys, record_of_type};
use crate::{
    Change, Record, Value,
    layout::fields::{Fields, timestamp_text},
};

const TYPE: &str = "CollectionMemberRelationship";
/// Whether grants on the collection extend to the member; absent if not.
const CONVEYS: &str = "conveysAuthorization";

/// A member of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Membership {
    pub(crate) link: CollectionMemberRelationship,
    pub(crate) account: Urn,
    pub(crate) created_at: Timestamp,
}

pub(crate) fn to_record(membership: &Membership) -> Record {
    let (collection, member) = (membership.link.collection(), membership.link.member());
    record_of_type(TYPE, &keys::collection_member(collection, member))
        .with("collectionUrn", collection.as_str())
        .with("memberUrn", member.as_str())
        .with(CREATED_AT, timestamp_text(membership.created_at))
        .with(ACCOUNT, membership.account.as_str())
        .with_some(CONVEYS, membership.link.conveys_authorization.then_some(true))
}

pub(crate) fn from_record(record: &Record) -> Result<Membership> {
    let fields = Fields(record);
    let (collection, member): (Urn, Urn) = (fields.id("collectionUrn")?, fields.id("memberUrn")?);
    check(record, TYPE, &keys::collection_member(&collection, &member))?;
    let conveys = match record.get(CONVEYS) {
        None => false,
        Some(Value::Bool(conveys)) => *conveys,
        Some(_) => return Err(record.misfit(format!("{CONVEYS} is neither true nor false"))),
    };
    let link = CollectionMemberRelationship::new(collection, member, conveys)
        .map_err(|error| record.misfit(error.to_string()))?;
    let common = common(record)?;
    Ok(Membership { link, account: common.account, created_at: common.created_at })
}

/// The change that makes a membership convey grants, or not.
pub(crate) fn conveying(conveys: bool) -> Change {
    if conveys { Change::Set(CONVEYS.into(), true.into()) } else { Change::Remove(CONVEYS.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLLECTION: &str = "urn:pp:System::c04b27bf-7604-48a5-9e67-298c67cd70ab";
    const MEMBER: &str = "urn:pp:System.Account::0195ff0e-e2e7-7408-8379-52f6cf939e7b";
    const ACCOUNT_URN: &str = "urn:pp:System.Account::00000000-0000-0000-0000-000000000001";

    fn membership(conveys: bool) -> Membership {
        let (collection, member) = (COLLECTION.parse().unwrap(), MEMBER.parse().unwrap());
        Membership {
            link: CollectionMemberRelationship::new(collection, member, conveys).unwrap(),
            account: ACCOUNT_URN.parse().unwrap(),
            created_at: "2026-01-01T00:00:00Z".parse().unwrap(),
        }
    }

    #[test]
    fn a_membership_has_the_attributes_of_the_specification_and_comes_back() {
        let expected = [
            ("PK", format!("Collection#{COLLECTION}")),
            ("SK", format!("Member#{MEMBER}")),
            ("_accountUrn", ACCOUNT_URN.to_owned()),
            ("_createdAt", "2026-01-01T00:00:00.000Z".to_owned()),
            ("_recordType", "CollectionMemberRelationship".to_owned()),
            ("collectionUrn", COLLECTION.to_owned()),
            ("memberUrn", MEMBER.to_owned()),
        ];
        let record = to_record(&membership(false));
        let found: Vec<_> = record.iter().map(|(name, value)| (name, value.clone())).collect();
        assert_eq!(found, expected.map(|(name, text)| (name, Value::S(text))));
        assert_eq!(from_record(&record).unwrap(), membership(false));
    }

    #[test]
    fn one_that_conveys_says_so() {
        let record = to_record(&membership(true));
        assert_eq!(record.get("conveysAuthorization"), Some(&Value::Bool(true)));
        assert_eq!(from_record(&record).unwrap(), membership(true));
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        let record = to_record(&membership(true));
        for (name, value) in [
            ("_recordType", "ParentChildRelationship"),
            ("SK", "Member#urn:pp:System::00000000-0000-0000-0000-000000000000"),
            ("memberUrn", COLLECTION),
            ("collectionUrn", "urn:pp:System:nothing"),
            ("_accountUrn", ""),
            ("_createdAt", "yesterday"),
        ] {
            assert!(from_record(&record.clone().with(name, value)).is_err(), "{name}");
            let mut without = record.clone();
            without.remove(name);
            assert!(from_record(&without).is_err(), "without {name}");
        }
        assert!(from_record(&record.with(CONVEYS, "true")).is_err());
    }
}
