//! `GET /devices/{hardware_id}/readings.csv`.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    response::Response,
};
use larder_app::AppError;
use larder_http::{ProblemDocument, readings_response};

use crate::{
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, FleetAuthenticated},
};

/// Export the readings of a device
///
/// `time,sensor,value,status,batch_id`, oldest first, within the retention. The response is
/// streamed.
#[utoipa::path(
    get,
    path = "/api/v1/devices/{hardware_id}/readings.csv",
    tag = "Telemetry",
    params(("hardware_id" = String, Path, description = "Its MAC address")),
    responses(
        (status = 200, body = String, content_type = "text/csv"),
        (status = 404, body = ProblemDocument, description = "`DEVICE_NOT_FOUND`"),
    ),
)]
pub(super) async fn export_readings(
    State(api): State<ApiState>,
    FleetAuthenticated(caller): FleetAuthenticated,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let id = path_id(&id, AppError::DeviceNotFound)?;
    Ok(readings_response(Arc::clone(&api.app), caller, id).await?)
}
