//! `GET /stores`.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use larder_domain::text;
use larder_http::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::StoreDto;
use crate::{
    problems::ApiError,
    state::{ApiState, Authenticated},
};

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
/// By name.
#[utoipa::path(
    get,
    path = "/api/v1/stores",
    tag = "Inventory",
    responses((status = 200, body = StorePage)),
)]
pub(super) async fn list_stores(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
) -> Result<Response, ApiError> {
    let mut stores = api.app.stores(&caller).await?;
    stores.sort_by_cached_key(|store| text::fold(store.name.as_str()));
    let items = stores.iter().map(StoreDto::of).collect();
    Ok(Json(StorePage { items, next_cursor: None }).into_response())
}
