//! `POST /stock/{id}/undo`: undo the last change.

use axum::{
    extract::{Path, State},
    response::Response,
};
use serde::Deserialize;

use super::{address_of, item_id};
use crate::{
    failure::Failure,
    form::{Form, done},
    state::WebState,
    visit::Member,
};

#[derive(Deserialize)]
pub(super) struct Unwanted {
    /// The version after the change.
    version: u64,
}

pub(super) async fn undo(
    State(web): State<WebState>,
    member: Member,
    Path(id): Path<String>,
    Form(unwanted): Form<Unwanted>,
) -> Result<Response, Failure> {
    let id = item_id(&id)?;
    web.app.undo_item_change(&member.caller, id, unwanted.version, None).await?;
    Ok(done(&address_of(id), "stock-undone"))
}
