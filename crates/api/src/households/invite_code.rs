//! `POST /households/current/invite-code`.

use larder_http::{Fields, Json, JsonBody, ProblemDocument};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{ApiError, ApiState, Authenticated, Idempotency, need::Administrate};

/// The code to join a household with.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InviteCode)]
struct InviteCodeDto<'a> {
    invite_code: &'a str,
}

/// Replace the invite code
///
/// The old one stops working immediately. Only for admins.
#[utoipa::path(
    post,
    path = "/api/v1/households/current/invite-code",
    tag = "Households",
    security(("program" = ["admin"])),
    params(Idempotency),
    responses(
        (status = 200, body = InviteCodeDto),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
        (status = 404, body = ProblemDocument, description = "`NO_HOUSEHOLD`"),
    ),
)]
pub(super) async fn replace_invite_code(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<Administrate>,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    Fields::parse_optional(&body)?.finish(|| Some(()))?;
    let write = async |claim: Option<_>| api.app.replace_invite_code(&caller, claim.as_ref()).await;
    let household = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    let invite_code = household.invite_code.as_str();
    Ok(Json::of(&InviteCodeDto { invite_code }))
}
