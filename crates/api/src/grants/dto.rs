//! How grants look, and where their pages end.

use jiff::Timestamp;
use larder_domain::{Grant, GrantPosition, GrantedActions, Urn};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    paging::PagePosition,
    values::{as_text, as_time},
};

/// What a principal may do with a resource and everything below it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Grant)]
pub(super) struct GrantDto<'a> {
    /// `Grant`.
    #[serde(rename = "_recordType")]
    record_type: &'static str,
    /// Who may.
    #[serde(serialize_with = "as_text")]
    #[schema(value_type = String)]
    principal_urn: &'a Urn,
    /// With what: a resource, or the account and so everything in it.
    #[serde(serialize_with = "as_text")]
    #[schema(value_type = String)]
    resource_urn: &'a Urn,
    /// What, in alphabetical order; `*` is everything.
    actions: Vec<&'a str>,
    #[serde(rename = "_accountUrn", serialize_with = "as_text")]
    #[schema(value_type = String)]
    account_urn: &'a Urn,
    #[serde(rename = "_createdAt", serialize_with = "as_time")]
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    #[serde(rename = "_updatedAt", serialize_with = "as_time")]
    #[schema(value_type = String, format = "date-time")]
    updated_at: Timestamp,
}

impl<'a> GrantDto<'a> {
    pub(super) fn of(grant: &'a Grant) -> Self {
        Self {
            record_type: "Grant",
            principal_urn: &grant.principal,
            resource_urn: &grant.on,
            actions: words(&grant.actions),
            account_urn: &grant.account,
            created_at: grant.created_at,
            updated_at: grant.updated_at,
        }
    }
}

/// The actions as they are written.
pub(crate) fn words(actions: &GrantedActions) -> Vec<&str> {
    actions.iter().map(larder_domain::AccessAction::as_str).collect()
}

impl PagePosition for GrantPosition {
    fn encode(&self) -> Vec<u8> {
        format!("{} {}", self.on, self.principal).into_bytes()
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (on, principal) = str::from_utf8(bytes).ok()?.split_once(' ')?;
        Some(Self { on: on.parse().ok()?, principal: principal.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use larder_domain::{HouseholdId, UserId};

    use super::*;

    #[test]
    fn positions_round_trip_and_other_bytes_are_none() {
        let (on, principal) =
            (Urn::of_household(HouseholdId::fixed(1)), Urn::of_user(UserId::fixed(2)));
        let position = GrantPosition { on, principal };
        assert_eq!(GrantPosition::decode(&position.encode()), Some(position));
        for bytes in [&b""[..], b" ", b"urn:pp:Box::1 urn:pp:Box::2", b"\xff"] {
            assert_eq!(GrantPosition::decode(bytes), None);
        }
    }
}
