//! Shops: one verb per file.

mod add;
mod delete;
mod dto;
mod get;
mod list;
mod update;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(list::list_stores, add::add_store)).routes(routes!(
        get::get_store,
        update::update_store,
        delete::delete_store
    ))
}
