//! `GET /api-keys`.

use larder_http::{Json, ProblemDocument};

use super::dto::{ApiKeyDto, ApiKeyPageDto};
use crate::{ApiError, ApiState, FleetAuthenticated, PageQuery, need::ReadDevices};

/// List API keys
///
/// Only for admins, who see their household's keys, and the operator, who sees all. Newest first,
/// including revoked keys.
#[utoipa::path(
    get,
    path = "/api/v1/api-keys",
    tag = "Telemetry",
    security(("program" = ["read"]), ("program" = ["devices"])),
    params(
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 200, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses(
        (status = 200, body = ApiKeyPageDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
    ),
)]
pub(super) async fn list_api_keys(
    api: ApiState,
    FleetAuthenticated(caller, ..): FleetAuthenticated<ReadDevices>,
    query: PageQuery,
) -> Result<Json, ApiError> {
    let list = api.list(format_args!("api keys {:?}", caller.owner()));
    let page = api.app.api_keys(&caller, query.after(&list)?.as_ref(), query.limit).await?;
    let answer = ApiKeyPageDto {
        items: page.items.iter().map(|key| ApiKeyDto::of(key, &caller)).collect(),
        next_cursor: list.seal(page.next.as_ref()),
    };
    Ok(Json::of(&answer))
}
