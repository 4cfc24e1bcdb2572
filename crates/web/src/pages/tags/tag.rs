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
    /// The household's label for it, to be edited.
    label: String,
    /// The amount of one tap, to be edited.
    step: String,
    unit: String,
    /// The amount of one tap with its unit.
    one_tap: String,
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

/// A tag whose item was deleted.
#[derive(Template)]
#[template(path = "tags/gone.html")]
struct GonePage {
    frame: Frame,
    tag: TagLine,
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
    let found = match web.app.item(&member.caller, item).await {
        Ok(found) => Some(found),
        Err(AppError::ItemNotFound) => None,
        Err(error) => return Err(error.into()),
    };
    let line = TagLine::of(&tag, found.as_ref(), &frame, web.app.now());
    let made = moment(tag.created_at);
    if let Some(rotation) = tag.rotated {
        let (item, when) = (item.to_string(), moment(rotation.at));
        return Ok(render(&ReplacedPage { frame, tag: line, item, when }));
    }
    let Some(Item { details, .. }) = found else {
        return Ok(render(&GonePage { frame, tag: line }));
    };
    let address = address(&links, tag.id);
    let qr = qr_code(&address)?;
    Ok(render(&TagPage {
        frame,
        tag: line,
        item: item.to_string(),
        label: tag.label.as_ref().map(|label| label.as_str().to_owned()).unwrap_or_default(),
        step: quantity_of(tag.step).to_string(),
        one_tap: format::amount(quantity_of(tag.step), &details.unit),
        unit: details.unit.as_str().to_owned(),
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
