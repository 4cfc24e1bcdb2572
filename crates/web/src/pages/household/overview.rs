//! `GET` and `POST /household`: members and name of the household.

use askama::Template;
use axum::response::Response;
use larder_domain::{
    AutoList, Currency, HouseholdName, HouseholdPatch, Role, SEEDED_LOCATIONS, UserId, Zone, text,
};
use larder_http::LinkBase;
use serde::Deserialize;

use super::{Invitation, ZoneRegion, zone_regions};
use crate::{Failure, Form, Frame, Member, Section, WebState, done, format, render, wrong};

#[derive(Template)]
#[template(path = "household/overview.html")]
struct HouseholdPage<'a> {
    frame: Frame,
    name: &'a str,
    zone: &'a str,
    regions: Vec<ZoneRegion<'a>>,
    currency: Currency,
    currencies: Vec<Currency>,
    is_listing: bool,
    members: Vec<MemberRow>,
    /// The names of shops, and of storage locations.
    stores: String,
    locations: String,
    /// Only for admins.
    invitation: Option<Invitation>,
    has_demo: bool,
    leaving: Leaving,
}

/// What stands in the way of leaving.
enum Leaving {
    Free,
    /// The household would have no admin.
    OnlyAdmin,
    /// The household would have no member: it goes, too.
    Alone,
}

struct MemberRow {
    id: UserId,
    name: String,
    email: String,
    is_admin: bool,
    is_reader: bool,
    joined: String,
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    links: LinkBase,
) -> Result<Response, Failure> {
    let caller = &member.caller;
    let household = web.app.household(caller).await?;
    let mut members = web.app.members(caller).await?;
    members.sort_by_key(|member| member.joined_at);
    let admins = members.iter().filter(|member| member.role == Role::Admin).count();
    let row = |other: larder_domain::Member| MemberRow {
        id: other.user,
        name: other.name.to_string(),
        email: other.email.as_str().to_owned(),
        is_admin: other.role == Role::Admin,
        is_reader: other.user == caller.user_id(),
        joined: format::day(member.visit.words, household.zone.day_of(other.joined_at)),
    };
    let frame = member.frame(Section::Household);
    let seeded =
        SEEDED_LOCATIONS.iter().map(|it| frame.in_language(it.name_en, it.name).to_owned());
    let own = web.app.locations(caller).await?;
    Ok(render(&HouseholdPage {
        name: household.name.as_str(),
        zone: household.zone.name(),
        regions: zone_regions(household.zone.name()),
        currency: household.currency,
        currencies: Currency::all().collect(),
        is_listing: household.auto_list.0,
        leaving: match (members.len(), caller.is_admin() && admins == 1) {
            (1, _) => Leaving::Alone,
            (_, true) => Leaving::OnlyAdmin,
            (_, false) => Leaving::Free,
        },
        members: members.into_iter().map(row).collect(),
        stores: listed(&frame, web.app.stores(caller).await?.iter().map(|it| it.name.to_string())),
        locations: listed(&frame, seeded.chain(own.iter().map(|it| it.name.to_string()))),
        invitation: caller.is_admin().then(|| Invitation::of(&links, &household)).transpose()?,
        has_demo: web.app.has_demo(caller).await?,
        frame,
    }))
}

/// Names in alphabetical order, in one line.
fn listed(frame: &Frame, names: impl Iterator<Item = String>) -> String {
    let mut names: Vec<_> = names.collect();
    names.sort_by_cached_key(|name| text::fold(name));
    names.join(&frame.t("today-comma"))
}

#[derive(Deserialize)]
pub(super) struct Changes {
    name: String,
    zone: String,
    currency: String,
    /// Absent if the box is not ticked.
    auto_list: Option<String>,
}

pub(super) async fn change(
    web: WebState,
    member: Member,
    Form(form): Form<Changes>,
) -> Result<Response, Failure> {
    let name = HouseholdName::parse(form.name.trim()).map_err(wrong("household-name"))?;
    let zone = Zone::parse(&form.zone).map_err(wrong("household-zone"))?;
    let currency = Currency::parse(&form.currency).map_err(wrong("household-currency"))?;
    let patch = HouseholdPatch {
        name: Some(name),
        zone: Some(zone),
        currency: Some(currency),
        auto_list: Some(AutoList(form.auto_list.is_some())),
    };
    web.app.update_household(&member.caller, patch).await?;
    Ok(done("/household", "household-saved"))
}

/// `POST /household/invite-code`: invalidates the old code.
pub(super) async fn replace_invite_code(
    web: WebState,
    member: Member,
) -> Result<Response, Failure> {
    web.app.replace_invite_code(&member.caller, None).await?;
    Ok(done("/household", "invite-replaced"))
}
