//! `GET /jobs/{id}`.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_http::{Json, Params, ProblemDocument};

use super::dto::JobDto;
use crate::{
    path_id::path_id,
    problems::ApiError,
    state::{ApiState, Authenticated},
};

/// Read the progress of a job
///
/// For members of the household that owns the resources, until 24 hours after the job has finished.
#[utoipa::path(
    get,
    path = "/api/v1/jobs/{id}",
    tag = "Resources",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, body = JobDto),
        (status = 404, body = ProblemDocument, description = "`JOB_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn get_job(
    State(api): State<ApiState>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
    params: Params,
) -> Result<Response, ApiError> {
    params.finish(|| Some(()))?;
    let deletion = api.app.deletion(&caller, path_id(&id, AppError::JobNotFound)?).await?;
    Ok(Json(JobDto::of(&deletion)).into_response())
}
