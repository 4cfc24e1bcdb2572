//! `PATCH /stores/{id}`.

use larder_app::StoreChanges as Changes;
use larder_domain::{SortOrder, StoreAddress, StoreId, StoreName};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::dto::StoreDto;
use crate::{ApiError, ApiState, Authenticated, PathId, need::ChangeShopping};

request_body! {
    /// The changes. Absent fields are unchanged; a null `address` or `sortOrder` clears it.
    struct StoreChanges {
        #[schema(min_length = 1, max_length = 100)]
        change name: StoreName as String = read::text(StoreName::parse),
        #[schema(max_length = 500)]
        patch address: StoreAddress as String = read::text(StoreAddress::parse),
        #[schema(minimum = 1, maximum = 10000)]
        patch sort_order "sortOrder": SortOrder as u16 = read::whole(SortOrder::parse),
    }
}

/// Change a store
#[utoipa::path(
    patch,
    path = "/api/v1/stores/{id}",
    tag = "Inventory",
    security(("program" = ["shopping"])),
    params(("id" = String, Path, format = "uuid")),
    request_body = StoreChanges,
    responses(
        (status = 200, body = StoreDto),
        (status = 404, body = ProblemDocument, description = "`STORE_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`NAME_TAKEN`, `HOUSEHOLD_REQUIRED`"),
    ),
)]
pub(super) async fn update_store(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeShopping>,
    PathId(id): PathId<StoreId>,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let StoreChanges { name, address, sort_order } = Fields::parse(&body)?.into_body()?;
    let (address, sort_order) = (address.into_change(), sort_order.into_change());
    let changes = Changes { name, address, sort_order };
    let store = api.app.update_store(&caller, id, changes).await?;
    Ok(Json::of(&StoreDto::of(&store)))
}
