//! Devices and their readings, for users and the operator: one verb per file.

mod delete;
pub(crate) mod dto;
mod get;
mod latest;
mod list;
mod readings;
mod readings_csv;
mod series;
mod times;
mod update;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_devices))
        .routes(routes!(get::get_device, update::update_device, delete::delete_device))
        .routes(routes!(latest::latest_reading))
        .routes(routes!(readings::list_readings))
        .routes(routes!(readings_csv::export_readings))
        .routes(routes!(series::reading_series))
}
