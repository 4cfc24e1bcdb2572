//! URNs in paths, percent-encoded.

use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use larder_domain::Urn;
use larder_http::Problem;
use utoipa::IntoParams;

use super::fields;

/// The resource that the path names. Extract it after the caller, so that an unauthenticated
/// request learns nothing about its path.
#[derive(IntoParams)]
#[into_params(names("urn"), parameter_in = Path)]
pub(crate) struct PathUrn(
    /// Percent-encoded
    #[param(value_type = String)]
    pub(crate) Urn,
);

/// The collection and the member that the path names.
pub(super) struct PathMembership {
    pub(super) collection: Urn,
    pub(super) member: Urn,
}

/// The URN of a decoded segment of the path.
pub(crate) fn path_urn(text: &str) -> Result<Urn, Problem> {
    fields::urn("urn", text)
}

impl<S: Send + Sync> FromRequestParts<S> for PathUrn {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Path(urn) = Path::<String>::from_request_parts(parts, state).await.map_err(not_utf8)?;
        path_urn(&urn).map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PathMembership {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let urns = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((collection, member)) = urns.map_err(not_utf8)?;
        Ok(Self {
            collection: fields::urn("urn", &collection)?,
            member: fields::urn("memberUrn", &member)?,
        })
    }
}

/// The only possible error of text in a path.
pub(crate) fn not_utf8<E>(_: E) -> Problem {
    fields::invalid_urn("urn", "must be percent-encoded UTF-8".to_owned())
}
