//! The stock: the list, one item, and the actions on them.

mod add;
mod beside;
mod bulk;
mod bulk_outcome;
mod changes;
pub(super) mod choices;
mod copy;
pub(super) mod details_form;
mod edit;
mod goods;
pub(super) mod history;
mod item;
mod list;
mod query;
pub(super) mod row;
pub(super) mod rows;
mod suggestions;
mod two_inventories;

use axum::{
    Router,
    routing::{get, post},
};
use larder_domain::ItemId;

use crate::WebState;

pub(crate) fn routes() -> Router<WebState> {
    Router::new()
        .route("/stock", get(list::page))
        .route("/stock/add", post(add::add))
        .route("/stock/bulk", post(bulk::change))
        .route("/stock/copy", get(copy::page))
        .route("/stock/suggestions", get(suggestions::suggest))
        .route("/stock/{id}", get(item::page).post(edit::save))
        .route("/stock/{id}/adjust", post(changes::adjust))
        .route("/stock/{id}/open", post(changes::open))
        .route("/stock/{id}/undo", post(changes::undo))
        .route("/stock/{id}/shopping", post(changes::put_on_list))
        .route("/stock/{id}/delete", post(changes::delete))
        .route("/stock/{id}/move", post(two_inventories::move_item))
        .route("/inventory", post(two_inventories::choose))
}

/// The URL of an item's page.
pub(super) fn address_of(id: ItemId) -> String {
    format!("/stock/{id}")
}
