//! The routes of devices: registration and readings. Devices authenticate with an API key. Their
//! fields are read leniently, because firmware in the field is newer or older than the server.

mod by_name;
mod caller;
mod data;
mod metrics;
mod readings;
mod register;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) use metrics::DeviceMetrics;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(register::register_device))
        .routes(routes!(data::send_readings))
}
