//! The shopping list, also offline.

mod add;
mod amount;
mod check;
mod conflict;
mod edit;
mod entry;
mod fields;
mod list;
mod offline;
mod print;
mod put_away;
mod put_away_all;
mod put_away_form;
pub(super) mod put_away_rows;
mod rows;
mod shop_choice;
mod shopping_list_view;
mod suggestions;

use axum::{
    Router,
    routing::{get, post},
};

use crate::WebState;

pub(crate) fn routes() -> Router<WebState> {
    Router::new()
        .route("/shopping", get(list::page))
        .route("/shopping/add", post(add::add))
        .route("/shopping/clear", post(put_away::clear))
        .route("/shopping/print", get(print::page))
        .route("/shopping/put-away", get(put_away_all::page).post(put_away_all::put_away))
        .route("/shopping/{id}", get(edit::page).post(edit::save))
        .route("/shopping/{id}/amount", post(amount::change_amount))
        .route("/shopping/{id}/check", post(check::check))
        .route("/shopping/{id}/delete", post(edit::delete))
        .route("/shopping/{id}/put-away", get(put_away_form::page).post(put_away::put_away))
        .route("/offline", get(offline::page))
}
