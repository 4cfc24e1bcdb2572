//! `PATCH /inventory/items/{id}`: change an item, unless it was changed concurrently.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_http::{Fields, Json, JsonBody, ProblemDocument};

use super::dto::{ItemChanges, ItemDto};
use crate::{
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// Change an item
#[utoipa::path(
    patch,
    path = "/api/v1/inventory/items/{id}",
    tag = "Inventory",
    params(("id" = String, Path, format = "uuid")),
    request_body = ItemChanges,
    responses(
        (status = 200, body = ItemDto, description = "The item now; after a merge, the other one"),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`ITEM_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`VERSION_CONFLICT` with `current`; `DUPLICATE_ITEM`, `UNIT_MISMATCH` with `existing`"),
        (status = 422, body = ProblemDocument, description = "`QUANTITY_OVERFLOW`"),
    ),
)]
pub(super) async fn update_item(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let id = path_id(&id, AppError::ItemNotFound)?;
    let changes: ItemChanges = Fields::parse(&body)?.into_body()?;
    let (version, merge) = (changes.version, changes.merge);
    let today = caller.today(api.app.now());
    let item = api.app.update_item(&caller, id, version, changes.into(), merge, None).await?;
    Ok(Json(ItemDto::of(&item, today)).into_response())
}
