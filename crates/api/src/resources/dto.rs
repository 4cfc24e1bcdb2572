//! Resources as the API shows them: with the names of seed 004.

use axum::http::{HeaderName, HeaderValue, header};
use larder_domain::{Attributes, CollectionMemberRelationship, Resource, UniqueKey, Urn};
use larder_http::{Json, ListCursors};
use larder_storage::{Membership, Page};
use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::if_match::tag_of;
use crate::values::Time;

/// Any thing of a household.
#[derive(Serialize, ToSchema)]
#[schema(as = Resource)]
pub(crate) struct ResourceDto<'a> {
    /// `Resource`.
    #[serde(rename = "_recordType")]
    record_type: &'static str,
    /// Its type, such as `Home.Room`.
    #[serde(rename = "_resourceType")]
    resource_type: &'a str,
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = "uuid")]
    id: String,
    /// Its name: `urn:pp:{_resourceType}::{_id}`.
    urn: &'a str,
    /// The version of the shape of its attributes.
    #[serde(rename = "_schemaVersion")]
    #[schema(minimum = 1)]
    schema_version: u32,
    /// The number of changes.
    #[serde(rename = "_version")]
    #[schema(minimum = 1)]
    version: u64,
    #[serde(rename = "_createdAt")]
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[serde(rename = "_updatedAt")]
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
    /// The household that owns it.
    #[serde(rename = "_accountUrn")]
    account_urn: &'a str,
    /// Its parent; null if it has none.
    #[serde(rename = "_parentUrn")]
    parent_urn: Option<&'a str>,
    /// Values that no other resource of its type has.
    #[serde(rename = "uniqueKeys")]
    unique_keys: Vec<UniqueKeyDto<'a>>,
    /// All other data.
    #[schema(value_type = Object)]
    attributes: AttributesJson<'a>,
}

/// A value that only one resource of a type may have.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = UniqueKey)]
pub(crate) struct UniqueKeyDto<'a> {
    /// The property, such as `serialNumber`.
    key: &'a str,
    value: &'a str,
    /// Whether values that differ only in case are equal.
    case_insensitive: bool,
}

/// A unique value and its holder.
#[derive(Serialize)]
pub(crate) struct TakenKeyDto<'a> {
    urn: &'a str,
    key: &'a str,
    value: &'a str,
}

/// Attributes with every digit of their numbers.
struct AttributesJson<'a>(&'a Attributes);

/// A page of resources.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResourcePage<'a> {
    items: Vec<ResourceDto<'a>>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

/// A resource at the other end of a membership.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Membership)]
struct MembershipDto<'a> {
    resource: ResourceDto<'a>,
    /// Whether grants on the collection also apply to the member.
    conveys_authorization: bool,
    /// When it was added.
    #[serde(rename = "_createdAt")]
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

/// A page of memberships.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MembershipPage<'a> {
    items: Vec<MembershipDto<'a>>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

/// The membership of a resource in a collection.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CollectionMemberRelationship)]
pub(super) struct RelationshipDto<'a> {
    /// `CollectionMemberRelationship`.
    #[serde(rename = "_recordType")]
    record_type: &'static str,
    collection_urn: &'a str,
    member_urn: &'a str,
    /// Whether grants on the collection also apply to the member.
    conveys_authorization: bool,
}

impl<'a> ResourceDto<'a> {
    pub(crate) fn of(resource: &'a Resource) -> Self {
        Self {
            record_type: "Resource",
            resource_type: resource.urn.resource_type().as_str(),
            id: resource.urn.id().to_string(),
            urn: resource.urn.as_str(),
            schema_version: resource.schema_version.number(),
            version: resource.version,
            created_at: Time(resource.created_at),
            updated_at: Time(resource.updated_at),
            account_urn: resource.account.as_str(),
            parent_urn: resource.parent.as_ref().map(Urn::as_str),
            unique_keys: resource.unique_keys.iter().map(UniqueKeyDto::of).collect(),
            attributes: AttributesJson(&resource.attributes),
        }
    }
}

impl<'a> UniqueKeyDto<'a> {
    pub(crate) fn of(key: &'a UniqueKey) -> Self {
        Self {
            key: key.property.as_str(),
            value: key.value.as_str(),
            case_insensitive: key.case_insensitive,
        }
    }
}

impl<'a> TakenKeyDto<'a> {
    /// The key with its holder.
    pub(crate) fn of(holder: &'a Urn, key: &'a UniqueKey) -> Self {
        Self { urn: holder.as_str(), key: key.property.as_str(), value: key.value.as_str() }
    }
}

impl Serialize for AttributesJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.to_json()).map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl<'a> ResourcePage<'a> {
    /// The page with a cursor of the next one.
    pub(super) fn of(page: &'a Page<Resource, Urn>, list: &ListCursors<'_>) -> Self {
        let items = page.items.iter().map(ResourceDto::of).collect();
        Self { items, next_cursor: list.seal(page.next.as_ref()) }
    }
}

impl<'a> MembershipPage<'a> {
    /// The page with a cursor of the next one.
    pub(super) fn of(page: &'a Page<Membership, Urn>, list: &ListCursors<'_>) -> Self {
        let shown = |membership: &'a Membership| MembershipDto {
            resource: ResourceDto::of(&membership.resource),
            conveys_authorization: membership.conveys_authorization,
            created_at: Time(membership.created_at),
        };
        let items = page.items.iter().map(shown).collect();
        Self { items, next_cursor: list.seal(page.next.as_ref()) }
    }
}

impl<'a> RelationshipDto<'a> {
    pub(super) fn of(link: &'a CollectionMemberRelationship) -> Self {
        Self {
            record_type: "CollectionMemberRelationship",
            collection_urn: link.collection().as_str(),
            member_urn: link.member().as_str(),
            conveys_authorization: link.conveys_authorization,
        }
    }
}

/// A resource with the `ETag` that a change of it requires.
pub(crate) type ResourceAnswer = ([(HeaderName, HeaderValue); 1], Json);

/// The resource as an answer.
pub(crate) fn answer(resource: &Resource) -> ResourceAnswer {
    ([(header::ETAG, tag_of(resource))], Json::of(&ResourceDto::of(resource)))
}

#[cfg(test)]
mod tests {
    use larder_domain::{HouseholdId, PropertyName, SchemaVersion, UniqueKeys, UniqueValue};
    use serde_json::{json, to_value};

    use super::*;

    fn resource() -> Resource {
        let key = UniqueKey {
            property: PropertyName::parse("serial").unwrap(),
            value: UniqueValue::parse("A-1").unwrap(),
            case_insensitive: true,
        };
        Resource {
            urn: "urn:pp:Home.Box::01955556-3cd2-7df2-b839-693fa6fbd505".parse().unwrap(),
            account: Urn::of_household(HouseholdId::fixed(7)),
            parent: None,
            schema_version: SchemaVersion::new(2).unwrap(),
            version: 5,
            unique_keys: UniqueKeys::new(vec![key]).unwrap(),
            attributes: Attributes::from_json(r#"{"kg":12345678901234567890.125}"#).unwrap(),
            created_at: "2026-01-01T00:00:00Z".parse().unwrap(),
            updated_at: "2026-01-02T00:00:00.25Z".parse().unwrap(),
        }
    }

    #[test]
    fn a_resource_has_the_seeds_names_and_its_nulls_are_explicit() {
        let mut shown = to_value(ResourceDto::of(&resource())).unwrap();
        shown.as_object_mut().unwrap().remove("attributes");
        assert_eq!(
            shown,
            json!({
                "_recordType": "Resource",
                "_resourceType": "Home.Box",
                "_id": "01955556-3cd2-7df2-b839-693fa6fbd505",
                "urn": "urn:pp:Home.Box::01955556-3cd2-7df2-b839-693fa6fbd505",
                "_schemaVersion": 2,
                "_version": 5,
                "_createdAt": "2026-01-01T00:00:00.000Z",
                "_updatedAt": "2026-01-02T00:00:00.250Z",
                "_accountUrn": "urn:pp:System.Account::00000000-0000-0000-0000-000000000007",
                "_parentUrn": null,
                "uniqueKeys": [{ "key": "serial", "value": "A-1", "caseInsensitive": true }],
            })
        );
    }

    #[test]
    fn numbers_are_sent_with_every_digit() {
        let text = serde_json::to_string(&ResourceDto::of(&resource())).unwrap();
        assert!(text.ends_with(r#""attributes":{"kg":12345678901234567890.125}}"#), "{text}");
    }

    #[test]
    fn the_tag_is_version_and_shape() {
        let ([(name, tag)], _) = answer(&resource());
        assert_eq!((name, tag), (header::ETAG, HeaderValue::from_static("\"5-2\"")));
    }
}
