//! Devices, their latest values and their history.

mod changes;
pub(super) mod chart;
mod charts;
mod device;
pub(super) mod freshness;
mod keys;
mod latest;
mod list;
mod measure;
mod span;
mod sparkline;

use axum::{
    Router,
    routing::{get, post},
};
use jiff::tz::TimeZone;
use larder_app::{Caller, FleetCaller};
use larder_domain::{Device, FriendlyName, HardwareId, StorageLocation};

use crate::{WebState, address};

pub(crate) fn routes() -> Router<WebState> {
    Router::new()
        .route("/sensors", get(list::page))
        .route("/sensors/keys", get(keys::page).post(keys::make))
        .route("/sensors/keys/{id}/revoke", post(keys::revoke))
        .route("/sensors/{id}", get(device::page))
        .route("/sensors/{id}/name", post(changes::rename))
        .route("/sensors/{id}/place", post(changes::place))
        .route("/sensors/{id}/release", post(changes::release))
}

/// A user as a caller of the device use cases.
fn fleet(caller: &Caller) -> FleetCaller {
    FleetCaller::Person(caller.clone())
}

/// The URL of a device's page.
pub(super) fn address_of(id: HardwareId) -> String {
    format!("/sensors/{}", address::escape(&id.to_string()))
}

/// The name of a device; without one, its MAC address.
pub(super) fn name_of(device: &Device) -> String {
    let name = device.friendly_name.as_ref().map(FriendlyName::as_str);
    name.map_or_else(|| device.hardware_id.to_string(), str::to_owned)
}

/// The storage locations that a device monitors.
fn watched_by(id: HardwareId, locations: &[StorageLocation]) -> Vec<&StorageLocation> {
    let id = id.to_string();
    let is_watched = |location: &&StorageLocation| {
        location.device.as_ref().is_some_and(|device| device.as_str() == id)
    };
    locations.iter().filter(is_watched).collect()
}

/// The household's time zone.
fn zone_of(caller: &Caller) -> TimeZone {
    TimeZone::get(caller.zone().name()).unwrap_or(TimeZone::UTC)
}
