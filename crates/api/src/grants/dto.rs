//! Grants as the API shows them.

use larder_domain::{Grant, GrantedActions, Urn};
use serde::Serialize;
use utoipa::ToSchema;

use crate::values::Time;

/// What a principal may do with a resource and everything below it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Grant)]
pub(super) struct GrantDto<'a> {
    /// `Grant`.
    #[serde(rename = "_recordType")]
    record_type: &'static str,
    /// The principal that it is for.
    #[schema(value_type = String)]
    principal_urn: &'a Urn,
    /// A resource, or the account and thus everything in it.
    #[schema(value_type = String)]
    resource_urn: &'a Urn,
    /// The allowed actions in alphabetical order; `*` allows everything.
    actions: Vec<&'a str>,
    #[serde(rename = "_accountUrn")]
    #[schema(value_type = String)]
    account_urn: &'a Urn,
    #[serde(rename = "_createdAt")]
    #[schema(value_type = String, format = "date-time")]
    created_at: Time,
    #[serde(rename = "_updatedAt")]
    #[schema(value_type = String, format = "date-time")]
    updated_at: Time,
}

impl<'a> GrantDto<'a> {
    pub(super) fn of(grant: &'a Grant) -> Self {
        Self {
            record_type: "Grant",
            principal_urn: &grant.principal,
            resource_urn: &grant.on,
            actions: words(&grant.actions),
            account_urn: &grant.account,
            created_at: Time(grant.created_at),
            updated_at: Time(grant.updated_at),
        }
    }
}

/// The names of the actions.
pub(crate) fn words(actions: &GrantedActions) -> Vec<&str> {
    actions.iter().map(larder_domain::AccessAction::as_str).collect()
}
