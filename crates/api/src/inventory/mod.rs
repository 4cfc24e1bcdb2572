//! Items: one verb per file.

mod add;
mod adjust;
mod bulk;
mod consume;
mod delete;
pub(crate) mod dto;
mod get;
mod history;
mod list;
mod lots;
mod move_item;
mod open;
mod page_cache;
mod undo;
mod update;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) use page_cache::{PageCache, page_cache};

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_items, add::add_item))
        .routes(routes!(get::get_item, update::update_item, delete::delete_item))
        .routes(routes!(bulk::change_items))
        .routes(routes!(lots::list_lots))
        .routes(routes!(consume::consume))
        .routes(routes!(adjust::adjust_item))
        .routes(routes!(open::open_item))
        .routes(routes!(history::item_history))
        .routes(routes!(undo::undo_item_change))
        .routes(routes!(move_item::move_item))
}
