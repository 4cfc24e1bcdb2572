//! The small forms of a product: take from its lots, and delete it.

use axum::response::Response;
use larder_app::ProductChoice;
use larder_domain::{Consumed, ProductId};
use serde::Deserialize;

use super::address_of;
use crate::{
    Failure, Form, Keeper, PathId, WebState, back_or, done,
    pages::stock::details_form::{more_than_zero, required},
    see_other,
};

#[derive(Deserialize)]
pub(super) struct Use {
    quantity: String,
    back: Option<String>,
}

/// `POST /products/{id}/use`: take from the lot that expires first, then from the next.
pub(super) async fn take(
    web: WebState,
    keeper: Keeper,
    PathId(id): PathId<ProductId>,
    Form(wanted): Form<Use>,
) -> Result<Response, Failure> {
    let quantity = required(&wanted.quantity, more_than_zero, "field-quantity")?;
    let choice = ProductChoice::Id(id);
    let Consumed { taken, missing } =
        web.app.consume(&keeper.caller, &choice, quantity, None, None).await?;
    if let Some(back) = wanted.back.as_deref() {
        return Ok(see_other(back_or(Some(back), "/stock")));
    }
    let back = address_of(id);
    Ok(if missing.is_zero() {
        done(&back, "products-used")
    } else if taken.0.is_empty() {
        done(&back, "products-used-none")
    } else {
        done(&back, "products-used-less")
    })
}

#[derive(Deserialize)]
pub(super) struct Nothing {}

/// `POST /products/{id}/delete`: delete a product without lots.
pub(super) async fn delete(
    web: WebState,
    keeper: Keeper,
    PathId(id): PathId<ProductId>,
    Form(Nothing {}): Form<Nothing>,
) -> Result<Response, Failure> {
    web.app.delete_product(&keeper.caller, id).await?;
    Ok(done("/products", "stock-deleted"))
}
