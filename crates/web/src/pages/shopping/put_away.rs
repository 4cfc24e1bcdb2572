//! Puts purchased entries away, or just clears them.

use axum::response::Response;
use larder_app::{AppError, BoughtEntry};
use larder_domain::ShoppingItemId;
use serde::Deserialize;

use super::put_away_form::StockFields;
use crate::{Failure, Form, Member, PathId, WebState, done};

#[derive(Deserialize)]
pub(super) struct PutAway {
    version: u64,
    #[serde(flatten)]
    stock: StockFields,
}

/// `POST /shopping/{id}/put-away`.
pub(super) async fn put_away(
    web: WebState,
    member: Member,
    PathId(id): PathId<ShoppingItemId>,
    Form(form): Form<PutAway>,
) -> Result<Response, Failure> {
    let purchase = form.stock.read()?;
    let bought = BoughtEntry { id, version: form.version, purchase };
    let added = web.app.put_away(&member.caller, vec![bought], None).await?;
    match added.into_iter().collect::<Result<Vec<_>, _>>() {
        Ok(_) => Ok(done("/shopping", "shopping-put-away")),
        // A double click, or a concurrent request: it was put away once.
        Err(AppError::ShoppingItemNotFound) => Ok(done("/shopping", "shopping-gone")),
        Err(error) => Err(error.into()),
    }
}

/// `POST /shopping/clear`.
pub(super) async fn clear(web: WebState, member: Member) -> Result<Response, Failure> {
    web.app.clear_purchased(&member.caller).await?;
    Ok(done("/shopping", "shopping-cleared"))
}
