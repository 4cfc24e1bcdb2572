//! `GET /authorize`: access checks and explanations.

use larder_app::AccessQuestion;
use larder_domain::{Access, AccessAction, PathStep, Urn, Via};
use larder_http::{Json, Params, ProblemDocument};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    ApiError, ApiState, Authenticated, grants::words, need::ReadThings, resources::fields,
};

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(authorize))
}

/// The result, with the path by which a grant reaches the resource.
#[derive(Serialize, ToSchema)]
#[schema(as = Access)]
struct AccessDto<'a> {
    allowed: bool,
    /// From the resource to the resource of the grant, both included; empty if access is denied.
    path: Vec<StepDto<'a>>,
    /// All actions of the grant; empty if access is denied.
    actions: Vec<&'a str>,
}

/// One step of the path.
#[derive(Serialize, ToSchema)]
#[schema(as = AccessStep)]
struct StepDto<'a> {
    #[schema(value_type = String)]
    urn: &'a Urn,
    /// `self`, `parent` of the previous step, `collection` that conveys to the previous step, or
    /// `account`.
    via: &'static str,
}

impl<'a> AccessDto<'a> {
    fn of(access: Option<&'a Access>) -> Self {
        let Some(access) = access else {
            return Self { allowed: false, path: Vec::new(), actions: Vec::new() };
        };
        let path = access.path.iter().map(StepDto::of).collect();
        Self { allowed: true, path, actions: words(&access.actions) }
    }
}

impl<'a> StepDto<'a> {
    const fn of(step: &'a PathStep) -> Self {
        let via = match step.via {
            Via::Itself => "self",
            Via::Parent => "parent",
            Via::Collection => "collection",
            Via::Account => "account",
        };
        Self { urn: &step.urn, via }
    }
}

/// Check whether a principal may perform an action on a resource
///
/// By a grant on it, on one of its ancestors, on a collection that conveys to it, on its account,
/// or as a member of the household. About resources of my household I may ask for any principal,
/// about others only for myself. Resources that do not exist or that I may not ask about are
/// denied.
#[utoipa::path(
    get,
    path = "/api/v1/authorize",
    tag = "Resources",
    security(("program" = ["read"]), ("program" = ["things"])),
    params(
        ("principal" = String, Query, format = "urn", description = "The URN of who: a person is `urn:pp:System.User::{userId}`"),
        ("action" = String, Query, max_length = 64, pattern = r"^(\*|[a-z][a-z0-9:._-]*)$", description = "Such as `read`"),
        ("urn" = String, Query, format = "urn", description = "The URN of the resource"),
    ),
    responses(
        (status = 200, body = AccessDto),
        (status = 400, body = ProblemDocument, description = "`INVALID_URN`, `INVALID_FIELDS`, `UNKNOWN_FIELD`"),
    ),
)]
async fn authorize(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadThings>,
    mut params: Params,
) -> Result<Json, ApiError> {
    let as_given = |text: &str| Ok::<_, std::convert::Infallible>(text.to_owned());
    let principal = params.required("principal", as_given);
    let action = params.required("action", AccessAction::parse);
    let urn = params.required("urn", as_given);
    let (principal, action, urn) = params.finish(|| Some((principal?, action?, urn?)))?;
    let (principal, urn) = (fields::urn("principal", &principal)?, fields::urn("urn", &urn)?);
    let question = AccessQuestion { principal, action, urn };
    let access = api.app.explain_access(&caller, &question).await?;
    Ok(Json::of(&AccessDto::of(access.as_ref())))
}
