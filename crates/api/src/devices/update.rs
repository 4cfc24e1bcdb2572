//! `PATCH /devices/{hardware_id}`: the household's name for a device.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_domain::FriendlyName;
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::dto::DeviceDto;
use crate::{
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, FleetAuthenticated},
};

request_body! {
    /// The changes. Absent fields are unchanged; null clears a field.
    struct DeviceChanges {
        #[schema(min_length = 1, max_length = 100)]
        patch friendly_name: FriendlyName as String = read::text(FriendlyName::parse),
    }
}

/// Rename a device
///
/// Only for admins. New readings carry the new name.
#[utoipa::path(
    patch,
    path = "/api/v1/devices/{hardware_id}",
    tag = "Telemetry",
    params(("hardware_id" = String, Path, description = "Its MAC address")),
    request_body = DeviceChanges,
    responses(
        (status = 200, body = DeviceDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
        (status = 404, body = ProblemDocument, description = "`DEVICE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn update_device(
    State(api): State<ApiState>,
    FleetAuthenticated(caller): FleetAuthenticated,
    Path(id): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let id = path_id(&id, AppError::DeviceNotFound)?;
    let DeviceChanges { friendly_name } = Fields::parse(&body)?.into_body()?;
    let device = match friendly_name.into_change() {
        Some(name) => api.app.rename_device(&caller, id, name.as_ref()).await?,
        None => api.app.device(&caller, id).await?,
    };
    Ok(Json(DeviceDto::of(&device, &caller)).into_response())
}
