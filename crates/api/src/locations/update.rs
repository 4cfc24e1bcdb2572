//! `PATCH /storage-locations/{id}`.

use std::str::FromStr as _;

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_domain::{HardwareId, LocationName};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read};
use utoipa::ToSchema;

use super::dto::LocationDto;
use crate::{
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// What to change. A field that is absent stays; a null `deviceId` is cleared.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes what the handler reads")]
struct LocationChanges {
    #[schema(min_length = 1, max_length = 50)]
    name: Option<String>,
    /// The device that watches it, one of the household's, by its MAC address.
    #[schema(pattern = "^[0-9A-F]{2}(:[0-9A-F]{2}){5}$")]
    device_id: Option<String>,
}

/// Change a storage location of the household's own
#[utoipa::path(
    patch,
    path = "/api/v1/storage-locations/{id}",
    tag = "Inventory",
    params(("id" = String, Path, format = "uuid")),
    request_body = LocationChanges,
    responses(
        (status = 200, body = LocationDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`LOCATION_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`NAME_TAKEN`, `HOUSEHOLD_REQUIRED`"),
    ),
)]
pub(super) async fn update_location(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let id = path_id(&id, AppError::LocationNotFound)?;
    let mut fields = Fields::parse(&body)?;
    let name = fields.change("name", read::text(LocationName::parse));
    let device = fields.patch("deviceId", read::text(HardwareId::from_str)).into_change();
    let (name, device) = fields.finish(|| Some((name, device)))?;
    let location = api.app.update_location(&caller, id, name, device).await?;
    Ok(Json(LocationDto::own(&location)).into_response())
}
