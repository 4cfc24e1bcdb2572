//! `DELETE /shopping-list?status=purchased`: remove all purchased entries.

use larder_domain::{InvalidShoppingField, ShoppingStatus};
use larder_http::{Json, Params, Problem, ProblemDocument};
use serde::Serialize;
use utoipa::ToSchema;

use super::fields::invalid;
use crate::{ApiError, ApiState, Authenticated, need::ChangeShopping};

/// The number of removed entries.
#[derive(Serialize, ToSchema)]
struct RemovedShoppingItems {
    removed: u64,
}

/// Remove purchased entries
///
/// Entries that are unchecked meanwhile stay.
#[utoipa::path(
    delete,
    path = "/api/v1/shopping-list",
    tag = "Shopping",
    security(("program" = ["shopping"])),
    params(("status" = String, Query, pattern = "^purchased$", description = "`purchased`, and nothing else")),
    responses(
        (status = 200, body = RemovedShoppingItems),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`: nothing is cleared without saying what"),
        (status = 409, body = ProblemDocument, description = "`HOUSEHOLD_REQUIRED`"),
    ),
)]
pub(super) async fn clear_purchased(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeShopping>,
    mut params: Params,
) -> Result<Json, ApiError> {
    let status = params.optional("status", ShoppingStatus::parse);
    match params.finish(|| Some(status))? {
        Some(ShoppingStatus::Purchased) => {}
        // Pending entries cannot be cleared at once, because it would most likely be a mistake.
        Some(ShoppingStatus::Pending) => {
            return Err(Problem::bad_request("INVALID_FIELDS", "Validation failed")
                .field_error("status", "must be 'purchased' to clear the list")
                .into());
        }
        None => return Err(invalid("status", InvalidShoppingField::Status).into()),
    }
    let removed = api.app.clear_purchased(&caller).await?;
    Ok(Json::of(&RemovedShoppingItems { removed }))
}
