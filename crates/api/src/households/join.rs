//! `POST /households/join`.

use larder_app::AppError;
use larder_domain::InviteCode;
use larder_http::{ClientAddress, Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::dto::HouseholdDto;
use crate::{ApiError, ApiState, Authenticated, Idempotency, need::Administrate};

request_body! {
    /// An invitation.
    struct Invitation {
        /// Twelve letters and digits, case-insensitive.
        required code "inviteCode": String as String = read::text(str::parse),
        /// Whether your own items move to the household.
        default move_items "moveItems": bool as bool = read::boolean,
    }
}

/// Join a household
#[utoipa::path(
    post,
    path = "/api/v1/households/join",
    tag = "Households",
    security(("program" = ["admin"])),
    params(Idempotency),
    request_body = Invitation,
    responses(
        (status = 200, body = HouseholdDto),
        (status = 404, body = ProblemDocument, description = "`INVITE_NOT_FOUND`"),
        (status = 409, body = ProblemDocument, description = "`ALREADY_IN_HOUSEHOLD`"),
        (status = 429, body = ProblemDocument, description = "`RATE_LIMITED`"),
    ),
)]
pub(super) async fn join_household(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<Administrate>,
    address: ClientAddress,
    idempotency: Idempotency,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let Invitation { code, move_items } = Fields::parse(&body)?.into_body()?;
    if let Some(limits) = &api.rate_limits {
        limits.check_join(address, caller.user_id())?;
    }
    // A malformed code is answered like an unknown one.
    let code = InviteCode::parse(&code).map_err(|_| AppError::InviteNotFound)?;
    let write = async |claim: Option<_>| {
        api.app.join_household(&caller, &code, move_items, claim.as_ref()).await
    };
    let entered = api.app.run_once(&caller, idempotency.request(&body), write).await?;
    let shown = HouseholdDto::of(&entered.household).with_moved(entered.moved);
    Ok(Json::of(&shown))
}
