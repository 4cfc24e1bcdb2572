//! Work that continues after the response: one verb per file.

mod accepted;
mod dto;
mod get;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) use accepted::accepted;
pub(crate) use dto::JobDto;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(get::get_job))
}
