//! `POST /shopping/{id}/check`: bought, or not after all.

use axum::{
    extract::{Path, State},
    response::Response,
};
use larder_app::AppError;
use larder_domain::{ShoppingChange, ShoppingStatus};
use serde::Deserialize;

use super::{
    conflict::{Wanted, conflict},
    fields::entry_id,
};
use crate::{
    failure::Failure,
    form::{Form, see_other},
    state::WebState,
    visit::Member,
};

#[derive(Deserialize)]
pub(super) struct Checked {
    version: u64,
    status: String,
}

pub(super) async fn check(
    State(web): State<WebState>,
    member: Member,
    Path(id): Path<String>,
    Form(checked): Form<Checked>,
) -> Result<Response, Failure> {
    let id = entry_id(&id)?;
    let status = ShoppingStatus::parse(&checked.status).map_err(|_| Failure::Malformed)?;
    let change = ShoppingChange::Status(status);
    match web.app.change_shopping_item(&member.caller, id, checked.version, &change).await {
        Ok(_) => Ok(see_other("/shopping")),
        // Somebody else has wanted the same: then it is done.
        Err(AppError::ShoppingVersionConflict(current)) if current.status == status => {
            Ok(see_other("/shopping"))
        }
        Err(AppError::ShoppingVersionConflict(current)) => {
            conflict(&web, &member, &current, &Wanted::Status(status)).await
        }
        Err(error) => Err(error.into()),
    }
}
