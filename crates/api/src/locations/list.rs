//! `GET /storage-locations`.

use larder_domain::{SEEDED_LOCATIONS, text};
use larder_http::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::LocationDto;
use crate::{ApiError, ApiState, Authenticated, need::ReadStock};

/// All storage locations.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LocationPage<'a> {
    items: Vec<LocationDto<'a>>,
    /// Always null, because there are few.
    next_cursor: Option<String>,
}

/// List storage locations
///
/// The predefined ones, then those of the household by name.
#[utoipa::path(
    get,
    path = "/api/v1/storage-locations",
    tag = "Inventory",
    security(("program" = ["read"]), ("program" = ["stock"])),
    responses((status = 200, body = LocationPage)),
)]
pub(super) async fn list_locations(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadStock>,
) -> Result<Json, ApiError> {
    let mut own = api.app.locations(&caller).await?;
    own.sort_by_cached_key(|location| text::fold(location.name.as_str()));
    let seeded = SEEDED_LOCATIONS.iter().map(LocationDto::seeded);
    let items = seeded.chain(own.iter().map(LocationDto::own)).collect();
    Ok(Json::of(&LocationPage { items, next_cursor: None }))
}
