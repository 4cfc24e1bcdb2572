//! NFC tags as admins see them: one verb per file.

mod add;
mod cursor;
mod dto;
mod list;
mod list_of_item;
mod qr;
mod rotate;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(list_of_item::list_item_tags, add::add_tag))
        .routes(routes!(rotate::rotate_tag))
        .routes(routes!(list::list_tags))
        .routes(routes!(qr::tag_qr_code))
}
