//! `GET /shopping-list/{id}`.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use larder_http::{Json, Params, ProblemDocument};

use super::{dto::ShoppingItemDto, fields::path_id};
use crate::{
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// Read an entry of the list
#[utoipa::path(
    get,
    path = "/api/v1/shopping-list/{id}",
    tag = "Shopping",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, body = ShoppingItemDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`: not an id"),
        (status = 404, body = ProblemDocument, description = "`SHOPPING_ITEM_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn get_shopping_item(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
    params: Params,
) -> Result<Response, ApiError> {
    let id = path_id(&id)?;
    params.finish(|| Some(()))?;
    let entry = api.app.shopping_item(&caller, id).await?;
    Ok(Json(ShoppingItemDto::of(&entry)).into_response())
}
