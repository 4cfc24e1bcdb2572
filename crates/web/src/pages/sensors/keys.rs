//! `/sensors/keys`: the API keys of devices. For admins.

use askama::Template;
use axum::{
    extract::{Path, State},
    response::Response,
};
use larder_domain::{ApiKey, ApiKeyId, ApiKeyPosition, KeyDescription};
use larder_http::{LinkBase, ListCursors};
use serde::Deserialize;

use super::fleet;
use crate::{
    address,
    failure::{Failure, wrong},
    form::{Form, Query, done},
    format::{ago, day},
    frame::{Frame, Section, render},
    state::{Web, WebState},
    visit::Member,
};

const PAGE_LEN: usize = 50;

#[derive(Template)]
#[template(path = "sensors/keys.html")]
struct KeysPage {
    frame: Frame,
    keys: Vec<KeyView>,
    more: Option<String>,
    /// A newly created key: shown only once.
    made: Option<String>,
    links: LinkBase,
}

struct KeyView {
    id: ApiKeyId,
    description: String,
    made: String,
    /// When it was last used, relative to now.
    used: Option<String>,
    is_active: bool,
}

#[derive(Deserialize)]
pub(super) struct KeysQuery {
    after: Option<String>,
}

pub(super) async fn page(
    State(web): State<WebState>,
    member: Member,
    links: LinkBase,
    Query(query): Query<KeysQuery>,
) -> Result<Response, Failure> {
    let list = cursors(&web, &member);
    let after = query.after.as_deref().map(|cursor| list.open(cursor)).transpose();
    let after = after.map_err(|_| Failure::Malformed)?;
    Ok(render(&keys_page(&web, &member, links, after.as_ref(), None).await?))
}

#[derive(Deserialize)]
pub(super) struct NewKey {
    #[serde(default)]
    description: String,
}

/// Creates a key and responds with the page itself: a redirect could not show the key, because it
/// is not stored.
pub(super) async fn make(
    State(web): State<WebState>,
    member: Member,
    links: LinkBase,
    Form(form): Form<NewKey>,
) -> Result<Response, Failure> {
    let description = match form.description.trim() {
        "" => None,
        text => {
            let description = KeyDescription::parse(text);
            Some(description.map_err(wrong("sensors-key-description"))?)
        }
    };
    let made = web.app.make_api_key(&fleet(&member.caller), description).await?;
    Ok(render(&keys_page(&web, &member, links, None, Some(made.secret.reveal())).await?))
}

/// Revokes a key permanently.
pub(super) async fn revoke(
    State(web): State<WebState>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let id = id.parse().map_err(|_| Failure::NotFound)?;
    web.app.revoke_api_key(&fleet(&member.caller), id).await?;
    Ok(done("/sensors/keys", "sensors-key-revoked"))
}

fn cursors<'a>(web: &'a Web, member: &Member) -> ListCursors<'a> {
    ListCursors::new(&web.cursors, format_args!("keys {:?}", member.caller.owner()))
}

async fn keys_page(
    web: &Web,
    member: &Member,
    links: LinkBase,
    after: Option<&ApiKeyPosition>,
    made: Option<&str>,
) -> Result<KeysPage, Failure> {
    let page = web.app.api_keys(&fleet(&member.caller), after, PAGE_LEN).await?;
    let more = cursors(web, member).seal(page.next.as_ref());
    let (frame, now) = (member.frame(Section::Sensors), web.app.now());
    let view = |key: &ApiKey| KeyView {
        id: key.id,
        description: key.description.as_ref().map_or("", KeyDescription::as_str).to_owned(),
        made: day(frame.words, member.caller.today(key.created_at)),
        used: key.last_used_at.map(|at| ago(frame.words, at, now)),
        is_active: key.is_active,
    };
    Ok(KeysPage {
        keys: page.items.iter().map(view).collect(),
        more: more.map(|cursor| address::with_query("/sensors/keys", &[("after", &cursor)])),
        made: made.map(str::to_owned),
        links,
        frame,
    })
}
