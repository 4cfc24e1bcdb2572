//! `PATCH /devices/{hardware_id}`: the household's name for a device.

use larder_domain::{FriendlyName, HardwareId};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::dto::DeviceDto;
use crate::{ApiError, ApiState, FleetAuthenticated, PathId, need::ChangeDevices};

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
    security(("program" = ["devices"])),
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
    api: ApiState,
    FleetAuthenticated(caller, ..): FleetAuthenticated<ChangeDevices>,
    PathId(id): PathId<HardwareId>,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let DeviceChanges { friendly_name } = Fields::parse(&body)?.into_body()?;
    let device = match friendly_name.into_change() {
        Some(name) => api.app.rename_device(&caller, id, name.as_ref()).await?,
        None => api.app.device(&caller, id).await?,
    };
    Ok(Json::of(&DeviceDto::of(&device, &caller)))
}
