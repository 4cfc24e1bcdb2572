//! `POST /stores`.

use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use larder_domain::{StoreAddress, StoreName};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::dto::StoreDto;
use crate::{
    idempotency::Idempotency,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

request_body! {
    /// A new store.
    struct NewStore {
        #[schema(min_length = 1, max_length = 100)]
        required name: StoreName as String = read::text(StoreName::parse),
        /// Its address.
        #[schema(max_length = 500)]
        optional address: StoreAddress as String = read::text(StoreAddress::parse),
    }
}

/// Add a store
#[utoipa::path(
    post,
    path = "/api/v1/stores",
    tag = "Inventory",
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes a repetition safe for 24 hours")),
    request_body = NewStore,
    responses(
        (status = 201, body = StoreDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 409, body = ProblemDocument, description = "`NAME_TAKEN`, `HOUSEHOLD_REQUIRED`"),
    ),
)]
pub(super) async fn add_store(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let NewStore { name, address } = Fields::parse(&body)?.into_body()?;
    let write =
        async |claim: Option<_>| api.app.add_store(&caller, name, address, claim.as_ref()).await;
    let store = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    Ok((StatusCode::CREATED, Json(StoreDto::of(&store))).into_response())
}
