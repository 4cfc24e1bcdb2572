//! Grants on resources, and access checks.

use async_trait::async_trait;
use larder_domain::{Access, AccessAction, Grant, GrantFilter, GrantPosition, GrantedActions, Urn};

use crate::{AccountScope, Page, Result, Write};

/// The result of giving a grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PutGrant {
    /// This is it now.
    Saved(Grant),
    /// The account has no such resource.
    ResourceNotFound,
}

/// A question: may this principal do this with this resource?
#[derive(Debug, Clone, Copy)]
pub struct AccessRequest<'a> {
    /// The principal.
    pub principal: &'a Urn,
    /// The action.
    pub action: &'a AccessAction,
    /// The resource.
    pub urn: &'a Urn,
    /// An account on which the principal has these actions without a stored grant, as a member of a household has.
    pub implied: Option<(&'a Urn, &'a GrantedActions)>,
}

/// Grants, in a table of their own, and the check that uses them together with the relationships.
#[async_trait]
pub trait Grants: Send + Sync {
    /// Gives a grant, replacing the principal's grant on the same resource. It is deleted with the
    /// resource.
    async fn put_grant(
        &self,
        scope: &AccountScope,
        grant: &Grant,
        write: Write<'_>,
    ) -> Result<PutGrant>;

    /// The grant of a principal on a resource or account itself.
    async fn find_grant(
        &self,
        scope: &AccountScope,
        principal: &Urn,
        on: &Urn,
    ) -> Result<Option<Grant>>;

    /// Revokes a grant. `false` if there was none.
    async fn remove_grant(
        &self,
        scope: &AccountScope,
        principal: &Urn,
        on: &Urn,
        write: Write<'_>,
    ) -> Result<bool>;

    /// Grants of the account. May lag behind writes where the engine's indexes lag.
    async fn list_grants(
        &self,
        scope: &AccountScope,
        filter: &GrantFilter,
        after: Option<&GrantPosition>,
        limit: usize,
    ) -> Result<Page<Grant, GrantPosition>>;

    /// Why the principal may do this; `None` if they may not or there is no such resource: by a
    /// grant on the resource, on an ancestor ([`larder_domain::Ascent`]), or on its account. Needs
    /// no scope, because scopes are based on its answers. A revoked grant never permits anything; a
    /// new one may be seen late if the engine's indexes lag.
    async fn authorize(&self, request: AccessRequest<'_>) -> Result<Option<Access>>;
}
