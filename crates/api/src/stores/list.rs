//! `GET /stores`.

use larder_http::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::StoreDto;
use crate::{ApiError, ApiState, Authenticated, need::ReadShopping};

/// All stores of the household.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StorePage<'a> {
    items: Vec<StoreDto<'a>>,
    /// Always null, because there are few.
    next_cursor: Option<String>,
}

/// List stores
///
/// In the household's order: by `sortOrder`, and those without one after the others, by name.
#[utoipa::path(
    get,
    path = "/api/v1/stores",
    tag = "Inventory",
    security(("program" = ["read"]), ("program" = ["shopping"])),
    responses((status = 200, body = StorePage)),
)]
pub(super) async fn list_stores(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadShopping>,
) -> Result<Json, ApiError> {
    let stores = api.app.stores(&caller).await?;
    let items = stores.iter().map(StoreDto::of).collect();
    Ok(Json::of(&StorePage { items, next_cursor: None }))
}
