//! Notifications: one verb per file.

mod acknowledge;
pub(crate) mod dto;
mod list;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_notifications))
        .routes(routes!(acknowledge::acknowledge_notification))
}
