//! `DELETE /households/current/members/{userId}`.

use axum::{
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use larder_domain::UserId;
use larder_http::{Params, ProblemDocument};

use crate::{
    ApiError, ApiState, Authenticated, PathId,
    jobs::{JobDto, accepted},
    need::Administrate,
};

/// Remove a member, or leave
///
/// Admins can remove anyone; everyone can remove themselves. Their own items stay theirs. The
/// invite code changes. The only member takes the household with them, once its name is typed: it
/// is deleted as by `DELETE /households/current`.
#[utoipa::path(
    delete,
    path = "/api/v1/households/current/members/{userId}",
    tag = "Households",
    security(("program" = ["admin"])),
    params(
        ("userId" = String, Path, format = "uuid"),
        ("confirm" = Option<String>, Query, description = "For the only member: the name of the household, which is deleted"),
        ("moveItems" = Option<bool>, Query, description = "For the only member: whether the items become their own first"),
    ),
    responses(
        (status = 202, body = JobDto, description = "The household goes, too; `Location` is the job"),
        (status = 204, description = "Gone"),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`: `confirm` is not the name"),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
        (status = 404, body = ProblemDocument, description = "`MEMBER_NOT_FOUND`, `NO_HOUSEHOLD`"),
        (status = 409, body = ProblemDocument, description = "`LAST_ADMIN`; with `moveItems`, `UNIT_MISMATCH` with the own item that is in the way: nothing is deleted"),
        (status = 422, body = ProblemDocument, description = "`QUANTITY_OVERFLOW`, in the same case"),
    ),
)]
pub(super) async fn remove_member(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<Administrate>,
    PathId(user): PathId<UserId>,
    mut params: Params,
) -> Result<Response, ApiError> {
    let confirmed = params.text("confirm");
    let move_items = params.boolean("moveItems").unwrap_or(false);
    params.finish(|| Some(()))?;
    if user == caller.user_id()
        && let Some(erasure) =
            api.app.leave_household(&caller, confirmed.as_deref(), move_items).await?
    {
        return Ok(accepted(&JobDto::of_erasure(&erasure)));
    }
    if user != caller.user_id() {
        api.app.remove_member(&caller, user).await?;
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}
