//! `PATCH /households/current`.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use larder_domain::{Currency, HouseholdName, HouseholdPatch, HouseholdZone};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read};
use utoipa::ToSchema;

use super::dto::HouseholdDto;
use crate::{
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// What to change. A field that is absent stays.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes what the handler reads")]
struct HouseholdChanges {
    #[schema(min_length = 1, max_length = 100)]
    name: Option<String>,
    /// An IANA name such as `Asia/Tokyo`.
    time_zone: Option<String>,
    /// A code of ISO 4217 such as `EUR`. Prices keep their numbers.
    #[schema(min_length = 3, max_length = 3)]
    currency: Option<String>,
}

/// Change my household
#[utoipa::path(
    patch,
    path = "/api/v1/households/current",
    tag = "Households",
    request_body = HouseholdChanges,
    responses(
        (status = 200, body = HouseholdDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 404, body = ProblemDocument, description = "`NO_HOUSEHOLD`"),
    ),
)]
pub(super) async fn update_household(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let mut fields = Fields::parse(&body)?;
    let name = fields.change("name", read::text(HouseholdName::parse));
    let zone = fields.change("timeZone", read::text(HouseholdZone::parse));
    let currency = fields.change("currency", read::text(Currency::parse));
    let patch = fields.finish(|| Some(HouseholdPatch { name, zone, currency }))?;
    let household = api.app.update_household(&caller, patch).await?;
    let shown = HouseholdDto::of(&household).with_invite_code(&household, caller.is_admin());
    Ok(Json(shown).into_response())
}
