//! `DELETE /devices/{hardware_id}`.

use axum::response::Response;
use larder_domain::HardwareId;
use larder_http::{Params, ProblemDocument};

use crate::{
    ApiError, ApiState, FleetAuthenticated, PathId,
    jobs::{JobDto, accepted},
    need::ChangeDevices,
};

/// Release a device
///
/// Only for admins and the operator. It is not shown any more, and its readings go; that continues
/// after the response, and the job shows the progress. Then anybody with a key can register it
/// again.
#[utoipa::path(
    delete,
    path = "/api/v1/devices/{hardware_id}",
    tag = "Telemetry",
    security(("program" = ["devices"])),
    params(("hardware_id" = String, Path, description = "Its MAC address")),
    responses(
        (status = 202, body = JobDto, description = "It goes on; `Location` is the job"),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
        (status = 404, body = ProblemDocument, description = "`DEVICE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn delete_device(
    api: ApiState,
    FleetAuthenticated(caller, ..): FleetAuthenticated<ChangeDevices>,
    PathId(id): PathId<HardwareId>,
    params: Params,
) -> Result<Response, ApiError> {
    params.finish(|| Some(()))?;
    let erasure = api.app.erase_device(&caller, id).await?;
    Ok(accepted(&JobDto::of_erasure(&erasure)))
}
