//! `PATCH /stores/{id}`.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_domain::{StoreAddress, StoreName};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read};
use utoipa::ToSchema;

use super::dto::StoreDto;
use crate::{
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// What to change. A field that is absent stays; a null `address` is cleared.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes what the handler reads")]
struct StoreChanges {
    #[schema(min_length = 1, max_length = 100)]
    name: Option<String>,
    #[schema(max_length = 500)]
    address: Option<String>,
}

/// Change a store
#[utoipa::path(
    patch,
    path = "/api/v1/stores/{id}",
    tag = "Inventory",
    params(("id" = String, Path, format = "uuid")),
    request_body = StoreChanges,
    responses(
        (status = 200, body = StoreDto),
        (status = 404, body = ProblemDocument, description = "`STORE_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`NAME_TAKEN`, `HOUSEHOLD_REQUIRED`"),
    ),
)]
pub(super) async fn update_store(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let id = path_id(&id, AppError::StoreNotFound)?;
    let mut fields = Fields::parse(&body)?;
    let name = fields.change("name", read::text(StoreName::parse));
    let address = fields.patch("address", read::text(StoreAddress::parse)).into_change();
    let (name, address) = fields.finish(|| Some((name, address)))?;
    let store = api.app.update_store(&caller, id, name, address).await?;
    Ok(Json(StoreDto::of(&store)).into_response())
}
