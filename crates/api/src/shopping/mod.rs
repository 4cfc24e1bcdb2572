//! The shopping list: one verb per file.

mod add;
mod clear;
mod delete;
pub(crate) mod dto;
mod fields;
mod get;
mod list;
mod put_away;
mod status;
mod update;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_shopping_items, add::add_shopping_item, clear::clear_purchased))
        .routes(routes!(
            get::get_shopping_item,
            update::update_shopping_item,
            delete::delete_shopping_item
        ))
        .routes(routes!(put_away::put_away))
        .routes(routes!(status::set_shopping_status))
}
