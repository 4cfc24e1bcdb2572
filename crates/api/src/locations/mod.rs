//! Storage locations: one verb per file.

mod add;
mod delete;
mod dto;
mod list;
mod update;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_locations, add::add_location))
        .routes(routes!(update::update_location, delete::delete_location))
}
