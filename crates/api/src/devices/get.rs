//! `GET /devices/{hardware_id}`.

use larder_domain::HardwareId;
use larder_http::{Json, Params, ProblemDocument};

use super::dto::DeviceDto;
use crate::{ApiError, ApiState, FleetAuthenticated, PathId, need::ReadDevices};

/// Read a device
#[utoipa::path(
    get,
    path = "/api/v1/devices/{hardware_id}",
    tag = "Telemetry",
    security(("program" = ["read"]), ("program" = ["devices"])),
    params(("hardware_id" = String, Path, description = "Its MAC address")),
    responses(
        (status = 200, body = DeviceDto),
        (status = 404, body = ProblemDocument, description = "`DEVICE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn get_device(
    api: ApiState,
    FleetAuthenticated(caller, ..): FleetAuthenticated<ReadDevices>,
    PathId(id): PathId<HardwareId>,
    params: Params,
) -> Result<Json, ApiError> {
    params.finish(|| Some(()))?;
    let device = api.app.device(&caller, id).await?;
    Ok(Json::of(&DeviceDto::of(&device, &caller)))
}
