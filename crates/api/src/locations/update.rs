//! `PATCH /storage-locations/{id}`.

use larder_domain::{HardwareId, LocationName, StorageLocationId};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::dto::LocationDto;
use crate::{ApiError, ApiState, Authenticated, PathId, need::ChangeStock};

request_body! {
    /// The changes. Absent fields are unchanged; a null `deviceId` clears it.
    struct LocationChanges {
        #[schema(min_length = 1, max_length = 50)]
        change name: LocationName as String = read::text(LocationName::parse),
        /// The MAC address of the device that monitors it, one of the household's.
        #[schema(pattern = "^[0-9A-F]{2}(:[0-9A-F]{2}){5}$")]
        patch device "deviceId": HardwareId as String = read::text(str::parse),
    }
}

/// Change a storage location of the household
#[utoipa::path(
    patch,
    path = "/api/v1/storage-locations/{id}",
    tag = "Inventory",
    security(("program" = ["stock"])),
    params(("id" = String, Path, format = "uuid")),
    request_body = LocationChanges,
    responses(
        (status = 200, body = LocationDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`LOCATION_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`NAME_TAKEN`, `HOUSEHOLD_REQUIRED`"),
    ),
)]
pub(super) async fn update_location(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeStock>,
    PathId(id): PathId<StorageLocationId>,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let LocationChanges { name, device } = Fields::parse(&body)?.into_body()?;
    let location = api.app.update_location(&caller, id, name, device.into_change()).await?;
    Ok(Json::of(&LocationDto::own(&location)))
}
