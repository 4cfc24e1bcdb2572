//! Ids in paths.

use std::str::FromStr;

use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
    response::{IntoResponse, Response},
};

use crate::Failure;

/// The only id in a path; a malformed one names nothing. Extract it after the visitor, who may have
/// to log in first.
pub(crate) struct PathId<T>(pub(crate) T);

impl<S: Send + Sync, T: FromStr> FromRequestParts<S> for PathId<T> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let Path(text) = path.map_err(IntoResponse::into_response)?;
        text.parse().map(Self).map_err(|_| Failure::NotFound.into_response())
    }
}
