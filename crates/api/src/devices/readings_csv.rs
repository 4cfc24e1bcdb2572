//! `GET /devices/{hardware_id}/readings.csv`.

use std::sync::Arc;

use axum::response::Response;
use larder_domain::HardwareId;
use larder_http::{ProblemDocument, readings_response};

use crate::{ApiError, ApiState, FleetAuthenticated, PathId, need::ReadDevices};

/// Export the readings of a device
///
/// `time,sensor,value,status,batch_id`, oldest first, within the retention. The response is
/// streamed.
#[utoipa::path(
    get,
    path = "/api/v1/devices/{hardware_id}/readings.csv",
    tag = "Telemetry",
    security(("program" = ["read"]), ("program" = ["devices"])),
    params(("hardware_id" = String, Path, description = "Its MAC address")),
    responses(
        (status = 200, body = String, content_type = "text/csv"),
        (status = 404, body = ProblemDocument, description = "`DEVICE_NOT_FOUND`"),
    ),
)]
pub(super) async fn export_readings(
    api: ApiState,
    FleetAuthenticated(caller, ..): FleetAuthenticated<ReadDevices>,
    PathId(id): PathId<HardwareId>,
) -> Result<Response, ApiError> {
    Ok(readings_response(Arc::clone(&api.app), caller, id).await?)
}
