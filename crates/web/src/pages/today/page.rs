//! `GET /today`.

use askama::Template;
use axum::response::Response;
use larder_app::Today;
use larder_domain::{Device, DeviceHealth, Item, StockSum, StockView};
use larder_storage::StockedProduct;

use super::activity::{Deed, deeds};
use crate::{
    Failure, Frame, Keeper, Section, WebState, format,
    pages::{
        products,
        sensors::{self, freshness::Freshness},
        stock::{
            self,
            history::names,
            row::{Badge, badges},
        },
    },
    render,
};

/// How many of each are shown.
const SHOWN: usize = 5;

#[derive(Template)]
#[template(path = "today/page.html")]
struct TodayPage {
    frame: Frame,
    day: String,
    /// What has expired, then what expires soon.
    due: Vec<Line>,
    expired: usize,
    expiring: usize,
    low: Vec<Line>,
    low_count: usize,
    shopping: Vec<String>,
    shopping_count: usize,
    devices: Vec<DeviceLine>,
    device_count: usize,
    silent: usize,
    deeds: Vec<Deed>,
    /// Whether the inventory is empty.
    is_new: bool,
    has_demo: bool,
}

/// Something in stock.
struct Line {
    address: String,
    name: String,
    amount: String,
    badges: Vec<Badge>,
    /// The lot whose product can be put on the shopping list.
    to_list: Option<String>,
}

struct DeviceLine {
    address: String,
    name: String,
    freshness: Freshness,
}

pub(super) async fn page(web: WebState, keeper: Keeper) -> Result<Response, Failure> {
    let (frame, caller) = (keeper.frame(Section::Today), &keeper.caller);
    let Today { date, stock, low, shopping, activity } = web.app.today(caller).await?;
    let (devices, now) = (web.app.devices_today(caller).await?, web.app.now());
    let due = |item: &Item| Line {
        address: stock::address_of(item.id),
        name: item.details.name.as_str().to_owned(),
        amount: format::amount(item.details.quantity, &item.details.unit),
        badges: badges(&frame, &item.details, date, false),
        to_list: None,
    };
    let is_silent = |it: &&Device| DeviceHealth::of(it.last_seen_at, now) != DeviceHealth::Well;
    // Those that need attention first.
    let (silent, well): (Vec<_>, Vec<_>) = devices.iter().partition(is_silent);
    let device = |device: &&Device| DeviceLine {
        address: sensors::address_of(device.hardware_id),
        name: sensors::name_of(device),
        freshness: Freshness::of(&frame, device.last_seen_at, now),
    };
    let names = names(&web.app, caller).await?;
    Ok(render(&TodayPage {
        day: format::day(frame.words, date),
        due: stock.expired.iter().chain(&*stock.soon).take(SHOWN).map(due).collect(),
        expired: stock.counts.of(StockView::Expired),
        expiring: stock.counts.of(StockView::Soon),
        low: low.first.iter().map(|it| low_line(&frame, it)).collect(),
        low_count: low.count,
        shopping: shopping.first.iter().map(|it| it.details.name.as_str().to_owned()).collect(),
        shopping_count: shopping.count,
        devices: silent.iter().chain(&well).take(SHOWN).map(device).collect(),
        device_count: devices.len(),
        silent: silent.len(),
        deeds: deeds(&frame, &activity, caller, &names, now),
        is_new: stock.counts.is_empty(),
        has_demo: web.app.has_demo(caller).await?,
        frame,
    }))
}

fn low_line(frame: &Frame, StockedProduct { product, lots }: &StockedProduct) -> Line {
    let unit = &product.details.unit;
    let sum = StockSum::of(unit, lots.iter().map(|lot| &lot.details));
    let is_used_up = lots.iter().all(|lot| lot.details.is_depleted());
    let (tone, text) = if is_used_up {
        ("bad", frame.t("stock-badge-depleted"))
    } else {
        ("warn", frame.t("stock-badge-low"))
    };
    Line {
        address: products::address_of(product.id),
        name: product.details.name.as_str().to_owned(),
        amount: sum.map(|sum| format::amount(sum.quantity(), unit)).unwrap_or_default(),
        badges: vec![Badge { tone, text: text.into_owned() }],
        to_list: lots.first().map(|lot| lot.id.to_string()),
    }
}
