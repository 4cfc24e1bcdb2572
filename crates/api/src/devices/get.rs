//! `GET /devices/{hardware_id}`.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_http::{Json, Params, ProblemDocument};

use super::dto::DeviceDto;
use crate::{
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, FleetAuthenticated},
};

/// Read a device
#[utoipa::path(
    get,
    path = "/api/v1/devices/{hardware_id}",
    tag = "Telemetry",
    params(("hardware_id" = String, Path, description = "Its MAC address")),
    responses(
        (status = 200, body = DeviceDto),
        (status = 404, body = ProblemDocument, description = "`DEVICE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn get_device(
    State(api): State<ApiState>,
    FleetAuthenticated(caller): FleetAuthenticated,
    Path(id): Path<String>,
    params: Params,
) -> Result<Response, ApiError> {
    params.finish(|| Some(()))?;
    let device = api.app.device(&caller, path_id(&id, AppError::DeviceNotFound)?).await?;
    Ok(Json(DeviceDto::of(&device, &caller)).into_response())
}
