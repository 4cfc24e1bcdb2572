//! `GET /inventory/items/{id}`.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_http::{Json, Params, ProblemDocument};

use super::dto::ItemDto;
use crate::{
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// Read an item
#[utoipa::path(
    get,
    path = "/api/v1/inventory/items/{id}",
    tag = "Inventory",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, body = ItemDto),
        (status = 404, body = ProblemDocument, description = "`ITEM_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn get_item(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
    params: Params,
) -> Result<Response, ApiError> {
    params.finish(|| Some(()))?;
    let item = api.app.item(&caller, path_id(&id, AppError::ItemNotFound)?).await?;
    Ok(Json(ItemDto::of(&item, caller.today(api.app.now()))).into_response())
}
