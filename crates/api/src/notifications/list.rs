//! `GET /notifications`: the household's notifications.

use larder_domain::{NotificationFilter, NotificationStatus};
use larder_http::{Json, Params, ProblemDocument};
use serde::Serialize;
use utoipa::ToSchema;

use super::dto::NotificationDto;
use crate::{ApiError, ApiState, Authenticated, PageQuery, need::ReadStock};

/// A page of notifications.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NotificationPage<'a> {
    items: Vec<NotificationDto<'a>>,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

fn read_filter(text: &str) -> Result<NotificationFilter, &'static str> {
    match text {
        "open" => Ok(NotificationFilter::Open),
        "all" => Ok(NotificationFilter::All),
        status => NotificationStatus::parse(status)
            .map(NotificationFilter::Status)
            .map_err(|_| "must be open, active, acknowledged, resolved or all"),
    }
}

/// List notifications
///
/// Newest first. By default those that still apply, acknowledged or not.
#[utoipa::path(
    get,
    path = "/api/v1/notifications",
    tag = "Notifications",
    security(("program" = ["read"]), ("program" = ["stock"])),
    params(
        ("status" = Option<String>, Query, pattern = "^(open|active|acknowledged|resolved|all)$", description = "`open` (default), `active`, `acknowledged`, `resolved` or `all`"),
        PageQuery,
    ),
    responses(
        (status = 200, body = NotificationPage),
        (status = 400, body = ProblemDocument, description = "`INVALID_FIELDS`, `UNKNOWN_FIELD`, `INVALID_CURSOR`"),
    ),
)]
pub(super) async fn list_notifications(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadStock>,
    mut params: Params,
) -> Result<Json, ApiError> {
    let filter = params.optional("status", read_filter).unwrap_or_default();
    let paging = PageQuery::read(&mut params);
    params.finish(|| Some(()))?;
    let list = api.list(format_args!("notifications {:?} {filter:?}", caller.owner()));
    let after = paging.after(&list)?;
    let page = api.app.notifications(&caller, filter, after.as_ref(), paging.limit).await?;
    let items = page.items.iter().map(NotificationDto::of).collect();
    let next_cursor = list.seal(page.next.as_ref());
    Ok(Json::of(&NotificationPage { items, next_cursor }))
}
