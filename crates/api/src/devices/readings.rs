//! `GET /devices/{hardware_id}/readings`: the readings of a device.

use larder_domain::{HardwareId, ReadingTime};
use larder_http::{Json, Params, ProblemDocument};
use larder_storage::ReadingRange;
use serde::Serialize;
use utoipa::ToSchema;

use super::{dto::ReadingDto, times::Span};
use crate::{ApiError, ApiState, FleetAuthenticated, PageQuery, PathId, need::ReadDevices};

/// More than in other lists: charts and exports read many, and each is small.
const MOST: i64 = 1000;

/// A page of readings.
#[derive(Serialize, ToSchema)]
struct ReadingPage<'a> {
    items: Vec<ReadingDto<'a>>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

fn read_order(text: &str) -> Result<bool, &'static str> {
    match text {
        "asc" => Ok(true),
        "desc" => Ok(false),
        _ => Err("must be asc or desc"),
    }
}

/// List the readings of a device
///
/// Newest first unless `order=asc`. Readings of the same millisecond are ordered by batch id.
#[utoipa::path(
    get,
    path = "/api/v1/devices/{hardware_id}/readings",
    tag = "Telemetry",
    security(("program" = ["read"]), ("program" = ["devices"])),
    params(
        ("hardware_id" = String, Path, description = "Its MAC address"),
        ("from" = Option<i64>, Query, maximum = 4_102_444_800_000_i64, description = "The first millisecond since 1970, included"),
        ("to" = Option<i64>, Query, minimum = 946_684_800_000_i64, description = "The last millisecond since 1970, included"),
        ("order" = Option<String>, Query, pattern = "^(asc|desc)$", description = "`desc` (default) or `asc`"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 1000, description = "1 to 1000, default 50"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses(
        (status = 200, body = ReadingPage),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
        (status = 404, body = ProblemDocument, description = "`DEVICE_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn list_readings(
    api: ApiState,
    FleetAuthenticated(caller, ..): FleetAuthenticated<ReadDevices>,
    PathId(device): PathId<HardwareId>,
    mut params: Params,
) -> Result<Json, ApiError> {
    let Span { from, to } = Span::read(&mut params, ReadingTime::MAX, |_| ReadingTime::MIN);
    let order = params.optional("order", read_order);
    let paging = PageQuery::read_up_to(&mut params, MOST);
    params.finish(|| Some(()))?;
    let range = ReadingRange { from, to, oldest_first: order.unwrap_or(false) };
    let list = api.list(format_args!("readings {:?} {device} {range:?}", caller.owner()));
    let after = paging.after(&list)?;
    let page = api.app.readings(&caller, device, range, after.as_ref(), paging.limit).await?;
    let items = page.items.iter().map(ReadingDto::of).collect();
    let next_cursor = list.seal(page.next.as_ref());
    Ok(Json::of(&ReadingPage { items, next_cursor }))
}
