//! Products: what the household knows of a name, and all lots of it together.

mod changes;
mod chart;
mod edit;
mod history;
mod knowledge_form;
mod list;
pub(super) mod lots;
mod photo;
mod product;
mod query;

use axum::{
    Router,
    routing::{get, post},
};
use larder_domain::{PhotoId, ProductId};

use crate::WebState;

pub(crate) fn routes() -> Router<WebState> {
    Router::new()
        .route("/products", get(list::page))
        .route("/products/{id}", get(product::page).post(edit::save))
        .route("/products/{id}/use", post(changes::take))
        .route("/products/{id}/photo", post(photo::set))
        .route("/products/{id}/photo/remove", post(photo::remove))
        .route("/products/{id}/delete", post(changes::delete))
}

/// The URL of a photo, `photo` or `photo/thumbnail`. It changes with the photo, so that browsers
/// keep it.
pub(super) fn photo_address(product: ProductId, photo: PhotoId, size: &str) -> String {
    format!("/api/v1/products/{product}/{size}?v={photo}")
}

/// The URL of a product's page.
pub(super) fn address_of(id: ProductId) -> String {
    format!("/products/{id}")
}
