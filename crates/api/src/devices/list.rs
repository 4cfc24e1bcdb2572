//! `GET /devices`: most recently seen first.

use larder_http::{Json, ProblemDocument};
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::DeviceDto;
use crate::{ApiError, ApiState, FleetAuthenticated, PageQuery, need::ReadDevices};

/// A page of devices.
#[derive(Serialize, ToSchema)]
struct DevicePage<'a> {
    items: Vec<DeviceDto<'a>>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

/// List devices
///
/// Most recently seen first. Those of the household; for the operator, all.
#[utoipa::path(
    get,
    path = "/api/v1/devices",
    tag = "Telemetry",
    security(("program" = ["read"]), ("program" = ["devices"])),
    params(
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 200, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses(
        (status = 200, body = DevicePage),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
    ),
)]
pub(super) async fn list_devices(
    api: ApiState,
    FleetAuthenticated(caller, ..): FleetAuthenticated<ReadDevices>,
    paging: PageQuery,
) -> Result<Json, ApiError> {
    let list = api.list(format_args!("devices {:?}", caller.owner()));
    let page = api.app.devices(&caller, paging.after(&list)?.as_ref(), paging.limit).await?;
    let items = page.items.iter().map(|device| DeviceDto::of(device, &caller)).collect();
    let next_cursor = list.seal(page.next.as_ref());
    Ok(Json::of(&DevicePage { items, next_cursor }))
}
