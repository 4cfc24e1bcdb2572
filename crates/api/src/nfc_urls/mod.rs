//! NFC tags as admins see them: one verb per file.

mod add;
mod cursor;
mod delete;
mod dto;
mod list;
mod list_of_item;
mod qr;
mod rotate;
mod update;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(list_of_item::list_item_tags, add::add_tag))
        .routes(routes!(rotate::rotate_tag))
        .routes(routes!(list::list_tags))
        .routes(routes!(update::update_tag, delete::delete_tag))
        .routes(routes!(qr::tag_qr_code))
}
