//! The photo of a product: one verb per file.

mod delete;
mod get;
mod put;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(super) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(put::put_photo, get::get_photo, delete::delete_photo))
        .routes(routes!(get::get_thumbnail))
}
