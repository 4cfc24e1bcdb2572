//! `GET` and `POST /things/{urn}/choose/{purpose}`: choose another thing as parent, group or
//! member.

use askama::Template;
use axum::{extract::Path, response::Response};
use larder_app::{AppError, ResourceFilter};
use larder_domain::{CollectionMemberRelationship, Resource, SearchTerm, Urn};
use serde::Deserialize;

use super::{
    address_of, naming, read_optional_urn, read_urn,
    rows::{Row, rows},
};
use crate::{
    Failure, Form, Frame, Member, Query, Section, WebState, address::with_query, done, render,
};

/// The number of things on a page.
const PAGE: usize = 25;

/// What the chosen thing is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Purpose {
    /// The new parent of this thing.
    Move,
    /// A group for this thing.
    Group,
    /// A new member of this thing.
    Member,
}

impl Purpose {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Group => "group",
            Self::Member => "member",
        }
    }
}

#[derive(Deserialize)]
pub(super) struct ChooseQuery {
    #[serde(default)]
    q: String,
    after: Option<String>,
}

#[derive(Template)]
#[template(path = "things/choose.html")]
struct ChoosePage {
    frame: Frame,
    purpose: Purpose,
    title: String,
    /// The URL of the thing itself.
    address: String,
    q: String,
    is_at_the_top: bool,
    rows: Vec<Row>,
    first: Option<String>,
    next: Option<String>,
}

impl ChoosePage {
    fn here(&self) -> String {
        format!("{}/choose/{}", self.address, self.purpose.as_str())
    }
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    Path((urn, purpose)): Path<(String, Purpose)>,
    Query(query): Query<ChooseQuery>,
) -> Result<Response, Failure> {
    let frame = member.frame(Section::Things);
    let from = (&*web, &member.caller, frame.words);
    let thing = web.app.resource(&member.caller, &read_urn(&urn)?).await?;
    let after = read_optional_urn(query.after.as_deref())?;
    let filter = SearchTerm::parse(&query.q).map_or(ResourceFilter::Any, ResourceFilter::Called);
    let title = |thing: &Resource| naming::title(frame.words, thing);
    let found = web.app.find_resources(&member.caller, &filter, title, &[], after.as_ref(), PAGE);
    let found = found.await?;
    let mut rows = rows(from, &found.resources).await?;
    rows.retain(|row| !is_pointless(&thing, purpose, &row.urn));
    let mut page = ChoosePage {
        purpose,
        title: naming::title(frame.words, &thing),
        address: address_of(&thing.urn),
        is_at_the_top: thing.parent.is_none(),
        rows,
        first: None,
        next: None,
        q: query.q,
        frame,
    };
    let at = |after: &str| with_query(&page.here(), &[("q", &page.q), ("after", after)]);
    let (first, next) = (after.map(|_| at("")), found.next.map(|next| at(next.as_str())));
    (page.first, page.next) = (first, next);
    Ok(render(&page))
}

/// Whether choosing this would have no effect.
fn is_pointless(thing: &Resource, purpose: Purpose, other: &str) -> bool {
    let is_where_it_is = thing.parent.as_ref().is_some_and(|parent| parent.as_str() == other);
    thing.urn.as_str() == other || (purpose == Purpose::Move && is_where_it_is)
}

#[derive(Deserialize)]
pub(super) struct ChoiceForm {
    /// Empty: to the top.
    chosen: String,
    conveys: Option<String>,
}

pub(super) async fn chosen(
    web: WebState,
    member: Member,
    Path((urn, purpose)): Path<(String, Purpose)>,
    Form(form): Form<ChoiceForm>,
) -> Result<Response, Failure> {
    let urn = read_urn(&urn)?;
    let back = address_of(&urn);
    let other = read_optional_urn(Some(&form.chosen))?;
    let together = |group: Urn, member: Urn| {
        let link = CollectionMemberRelationship::new(group, member, form.conveys.is_some());
        link.map_err(|error| Failure::App(AppError::from(error)))
    };
    let link = match (purpose, other) {
        (Purpose::Move, Some(parent)) => {
            web.app.attach_resource(&member.caller, urn, parent).await?;
            return Ok(done(&back, "thing-moved"));
        }
        (Purpose::Move, None) => {
            web.app.detach_resource(&member.caller, &urn).await?;
            return Ok(done(&back, "thing-moved"));
        }
        (Purpose::Group, Some(group)) => together(group, urn)?,
        (Purpose::Member, Some(member)) => together(urn, member)?,
        (Purpose::Group | Purpose::Member, None) => return Err(Failure::Malformed),
    };
    web.app.add_to_collection(&member.caller, &link).await?;
    Ok(done(&back, "thing-group-changed"))
}
