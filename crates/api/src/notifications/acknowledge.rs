//! `POST /notifications/{id}/acknowledge`.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_http::{Fields, Json, JsonBody, ProblemDocument};

use super::dto::NotificationDto;
use crate::{
    idempotency::Idempotency,
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// Acknowledge a notification
///
/// Idempotent: the user who acknowledged it first is recorded.
#[utoipa::path(
    post,
    path = "/api/v1/notifications/{id}/acknowledge",
    tag = "Notifications",
    params(
        ("id" = String, Path, format = "uuid"),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a repetition safe for 24 hours"),
    ),
    responses(
        (status = 200, body = NotificationDto),
        (status = 404, body = ProblemDocument, description = "`NOTIFICATION_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`NOTIFICATION_RESOLVED` with `current`"),
    ),
)]
pub(super) async fn acknowledge_notification(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let id = path_id(&id, AppError::NotificationNotFound)?;
    Fields::parse_optional(&body)?.finish(|| Some(()))?;
    let write = async |claim: Option<_>| {
        api.app.acknowledge_notification(&caller, id, claim.as_ref()).await
    };
    let seen = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    Ok(Json(NotificationDto::of(&seen)).into_response())
}
