//! The principal and the resource of a grant: two percent-encoded URNs in the path.

use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use larder_domain::Urn;
use larder_http::Problem;

use crate::resources::{fields, not_utf8};

/// The grant that the path names. Extract it after the caller, so that an unauthenticated request
/// learns nothing about its path.
pub(super) struct PathGrant {
    pub(super) principal: Urn,
    pub(super) on: Urn,
}

impl<S: Send + Sync> FromRequestParts<S> for PathGrant {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let urns = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((principal, on)) = urns.map_err(not_utf8)?;
        Ok(Self { principal: fields::urn("principal", &principal)?, on: fields::urn("urn", &on)? })
    }
}
