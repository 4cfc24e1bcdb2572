//! Downloads: `GET /me/export.jsonl` has everything that the user may read, `GET
//! /me/readings/{device}.csv` all readings of a device within the retention.

use std::sync::Arc;

use axum::{extract::Path, response::Response};
use larder_app::{AppError, FleetCaller};
use larder_domain::HardwareId;
use larder_http::{export_response, readings_response};

use crate::{Failure, Keeper, WebState};

pub(super) async fn export(web: WebState, keeper: Keeper) -> Response {
    export_response(Arc::clone(&web.app), keeper.caller.clone())
}

pub(super) async fn readings(
    web: WebState,
    keeper: Keeper,
    Path(file): Path<String>,
) -> Result<Response, Failure> {
    let id = file.strip_suffix(".csv").ok_or(Failure::NotFound)?;
    let id = id.parse::<HardwareId>().map_err(|_| AppError::DeviceNotFound)?;
    let caller = FleetCaller::Person(keeper.caller.clone());
    Ok(readings_response(Arc::clone(&web.app), caller, id).await?)
}
