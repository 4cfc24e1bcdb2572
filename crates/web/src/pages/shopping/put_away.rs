//! Puts purchased entries away, or just clears them.

use axum::{
    extract::{Path, State},
    response::Response,
};
use larder_app::{AppError, BoughtEntry};
use serde::Deserialize;

use super::{fields::entry_id, put_away_form::StockFields};
use crate::{
    failure::Failure,
    form::{Form, done},
    state::WebState,
    visit::Member,
};

#[derive(Deserialize)]
pub(super) struct PutAway {
    version: u64,
    #[serde(flatten)]
    stock: StockFields,
}

/// `POST /shopping/{id}/put-away`.
pub(super) async fn put_away(
    State(web): State<WebState>,
    member: Member,
    Path(id): Path<String>,
    Form(form): Form<PutAway>,
) -> Result<Response, Failure> {
    let id = entry_id(&id)?;
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
pub(super) async fn clear(
    State(web): State<WebState>,
    member: Member,
) -> Result<Response, Failure> {
    web.app.clear_purchased(&member.caller).await?;
    Ok(done("/shopping", "shopping-cleared"))
}
