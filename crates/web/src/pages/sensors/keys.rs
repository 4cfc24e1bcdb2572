//! `/sensors/keys`: the API keys of devices. For admins.

use askama::Template;
use axum::response::Response;
use larder_domain::{ApiKey, ApiKeyId, KeyDescription};
use larder_http::LinkBase;
use serde::Deserialize;

use super::fleet;
use crate::{
    Failure, Form, Frame, Member, PathId, Query, Section, Web, WebState, address, done,
    format::{ago, day},
    render, wrong,
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
    web: WebState,
    member: Member,
    links: LinkBase,
    Query(query): Query<KeysQuery>,
) -> Result<Response, Failure> {
    Ok(render(&keys_page(&web, &member, links, query.after.as_deref(), None).await?))
}

#[derive(Deserialize)]
pub(super) struct NewKey {
    #[serde(default)]
    description: String,
}

/// Creates a key and responds with the page itself: a redirect could not show the key, because it
/// is not stored.
pub(super) async fn make(
    web: WebState,
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
    web: WebState,
    member: Member,
    PathId(id): PathId<ApiKeyId>,
) -> Result<Response, Failure> {
    web.app.revoke_api_key(&fleet(&member.caller), id).await?;
    Ok(done("/sensors/keys", "sensors-key-revoked"))
}

async fn keys_page(
    web: &Web,
    member: &Member,
    links: LinkBase,
    cursor: Option<&str>,
    made: Option<&str>,
) -> Result<KeysPage, Failure> {
    let list = web.list(format_args!("keys {:?}", member.caller.owner()));
    let after = list.after(cursor)?;
    let page = web.app.api_keys(&fleet(&member.caller), after.as_ref(), PAGE_LEN).await?;
    let more = list.seal(page.next.as_ref());
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
