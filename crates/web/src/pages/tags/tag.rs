//! One tag with its actions.

use askama::Template;
use axum::{extract::Path, response::Response};
use larder_app::AppError;
use larder_domain::{Item, ItemId, NfcUrl, UrlId};
use larder_http::LinkBase;

use super::{address, line::TagLine, named, path_of, qr_code, quantity_of};
use crate::{Failure, Frame, Member, Section, Web, WebState, done, format, render};

/// The number of tags of the item per read.
const AT_ONCE: usize = 200;

#[derive(Template)]
#[template(path = "tags/tag.html")]
struct TagPage {
    frame: Frame,
    tag: TagLine,
    item: String,
    /// The amount of one tap.
    step: String,
    /// The quantity of the item.
    left: String,
    made: String,
    address: String,
    /// Whether it is a loopback URL, which other devices cannot open.
    is_loopback: bool,
    /// Its URL as a QR code.
    qr: String,
}

/// A replaced tag.
#[derive(Template)]
#[template(path = "tags/replaced.html")]
struct ReplacedPage {
    frame: Frame,
    tag: TagLine,
    item: String,
    /// When it was replaced.
    when: String,
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    links: LinkBase,
    Path((item, url)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let (item, url) = named(&item, &url)?;
    let tag = find(&web, &member, item, url).await?;
    let frame = member.frame(Section::Tags);
    let moment = |at| format::moment(frame.words, at, member.caller.zone());
    let (line, made) = (TagLine::of(&tag, &frame, web.app.now()), moment(tag.created_at));
    if let Some(rotation) = tag.rotated {
        let (item, when) = (item.to_string(), moment(rotation.at));
        return Ok(render(&ReplacedPage { frame, tag: line, item, when }));
    }
    let Item { details, .. } =
        web.app.item(&member.caller, item).await.map_err(|error| match error {
            AppError::ItemNotFound => AppError::TagItemDeleted,
            other => other,
        })?;
    let address = address(&links, tag.id);
    let qr = qr_code(&address)?;
    Ok(render(&TagPage {
        frame,
        tag: line,
        item: item.to_string(),
        step: format::amount(quantity_of(tag.step), &details.unit),
        left: format::amount(details.quantity, &details.unit),
        made,
        address,
        is_loopback: links.is_loopback(),
        qr,
    }))
}

/// The tag among those of its item.
async fn find(web: &Web, member: &Member, item: ItemId, url: UrlId) -> Result<NfcUrl, Failure> {
    let mut after = None;
    loop {
        let page = web.app.item_tags(&member.caller, item, after.as_ref(), AT_ONCE).await;
        let page = page.map_err(|error| match error {
            AppError::ItemNotFound => AppError::TagNotFound,
            other => other,
        })?;
        if let Some(tag) = page.items.into_iter().find(|tag| tag.id == url) {
            return Ok(tag);
        }
        after = Some(page.next.ok_or(AppError::TagNotFound)?);
    }
}

pub(super) async fn replace(
    web: WebState,
    member: Member,
    Path((item, url)): Path<(String, String)>,
) -> Result<Response, Failure> {
    let (item, url) = named(&item, &url)?;
    let new = web.app.rotate_tag(&member.caller, item, url, None).await?.new;
    Ok(done(&path_of(new.item, new.id), "tag-replaced"))
}
