//! `GET /tags/labels/sheet`: labels for printing.

use askama::Template;
use axum::response::Response;
use futures_util::{StreamExt, TryStreamExt, stream};
use larder_app::{AppError, OpenTag};
use larder_domain::UrlId;
use larder_http::LinkBase;
use serde::Deserialize;

use super::{address, label_format::LabelFormat, labels, qr_code, quantity_of};
use crate::{
    Failure, Frame, Member, Query, Rule, Section, Web, WebState, format, render,
    typed_number::whole, wrong,
};

/// The maximum number of labels at once: some ten sheets.
const MOST: usize = 250;

/// The number of concurrent lookups of tags.
const AT_ONCE: usize = 8;

#[derive(Template)]
#[template(path = "tags/sheet.html")]
struct SheetPage {
    frame: Frame,
    format: &'static LabelFormat,
    pages: Vec<Vec<Option<Label>>>,
    /// The number of chosen tags that are no longer active.
    left_out: usize,
    /// Whether the labels have loopback URLs, which other devices cannot open.
    is_loopback: bool,
}

/// The content of one label.
struct Label {
    name: String,
    /// The tag's label.
    called: Option<String>,
    /// The amount of one tap, with the unit.
    step: String,
    qr: String,
}

#[derive(Deserialize)]
pub(super) struct SheetQuery {
    #[serde(default)]
    tag: Vec<String>,
    format: String,
    /// The number of used places of the first sheet.
    #[serde(default)]
    used: String,
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    links: LinkBase,
    Query(query): Query<SheetQuery>,
) -> Result<Response, Failure> {
    if query.tag.is_empty() {
        return labels::ask_again(&web, &member).await;
    }
    let format = LabelFormat::find(&query.format)
        .ok_or(Failure::Wrong("tags-field-format", Rule::Choice))?;
    let used_up = used_up(&query.used, format)?;
    if query.tag.len() > MOST {
        return Err(Failure::TooLarge);
    }
    let chosen = query.tag.len();
    let labels =
        stream::iter(query.tag).map(|url| label(&web, &member, &links, url)).buffered(AT_ONCE);
    let labels: Vec<Label> = labels.try_filter_map(async |label| Ok(label)).try_collect().await?;
    let left_out = chosen - labels.len();
    let pages = format.pages(labels, used_up);
    let (frame, is_loopback) = (member.frame(Section::Tags), links.is_loopback());
    Ok(render(&SheetPage { frame, format, pages, left_out, is_loopback }))
}

/// The number of empty places of the first page; always zero for single labels.
fn used_up(text: &str, format: &LabelFormat) -> Result<usize, Failure> {
    match text.trim() {
        _ if !format.is_sheet() => Ok(0),
        "" => Ok(0),
        text => {
            let most = u32::try_from(format.per_page - 1).unwrap_or(u32::MAX);
            let used = whole(text, 0, most).map_err(wrong("tags-field-used"))?;
            Ok(used as usize)
        }
    }
}

/// The label of a tag; `None` if it is not active.
async fn label(
    web: &Web,
    member: &Member,
    links: &LinkBase,
    url: String,
) -> Result<Option<Label>, Failure> {
    let url = UrlId::parse(&url).map_err(|_| AppError::TagNotFound)?;
    let OpenTag { tag, item } = match web.app.tag_to_print(&member.caller, url).await {
        Ok(open) => open,
        Err(AppError::TagRotated | AppError::TagItemDeleted) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let qr = qr_code(&address(links, tag.id))?;
    Ok(Some(Label {
        name: item.details.name.as_str().to_owned(),
        called: tag.label.map(|label| label.as_str().to_owned()),
        step: format::amount(quantity_of(tag.step), &item.details.unit),
        qr,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_least_one_place_of_the_first_sheet_is_free() {
        let (sheet, single) =
            (LabelFormat::find("a4-24").unwrap(), LabelFormat::find("roll-62").unwrap());
        assert_eq!(used_up("", sheet).unwrap(), 0);
        assert_eq!(used_up(" 23 ", sheet).unwrap(), 23);
        for text in ["24", "-1", "x", "1.5"] {
            let refused = used_up(text, sheet).unwrap_err().view();
            assert_eq!(
                (refused.field, refused.rule),
                (Some("tags-field-used"), Rule::Whole(0, 23))
            );
        }
        assert_eq!(used_up("5", single).unwrap(), 0);
    }
}
