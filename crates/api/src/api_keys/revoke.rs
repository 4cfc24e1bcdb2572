//! `DELETE /api-keys/{key_id}`.

use axum::http::StatusCode;
use larder_domain::ApiKeyId;
use larder_http::ProblemDocument;

use crate::{ApiError, ApiState, FleetAuthenticated, PathId, need::ChangeDevices};

/// Revoke an API key
///
/// Only for admins, for their household's keys, and the operator. The key stops working
/// immediately, within a minute on other servers, and permanently. Its devices and their readings
/// stay.
#[utoipa::path(
    delete,
    path = "/api/v1/api-keys/{key_id}",
    tag = "Telemetry",
    security(("program" = ["devices"])),
    params(("key_id" = String, Path, format = "uuid")),
    responses(
        (status = 204, description = "Revoked, now or before"),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
        (status = 404, body = ProblemDocument, description = "`API_KEY_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn revoke_api_key(
    api: ApiState,
    FleetAuthenticated(caller, ..): FleetAuthenticated<ChangeDevices>,
    PathId(key): PathId<ApiKeyId>,
) -> Result<StatusCode, ApiError> {
    api.app.revoke_api_key(&caller, key).await?;
    Ok(StatusCode::NO_CONTENT)
}
