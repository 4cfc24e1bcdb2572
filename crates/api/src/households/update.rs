//! `PATCH /households/current`.

use larder_domain::{AutoList, Currency, HouseholdName, HouseholdPatch, Zone};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::dto::HouseholdDto;
use crate::{ApiError, ApiState, Authenticated, need::Administrate};

request_body! {
    /// The changes. Absent fields are unchanged.
    struct HouseholdChanges {
        #[schema(min_length = 1, max_length = 100)]
        change name: HouseholdName as String = read::text(HouseholdName::parse),
        /// An IANA name such as `Asia/Tokyo`.
        change zone "timeZone": Zone as String = read::text(Zone::parse),
        /// An ISO 4217 code such as `EUR`. Prices keep their numbers.
        #[schema(min_length = 3, max_length = 3)]
        change currency: Currency as String = read::text(Currency::parse),
        /// Whether what is low goes on the shopping list by itself.
        change auto_list "autoList": bool as bool = read::boolean,
    }
}

/// Change my household
#[utoipa::path(
    patch,
    path = "/api/v1/households/current",
    tag = "Households",
    security(("program" = ["admin"])),
    request_body = HouseholdChanges,
    responses(
        (status = 200, body = HouseholdDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`NO_HOUSEHOLD`"),
    ),
)]
pub(super) async fn update_household(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<Administrate>,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let HouseholdChanges { name, zone, currency, auto_list } = Fields::parse(&body)?.into_body()?;
    let auto_list = auto_list.map(AutoList);
    let patch = HouseholdPatch { name, zone, currency, auto_list };
    let household = api.app.update_household(&caller, patch).await?;
    let shown = HouseholdDto::of(&household).with_invite_code(&household, caller.sees_keys());
    Ok(Json::of(&shown))
}
