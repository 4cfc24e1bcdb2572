//! The stock: the list, one item, and the actions on them.

mod add;
mod adjust;
mod bulk;
mod bulk_outcome;
mod choices;
mod delete;
mod details_form;
mod edit;
mod history;
mod item;
mod list;
mod query;
mod row;
mod shopping;
mod suggestions;
mod undo;

use axum::{
    Router,
    routing::{get, post},
};
use larder_domain::ItemId;

use crate::{failure::Failure, state::WebState};

pub(crate) fn routes() -> Router<WebState> {
    Router::new()
        .route("/stock", get(list::page))
        .route("/stock/add", post(add::add))
        .route("/stock/bulk", post(bulk::change))
        .route("/stock/suggestions", get(suggestions::suggest))
        .route("/stock/{id}", get(item::page).post(edit::save))
        .route("/stock/{id}/adjust", post(adjust::adjust))
        .route("/stock/{id}/undo", post(undo::undo))
        .route("/stock/{id}/shopping", post(shopping::put_on_list))
        .route("/stock/{id}/delete", post(delete::delete))
}

/// The item that a path names.
fn item_id(text: &str) -> Result<ItemId, Failure> {
    text.parse().map_err(|_| Failure::NotFound)
}

/// The URL of an item's page.
fn address_of(id: ItemId) -> String {
    format!("/stock/{id}")
}
