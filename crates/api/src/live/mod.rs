//! Live events, health and metrics.

mod event_id;
mod events;
pub(crate) mod health;
pub(crate) mod metrics;
pub(crate) mod payload;
mod topics;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(events::events))
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
        .routes(routes!(metrics::metrics))
}
