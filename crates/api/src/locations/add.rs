//! `POST /storage-locations`.

use axum::http::StatusCode;
use larder_domain::{HardwareId, LocationName};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::dto::LocationDto;
use crate::{ApiError, ApiState, Authenticated, Idempotency, need::ChangeStock};

request_body! {
    /// A new storage location.
    struct NewLocation {
        #[schema(min_length = 1, max_length = 50)]
        required name: LocationName as String = read::text(LocationName::parse),
        /// The MAC address of the device that monitors it, one of the household's.
        #[schema(pattern = "^[0-9A-F]{2}(:[0-9A-F]{2}){5}$")]
        optional device "deviceId": HardwareId as String = read::text(str::parse),
    }
}

/// Add a storage location
#[utoipa::path(
    post,
    path = "/api/v1/storage-locations",
    tag = "Inventory",
    security(("program" = ["stock"])),
    params(Idempotency),
    request_body = NewLocation,
    responses(
        (status = 201, body = LocationDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 409, body = ProblemDocument, description = "`NAME_TAKEN`, `HOUSEHOLD_REQUIRED`"),
    ),
)]
pub(super) async fn add_location(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeStock>,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json), ApiError> {
    let NewLocation { name, device } = Fields::parse(&body)?.into_body()?;
    let write =
        async |claim: Option<_>| api.app.add_location(&caller, name, device, claim.as_ref()).await;
    let location = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    Ok((StatusCode::CREATED, Json::of(&LocationDto::own(&location))))
}
