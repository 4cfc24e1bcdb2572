//! `GET /me/tokens`.

use larder_http::{Json, ProblemDocument};

use super::dto::{TokenDto, TokenPageDto};
use crate::{ApiError, ApiState, Authenticated, PageQuery, need::LoggedIn};

/// List my tokens for programs
///
/// Newest first, including expired ones, until they are revoked.
#[utoipa::path(
    get,
    path = "/api/v1/me/tokens",
    tag = "Accounts",
    security(("bearer" = []), ("cookie" = [])),
    params(PageQuery),
    responses(
        (status = 200, body = TokenPageDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
    ),
)]
pub(super) async fn list_tokens(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<LoggedIn>,
    paging: PageQuery,
) -> Result<Json, ApiError> {
    let list = api.list(format_args!("tokens {}", caller.user_id()));
    let after = paging.after(&list)?;
    let page = api.app.program_tokens(&caller, after.as_ref(), paging.limit).await?;
    let next_cursor = list.seal(page.next.as_ref());
    let items = page.items.iter().map(TokenDto::of).collect();
    Ok(Json::of(&TokenPageDto { items, next_cursor }))
}
