//! `POST /stock/{id}/delete`: unless the item has changed since the page was shown.

use axum::{
    extract::{Path, State},
    response::Response,
};

use serde::Deserialize;

use super::item_id;
use crate::{
    failure::Failure,
    form::{Form, done},
    state::WebState,
    visit::Member,
};

#[derive(Deserialize)]
pub(super) struct Seen {
    /// The version on the page.
    version: Option<u64>,
}

pub(super) async fn delete(
    State(web): State<WebState>,
    member: Member,
    Path(id): Path<String>,
    Form(seen): Form<Seen>,
) -> Result<Response, Failure> {
    web.app.delete_item(&member.caller, item_id(&id)?, seen.version, None).await?;
    Ok(done("/stock", "stock-deleted"))
}
