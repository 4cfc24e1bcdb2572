//! Products: one verb per file.

mod by_barcode;
mod delete;
pub(crate) mod dto;
mod get;
mod history;
mod list;
mod photo;
mod update;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_products))
        .routes(routes!(get::get_product, update::update_product, delete::delete_product))
        .routes(routes!(by_barcode::get_product_by_barcode))
        .routes(routes!(history::product_history))
        .merge(photo::routes())
}
