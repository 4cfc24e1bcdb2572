//! `POST /households`.

use axum::http::StatusCode;
use larder_app::HouseholdEntered;
use larder_domain::{HouseholdName, Zone};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::dto::HouseholdDto;
use crate::{ApiError, ApiState, Authenticated, Idempotency, need::Administrate};

request_body! {
    /// A new household.
    struct NewHousehold {
        #[schema(min_length = 1, max_length = 100)]
        required name: HouseholdName as String = read::text(HouseholdName::parse),
        /// An IANA name such as `Asia/Tokyo`; UTC by default.
        default zone "timeZone": Zone as String = read::text(Zone::parse),
        /// Whether your own items move to the household.
        default move_items "moveItems": bool as bool = read::boolean,
    }
}

/// Create a household
///
/// You become its admin.
#[utoipa::path(
    post,
    path = "/api/v1/households",
    tag = "Households",
    security(("program" = ["admin"])),
    params(Idempotency),
    request_body = NewHousehold,
    responses(
        (status = 201, body = HouseholdDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 409, body = ProblemDocument, description = "`ALREADY_IN_HOUSEHOLD`"),
    ),
)]
pub(super) async fn create_household(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<Administrate>,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json), ApiError> {
    let NewHousehold { name, zone, move_items } = Fields::parse(&body)?.into_body()?;
    let write = async |claim: Option<_>| {
        api.app.create_household(&caller, name, zone, move_items, claim.as_ref()).await
    };
    let HouseholdEntered { household, moved } =
        api.app.run_once(&caller, idempotency.request(&body), write).await?;
    // The creator of a household is its admin.
    let shown = HouseholdDto::of(&household).with_invite_code(&household, true);
    Ok((StatusCode::CREATED, Json::of(&shown.with_moved(moved))))
}
