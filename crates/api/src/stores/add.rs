//! `POST /stores`.

use axum::http::StatusCode;
use larder_domain::{SortOrder, StoreAddress, StoreName};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::dto::StoreDto;
use crate::{ApiError, ApiState, Authenticated, Idempotency, need::ChangeShopping};

request_body! {
    /// A new store.
    struct NewStore {
        #[schema(min_length = 1, max_length = 100)]
        required name: StoreName as String = read::text(StoreName::parse),
        /// Its address.
        #[schema(max_length = 500)]
        optional address: StoreAddress as String = read::text(StoreAddress::parse),
        /// Its place in the household's order of stores: the smallest comes first.
        #[schema(minimum = 1, maximum = 10000)]
        optional sort_order "sortOrder": SortOrder as u16 = read::whole(SortOrder::parse),
    }
}

/// Add a store
#[utoipa::path(
    post,
    path = "/api/v1/stores",
    tag = "Inventory",
    security(("program" = ["shopping"])),
    params(Idempotency),
    request_body = NewStore,
    responses(
        (status = 201, body = StoreDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 409, body = ProblemDocument, description = "`NAME_TAKEN`, `HOUSEHOLD_REQUIRED`"),
    ),
)]
pub(super) async fn add_store(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeShopping>,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json), ApiError> {
    let NewStore { name, address, sort_order } = Fields::parse(&body)?.into_body()?;
    let write = async |claim: Option<_>| {
        api.app.add_store(&caller, name, address, sort_order, claim.as_ref()).await
    };
    let store = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    Ok((StatusCode::CREATED, Json::of(&StoreDto::of(&store))))
}
