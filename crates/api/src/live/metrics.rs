//! `GET /metrics`.

use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use larder_http::{Metrics, Problem, ProblemDocument};

use crate::ApiState;

/// Read the metrics
///
/// In the text format of Prometheus (`OpenMetrics`).
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "Operations",
    security(()),
    responses(
        (status = 200, body = String, content_type = "application/openmetrics-text"),
        (status = 404, body = ProblemDocument, description = "`NOT_FOUND`: it has a listener of its own"),
    ),
)]
pub(super) async fn metrics(api: ApiState) -> Result<Response, Problem> {
    render(&api.metrics)
}

/// The metrics as a response.
pub(crate) fn render(metrics: &Metrics) -> Result<Response, Problem> {
    let text = metrics.render().map_err(|error| Problem::internal(&error))?;
    let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, content_type)], text).into_response())
}
