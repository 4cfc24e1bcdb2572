//! `GET /tags`: all tags of the household, or of one item, newest first.

use askama::Template;
use axum::response::Response;
use larder_app::AppError;
use larder_domain::{ItemId, NfcUrl};
use larder_storage::Page;
use serde::Deserialize;

use super::line::TagLine;
use crate::{Failure, Frame, Member, Query, Section, Web, WebState, address, render};

/// The number of tags on a page.
const PER_PAGE: usize = 50;

#[derive(Template)]
#[template(path = "tags/list.html")]
struct TagsPage {
    frame: Frame,
    /// The item whose tags these are; `None`: all of the household.
    of: Option<ItemOf>,
    tags: Vec<TagLine>,
    /// Whether this is the first page.
    is_first: bool,
    /// The URL of the next page.
    more: Option<String>,
}

/// The item of a list.
struct ItemOf {
    id: String,
    name: String,
    /// Whether it still exists: tags outlive their item.
    is_there: bool,
}

/// The page for members, who may not see the list.
#[derive(Template)]
#[template(path = "tags/members.html")]
struct MembersPage {
    frame: Frame,
}

#[derive(Deserialize)]
pub(super) struct TagsQuery {
    item: Option<String>,
    cursor: Option<String>,
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    Query(query): Query<TagsQuery>,
) -> Result<Response, Failure> {
    let (caller, frame) = (&member.caller, member.frame(Section::Tags));
    if !caller.is_admin() {
        return Ok(render(&MembersPage { frame }));
    }
    let item = query.item.map(|item| item.parse().map_err(|_| AppError::ItemNotFound));
    let item: Option<ItemId> = item.transpose()?;
    let list = web.list(format_args!("tags {:?} {item:?}", caller.owner()));
    let after = list.after(query.cursor.as_deref())?;
    let Page { items: tags, next } = match item {
        Some(item) => web.app.item_tags(caller, item, after.as_ref(), PER_PAGE).await?,
        None => web.app.tags(caller, after.as_ref(), PER_PAGE).await?,
    };
    let of = match item {
        Some(item) => Some(item_of(&web, &member, item, &tags).await?),
        None => None,
    };
    let more = list.seal(next.as_ref()).map(|cursor| {
        let of = of.as_ref().map_or("", |of| &of.id);
        address::with_query("/tags", &[("item", of), ("cursor", &cursor)])
    });
    let (items, now) = (web.app.items_of_tags(caller, &tags).await?, web.app.now());
    let line = |tag: &NfcUrl| TagLine::of(tag, items.get(&tag.item), &frame, now);
    let tags = tags.iter().map(line).collect();
    Ok(render(&TagsPage { frame, of, tags, is_first: after.is_none(), more }))
}

async fn item_of(
    web: &Web,
    member: &Member,
    id: ItemId,
    tags: &[NfcUrl],
) -> Result<ItemOf, Failure> {
    let (name, is_there) = match web.app.item(&member.caller, id).await {
        Ok(item) => (item.details.name, true),
        Err(AppError::ItemNotFound) => {
            let tag = tags.first().ok_or(AppError::ItemNotFound)?;
            (tag.item_name.clone(), false)
        }
        Err(error) => return Err(error.into()),
    };
    Ok(ItemOf { id: id.to_string(), name: name.as_str().to_owned(), is_there })
}
