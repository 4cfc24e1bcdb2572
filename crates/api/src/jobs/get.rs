//! `GET /jobs/{id}`.

use larder_app::AppError;
use larder_domain::DeletionId;
use larder_http::{Json, Params, ProblemDocument};

use super::dto::JobDto;
use crate::{ApiError, ApiState, Authenticated, PathId, need::ReadThings};

/// Read the progress of a job
///
/// The deletion of resources: for members of the household that owns them. The erasure of a
/// household or device: for the person who began it. Until 24 hours after the job has finished; of
/// an erased account nothing is left, not even its job.
#[utoipa::path(
    get,
    path = "/api/v1/jobs/{id}",
    tag = "Resources",
    security(("program" = ["read"]), ("program" = ["things"])),
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, body = JobDto),
        (status = 404, body = ProblemDocument, description = "`JOB_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn get_job(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<ReadThings>,
    PathId(id): PathId<DeletionId>,
    params: Params,
) -> Result<Json, ApiError> {
    params.finish(|| Some(()))?;
    match api.app.deletion(&caller, id).await {
        Ok(deletion) => Ok(Json::of(&JobDto::of(&deletion))),
        Err(AppError::JobNotFound) => {
            let erasure = api.app.erasure(&caller, id).await?;
            Ok(Json::of(&JobDto::of_erasure(&erasure)))
        }
        Err(error) => Err(error.into()),
    }
}
