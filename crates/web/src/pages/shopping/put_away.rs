//! What was bought goes into stock, or just off the list.

use axum::{
    extract::{Path, State},
    response::Response,
};
use larder_app::AppError;
use larder_domain::ShoppingStatus;
use serde::Deserialize;

use super::{fields::entry_id, notepad::read_entries, put_away_form::StockFields};
use crate::{
    failure::Failure,
    form::{Form, done},
    state::WebState,
    visit::Member,
};

#[derive(Deserialize)]
pub(super) struct PutAway {
    version: u64,
    /// What it is in stock; not there for an entry that restocks an item.
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
    let item = form.stock.read()?;
    match web.app.put_away(&member.caller, id, form.version, item).await {
        Ok(_) => Ok(done("/shopping", "shopping-put-away")),
        // Pressed twice, or by two: it was put away once.
        Err(AppError::ShoppingItemNotFound) => Ok(done("/shopping", "shopping-gone")),
        Err(error) => Err(error.into()),
    }
}

/// `POST /shopping/put-away`: everything whose place in stock is known.
pub(super) async fn everything(
    State(web): State<WebState>,
    member: Member,
) -> Result<Response, Failure> {
    let entries = read_entries(&web.app, &member.caller).await?;
    let is_ready = |status, item: Option<_>| status == ShoppingStatus::Purchased && item.is_some();
    for entry in entries.iter().filter(|entry| is_ready(entry.status, entry.item)) {
        match web.app.put_away(&member.caller, entry.id, entry.version, None).await {
            // Changed or put away by somebody else meanwhile: then it is not ours to put away.
            Ok(_) | Err(AppError::ShoppingItemNotFound | AppError::ShoppingVersionConflict(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(done("/shopping", "shopping-put-away-all"))
}

/// `POST /shopping/clear`.
pub(super) async fn clear(
    State(web): State<WebState>,
    member: Member,
) -> Result<Response, Failure> {
    web.app.clear_purchased(&member.caller).await?;
    Ok(done("/shopping", "shopping-cleared"))
}
