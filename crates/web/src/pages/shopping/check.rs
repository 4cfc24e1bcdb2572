//! `POST /shopping/{id}/check`: check off or uncheck.

use axum::response::Response;
use larder_app::AppError;
use larder_domain::{ShoppingChange, ShoppingItemId, ShoppingStatus};
use serde::Deserialize;

use crate::{Failure, Form, Member, PathId, WebState, form::EDIT_ATTEMPTS, see_other};

#[derive(Deserialize)]
pub(super) struct Checked {
    version: u64,
    status: String,
}

pub(super) async fn check(
    web: WebState,
    member: Member,
    PathId(id): PathId<ShoppingItemId>,
    Form(checked): Form<Checked>,
) -> Result<Response, Failure> {
    let status = ShoppingStatus::parse(&checked.status).map_err(|_| Failure::Malformed)?;
    let change = ShoppingChange::Status(status);
    let mut version = checked.version;
    for _ in 0..EDIT_ATTEMPTS {
        match web.app.change_shopping_item(&member.caller, id, version, &change).await {
            Ok(_) => return Ok(see_other("/shopping")),
            // A concurrent request had the same effect.
            Err(AppError::ShoppingVersionConflict(current)) if current.status == status => {
                return Ok(see_other("/shopping"));
            }
            // The status applies regardless of other changes.
            Err(AppError::ShoppingVersionConflict(current)) => version = current.version,
            Err(error) => return Err(error.into()),
        }
    }
    let current = web.app.shopping_item(&member.caller, id).await?;
    Err(AppError::ShoppingVersionConflict(Box::new(current)).into())
}
