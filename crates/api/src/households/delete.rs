//! `DELETE /households/current`.

use axum::response::Response;
use larder_http::{Params, ProblemDocument};

use crate::{
    ApiError, ApiState, Authenticated,
    jobs::{JobDto, accepted},
    need::Administrate,
};

/// Delete my household
///
/// Only for admins. All members are on their own again at once; their accounts and their personal
/// items stay. Everything else goes, for good: items, shopping list, tags, devices and their
/// readings, keys, things, grants, history. That continues after the response, and the job shows
/// the progress. `GET /me/export` before it keeps a copy.
#[utoipa::path(
    delete,
    path = "/api/v1/households/current",
    tag = "Households",
    security(("program" = ["admin"])),
    params(("confirm" = String, Query, description = "The name of the household")),
    responses(
        (status = 202, body = JobDto, description = "It goes on; `Location` is the job"),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`: `confirm` is not the name"),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
        (status = 404, body = ProblemDocument, description = "`NO_HOUSEHOLD`"),
    ),
)]
pub(super) async fn delete_household(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<Administrate>,
    mut params: Params,
) -> Result<Response, ApiError> {
    let confirmed = params.required("confirm", |text| Ok::<_, &str>(text.to_owned()));
    let confirmed = params.finish(|| confirmed)?;
    let erasure = api.app.erase_household(&caller, &confirmed, false).await?;
    Ok(accepted(&JobDto::of_erasure(&erasure)))
}
