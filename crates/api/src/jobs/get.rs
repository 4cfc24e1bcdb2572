//! `GET /jobs/{id}`.

use larder_domain::DeletionId;
use larder_http::{Json, Params, ProblemDocument};

use super::dto::JobDto;
use crate::{ApiError, ApiState, Authenticated, PathId, need::ReadThings};

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
    api: ApiState,
    Authenticated(caller): Authenticated,
    PathId(id): PathId<DeletionId>,
    params: Params,
) -> Result<Json, ApiError> {
    params.finish(|| Some(()))?;
    let deletion = api.app.deletion(&caller, id).await?;
    Ok(Json::of(&JobDto::of(&deletion)))
}
