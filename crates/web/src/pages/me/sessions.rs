//! `/me/sessions`: the user's sessions, and ending them.

use askama::Template;
use axum::response::Response;
use larder_domain::{SessionId, SessionKind};
use larder_storage::Session;
use serde::Deserialize;

use crate::{
    Failure, Form, Frame, PathId, Person, Query, Section, Web, WebState, address, back_or, done,
    format, render,
};

const PER_PAGE: usize = 50;

/// A session as a row of a list.
pub(super) struct SessionRow {
    pub(super) id: SessionId,
    pub(super) label: String,
    /// Whether its label does not say that it is a program.
    pub(super) is_named_program: bool,
    pub(super) is_this: bool,
    pub(super) began: String,
    pub(super) used: String,
}

/// Sessions as rows.
pub(super) fn rows(web: &Web, person: &Person, sessions: &[Session]) -> Vec<SessionRow> {
    let (words, zone, now) = (person.visit.words, person.caller.zone(), web.app.now());
    let row = |session: &Session| {
        let is_browser = session.kind == SessionKind::Browser;
        let unnamed = if is_browser {
            words.get("me-session-browser")
        } else {
            words.get("me-session-program")
        };
        let label = session.label.as_str();
        SessionRow {
            id: session.id,
            label: if label.is_empty() { unnamed.into_owned() } else { label.to_owned() },
            is_named_program: !is_browser && !label.is_empty(),
            is_this: session.id == person.session,
            began: format::day(words, zone.day_of(session.began_at)),
            used: format::ago(words, session.last_used_at, now),
        }
    };
    sessions.iter().map(row).collect()
}

#[derive(Template)]
#[template(path = "me/sessions.html")]
struct SessionsPage {
    frame: Frame,
    sessions: Vec<SessionRow>,
    more: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct SessionsQuery {
    cursor: Option<String>,
}

pub(super) async fn page(
    web: WebState,
    person: Person,
    Query(query): Query<SessionsQuery>,
) -> Result<Response, Failure> {
    let list = web.list(format_args!("sessions {}", person.caller.user_id()));
    let after = list.after(query.cursor.as_deref())?;
    let sessions = web.app.sessions(&person.caller, after.as_ref(), PER_PAGE).await?;
    let more = list.seal(sessions.next.as_ref());
    Ok(render(&SessionsPage {
        frame: person.frame(Section::Me),
        sessions: rows(&web, &person, &sessions.items),
        more: more.map(|cursor| address::with_query("/me/sessions", &[("cursor", &cursor)])),
    }))
}

#[derive(Deserialize)]
pub(super) struct Ending {
    back: Option<String>,
}

pub(super) async fn end(
    web: WebState,
    person: Person,
    PathId(session): PathId<SessionId>,
    Form(form): Form<Ending>,
) -> Result<Response, Failure> {
    web.app.end_session(&person.caller, session).await?;
    Ok(done(back_or(form.back.as_deref(), "/me"), "me-session-ended"))
}

pub(super) async fn end_others(web: WebState, person: Person) -> Result<Response, Failure> {
    web.app.end_other_sessions(&person.caller, person.session).await?;
    Ok(done("/me", "me-sessions-ended"))
}
