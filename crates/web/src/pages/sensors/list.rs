//! `GET /sensors`: devices with their latest values. A page has the most active ones, by name.

use askama::Template;
use axum::response::Response;
use futures_util::future::try_join_all;
use jiff::Timestamp;
use larder_app::{AppError, FleetCaller};
use larder_domain::{Device, StorageLocation, text};
use larder_http::LinkBase;
use serde::Deserialize;

use super::{
    address_of, fleet,
    freshness::Freshness,
    latest::{StateView, ValueView, latest, states, values_at_a_glance},
    name_of,
    span::{ChartSpan, SpanQuery},
    sparkline::{Sparkline, sparkline},
    watched_by, zone_of,
};
use crate::{Failure, Frame, Member, Query, Section, Web, WebState, address, render};

/// As many as people scan before they search.
const PAGE_LEN: usize = 20;

#[derive(Template)]
#[template(path = "sensors/list.html")]
struct ListPage {
    frame: Frame,
    devices: Vec<DeviceView>,
    is_first_page: bool,
    more: Option<String>,
    links: LinkBase,
}

/// A device in the list.
struct DeviceView {
    id: String,
    address: String,
    name: String,
    freshness: Freshness,
    places: String,
    values: Vec<ValueView>,
    states: Vec<StateView>,
    sparkline: Option<Sparkline>,
}

#[derive(Deserialize)]
pub(super) struct SensorsQuery {
    after: Option<String>,
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    links: LinkBase,
    Query(query): Query<SensorsQuery>,
) -> Result<Response, Failure> {
    let caller = fleet(&member.caller);
    let list = web.list(format_args!("devices {:?}", caller.owner()));
    let after = list.after(query.after.as_deref())?;
    let page = web.app.devices(&caller, after.as_ref(), PAGE_LEN).await?;
    let locations = web.app.locations(&member.caller).await?;
    let now = web.app.now();
    let day = SpanQuery::default().read(now, &zone_of(&member.caller))?;
    let frame = member.frame(Section::Sensors);
    let look = Look { web: &web, frame: &frame, caller: &caller, locations: &locations, day, now };
    let mut devices = try_join_all(page.items.iter().map(|device| look.at(device))).await?;
    devices.sort_by_cached_key(|device| (text::fold(&device.name), device.id.clone()));
    let more = list.seal(page.next.as_ref());
    Ok(render(&ListPage {
        devices,
        is_first_page: after.is_none(),
        more: more.map(|cursor| address::with_query("/sensors", &[("after", &cursor)])),
        links,
        frame,
    }))
}

/// The parameters of the list.
struct Look<'a> {
    web: &'a Web,
    frame: &'a Frame,
    caller: &'a FleetCaller,
    locations: &'a [StorageLocation],
    day: ChartSpan,
    now: Timestamp,
}

impl Look<'_> {
    async fn at(&self, device: &Device) -> Result<DeviceView, AppError> {
        let Self { web, frame, caller, locations, day, now } = self;
        let id = device.hardware_id;
        let reading = latest(web, caller, id).await?;
        let sparkline = match &reading {
            Some(reading) => sparkline(web, frame, caller, reading, day).await?,
            None => None,
        };
        let places = watched_by(id, locations);
        let places: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
        Ok(DeviceView {
            id: id.to_string(),
            address: address_of(id),
            name: name_of(device),
            freshness: Freshness::of(frame, device.last_seen_at, *now),
            places: places.join(", "),
            values: values_at_a_glance(frame.words, reading.as_ref()),
            states: states(reading.as_ref()),
            sparkline,
        })
    }
}
