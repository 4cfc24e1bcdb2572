//! `GET /healthz` and `GET /readyz`.

use larder_http::{Problem, ProblemDocument};

use crate::{ApiError, ApiState};

/// Check whether the process is alive
#[utoipa::path(get, path = "/healthz", tag = "Operations", security(()), responses((status = 200, body = String)))]
pub(crate) async fn healthz() -> &'static str {
    "ok"
}

/// Check whether the server is ready
///
/// Includes a request to the store.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "Operations",
    security(()),
    responses(
        (status = 200, body = String),
        (status = 503, body = ProblemDocument, description = "The store cannot be reached, or the server stops"),
    ),
)]
pub(super) async fn readyz(api: ApiState) -> Result<&'static str, ApiError> {
    if *api.stopping.borrow() {
        return Err(Problem::unavailable(&"the server is stopping").into());
    }
    api.app.ready().await?;
    Ok("ready")
}
