//! The answer to a request whose work continues.

use axum::{
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};
use larder_http::Json;

use super::JobDto;

/// `202` with the job, whose address is in `Location`.
pub(crate) fn accepted(job: &JobDto<'_>) -> Response {
    let location = [(header::LOCATION, format!("/api/v1/jobs/{}", job.id()))];
    (StatusCode::ACCEPTED, location, Json::of(job)).into_response()
}
