//! `GET /devices/{hardware_id}/latest`: the newest reading of a device.

use larder_domain::HardwareId;
use larder_http::{Json, Params, ProblemDocument};

use super::dto::ReadingDto;
use crate::{ApiError, ApiState, FleetAuthenticated, PathId, need::ReadDevices};

/// Read the latest reading of a device
#[utoipa::path(
    get,
    path = "/api/v1/devices/{hardware_id}/latest",
    tag = "Telemetry",
    security(("program" = ["read"]), ("program" = ["devices"])),
    params(("hardware_id" = String, Path, description = "Its MAC address")),
    responses(
        (status = 200, body = ReadingDto),
        (status = 404, body = ProblemDocument, description = "`DEVICE_NOT_FOUND`: not there, or not yours; `NO_READINGS`"),
    ),
)]
pub(super) async fn latest_reading(
    api: ApiState,
    FleetAuthenticated(caller, ..): FleetAuthenticated<ReadDevices>,
    PathId(device): PathId<HardwareId>,
    params: Params,
) -> Result<Json, ApiError> {
    params.finish(|| Some(()))?;
    let reading = api.app.latest_reading(&caller, device).await?;
    Ok(Json::of(&ReadingDto::of(&reading)))
}
