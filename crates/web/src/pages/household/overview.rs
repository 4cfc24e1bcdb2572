//! `GET` and `POST /household`: members and name of the household.

use askama::Template;
use axum::response::Response;
use larder_domain::{Currency, HouseholdName, HouseholdPatch, Role, UserId, Zone};
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
    members: Vec<MemberRow>,
    /// Only for admins.
    invitation: Option<Invitation>,
    has_demo: bool,
    /// If the last admin left, the household would have none.
    is_only_admin: bool,
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
    Ok(render(&HouseholdPage {
        frame: member.frame(Section::Household),
        name: household.name.as_str(),
        zone: household.zone.name(),
        regions: zone_regions(household.zone.name()),
        currency: household.currency,
        currencies: Currency::all().collect(),
        members: members.into_iter().map(row).collect(),
        invitation: caller.is_admin().then(|| Invitation::of(&links, &household)).transpose()?,
        has_demo: web.app.has_demo(caller).await?,
        is_only_admin: caller.is_admin() && admins == 1,
    }))
}

#[derive(Deserialize)]
pub(super) struct Changes {
    name: String,
    zone: String,
    currency: String,
}

pub(super) async fn change(
    web: WebState,
    member: Member,
    Form(form): Form<Changes>,
) -> Result<Response, Failure> {
    let name = HouseholdName::parse(form.name.trim()).map_err(wrong("household-name"))?;
    let zone = Zone::parse(&form.zone).map_err(wrong("household-zone"))?;
    let currency = Currency::parse(&form.currency).map_err(wrong("household-currency"))?;
    let patch = HouseholdPatch { name: Some(name), zone: Some(zone), currency: Some(currency) };
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
