//! The photo of a product: chosen or taken with the camera, and removed.

use axum::response::Response;
use larder_domain::ProductId;
use serde::Deserialize;

use super::address_of;
use crate::{Failure, Form, Keeper, PathId, Rule, WebState, done, upload::Upload};

/// `POST /products/{id}/photo`: a form with a file.
pub(super) async fn set(
    web: WebState,
    keeper: Keeper,
    PathId(id): PathId<ProductId>,
    upload: Upload,
) -> Result<Response, Failure> {
    if upload.file.is_empty() {
        return Err(Failure::Wrong("products-photo", Rule::Missing));
    }
    web.app.set_photo(&keeper.caller, id, upload.file).await?;
    Ok(done(&address_of(id), "products-photo-set"))
}

#[derive(Deserialize)]
pub(super) struct Nothing {}

/// `POST /products/{id}/photo/remove`
pub(super) async fn remove(
    web: WebState,
    keeper: Keeper,
    PathId(id): PathId<ProductId>,
    Form(Nothing {}): Form<Nothing>,
) -> Result<Response, Failure> {
    web.app.remove_photo(&keeper.caller, id).await?;
    Ok(done(&address_of(id), "products-photo-removed"))
}
