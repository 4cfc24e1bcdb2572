//! `DELETE /nfc-urls/{urlId}`.

use axum::{extract::Path, http::StatusCode};
use larder_app::AppError;
use larder_domain::UrlId;
use larder_http::ProblemDocument;

use crate::{ApiError, ApiState, Authenticated, need::Administrate};

/// Delete a tag
///
/// Only for admins. From then on its URL is unknown, as if there had never been such a tag. A tag
/// that was replaced can be deleted, too.
#[utoipa::path(
    delete,
    path = "/api/v1/nfc-urls/{urlId}",
    tag = "Tags",
    security(("program" = ["admin"])),
    params(("urlId" = String, Path)),
    responses(
        (status = 204, description = "Gone"),
        (status = 403, body = ProblemDocument, description = "`ADMIN_REQUIRED`"),
        (status = 404, body = ProblemDocument, description = "`TAG_NOT_FOUND`: not there, or not yours"),
    ),
)]
pub(super) async fn delete_tag(
    api: ApiState,
    Authenticated(caller, ..): Authenticated<Administrate>,
    Path(url): Path<String>,
) -> Result<StatusCode, ApiError> {
    let url = UrlId::parse(&url).map_err(|_| AppError::TagNotFound)?;
    api.app.delete_tag(&caller, url).await?;
    Ok(StatusCode::NO_CONTENT)
}
