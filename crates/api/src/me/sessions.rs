//! `GET /me/sessions`: the caller's sessions.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use larder_domain::{SessionId, SessionKind};
use larder_http::{Json, Params, ProblemDocument};
use larder_storage::Session;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    paging::{PageQuery, USUAL_MOST},
    problems::ApiError,
    state::{ApiState, InSession},
    values::{as_text, as_time},
};

/// A session.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Session)]
struct SessionDto<'a> {
    #[serde(serialize_with = "as_text")]
    #[schema(value_type = String, format = "uuid")]
    id: SessionId,
    /// `browser` or `program`.
    kind: &'static str,
    /// Set by the browser or its user; may be empty.
    label: &'a str,
    /// Whether this request belongs to it. Requests of programs belong to no session.
    is_current: bool,
    #[serde(serialize_with = "as_time")]
    #[schema(value_type = String, format = DateTime)]
    began_at: Timestamp,
    /// To within a day.
    #[serde(serialize_with = "as_time")]
    #[schema(value_type = String, format = DateTime)]
    last_used_at: Timestamp,
    #[serde(serialize_with = "as_time")]
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
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
            began_at: session.began_at,
            last_used_at: session.last_used_at,
            expires_at: session.expires_at,
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
    params(
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses(
        (status = 200, body = SessionPage),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
    ),
)]
pub(super) async fn list_sessions(
    State(api): State<ApiState>,
    InSession(caller, current): InSession,
    mut params: Params,
) -> Result<Response, ApiError> {
    let paging = PageQuery::read(&mut params, USUAL_MOST);
    params.finish(|| Some(()))?;
    let list = api.list(format_args!("sessions {}", caller.user_id()));
    let after = paging.after(&list)?;
    let page = api.app.sessions(&caller, after.as_ref(), paging.limit).await?;
    let next_cursor = list.seal(page.next.as_ref());
    let items = page.items.iter().map(|session| SessionDto::of(session, current)).collect();
    Ok(Json(SessionPage { items, next_cursor }).into_response())
}
