//! `GET /me`.

use askama::Template;
use axum::response::Response;
use larder_app::FleetCaller;
use larder_domain::{Device, Language, Whose};

use super::{
    identity::IdentityCard,
    sessions::{SessionRow, rows},
    tokens::{self, LIFETIMES_DAYS, ScopeChoice, TokenRow},
};
use crate::{
    Failure, Frame, Person, Section, WebState, address,
    frame::Theme,
    pages::household::{ZoneRegion, zone_regions},
    render,
};

/// How many of the newest sessions, and of the most active devices, are shown.
const SHOWN: usize = 10;

#[derive(Template)]
#[template(path = "me/overview.html")]
struct MePage<'a> {
    frame: Frame,
    email: String,
    /// Mail is configured, but the address is not confirmed yet.
    is_unconfirmed: bool,
    name: &'a str,
    regions: Vec<ZoneRegion<'a>>,
    /// Their own time zone.
    zone: &'a str,
    identity: Option<IdentityCard>,
    languages: [Language; 2],
    sessions: Vec<SessionRow>,
    has_more_sessions: bool,
    tokens: Vec<TokenRow>,
    scopes: Vec<ScopeChoice>,
    lifetimes: [i64; 3],
    devices: Vec<DeviceLink>,
}

impl MePage<'_> {
    fn themes(&self) -> [(Theme, std::borrow::Cow<'static, str>); 3] {
        let words = &self.frame;
        [
            (Theme::Auto, words.t("me-theme-auto")),
            (Theme::Light, words.t("me-theme-light")),
            (Theme::Dark, words.t("me-theme-dark")),
        ]
    }
}

/// A device with downloadable readings.
struct DeviceLink {
    name: String,
    href: String,
}

impl DeviceLink {
    fn of(device: &Device) -> Self {
        let id = device.hardware_id.to_string();
        Self {
            name: device.friendly_name.as_ref().map_or_else(|| id.clone(), ToString::to_string),
            href: format!("/me/readings/{}.csv", address::escape(&id)),
        }
    }
}

pub(super) async fn page(web: WebState, person: Person) -> Result<Response, Failure> {
    let caller = &person.caller;
    let sessions = web.app.sessions(caller, None, SHOWN).await?;
    let fleet = FleetCaller::Person(caller.clone());
    let devices = web.app.devices(&fleet, None, SHOWN).await?;
    let frame = person.frame(Section::Me);
    let own = caller.clone().looking_at(Whose::Personal);
    let zone = own.as_ref().unwrap_or(caller).zone().name();
    Ok(render(&MePage {
        scopes: tokens::scope_choices(&frame),
        tokens: tokens::rows(&web, &person).await?,
        lifetimes: LIFETIMES_DAYS,
        frame,
        email: caller.user().email.as_str().to_owned(),
        is_unconfirmed: web.app.sends_mail() && caller.user().email_confirmed_at.is_none(),
        name: caller.user().name.as_str(),
        regions: zone_regions(zone),
        zone,
        identity: IdentityCard::of(&web, &person).await?,
        languages: Language::ALL,
        has_more_sessions: sessions.next.is_some(),
        sessions: rows(&web, &person, &sessions.items),
        devices: devices.items.iter().map(DeviceLink::of).collect(),
    }))
}
