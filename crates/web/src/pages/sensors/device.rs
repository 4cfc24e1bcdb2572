//! `GET /sensors/{id}`: one device with its state and charts.

use std::collections::BTreeSet;

use askama::Template;
use axum::{http::StatusCode, response::Response};
use larder_app::FleetCaller;
use larder_domain::{FriendlyName, HardwareId, Reading, SensorName, StorageLocation};
use larder_storage::ReadingRange;
use serde::Deserialize;

use super::{
    address_of,
    charts::{ChartView, Charting},
    fleet,
    freshness::Freshness,
    latest::{StateView, ValueView, latest, states, values},
    name_of,
    span::{ChartSpan, PRESETS, SpanQuery},
    watched_by, zone_of,
};
use crate::{
    Failure, Frame, Member, PathId, Query, Section, Web, WebState, address, format::moment,
    render_with,
};

/// As many charts as a phone loads quickly on one page; a device may have 64 values.
const MOST_CHARTS: usize = 8;

/// A value is found if one of this many newest readings has it: sensors fail for a while.
const READINGS_LOOKED_AT: usize = 100;

#[derive(Template)]
#[template(path = "sensors/device.html")]
struct DevicePage {
    frame: Frame,
    id: String,
    address: String,
    name: String,
    friendly_name: String,
    firmware: String,
    freshness: Freshness,
    registered: String,
    /// The time of the newest reading, with its values.
    measured: Option<String>,
    values: Vec<ValueView>,
    states: Vec<StateView>,
    watched: String,
    places: Vec<PlaceView>,
    presets: Vec<PresetView>,
    span: ChartSpan,
    /// Why the chosen days cannot be shown.
    mistake: Option<Mistake>,
    /// The first and last day in the form.
    typed: [String; 2],
    charts: Vec<ChartView>,
    more_charts: Option<String>,
    poll_seconds: u32,
}

struct Mistake {
    /// Whether it is the first day, rather than the last.
    is_first: bool,
    why: String,
}

impl DevicePage {
    /// The attributes of a field with a mistake, which is described below the form.
    fn invalid(&self, is_first: bool) -> &'static str {
        match &self.mistake {
            Some(mistake) if mistake.is_first == is_first => {
                " autofocus aria-invalid=\"true\" aria-describedby=\"why\""
            }
            _ => "",
        }
    }
}

struct PlaceView {
    id: String,
    name: String,
    is_watched: bool,
}

struct PresetView {
    address: String,
    label: &'static str,
    is_current: bool,
}

#[derive(Deserialize)]
pub(super) struct DeviceQuery {
    days: Option<i64>,
    #[serde(default)]
    from: String,
    #[serde(default)]
    to: String,
    /// The charts start after this value.
    after: Option<String>,
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    PathId(id): PathId<HardwareId>,
    Query(query): Query<DeviceQuery>,
) -> Result<Response, Failure> {
    let caller = fleet(&member.caller);
    let zone = zone_of(&member.caller);
    let (now, frame) = (web.app.now(), member.frame(Section::Sensors));
    let asked = SpanQuery { days: query.days, from: &query.from, to: &query.to };
    let (span, mistake) = match asked.read(now, &zone) {
        Ok(span) => (span, None),
        // The form is kept, with the error at its field, above the charts of today.
        Err(Failure::Wrong(label, rule)) => {
            let why = rule.said(frame.words);
            let mistake = Mistake { is_first: label == "sensors-from", why };
            (SpanQuery::default().read(now, &zone)?, Some(mistake))
        }
        Err(failure) => return Err(failure),
    };
    let device = web.app.device(&caller, id).await?;
    let newest = latest(&web, &caller, id).await?;
    let locations = web.app.locations(&member.caller).await?;

    let mut sensors = sensors(&web, &caller, id, &span, newest.as_ref()).await?;
    if let Some(after) = &query.after {
        sensors.retain(|sensor| sensor.as_str() > after.as_str());
    }
    let has_more = sensors.len() > MOST_CHARTS;
    sensors.truncate(MOST_CHARTS);
    let here = address_of(id);
    let more_charts =
        sensors.last().filter(|_| has_more).map(|last| span.address(&here, last.as_str()));
    let charting =
        Charting { web: &web, words: frame.words, caller: &caller, device: id, span, zone: &zone };
    let charts = charting.charts(&sensors).await?;

    let time = newest
        .as_ref()
        .and_then(|reading| jiff::Timestamp::from_millisecond(reading.time.as_millis()).ok());
    let watched = watched_by(id, &locations);
    let typed = match &mistake {
        Some(_) => [query.from, query.to],
        None => [span.first, span.last].map(|day| day.to_string()),
    };
    let status = if mistake.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let page = DevicePage {
        name: name_of(&device),
        friendly_name: device.friendly_name.as_ref().map_or("", FriendlyName::as_str).to_owned(),
        firmware: device.firmware_version.as_str().to_owned(),
        freshness: Freshness::of(&frame, device.last_seen_at, now),
        registered: moment(frame.words, device.first_registered_at, member.caller.zone()),
        measured: time.map(|time| moment(frame.words, time, member.caller.zone())),
        values: values(frame.words, newest.as_ref()),
        states: states(newest.as_ref()),
        watched: watched.iter().map(|place| place.name.as_str()).collect::<Vec<_>>().join(", "),
        places: places(&locations, &watched),
        presets: presets(&here, &span),
        poll_seconds: span.poll_seconds(),
        id: id.to_string(),
        address: here,
        span,
        mistake,
        typed,
        charts,
        more_charts,
        frame,
    };
    Ok(render_with(status, &page))
}

impl ChartSpan {
    /// The URL of the charts after a value, with the same span.
    fn address(&self, page: &str, after: &str) -> String {
        let [first, last] = [self.first, self.last].map(|day| day.to_string());
        match self.days {
            Some(days) => {
                address::with_query(page, &[("days", &days.to_string()), ("after", after)])
            }
            None => address::with_query(page, &[("from", &first), ("to", &last), ("after", after)]),
        }
    }

    /// The polling interval: longer charts change more slowly and take longer to render.
    const fn poll_seconds(&self) -> u32 {
        if matches!(self.days, Some(1)) { 5 } else { 60 }
    }
}

/// The values of a device, by name.
async fn sensors(
    web: &Web,
    caller: &FleetCaller,
    device: HardwareId,
    span: &ChartSpan,
    newest: Option<&Reading>,
) -> Result<Vec<SensorName>, Failure> {
    let range =
        ReadingRange { from: span.series.from(), to: span.series.to(), oldest_first: false };
    let page = web.app.readings(caller, device, range, None, READINGS_LOOKED_AT).await?;
    let readings = page.items.iter().chain(newest);
    let names = readings.flat_map(|reading| reading.sensors.iter().map(|(name, _)| name.clone()));
    Ok(names.collect::<BTreeSet<_>>().into_iter().collect())
}

fn places(locations: &[StorageLocation], watched: &[&StorageLocation]) -> Vec<PlaceView> {
    let places = locations.iter().map(|location| PlaceView {
        id: location.id.to_string(),
        name: location.name.as_str().to_owned(),
        is_watched: watched.iter().any(|place| place.id == location.id),
    });
    places.collect()
}

fn presets(page: &str, span: &ChartSpan) -> Vec<PresetView> {
    let presets = PRESETS.iter().map(|(days, label)| PresetView {
        address: format!("{}#history", address::with_query(page, &[("days", &days.to_string())])),
        label,
        is_current: span.days == Some(*days),
    });
    presets.collect()
}
