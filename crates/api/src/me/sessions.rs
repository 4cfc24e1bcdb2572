//! `GET /me/sessions`: the caller's sessions.

use larder_domain::{SessionId, SessionKind};
use larder_http::{Json, ProblemDocument};
use larder_storage::Session;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{ApiError, ApiState, InSession, PageQuery, values::Time};

/// A session.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Session)]
struct SessionDto<'a> {
    #[schema(value_type = String, format = "uuid")]
    id: SessionId,
    /// `browser` or `program`.
    kind: &'static str,
    /// Set by the browser or its user; may be empty.
    label: &'a str,
    /// Whether this request belongs to it. Requests of programs belong to no session.
    is_current: bool,
    #[schema(value_type = String, format = DateTime)]
    began_at: Time,
    /// To within a day.
    #[schema(value_type = String, format = DateTime)]
    last_used_at: Time,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
}

/// A page of sessions.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SessionPage<'a> {
    items: Vec<SessionDto<'a>>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

impl<'a> SessionDto<'a> {
    fn of(session: &'a Session, current: Option<SessionId>) -> Self {
        Self {
            id: session.id,
            kind: match session.kind {
                SessionKind::Browser => "browser",
                SessionKind::Tokens => "program",
            },
            label: session.label.as_str(),
            is_current: current == Some(session.id),
            began_at: Time(session.began_at),
            last_used_at: Time(session.last_used_at),
            expires_at: Time(session.expires_at),
        }
    }
}

/// List my sessions
///
/// Newest first: logged-in browsers, and programs with a refresh token.
#[utoipa::path(
    get,
    path = "/api/v1/me/sessions",
    tag = "Accounts",
    security(("bearer" = []), ("cookie" = [])),
    params(PageQuery),
    responses(
        (status = 200, body = SessionPage),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
    ),
)]
pub(super) async fn list_sessions(
    api: ApiState,
    InSession(caller, current): InSession,
    paging: PageQuery,
) -> Result<Json, ApiError> {
    let list = api.list(format_args!("sessions {}", caller.user_id()));
    let after = paging.after(&list)?;
    let page = api.app.sessions(&caller, after.as_ref(), paging.limit).await?;
    let next_cursor = list.seal(page.next.as_ref());
    let items = page.items.iter().map(|session| SessionDto::of(session, current)).collect();
    Ok(Json::of(&SessionPage { items, next_cursor }))
}
