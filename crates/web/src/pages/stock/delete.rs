//! `POST /stock/{id}/delete`.

use axum::{
    extract::{Path, State},
    response::Response,
};

use super::item_id;
use crate::{failure::Failure, form::done, state::WebState, visit::Member};

pub(super) async fn delete(
    State(web): State<WebState>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    web.app.delete_item(&member.caller, item_id(&id)?).await?;
    Ok(done("/stock", "stock-deleted"))
}
