//! `POST /notifications/{id}/acknowledge`.

use larder_domain::NotificationId;
use larder_http::{Fields, Json, JsonBody, ProblemDocument};

use super::dto::NotificationDto;
use crate::{ApiError, ApiState, Authenticated, Idempotency, PathId, need::ChangeStock};

/// Acknowledge a notification
///
/// Idempotent: the user who acknowledged it first is recorded.
#[utoipa::path(
    post,
    path = "/api/v1/notifications/{id}/acknowledge",
    tag = "Notifications",
    security(("program" = ["stock"])),
    params(("id" = String, Path, format = "uuid"), Idempotency),
    responses(
        (status = 200, body = NotificationDto),
        (status = 404, body = ProblemDocument, description = "`NOTIFICATION_NOT_FOUND`: not there, or not yours"),
        (status = 409, body = ProblemDocument, description = "`NOTIFICATION_RESOLVED` with `current`"),
    ),
)]
pub(super) async fn acknowledge_notification(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeStock>,
    PathId(id): PathId<NotificationId>,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    Fields::parse_optional(&body)?.finish(|| Some(()))?;
    let write = async |claim: Option<_>| {
        api.app.acknowledge_notification(&caller, id, claim.as_ref()).await
    };
    let seen = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    Ok(Json::of(&NotificationDto::of(&seen)))
}
