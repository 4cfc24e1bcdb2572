//! `GET /today`: what a household should know when somebody comes home.

use jiff::civil::Date;
use larder_app::{Excerpt, FleetCaller, Today};
use larder_domain::{DeviceHealth, Item, StockView};
use larder_http::Json;
use larder_storage::RecordedChange;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    ApiError, ApiState, InInventory, devices::dto::DeviceDto, inventory::dto::ItemDto,
    live::payload::payload, need::ReadAll, products::dto::ProductDto,
    shopping::dto::ShoppingItemDto,
};

/// How many of each are shown.
const SHOWN: usize = 5;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new().routes(routes!(today))
}

/// How many there are, and the first five.
#[derive(Serialize, ToSchema)]
struct Listed<T> {
    count: usize,
    items: Vec<T>,
}

impl<T> Listed<T> {
    fn of<'a, A>(told: &'a Excerpt<A>, show: impl Fn(&'a A) -> T) -> Self {
        Self { count: told.count, items: told.first.iter().map(show).collect() }
    }
}

/// How many devices there are, how many of them have not been heard of lately, and the first five.
#[derive(Serialize, ToSchema)]
struct Devices<'a> {
    count: usize,
    /// How many have been silent for more than 15 minutes.
    silent: usize,
    #[schema(inline = false)]
    items: Vec<DeviceDto<'a>>,
}

/// What a household should know today.
#[derive(Serialize, ToSchema)]
struct TodayDto<'a> {
    /// The day in the household's time zone.
    #[schema(value_type = String, format = Date)]
    date: String,
    /// Items that expire within three days, the first to expire first.
    expiring: Listed<ItemDto<'a>>,
    /// Items that have expired.
    expired: Listed<ItemDto<'a>>,
    /// Products that are below their threshold.
    low: Listed<ProductDto<'a>>,
    /// What is to be bought; at most a hundred are counted.
    shopping: Listed<ShoppingItemDto<'a>>,
    /// At most a hundred are counted.
    devices: Devices<'a>,
    /// What was done to the stock, the shopping list and the members, the newest first: events as in
    /// the live stream, with their name as `event`. At most twenty changes are counted.
    #[schema(value_type = Listed<Object>)]
    activity: Listed<Value>,
}

fn items(first: &[Item], count: usize, today: Date) -> Listed<ItemDto<'_>> {
    Listed { count, items: first.iter().map(|item| ItemDto::of(item, today)).collect() }
}

fn told(change: &RecordedChange) -> Value {
    let events = change.change.events(change.by);
    let Some(event) = events.first() else { return json!({ "event": null }) };
    let mut told = payload(change, event);
    if let Value::Object(fields) = &mut told {
        fields.insert("event".to_owned(), json!(event.name()));
    }
    told
}

/// Look at today
///
/// Counts, and the first five of each.
#[utoipa::path(
    get,
    path = "/api/v1/today",
    tag = "Inventory",
    security(("program" = ["read"])),
    responses((status = 200, body = TodayDto)),
)]
async fn today(
    api: ApiState,
    InInventory(caller, ..): InInventory<ReadAll>,
) -> Result<Json, ApiError> {
    let Today { date, stock, low, shopping, activity } = api.app.today(&caller).await?;
    let (devices, now) = (api.app.devices_today(&caller).await?, api.app.now());
    let is_silent = |seen| DeviceHealth::of(seen, now) != DeviceHealth::Well;
    let viewer = FleetCaller::Person(caller.clone());
    Ok(Json::of(&TodayDto {
        date: date.to_string(),
        expiring: items(&stock.soon, stock.counts.of(StockView::Soon), date),
        expired: items(&stock.expired, stock.counts.of(StockView::Expired), date),
        low: Listed::of(&low, ProductDto::of),
        shopping: Listed::of(&shopping, ShoppingItemDto::of),
        devices: Devices {
            count: devices.len(),
            silent: devices.iter().filter(|device| is_silent(device.last_seen_at)).count(),
            items: devices.iter().take(SHOWN).map(|it| DeviceDto::of(it, &viewer)).collect(),
        },
        activity: Listed {
            count: activity.len(),
            items: activity.iter().take(SHOWN).map(told).collect(),
        },
    }))
}
