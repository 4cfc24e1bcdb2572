//! `GET /unique-keys/{resourceType}/{key}/{value}`.

use axum::extract::{Path, rejection::PathRejection};
use larder_domain::{PropertyName, UniqueValue};
use larder_http::ProblemDocument;

use crate::{
    ApiError, ApiState, Authenticated,
    need::ReadThings,
    resources::{
        dto::{ResourceAnswer, ResourceDto, answer},
        fields,
    },
};

/// Find the resource with a unique value
///
/// The one with exactly this value, or else the one whose case-insensitive value equals it.
#[utoipa::path(
    get,
    path = "/api/v1/unique-keys/{resourceType}/{key}/{value}",
    tag = "Resources",
    security(("program" = ["read"]), ("program" = ["things"])),
    params(
        ("resourceType" = String, Path, max_length = 200, pattern = r"^[A-Z][A-Za-z0-9]*(\.[A-Z][A-Za-z0-9]*)*$"),
        ("key" = String, Path, pattern = "^[A-Za-z][A-Za-z0-9_]{0,63}$", description = "The property"),
        ("value" = String, Path, description = "Percent-encoded"),
    ),
    responses(
        (status = 200, body = ResourceDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_RESOURCE_TYPE`, `INVALID_UNIQUE_KEYS`"),
        (status = 404, body = ProblemDocument, description = "`UNIQUE_KEY_NOT_FOUND`: nobody has it, or not yours"),
    ),
)]
pub(super) async fn get_unique_key(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadThings>,
    path: Result<Path<(String, String, String)>, PathRejection>,
) -> Result<ResourceAnswer, ApiError> {
    let Path((resource_type, key, value)) =
        path.map_err(|_| fields::invalid_keys("value", "must be percent-encoded UTF-8"))?;
    let resource_type = fields::resource_type("resourceType", &resource_type)?;
    let property = PropertyName::parse(&key)
        .map_err(|reason| fields::invalid_keys("key", reason.to_string()))?;
    let value = UniqueValue::parse(&value)
        .map_err(|reason| fields::invalid_keys("value", reason.to_string()))?;
    let holder = api.app.unique_key_holder(&caller, &resource_type, &property, &value).await?;
    Ok(answer(&holder))
}
