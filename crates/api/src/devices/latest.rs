//! `GET /devices/{hardware_id}/latest`: the newest reading of a device.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_http::{Json, Params, ProblemDocument};

use super::dto::ReadingDto;
use crate::{
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, FleetAuthenticated},
};

/// Read the latest reading of a device
#[utoipa::path(
    get,
    path = "/api/v1/devices/{hardware_id}/latest",
    tag = "Telemetry",
    params(("hardware_id" = String, Path, description = "Its MAC address")),
    responses(
        (status = 200, body = ReadingDto),
        (status = 404, body = ProblemDocument, description = "`DEVICE_NOT_FOUND`: not there, or not yours; `NO_READINGS`"),
    ),
)]
pub(super) async fn latest_reading(
    State(api): State<ApiState>,
    FleetAuthenticated(caller): FleetAuthenticated,
    Path(id): Path<String>,
    params: Params,
) -> Result<Response, ApiError> {
    params.finish(|| Some(()))?;
    let device = path_id(&id, AppError::DeviceNotFound)?;
    let reading = api.app.latest_reading(&caller, device).await?;
    Ok(Json(ReadingDto::of(&reading)).into_response())
}
