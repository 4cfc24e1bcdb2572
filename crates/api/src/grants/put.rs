//! `PUT /grants/{principal}/{urn}`.

use larder_domain::{AccessAction, GrantedActions};
use larder_http::{Fields, Json, JsonBody, ProblemDocument, read, request_body};

use super::{dto::GrantDto, path::PathGrant};
use crate::{ApiError, ApiState, Authenticated, need::ChangeThings};

/// The most in a list, also if some are named twice.
const MOST_ACTIONS: usize = 16;

request_body! {
    /// The granted actions.
    struct NewGrant {
        /// 1 to 16 actions: `read`, `write`, `delete` and `grant` have a meaning here, others are
        /// for your own use; `*` allows everything.
        required actions: GrantedActions as Vec<String> = |value| {
            let actions = read::list(MOST_ACTIONS, || read::text(AccessAction::parse))(value)?;
            GrantedActions::new(actions).map_err(|error| error.to_string().into())
        },
    }
}

/// Grant a principal actions on a resource
///
/// And on everything below it; on the account, on everything that the household has. It replaces
/// the principal's grant on the same resource, and is deleted with the resource. Only for admins
/// and principals with `grant`.
#[utoipa::path(
    put,
    path = "/api/v1/grants/{principal}/{urn}",
    tag = "Resources",
    security(("program" = ["things"])),
    params(
        ("principal" = String, Path, description = "The URN of who may: a person is `urn:pp:System.User::{userId}`"),
        ("urn" = String, Path, description = "The URN of a resource of the household, or of its account"),
    ),
    request_body = NewGrant,
    responses(
        (status = 200, body = GrantDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`, `INVALID_FIELDS`, `UNKNOWN_FIELD`"),
        (status = 403, body = ProblemDocument, description = "`GRANT_NOT_ALLOWED`"),
        (status = 404, body = ProblemDocument, description = "`RESOURCE_NOT_FOUND`, `NO_HOUSEHOLD`"),
    ),
)]
pub(super) async fn put_grant(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ChangeThings>,
    PathGrant { principal, on }: PathGrant,
    JsonBody(body): JsonBody,
) -> Result<Json, ApiError> {
    let NewGrant { actions } = Fields::parse(&body)?.into_body()?;
    let grant = api.app.put_grant(&caller, principal, on, actions).await?;
    Ok(Json::of(&GrantDto::of(&grant)))
}
