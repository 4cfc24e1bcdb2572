//! `POST /api-keys`.

use axum::http::StatusCode;
use larder_domain::KeyDescription;
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::dto::{ApiKeyDto, MadeApiKeyDto};
use crate::{ApiError, ApiState, FleetAuthenticated, Idempotency, need::ChangeDevices};

request_body! {
    /// A new API key.
    #[schema(as = ApiKeyRequest)]
    struct KeyToBe {
        /// Its purpose.
        #[schema(min_length = 1, max_length = 200)]
        optional description: KeyDescription as String = read::text(KeyDescription::parse),
    }
}

/// Create an API key
///
/// Only for admins, for their household, and the operator. The key is shown only once. An
/// `Idempotency-Key` is accepted and ignored, because the response contains a secret that is not
/// stored: a retry creates another key.
#[utoipa::path(
    post,
    path = "/api/v1/api-keys",
    tag = "Telemetry",
    security(("program" = ["devices"])),
    request_body = Option<KeyToBe>,
    responses(
        (status = 201, body = MadeApiKeyDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
        (status = 409, body = ProblemDocument, description = "`HOUSEHOLD_REQUIRED`"),
    ),
)]
pub(super) async fn add_api_key(
    api: ApiState,
    FleetAuthenticated(caller, ..): FleetAuthenticated<ChangeDevices>,
    _: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json), ApiError> {
    let KeyToBe { description } = Fields::parse_optional(&body)?.into_body()?;
    let made = api.app.make_api_key(&caller, description).await?;
    let answer =
        MadeApiKeyDto { key: ApiKeyDto::of(&made.key, &caller), api_key: made.secret.reveal() };
    Ok((StatusCode::CREATED, Json::of(&answer)))
}
