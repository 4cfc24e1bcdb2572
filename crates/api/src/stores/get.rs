//! `GET /stores/{id}`.

use larder_domain::StoreId;
use larder_http::{Json, ProblemDocument};

use super::dto::StoreDto;
use crate::{ApiError, ApiState, Authenticated, PathId, need::ReadShopping};

/// Read a store
#[utoipa::path(
    get,
    path = "/api/v1/stores/{id}",
    tag = "Inventory",
    security(("program" = ["read"]), ("program" = ["shopping"])),
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, body = StoreDto),
        (status = 404, body = ProblemDocument, description = "`STORE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn get_store(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadShopping>,
    PathId(id): PathId<StoreId>,
) -> Result<Json, ApiError> {
    let store = api.app.store(&caller, id).await?;
    Ok(Json::of(&StoreDto::of(&store)))
}
