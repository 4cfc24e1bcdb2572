//! The pages, a folder for each part of the app.

mod household;
mod me;
mod products;
mod scan;
mod search;
mod sensors;
mod shopping;
mod stock;
mod tags;
mod things;
mod today;
mod welcome;

use axum::Router;

use crate::WebState;

/// Every page.
pub(crate) fn routes() -> Router<WebState> {
    Router::new()
        .merge(welcome::routes())
        .merge(today::routes())
        .merge(stock::routes())
        .merge(products::routes())
        .merge(scan::routes())
        .merge(search::routes())
        .merge(shopping::routes())
        .merge(tags::routes())
        .merge(sensors::routes())
        .merge(things::routes())
        .merge(household::routes())
        .merge(me::routes())
}
