//! `GET /welcome` and `POST /welcome/household`: create or join a household.

use askama::Template;
use axum::response::Response;
use larder_app::Caller;
use larder_domain::{HouseholdName, ItemFilter, ItemSort, Language, UserPatch, Zone};
use serde::Deserialize;

use crate::{
    Failure, Form, Frame, Person, Query, Section, Web, WebState,
    pages::household::{ZoneRegion, zone_regions},
    render, see_other, wrong,
};

#[derive(Template)]
#[template(path = "welcome/start.html")]
struct StartPage<'a> {
    frame: Frame,
    name: &'a str,
    regions: Vec<ZoneRegion<'a>>,
    /// The default zone until the device's own is known.
    zone: &'a str,
    has_own_items: bool,
    /// An invalid code.
    refused: Option<&'a str>,
}

#[derive(Deserialize)]
pub(super) struct StartQuery {
    refused: Option<String>,
}

pub(super) async fn page(
    web: WebState,
    person: Person,
    Query(query): Query<StartQuery>,
) -> Result<Response, Failure> {
    if person.caller.membership().is_some() {
        return Ok(see_other("/welcome/ready"));
    }
    let zone = likely_zone(person.visit.words.language);
    Ok(render(&StartPage {
        frame: person.frame(Section::Household),
        name: person.caller.user().name.as_str(),
        regions: zone_regions(zone),
        zone,
        has_own_items: has_own_items(&web, &person.caller).await?,
        refused: query.refused.as_deref(),
    }))
}

/// The zone of most readers of a language, if they are mostly in one.
const fn likely_zone(language: Language) -> &'static str {
    match language {
        Language::English => "UTC",
        Language::Japanese => "Asia/Tokyo",
    }
}

#[derive(Deserialize)]
pub(super) struct NewHousehold {
    name: String,
    zone: String,
    #[serde(default)]
    move_items: bool,
}

pub(super) async fn found(
    web: WebState,
    person: Person,
    Form(form): Form<NewHousehold>,
) -> Result<Response, Failure> {
    let name = HouseholdName::parse(form.name.trim()).map_err(wrong("household-name"))?;
    let zone = Zone::parse(&form.zone).map_err(wrong("household-zone"))?;
    web.app.create_household(&person.caller, name, zone, form.move_items, None).await?;
    Ok(see_other("/welcome/ready"))
}

#[derive(Deserialize)]
pub(super) struct Alone {
    zone: String,
}

/// `POST /welcome/alone`: without a household, where the days begin and end where the person is.
pub(super) async fn begin_alone(
    web: WebState,
    person: Person,
    Form(form): Form<Alone>,
) -> Result<Response, Failure> {
    let zone = Zone::parse(&form.zone).map_err(wrong("household-zone"))?;
    let patch = UserPatch { zone: Some(Some(zone)), ..UserPatch::default() };
    web.app.update_me(&person.caller, patch).await?;
    Ok(see_other("/stock"))
}

/// Whether there are items that could move to a household with them.
pub(super) async fn has_own_items(web: &Web, caller: &Caller) -> Result<bool, Failure> {
    let filter = ItemFilter { include_depleted: true, ..ItemFilter::default() };
    let page = web.app.list_items(caller, &filter, ItemSort::default(), None, 1).await?;
    Ok(!page.items.is_empty())
}
