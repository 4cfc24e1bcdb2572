//! `GET /devices`: most recently seen first.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use larder_http::{Json, Params, ProblemDocument};
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::DeviceDto;
use crate::{
    paging::{PageQuery, USUAL_MOST},
    problems::ApiError,
    state::{ApiState, FleetAuthenticated},
};

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
    params(
        ("limit" = Option<u32>, Query, description = "1 to 200, default 50"),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before"),
    ),
    responses(
        (status = 200, body = DevicePage),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
    ),
)]
pub(super) async fn list_devices(
    State(api): State<ApiState>,
    FleetAuthenticated(caller): FleetAuthenticated,
    mut params: Params,
) -> Result<Response, ApiError> {
    let paging = PageQuery::read(&mut params, USUAL_MOST);
    params.finish(|| Some(()))?;
    let list = api.list(format_args!("devices {:?}", caller.owner()));
    let page = api.app.devices(&caller, paging.after(&list)?.as_ref(), paging.limit).await?;
    let items = page.items.iter().map(|device| DeviceDto::of(device, &caller)).collect();
    let next_cursor = list.seal(page.next.as_ref());
    Ok(Json(DevicePage { items, next_cursor }).into_response())
}
