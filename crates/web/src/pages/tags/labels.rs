//! `GET /tags/labels`: choose tags and a format to print.

use askama::Template;
use axum::{http::StatusCode, response::Response};
use larder_domain::NfcUrl;
use serde::Deserialize;

use super::{label_format::LabelFormat, line::TagLine};
use crate::{Failure, Frame, Member, Query, Section, Web, WebState, render_with};

/// The number of tags per read.
const AT_ONCE: usize = 200;

/// The number of offered tags: more than a home has. The labels of others can be printed from their
/// own pages.
const OFFERED: usize = 1000;

#[derive(Template)]
#[template(path = "tags/labels.html")]
struct LabelsPage<'a> {
    frame: Frame,
    tags: Vec<TagLine>,
    formats: &'static [LabelFormat],
    wanted: &'a LabelsQuery,
    /// Whether a sheet was requested without any tag.
    is_none_chosen: bool,
}

impl LabelsPage<'_> {
    fn is_chosen(&self, tag: &TagLine) -> bool {
        self.wanted.all.is_some() || self.wanted.tag.contains(&tag.id)
    }
}

/// The current choices.
#[derive(Deserialize)]
pub(super) struct LabelsQuery {
    #[serde(default)]
    tag: Vec<String>,
    all: Option<String>,
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    Query(wanted): Query<LabelsQuery>,
) -> Result<Response, Failure> {
    show(&web, &member, StatusCode::OK, &wanted).await
}

/// The page after a request without any tag.
pub(super) async fn ask_again(web: &Web, member: &Member) -> Result<Response, Failure> {
    let nothing = LabelsQuery { tag: Vec::new(), all: None };
    show(web, member, StatusCode::BAD_REQUEST, &nothing).await
}

async fn show(
    web: &Web,
    member: &Member,
    status: StatusCode,
    wanted: &LabelsQuery,
) -> Result<Response, Failure> {
    let (frame, now) = (member.frame(Section::Tags), web.app.now());
    let tags = active_tags(web, member).await?;
    let items = web.app.items_of_tags(&member.caller, &tags).await?;
    let line = |tag: &NfcUrl| Some(TagLine::of(tag, Some(items.get(&tag.item)?), &frame, now));
    let page = LabelsPage {
        tags: tags.iter().filter_map(line).collect(),
        frame,
        formats: &LabelFormat::ALL,
        wanted,
        is_none_chosen: status != StatusCode::OK,
    };
    Ok(render_with(status, &page))
}

/// The newest active tags, also of deleted items.
async fn active_tags(web: &Web, member: &Member) -> Result<Vec<NfcUrl>, Failure> {
    let mut tags = Vec::new();
    let mut after = None;
    while tags.len() < OFFERED {
        let page = web.app.tags(&member.caller, after.as_ref(), AT_ONCE).await?;
        tags.extend(page.items.into_iter().filter(NfcUrl::is_active));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    Ok(tags)
}
